//! Methods that reach high accuracy on an assembled problem (docs/solvers.md).
//!
//! [`Local`] is the problem with restitution and cohesion shifted out; [`Judge`] says when it is solved and keeps the best
//! iterate. The methods differ in how they get there and in nothing else.

mod admm;
mod auto;
mod interior;
mod judge;
mod local;
mod lorentz;
mod lu;
mod newton;
mod sweeps;

pub use auto::auto;
pub use judge::Goal;
use judge::{Judge, Patience};
use local::{Kind, Local};
use lu::BlockLu;

use super::merit::{worst, Measure};
use super::{Block, Conditions, Law, Report, Status, Unknowns};
use crate::dynamics::Delassus;
use crate::math::Vec3;
use crate::model::{Admm, InteriorPoint, PenaltyVariant, ProximalNewton};

/// What a method did.
#[derive(Debug, Clone, Copy, Default)]
struct Outcome {
    iterations: u32,
}

/// Factorisations of the Newton method that must halve the measure.
const NEWTON_PATIENCE: u32 = 200;

/// Solves by the interior point method (docs/solvers.md); the guess in `unknowns.r` is not used. `goal` is what ends the
/// solve, `Goal::Merit(settings.meritval)` in runs.
pub fn interior_point<D: Delassus>(
    op: &mut D,
    laws: &[Law],
    settings: &InteriorPoint,
    goal: Goal,
    conditions: Conditions,
    unknowns: Unknowns,
) -> Report {
    run(op, laws, goal, conditions, unknowns, "INTERIOR_POINT", |local, lu, judge, _| {
        interior::interior_point(local, lu, judge, settings.maxiter, NEWTON_PATIENCE)
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
    run(op, laws, goal, conditions, unknowns, "PROXIMAL_NEWTON", |local, lu, judge, guess| {
        newton_from_two(local, lu, judge, guess, settings)
    })
}

/// From the guess, and if that fails from where all contacts stick.
fn newton_from_two<D: Delassus>(
    local: &Local,
    lu: &mut BlockLu,
    judge: &mut Judge<D>,
    guess: &[Vec3],
    settings: &ProximalNewton,
) -> Outcome {
    let ProximalNewton { alpha, maxiter, .. } = *settings;
    let mut outcome = newton::proximal_newton(local, lu, judge, guess, alpha, maxiter, NEWTON_PATIENCE);
    if judge.best_value > 1.0 {
        if let Some(start) = newton::stick(local, lu) {
            let left = maxiter - outcome.iterations;
            outcome.iterations +=
                newton::proximal_newton(local, lu, judge, &start, alpha, left, NEWTON_PATIENCE).iterations;
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
    run(op, laws, goal, conditions, unknowns, "ADMM", |local, lu, judge, guess| {
        let mut outcome = admm::admm(local, lu, judge, guess, &options);
        if judge.best_value > 1.0 {
            let best = judge.best.clone();
            outcome.iterations += newton_from_two(local, lu, judge, &best, &ProximalNewton::default()).iterations;
        }
        outcome
    })
}

/// Runs `method` from the guess, and reports its best iterate.
fn run<D: Delassus>(
    op: &mut D,
    laws: &[Law],
    goal: Goal,
    conditions: Conditions,
    unknowns: Unknowns,
    name: &'static str,
    method: impl FnOnce(&Local, &mut BlockLu, &mut Judge<D>, &[Vec3]) -> Outcome,
) -> Report {
    let Unknowns { r, u, merit: parts } = unknowns;
    if op.is_empty() {
        return Report { method: name, ..Report::default() };
    }
    let blocks: Vec<Block> = op.diagonal().iter().map(Block::new).collect();
    let measure = || Measure { laws, blocks: &blocks, conditions, variant: PenaltyVariant::Implicit };
    let local = Local::new(op, laws, &blocks, conditions);
    let report = Report { method: name, ..Report::default() };
    let Some(mut lu) = BlockLu::new(&local.w) else {
        return conclude(op, measure(), false, report, Unknowns { r, u, merit: parts });
    };
    let mut judge = Judge::new(&*op, measure(), goal);
    let guess = local.guess(laws, r);
    let iterations = method(&local, &mut lu, &mut judge, &guess).iterations;
    local.restore(&judge.best, r);
    let reached = judge.best_value <= 1.0;
    conclude(op, measure(), reached, Report { iterations, ..report }, Unknowns { r, u, merit: parts })
}

/// Velocities and merit of the reactions found, and the report.
fn conclude<D: Delassus>(op: &mut D, measure: Measure, reached: bool, report: Report, unknowns: Unknowns) -> Report {
    let Unknowns { r, u, merit: parts } = unknowns;
    op.apply(r, u);
    let merit = measure.merit(op, r, u, parts);
    let status = match (reached, merit.finite) {
        (_, false) => Status::NotFinite,
        (true, _) => Status::Converged,
        (false, _) => Status::IterationLimit,
    };
    let singular = |i: &usize| measure.laws[*i].singular(&op.diagonal()[*i], &measure.blocks[*i]);
    Report {
        status,
        merit: merit.value,
        residual: merit.residual,
        singular_blocks: (0..op.len()).filter(singular).count() as u32,
        worst: worst(parts),
        ..report
    }
}
