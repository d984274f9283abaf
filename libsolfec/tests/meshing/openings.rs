//! Meshes opened along faces.

use solfec::meshing::{open, open_all, pieces, separate, Opening};
use solfec::shape::RawMesh;

use crate::*;

const RADIAL: [u32; 4] = [0, 1, 17, 16];
const OPPOSITE: [u32; 4] = [8, 9, 25, 24];

fn opening(nodes: &[u32]) -> Opening {
    Opening { nodes: nodes.to_vec(), surfids: [20, 30] }
}

#[test]
fn a_ring_opened_once_is_one_mesh() {
    let opened = open(&ring(), &[opening(&RADIAL)]).unwrap().unwrap();
    assert_eq!((opened.nodes.len(), opened.elements.len()), (36, 8));
    let count = |id: i32| opened.boundary.iter().filter(|face| face.surfid == id).count();
    assert_eq!((count(20), count(30), opened.boundary.len()), (1, 1, 34));
    assert!((volume(&opened) - volume(&ring())).abs() < 1e-14);
    // Copies come last, in the order of what they copy.
    for (copy, old) in (32..).zip([0, 1, 16, 17]) {
        assert_eq!(opened.nodes[copy], opened.nodes[old]);
    }
    assert_eq!(pieces(&opened).len(), 1);
}

#[test]
fn a_ring_opened_twice_is_two_meshes() {
    let halves = separate(&ring(), &[opening(&RADIAL), opening(&OPPOSITE)]).unwrap();
    assert_eq!(halves.len(), 2);
    for half in &halves {
        assert_eq!((half.elements.len(), half.nodes.len()), (4, 20));
        assert!((volume(half) - 0.5 * volume(&ring())).abs() < 1e-14);
        RawMesh::from(half).mesh().unwrap();
    }
}

/// The side whose outward normal is that of the face, as it is listed, gets the first id.
#[test]
fn the_order_of_nodes_tells_the_sides() {
    let forward = open(&ring(), &[opening(&RADIAL)]).unwrap().unwrap();
    let backward = open(&ring(), &[opening(&[16, 17, 1, 0])]).unwrap().unwrap();
    let element = |mesh: &Mesh, id: i32| mesh.boundary.iter().find(|face| face.surfid == id).unwrap().element;
    assert_eq!(element(&forward, 20), element(&backward, 30));
    assert_eq!(element(&forward, 30), element(&backward, 20));
    // Nodes 0, 1, 17, 16 turn about −(axis × radius): outward of the element behind the face, which is the last one.
    let mesh = ring();
    let at = |n: u32| mesh.nodes[n as usize];
    let normal = (at(1) - at(0)).cross(&(at(17) - at(0)));
    let behind = element(&forward, 20);
    let nodes = mesh.elements[behind as usize];
    let middle: Vec3 = nodes.nodes().iter().map(|n| at(*n)).sum::<Vec3>() / 8.0;
    assert!(normal.dot(&(middle - at(0))) < 0.0);
}

/// One face inside a block has its front all around: no node can be copied, so it stays closed. Four faces around one
/// inner node open it.
#[test]
fn a_crack_ends_at_its_front() {
    let mesh = block([4, 4, 2]);
    let node = |a: u32, b: u32| 25 + b * 5 + a;
    let face = |a: u32, b: u32| opening(&[node(a, b), node(a + 1, b), node(a + 1, b + 1), node(a, b + 1)]);
    let single = open(&mesh, &[face(1, 1)]).unwrap().unwrap();
    assert_eq!((single.nodes.len(), single.boundary.len()), (mesh.nodes.len(), mesh.boundary.len()));
    let four = open(&mesh, &[face(1, 1), face(2, 1), face(1, 2), face(2, 2)]).unwrap().unwrap();
    assert_eq!((four.nodes.len(), four.boundary.len()), (mesh.nodes.len() + 1, mesh.boundary.len() + 8));
    assert_eq!(pieces(&four).len(), 1);
}

#[test]
fn nodes_open_the_faces_between_them() {
    let mesh = block([2, 2, 2]);
    let middle: Vec<u32> = (9..18).collect();
    let opened = open_all(&mesh, &middle, 7).unwrap().unwrap();
    let halves = pieces(&opened);
    assert_eq!(halves.len(), 2);
    for half in &halves {
        assert_eq!(half.boundary.iter().filter(|face| face.surfid == 7).count(), 4);
        assert!((volume(half) - 0.5).abs() < 1e-15);
    }
    assert_eq!(open_all(&mesh, &[0, 1, 2], 7).unwrap(), None);
    assert_eq!(open(&mesh, &[opening(&[0, 1, 4, 3])]).unwrap(), None, "a face of the boundary is no inner one");
}
