//! The order in which Solfec 1.0 lists elements and faces of a mesh (`--compat mesh_order`, docs/compatibility.md).

use solfec::shape::Mesh;

/// Which elements a list begins with.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum First {
    /// Those without a boundary face.
    Inner,
    Boundary,
}

/// The same mesh with its elements in two groups, each in the old order, and the boundary faces from the last to the first.
pub fn in_original_order(mesh: &Mesh, first: First) -> Mesh {
    let mut outer = vec![false; mesh.elements.len()];
    mesh.boundary.iter().for_each(|face| outer[face.element as usize] = true);
    let leads = first == First::Boundary;
    let mut order: Vec<usize> = (0..outer.len()).collect();
    order.sort_by_key(|e| outer[*e] != leads);
    let mut number = vec![0; order.len()];
    (0..).zip(&order).for_each(|(new, old)| number[*old] = new);
    let mut boundary: Vec<_> = mesh.boundary.iter().rev().copied().collect();
    boundary.iter_mut().for_each(|face| face.element = number[face.element as usize]);
    let elements = order.iter().map(|e| mesh.elements[*e]).collect();
    Mesh { nodes: mesh.nodes.clone(), elements, boundary }
}
