//! Parts of meshes.

use super::components::Components;
use crate::shape::{BoundaryFace, Mesh};

/// A mesh of the elements chosen by `keep`, in their order, with the nodes that they have, in their order. Faces that
/// they shared with other elements have the surface id `surfid`.
pub fn extract(mesh: &Mesh, keep: &[bool], surfid: i32) -> Mesh {
    const NONE: u32 = u32::MAX;
    let mut node = vec![NONE; mesh.nodes.len()];
    let mut element = vec![NONE; mesh.elements.len()];
    let chosen = || (0..mesh.elements.len()).filter(|e| keep[*e]);
    for (number, e) in (0..).zip(chosen()) {
        element[e] = number;
        mesh.elements[e].nodes().iter().for_each(|n| node[*n as usize] = 0);
    }
    let mut nodes = Vec::new();
    for (number, x) in node.iter_mut().zip(&mesh.nodes).filter(|(number, _)| **number != NONE) {
        *number = nodes.len() as u32;
        nodes.push(*x);
    }
    let renumbered = |e: usize| {
        let mut copy = mesh.elements[e];
        let count = copy.kind.count();
        copy.nodes[..count].iter_mut().for_each(|n| *n = node[*n as usize]);
        copy
    };
    let outer = mesh.boundary.iter().filter(|face| keep[face.element as usize]).copied();
    let cut = mesh.shared_faces().into_iter().filter_map(|[a, b]| match (keep[a.0 as usize], keep[b.0 as usize]) {
        (true, false) => Some(BoundaryFace { element: a.0, local: a.1, surfid }),
        (false, true) => Some(BoundaryFace { element: b.0, local: b.1, surfid }),
        (true, true) | (false, false) => None,
    });
    let mut boundary: Vec<BoundaryFace> = outer.chain(cut).collect();
    boundary.iter_mut().for_each(|face| face.element = element[face.element as usize]);
    boundary.sort_unstable_by_key(|face| (face.element, face.local));
    Mesh { nodes, elements: chosen().map(renumbered).collect(), boundary }
}

/// The parts of a mesh that hang together by shared faces, in the order of their first elements. A mesh in one piece
/// comes back as it is.
pub fn pieces(mesh: &Mesh) -> Vec<Mesh> {
    let mut sets = Components::new(mesh.elements.len());
    mesh.shared_faces().iter().for_each(|[a, b]| sets.join(a.0, b.0));
    let (number, count) = sets.numbers();
    if count == 1 {
        return vec![mesh.clone()];
    }
    let keep = |piece: usize| number.iter().map(|n| *n as usize == piece).collect::<Vec<bool>>();
    (0..count).map(|piece| extract(mesh, &keep(piece), 0)).collect()
}
