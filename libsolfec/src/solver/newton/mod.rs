//! NEWTON_SOLVER: projected quasi-Newton iteration on the reactions (docs/solvers.md).
//!
//! `R ← P_K(R + ΔR)` with `(∇C + δI) ΔR = −C` (PQN1), or with the diagonal blocks alone and `ΔR` averaged over
//! iterations (PQN2). [`control`] says which steps are taken and raises δ; [`rows`] is the law of one constraint.

mod control;
mod gmres;
mod iteration;
mod prescribed;
mod product;
pub(super) mod rows;

use self::gmres::Basis;
use self::iteration::Iteration;
use self::prescribed::Prescribed;
use self::rows::Row;
use super::merit::{worst, Measure};
use super::{count, gauss_seidel, Conditions, Law, Report, Status, Unknowns, Workspace};
use crate::dynamics::Delassus;
use crate::math::Vec3;
use crate::model::{GaussSeidel, Newton, PenaltyVariant};

/// Sweeps that the fall-back has at least: a low bound on Newton steps is none on sweeps.
const FALLBACK_SWEEPS: u32 = 1000;

/// Friction above which the convergence of the method is in doubt.
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
    prescribed: Prescribed,
    merits: Vec<f64>,
    products: Vec<u32>,
}

impl Memory {
    fn clear(&mut self, n: usize) {
        for vector in [&mut self.step, &mut self.start, &mut self.trial_r, &mut self.trial_u, &mut self.best] {
            vector.clear();
            vector.resize(n, Vec3::zeros());
        }
        self.prescribed.clear();
        self.merits.clear();
        self.products.clear();
    }
}

/// Solves for the reactions of one step, from `unknowns.r`, until the merit is at most `meritval`.
///
/// A guess that is good enough is swept once. When it fails the iterate of least merit is the result; with `gsflag`,
/// that of Gauss–Seidel from the same start, unless this fails too and is worse. `report.iterations` counts Newton
/// steps only; `report.error` is the relative change of reactions in the last one. The histories of merit and of
/// products with `W` stay in the workspace.
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
    if op.rows() == 0 {
        return Report::default();
    }
    work.prepare(op);
    work.newton.clear(op.len());
    r.iter_mut().zip(laws).for_each(|(r, law)| *r = law.clip(r));
    work.newton.start.copy_from_slice(r);
    let measure = Measure::new(op, laws, &work.blocks, conditions, PenaltyVariant::Implicit);
    let mut iteration = Iteration::new(op, laws, settings, &measure);
    let unknowns = Unknowns { r: &mut *r, u: &mut *u, merit: &mut *parts };
    let mut report = iteration.run(op, &mut work.newton, unknowns);
    if report.status == Status::Converged && op.can_sweep() {
        sweep_once(work, op, laws, settings, conditions, Unknowns { r, u, merit: parts }, &mut report);
    }
    if report.status != Status::Converged && settings.gsflag && op.can_sweep() && report.merit.is_finite() {
        fall_back(work, op, laws, settings, conditions, Unknowns { r, u, merit: parts }, &mut report);
    }
    report.singular_blocks = work.singular_blocks(op, laws);
    report.worst = worst(op, parts);
    report.active_blocks = count(op, r.iter().filter(|r| r.z > 0.0).count());
    report.steep_friction = op.any(laws.iter().any(|law| law.friction() > STEEP));
    std::mem::swap(&mut work.merit_history, &mut work.newton.merits);
    std::mem::swap(&mut work.product_history, &mut work.newton.products);
    report
}

/// One sweep over a solution, be it a warm start that was good enough without an iteration. Carried on from step to
/// step, what is left of its error would act as a force: bodies at rest would tremble and drift apart. Sweeps make it
/// die out.
fn sweep_once<D: Delassus>(
    work: &mut Workspace,
    op: &mut D,
    laws: &[Law],
    settings: &Newton,
    conditions: Conditions,
    unknowns: Unknowns,
    report: &mut Report,
) {
    let better = |found: &Report| found.merit <= settings.meritval;
    if let Some(found) = sweep(work, op, laws, &sweeps(1), conditions, unknowns, better) {
        (report.merit, report.residual) = (found.merit, found.residual);
    }
    work.error_history.clear();
}

/// Sweeps whose block solves are nearly exact.
fn sweeps(limit: u32) -> GaussSeidel {
    GaussSeidel { diagepsilon: 1e-9, diagmaxiter: 100, ..GaussSeidel::new(1.0, limit) }
}

/// Gauss–Seidel from the reactions at entry; the result before is kept where it is better.
fn fall_back<D: Delassus>(
    work: &mut Workspace,
    op: &mut D,
    laws: &[Law],
    settings: &Newton,
    conditions: Conditions,
    unknowns: Unknowns,
    report: &mut Report,
) {
    let sweeps = GaussSeidel { meritval: settings.meritval, ..sweeps(settings.maxiter.max(FALLBACK_SWEEPS)) };
    unknowns.r.copy_from_slice(&work.newton.start);
    let better = |found: &Report| found.status == Status::Converged || found.merit <= report.merit;
    if let Some(found) = sweep(work, op, laws, &sweeps, conditions, unknowns, better) {
        // Why the method that was asked for stopped.
        let status = if found.status == Status::Converged { found.status } else { report.status };
        *report = Report { status, iterations: report.iterations, method: "GAUSS_SEIDEL", fallback: true, ..found };
    }
}

/// Gauss–Seidel from `unknowns`; where what it finds is not `better`, the iterate of least merit that Newton steps have
/// found is the result again.
fn sweep<D: Delassus>(
    work: &mut Workspace,
    op: &mut D,
    laws: &[Law],
    settings: &GaussSeidel,
    conditions: Conditions,
    unknowns: Unknowns,
    better: impl FnOnce(&Report) -> bool,
) -> Option<Report> {
    let Unknowns { r, u, merit: parts } = unknowns;
    let unknowns = Unknowns { r: &mut *r, u: &mut *u, merit: &mut *parts };
    let found = gauss_seidel(work, op, laws, settings, conditions, unknowns);
    if better(&found) {
        return Some(found);
    }
    r.copy_from_slice(&work.newton.best);
    op.apply(r, u);
    let measure = Measure::new(op, laws, &work.blocks, conditions, PenaltyVariant::Implicit);
    measure.merit(op, r, u, parts);
    None
}
