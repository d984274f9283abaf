//! The kernels against exact arithmetic on polyhedra with integer vertices: random ones, and special positions, in
//! which vertices, edges and faces of the two lie on each other.

use super::exact::{self, cross, dot, hull, primitive, sub, Int3, Overlap, Polyhedron};
use super::make::{rotate, translate};
use solfec::contact::narrow::{area_bound, distance, solid_ball, solids, Workspace};
use solfec::contact::ManifoldPoint;
use solfec::math::Vec3;
use solfec::shape::Solid;

const EPS: f64 = 1e-6;
/// Largest coordinate of the first polyhedron.
const HALF: i128 = 4;

/// Deterministic numbers.
struct Random(u64);

impl Random {
    fn below(&mut self, n: usize) -> usize {
        self.0 = self.0.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        ((self.0 >> 33) as usize) % n
    }

    fn coordinate(&mut self, reach: i128) -> i128 {
        self.below((2 * reach + 1) as usize) as i128 - reach
    }

    fn point(&mut self, reach: i128) -> Int3 {
        [0; 3].map(|_| self.coordinate(reach))
    }

    fn pick<T: Copy>(&mut self, of: &[T]) -> T {
        of[self.below(of.len())]
    }

    /// A box, a prism, a tetrahedron or the hull of some points.
    fn polyhedron(&mut self) -> Polyhedron {
        loop {
            let (p, q) = (self.point(HALF), self.point(HALF));
            let corner = |k: usize| [0, 1, 2].map(|axis| if k >> axis & 1 == 0 { p[axis] } else { q[axis] });
            let points: Vec<Int3> = match self.below(5) {
                0 => (0..8).map(corner).collect(),
                1 => (0..4).map(|_| self.point(HALF)).collect(),
                2 => (0..4).map(|_| self.point(HALF)).flat_map(|[x, y, _]| [[x, y, p[2]], [x, y, q[2]]]).collect(),
                _ => (0..5 + self.below(6)).map(|_| self.point(HALF)).collect(),
            };
            if let Some(found) = hull(&points) {
                return found;
            }
        }
    }

    /// Some forty faces: the hull of points between two spheres.
    fn round(&mut self) -> Polyhedron {
        let points: Vec<Int3> = grid(HALF).filter(|&p| (13..=17).contains(&dot(p, p))).collect();
        let chosen: Vec<Int3> = (0..26).map(|_| self.pick(&points)).collect();
        hull(&chosen).expect("a hull")
    }

    /// A second polyhedron in a position that depends on `kind`.
    fn partner(&mut self, a: &Polyhedron, kind: usize) -> Polyhedron {
        match kind {
            0 => {
                let other = if a.planes.len() > 16 { self.round() } else { self.polyhedron() };
                other.shifted(self.point(HALF))
            }
            1 => a.shifted(primitive(self.point(1))),
            2 => self.within(a).unwrap_or_else(|| a.clone()),
            3 => {
                // A step along an edge keeps the faces of that edge on their planes.
                let [p, q] = self.pick(&a.edges());
                a.shifted(primitive(sub(q, p)))
            }
            _ => self.beyond(a),
        }
    }

    /// The hull of integer points inside.
    fn within(&mut self, a: &Polyhedron) -> Option<Polyhedron> {
        let inside: Vec<Int3> = grid(HALF).filter(|&p| a.contains(p)).collect();
        let points: Vec<Int3> = (0..6).map(|_| self.pick(&inside)).collect();
        hull(&points)
    }

    /// A polyhedron on the other side of a plane that supports a face, an edge or a vertex, with points on the plane.
    fn beyond(&mut self, a: &Polyhedron) -> Polyhedron {
        loop {
            let v = self.below(a.vertices.len());
            let mut about: Vec<Int3> =
                (0..a.loops.len()).filter(|&f| a.loops[f].contains(&v)).map(|f| a.planes[f].normal).collect();
            about.truncate(1 + self.below(about.len()));
            let normal = primitive(about.iter().fold([0; 3], |s, n| [s[0] + n[0], s[1] + n[1], s[2] + n[2]]));
            let level = dot(normal, a.vertices[v]);
            let near: Vec<Int3> =
                grid(HALF + 2).filter(|&p| dot(sub(p, a.vertices[v]), sub(p, a.vertices[v])) < 20).collect();
            let on: Vec<Int3> = near.iter().copied().filter(|&p| dot(normal, p) == level).collect();
            let over: Vec<Int3> = near.iter().copied().filter(|&p| dot(normal, p) > level).collect();
            let mut points: Vec<Int3> = (0..1 + self.below(4)).map(|_| self.pick(&on)).collect();
            points.extend((0..3 + self.below(3)).map(|_| self.pick(&over)));
            if self.below(2) == 0 {
                points.push(a.vertices[v]);
            }
            if let Some(found) = hull(&points) {
                return found;
            }
        }
    }
}

