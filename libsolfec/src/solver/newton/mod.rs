//! NEWTON_SOLVER: projected quasi-Newton iteration on the reactions (constraints-solvers-parallel.md 8).
//!
//! `R ← P_K(R + ΔR)` with `(∇C + δI) ΔR = −C` (PQN1), or with the diagonal blocks alone and `ΔR` averaged over
//! iterations (PQN2). [`control`] says which steps are taken and raises δ; [`rows`] is the law of one constraint.

mod control;
mod gmres;
mod product;
pub(super) mod rows;
mod settings;

use rayon::prelude::*;

use self::control::{Control, LENGTHS};
use self::gmres::{Basis, System};
use self::product::Product;
use self::rows::Row;
use super::block::Block;
use super::compliant::Standing;
use super::merit::{worst, Measure};
use super::{gauss_seidel, Conditions, Law, Merit, Report, Status, Unknowns, Workspace, GRAIN};
use crate::dynamics::Delassus;
use crate::math::Vec3;
use crate::model::{Delta, GaussSeidel, LinearVariant, Newton, PenaltyVariant};

/// Sweeps that the fall-back has at least: a low bound on Newton steps is none on sweeps.
const FALLBACK_SWEEPS: u32 = 1000;

/// Friction above which the convergence of the method is in doubt (8.5).
const STEEP: f64 = 1.0;

/// Memory of solves.
#[derive(Debug, Default)]
pub(super) struct Memory {
    rows: Vec<Row>,
    step: Vec<Vec3>,
    start: Vec<Vec3>,
    trial_r: Vec<Vec3>,
    trial_u: Vec<Vec3>,
    best: Vec<Vec3>,
    basis: Basis,
    merits: Vec<f64>,
    products: Vec<u32>,
}

impl Memory {
    fn clear(&mut self, n: usize) {
        for vector in [&mut self.step, &mut self.start, &mut self.trial_r, &mut self.trial_u, &mut self.best] {
            vector.clear();
            vector.resize(n, Vec3::zeros());
        }
        self.merits.clear();
        self.products.clear();
    }
}

/// Solves for the reactions of one step, from `unknowns.r`, until the merit is at most `meritval`.
///
/// When it fails the iterate of least merit is the result; with `gsflag`, that of Gauss–Seidel from the same start,
/// unless this fails too and is worse. `report.iterations` counts Newton steps only; `report.error` is the relative change
/// of reactions in the last one. The histories of merit and of products with `W` stay in the workspace.
pub fn newton<D: Delassus>(
    work: &mut Workspace,
    op: &mut D,
    laws: &[Law],
    settings: &Newton,
    conditions: Conditions,
    unknowns: Unknowns,
) -> Report {
    let Unknowns { r, u, merit: parts } = unknowns;
    work.error_history.clear();
    work.merit_history.clear();
    work.product_history.clear();
    if op.is_empty() {
        return Report::default();
    }
    work.prepare(op);
    work.newton.clear(op.len());
    r.iter_mut().zip(laws).for_each(|(r, law)| *r = law.clip(r));
    work.newton.start.copy_from_slice(r);
    let measure = Measure { laws, blocks: &work.blocks, conditions, variant: PenaltyVariant::Implicit };
    let mut iteration = Iteration::new(op, laws, settings, &measure);
    let unknowns = Unknowns { r: &mut *r, u: &mut *u, merit: &mut *parts };
    let mut report = iteration.run(op, &mut work.newton, unknowns);
    if report.status != Status::Converged && settings.gsflag && report.merit.is_finite() {
        fall_back(work, op, laws, settings, conditions, Unknowns { r, u, merit: parts }, &mut report);
    }
    report.singular_blocks = work.singular_blocks(op, laws);
    report.worst = worst(parts);
    report.active_blocks = r.iter().filter(|r| r.z > 0.0).count() as u64;
    report.steep_friction = laws.iter().any(|law| law.friction() > STEEP);
    std::mem::swap(&mut work.merit_history, &mut work.newton.merits);
    std::mem::swap(&mut work.product_history, &mut work.newton.products);
    report
}

