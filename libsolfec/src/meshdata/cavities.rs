//! Cavities of a solid: points in them, and the walls around points.

use std::collections::{BTreeMap, BTreeSet};

use super::nearest::Shell;
use super::regions::{Region, Regions};
use super::triangulate::triangulate;
use crate::math::{Components, Vec3};
use crate::shape::RawMesh;

/// What a solid encloses and does not fill.
#[derive(Debug, Clone, PartialEq)]
pub struct Cavity {
    /// A point strictly inside [m].
    pub point: Vec3,
    /// Triangles of the wall around it; those of what stands in it are not among them.
    pub wall: Vec<usize>,
}

/// The cavities of a closed surface that looks outwards, into its cavities too. What stands in a cavity may have
/// cavities of its own.
pub fn cavities(points: &[Vec3], triangles: &[[u32; 3]]) -> Vec<Cavity> {
    let regions = Regions::of(points, triangles);
    let only_fronts = |region: &&Region| region.sides.iter().all(|side| side.is_multiple_of(2));
    let empty = |region: &Region| {
        let point = regions.point_in(region)?;
        let wall = || region.sides.iter().map(|side| side / 2).collect();
        (regions.is_within(region, &point) && regions.is_empty_at(&point)).then(|| Cavity { point, wall: wall() })
    };
    regions.iter().filter(only_fronts).filter_map(empty).collect()
}

/// What the smallest closed shell around each of the points encloses becomes a cavity: its polygons, which look
/// outwards, are turned. Returns for each point whether there is such a shell inside another one.
pub fn hollow(surface: &mut RawMesh, points: &[Vec3]) -> Vec<bool> {
    if points.is_empty() {
        return Vec::new();
    }
    let (triangles, polygon) = triangles(surface);
    let regions = Regions::of(&surface.nodes, &triangles);
    let shells = shells(&triangles, &surface.nodes);
    let walls = |x: &Vec3| -> Option<Vec<usize>> {
        let region = regions.at(x).filter(|region| regions.is_within(region, x));
        let backs =
            |region: &Region| region.sides.iter().filter(|side| !side.is_multiple_of(2)).map(|s| s / 2).collect();
        region.map(backs).or_else(|| shell_around(&shells, x))
    };
    let found: Vec<Option<Vec<usize>>> = points.iter().map(walls).collect();
    let turned: BTreeSet<usize> = found.iter().flatten().flatten().map(|&triangle| polygon[triangle]).collect();
    turned.into_iter().for_each(|f| surface.faces[f].0.reverse());
    found.iter().map(Option::is_some).collect()
}

/// The triangles of all polygons whose nodes are there, and the polygon of each.
fn triangles(surface: &RawMesh) -> (Vec<[u32; 3]>, Vec<usize>) {
    let known = |t: &[u32; 3]| t.iter().all(|&n| (n as usize) < surface.nodes.len());
    let (mut triangles, mut polygon) = (Vec::new(), Vec::new());
    for (f, (nodes, _)) in surface.faces.iter().enumerate() {
        triangles.extend(triangulate(nodes, &surface.nodes).into_iter().filter(known));
        polygon.resize(triangles.len(), f);
    }
    (triangles, polygon)
}

/// Triangles that hang together by nodes, with their numbers: where corners lie on edges of others, a surface is closed
/// although its edges do not agree.
fn shells(triangles: &[[u32; 3]], points: &[Vec3]) -> Vec<(Shell, Vec<usize>)> {
    let mut together = Components::new(points.len());
    triangles.iter().for_each(|[a, b, c]| {
        together.join(*a, *b);
        together.join(*a, *c);
    });
    let mut shells: BTreeMap<u32, Vec<usize>> = BTreeMap::new();
    for (k, t) in triangles.iter().enumerate() {
        shells.entry(together.root(t[0])).or_default().push(k);
    }
    let shell =
        |own: Vec<usize>| (Shell::new(own.iter().map(|&k| triangles[k].map(|n| points[n as usize])).collect()), own);
    shells.into_values().map(shell).collect()
}