fn grid(reach: i128) -> impl Iterator<Item = Int3> {
    let line = move || -reach..=reach;
    line().flat_map(move |x| line().flat_map(move |y| line().map(move |z| [x, y, z])))
}

/// A random pair and what is known of it.
struct Case {
    a: Polyhedron,
    b: Polyhedron,
    common: Overlap,
    /// Zero where they meet.
    distance: f64,
    name: String,
}

fn each_pair(count: u64, test: impl FnMut(&Case)) {
    each_pair_of(Random::polyhedron, count, test);
}

fn each_pair_of(first: fn(&mut Random) -> Polyhedron, count: u64, mut test: impl FnMut(&Case)) {
    for seed in 0..count {
        let mut random = Random(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15));
        let a = first(&mut random);
        let kind = seed as usize % 7;
        let b = random.partner(&a, kind);
        let common = exact::overlap(&a, &b);
        let distance = if common.meets { 0.0 } else { exact::distance(&a, &b).root() };
        let name = format!("pair {seed} of kind {kind}: {:?} and {:?}", a.vertices, b.vertices);
        test(&Case { a, b, common, distance, name });
    }
}

/// Greatest separation of the face planes; of the solids along `n`, negative where they overlap.
fn separation(a: &Solid, b: &Solid) -> f64 {
    let along = |n: &Vec3| -depth_along(a, b, n);
    let most = |s: &Solid, sign: f64| s.normals.iter().map(|n| along(&(n * sign))).fold(f64::MIN, f64::max);
    most(a, 1.0).max(most(b, -1.0))
}

fn depth_along(a: &Solid, b: &Solid, n: &Vec3) -> f64 {
    let top = a.vertices.iter().map(|v| n.dot(v)).fold(f64::MIN, f64::max);
    top - b.vertices.iter().map(|v| n.dot(v)).fold(f64::MAX, f64::min)
}

/// Greatest height of a point over the planes of a solid.
fn outside(s: &Solid, x: &Vec3) -> f64 {
    let corner = |f: usize| s.vertices[s.topology.face(f)[0] as usize];
    (0..s.normals.len()).map(|f| s.normals[f].dot(&(x - corner(f)))).fold(f64::MIN, f64::max)
}

fn rotation(axis: &Vec3, angle: f64) -> nalgebra::Rotation3<f64> {
    nalgebra::Rotation3::from_axis_angle(&nalgebra::Unit::new_normalize(*axis), angle)
}

fn volume(p: &Polyhedron) -> f64 {
    exact::overlap(p, p).volume
}

/// What holds for every contact of two solids with coordinates up to `far` and this overlap.
fn check(h: &ManifoldPoint, [a, b]: [&Solid; 2], common: &[Vec3], far: f64, name: &str) {
    let tiny = 1e-12 * far;
    let numbers = [h.slave_point, h.master_point, h.normal, Vec3::new(h.gap, h.area, h.projected)];
    assert!(numbers.iter().all(|v| v.iter().all(|x| x.is_finite())), "{h:?} of {name}");
    assert!((h.normal.norm() - 1.0).abs() < 1e-12 && h.gap <= 0.0 && h.area >= 0.0, "{h:?} of {name}");
    assert!(h.surf.iter().all(|&s| s > 0), "{h:?} of {name}");
    for (solid, x) in [(a, &h.slave_point), (b, &h.master_point)] {
        assert!(outside(solid, x) <= EPS + tiny, "{h:?} of {name}: outside by {}", outside(solid, x));
    }
    // The gap parts them and no more, or is twice the width of the overlap (docs/theory.md 5.5).
    assert!(-h.gap <= depth_along(a, b, &h.normal).max(0.0) + EPS + tiny, "{h:?} of {name}");
    let heights = || common.iter().map(|x| h.normal.dot(x));
    let width = heights().fold(f64::MIN, f64::max) - heights().fold(f64::MAX, f64::min);
    let parted = translate(b, &(h.normal * (-h.gap + 2.0 * EPS + 1e3 * tiny)));
    let parts = distance(&a.view(), &parted.view()).0 > 0.0;
    assert!(parts || -h.gap >= 2.0 * width - tiny, "{h:?} of {name} does not part them");
}

/// How many contacts of little or no depth, of deep ones, and of pairs apart there were.
#[derive(Default)]
struct Seen {
    thin: usize,
    deep: usize,
    apart: usize,
}

