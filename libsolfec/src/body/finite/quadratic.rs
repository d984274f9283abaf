//! Straight tetrahedra of second order: points of integration, masses of nodes, stress (docs/theory.md 3).

use crate::body::kirchhoff::Kirchhoff;
use crate::math::{Mat3, Vec3};
use crate::meshdata::second_order::{in_group, shape_gradients, NODES};

/// Barycentric coordinates of Hammer's four points, which integrate quadratic functions exactly (Hammer, Marlowe and
/// Stroud 1956).
const FAR: f64 = 0.138_196_601_125_010_5;
const NEAR: f64 = 1.0 - 3.0 * FAR;

/// Parts of the mass of an element that its nodes have: in proportion to the diagonal of the consistent mass (Hinton, Rock
/// and Zienkiewicz 1976), `∫ Nₐ² dV`, V/70 of corners and 8 V/105 of edges. Sums of the rows would be negative at corners.
pub const SHARES: [f64; NODES] = {
    let (corner, edge) = (1.0 / 36.0, 4.0 / 27.0);
    [corner, corner, corner, corner, edge, edge, edge, edge, edge, edge]
};

/// Barycentric coordinates and volumes [m³] of the points of integration.
pub fn points(corners: &[Vec3; 4]) -> [([f64; 4], f64); 4] {
    let volume = edges(corners).determinant() / 6.0;
    std::array::from_fn(|q| (std::array::from_fn(|k| if k == q { NEAR } else { FAR }), 0.25 * volume))
}

/// Gradients of the ten shape functions [1/m] at barycentric coordinates.
pub fn gradients(corners: &[Vec3; 4], l: &[f64; 4]) -> [Vec3; NODES] {
    let inverse = edges(corners).try_inverse().unwrap_or(Mat3::repeat(f64::NAN));
    let row = |k: usize| Vec3::from(inverse.row(k).transpose());
    let [b, c, d] = [row(0), row(1), row(2)];
    shape_gradients(l, &[-(b + c + d), b, c, d])
}

/// Edges from the first corner as columns.
fn edges([a, b, c, d]: &[Vec3; 4]) -> Mat3 {
    Mat3::from_columns(&[b - a, c - a, d - a])
}

/// Deformation gradient and second stress [Pa] at natural coordinates of a part of an element whose nodes were at `then`
/// and are at `now`.
pub fn quadratic_stress(
    law: &Kirchhoff,
    then: &[Vec3; NODES],
    now: &[Vec3; NODES],
    part: usize,
    natural: &Vec3,
) -> (Mat3, Mat3) {
    let corners = std::array::from_fn(|k| then[k]);
    let gradients = gradients(&corners, &in_group(part, natural));
    let f: Mat3 = now.iter().zip(&gradients).map(|(x, g)| x * g.transpose()).sum();
    (f, law.second_stress(&f))
}
