//! Time integration of one pseudo-rigid body, explicit or by an implicit midpoint rule linearised once a step.

use super::inertia::PseudoInertia;
use crate::body::{AffineInverse, AffineRate, Energies, DISSIPATED, EXTERNAL};
use crate::math::{Mat3, Mat9, Vec3};
use crate::model::Scheme;
use crate::stepping::Stepping;

/// A principal stretch below this is outside the range of the material law: there the stiffness in compression
/// vanishes.
const LEAST_STRETCH: f64 = 0.65;

/// Configuration and velocity of a pseudo-rigid body.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct PseudoState {
    pub f: Mat3,
    /// Mass centre.
    pub x: Vec3,
    pub rate: AffineRate,
}

impl PseudoState {
    pub fn at_rest(x0: Vec3) -> Self {
        PseudoState { f: Mat3::identity(), x: x0, rate: AffineRate::zero() }
    }
}

/// What a step carries from its begin to `finish`. Until `finish` the state holds the velocity of time t.
#[derive(Debug, Clone)]
pub struct PseudoStep {
    pub free: AffineRate,
    pub inverse: AffineInverse,
    /// Applied force and moment.
    force: Vec3,
    moment: Mat3,
    /// The implicit operator was not positive definite with the full geometric stiffness.
    pub indefinite: bool,
    /// A principal stretch is below [`LEAST_STRETCH`].
    pub crushed: bool,
}

impl PseudoStep {
    pub fn new(inertia: &PseudoInertia) -> Self {
        PseudoStep {
            free: AffineRate::zero(),
            inverse: AffineInverse::Rows(inertia.euler_inverse),
            force: Vec3::zeros(),
            moment: Mat3::zeros(),
            indefinite: false,
            crushed: false,
        }
    }
}

/// A spatial force at the mass centre and the moment `Σ force ⊗ A` conjugate to `Ḟ`.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Moment {
    pub force: Vec3,
    pub moment: Mat3,
}

/// First part of the motion, over the time `before`.
pub fn drift(before: f64, start: &PseudoState) -> PseudoState {
    let mut state = *start;
    if before != 0.0 {
        state.x += state.rate.v * before;
        state.f += state.rate.fdot * before;
    }
    state
}

/// Inverse of the implicit operator at the current `F`. Strong compression can make it indefinite: then only the
/// positive semidefinite part of the geometric stiffness is kept.
pub fn update_inverse(
    h: f64,
    stepping: &Stepping,
    inertia: &PseudoInertia,
    state: &PseudoState,
    step: &mut PseudoStep,
) {
    if stepping.inertial && inertia.scheme != Scheme::DefLim {
        step.inverse = AffineInverse::Rows(inertia.euler_inverse);
        step.indefinite = false;
        return;
    }
    let (viscous, elastic) = if stepping.inertial { (0.5 * inertia.damping * h, 0.25 * h * h) } else { (0.0, h * h) };
    let scale = viscous + elastic;
    // Stresses have no part in the damping.
    let stress = inertia.law.second_stress(&state.f) * (elastic / scale);
    let mut factor = inertia.operator(&state.f, &stress, scale).cholesky();
    step.indefinite = factor.is_none();
    if factor.is_none() {
        factor = inertia.operator(&state.f, &positive_part(&stress), scale).cholesky();
    }
    // No factor at all means a state that is not finite: the free velocity must say so.
    let inverse = factor.map_or(Mat9::repeat(f64::NAN), |f| f.inverse());
    step.inverse.set_full((inverse + inverse.transpose()) * 0.5);
}

/// `u_free = u + h A⁻¹ (f_ext − f_int − f_damp)`.
pub fn free_velocity(
    h: f64,
    inertia: &PseudoInertia,
    state: &PseudoState,
    step: &mut PseudoStep,
    previous: &AffineRate,
    gravity: &Vec3,
    load: &Moment,
) {
    step.force = gravity * inertia.mass + load.force;
    step.moment = load.moment;
    let mut moment = step.moment - inertia.law.first_stress(&state.f) * inertia.volume;
    if inertia.damping > 0.0 {
        // The strain rate of the velocity of t: the implicit scheme makes of it that of the mean velocity at mid-step;
        // the explicit one takes it where the velocity is known, so that what turns without strain is not damped.
        let back = if inertia.scheme == Scheme::DefLim { 0.0 } else { 0.5 * h };
        let strained = state.f - previous.fdot * back;
        let viscous = state.f * inertia.law.stress_rate(&strained, &previous.fdot);
        moment -= viscous * (inertia.damping * inertia.volume);
    }
    step.free = AffineRate {
        fdot: previous.fdot + step.inverse.apply(&moment) * h,
        v: previous.v + step.force * (h / inertia.mass),
    };
}

/// Velocity with reactions.
pub fn velocity(h: f64, inertia: &PseudoInertia, step: &PseudoStep, reaction: &Moment) -> AffineRate {
    AffineRate {
        fdot: step.free.fdot + step.inverse.apply(&reaction.moment) * h,
        v: step.free.v + reaction.force * (h / inertia.mass),
    }
}

/// Velocity with reactions, second part of the motion, works.
pub fn finish(
    h: f64,
    stepping: &Stepping,
    inertia: &PseudoInertia,
    state: &mut PseudoState,
    step: &mut PseudoStep,
    reaction: &Moment,
    work: &mut Energies,
) {
    let after = velocity(h, inertia, step, reaction);
    if stepping.inertial {
        record_work(h, inertia, state, step, reaction, &after, work);
    }
    let drift = stepping.after * h;
    state.rate = after;
    state.x += after.v * drift;
    state.f += after.fdot * drift;
    step.crushed = least_stretch(&state.f) < LEAST_STRETCH;
}

/// External work of loads and reactions, and viscous dissipation, over a step whose mid-step state is `state`.
fn record_work(
    h: f64,
    inertia: &PseudoInertia,
    state: &PseudoState,
    step: &PseudoStep,
    reaction: &Moment,
    after: &AffineRate,
    work: &mut Energies,
) {
    let fdot = (state.rate.fdot + after.fdot) * 0.5;
    let v = (state.rate.v + after.v) * 0.5;
    work[EXTERNAL] += h * (v.dot(&(step.force + reaction.force)) + fdot.dot(&(step.moment + reaction.moment)));
    if inertia.damping > 0.0 {
        let viscous = state.f * inertia.law.stress_rate(&state.f, &fdot);
        work[DISSIPATED] += h * inertia.damping * inertia.volume * fdot.dot(&viscous);
    }
}

/// The symmetric tensor without its negative eigenvalues.
fn positive_part(s: &Mat3) -> Mat3 {
    let eigen = s.symmetric_eigen();
    let q = eigen.eigenvectors;
    q * Mat3::from_diagonal(&eigen.eigenvalues.map(|x| x.max(0.0))) * q.transpose()
}

fn least_stretch(f: &Mat3) -> f64 {
    (f.transpose() * f).symmetric_eigenvalues().min().max(0.0).sqrt()
}
