//! Parts of meshes.

use crate::math::Components;
use crate::shape::{BoundaryFace, Mesh};

/// A mesh of the elements chosen by `keep`, in their order, with the nodes that they have, in their order. Faces that
/// they shared with other elements have the surface id `surfid`.
pub fn extract(mesh: &Mesh, keep: &[bool], surfid: i32) -> Mesh {
    let chosen = |e: u32| keep[e as usize];
    let outer = mesh.boundary.iter().filter(|face| chosen(face.element)).copied();
    let cut = mesh.shared_faces().into_iter().filter_map(|[a, b]| match (chosen(a.0), chosen(b.0)) {
        (true, false) => Some(BoundaryFace { element: a.0, local: a.1, surfid }),
        (false, true) => Some(BoundaryFace { element: b.0, local: b.1, surfid }),
        (true, true) | (false, false) => None,
    });
    let elements: Vec<u32> = (0..mesh.elements.len() as u32).filter(|e| chosen(*e)).collect();
    part(mesh, &elements, outer.chain(cut).collect())
}

/// The parts of a mesh that hang together by shared faces, in the order of their first elements.
pub fn pieces(mesh: &Mesh) -> Vec<Mesh> {
    let mut sets = Components::new(mesh.elements.len());
    mesh.shared_faces().iter().for_each(|[a, b]| sets.join(a.0, b.0));
    let (number, count) = sets.numbers();
    if count == 1 {
        return vec![mesh.clone()];
    }
    let mut parts = vec![(Vec::new(), Vec::new()); count];
    (0..).zip(&number).for_each(|(e, piece)| parts[*piece as usize].0.push(e));
    mesh.boundary.iter().for_each(|face| parts[number[face.element as usize] as usize].1.push(*face));
    parts.into_iter().map(|(elements, boundary)| part(mesh, &elements, boundary)).collect()
}

/// A mesh of some elements, ascending, with these boundary faces of theirs.
fn part(mesh: &Mesh, elements: &[u32], mut boundary: Vec<BoundaryFace>) -> Mesh {
    let old = || elements.iter().map(|e| mesh.elements[*e as usize]);
    let mut used: Vec<u32> = old().flat_map(|element| element.nodes().to_vec()).collect();
    used.sort_unstable();
    used.dedup();
    let place = |of: &[u32], wanted: u32| of.partition_point(|n| *n < wanted) as u32;
    let renumbered = old().map(|mut element| {
        let count = element.kind.count();
        element.nodes[..count].iter_mut().for_each(|n| *n = place(&used, *n));
        element
    });
    let new = renumbered.collect();
    boundary.iter_mut().for_each(|face| face.element = place(elements, face.element));
    boundary.sort_unstable_by_key(|face| (face.element, face.local));
    Mesh { nodes: used.iter().map(|n| mesh.nodes[*n as usize]).collect(), elements: new, boundary }
}
