//! Rigid bodies and obstacles: `x = x_c + R (X − X0)`, `Ṙ = R skew(Ω)` with referential `Ω` (bodies.md 1).

use rayon::prelude::*;

use super::{Energies, Environment, Load, Resultant, Twist, EXTERNAL, GRAIN};
use crate::math::{exp_map, orthogonality_defect, polar_rotation, right_jacobian, skew, Mat3, Vec3};
use crate::model::{Analysis, Scheme};

/// Defect of `RᵀR − I` above which a rotation is brought back to the group (bodies.md 1.4).
pub(super) const ROTATION_DEFECT: f64 = 1e-12;
/// Residual of the implicit rotation update, relative to the momentum, at which it is solved (bodies.md 1.4).
const NEWTON_TOLERANCE: f64 = 16.0 * f64::EPSILON;
/// A residual that has stopped to decrease below this is round-off of large data, not divergence.
const NEWTON_FLOOR: f64 = 1e-12;
const NEWTON_STEPS: usize = 20;

/// What does not change during a step.
#[derive(Debug, Clone, Copy)]
pub(super) struct RigidInertia {
    pub mass: f64,
    pub x0: Vec3,
    /// Referential inertia `J` and its inverse.
    pub tensor: Mat3,
    pub inverse: Mat3,
    pub scheme: Scheme,
    pub obstacle: bool,
    /// `disable_rotation`: no spin and no rotational compliance.
    pub frozen: bool,
}

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