/// Gauss–Seidel from the reactions at entry (8.5); the result before is kept where it is better.
fn fall_back<D: Delassus>(
    work: &mut Workspace,
    op: &mut D,
    laws: &[Law],
    settings: &Newton,
    conditions: Conditions,
    unknowns: Unknowns,
    report: &mut Report,
) {
    let Unknowns { r, u, merit: parts } = unknowns;
    let sweeps = GaussSeidel {
        meritval: settings.meritval,
        diagepsilon: 1e-9,
        diagmaxiter: 100,
        ..GaussSeidel::new(1.0, settings.maxiter.max(FALLBACK_SWEEPS))
    };
    r.copy_from_slice(&work.newton.start);
    let unknowns = Unknowns { r: &mut *r, u: &mut *u, merit: &mut *parts };
    let found = gauss_seidel(work, op, laws, &sweeps, conditions, unknowns);
    if found.status == Status::Converged || found.merit <= report.merit {
        *report = Report { iterations: report.iterations, method: "GAUSS_SEIDEL", fallback: true, ..found };
        return;
    }
    r.copy_from_slice(&work.newton.best);
    op.apply(r, u);
    let measure = Measure { laws, blocks: &work.blocks, conditions, variant: PenaltyVariant::Implicit };
    measure.merit(op, r, u, parts);
}

/// The parts of a solve that do not change from step to step.
struct Iteration<'a> {
    laws: &'a [Law],
    settings: &'a Newton,
    measure: &'a Measure<'a>,
    blocks: &'a [Block],
    product: Product,
    omega: f64,
    /// δ to start with, and the average diagonal entry of `W` [m/s/N].
    delta: f64,
    mean: f64,
}

/// A step that was taken.
struct Taken {
    merit: Merit,
    /// Relative change of reactions.
    change: f64,
}

impl<'a> Iteration<'a> {
    fn new<D: Delassus>(op: &D, laws: &'a [Law], settings: &'a Newton, measure: &'a Measure<'a>) -> Self {
        let n = op.len() as f64;
        let (diagonal, free) = (op.diagonal(), op.free());
        let [trace, speed] = op.sum(|i| [diagonal[i].trace(), free[i].norm_squared()]);
        let mean = trace / (3.0 * n);
        let unit = match settings.reldelta {
            Delta::Absolute => 1.0,
            Delta::Average => mean,
            Delta::Least => -op.largest(|i| -diagonal[i].diagonal().min()),
            Delta::Largest => op.largest(|i| diagonal[i].diagonal().max()),
        };
        let automatic = || 0.01 * settings.meritval.sqrt() * (speed / n).sqrt();
        Iteration {
            laws,
            settings,
            measure,
            blocks: measure.blocks,
            product: Product::new(op, settings.locdyn),
            omega: settings.omega.unwrap_or_else(automatic),
            delta: settings.delta * unit,
            mean,
        }
    }

