//! Inverse inertia and velocities of a body in a step, in one of three forms.

use std::sync::Arc;

use serde::{Deserialize, Serialize};

use super::nodes::{Axes, NodalResponse};
use super::MaterialPoint;
use crate::math::{by_rows, from_rows, Mat3, Mat9, Vec3};

/// A rigid velocity field about the current mass centre, both spatial [m/s], [rad/s].
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Twist {
    pub linear: Vec3,
    pub angular: Vec3,
}

impl Twist {
    pub fn zero() -> Self {
        Twist { linear: Vec3::zeros(), angular: Vec3::zeros() }
    }
}

/// An affine velocity field `v(X) = v + Ḟ (X − X0)` [1/s], [m/s].
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct AffineRate {
    pub fdot: Mat3,
    pub v: Vec3,
}

impl AffineRate {
    pub fn zero() -> Self {
        AffineRate { fdot: Mat3::zeros(), v: Vec3::zeros() }
    }
}

/// Inverse of the operator that acts on `Ḟ` [1/(kg m²)].
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub enum AffineInverse {
    /// Explicit schemes: each row of `F` by the inverse Euler tensor.
    Rows(Mat3),
    /// Implicit schemes: symmetric, on tensors taken row by row.
    Full(Box<Mat9>),
}

impl AffineInverse {
    /// The rate `A⁻¹ G` of a moment `G` conjugate to `Ḟ`.
    pub fn apply(&self, g: &Mat3) -> Mat3 {
        match self {
            AffineInverse::Rows(inverse) => g * inverse,
            AffineInverse::Full(inverse) => from_rows(&(**inverse * by_rows(g))),
        }
    }

    pub(super) fn set_full(&mut self, inverse: Mat9) {
        match self {
            AffineInverse::Full(place) => **place = inverse,
            AffineInverse::Rows(_) => *self = AffineInverse::Full(Box::new(inverse)),
        }
    }
}

/// How a body answers to forces in a step. `free` is the velocity of t+h without reactions, `previous` the velocity of
/// t (zero where velocities do not persist), both as fields on the configuration of detection.
#[derive(Clone, Copy)]
pub enum Inertia<'a> {
    /// Six numbers about the mass centre.
    Rigid {
        /// [1/kg]; 0 for a body that does not move in translation.
        inverse_mass: f64,
        /// Spatial `R J⁻¹ Rᵀ` [1/(kg m²)]; zero when rotation is disabled.
        inverse_inertia: Mat3,
        free: Twist,
        previous: Twist,
    },
    /// Twelve numbers about the mass centre.
    Affine { inverse_mass: f64, inverse: &'a AffineInverse, free: AffineRate, previous: AffineRate },
    /// Any number of unknowns, seen through the points where constraints act.
    Condensed(&'a dyn Condensed),
}

/// A body that answers for its own points: the unknowns stay inside.
pub trait Condensed: Sync {
    /// Spatial velocities of t+h without reactions [m/s].
    fn free(&self, points: &[MaterialPoint], out: &mut [Vec3]);
    /// Spatial velocities of t [m/s].
    fn previous(&self, points: &[MaterialPoint], out: &mut [Vec3]);
    /// The blocks of `H A⁻¹ Hᵀ`: velocity at point i of a unit impulse at point j, spatial, n×n blocks by rows [1/kg].
    /// Symmetric bit for bit.
    fn compliance(&self, points: &[MaterialPoint], out: &mut [Mat3]);
    /// The same by way of the body's nodes, where these are fewer than numbers of points or known anyway; false, and
    /// nothing in `out`, where the body has none. `axes`: those that matter at each point.
    fn nodal(&self, _points: &[MaterialPoint], _axes: &[Axes], _out: &mut NodalResponse) -> bool {
        false
    }
    /// The sparse matrices behind the compliance, for methods that factorise in the space of velocities; `None` where
    /// the body does not show them.
    fn sparse(&self, _points: &[MaterialPoint]) -> Option<SparseInertia> {
        None
    }
}

/// A block at a row and a column, both in blocks of three.
pub type Entry = (u32, u32, Mat3);

/// The matrix `A` of a body's equations of motion and the interpolation `H` of its points. Entries of one place add up.
#[derive(Debug, Clone, PartialEq)]
pub struct SparseInertia {
    /// Blocks of velocities: rows and columns of `A`.
    pub velocities: u32,
    /// `A` [kg], symmetric positive definite, both triangles; shared, as it outlives a step.
    pub mass: Arc<[Entry]>,
    /// `H`: rows are points, ascending, and columns are velocities.
    pub gather: Vec<Entry>,
}
