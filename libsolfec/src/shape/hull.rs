//! Convex hulls: quickhull (Barber, Dobkin and Huhdanpaa 1996) on exact orientation signs (Shewchuk 1997), then
//! coplanar triangles merged into polygons.

use robust::{orient3d, Coord3D};

use super::convex::{check_finite, check_size, renumber};
use super::loops::{area_vector, middle, paired, round_off, sides};
use super::{Convex, Face, Loop};
use crate::math::Vec3;
use crate::{Error, Result};

impl Convex {
    /// The convex hull of `points` [m], one surface id on all faces. Coplanar faces are merged, vertices on edges and
    /// faces dropped; the others keep the input order. Errors: fewer than 4 points, coordinates not finite, degenerate
    /// (coplanar, collinear, coincident) points, more than contact can number.
    pub fn hull(points: &[Vec3], volid: i32, surfid: i32) -> Result<Convex> {
        check_finite("point", points)?;
        let loops = hull_loops(points)?;
        let mut used = vec![false; points.len()];
        loops.iter().flatten().for_each(|&v| used[v as usize] = true);
        let mut faces: Vec<Face> = loops.into_iter().map(|nodes| Face { nodes, surfid }).collect();
        renumber(&mut faces, &used);
        let mut vertices: Vec<Vec3> = (0..points.len()).filter(|&v| used[v]).map(|v| points[v]).collect();
        vertices.shrink_to_fit();
        check_size(&vertices, &faces)?;
        Ok(Convex { vertices, faces, volid })
    }
}

/// Faces of the hull of finite `points`, in their numbers, however many; each loop is counter-clockwise from outside and
/// starts with its least vertex, loops ascend.
///
/// # Errors
/// Fewer than 4 points, degenerate (coplanar, collinear, coincident) points.
pub fn hull_loops(points: &[Vec3]) -> Result<Vec<Loop>> {
    let tolerance = round_off(points);
    let triangles = quickhull(points, simplex(points, tolerance)?);
    let merged = || merge(points, &triangles, tolerance).filter(|loops| is_convex(points, loops, 2.0 * tolerance));
    let mut loops = alone(points, &triangles, tolerance)
        .or_else(merged)
        .or_else(|| merge(points, &triangles, 0.0))
        .ok_or_else(|| degenerate("nearly coincident or coplanar"))?;
    put_in_order(&mut loops);
    Ok(loops)
}

/// Each loop starts with its least vertex, loops ascend.
fn put_in_order(loops: &mut [Loop]) {
    for nodes in &mut *loops {
        let first = (0..nodes.len()).min_by_key(|&i| nodes[i]).unwrap_or(0);
        nodes.rotate_left(first);
    }
    loops.sort_unstable();
}

fn degenerate(how: &str) -> Error {
    Error::input(format!("convex hull is degenerate: the points are {how}; give at least 4 points that span a volume"))
}

/// Sign of the height of point `d` over the plane of `a`, `b`, `c`, exact; its size is six times a volume, nearly. That
/// of a corner is zero, which exact arithmetic would find at length.
fn height(x: &[Vec3], [a, b, c]: [u32; 3], d: u32) -> f64 {
    if d == a || d == b || d == c {
        return 0.0;
    }
    let at = |i: u32| {
        let p = &x[i as usize];
        Coord3D { x: p.x, y: p.y, z: p.z }
    };
    -orient3d(at(a), at(b), at(c), at(d))
}

/// Four points that span a volume thicker than `tolerance`, the last above the others.
fn simplex(x: &[Vec3], tolerance: f64) -> Result<[u32; 4]> {
    let farthest = |measure: &dyn Fn(&Vec3) -> f64| {
        let values = x.iter().map(measure).enumerate();
        values.fold((0, -1.0), |best, (i, v)| if v > best.1 { (i, v) } else { best })
    };
    if x.len() < 4 {
        return Err(degenerate("fewer than 4"));
    }
    let low = |i: &usize, k: &usize| x[*i].iter().partial_cmp(x[*k].iter()).unwrap_or(std::cmp::Ordering::Equal);
    let a = (0..x.len()).min_by(low).unwrap_or(0);
    let (b, length) = farthest(&|p| (p - x[a]).norm());
    if length <= tolerance {
        return Err(degenerate("coincident"));
    }
    let along = (x[b] - x[a]) / length;
    let (c, width) = farthest(&|p| (p - x[a]).cross(&along).norm());
    if width <= tolerance {
        return Err(degenerate("collinear"));
    }
    let normal = along.cross(&(x[c] - x[a])).normalize();
    let (d, thickness) = farthest(&|p| (p - x[a]).dot(&normal).abs());
    if thickness <= tolerance {
        return Err(degenerate("coplanar"));
    }
    let [a, b, c, d] = [a, b, c, d].map(|i| i as u32);
    match height(x, [a, b, c], d) {
        h if h > 0.0 => Ok([a, b, c, d]),
        h if h < 0.0 => Ok([a, c, b, d]),
        _ => Err(degenerate("coplanar")),
    }
}

