//! Pseudo-rigid bodies: `x = x_c + F (X − X0)`, twelve degrees of freedom, homogeneous strain (bodies.md 2).

use rayon::prelude::*;

use super::kirchhoff::Kirchhoff;
use super::{Energies, Environment, Load, Resultant, DISSIPATED, EXTERNAL, GRAIN};
use crate::math::{by_rows, from_rows, Mat3, Mat9, Vec3};
use crate::model::{Analysis, Scheme};

/// A principal stretch below this is outside the range of the material law (bodies.md 4).
const LEAST_STRETCH: f64 = 0.65;

/// What does not change during a step.
#[derive(Debug, Clone, Copy)]
pub(super) struct PseudoInertia {
    pub mass: f64,
    pub volume: f64,
    pub x0: Vec3,
    /// Euler tensor, its inverse, and the inverse of its Cholesky factor.
    pub euler: Mat3,
    pub euler_inverse: Mat3,
    pub factor_inverse: Mat3,
    /// Row of the bulk materials, and its constants.
    pub material: u32,
    pub law: Kirchhoff,
    pub scheme: Scheme,
    /// Stiffness-proportional damping η [s].
    pub damping: f64,
}

/// A velocity field `v(X) = v + Ḟ (X − X0)`.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct AffineRate {
    pub fdot: Mat3,
    pub v: Vec3,
}

impl AffineRate {
    pub(super) fn zero() -> Self {
        AffineRate { fdot: Mat3::zeros(), v: Vec3::zeros() }
    }
}

/// Configuration and velocity of a pseudo-rigid body.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct PseudoState {
    pub f: Mat3,
    /// Mass centre.
    pub x: Vec3,
    pub rate: AffineRate,
}

impl PseudoState {
    pub(super) fn is_finite(&self) -> bool {
        let entries = self.f.iter().chain(&self.x).chain(&self.rate.fdot).chain(&self.rate.v);
        entries.copied().all(f64::is_finite)
    }
}

/// Inverse of the implicit operator on the `F` block.
#[derive(Debug, Clone)]
pub enum PseudoInverse {
    /// DEF_EXP: each row of `F` by the inverse Euler tensor.
    Rows(Mat3),
    /// DEF_LIM and quasi-static steps: on row-wise tensors.
    Full(Box<Mat9>),
}

impl PseudoInverse {
    /// The rate `A⁻¹ G` of a moment `G` conjugate to `Ḟ`.
    pub fn apply(&self, g: &Mat3) -> Mat3 {
        match self {
            PseudoInverse::Rows(inverse) => g * inverse,
            PseudoInverse::Full(inverse) => from_rows(&(**inverse * by_rows(g))),
        }
    }

    fn set_full(&mut self, inverse: Mat9) {
        match self {
            PseudoInverse::Full(place) => **place = inverse,
            PseudoInverse::Rows(_) => *self = PseudoInverse::Full(Box::new(inverse)),
        }
    }
}

/// What a step carries from `drift` to `finish`. Until `finish` the state holds the velocity of time t.
#[derive(Debug, Clone)]
pub(super) struct PseudoStep {
    pub free: AffineRate,
    pub inverse: PseudoInverse,
    /// Applied force and moment.
    force: Vec3,
    moment: Mat3,
    /// The implicit operator was not positive definite with the full geometric stiffness.
    pub indefinite: bool,
    /// A principal stretch fell below [`LEAST_STRETCH`] for the first time.
    pub crushed: bool,
    /// It did so in this or an earlier step.
    ever_crushed: bool,
}

/// Columns of all pseudo-rigid bodies, rows in order of id.
#[derive(Debug, Clone, Default)]
pub(super) struct PseudoSet {
    /// Dense body index.
    pub body: Vec<u32>,
    pub inertia: Vec<PseudoInertia>,
    pub state: Vec<PseudoState>,
    pub step: Vec<PseudoStep>,
    /// Accumulated works; kinetic and internal energy are functions of the state.
    pub work: Vec<Energies>,
}

