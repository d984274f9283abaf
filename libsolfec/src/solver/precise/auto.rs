//! The solver that chooses: Gauss–Seidel as long as it promises to be the fastest, then what the problem needs.
//!
//! Costs are counted in operations, never in time, so that the choice is the same on every machine.

use super::corrected::{Problem, Start};
use super::memory::{Memory, Opening};
use super::sweeps::Sweeps;
use super::{
    admm, conclude, corrected, interior, newton, newton_from_two, Goal, Local, StoppingCriterion, ADMM_PATIENCE,
    NEWTON_PATIENCE,
};
use crate::dynamics::{Delassus, FactorCost};
use crate::math::Vec3;
use crate::model::{Admm, InteriorPoint, PenaltyVariant, ProximalNewton};
use crate::solver::merit::Measure;
use crate::solver::{Block, Conditions, Law, Report, Status, Unknowns};

/// Sweeps before the first forecast, and those that are worth doing before the cost of a factorisation is known.
const FIRST_SWEEPS: u32 = 10;
const CHEAP_SWEEPS: f64 = 20.0;
/// Sweeps that must halve the measure, at first; once more where there are no factors, so that others may solve the
/// problem; and in the last resort, after which there is nothing left to try.
const SWEEP_PATIENCE: u32 = 2000;
const MORE_PATIENCE: u32 = 500;
const LAST_PATIENCE: u32 = 5000;
/// Costs [ns of some machine]: of a sweep for each constraint, active one and block, of an iteration of the interior
/// point method for each constraint and product of blocks; and the fewest iterations that it takes.
const SWEEP_ROW: f64 = 20.0;
const SWEEP_ACTIVE: f64 = 120.0;
const SWEEP_BLOCK: f64 = 6.0;
const PATH_ROW: f64 = 250.0;
const PATH_PRODUCT: f64 = 15.0;
const PATH_ITERATIONS: f64 = 5.0;
/// Sweeps that are made, over those that cost as much as this method, where a factorisation takes more than so many
/// products of blocks for each constraint, as in large walls: corrections come nearer at once there, and forecasts of
/// sweeps are too good.
const LARGE_SHARE: f64 = 0.05;
const LARGE: f64 = 600.0;
/// Factorisations of the interior point method where a solve begins with it.
const PATH_LIMIT: u32 = 60;
/// Bound of factorisations of corrections, and sweeps after each that does not help.
const CORRECTIONS: u32 = 100;
const CORRECTION_SWEEPS: u32 = 8;
/// Newton's method after Gauss–Seidel: it is enough where the sweeps, or the last step, have found out which contacts
/// are closed and which slide, and then it makes progress at once.
const TRY: u32 = 40;
const TRY_PATIENCE: u32 = 4;
const TRY_ALPHA: f64 = 1e-3;
/// Bound of alternating directions from the best iterate, and how many of them must halve the measure: on walls that
/// impacts shake, where all other methods get stuck, they come nearer for thousands of iterations.
const ADMM_LIMIT: u32 = 10_000;
const LONG_PATIENCE: u32 = 5000;

/// Solves to `goal` from `unknowns.r` by whatever gets there; `goal` is `Goal::Merit(settings.meritval)` in runs. The
/// report names the method that reached the result, the best of all if none did, and counts the iterations of all.
pub fn auto<D: Delassus>(op: &mut D, laws: &[Law], goal: Goal, conditions: Conditions, unknowns: Unknowns) -> Report {
    auto_with(&mut Memory::default(), op, laws, goal, conditions, unknowns)
}

