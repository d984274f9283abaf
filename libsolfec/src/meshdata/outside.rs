//! Faces of elements that no other element shares, in meshes that need not be valid.

use std::collections::HashMap;

use crate::shape::{ElementKind, RawElement, RawMesh};

/// Node set of a face with at most four corners, ascending; triangles end with `u32::MAX`.
pub type FaceKey = [u32; 4];

/// A face of one element only.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OuterFace {
    pub element: u32,
    /// Row of the face table of the element.
    pub local: u8,
    /// Counter-clockwise seen from outside.
    pub nodes: Vec<u32>,
}

/// The node set of a triangle or quadrilateral; `None` for other polygons.
pub fn face_key(nodes: &[u32]) -> Option<FaceKey> {
    if !(3..=4).contains(&nodes.len()) {
        return None;
    }
    let mut key = [u32::MAX; 4];
    key[..nodes.len()].copy_from_slice(nodes);
    key.sort_unstable();
    Some(key)
}

/// The face table of an element, empty if it is of no kind that has one.
pub fn face_table(element: &RawElement) -> &'static [&'static [u8]] {
    ElementKind::from_count(element.nodes().len()).map_or(&[], ElementKind::faces)
}

/// Faces of one element only, ascending by (element, local face).
pub fn outer_faces(mesh: &RawMesh) -> Vec<OuterFace> {
    let mut all: Vec<(FaceKey, u32, u8)> = Vec::new();
    for (e, element) in (0..).zip(&mesh.elements) {
        for (local, face) in (0..).zip(face_table(element)) {
            all.extend(face_key(&corners(element, face)).map(|key| (key, e, local)));
        }
    }
    all.sort_unstable();
    let alone = all.chunk_by(|a, b| a.0 == b.0).filter(|run| run.len() == 1).map(|run| (run[0].1, run[0].2));
    let mut alone: Vec<(u32, u8)> = alone.collect();
    alone.sort_unstable();
    let face = |(e, local): (u32, u8)| {
        let element = &mesh.elements[e as usize];
        OuterFace { element: e, local, nodes: corners(element, face_table(element)[usize::from(local)]) }
    };
    alone.into_iter().map(face).collect()
}

/// The faces that are seen from outside, counter-clockwise, with their surface ids: the polygons of a surface, or the
/// outer faces of elements, with the id of the first listed face of the same nodes, else that of the mesh.
pub fn seen_faces(mesh: &RawMesh) -> Vec<(Vec<u32>, i32)> {
    if mesh.elements.is_empty() {
        return mesh.faces.clone();
    }
    let listed: HashMap<FaceKey, i32> =
        mesh.faces.iter().rev().filter_map(|(nodes, id)| Some((face_key(nodes)?, *id))).collect();
    let id = |nodes: &[u32]| face_key(nodes).and_then(|key| listed.get(&key).copied()).unwrap_or(mesh.surfid);
    outer_faces(mesh).into_iter().map(|face| (face.nodes.clone(), id(&face.nodes))).collect()
}

fn corners(element: &RawElement, face: &[u8]) -> Vec<u32> {
    face.iter().map(|&i| element.nodes()[usize::from(i)]).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::math::Vec3;

    #[test]
    fn two_hexahedra_have_ten_outer_faces() {
        let element = |nodes: [u32; 8]| RawElement::new(&nodes, 0).unwrap();
        let elements = vec![element([0, 1, 2, 3, 4, 5, 6, 7]), element([4, 5, 6, 7, 8, 9, 10, 11])];
        let mesh = RawMesh { nodes: vec![Vec3::zeros(); 12], elements, ..RawMesh::default() };
        let faces = outer_faces(&mesh);
        assert_eq!(faces.len(), 10);
        assert_eq!(faces[0], OuterFace { element: 0, local: 0, nodes: vec![0, 3, 2, 1] });
        assert!(faces.windows(2).all(|w| (w[0].element, w[0].local) < (w[1].element, w[1].local)));
    }
}
