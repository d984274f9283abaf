//! Whether a point lies in a body.

use crate::contact::boundary_triangles;
use crate::math::Vec3;
use crate::meshdata::Shell;
use crate::model::{BodyRow, Model};
use crate::shape::Shape;

/// Part of the size of a body by which a point may lie outside of it: points are typed with few digits, and a mesh cuts
/// the corners of what is round.
const NEAR: f64 = 1e-3;

/// Whether a point of the reference configuration lies in a body, or in the background mesh that carries it.
pub fn holds(model: &Model, body: &BodyRow, x: &Vec3) -> bool {
    let tolerance = model.settings.epsilon.max(NEAR * body.chars.volume.cbrt());
    model.all_shapes_of(body).any(|shape| shape.contains(x, tolerance))
}

/// How far a point of the reference configuration is from the surface of the meshes of a body [m].
pub fn distance_from(model: &Model, body: &BodyRow, x: &Vec3) -> f64 {
    let shapes: Vec<Shape> = model.all_shapes_of(body).collect();
    Shell::new(shapes.iter().flat_map(boundary_triangles).collect()).distance(x)
}