/// The same, begun as the memory of earlier solves advises.
pub fn auto_with<D: Delassus>(
    memory: &mut Memory,
    op: &mut D,
    laws: &[Law],
    goal: Goal,
    conditions: Conditions,
    mut unknowns: Unknowns,
) -> Report {
    let opening = opening(memory, op);
    let blocks: Vec<Block> = op.diagonal().iter().map(Block::new).collect();
    let measure = Measure::new(op, laws, &blocks, conditions, PenaltyVariant::Implicit);
    for (r, law) in unknowns.r.iter_mut().zip(laws) {
        *r = law.clip(r);
    }
    let mut report = Report { method: "GAUSS_SEIDEL", ..Report::default() };
    let mut sweeps = Sweeps::new(op, goal, measure);
    first_sweeps(op, &mut sweeps, memory, opening, &mut unknowns);
    let factored_too = sweeps.best_value > 1.0 && op.prepare_factors().is_some();
    let mut factorisations = 0;
    if factored_too {
        let local = Local::new(op, laws, &blocks, conditions);
        let found = with_factors(op, (laws, &local, &measure, goal), &mut sweeps, memory, opening);
        factorisations = found.iterations;
        report.method = found.method.unwrap_or(report.method);
    }
    if sweeps.best_value > 1.0 {
        unknowns.r.copy_from_slice(&sweeps.best);
        let before = sweeps.best_value;
        let patience = if factored_too { LAST_PATIENCE } else { MORE_PATIENCE };
        sweeps.run(op, &mut unknowns, patience, |_, _, _| false);
        if sweeps.best_value < before {
            report.method = "GAUSS_SEIDEL";
        }
    }
    unknowns.r.copy_from_slice(&sweeps.best);
    report.iterations = factorisations + sweeps.count;
    report.operations = operations(op, sweeps.count + sweeps.more, factorisations);
    let cost = report.operations / op.rows().max(1) as f64;
    memory.record(opening, cost, opening == Opening::Sweeps && factorisations == 0);
    let stopped = if sweeps.best_value <= 1.0 { Status::Converged } else { Status::Stagnation };
    conclude(op, measure, goal, stopped, report, unknowns)
}

/// The way to begin that memory advises, but sweeps where factorisations are dear.
fn opening<D: Delassus>(memory: &mut Memory, op: &mut D) -> Opening {
    let opening = memory.opening();
    if opening != Opening::Sweeps && memory.finds_dear(op.rows(), || corrected::factors_are_dear(op)) {
        memory.forget(opening);
        return Opening::Sweeps;
    }
    opening
}

/// Sweeps to the goal, or until what comes next promises to be there sooner.
fn first_sweeps<D: Delassus>(
    op: &mut D,
    sweeps: &mut Sweeps,
    memory: &mut Memory,
    opening: Opening,
    unknowns: &mut Unknowns,
) {
    let mut budget = None;
    sweeps.run(op, unknowns, SWEEP_PATIENCE, |sweeps, op, active| {
        if opening == Opening::Path {
            return true;
        }
        let count = f64::from(sweeps.count);
        if sweeps.count < FIRST_SWEEPS || count + sweeps.left() <= CHEAP_SWEEPS {
            return false;
        }
        if opening == Opening::Corrections {
            return true;
        }
        // Where factorisations are dear sweeps go on as long as they get nearer: their forecasts are worth little before
        // contacts have found their status.
        let budget = *budget.get_or_insert_with(|| {
            if memory.finds_dear(op.rows(), || corrected::factors_are_dear(op)) {
                return f64::INFINITY;
            }
            op.prepare_factors().map_or(f64::INFINITY, |cost| {
                let share = if is_large(op, &cost) { LARGE_SHARE } else { 1.0 };
                share * affordable(op, &cost, active)
            })
        });
        count > budget || sweeps.left() > budget
    });
}

/// What methods that factorise have found.
struct Factored {
    /// The one that found the best iterate; none if the one of the sweeps is better.
    method: Option<&'static str>,
    iterations: u32,
}

