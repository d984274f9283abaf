//! Materials of parts of a body: by volume ids of its shapes, in place of the material of the body.

use super::mass::{characteristics, characteristics_of_parts};
use super::{outline, BodyKind, BodyRow, Characteristics, Model};
use crate::material::BulkMaterial;
use crate::shape::{Geometry, Integrals, Mesh, Shape};
use crate::{Error, Result};

impl BodyRow {
    /// Row of the bulk material of a volume id.
    pub fn material_of(&self, volid: i32) -> u32 {
        let own = self.volumes.binary_search_by_key(&volid, |(id, _)| *id);
        own.map_or(self.material, |at| self.volumes[at].1)
    }

    /// Rows of all bulk materials that it names.
    pub fn materials(&self) -> impl Iterator<Item = u32> + '_ {
        [self.material].into_iter().chain(self.volumes.iter().map(|(_, material)| *material))
    }
}

impl Model {
    /// Gives the parts of body `id` that have this volume id a bulk material (row of [`Model::bulk`]) of their own; its
    /// mass, centre and tensor follow from all parts anew. Points of a rigid or pseudo-rigid body stay where they are,
    /// as fast as they are.
    ///
    /// # Errors
    /// After the first RUN; an unknown body or material; no part with this volume id; finite elements in a background
    /// mesh; a density that is not positive.
    pub fn set_material_of(&mut self, id: u64, volid: i32, material: u32) -> Result<()> {
        if self.started() {
            let text = "the analysis has begun; give volumes their material before the first RUN";
            return Err(Error::input(format!("body {id}: {text}")));
        }
        let row = self.row_of(id)?;
        let mut body = self.bodies[row].clone();
        let wrong = |body: &BodyRow, text: String| Err(Error::input(format!("{}: {text}", body.title())));
        let shapes: Vec<Shape> = self.all_shapes_of(&body).collect();
        if outline(body.kind, &shapes).1.is_some() {
            let text =
                "the elements of its background mesh have the material of the body; use a body whose shape is a MESH";
            return wrong(&body, text.into());
        }
        if body.samples.is_some() || self.bulk.get(material as usize).is_some_and(|of| of.varying.any()) {
            let text =
                "a material that varies is that of a whole body; make a body for each material, or give one FIELD";
            return wrong(&body, text.into());
        }
        let mut known: Vec<i32> = shapes.iter().flat_map(volids).collect();
        known.sort_unstable();
        known.dedup();
        if known.binary_search(&volid).is_err() {
            let first: Vec<String> = known.iter().take(8).map(i32::to_string).collect();
            let dots = if known.len() > first.len() { ", ..." } else { "" };
            let text = format!("no part of its shape has volume id {volid}; it has {}{dots}", first.join(", "));
            return wrong(&body, text);
        }
        match body.volumes.binary_search_by_key(&volid, |(id, _)| *id) {
            Ok(at) => body.volumes[at].1 = material,
            Err(at) => body.volumes.insert(at, (volid, material)),
        }
        body.set_characteristics(characteristics_by_volume(&body, &shapes, &self.bulk)?);
        self.bodies[row] = body;
        Ok(())
    }
}

/// Mass properties of a body whose parts have the densities of their materials, rows of `bulk`.
///
/// # Errors
/// A material that does not exist; as [`characteristics`].
pub fn characteristics_by_volume(body: &BodyRow, shapes: &[Shape], bulk: &[BulkMaterial]) -> Result<Characteristics> {
    let density = |row: u32| {
        let missing = || Error::input(format!("{}: its bulk material of row {row} does not exist", body.title()));
        bulk.get(row as usize).map(|material| material.density).ok_or_else(missing)
    };
    if body.volumes.is_empty() || body.kind == BodyKind::FiniteElement && outline(body.kind, shapes).1.is_some() {
        return characteristics(shapes, density(body.material)?, body.kind);
    }
    let mut parts = Vec::new();
    for shape in shapes {
        for (volid, integrals) in integrals_by_volume(shape) {
            parts.push((density(body.material_of(volid))?, integrals));
        }
    }
    characteristics_of_parts(&parts, body.kind)
}

/// Volume ids of a shape; those of a mesh are repeated.
fn volids(shape: &Shape) -> Vec<i32> {
    match &*shape.geometry {
        Geometry::Convex(convex) => vec![convex.volid],
        Geometry::Sphere(sphere) => vec![sphere.volid],
        Geometry::Ellipsoid(ellipsoid) => vec![ellipsoid.volid],
        Geometry::Mesh(mesh) => mesh.elements.iter().map(|element| element.volid).collect(),
    }
}

/// Integrals of the parts of a shape that have the same volume id; ids ascend.
fn integrals_by_volume(shape: &Shape) -> Vec<(i32, Integrals)> {
    let mut ids = volids(shape);
    ids.sort_unstable();
    ids.dedup();
    match &*shape.geometry {
        Geometry::Mesh(mesh) => ids.into_iter().map(|volid| (volid, integrals_of(mesh, volid, shape))).collect(),
        Geometry::Convex(_) | Geometry::Sphere(_) | Geometry::Ellipsoid(_) => {
            ids.into_iter().map(|volid| (volid, shape.integrals())).collect()
        }
    }
}

/// Integrals of the elements of a volume id, where the shape is.
fn integrals_of(mesh: &Mesh, volid: i32, shape: &Shape) -> Integrals {
    let elements = mesh.elements.iter().filter(|element| element.volid == volid).cloned().collect();
    let part = Mesh { nodes: mesh.nodes.clone(), elements, boundary: Vec::new() };
    part.integrals().placed(&shape.rotation, &shape.shift)
}