/// Both orders of a pair: contact or not, distance, area and centroid of the overlap.
fn compare(case: &Case, ws: &mut Workspace, seen: &mut Seen) {
    let size = 16.0;
    let smaller = volume(&case.a).min(volume(&case.b));
    for (slave, master) in [(&case.a, &case.b), (&case.b, &case.a)] {
        let (a, b) = (slave.solid(|v| v), master.solid(|v| v));
        let found = solids(&a.view(), &b.view(), EPS, ws).expect("a kernel that does not fail");
        assert_eq!(found.is_some(), case.distance <= EPS, "{found:?} at {} of {}", case.distance, case.name);
        assert!(found.is_some() || case.common.volume <= 1e-9 * smaller, "{}", case.name);
        let (near, p, q) = distance(&a.view(), &b.view());
        assert!((near - case.distance).abs() <= 1e-13 * size, "{near}, not {} of {}", case.distance, case.name);
        assert!(outside(&a, &p).max(outside(&b, &q)) <= 1e-13 * size, "{p:?} {q:?} of {}", case.name);
        let Some(h) = found else {
            seen.apart += 1;
            continue;
        };
        check(&h, [&a, &b], &case.common.corners, size, &case.name);
        assert!(h.area <= area_bound(&a.view(), &b.view(), EPS) * (1.0 + 1e-12), "{h:?} of {}", case.name);
        if separation(&a, &b) < -2.0 * EPS && case.common.volume > 0.0 {
            seen.deep += 1;
            let half = 0.5 * case.common.surface;
            assert!((h.area - half).abs() <= 1e-10, "area {}, not {half} of {}", h.area, case.name);
            let off = (h.slave_point - case.common.center).norm();
            assert!(off <= 1e-9, "point off by {off} of {}", case.name);
        } else {
            seen.thin += 1;
        }
    }
}

#[test]
fn there_is_a_contact_exactly_where_the_distance_is_at_most_epsilon() {
    let (mut ws, mut seen) = (Workspace::default(), Seen::default());
    each_pair(2800, |case| compare(case, &mut ws, &mut seen));
    let Seen { thin, deep, apart } = seen;
    assert!(thin > 1000 && deep > 1000 && apart > 400, "{thin} {deep} {apart}");
}

/// Of solids of many faces only those near the other solid are looked at.
#[test]
fn solids_of_many_faces_touch_like_those_of_few() {
    let (mut ws, mut seen) = (Workspace::default(), Seen::default());
    each_pair_of(Random::round, 350, |case| compare(case, &mut ws, &mut seen));
    let Seen { thin, deep, apart } = seen;
    assert!(thin > 80 && deep > 150 && apart > 40, "{thin} {deep} {apart}");
}

/// With ε as it is, all lengths times a power of two: what touches is in contact, what is farther apart than ε is not.
#[test]
fn the_scale_changes_nothing_but_what_epsilon_means() {
    let mut ws = Workspace::default();
    each_pair(420, |case| {
        for exponent in [-24, -17, -10, 10, 20, 30] {
            let k = 2_f64.powi(exponent);
            let (a, b) = (case.a.solid(|v| v * k), case.b.solid(|v| v * k));
            let size = 16.0 * k;
            let name = format!("2^{exponent} {}", case.name);
            let found = solids(&a.view(), &b.view(), EPS, &mut ws).expect("a kernel that does not fail");
            let limit = EPS.max(1e-13 * size);
            let apart = case.distance * k;
            assert!((apart - limit).abs() < 1e-9 * limit || found.is_some() == (apart <= limit), "{found:?} of {name}");
            if let Some(h) = found {
                let common: Vec<Vec3> = case.common.corners.iter().map(|x| x * k).collect();
                check(&h, [&a, &b], &common, size, &name);
            }
        }
    });
}

/// Turned and far from the origin, where coordinates are rounded.
#[test]
fn rounded_coordinates_lose_no_contact_and_make_none() {
    let mut ws = Workspace::default();
    let mut random = Random(5);
    each_pair(1400, |case| {
        let axis = Vec3::from(random.point(9).map(|x| x as f64 + 0.37));
        let angle = random.below(1000) as f64 * 0.003;
        let shift = Vec3::from(random.point(300).map(|x| x as f64 * 1.3));
        let go = |s: Solid| translate(&rotate(&s, &axis, angle), &shift);
        let (a, b) = (go(case.a.solid(|v| v)), go(case.b.solid(|v| v)));
        let found = solids(&a.view(), &b.view(), EPS, &mut ws).expect("a kernel that does not fail");
        assert_eq!(found.is_some(), case.distance <= EPS, "{found:?} at {} of {}", case.distance, case.name);
        if let Some(h) = found {
            let corners = case.common.corners.iter();
            let turn = rotation(&axis, angle);
            let common: Vec<Vec3> = corners.map(|x| turn * x + shift).collect();
            check(&h, [&a, &b], &common, 400.0, &case.name);
        }
    });
}

