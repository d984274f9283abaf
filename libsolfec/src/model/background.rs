//! Bodies of finite elements whose shape is not their mesh: polyhedra in a background mesh, whose nodes carry them.

use super::BodyKind;
use crate::meshdata::{overlay, Common};
use crate::shape::{BoundaryFace, Convex, Mesh, Shape};
use crate::{Error, Result};

/// Largest relative difference of the volume of a shape and that of its parts in the elements of the mesh.
const COVERED: f64 = 1e-3;

/// The shapes of a body of this kind that others see, and its background mesh.
pub fn outline(kind: BodyKind, shapes: &[Shape]) -> (&[Shape], Option<&Shape>) {
    match shapes {
        [outline @ .., last]
            if kind == BodyKind::FiniteElement && !outline.is_empty() && last.geometry.mesh().is_some() =>
        {
            (outline, Some(last))
        }
        _ => (shapes, None),
    }
}

/// What polyhedra have in common with the elements of a mesh; both placed.
///
/// # Errors
/// A shape that is no polyhedron, or a mesh that does not contain the shapes.
pub fn cut_of(shapes: &[Shape], mesh: &Mesh) -> Result<Vec<Common>> {
    let convex = |shape: &Shape| {
        let wrong = || Error::input("its shape must be exactly one MESH, or CONVEX objects only in a background mesh");
        let convex = shape.geometry.convex().ok_or_else(wrong)?;
        Ok(Convex { vertices: shape.vertices(), ..convex.clone() })
    };
    let polyhedra: Vec<Convex> = shapes.iter().map(convex).collect::<Result<_>>()?;
    let common = overlay(mesh, &polyhedra);
    let volume: f64 = shapes.iter().map(|shape| shape.integrals().volume).sum();
    let covered: f64 = common.iter().map(|part| part.volume).sum();
    if (covered - volume).abs() > COVERED * volume {
        return Err(Error::input(format!(
            "its background mesh covers {:.4} of the volume {volume:e} m3 of its shape; use a mesh that contains the \
             shape, without overlapping elements",
            covered / volume
        )));
    }
    Ok(common)
}

/// A background mesh without the elements and nodes in which no part of the shapes lies; both placed.
///
/// # Errors
/// Those of [`cut_of`].
pub fn pruned(shapes: &[Shape], mesh: &Mesh) -> Result<Mesh> {
    let common = cut_of(shapes, mesh)?;
    let mut elements = Vec::new();
    let mut row_of = vec![None; mesh.elements.len()];
    for part in &common {
        let row = &mut row_of[part.element as usize];
        if row.is_none() {
            *row = Some(elements.len() as u32);
            elements.push(mesh.elements[part.element as usize]);
        }
    }
    let mut used = vec![false; mesh.nodes.len()];
    elements.iter().flat_map(|element| element.nodes()).for_each(|&node| used[node as usize] = true);
    let mut nodes = Vec::new();
    let mut number = vec![0; mesh.nodes.len()];
    for (node, x) in mesh.nodes.iter().enumerate().filter(|(node, _)| used[*node]) {
        number[node] = nodes.len() as u32;
        nodes.push(*x);
    }
    for element in &mut elements {
        let count = element.kind.count();
        element.nodes[..count].iter_mut().for_each(|node| *node = number[*node as usize]);
    }
    let face = |face: &BoundaryFace| {
        let nodes = mesh.elements[face.element as usize].face(face.local as usize);
        (nodes.map(|node| number[node as usize]).collect(), face.surfid)
    };
    let kept = mesh.boundary.iter().filter(|face| row_of[face.element as usize].is_some());
    let faces: Vec<(Vec<u32>, i32)> = kept.map(face).collect();
    Ok(Mesh::new(nodes, elements, 0, &faces)?.0)
}