/// No point.
const NONE: u32 = u32::MAX;

/// A triangle of the growing hull.
struct Triangle {
    nodes: [u32; 3],
    /// Triangle across the side from `nodes[i]` to the node after it.
    next: [u32; 3],
    /// First and last of the points strictly above, each in the list of one triangle only.
    outside: [u32; 2],
    /// The first of the highest of them, and its height.
    highest: (u32, f64),
    alive: bool,
}

impl Triangle {
    fn new(nodes: [u32; 3], next: [u32; 3]) -> Triangle {
        Triangle { nodes, next, outside: [NONE; 2], highest: (NONE, 0.0), alive: true }
    }
}

/// Triangles of the hull, neighbours linked. Coplanar triangles occur; points in their planes but not strictly above
/// any plane are inside. A new point sees a disc of triangles, because seeing means strictly above (exactly).
fn quickhull(x: &[Vec3], [a, b, c, d]: [u32; 4]) -> Vec<Triangle> {
    let mut hull = Vec::with_capacity(8 * x.len().min(1000));
    hull.extend([
        Triangle::new([a, c, b], [3, 2, 1]),
        Triangle::new([a, b, d], [0, 2, 3]),
        Triangle::new([b, c, d], [0, 3, 1]),
        Triangle::new([c, a, d], [0, 1, 2]),
    ]);
    // The point after each in the list that it is in; at first all are in one.
    let mut after: Vec<u32> = (1..=x.len() as u32).collect();
    after[x.len() - 1] = NONE;
    hand_out(x, &mut hull, 0, 0, &mut after);
    let mut starts_at = vec![0_u32; x.len()];
    let mut pending: Vec<u32> = (0..4).collect();
    let (mut visible, mut horizon) = (Vec::new(), Vec::new());
    while let Some(t) = pending.pop() {
        let Triangle { highest: (apex, _), alive, .. } = hull[t as usize];
        if apex == NONE || !alive {
            continue;
        }
        look_from(x, &mut hull, t, apex, &mut visible, &mut horizon);
        let first = hull.len();
        for &[u, v, beyond] in &horizon {
            let fresh = hull.len() as u32;
            starts_at[u as usize] = fresh;
            let outer = &mut hull[beyond as usize];
            if let Some(side) = (0..3).find(|&i| outer.nodes[i] == v) {
                outer.next[side] = fresh;
            }
            hull.push(Triangle::new([u, v, apex], [beyond, 0, 0]));
        }
        for t in first..hull.len() {
            let after = starts_at[hull[t].nodes[1] as usize];
            hull[t].next[1] = after;
            hull[after as usize].next[2] = t as u32;
        }
        for &t in &visible {
            let [orphans, _] = hull[t as usize].outside;
            hand_out(x, &mut hull, first, orphans, &mut after);
        }
        pending.extend((first..hull.len()).map(|t| t as u32));
    }
    compact(hull)
}

/// Gives each point of a list to the first triangle from `first` on that it is strictly above; a point above none is
/// inside.
fn hand_out(x: &[Vec3], hull: &mut [Triangle], first: usize, points: u32, after: &mut [u32]) {
    let mut following = points;
    while following != NONE {
        let p = following;
        following = std::mem::replace(&mut after[p as usize], NONE);
        let above = hull[first..].iter_mut().map(|t| (height(x, t.nodes, p), t)).find(|(up, _)| *up > 0.0);
        let Some((up, t)) = above else { continue };
        match t.outside {
            [NONE, _] => t.outside[0] = p,
            [_, last] => after[last as usize] = p,
        }
        t.outside[1] = p;
        if up > t.highest.1 {
            t.highest = (p, up);
        }
    }
}

/// Removes the triangles that `apex` sees, starting with `t`. Gives them and the sides around them, with the triangle
/// beyond each.
fn look_from(
    x: &[Vec3],
    hull: &mut [Triangle],
    t: u32,
    apex: u32,
    visible: &mut Vec<u32>,
    horizon: &mut Vec<[u32; 3]>,
) {
    visible.clear();
    visible.push(t);
    horizon.clear();
    hull[t as usize].alive = false;
    let mut done = 0;
    while done < visible.len() {
        let Triangle { nodes, next, .. } = hull[visible[done] as usize];
        done += 1;
        for i in 0..3 {
            let beyond = &mut hull[next[i] as usize];
            if !beyond.alive {
                continue;
            }
            if height(x, beyond.nodes, apex) > 0.0 {
                beyond.alive = false;
                visible.push(next[i]);
            } else {
                horizon.push([nodes[i], nodes[(i + 1) % 3], next[i]]);
            }
        }
    }
}

