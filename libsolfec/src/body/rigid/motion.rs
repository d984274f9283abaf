//! Time integration of one rigid body: half the motion with the old velocity, half with the new one. The rotation
//! update conserves the angular momentum in one of three ways (Koziara and Bićanić 2009).

use super::inertia::RigidInertia;
use crate::body::checks::ROTATION_DEFECT;
use crate::body::{Energies, Twist, EXTERNAL};
use crate::math::{exp_map, orthogonality_defect, polar_rotation, right_jacobian, skew, Mat3, Vec3};
use crate::model::Scheme;
use crate::stepping::Stepping;

/// Residual of the implicit rotation update, relative to the momentum, at which it is solved.
const NEWTON_TOLERANCE: f64 = 16.0 * f64::EPSILON;
/// A residual that has stopped to decrease below this is round-off of large data, not divergence.
const NEWTON_FLOOR: f64 = 1e-12;
const NEWTON_STEPS: usize = 20;

/// Configuration and velocity of a rigid body or obstacle.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct RigidState {
    pub rot: Mat3,
    /// Mass centre.
    pub x: Vec3,
    /// Referential angular velocity [rad/s].
    pub omega: Vec3,
    pub v: Vec3,
}

impl RigidState {
    pub fn at_rest(x0: Vec3) -> Self {
        RigidState { rot: Mat3::identity(), x: x0, omega: Vec3::zeros(), v: Vec3::zeros() }
    }

    /// Spatial twist about the mass centre.
    pub fn twist(&self) -> Twist {
        Twist { linear: self.v, angular: self.rot * self.omega }
    }
}

/// What a step carries from its begin to `finish`. Until `finish` the state holds the velocity of time t.
#[derive(Debug, Clone, Copy)]
pub struct RigidStep {
    pub free_omega: Vec3,
    pub free_v: Vec3,
    /// Angular momentum `a` in the mid-step frame.
    pub momentum: Vec3,
    /// Applied force (spatial) and torque (referential).
    pub force: Vec3,
    pub torque: Vec3,
    /// Spatial `R J⁻¹ Rᵀ`.
    pub inverse_inertia: Mat3,
    /// The implicit rotation update did not converge and RIG_NEG took its place.
    pub fell_back: bool,
}

impl RigidStep {
    pub fn new() -> Self {
        RigidStep {
            free_omega: Vec3::zeros(),
            free_v: Vec3::zeros(),
            momentum: Vec3::zeros(),
            force: Vec3::zeros(),
            torque: Vec3::zeros(),
            inverse_inertia: Mat3::zeros(),
            fell_back: false,
        }
    }
}

/// A force at the mass centre and a torque about it.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Wrench {
    /// Spatial.
    pub force: Vec3,
    pub torque: Vec3,
    /// Referential.
    pub convected_torque: Vec3,
}

/// First part of the motion, over the time `before`; `momentum` becomes `Dᵀ J Ω`.
pub fn drift(before: f64, inertia: &RigidInertia, start: &RigidState, step: &mut RigidStep) -> RigidState {
    let mut state = *start;
    if before == 0.0 {
        return state;
    }
    state.x += state.v * before;
    if inertia.frozen {
        return state;
    }
    if state.omega == Vec3::zeros() {
        step.momentum = Vec3::zeros();
        return state;
    }
    let turn = exp_map(&(state.omega * before));
    step.momentum = turn.tr_mul(&(inertia.tensor * state.omega));
    state.rot *= turn;
    state
}

pub fn collect_loads(inertia: &RigidInertia, state: &RigidState, step: &mut RigidStep, gravity: &Vec3, load: &Wrench) {
    if inertia.obstacle {
        return;
    }
    step.force = gravity * inertia.mass + load.force;
    step.torque = load.convected_torque + state.rot.tr_mul(&load.torque);
}

/// Predicted velocity, with the gyroscopic torque estimated at mid-step.
pub fn free_velocity(h: f64, inertia: &RigidInertia, state: &RigidState, step: &mut RigidStep) {
    step.free_v = state.v + step.force * (h / inertia.mass);
    if inertia.frozen {
        step.free_omega = Vec3::zeros();
        return;
    }
    let middle = inertia.inverse * (step.momentum + step.torque * (0.5 * h));
    let gyroscopic = middle.cross(&(inertia.tensor * middle));
    step.free_omega = state.omega + inertia.inverse * (step.torque - gyroscopic) * h;
    step.momentum += step.torque * h;
}