/// What a step carries from `drift` to `finish`. Until `finish` the state holds the velocity of time t.
#[derive(Debug, Clone, Copy)]
pub(super) struct RigidStep {
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
    fn new() -> Self {
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

impl RigidState {
    /// Spatial twist about the mass centre.
    pub fn twist(&self) -> Twist {
        Twist { linear: self.v, angular: self.rot * self.omega }
    }

    pub(super) fn is_finite(&self) -> bool {
        let entries = self.rot.iter().chain(&self.x).chain(&self.omega).chain(&self.v);
        entries.copied().all(f64::is_finite)
    }
}

/// Columns of all rigid bodies and obstacles, rows in order of id.
#[derive(Debug, Clone, Default)]
pub(super) struct RigidSet {
    /// Dense body index.
    pub body: Vec<u32>,
    pub inertia: Vec<RigidInertia>,
    pub state: Vec<RigidState>,
    pub step: Vec<RigidStep>,
    /// Accumulated works; kinetic and internal energy are functions of the state.
    pub work: Vec<Energies>,
}

impl RigidSet {
    pub fn push(&mut self, body: u32, inertia: RigidInertia, state: RigidState) {
        self.body.push(body);
        self.inertia.push(inertia);
        self.state.push(state);
        self.step.push(RigidStep::new());
        self.work.push([0.0; 6]);
    }

    pub fn drift(&mut self, h: f64) {
        (&mut self.state, &mut self.step, &self.inertia)
            .into_par_iter()
            .with_min_len(GRAIN)
            .for_each(|(state, step, inertia)| drift(h, inertia, state, step));
    }

    pub fn free_velocity(&mut self, h: f64, analysis: Analysis, env: &Environment) {
        (&mut self.step, &self.state, &self.inertia, &self.body).into_par_iter().with_min_len(GRAIN).for_each(
            |(step, state, inertia, &body)| {
                collect_loads(inertia, state, step, &env.gravity, env.load(body));
                match analysis {
                    Analysis::Dynamic => free_velocity(h, inertia, state, step),
                    Analysis::QuasiStatic => {
                        step.free_v = step.force * (h / inertia.mass);
                        step.free_omega = inertia.inverse_action(&step.torque) * h;
                    }
                }
                step.inverse_inertia = inertia.spatial_inverse(&state.rot);
            },
        );
    }

    pub fn finish(&mut self, h: f64, analysis: Analysis, reactions: &[Resultant]) {
        (&mut self.state, &mut self.step, &mut self.work, &self.inertia, &self.body)
            .into_par_iter()
            .with_min_len(GRAIN)
            .for_each(|(state, step, work, inertia, &body)| {
                let reaction = &reactions[body as usize];
                match analysis {
                    Analysis::Dynamic => finish(h, inertia, state, step, reaction, work),
                    Analysis::QuasiStatic => finish_static(h, inertia, state, step, reaction),
                }
                if orthogonality_defect(&state.rot) > ROTATION_DEFECT {
                    state.rot = polar_rotation(&state.rot).unwrap_or(state.rot);
                }
            });
    }

    pub fn kinetic(&self, row: usize) -> f64 {
        let (inertia, state) = (&self.inertia[row], &self.state[row]);
        if inertia.obstacle {
            return 0.0;
        }
        0.5 * (state.omega.dot(&(inertia.tensor * state.omega)) + inertia.mass * state.v.norm_squared())
    }
}

impl RigidInertia {
    /// `J⁻¹ τ`, zero for a frozen rotation.
    pub(super) fn inverse_action(&self, torque: &Vec3) -> Vec3 {
        if self.frozen {
            return Vec3::zeros();
        }
        self.inverse * torque
    }

    /// `R J⁻¹ Rᵀ`, symmetric to the last bit.
    fn spatial_inverse(&self, rot: &Mat3) -> Mat3 {
        if self.frozen {
            return Mat3::zeros();
        }
        let inverse = rot * self.inverse * rot.transpose();
        (inverse + inverse.transpose()) * 0.5
    }
}

/// First half of the motion; `momentum` becomes `Dᵀ J Ω`.
fn drift(h: f64, inertia: &RigidInertia, state: &mut RigidState, step: &mut RigidStep) {
    state.x += state.v * (0.5 * h);
    if inertia.frozen {
        return;
    }
    let half_turn = exp_map(&(state.omega * (0.5 * h)));
    step.momentum = half_turn.tr_mul(&(inertia.tensor * state.omega));
    state.rot *= half_turn;
}

fn collect_loads(inertia: &RigidInertia, state: &RigidState, step: &mut RigidStep, gravity: &Vec3, load: Load) {
    if inertia.obstacle {
        return;
    }
    step.force = gravity * inertia.mass + load.force;
    step.torque = load.convected_torque + state.rot.tr_mul(&load.torque);
}

/// Predicted velocity, with the gyroscopic torque estimated at mid-step.
fn free_velocity(h: f64, inertia: &RigidInertia, state: &RigidState, step: &mut RigidStep) {
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

/// Velocity with reactions, second half of the motion, external work.
fn finish(
    h: f64,
    inertia: &RigidInertia,
    state: &mut RigidState,
    step: &mut RigidStep,
    reaction: &Resultant,
    work: &mut Energies,
) {
    let (v, omega) = (state.v, state.omega);
    state.v = step.free_v + reaction.force * (h / inertia.mass);
    state.x += state.v * (0.5 * h);
    step.fell_back = false;
    let mut torque = Vec3::zeros();
    if !inertia.frozen {
        torque = state.rot.tr_mul(&reaction.torque);
        let rate = step.free_omega + inertia.inverse * torque * h;
        step.momentum += torque * h;
        finish_rotation(h, inertia, state, step, rate);
    }
    if !inertia.obstacle {
        let linear = (v + state.v).dot(&(step.force + reaction.force));
        let angular = (omega + state.omega).dot(&(step.torque + torque));
        work[EXTERNAL] += 0.5 * h * (linear + angular);
    }
}

/// The three rotation updates of bodies.md 1.4 from the predicted rate.
fn finish_rotation(h: f64, inertia: &RigidInertia, state: &mut RigidState, step: &mut RigidStep, rate: Vec3) {
    let implicit = (inertia.scheme == Scheme::RigImp).then(|| implicit_rate(h, inertia, &step.momentum, rate));
    if let Some(Some(omega)) = implicit {
        state.omega = omega;
        state.rot *= exp_map(&(omega * (0.5 * h)));
        return;
    }
    step.fell_back = implicit.is_some();
    let half_turn = exp_map(&(rate * (0.5 * h)));
    state.omega = match inertia.scheme {
        Scheme::RigPos => rate,
        _ => inertia.inverse * half_turn.tr_mul(&step.momentum),
    };
    state.rot *= half_turn;
}

/// Root of `J Ω = exp(hΩ/2)ᵀ a` by Newton's method from `rate`; `None` if it does not converge.
fn implicit_rate(h: f64, inertia: &RigidInertia, a: &Vec3, rate: Vec3) -> Option<Vec3> {
    let scale = a.amax();
    let mut omega = rate;
    let mut last = f64::INFINITY;
    for _ in 0..NEWTON_STEPS {
        let w = omega * (0.5 * h);
        let momentum = inertia.tensor * omega;
        let residual = momentum - exp_map(&w).tr_mul(a);
        let size = residual.amax();
        if size <= NEWTON_TOLERANCE * scale || (size >= last && size <= NEWTON_FLOOR * scale) {
            return Some(omega);
        }
        last = size;
        let tangent = inertia.tensor - skew(&momentum) * right_jacobian(&w) * (0.5 * h);
        omega -= tangent.try_inverse()? * residual;
    }
    None
}

/// Full step of a quasi-static increment.
fn finish_static(h: f64, inertia: &RigidInertia, state: &mut RigidState, step: &mut RigidStep, reaction: &Resultant) {
    let torque = state.rot.tr_mul(&reaction.torque);
    state.v = step.free_v + reaction.force * (h / inertia.mass);
    state.omega = step.free_omega + inertia.inverse_action(&torque) * h;
    state.x += state.v * h;
    state.rot *= exp_map(&(state.omega * h));
}
