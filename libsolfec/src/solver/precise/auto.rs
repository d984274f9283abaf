//! The solver that chooses: Gauss–Seidel as long as it promises to be the fastest, then what the problem needs.
//!
//! Costs are counted in operations, never in time, so that the choice is the same on every machine.

use super::judge::{over, Judge};
use super::{admm, conclude, interior, newton, BlockLu, Goal, Local, NEWTON_PATIENCE};
use crate::dynamics::Delassus;
use crate::math::Vec3;
use crate::model::{Admm, BlockSolver, InteriorPoint, PenaltyVariant, ProximalNewton};
use crate::solver::contact::Method;
use crate::solver::kernel::{Item, Kernel};
use crate::solver::merit::Measure;
use crate::solver::{Block, Conditions, Law, Report, Unknowns};

/// Sweeps before the first forecast, and those that are worth doing before the cost of a factorisation is known.
const FIRST_SWEEPS: u32 = 10;
const CHEAP_SWEEPS: f64 = 20.0;
/// Most sweeps, when there is nothing else.
const MOST_SWEEPS: u32 = 20_000;
/// Costs [ns of some machine]: of a sweep for each constraint, active one and block, of an iteration of the interior point method for
/// each constraint and product of blocks; and the fewest iterations
/// that it takes.
const SWEEP_ROW: f64 = 20.0;
const SWEEP_ACTIVE: f64 = 120.0;
const SWEEP_BLOCK: f64 = 6.0;
const PATH_ROW: f64 = 250.0;
const PATH_PRODUCT: f64 = 15.0;
const PATH_ITERATIONS: f64 = 5.0;
/// Newton's method after Gauss–Seidel: it is enough where the sweeps, or the last step, have found out which contacts are
/// closed and which slide, and then it makes progress at once.
const TRY: u32 = 40;
const TRY_PATIENCE: u32 = 4;
const TRY_ALPHA: f64 = 1e-3;
/// Iterations of ADMM that must halve the measure.
const ADMM_PATIENCE: u32 = 500;

/// Solves to `goal` from `unknowns.r` by whatever gets there; `goal` is `Goal::Merit(settings.meritval)` in runs. The
/// report names the method that reached the result, the best of all if none did.
pub fn auto<D: Delassus>(op: &mut D, laws: &[Law], goal: Goal, conditions: Conditions, unknowns: Unknowns) -> Report {
    let blocks: Vec<Block> = op.diagonal().iter().map(Block::new).collect();
    let measure = || Measure { laws, blocks: &blocks, conditions, variant: PenaltyVariant::Implicit };
    let Unknowns { r, u, merit: parts } = unknowns;
    for (r, law) in r.iter_mut().zip(laws) {
        *r = law.clip(r);
    }
    let mut swept = Sweeps::new(goal, r);
    let mut factors = None;
    swept.run(op, &measure(), conditions, r, u, parts, &mut factors);
    let (mut name, mut iterations) = ("GAUSS_SEIDEL", swept.count);
    r.copy_from_slice(&swept.best);
    if let (false, Some((local, lu))) = (swept.best_value <= 1.0, &mut factors) {
        let mut judge = Judge::new(&*op, measure(), goal);
        let guess = local.guess(laws, r);
        (judge.best_value, judge.best) = (swept.best_value, guess);
        let (named, more) = factored(local, lu, &mut judge);
        iterations += more;
        if judge.best_value < swept.best_value {
            (name, swept.best_value) = (named, judge.best_value);
            local.restore(&judge.best, r);
        }
    }
    let report = Report { method: name, iterations, ..Report::default() };
    conclude(op, measure(), swept.best_value <= 1.0, report, Unknowns { r, u, merit: parts })
}

/// The methods that factorise, one after another; which one found the best iterate, and the iterations of all.
fn factored<D: Delassus>(local: &Local, lu: &mut BlockLu, judge: &mut Judge<D>) -> (&'static str, u32) {
    let cold = vec![Vec3::zeros(); local.len()];
    let newton = |lu: &mut BlockLu, judge: &mut Judge<D>, start: &[Vec3]| {
        let ProximalNewton { alpha, maxiter, .. } = ProximalNewton::default();
        newton::proximal_newton(local, lu, judge, start, alpha, maxiter, NEWTON_PATIENCE)
    };
    let mut iterations = 0;
    let (mut name, mut least) = ("GAUSS_SEIDEL", judge.best_value);
    for attempt in 0..5 {
        let best = judge.best.clone();
        let (by, outcome) = match attempt {
            0 => {
                let tried = newton::proximal_newton(local, lu, judge, &best, TRY_ALPHA, TRY, TRY_PATIENCE);
                ("PROXIMAL_NEWTON", tried)
            }
            1 => {
                let limit = InteriorPoint::default().maxiter;
                ("INTERIOR_POINT", interior::interior_point(local, lu, judge, limit, NEWTON_PATIENCE))
            }
            2 => {
                let Admm { rho, relaxation, maxiter: limit, .. } = Admm::default();
                let options = admm::Options { rho, relaxation, limit, patience: ADMM_PATIENCE };
                ("ADMM", admm::admm(local, lu, judge, &best, &options))
            }
            3 => ("PROXIMAL_NEWTON", newton(lu, judge, &best)),
            _ => ("PROXIMAL_NEWTON", newton(lu, judge, &cold)),
        };
        iterations += outcome.iterations;
        if judge.best_value < least {
            (name, least) = (by, judge.best_value);
        }
        if least <= 1.0 {
            break;
        }
    }
    (name, iterations)
}

