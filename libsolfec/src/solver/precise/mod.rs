//! Methods that reach high accuracy on an assembled problem (docs/solvers.md).
//!
//! [`Local`] is the problem with restitution and cohesion shifted out; [`Judge`] says when it is solved and keeps the best
//! iterate. The methods differ in how they get there and in nothing else.

mod admm;
mod auto;
pub use auto::auto;
mod interior;
mod judge;
mod local;
mod lorentz;
mod lu;
mod newton;

pub use judge::Goal;
use judge::Judge;
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
    factorisations: u32,
}

/// Iterations of the Newton method that must have improved its best iterate by a half.
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
    run(op, laws, goal, conditions, unknowns, "interior point", |local, lu, judge, _| {
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
    run(op, laws, goal, conditions, unknowns, "proximal Newton", |local, lu, judge, guess| {
        newton::proximal_newton(local, lu, judge, guess, settings.alpha, settings.maxiter, NEWTON_PATIENCE)
    })
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
        admm::admm(local, lu, judge, guess, &options)
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
    let mut lu = BlockLu::new(&local.w);
    let mut judge = Judge::new(op, measure(), goal);
    let guess = local.guess(laws, r);
    let outcome = method(&local, &mut lu, &mut judge, &guess);
    for (i, r) in r.iter_mut().enumerate() {
        *r = judge.best[i] - Vec3::new(0.0, 0.0, local.cohesion[i]);
    }
    let reached = judge.best_value <= 1.0;
    op.apply(r, u);
    let merit = measure().merit(op, r, u, parts);
    let status = match (reached, merit.finite) {
        (_, false) => Status::NotFinite,
        (true, _) => Status::Converged,
        (false, _) => Status::IterationLimit,
    };
    Report {
        status,
        method: name,
        iterations: outcome.iterations,
        merit: merit.value,
        residual: merit.residual,
        singular_blocks: blocks.iter().filter(|block| block.singular).count() as u32,
        worst: worst(parts),
        ..Report::default()
    }
}
