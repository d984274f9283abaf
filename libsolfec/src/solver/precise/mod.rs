//! Methods that reach high accuracy with the operator's factors (docs/solvers.md).
//!
//! [`Local`] is the problem with restitution and cohesion shifted out; [`StoppingCriterion`] ends the solve and keeps
//! the best iterate. The methods differ in how they get there and in nothing else.

mod admm;
mod auto;
mod corrected;
mod interior;
mod local;
mod lorentz;
mod memory;
mod newton;
mod stopping;
mod sweeps;

pub use auto::{auto, auto_with};
use corrected::Start;
use local::{Kind, Local};
pub use memory::Memory;
pub use stopping::Goal;
pub(super) use stopping::Patience;
use stopping::StoppingCriterion;

use super::merit::{worst, Measure};
use super::{singular_blocks, Block, Conditions, Law, Report, Status, Unknowns};
use crate::dynamics::Delassus;
use crate::math::Vec3;
use crate::model::{Admm, CorrectedSweeps, InteriorPoint, PenaltyVariant, ProximalNewton};

/// What a method did.
#[derive(Debug, Clone, Copy, Default)]
struct Outcome {
    iterations: u32,
}

/// Factorisations of the Newton method that must halve the measure.
const NEWTON_PATIENCE: u32 = 200;
/// Iterations of ADMM that must halve the measure.
const ADMM_PATIENCE: u32 = 1500;

/// Solves by the interior point method (docs/solvers.md); the guess in `unknowns.r` is not used. `goal` is what ends
/// the solve, `Goal::Merit(settings.meritval)` in runs.
pub fn interior_point<D: Delassus>(
    op: &mut D,
    laws: &[Law],
    settings: &InteriorPoint,
    goal: Goal,
    conditions: Conditions,
    unknowns: Unknowns,
) -> Report {
    run(op, laws, goal, conditions, unknowns, ("INTERIOR_POINT", settings.maxiter), |op, local, criterion, _| {
        interior::interior_point(op, local, criterion, settings.maxiter, NEWTON_PATIENCE)
    })
}

/// Solves by the semismooth Newton method in a proximal loop, from `unknowns.r`.
pub fn proximal_newton<D: Delassus>(
    op: &mut D,
    laws: &[Law],
    settings: &ProximalNewton,
    goal: Goal,
    conditions: Conditions,
    unknowns: Unknowns,
) -> Report {
    run(op, laws, goal, conditions, unknowns, ("PROXIMAL_NEWTON", settings.maxiter), |op, local, criterion, guess| {
        newton_from_two(op, local, criterion, guess, settings)
    })
}

/// From the guess, and if that fails from where all contacts stick.
fn newton_from_two<D: Delassus>(
    op: &mut D,
    local: &Local,
    criterion: &mut StoppingCriterion,
    guess: &[Vec3],
    settings: &ProximalNewton,
) -> Outcome {
    let ProximalNewton { alpha, maxiter, .. } = *settings;
    let mut outcome = newton::proximal_newton(op, local, criterion, guess, alpha, maxiter, NEWTON_PATIENCE);
    if criterion.best_value > 1.0 {
        if let Some(start) = newton::stick(op, local) {
            let left = maxiter - outcome.iterations;
            outcome.iterations +=
                newton::proximal_newton(op, local, criterion, &start, alpha, left, NEWTON_PATIENCE).iterations;
        }
    }
    outcome
}

/// Solves by alternating directions, from `unknowns.r`.
pub fn admm<D: Delassus>(
    op: &mut D,
    laws: &[Law],
    settings: &Admm,
    goal: Goal,
    conditions: Conditions,
    unknowns: Unknowns,
) -> Report {
    let options = admm::Options {
        rho: settings.rho,
        relaxation: settings.relaxation,
        limit: settings.maxiter,
        patience: settings.maxiter,
    };
    // It ends with Newton's method, so that its own limit is not why it stops.
    run(op, laws, goal, conditions, unknowns, ("ADMM", u32::MAX), |op, local, criterion, guess| {
        let mut outcome = admm::admm(op, local, criterion, guess, &options);
        if criterion.best_value > 1.0 {
            let best = criterion.best.clone();
            outcome.iterations += newton_from_two(op, local, criterion, &best, &ProximalNewton::default()).iterations;
        }
        outcome
    })
}

/// Solves by Gauss–Seidel sweeps with Newton corrections, from `unknowns.r`; where these make no progress, by the
/// interior point method, and where that fails too by alternating directions.
pub fn corrected_sweeps<D: Delassus>(
    op: &mut D,
    laws: &[Law],
    settings: &CorrectedSweeps,
    goal: Goal,
    conditions: Conditions,
    unknowns: Unknowns,
) -> Report {
    corrected_sweeps_with(&mut Memory::default(), op, laws, settings, goal, conditions, unknowns)
}