fn compact(hull: Vec<Triangle>) -> Vec<Triangle> {
    let mut alive = 0;
    let number: Vec<u32> = hull
        .iter()
        .map(|t| {
            alive += u32::from(t.alive);
            alive.saturating_sub(1)
        })
        .collect();
    let mut kept: Vec<Triangle> = hull.into_iter().filter(|t| t.alive).collect();
    for t in &mut kept {
        t.next = t.next.map(|n| number[n as usize]);
    }
    kept
}

/// The triangles themselves, which [`merge`] would give at length, if each falls away from its neighbours by more than
/// round-off and is wide enough to tell.
fn alone(x: &[Vec3], triangles: &[Triangle], tolerance: f64) -> Option<Vec<Loop>> {
    let falls = |t: &Triangle| {
        let area = area_vector(t.nodes.iter().map(|&v| x[v as usize]));
        let size = area.norm();
        let (normal, origin) = (area / size, x[t.nodes[0] as usize]);
        let wide = 2.0 * size > 1000.0 * tolerance * longest_side(x, t.nodes);
        wide && t.next.iter().all(|&n| {
            let mut beyond = triangles[n as usize].nodes.iter().filter(|v| !t.nodes.contains(v));
            beyond.all(|&v| normal.dot(&(x[v as usize] - origin)) < -2.0 * tolerance)
        })
    };
    triangles.iter().all(falls).then(|| triangles.iter().map(|t| Loop::from_slice(&t.nodes)).collect())
}

/// Polygons of the triangles that lie in one plane, exactly or within `tolerance`. A vertex stays where three or more
/// of them meet. `None` if a polygon is not a simple loop, which cannot happen at tolerance 0.
fn merge(x: &[Vec3], triangles: &[Triangle], tolerance: f64) -> Option<Vec<Loop>> {
    let group = groups(x, triangles, tolerance);
    // Vertex and group in one number, which is sorted faster than a pair.
    let mut meetings: Vec<u64> = Vec::with_capacity(3 * triangles.len());
    for (t, &g) in triangles.iter().zip(&group) {
        meetings.extend(t.nodes.map(|v| u64::from(v) << 32 | u64::from(g)));
    }
    meetings.sort_unstable();
    meetings.dedup();
    let mut corner = vec![false; x.len()];
    for run in meetings.chunk_by(|a, b| a >> 32 == b >> 32) {
        corner[(run[0] >> 32) as usize] = run.len() >= 3;
    }
    let mut rims: Vec<[u32; 3]> = Vec::new();
    for (t, &g) in triangles.iter().zip(&group) {
        let outer = (0..3).filter(|&i| group[t.next[i] as usize] != g);
        rims.extend(outer.map(|i| [g, t.nodes[i], t.nodes[(i + 1) % 3]]));
    }
    rims.sort_unstable_by_key(|&[g, u, v]| (g, u64::from(u) << 32 | u64::from(v)));
    rims.chunk_by(|a, b| a[0] == b[0]).map(|rim| chain(rim, &corner)).collect()
}

/// The corners around one polygon, from its sides sorted by their first vertex.
fn chain(rim: &[[u32; 3]], corner: &[bool]) -> Option<Loop> {
    let start = rim[0][1];
    let mut at = start;
    let mut nodes = Loop::new();
    for step in 0..rim.len() {
        if step > 0 && at == start {
            return None;
        }
        if corner[at as usize] {
            nodes.push(at);
        }
        let side = rim.binary_search_by_key(&at, |side| side[1]).ok()?;
        at = rim[side][2];
    }
    (at == start && nodes.len() >= 3).then_some(nodes)
}

