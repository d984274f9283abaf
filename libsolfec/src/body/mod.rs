//! Bodies: rigid, pseudo-rigid, obstacles; their configuration, velocity, inverse inertia, time integration, energies.
//!
//! [`Bodies`] holds one column set for each kind and a table that maps the dense body index (rows in order of id) to a
//! row of its set. A step calls `drift` (half motion to t+h/2), `free_velocity`, lets others solve, then `finish`. No
//! body knows a solver; a body sees reactions only as one [`Resultant`] and shows its inverse inertia as [`Kinetics`].

mod bodies;
mod impose;
mod kirchhoff;
mod pseudo;
mod rigid;
mod state;

pub use bodies::{Bodies, SavedStates};
pub use kirchhoff::{mises, stress, Kirchhoff};
pub use pseudo::{AffineRate, PseudoInverse, PseudoState};
pub use rigid::RigidState;

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

    /// Reference point of a current place; `None` if `F` is singular.
    pub fn reference(&self, point: &Vec3) -> Option<Vec3> {
        Some(self.x0 + self.f.try_inverse()? * (point - self.x))
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

/// Places of [`Energies`].
pub const KINETIC: usize = 0;
pub const INTERNAL: usize = 1;
pub const EXTERNAL: usize = 2;
pub const CONTACT: usize = 3;
pub const FRICTION: usize = 4;
pub const DISSIPATED: usize = 5;

/// Bodies that one thread takes at least.
const GRAIN: usize = 64;

impl Resultant {
    pub fn zero() -> Self {
        Resultant { force: Vec3::zeros(), torque: Vec3::zeros(), moment: Mat3::zeros() }
    }
}

/// A user load on one body, evaluated by the caller at the configuration of t+h/2 and the velocity of t.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Load {
    /// Spatial force at the mass centre.
    pub force: Vec3,
    /// Rigid: spatial torque about the mass centre.
    pub torque: Vec3,
    /// Rigid: referential torque.
    pub convected_torque: Vec3,
    /// Pseudo-rigid: moment conjugate to `Ḟ`.
    pub moment: Mat3,
}

impl Load {
    pub fn zero() -> Self {
        Load { force: Vec3::zeros(), torque: Vec3::zeros(), convected_torque: Vec3::zeros(), moment: Mat3::zeros() }
    }
}

/// What acts on bodies in a step.
#[derive(Debug, Clone, Copy)]
pub struct Environment<'a> {
    /// Gravity [m/s²] at t+h/2 (quasi-static: t+h).
    pub gravity: Vec3,
    /// One load for each body, by dense index.
    pub loads: Option<&'a [Load]>,
}

impl Environment<'_> {
    fn load(&self, body: u32) -> Load {
        self.loads.map_or(Load::zero(), |loads| loads[body as usize])
    }
}

/// Inverse inertia and velocities of a body at mid-step, for the Delassus operator. `free` is the velocity without
/// reactions at t+h, `previous` the velocity of t (zero in quasi-static runs), both as fields at t+h/2.
#[derive(Debug, Clone, Copy)]
pub enum Kinetics<'a> {
    /// For contacts an obstacle has infinite mass; the inverses are what its own user constraints feel.
    Obstacle {
        inverse_mass: f64,
        inverse_inertia: Mat3,
        free: Twist,
        previous: Twist,
    },
    Rigid {
        inverse_mass: f64,
        /// Spatial `R J⁻¹ Rᵀ`, zero when rotation is disabled.
        inverse_inertia: Mat3,
        free: Twist,
        previous: Twist,
    },
    PseudoRigid {
        inverse_mass: f64,
        inverse: &'a PseudoInverse,
        free: AffineRate,
        previous: AffineRate,
    },
}

/// What deserves the user's attention after a step.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Warning {
    /// The implicit rotation update did not converge: RIG_NEG was used in this step. A smaller step helps.
    RotationFallback,
    /// The implicit operator was indefinite: only the positive part of the geometric stiffness was used.
    IndefiniteStiffness,
    /// A principal stretch is below 0.65 (told once): the material law is not safe there.
    Crushed,
}