impl PseudoSet {
    pub fn push(&mut self, body: u32, inertia: PseudoInertia, state: PseudoState) {
        self.body.push(body);
        self.inertia.push(inertia);
        self.state.push(state);
        self.step.push(PseudoStep {
            free: AffineRate::zero(),
            inverse: PseudoInverse::Rows(inertia.euler_inverse),
            force: Vec3::zeros(),
            moment: Mat3::zeros(),
            indefinite: false,
            crushed: false,
            ever_crushed: false,
        });
        self.work.push([0.0; 6]);
    }

    pub fn drift(&mut self, h: f64) {
        self.state.par_iter_mut().with_min_len(GRAIN).for_each(|state| {
            state.x += state.rate.v * (0.5 * h);
            state.f += state.rate.fdot * (0.5 * h);
        });
    }

    pub fn free_velocity(&mut self, h: f64, analysis: Analysis, env: &Environment) {
        (&mut self.step, &self.state, &self.inertia, &self.body).into_par_iter().with_min_len(GRAIN).for_each(
            |(step, state, inertia, &body)| {
                let previous = match analysis {
                    Analysis::Dynamic => state.rate,
                    Analysis::QuasiStatic => AffineRate::zero(),
                };
                update_inverse(h, analysis, inertia, state, step);
                free_velocity(h, inertia, state, step, &previous, &env.gravity, env.load(body));
            },
        );
    }

    pub fn finish(&mut self, h: f64, analysis: Analysis, reactions: &[Resultant]) {
        (&mut self.state, &mut self.step, &mut self.work, &self.inertia, &self.body)
            .into_par_iter()
            .with_min_len(GRAIN)
            .for_each(|(state, step, work, inertia, &body)| {
                let reaction = &reactions[body as usize];
                let after = AffineRate {
                    fdot: step.free.fdot + step.inverse.apply(&reaction.moment) * h,
                    v: step.free.v + reaction.force * (h / inertia.mass),
                };
                let drift = match analysis {
                    Analysis::Dynamic => {
                        book_work(h, inertia, state, step, reaction, &after, work);
                        0.5 * h
                    }
                    Analysis::QuasiStatic => h,
                };
                state.rate = after;
                state.x += after.v * drift;
                state.f += after.fdot * drift;
                step.crushed = !step.ever_crushed && least_stretch(&state.f) < LEAST_STRETCH;
                step.ever_crushed |= step.crushed;
            });
    }

    pub fn kinetic(&self, row: usize) -> f64 {
        let (inertia, rate) = (&self.inertia[row], &self.state[row].rate);
        0.5 * ((rate.fdot * inertia.euler).dot(&rate.fdot) + inertia.mass * rate.v.norm_squared())
    }

    pub fn internal(&self, row: usize) -> f64 {
        let inertia = &self.inertia[row];
        inertia.volume * inertia.law.energy(&self.state[row].f)
    }

    /// Critical step `2/ω` of explicit integration at the current configuration, from the symmetric pencil
    /// `L⁻¹ K L⁻ᵀ`, `E = L Lᵀ`, with the limit of velocity-lagged damping (bodies.md 2.4). Infinite for DEF_LIM.
    pub fn critical_step(&self, row: usize) -> f64 {
        let (inertia, f) = (&self.inertia[row], &self.state[row].f);
        if inertia.scheme == Scheme::DefLim {
            return f64::INFINITY;
        }
        let stiffness = inertia.stiffness(f, &inertia.law.second_stress(f));
        let left = inertia.factor_inverse;
        let right = left.transpose();
        let mut pencil = Mat9::zeros();
        for (i, k) in (0..9).map(|n| (3 * (n / 3), 3 * (n % 3))) {
            let block = left * stiffness.fixed_view::<3, 3>(i, k) * right;
            pencil.fixed_view_mut::<3, 3>(i, k).copy_from(&block);
        }
        let largest = pencil.symmetric_eigenvalues().max();
        if largest <= 0.0 {
            return f64::INFINITY;
        }
        let omega = largest.sqrt();
        let ratio = 0.5 * inertia.damping * omega;
        2.0 / omega * ((1.0 + ratio * ratio).sqrt() - ratio)
    }
}