/// Corrected sweeps, then the other methods that factorise, from the best iterate of the sweeps, which becomes theirs.
fn with_factors<D: Delassus>(
    op: &mut D,
    problem: Problem,
    sweeps: &mut Sweeps,
    memory: &mut Memory,
    opening: Opening,
) -> Factored {
    let (laws, local, &measure, goal) = problem;
    let mut found = Factored { method: None, iterations: 0 };
    let mut criterion = StoppingCriterion::new(measure, goal);
    (criterion.best_value, criterion.best) = (sweeps.best_value, local.guess(laws, &sweeps.best));
    let start = if opening == Opening::Path { Start::Path } else { Start::Swept };
    // Without contacts there is no status that sweeps could settle, and Newton's steps are exact.
    let contacts = op.any(laws.iter().any(|law| matches!(law, Law::Coulomb { .. })));
    if start == Start::Path && !contacts {
        let least = criterion.best_value;
        let path = interior::interior_point(op, local, &mut criterion, PATH_LIMIT, TRY);
        found.iterations += path.iterations;
        if criterion.best_value < least {
            found.method = Some("INTERIOR_POINT");
        }
    }
    if criterion.best_value > 1.0 && contacts {
        let mut r = sweeps.best.clone();
        local.restore(&criterion.best, &mut r);
        let limits = (CORRECTIONS, CORRECTION_SWEEPS);
        let outcome = corrected::corrected_sweeps(op, problem, &mut r, start, limits, memory);
        if outcome.value < criterion.best_value {
            (criterion.best_value, criterion.best) = (outcome.value, local.guess(laws, &r));
            found.method = Some("CORRECTED_SWEEPS");
        }
        found.iterations += outcome.factorisations;
        sweeps.more += outcome.sweeps;
    }
    if criterion.best_value > 1.0 {
        let least = criterion.best_value;
        let (method, iterations) = one_after_another(op, local, &mut criterion);
        found.iterations += iterations;
        if criterion.best_value < least {
            found.method = Some(method);
        }
    }
    if criterion.best_value < sweeps.best_value {
        sweeps.best_value = criterion.best_value;
        local.restore(&criterion.best, &mut sweeps.best);
    }
    found
}

/// What so many sweeps and factorisations, or iterations of other methods, count for.
fn operations<D: Delassus>(op: &mut D, sweeps: u32, factorisations: u32) -> f64 {
    let rows = op.rows() as f64;
    let sweeps = f64::from(sweeps) * (SWEEP_ROW + SWEEP_ACTIVE) * rows;
    if factorisations == 0 {
        return sweeps;
    }
    let products = op.prepare_factors().map_or(0.0, |cost| cost.products);
    sweeps + f64::from(factorisations) * (PATH_ROW * rows + PATH_PRODUCT * products)
}

/// Whether factorisations are those of large problems.
fn is_large<D: Delassus>(op: &D, cost: &FactorCost) -> bool {
    cost.products > LARGE * op.rows() as f64
}

/// Sweeps that cost as much as the interior point method.
fn affordable<D: Delassus>(op: &D, cost: &FactorCost, active: usize) -> f64 {
    let rows = op.rows() as f64;
    let sweep = SWEEP_ROW * rows + SWEEP_ACTIVE * active as f64 + SWEEP_BLOCK * cost.blocks;
    PATH_ITERATIONS * (PATH_ROW * rows + PATH_PRODUCT * cost.products) / sweep
}

/// The other methods that factorise; which one found the best iterate, and the iterations of all.
fn one_after_another<D: Delassus>(op: &mut D, local: &Local, criterion: &mut StoppingCriterion) -> (&'static str, u32) {
    let (entry, cold) = (criterion.best.clone(), vec![Vec3::zeros(); local.len()]);
    let Admm { rho, relaxation, maxiter, .. } = Admm::default();
    let mut iterations = 0;
    let (mut name, mut least) = ("GAUSS_SEIDEL", criterion.best_value);
    for attempt in 0..6 {
        let best = criterion.best.clone();
        let (by, outcome) = match attempt {
            0 => {
                let tried = newton::proximal_newton(op, local, criterion, &best, TRY_ALPHA, TRY, TRY_PATIENCE);
                ("PROXIMAL_NEWTON", tried)
            }
            1 => {
                let limit = InteriorPoint::default().maxiter;
                ("INTERIOR_POINT", interior::interior_point(op, local, criterion, limit, NEWTON_PATIENCE))
            }
            2 => {
                let options = admm::Options { rho, relaxation, limit: ADMM_LIMIT, patience: LONG_PATIENCE };
                ("ADMM", admm::admm(op, local, criterion, &entry, &options))
            }
            3 => {
                let options = admm::Options { rho, relaxation, limit: maxiter, patience: ADMM_PATIENCE };
                ("ADMM", admm::admm(op, local, criterion, &cold, &options))
            }
            attempt => {
                let start = if attempt == 4 { &best } else { &cold };
                ("PROXIMAL_NEWTON", newton_from_two(op, local, criterion, start, &ProximalNewton::default()))
            }
        };
        iterations += outcome.iterations;
        if criterion.best_value < least {
            (name, least) = (by, criterion.best_value);
        }
        if least <= 1.0 {
            break;
        }
    }
    (name, iterations)
}
