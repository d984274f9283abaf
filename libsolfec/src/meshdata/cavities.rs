//! Closed shells inside a solid that are the walls of cavities.

use std::collections::BTreeMap;

use super::measure::triangles;
use super::nearest::{Shell, Triangle};
use crate::math::Vec3;
use crate::shape::{Integrals, RawMesh};

/// Of each point the smallest closed shell around it becomes the wall of a cavity: its polygons, which look outwards, are
/// turned. Returns for each point whether there is such a shell inside another one. Polygons that have nodes in common
/// belong to one shell.
pub fn hollow(surface: &mut RawMesh, points: &[Vec3]) -> Vec<bool> {
    let shells = shells(surface);
    let corner = |n: u32| surface.nodes.get(n as usize).copied();
    let of_face =
        |&f: &usize| triangles(&surface.faces[f].0).filter_map(|t| Some([corner(t[0])?, corner(t[1])?, corner(t[2])?]));
    let solid: Vec<Vec<Triangle>> = shells.iter().map(|faces| faces.iter().flat_map(of_face).collect()).collect();
    let volume = |s: usize| Integrals::enclosed(solid[s].iter().map(|[a, b, c]| [a, b, c])).volume;
    let wall = |x: &Vec3| {
        let around: Vec<usize> = (0..solid.len()).filter(|&s| Shell::new(solid[s].clone()).holds(x)).collect();
        let least = around.iter().copied().min_by(|&a, &b| volume(a).total_cmp(&volume(b)));
        least.filter(|_| around.len() > 1)
    };
    let found: Vec<Option<usize>> = points.iter().map(wall).collect();
    for (_, faces) in shells.iter().enumerate().filter(|(s, _)| found.contains(&Some(*s))) {
        faces.iter().for_each(|&f| surface.faces[f].0.reverse());
    }
    found.iter().map(Option::is_some).collect()
}

/// Faces that hang together by nodes, in the order of their first face.
fn shells(surface: &RawMesh) -> Vec<Vec<usize>> {
    let mut leader: Vec<u32> = (0..surface.nodes.len() as u32).collect();
    fn root(leader: &mut [u32], mut n: u32) -> u32 {
        while leader[n as usize] != n {
            leader[n as usize] = leader[leader[n as usize] as usize];
            n = leader[n as usize];
        }
        n
    }
    let known = |nodes: &Vec<u32>| nodes.iter().all(|&n| (n as usize) < surface.nodes.len());
    for (nodes, _) in surface.faces.iter().filter(|face| known(&face.0)) {
        for pair in nodes.windows(2) {
            let (a, b) = (root(&mut leader, pair[0]), root(&mut leader, pair[1]));
            leader[a.max(b) as usize] = a.min(b);
        }
    }
    let mut shells: BTreeMap<u32, Vec<usize>> = BTreeMap::new();
    for (f, (nodes, _)) in surface.faces.iter().enumerate().filter(|(_, face)| known(&face.0)) {
        if let Some(&first) = nodes.first() {
            shells.entry(root(&mut leader, first)).or_default().push(f);
        }
    }
    shells.into_values().collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::meshdata::{join, seen_faces, surface_integrals};
    use crate::shape::Mesh;

    fn cube(low: f64, high: f64) -> RawMesh {
        let corners: [Vec3; 8] = std::array::from_fn(|k| {
            let end = |far: bool| if far { high } else { low };
            Vec3::new(end(k % 4 == 1 || k % 4 == 2), end(k % 4 > 1), end(k > 3))
        });
        let block = RawMesh::from(&Mesh::hex(&corners, [1; 3], 4, &[1; 6], [None; 3]).unwrap());
        RawMesh { faces: seen_faces(&block), nodes: block.nodes, ..RawMesh::default() }
    }

    /// A cube of 27 with a cube of 1 inside of it; a point between the two, and one outside, is in no cavity.
    #[test]
    fn a_point_makes_a_cavity_of_the_shell_around_it() {
        let mut both = cube(0.0, 3.0);
        join(&mut both, &cube(1.0, 2.0));
        let volume = |mesh: &RawMesh| surface_integrals(mesh).unwrap().volume;
        let points = [Vec3::repeat(1.5), Vec3::repeat(0.5), Vec3::repeat(9.0)];
        assert_eq!(hollow(&mut both, &points), [true, false, false]);
        assert!((volume(&both) - 26.0).abs() < 1e-13);
    }
}
