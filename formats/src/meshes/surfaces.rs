//! What the formats of surfaces have in common: the faces that they write, and triangles.

use solfec::meshdata;
use solfec::shape::RawMesh;

use super::{MeshFile, Part};
use crate::error::{Error, Result};

/// The faces of a part as seen from outside, with their surface ids: its polygons, or the boundary of its elements.
pub(super) fn surface(part: &Part) -> RawMesh {
    let mesh = &part.mesh;
    if mesh.elements.is_empty() {
        return mesh.clone();
    }
    let mut surface = RawMesh { nodes: mesh.nodes.clone(), faces: meshdata::seen_faces(mesh), ..RawMesh::default() };
    meshdata::compact(&mut surface);
    surface
}

/// A surface and the name of its part.
pub(super) type Named = (String, RawMesh);

/// Surfaces of all parts, with their names, and remarks about what is lost.
pub(super) fn surfaces(file: &MeshFile, format: &str) -> Result<(Vec<Named>, Vec<String>)> {
    let elements: usize = file.parts.iter().map(|part| part.mesh.elements.len()).sum();
    let mut remarks = Vec::new();
    if elements > 0 {
        remarks.push(format!("{format} holds surfaces only: the boundary of {elements} elements is written"));
    }
    let all: Vec<Named> = file.parts.iter().map(|part| (part.name.clone(), surface(part))).collect();
    match all.iter().all(|(_, mesh)| mesh.faces.is_empty()) {
        true => Err(Error::Format(format!("there are no faces to be written as {format}"))),
        false => Ok((all, remarks)),
    }
}

/// The id in a name such as `SURFACE_7`.
pub(super) fn surface_number(name: &str) -> Option<i32> {
    name.strip_prefix("SURFACE_")?.parse().ok()
}