/// The same where velocities do not persist.
pub fn free_increment(h: f64, inertia: &RigidInertia, step: &mut RigidStep) {
    step.free_v = step.force * (h / inertia.mass);
    step.free_omega = inertia.inverse_action(&step.torque) * h;
}

/// Velocity with reactions, rest of the motion, external work.
pub fn finish(
    h: f64,
    stepping: &Stepping,
    inertia: &RigidInertia,
    state: &mut RigidState,
    step: &mut RigidStep,
    reaction: &Wrench,
    work: &mut Energies,
) {
    if stepping.inertial {
        finish_step(h, stepping.after * h, inertia, state, step, reaction, work);
    } else {
        finish_increment(h, inertia, state, step, reaction);
    }
}

/// Velocity with reactions, second part of the motion over the time `after`, external work.
fn finish_step(
    h: f64,
    after: f64,
    inertia: &RigidInertia,
    state: &mut RigidState,
    step: &mut RigidStep,
    reaction: &Wrench,
    work: &mut Energies,
) {
    let (v, omega) = (state.v, state.omega);
    state.v = step.free_v + reaction.force * (h / inertia.mass);
    state.x += state.v * after;
    step.fell_back = false;
    let mut torque = Vec3::zeros();
    if !inertia.frozen {
        torque = state.rot.tr_mul(&reaction.torque);
        let rate = step.free_omega + inertia.inverse * torque * h;
        step.momentum += torque * h;
        finish_rotation(after, inertia, state, step, rate);
    }
    if !inertia.obstacle {
        let linear = (v + state.v).dot(&(step.force + reaction.force));
        let angular = (omega + state.omega).dot(&(step.torque + torque));
        work[EXTERNAL] += 0.5 * h * (linear + angular);
    }
}

/// The rest of the turn from the predicted rate, over the time `after`.
fn finish_rotation(after: f64, inertia: &RigidInertia, state: &mut RigidState, step: &mut RigidStep, rate: Vec3) {
    if rate == Vec3::zeros() && step.momentum == Vec3::zeros() {
        (state.omega, step.fell_back) = (Vec3::zeros(), false);
        return;
    }
    let implicit = (inertia.scheme == Scheme::RigImp).then(|| implicit_rate(after, inertia, &step.momentum, rate));
    if let Some(Some(omega)) = implicit {
        state.omega = omega;
        turn(state, &exp_map(&(omega * after)));
        return;
    }
    step.fell_back = implicit.is_some();
    let rest = exp_map(&(rate * after));
    state.omega = if inertia.scheme == Scheme::RigPos { rate } else { inertia.inverse * rest.tr_mul(&step.momentum) };
    turn(state, &rest);
}

/// Turns the body, and makes its rotation orthogonal again where rounding has added up.
fn turn(state: &mut RigidState, by: &Mat3) {
    state.rot *= by;
    if orthogonality_defect(&state.rot) > ROTATION_DEFECT {
        state.rot = polar_rotation(&state.rot).unwrap_or(state.rot);
    }
}

/// Root of `J Ω = exp(Ω after)ᵀ a` by Newton's method from `rate`; `None` if it does not converge.
fn implicit_rate(after: f64, inertia: &RigidInertia, a: &Vec3, rate: Vec3) -> Option<Vec3> {
    let scale = a.amax();
    let mut omega = rate;
    let mut last = f64::INFINITY;
    for _ in 0..NEWTON_STEPS {
        let w = omega * after;
        let momentum = inertia.tensor * omega;
        let residual = momentum - exp_map(&w).tr_mul(a);
        let size = residual.amax();
        if size <= NEWTON_TOLERANCE * scale || (size >= last && size <= NEWTON_FLOOR * scale) {
            return Some(omega);
        }
        last = size;
        let tangent = inertia.tensor - skew(&momentum) * right_jacobian(&w) * after;
        omega -= tangent.try_inverse()? * residual;
    }
    None
}

/// The whole motion of a quasi-static increment.
fn finish_increment(h: f64, inertia: &RigidInertia, state: &mut RigidState, step: &mut RigidStep, reaction: &Wrench) {
    let torque = state.rot.tr_mul(&reaction.torque);
    state.v = step.free_v + reaction.force * (h / inertia.mass);
    state.omega = step.free_omega + inertia.inverse_action(&torque) * h;
    state.x += state.v * h;
    turn(state, &exp_map(&(state.omega * h)));
}