    fn run<D: Delassus>(&mut self, op: &mut D, memory: &mut Memory, unknowns: Unknowns) -> Report {
        let Unknowns { r, u, merit: parts } = unknowns;
        let settings = self.settings;
        let method = match settings.linver {
            LinearVariant::Gmres => "PQN1",
            LinearVariant::Diag => "PQN2",
        };
        self.product.velocity(op, r, u);
        let mut merit = self.measure.merit(op, r, u, parts);
        let mut report = Report { method, ..Report::default() };
        let mut control = Control::new(self.delta, self.mean, merit.value);
        let mut least = merit.value;
        memory.best.copy_from_slice(r);
        while merit.value > settings.meritval
            && report.iterations < settings.maxiter
            && self.product.count() < settings.maxmatvec
        {
            self.linearise(op, r, u, control.delta(), &mut memory.rows);
            self.direct(op, memory, control.delta());
            report.iterations += 1;
            let taken = self.search(op, &control, memory, r, u, parts);
            let going = match &taken {
                Some(step) => {
                    control.take(step.merit.value);
                    (merit, report.error) = (step.merit, step.change);
                    step.change > f64::EPSILON
                }
                None => {
                    if settings.linver == LinearVariant::Diag {
                        memory.step.fill(Vec3::zeros());
                    }
                    control.raise()
                }
            };
            memory.merits.push(merit.value);
            memory.products.push(self.product.count());
            if merit.value < least {
                least = merit.value;
                memory.best.copy_from_slice(r);
            }
            if !going {
                break;
            }
        }
        r.copy_from_slice(&memory.best);
        op.apply(r, u);
        let merit = self.measure.merit(op, r, u, parts);
        report.status = match merit.finite {
            false => Status::NotFinite,
            true if merit.value <= settings.meritval => Status::Converged,
            true => Status::IterationLimit,
        };
        (report.merit, report.residual) = (merit.value, merit.residual);
        report
    }

    fn linearise<D: Delassus>(&self, op: &D, r: &[Vec3], u: &[Vec3], delta: f64, out: &mut Vec<Row>) {
        let (diagonal, previous) = (op.diagonal(), op.previous());
        let row = |i: usize| {
            let w = &diagonal[i];
            let at = Standing { conditions: self.measure.conditions, w, b: u[i] - w * r[i], v: previous[i].z };
            Row::new(&self.laws[i], &at, &self.blocks[i], &r[i], self.omega, delta)
        };
        (0..r.len()).into_par_iter().with_min_len(GRAIN).map(row).collect_into_vec(out);
    }

    /// `memory.step` ← ΔR.
    fn direct<D: Delassus>(&mut self, op: &mut D, memory: &mut Memory, delta: f64) {
        let Memory { rows, step, basis, .. } = memory;
        match self.settings.linver {
            LinearVariant::Gmres => {
                let limit = self.settings.linmaxiter.min(self.settings.maxmatvec - self.product.count());
                let mut system = System { op, product: &mut self.product, rows, delta };
                gmres::solve(&mut system, basis, step, self.settings.epsilon, limit);
            }
            LinearVariant::Diag => {
                let theta = self.settings.theta;
                let average = |(step, row): (&mut Vec3, &Row)| {
                    *step = *step * (1.0 - theta) - row.solve_block(&row.residual) * theta;
                };
                step.par_iter_mut().zip(&*rows).with_min_len(GRAIN).for_each(average);
            }
        }
    }

    /// Takes the longest step that is admitted; `None`, and `r`, `u` as they were, if there is none.
    fn search<D: Delassus>(
        &mut self,
        op: &mut D,
        control: &Control,
        memory: &mut Memory,
        r: &mut [Vec3],
        u: &mut [Vec3],
        parts: &mut [f64],
    ) -> Option<Taken> {
        let Memory { step, trial_r, trial_u, .. } = memory;
        if !step.iter().all(|x| x.iter().all(|x| x.is_finite())) {
            step.fill(Vec3::zeros());
            return None;
        }
        for length in LENGTHS {
            product::rows(trial_r, |i| self.laws[i].clip(&(r[i] + step[i] * length)));
            self.product.velocity(op, trial_r, trial_u);
            let merit = self.measure.merit(op, trial_r, trial_u, parts);
            if merit.finite && control.admits(merit.value) {
                let [change, size] = op.sum(|i| [(trial_r[i] - r[i]).norm_squared(), trial_r[i].norm_squared()]);
                r.copy_from_slice(trial_r);
                u.copy_from_slice(trial_u);
                return Some(Taken { merit, change: (change / if size > 0.0 { size } else { 1.0 }).sqrt() });
            }
        }
        None
    }
}
