//! Meshes and surfaces that the tests send through files.

use std::collections::BTreeMap;

use solfec::math::Vec3;
use solfec::meshdata::{face_key, outer_faces, positive, seen_faces, FaceKey};
use solfec::shape::{Mesh, RawElement, RawMesh};
use solfec_formats::meshes::{MeshFile, Part, Set, SetKind};

/// Two hexahedra, a pyramid on one, a tetrahedron on the pyramid, a wedge beside the other: volume ids 5, 6 and 7, surface
/// ids 1 to 4 on some of the boundary faces. Coordinates have no short decimals.
pub fn mixed() -> RawMesh {
    let third = 1.0 / 3.0;
    let grid = |x: f64, y: f64, z: f64| Vec3::new(x * third, y * third, z * third);
    let mut nodes = Vec::new();
    for z in [0.0, 1.0] {
        for y in [0.0, 1.0] {
            nodes.extend([0.0, 1.0, 2.0].map(|x| grid(x, y, z)));
        }
    }
    nodes.extend([grid(0.5, 0.5, 1.5), grid(0.5, -0.5, 1.4), grid(3.0, 0.5, 0.0), grid(3.0, 0.5, 1.0)]);
    let lists: [&[u32]; 5] = [
        &[0, 1, 4, 3, 6, 7, 10, 9],
        &[1, 2, 5, 4, 7, 8, 11, 10],
        &[6, 7, 10, 9, 12],
        &[6, 7, 12, 13],
        &[2, 14, 5, 8, 15, 11],
    ];
    let volids = [5, 5, 6, 7, 5];
    let element = |(list, volid): (&[u32], i32)| positive(&RawElement::new(list, volid).unwrap(), &nodes);
    let elements: Vec<RawElement> = lists.into_iter().zip(volids).map(element).collect();
    let mut mesh = RawMesh { nodes, elements, ..RawMesh::default() };
    let outer = outer_faces(&mesh).into_iter().enumerate().filter(|(k, _)| k % 5 != 4);
    mesh.faces = outer.map(|(k, face)| (face.nodes, (k % 5) as i32 + 1)).collect();
    mesh
}

/// The mixed mesh as a part with a name and sets.
pub fn part() -> Part {
    let set = |kind, name: &str, rows: &[u32]| Set { kind, name: name.into(), rows: rows.to_vec() };
    let sets = vec![
        set(SetKind::Nodes, "corner nodes", &[0, 2, 14]),
        set(SetKind::Elements, "upper", &[2, 3]),
        set(SetKind::Faces, "load", &[1, 4, 6]),
    ];
    Part { name: "STEM".into(), mesh: mixed(), sets }
}

/// Only tetrahedra: a block of twelve, cut from hexahedra along the diagonals of their least nodes.
pub fn tetrahedra() -> RawMesh {
    let corners = [[0, 0, 0], [1, 0, 0], [1, 1, 0], [0, 1, 0], [0, 0, 1], [1, 0, 1], [1, 1, 1], [0, 1, 1]];
    let corners = corners.map(|x: [i32; 3]| Vec3::from(x.map(|x| f64::from(x) / 3.0)));
    let block = Mesh::hex(&corners, [2, 1, 1], 4, &[1; 6], [None; 3]).unwrap();
    let mut mesh = RawMesh { nodes: block.nodes.clone(), ..RawMesh::default() };
    for (element, volid) in block.elements.iter().zip([4, 9]) {
        for four in element.tetrahedra() {
            let nodes = four.map(|i| element.nodes()[usize::from(i)]);
            mesh.elements.push(RawElement::new(&nodes, volid).unwrap());
        }
    }
    mesh.faces = outer_faces(&mesh).into_iter().enumerate().map(|(k, face)| (face.nodes, k as i32 % 3)).collect();
    mesh
}

/// A closed surface of triangles, quadrilaterals and a pentagon: the mixed mesh seen from outside has the first two.
pub fn surface() -> RawMesh {
    let ring = |z: f64| {
        (0..5).map(move |k| {
            let angle = f64::from(k) * 0.4 * std::f64::consts::PI;
            Vec3::new(angle.cos(), angle.sin(), z)
        })
    };
    let mut nodes: Vec<Vec3> = ring(0.0).chain(ring(1.0)).collect();
    nodes.push(Vec3::new(0.0, 0.0, 1.7));
    let mut faces = vec![(vec![4, 3, 2, 1, 0], 1)];
    for k in 0..5 {
        let next = (k + 1) % 5;
        faces.push((vec![k, next, next + 5, k + 5], 2));
        faces.push((vec![k + 5, next + 5, 10], 3));
    }
    RawMesh { nodes, faces, ..RawMesh::default() }
}

pub fn file(part: Part) -> MeshFile {
    MeshFile::of(vec![part])
}

/// Surface ids of boundary faces, those without included.
pub fn ids(mesh: &RawMesh) -> BTreeMap<FaceKey, i32> {
    seen_faces(mesh).into_iter().map(|(nodes, id)| (face_key(&nodes).unwrap(), id)).collect()
}

/// Nodes, elements with their order and ids, and surface ids are the same.
pub fn assert_same(found: &RawMesh, wanted: &RawMesh, what: &str) {
    assert_eq!(found.nodes, wanted.nodes, "{what}: nodes");
    assert_eq!(found.elements, wanted.elements, "{what}: elements");
    assert_eq!(ids(found), ids(wanted), "{what}: surface ids");
}