impl PseudoInertia {
    /// `K = V ∂P/∂F` on row-wise tensors; `stress` is the `S` of its geometric part.
    fn stiffness(&self, f: &Mat3, stress: &Mat3) -> Mat9 {
        self.law.tangent(f, stress) * self.volume
    }

    /// `M_F + scale · K` on row-wise tensors.
    fn operator(&self, f: &Mat3, stress: &Mat3, scale: f64) -> Mat9 {
        let mut a = self.stiffness(f, stress) * scale;
        for row in [0, 3, 6] {
            let mut block = a.fixed_view_mut::<3, 3>(row, row);
            block += self.euler;
        }
        a
    }
}

/// Inverse of the implicit operator at the current `F`. Strong compression can make it indefinite: then only the
/// positive semidefinite part of the geometric stiffness is kept (bodies.md 2.3).
fn update_inverse(h: f64, analysis: Analysis, inertia: &PseudoInertia, state: &PseudoState, step: &mut PseudoStep) {
    let scale = match (analysis, inertia.scheme) {
        (Analysis::QuasiStatic, _) => h * h,
        (Analysis::Dynamic, Scheme::DefLim) => 0.5 * inertia.damping * h + 0.25 * h * h,
        (Analysis::Dynamic, _) => {
            step.inverse = PseudoInverse::Rows(inertia.euler_inverse);
            return;
        }
    };
    let stress = inertia.law.second_stress(&state.f);
    let mut factor = inertia.operator(&state.f, &stress, scale).cholesky();
    step.indefinite = factor.is_none();
    if factor.is_none() {
        factor = inertia.operator(&state.f, &positive_part(&stress), scale).cholesky();
    }
    // No factor at all means a state that is not finite: the free velocity must say so.
    let inverse = factor.map_or(Mat9::repeat(f64::NAN), |f| f.inverse());
    step.inverse.set_full((inverse + inverse.transpose()) * 0.5);
}

/// `u_free = u + h A⁻¹ (f_ext − f_int − η K u)`.
fn free_velocity(
    h: f64,
    inertia: &PseudoInertia,
    state: &PseudoState,
    step: &mut PseudoStep,
    previous: &AffineRate,
    gravity: &Vec3,
    load: Load,
) {
    step.force = gravity * inertia.mass + load.force;
    step.moment = load.moment;
    let mut moment = step.moment - inertia.law.first_stress(&state.f) * inertia.volume;
    if inertia.damping > 0.0 {
        let viscous = inertia.law.tangent_action(&state.f, &previous.fdot);
        moment -= viscous * (inertia.damping * inertia.volume);
    }
    step.free = AffineRate {
        fdot: previous.fdot + step.inverse.apply(&moment) * h,
        v: previous.v + step.force * (h / inertia.mass),
    };
}

/// External work of loads and reactions, and viscous dissipation, over a step whose mid-step state is `state`.
fn book_work(
    h: f64,
    inertia: &PseudoInertia,
    state: &PseudoState,
    step: &PseudoStep,
    reaction: &Resultant,
    after: &AffineRate,
    work: &mut Energies,
) {
    let fdot = (state.rate.fdot + after.fdot) * 0.5;
    let v = (state.rate.v + after.v) * 0.5;
    work[EXTERNAL] += h * (v.dot(&(step.force + reaction.force)) + fdot.dot(&(step.moment + reaction.moment)));
    if inertia.damping > 0.0 {
        let viscous = inertia.law.tangent_action(&state.f, &fdot);
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
