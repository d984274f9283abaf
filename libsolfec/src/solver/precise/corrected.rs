//! Gauss–Seidel sweeps with Newton corrections.
//!
//! Sweeps settle which contacts are open, stick or slide and damp all errors that are local; what they leave changes
//! little from one body to the next and is nearly free of changes of status, so one step of the semismooth Newton
//! method removes it. After every correction some sweeps repair what it has broken. It is the scheme of Gräser and
//! Kornhuber (2009) for obstacle problems, with a factorisation in place of their multigrid correction.
//!
//! The correction is a proximal step, as in [`super::newton`]: it solves with `u + α D (r − r_k)` in place of `u`. `α`
//! falls after good corrections and grows after bad ones.

use super::stopping::{over, Patience};
use super::{all_finite, Goal, Local};
use crate::dynamics::Delassus;
use crate::math::{Mat3, Vec3};
use crate::model::BlockSolver;
use crate::solver::contact::Method;
use crate::solver::kernel::{Item, Kernel};
use crate::solver::merit::Measure;
use crate::solver::{cone, Law};

/// Block solves need no more digits than a correction leaves.
const METHOD: Method = Method { solver: BlockSolver::SemismoothNewton, epsilon: 1e-8, limit: 100 };
/// `ρ` of the contact map times the scale of the row.
const MAP: f64 = 3.0;
/// Sweeps before the first correction, and most of them after one.
const FIRST_SWEEPS: u32 = 5;
const MOST_SWEEPS: u32 = 40;
/// Corrections that must halve the measure.
const PATIENCE: u32 = 6;
/// A correction is good that lowers the measure by this factor.
const GOOD: f64 = 0.5;
/// Bounds of the proximal weight, its first value, and the factor by which it changes.
const LEAST_ALPHA: f64 = 1e-7;
const FIRST_ALPHA: f64 = 1e-3;
const LARGEST_ALPHA: f64 = 1e-1;
const CHANGE: f64 = 10.0;

/// An iterate in the reactions of the operator, its velocities and its measure over the tolerance.
#[derive(Debug, Default)]
struct Iterate {
    r: Vec<Vec3>,
    u: Vec<Vec3>,
    value: f64,
}

impl Iterate {
    fn new(n: usize) -> Self {
        Iterate { r: vec![Vec3::zeros(); n], u: vec![Vec3::zeros(); n], value: f64::INFINITY }
    }
}

/// What the sweeps and corrections did.
#[derive(Debug, Clone, Copy, Default)]
struct Count {
    corrections: u32,
    active: u64,
}

struct Corrected<'a, D> {
    op: &'a mut D,
    laws: &'a [Law],
    local: &'a Local,
    measure: &'a Measure<'a>,
    goal: Goal,
    kernel: Kernel<'a>,
    count: Count,
    best: Iterate,
    current: Iterate,
    trial: Iterate,
    step: Vec<Vec3>,
    x: Vec<Mat3>,
    y: Vec<Mat3>,
    parts: Vec<f64>,
}

/// Improves the reactions `r` of the operator until `goal` is reached or no progress is made, with at most `limit`
/// corrections; `sweeps` are made after each. The value reached, over the tolerance, the number of corrections, and that
/// of solved blocks that were active.
pub fn corrected_sweeps<D: Delassus>(
    op: &mut D,
    (laws, local, measure, goal): (&[Law], &Local, &Measure, Goal),
    r: &mut [Vec3],
    (limit, sweeps): (u32, u32),
) -> (f64, u32, u64) {
    let n = laws.len();
    let item = |&row: &u32| {
        let row = row as usize;
        let (block, v) = (measure.blocks[row], op.previous()[row].z);
        Item { form: laws[row].form_at(&op.diagonal()[row], &block, v), block, v }
    };
    let items: Vec<Item> = op.order().iter().map(item).collect();
    let kernel = Kernel::new(&items, METHOD, measure.conditions);
    let mut state = Corrected {
        op,
        laws,
        local,
        measure,
        goal,
        kernel,
        count: Count::default(),
        best: Iterate::new(n),
        current: Iterate::new(n),
        trial: Iterate::new(n),
        step: vec![Vec3::zeros(); n],
        x: vec![Mat3::zeros(); n],
        y: vec![Mat3::zeros(); n],
        parts: vec![0.0; n],
    };
    for (i, (trial, r)) in state.trial.r.iter_mut().zip(&*r).enumerate() {
        *trial = laws[i].clip(r);
    }
    state.run(limit, sweeps);
    r.copy_from_slice(&state.best.r);
    (state.best.value, state.count.corrections, state.count.active)
}