/// Gauss–Seidel with a forecast of what is left to do.
struct Sweeps {
    goal: Goal,
    count: u32,
    /// Of the best iterate, over the tolerance.
    best_value: f64,
    best: Vec<Vec3>,
    /// Sweeps and value at each measurement.
    history: Vec<(u32, f64)>,
}

impl Sweeps {
    fn new(goal: Goal, start: &[Vec3]) -> Self {
        Sweeps { goal, count: 0, best_value: f64::INFINITY, best: start.to_vec(), history: Vec::new() }
    }

    /// Sweeps until the goal is reached or another method promises to be faster, and prepares that in `factors`.
    #[allow(clippy::too_many_arguments)]
    fn run<D: Delassus>(
        &mut self,
        op: &mut D,
        measure: &Measure,
        conditions: Conditions,
        r: &mut [Vec3],
        u: &mut [Vec3],
        parts: &mut [f64],
        factors: &mut Option<(Local, BlockLu)>,
    ) {
        let Measure { laws, blocks, .. } = *measure;
        let item = |&row: &u32| {
            let (w, block, v) = (&op.diagonal()[row as usize], blocks[row as usize], op.previous()[row as usize].z);
            Item { form: laws[row as usize].form_at(w, &block, v), block, v }
        };
        let items: Vec<Item> = op.order().iter().map(item).collect();
        let method = Method { solver: BlockSolver::SemismoothNewton, epsilon: 1e-14, limit: 100 };
        let kernel = Kernel::new(&items, method, conditions);
        let (mut next, mut budget, mut active) = (0, None, 0);
        op.start(r);
        loop {
            if self.count == next {
                op.apply(r, u);
                let value = over(self.goal.measure(op, measure, r, u, parts), self.goal.tolerance());
                if value < self.best_value {
                    self.best_value = value;
                    self.best.copy_from_slice(r);
                }
                self.history.push((self.count, value));
                if self.best_value <= 1.0 || self.count >= MOST_SWEEPS {
                    return;
                }
                if self.count >= FIRST_SWEEPS && self.left() + f64::from(self.count) > CHEAP_SWEEPS {
                    let budget = *budget.get_or_insert_with(|| match prepare(op, measure, conditions) {
                        Some(prepared) => {
                            let sweeps = affordable(&prepared.0, &prepared.1, active);
                            *factors = Some(prepared);
                            sweeps
                        }
                        None => f64::INFINITY,
                    });
                    if self.left() > budget || f64::from(self.count) > budget {
                        return;
                    }
                }
                next = (self.count + 1).max(self.count + self.count / 4);
            }
            active = op.sweep(r, &kernel, false).active;
            self.count += 1;
        }
    }

    /// Sweeps to go if the measure falls as it did over the last half of the sweeps.
    fn left(&self) -> f64 {
        let Some(&(now, value)) = self.history.last() else { return f64::INFINITY };
        let Some(&(then, before)) = self.history.iter().rev().find(|(count, _)| 2 * count <= now) else {
            return f64::INFINITY;
        };
        let rate = (before / value).ln() / f64::from(now - then);
        if rate > 0.0 {
            value.ln() / rate
        } else {
            f64::INFINITY
        }
    }
}

/// The assembled problem and the pattern of its factors; none when they would not fit.
fn prepare<D: Delassus>(op: &D, measure: &Measure, conditions: Conditions) -> Option<(Local, BlockLu)> {
    let local = Local::new(op, measure.laws, measure.blocks, conditions);
    let lu = BlockLu::new(&local.w)?;
    Some((local, lu))
}

/// Sweeps that cost as much as the interior point method.
fn affordable(local: &Local, lu: &BlockLu, active: usize) -> f64 {
    let rows = local.len() as f64;
    let sweep = SWEEP_ROW * rows + SWEEP_ACTIVE * active as f64 + SWEEP_BLOCK * local.w.block.len() as f64;
    PATH_ITERATIONS * (PATH_ROW * rows + PATH_PRODUCT * lu.products() as f64) / sweep
}
