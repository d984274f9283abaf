//! Bodies: rigid, pseudo-rigid, obstacles; their configuration, velocity, inverse inertia, time integration, energies.
//!
//! [`Bodies`] holds one column set for each kind and a table that maps the dense body index (rows in order of id) to a
//! slot of its set. A step calls `begin` (half drift, free velocity), lets others solve, then `finish`. No body knows a
//! solver; a body sees reactions only as one [`Resultant`].

use crate::math::{Mat3, Vec3};

/// Affine motion of a body: `x(X) = x + F (X − X0)`; `F` is the rotation of a rigid body.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Motion {
    pub f: Mat3,
    pub x: Vec3,
    pub x0: Vec3,
}

impl Motion {
    /// Current place of the reference point.
    pub fn point(&self, reference: &Vec3) -> Vec3 {
        self.x + self.f * (reference - self.x0)
    }
}

/// A rigid velocity field about the current mass centre, both spatial [m/s], [rad/s].
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Twist {
    pub linear: Vec3,
    pub angular: Vec3,
}

/// Reactions on one body, averaged over the step. Rigid: force and torque about the mid-step mass centre (spatial).
/// Pseudo-rigid: force and the 3×3 moment `Σ force ⊗ A` conjugate to `Ḟ`.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Resultant {
    pub force: Vec3,
    pub torque: Vec3,
    pub moment: Mat3,
}

/// Energies of a body [J] in the order of all files: kinetic, internal, external, contact, friction, dissipated.
pub type Energies = [f64; 6];