/// Pressed flat along one axis, down to slivers a millionth as thick as wide; what meets still meets.
#[test]
fn flat_solids_that_meet_are_in_contact() {
    let mut ws = Workspace::default();
    each_pair(840, |case| {
        for exponent in [-6, -12, -20] {
            let press = Vec3::new(1.0, 1.0, 2_f64.powi(exponent));
            let [a, b] = [&case.a, &case.b].map(|p| p.solid(|v| v.component_mul(&press)));
            let name = format!("2^{exponent} {}", case.name);
            let found = solids(&a.view(), &b.view(), EPS, &mut ws).expect("a kernel that does not fail");
            assert!(found.is_some() || !case.common.meets, "no contact of {name}");
            let (near, ..) = distance(&a.view(), &b.view());
            assert!(near > EPS || found.is_some(), "no contact at {near} of {name}");
            assert!(near <= EPS + 1e-14 || found.is_none(), "{found:?} at {near} of {name}");
            if let Some(h) = found {
                let common: Vec<Vec3> = case.common.corners.iter().map(|x| x.component_mul(&press)).collect();
                check(&h, [&a, &b], &common, 16.0, &name);
            }
        }
    });
}

/// Balls about integer points.
#[test]
fn balls_touch_at_the_exact_distance() {
    let mut random = Random(11);
    for _ in 0..3000 {
        let p = random.polyhedron();
        let center = random.point(HALF + 2);
        let near = exact::from_point(&p, center).root();
        let solid = p.solid(|v| v);
        let at = Vec3::from(center.map(|x| x as f64));
        for radius in [near - 3.0 * EPS, near - 0.5 * EPS, near, near + 0.1, 2.0 * near + 0.5] {
            if radius <= 0.0 {
                continue;
            }
            let found = solid_ball(&solid.view(), at, radius, 1, EPS).expect("a kernel that does not fail");
            let name = format!("radius {radius} at {at:?}, distance {near} of {:?}", p.vertices);
            assert_eq!(found.is_some(), near < radius + EPS, "{name}");
            let Some((h, _)) = found else { continue };
            assert!((h.normal.norm() - 1.0).abs() < 1e-12, "{h:?}: {name}");
            let inside = outside(&solid, &at);
            let gap = if near > 0.0 { near - radius } else { inside.min(0.0) - radius };
            assert!((h.gap - gap.min(0.0)).abs() < 1e-12, "{h:?}, not {gap}: {name}");
            assert!(outside(&solid, &h.slave_point).abs() < 1e-12, "{h:?}: {name}");
        }
    }
}

/// The oracle itself: boxes, and the determinants of tetrahedra.
#[test]
fn exact_overlaps_of_boxes_and_tetrahedra() {
    let mut random = Random(3);
    for _ in 0..500 {
        let corners = [0; 4].map(|_| random.point(HALF));
        let [a, b, c, d] = corners;
        let six = dot(cross(sub(b, a), sub(c, a)), sub(d, a)).abs();
        let volume = hull(&corners).map_or(0.0, |p| exact::overlap(&p, &p).volume);
        assert!((volume - six as f64 / 6.0).abs() < 1e-13 * six as f64 + 1e-30, "{corners:?}");
        let boxes = [0; 2].map(|_| [random.point(HALF), random.point(HALF)]);
        let corner = |[p, q]: [Int3; 2], k: usize| [0, 1, 2].map(|i| if k >> i & 1 == 0 { p[i] } else { q[i] });
        let [Some(p), Some(q)] = boxes.map(|b| hull(&(0..8).map(|k| corner(b, k)).collect::<Vec<_>>())) else {
            continue;
        };
        let along = |i: usize| {
            let [low, high] = [boxes.map(|[p, q]| p[i].min(q[i])), boxes.map(|[p, q]| p[i].max(q[i]))];
            high[0].min(high[1]) - low[0].max(low[1])
        };
        let sides = [0, 1, 2].map(along);
        let found = exact::overlap(&p, &q);
        assert_eq!(found.meets, sides.iter().all(|&s| s >= 0));
        let product = sides.map(|s| s.max(0)).iter().product::<i128>() as f64;
        assert!((found.volume - product).abs() <= 1e-12 * product, "{boxes:?}");
        if !found.meets {
            let gaps: i128 = sides.iter().map(|s| (-s).max(0).pow(2)).sum();
            let square = exact::distance(&p, &q);
            assert_eq!(square.0, gaps * square.1, "{boxes:?}");
        }
    }
}
