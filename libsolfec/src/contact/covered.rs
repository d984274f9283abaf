//! Faces between the polyhedra of one body, which other bodies cannot touch: they count as faces inside a mesh.

use std::borrow::Cow;

use super::narrow::{polygon_distance, round_off};
use crate::math::Vec3;
use crate::shape::{ConvexPart, Solid};

/// Opposite normals have at most this cosine.
const OPPOSITE: f64 = -1.0 + 1e-6;

/// The solid, with those faces inside that a face of one of the `others` covers within `epsilon` [m].
pub fn without_covered<'a>(solid: &'a Solid, others: &[&Solid], epsilon: f64) -> Cow<'a, Solid> {
    let covered = |face: usize| others.iter().any(|other| covers(other, solid, face, epsilon));
    let open: Vec<bool> = (0..solid.topology.skin).map(|face| !covered(face)).collect();
    if open.iter().all(|open| *open) {
        return Cow::Borrowed(solid);
    }
    Cow::Owned(solid.with_skin(|face| open[face]))
}

/// The polyhedra among parts.
pub fn polyhedra<'a>(parts: &[&'a ConvexPart], rows: &[u32]) -> Vec<&'a Solid> {
    let polyhedron = |row: &u32| match parts[*row as usize] {
        ConvexPart::Solid(solid) if solid.mesh_nodes.is_empty() => Some(solid),
        ConvexPart::Solid(_) | ConvexPart::Ball { .. } | ConvexPart::Curved(_) => None,
    };
    rows.iter().filter_map(polyhedron).collect()
}

fn covers(other: &Solid, solid: &Solid, face: usize, epsilon: f64) -> bool {
    let corners = corners(solid, face);
    (0..other.topology.faces()).filter(|&g| other.normals[g].dot(&solid.normals[face]) <= OPPOSITE).any(|g| {
        let (n, around) = (&other.normals[g], self::corners(other, g));
        let offset = around.clone().next().map_or(0.0, |x| n.dot(x));
        corners.clone().all(|x| polygon_distance(x, around.clone(), n, offset) <= epsilon.max(round_off(0.0, x)))
    })
}

fn corners(solid: &Solid, face: usize) -> impl Iterator<Item = &Vec3> + Clone {
    solid.topology.face(face).iter().map(|&v| &solid.vertices[v as usize])
}