/// Group number of each triangle: groups grow over neighbours from the largest triangles.
fn groups(x: &[Vec3], triangles: &[Triangle], tolerance: f64) -> Vec<u32> {
    let area = |t: &Triangle| area_vector(t.nodes.iter().map(|&v| x[v as usize]));
    let areas: Vec<Vec3> = triangles.iter().map(area).collect();
    let sizes: Vec<f64> = areas.iter().map(|a| a.norm()).collect();
    let mut order: Vec<usize> = (0..triangles.len()).collect();
    order.sort_unstable_by(|&s, &t| sizes[t].total_cmp(&sizes[s]).then(s.cmp(&t)));

    let mut group = vec![NONE; triangles.len()];
    let mut front = Vec::new();
    for (g, &seed) in order.iter().enumerate() {
        if group[seed] != NONE {
            continue;
        }
        let (plane, normal) = (triangles[seed].nodes, areas[seed] / sizes[seed]);
        let origin = x[plane[0] as usize];
        let belongs = |t: usize| {
            let nodes = triangles[t].nodes;
            if nodes.iter().all(|&v| height(x, plane, v) == 0.0) {
                return true;
            }
            let near = |&v: &u32| normal.dot(&(x[v as usize] - origin)).abs() <= tolerance;
            let sliver = 2.0 * sizes[t] <= tolerance * longest_side(x, nodes);
            tolerance > 0.0 && nodes.iter().all(near) && (sliver || normal.dot(&areas[t]) > 0.0)
        };
        group[seed] = g as u32;
        front.push(seed);
        while let Some(t) = front.pop() {
            for next in triangles[t].next.map(|n| n as usize) {
                if group[next] == NONE && belongs(next) {
                    group[next] = g as u32;
                    front.push(next);
                }
            }
        }
    }
    group
}

fn longest_side(x: &[Vec3], [a, b, c]: [u32; 3]) -> f64 {
    let length = |i: u32, k: u32| (x[i as usize] - x[k as usize]).norm();
    length(a, b).max(length(b, c)).max(length(c, a))
}

/// Whether the polygons close up, are flat and turn one way, and fall away from each other over every edge.
fn is_convex(x: &[Vec3], loops: &[Loop], tolerance: f64) -> bool {
    let corners = |f: usize| loops[f].iter().map(|&v| x[v as usize]);
    let planes: Vec<(Vec3, Vec3)> =
        (0..loops.len()).map(|f| (middle(corners(f)), area_vector(corners(f)).normalize())).collect();
    let over = |f: usize, p: &Vec3| planes[f].1.dot(&(p - planes[f].0));
    let flat = (0..loops.len()).all(|f| corners(f).all(|p| over(f, &p).abs() <= tolerance));
    let turning = (0..loops.len()).all(|f| {
        let n = loops[f].len();
        let at = |i: usize| x[loops[f][i % n] as usize];
        (0..n).all(|i| {
            let (a, b, c) = (at(i), at(i + 1), at(i + 2));
            (b - a).cross(&(c - b)).dot(&planes[f].1) >= -tolerance * (c - a).norm()
        })
    });
    let sides = sides(loops.iter().map(Loop::as_slice));
    let falling = sides.chunk_by(|a, b| a.ends == b.ends).all(|run| {
        paired(run) && {
            let (f, g) = (run[0].face as usize, run[1].face as usize);
            over(f, &planes[g].0) <= tolerance && over(g, &planes[f].0) <= tolerance
        }
    });
    flat && turning && falling
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn triangles_of_an_octahedron_stand_alone_and_those_of_a_cube_do_not() {
        let octahedron: Vec<Vec3> = (0..6).map(|k| Vec3::ith(k / 2, if k % 2 == 0 { 1.0 } else { -1.0 })).collect();
        let cube: Vec<Vec3> =
            (0..8).map(|k| Vec3::new(f64::from(k & 1), f64::from(k >> 1 & 1), f64::from(k >> 2))).collect();
        let stand_alone = |points: &[Vec3]| {
            let tolerance = round_off(points);
            let triangles = quickhull(points, simplex(points, tolerance).unwrap());
            alone(points, &triangles, tolerance).map(|loops| loops.len())
        };
        assert_eq!((stand_alone(&octahedron), stand_alone(&cube)), (Some(8), None));
    }

    proptest! {
        /// Some points in random places, and some of a coarse grid, which are often in one plane.
        #[test]
        fn triangles_that_stand_alone_are_what_merging_gives(
            anywhere in proptest::collection::vec([-1.0..1.0, -1.0..1.0, -1.0..1.0], 4..40),
            on_grid in proptest::collection::vec([-1_i8..2, -1..2, -1..2], 0..4),
        ) {
            let on_grid = on_grid.into_iter().map(|x| Vec3::from(x.map(f64::from)));
            let points: Vec<Vec3> = anywhere.into_iter().map(Vec3::from).chain(on_grid).collect();
            let tolerance = round_off(&points);
            let triangles = quickhull(&points, simplex(&points, tolerance).unwrap());
            let both = (alone(&points, &triangles, tolerance), merge(&points, &triangles, tolerance));
            if let (Some(mut alone), Some(mut merged)) = both {
                put_in_order(&mut alone);
                put_in_order(&mut merged);
                prop_assert_eq!(alone, merged);
            }
        }
    }
}
