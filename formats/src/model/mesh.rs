//! Boundary faces of meshes: files name them by nodes, the library by element and local face.

use std::collections::HashMap;

use solfec::math::Vec3;
use solfec::shape::{BoundaryFace, Element, ElementKind, Mesh};

/// Local face tables, counter-clockwise from outside (geometry-and-contact.md 1.4).
fn faces(kind: ElementKind) -> &'static [&'static [u8]] {
    match kind {
        ElementKind::Tet => &[&[0, 2, 1], &[0, 1, 3], &[1, 2, 3], &[2, 0, 3]],
        ElementKind::Pyramid => &[&[0, 3, 2, 1], &[0, 1, 4], &[1, 2, 4], &[2, 3, 4], &[3, 0, 4]],
        ElementKind::Wedge => &[&[0, 2, 1], &[3, 4, 5], &[0, 1, 4, 3], &[1, 2, 5, 4], &[2, 0, 3, 5]],
        ElementKind::Hex => &[
            &[0, 3, 2, 1],
            &[0, 1, 5, 4],
            &[1, 2, 6, 5],
            &[2, 3, 7, 6],
            &[0, 4, 7, 3],
            &[4, 5, 6, 7],
        ],
    }
}

/// Nodes of a local face of an element, −1 in the fourth place of a triangle.
fn nodes_of(element: &Element, local: usize) -> [i32; 4] {
    let mut nodes = [-1; 4];
    for (to, &from) in nodes.iter_mut().zip(faces(element.kind)[local]) {
        *to = element.nodes[from as usize] as i32;
    }
    nodes
}

fn sorted(mut nodes: [i32; 4]) -> [i32; 4] {
    nodes.sort_unstable();
    nodes
}

/// Nodes of the boundary faces of a mesh, in order.
pub(super) fn face_nodes(mesh: &Mesh) -> impl Iterator<Item = [i32; 4]> + '_ {
    let nodes = |f: &BoundaryFace| nodes_of(&mesh.elements[f.element as usize], f.local as usize);
    mesh.boundary.iter().map(nodes)
}

/// A mesh from what a file says of it: listed faces have their own surface ids, the others of the boundary `surfid`.
/// Listed faces inside are ignored; of two entries for a face the first counts.
pub(super) fn assemble(
    nodes: Vec<Vec3>,
    elements: Vec<Element>,
    listed: &[([i32; 4], i32)],
    surfid: i32,
) -> Result<Mesh, String> {
    let mut uses: HashMap<[i32; 4], u32> = HashMap::new();
    for element in &elements {
        for local in 0..faces(element.kind).len() {
            let count = uses.entry(sorted(nodes_of(element, local))).or_default();
            *count += 1;
            if *count > 2 {
                return Err(format!("face {:?} belongs to three elements", nodes_of(element, local)));
            }
        }
    }
    let mut surfids: HashMap<[i32; 4], i32> = HashMap::with_capacity(listed.len());
    for (face, id) in listed {
        surfids.entry(sorted(*face)).or_insert(*id);
    }
    let mut boundary = Vec::new();
    for (e, element) in elements.iter().enumerate() {
        for local in 0..faces(element.kind).len() {
            let key = sorted(nodes_of(element, local));
            if uses[&key] == 1 {
                boundary.push(BoundaryFace {
                    element: e as u32,
                    local: local as u8,
                    surfid: surfids.get(&key).copied().unwrap_or(surfid),
                });
            }
        }
    }
    Ok(Mesh {
        nodes,
        elements,
        boundary,
    })
}