impl<D: Delassus> Corrected<'_, D> {
    fn run(&mut self, limit: u32, least_sweeps: u32) {
        self.evaluate();
        self.sweep(FIRST_SWEEPS);
        std::mem::swap(&mut self.current, &mut self.trial);
        let (mut alpha, mut sweeps) = (FIRST_ALPHA, least_sweeps);
        let mut patience = Patience::new(self.best.value, PATIENCE);
        while self.best.value > 1.0
            && self.count.corrections < limit
            && !patience.ends(self.best.value, self.count.corrections)
        {
            let before = self.current.value;
            let after = self.correct(alpha, sweeps);
            if after <= GOOD * before {
                alpha = (alpha / CHANGE).max(LEAST_ALPHA);
                sweeps = least_sweeps;
            } else {
                alpha = if alpha < LARGEST_ALPHA { alpha * CHANGE } else { FIRST_ALPHA };
                sweeps = (2 * sweeps).min(MOST_SWEEPS);
            }
            if after >= before {
                self.trial.r.copy_from_slice(&self.current.r);
                self.op.start(&self.trial.r);
                self.sweep(sweeps);
            }
            std::mem::swap(&mut self.current, &mut self.trial);
        }
    }

    /// Measures the trial reactions, which also tells the operator about them. Collective.
    fn evaluate(&mut self) {
        let Iterate { r, u, value } = &mut self.trial;
        self.op.apply(r, u);
        let measure = self.goal.measure(self.op, self.measure, r, u, &mut self.parts);
        *value = over(measure, self.goal.tolerance());
        if *value < self.best.value {
            self.best.value = *value;
            self.best.r.copy_from_slice(r);
        }
    }

    /// Sweeps from the trial reactions, which the operator knows, unless the goal is reached; measures.
    fn sweep(&mut self, sweeps: u32) {
        if self.best.value <= 1.0 {
            return;
        }
        for _ in 0..sweeps {
            self.count.active += self.op.sweep(&mut self.trial.r, &self.kernel).active as u64;
        }
        self.evaluate();
    }

    /// The trial iterate is the current one after a Newton step and some sweeps; its measure, infinite if there is no
    /// step.
    fn correct(&mut self, alpha: f64, sweeps: u32) -> f64 {
        if !self.find_step(alpha) {
            return f64::INFINITY;
        }
        for i in 0..self.step.len() {
            self.trial.r[i] = shorten(&self.laws[i], &(self.current.r[i] + self.step[i]));
        }
        self.evaluate();
        self.sweep(sweeps);
        self.trial.value
    }

    /// The Newton step from the current iterate; false if there is none.
    fn find_step(&mut self, alpha: f64) -> bool {
        let local = self.local;
        for i in 0..local.len() {
            let scale = local.scale[i];
            let (r, u) = (
                self.current.r[i] + Vec3::new(0.0, 0.0, local.cohesion[i]),
                self.current.u[i] + Vec3::new(0.0, 0.0, local.bounce[i]),
            );
            let row = local.linearise(i, &u, &r, MAP / scale);
            self.step[i] = -row.f;
            self.x[i] = row.x;
            self.y[i] = row.y + row.x * (alpha * scale);
        }
        self.count.corrections += 1;
        if !self.op.factor(&self.x, &self.y) {
            return false;
        }
        self.op.solve(&mut self.step);
        self.op.all(all_finite(&self.step))
    }
}

/// The reaction that the law admits and that has the normal part of `r`, if that is admissible.
fn shorten(law: &Law, r: &Vec3) -> Vec3 {
    let Law::Coulomb { friction, cohesion, .. } = *law else { return law.clip(r) };
    let normal = (r.z + cohesion).max(0.0);
    let (bound, size) = (friction * normal, cone::tangential(r));
    let scale = if size > bound { bound / size } else { 1.0 };
    Vec3::new(scale * r.x, scale * r.y, normal - cohesion)
}