/// The same with the memory of earlier solves.
pub fn corrected_sweeps_with<D: Delassus>(
    memory: &mut Memory,
    op: &mut D,
    laws: &[Law],
    settings: &CorrectedSweeps,
    goal: Goal,
    conditions: Conditions,
    unknowns: Unknowns,
) -> Report {
    let mut report = Report { method: "CORRECTED_SWEEPS", ..Report::default() };
    if op.rows() == 0 {
        return report;
    }
    let blocks: Vec<Block> = op.diagonal().iter().map(Block::new).collect();
    let measure = Measure::new(op, laws, &blocks, conditions, PenaltyVariant::Implicit);
    if op.prepare_factors().is_none() {
        return conclude(op, measure, goal, Status::NoFactors, report, unknowns);
    }
    let local = Local::new(op, laws, &blocks, conditions);
    let (problem, limits) = ((laws, &local, &measure, goal), (settings.maxiter, settings.sweeps));
    let outcome = corrected::corrected_sweeps(op, problem, unknowns.r, Start::Guess, limits, memory);
    let mut value = outcome.value;
    (report.iterations, report.active_blocks) = (outcome.factorisations, outcome.active);
    if value > 1.0 && report.iterations < settings.maxiter {
        let mut criterion = StoppingCriterion::new(measure, goal);
        (criterion.best_value, criterion.best) = (value, local.guess(laws, unknowns.r));
        let limit = settings.maxiter - report.iterations;
        let (method, iterations) = without_corrections(op, &local, &mut criterion, limit);
        report.iterations += iterations;
        if criterion.best_value < value {
            (value, report.method) = (criterion.best_value, method);
            local.restore(&criterion.best, unknowns.r);
        }
    }
    let stopped = if value <= 1.0 {
        Status::Converged
    } else if report.iterations >= settings.maxiter {
        Status::IterationLimit
    } else {
        Status::Stagnation
    };
    conclude(op, measure, goal, stopped, report, unknowns)
}

/// By the interior point method, then by alternating directions, then by Newton's method: the method that found the best iterate, and the
/// factorisations of the first with the iterations of the second.
fn without_corrections<D: Delassus>(
    op: &mut D,
    local: &Local,
    criterion: &mut StoppingCriterion,
    limit: u32,
) -> (&'static str, u32) {
    let first = criterion.best_value;
    let mut iterations = interior::interior_point(op, local, criterion, limit, NEWTON_PATIENCE).iterations;
    let second = criterion.best_value;
    if second > 1.0 {
        let Admm { rho, relaxation, maxiter: limit, .. } = Admm::default();
        let options = admm::Options { rho, relaxation, limit, patience: ADMM_PATIENCE };
        let best = criterion.best.clone();
        iterations += admm::admm(op, local, criterion, &best, &options).iterations;
    }
    let third = criterion.best_value;
    if third > 1.0 {
        let best = criterion.best.clone();
        iterations += newton_from_two(op, local, criterion, &best, &ProximalNewton::default()).iterations;
    }
    let method = if criterion.best_value < third {
        "PROXIMAL_NEWTON"
    } else if third < second {
        "ADMM"
    } else if second < first {
        "INTERIOR_POINT"
    } else {
        "CORRECTED_SWEEPS"
    };
    (method, iterations)
}

/// Whether all entries are finite.
fn all_finite(x: &[Vec3]) -> bool {
    x.iter().all(|x| x.iter().all(|x| x.is_finite()))
}

/// Runs the named `method`, which makes so many iterations at most, from the guess, and reports its best iterate.
fn run<D: Delassus>(
    op: &mut D,
    laws: &[Law],
    goal: Goal,
    conditions: Conditions,
    unknowns: Unknowns,
    (name, limit): (&'static str, u32),
    method: impl FnOnce(&mut D, &Local, &mut StoppingCriterion, &[Vec3]) -> Outcome,
) -> Report {
    let Unknowns { r, u, merit: parts } = unknowns;
    if op.rows() == 0 {
        return Report { method: name, ..Report::default() };
    }
    let blocks: Vec<Block> = op.diagonal().iter().map(Block::new).collect();
    let measure = Measure::new(op, laws, &blocks, conditions, PenaltyVariant::Implicit);
    let report = Report { method: name, ..Report::default() };
    if op.prepare_factors().is_none() {
        return conclude(op, measure, goal, Status::NoFactors, report, Unknowns { r, u, merit: parts });
    }
    let local = Local::new(op, laws, &blocks, conditions);
    let mut criterion = StoppingCriterion::new(measure, goal);
    let guess = local.guess(laws, r);
    let iterations = method(op, &local, &mut criterion, &guess).iterations;
    local.restore(&criterion.best, r);
    let stopped = if criterion.best_value <= 1.0 {
        Status::Converged
    } else if iterations >= limit {
        Status::IterationLimit
    } else {
        Status::Stagnation
    };
    conclude(op, measure, goal, stopped, Report { iterations, ..report }, Unknowns { r, u, merit: parts })
}

/// Velocities and merit of the reactions found, and the report. The merit that is reported decides: rounding makes it
/// another than that of the iterate.
fn conclude<D: Delassus>(
    op: &mut D,
    measure: Measure,
    goal: Goal,
    stopped: Status,
    report: Report,
    unknowns: Unknowns,
) -> Report {
    let Unknowns { r, u, merit: parts } = unknowns;
    op.apply(r, u);
    let merit = measure.merit(op, r, u, parts);
    let status = match goal {
        _ if !merit.finite => Status::NotFinite,
        Goal::Merit(most) if merit.value <= most => Status::Converged,
        Goal::Merit(_) if stopped == Status::Converged => Status::Stagnation,
        Goal::Merit(_) | Goal::Siconos(_) => stopped,
    };
    Report {
        status,
        merit: merit.value,
        residual: merit.residual,
        singular_blocks: singular_blocks(op, measure.laws, measure.blocks),
        worst: worst(op, parts),
        ..report
    }
}