/// The triangles of the smallest of several shells around a point.
fn shell_around(shells: &[(Shell, Vec<usize>)], x: &Vec3) -> Option<Vec<usize>> {
    let around: Vec<&(Shell, Vec<usize>)> = shells.iter().filter(|(shell, _)| shell.holds(x)).collect();
    let least = around.iter().min_by(|a, b| a.0.volume().total_cmp(&b.0.volume()));
    least.filter(|_| around.len() > 1).map(|(_, own)| own.clone())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::meshdata::{compact, join, orient, seen_faces, surface_integrals};
    use crate::shape::Mesh;

    /// The surface of a block of unit cubes, without those that `is_left_out` says.
    fn block(n: usize, is_left_out: impl Fn([usize; 3]) -> bool) -> RawMesh {
        let corners: [Vec3; 8] = std::array::from_fn(|k| {
            let end = |far: bool| if far { n as f64 } else { 0.0 };
            Vec3::new(end(k % 4 == 1 || k % 4 == 2), end(k % 4 > 1), end(k > 3))
        });
        let mut mesh = RawMesh::from(&Mesh::hex(&corners, [n; 3], 4, &[1; 6], [None; 3]).unwrap());
        let nodes = mesh.nodes.clone();
        mesh.elements.retain(|e| {
            let middle: Vec3 = e.nodes().iter().map(|&node| nodes[node as usize] / 8.0).sum();
            !is_left_out([middle.x, middle.y, middle.z].map(|x| x as usize))
        });
        let mut surface = RawMesh { faces: seen_faces(&mesh), nodes: mesh.nodes, ..RawMesh::default() };
        compact(&mut surface);
        surface
    }

    fn cube(low: f64, size: f64) -> RawMesh {
        let mut cube = block(1, |_| false);
        cube.nodes.iter_mut().for_each(|x| *x = *x * size + Vec3::repeat(low));
        cube
    }

    fn volume(surface: &RawMesh) -> f64 {
        surface_integrals(surface).unwrap().volume
    }

    fn points(surface: &RawMesh) -> Vec<Vec3> {
        cavities(&surface.nodes, &triangles(surface).0).into_iter().map(|cavity| cavity.point).collect()
    }

    /// The surface as one that looks outwards everywhere, made hollow again by its points, is itself.
    fn comes_back(surface: &RawMesh, points: &[Vec3]) {
        let mut solid = surface.clone();
        orient(&mut solid);
        assert!(hollow(&mut solid, points).iter().all(|found| *found));
        assert!((volume(&solid) - volume(surface)).abs() < 1e-12, "{} {}", volume(&solid), volume(surface));
    }

    fn cells(points: &[Vec3]) -> Vec<[usize; 3]> {
        let cell = |x: &Vec3| {
            assert!(x.iter().all(|x| (0.1..0.9).contains(&x.fract())), "{x} is near a wall");
            [x.x as usize, x.y as usize, x.z as usize]
        };
        let mut cells: Vec<[usize; 3]> = points.iter().map(cell).collect();
        cells.sort_unstable();
        cells
    }

    /// Cavities that are apart, and that touch each other or the outside at an edge or at a node.
    #[test]
    fn each_cavity_gets_a_point() {
        let left_out: [&[[usize; 3]]; 6] = [
            &[[2, 2, 2]],
            &[[1, 1, 1], [3, 1, 3], [3, 3, 1]],
            &[[1, 1, 1], [2, 2, 1]],
            &[[1, 1, 1], [2, 2, 2], [3, 3, 3]],
            &[[0, 0, 1], [1, 1, 1]],
            &[[0, 0, 0], [1, 1, 1]],
        ];
        for cavities in left_out {
            let surface = block(5, |cell| cavities.contains(&cell));
            let inner: Vec<[usize; 3]> = cavities.iter().filter(|cell| !cell.contains(&0)).copied().collect();
            let found = points(&surface);
            assert_eq!(cells(&found), inner);
            comes_back(&surface, &found);
        }
        assert!(points(&block(3, |_| false)).is_empty());
        assert!(points(&block(3, |cell| cell[..2] == [1, 1])).is_empty(), "a tunnel");
    }

    /// A block of 7 with a cavity of 5, in it a block of 3 with a cavity of 1.
    #[test]
    fn what_stands_in_a_cavity_has_cavities_of_its_own() {
        let depth = |cell: [usize; 3]| cell.into_iter().map(|k| k.min(6 - k)).min().unwrap();
        let surface = block(7, |cell| depth(cell) % 2 == 1);
        let found = points(&surface);
        let depths: Vec<usize> = cells(&found).into_iter().map(depth).collect();
        assert!(depths == [1, 3] || depths == [3, 1], "{depths:?}");
        comes_back(&surface, &found);
        let without = block(7, |cell| depth(cell) == 1);
        assert_eq!(cells(&points(&without)).into_iter().map(depth).collect::<Vec<usize>>(), [1]);
    }

    /// Two halves with half of the cavity each.
    #[test]
    fn parts_that_touch_enclose_a_cavity() {
        let mut both = block(4, |[i, j, k]| i > 1 || [i, j, k] == [1, 1, 1]);
        join(&mut both, &block(4, |[i, j, k]| i < 2 || [i, j, k] == [2, 1, 1]));
        let found = points(&both);
        assert!(found.len() == 1 && (1.0..3.0).contains(&found[0].x), "{found:?}");
        comes_back(&both, &found);
    }

    #[test]
    fn thin_and_far_cavities_get_their_points() {
        let mut surface = block(3, |cell| cell == [1; 3]);
        surface.nodes.iter_mut().for_each(|x| *x = Vec3::new(1e3 + x.x, 2.0 * x.y, 1e-6 * x.z));
        let found = points(&surface);
        assert!(found.len() == 1 && (1e-6..2e-6).contains(&found[0].z), "{found:?}");
        comes_back(&surface, &found);
    }

    /// Solids beside and inside each other have no cavity, nor has a surface that looks inwards.
    #[test]
    fn solids_are_no_cavities() {
        let mut both = cube(0.0, 3.0);
        join(&mut both, &cube(1.0, 1.0));
        join(&mut both, &cube(3.0, 1.0));
        assert!(points(&both).is_empty());
        both.faces.iter_mut().for_each(|face| face.0.reverse());
        assert!(points(&both).is_empty());
    }

    /// A cube of 27 with a cube of 1 inside of it; a point between the two, and one outside, is in no cavity.
    #[test]
    fn a_point_makes_a_cavity_of_the_shell_around_it() {
        let mut both = cube(0.0, 3.0);
        join(&mut both, &cube(1.0, 1.0));
        let points = [Vec3::repeat(1.5), Vec3::repeat(0.5), Vec3::repeat(9.0)];
        assert_eq!(hollow(&mut both, &points), [true, false, false]);
        assert!((volume(&both) - 26.0).abs() < 1e-13);
    }

    /// One face of the inner cube is in two parts that meet at a node in the middle of an edge.
    #[test]
    fn corners_may_lie_on_edges_of_the_shell() {
        let mut both = cube(0.0, 3.0);
        let mut inner = cube(1.0, 1.0);
        let nodes = inner.faces.pop().unwrap().0;
        let [a, b, c, d] = nodes[..] else { panic!("a quadrilateral") };
        let middle = |a: u32, b: u32| (inner.nodes[a as usize] + inner.nodes[b as usize]) / 2.0;
        inner.nodes.extend([middle(a, b), middle(c, d)]);
        inner.faces.extend([(vec![a, 8, 9, d], 1), (vec![8, b, c, 9], 1)]);
        join(&mut both, &inner);
        assert_eq!(hollow(&mut both, &[Vec3::repeat(1.5)]), [true]);
        assert!((volume(&both) - 26.0).abs() < 1e-13);
    }
}
