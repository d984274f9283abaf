//! Springs with any law: the solver sees affine laws, which are corrected by secants between solves until they agree
//! with the real ones (docs/theory.md 8.5). User functions are called here, all of a moment in one batch, and
//! nowhere from a worker thread.

use super::warnings::Warnings;
use super::{Outside, Simulation, WarningKind};
use crate::comm;
use crate::constraint::{at_moment, SpringMemory, SpringMoment};
use crate::dynamics::Delassus;
use crate::load::Call;
use crate::model::{Joint, SpringLaw};
use crate::solver::{Elastic, Law};
use crate::{Error, Result};

/// Largest residual of a law, relative to its force.
const TOLERANCE: f64 = 1e-10;
/// Solves of one step at most: laws are evaluated twice before the first and once after each.
pub(super) const SOLVES: usize = 48;
/// Width, relative to its velocities, at which a bracket holds a jump of the law.
const JUMP: f64 = 1e-12;
/// Part of the way to the explicit solution over which the first slope is taken.
const PROBE: f64 = 1e-3;
/// Largest `slope · W_NN` of a model: with 1 a spring would outrun the bodies it pushes.
const STEEPEST: f64 = 0.5;

/// A spring whose law is not linear, during the solves of a step.
#[derive(Debug, Clone, Copy)]
pub(super) struct Trial {
    /// Row of the local dynamics, place in the list of constraints.
    row: usize,
    constraint: u32,
    law: SpringLaw,
    moment: SpringMoment,
    /// Stops of the step, for [`Elastic`].
    stops: [f64; 2],
    /// `W_NN`.
    w: f64,
    /// The last velocity tried and the force there.
    at: f64,
    force: f64,
    slope: f64,
    /// The solution is thought to be between these velocities; forces and residuals there.
    bracket: [f64; 2],
    sides: [f64; 2],
    residuals: [f64; 2],
    /// Whether to stand still has been tried, see [`Trial::jump`].
    rest: Rest,
    /// Miss of the last model; whether the solve was made to try the middle of the bracket.
    residual: f64,
    halving: bool,
    settled: bool,
    /// How the model was found.
    start: Start,
    /// Force at the last solution.
    last: f64,
}

/// Where the model of a spring comes from.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Start {
    None,
    /// The memory of the spring; its law has not been evaluated in this step.
    Foretold,
    /// Two evaluations near the velocity at the start of the step, and secants.
    Probed,
}

/// What is known of a spring that may come to rest where its law jumps.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Rest {
    Unknown,
    Tried,
    Refused,
}

impl Simulation {
    /// Finds the springs of this step and a first model of each, from slopes near the velocity at its start. Follows
    /// the laws.
    pub(super) fn begin_springs(&mut self, h: f64, outside: &mut dyn Outside) -> Result<()> {
        let mut trials = std::mem::take(&mut self.work.trials);
        self.list_springs(h, &mut trials);
        let modelled = self.first_models(&mut trials, outside);
        self.work.trials = trials;
        modelled
    }

    /// Models that springs remember, others from evaluations.
    fn first_models(&mut self, trials: &mut [Trial], outside: &mut dyn Outside) -> Result<()> {
        for trial in trials.iter_mut() {
            trial.w = self.work.operator.diagonal()[trial.row].m33;
            let memory = &self.constraints[trial.constraint as usize].memory;
            if let Some([force, slope]) = memory.foretell(&trial.moment, trial.at) {
                (trial.force, trial.slope, trial.start) = (force, slope.min(STEEPEST / trial.w), Start::Foretold);
            }
        }
        self.probe(trials, outside)?;
        for trial in trials.iter() {
            self.work.laws[trial.row] = trial.model();
        }
        Ok(())
    }

    /// Slopes from two evaluations of each law that has no model. Collective.
    fn probe(&self, trials: &mut [Trial], outside: &mut dyn Outside) -> Result<()> {
        let mut open: Vec<Trial> = trials.iter().filter(|trial| trial.start == Start::None).copied().collect();
        if !comm::any(&*self.comm, !open.is_empty()) {
            return Ok(());
        }
        let first = self.spring_forces(&open, |trial| trial.at, outside)?;
        let free = self.work.operator.free();
        for (trial, &force) in open.iter_mut().zip(&first) {
            trial.force = force;
            trial.bracket[0] = trial.at + PROBE * (free[trial.row].z + trial.w * force - trial.at);
        }
        let second = self.spring_forces(&open, |trial| trial.bracket[0], outside)?;
        for (trial, force) in open.iter_mut().zip(second) {
            let probe = std::mem::replace(&mut trial.bracket[0], f64::NEG_INFINITY);
            trial.move_to(probe, force);
            trial.start = Start::Probed;
        }
        let missing = trials.iter_mut().filter(|trial| trial.start == Start::None);
        missing.zip(open).for_each(|(trial, probed)| *trial = probed);
        Ok(())
    }

    /// Springs that are not linear, at the velocity of the start of the step.
    fn list_springs(&self, h: f64, trials: &mut Vec<Trial>) {
        let step = self.constraint_step(h);
        let previous = self.work.operator.previous();
        trials.clear();
        for (row, &k) in (self.contacts.len()..).zip(&self.work.active) {
            let constraint = &self.constraints[k as usize];
            let (Law::Spring(model), Joint::Spring { law, .. }) = (self.work.laws[row], constraint.joint) else {
                continue;
            };
            match law {
                SpringLaw::Linear { .. } => continue,
                SpringLaw::Table { .. } | SpringLaw::Function { .. } => {}
            }
            trials.push(Trial {
                row,
                constraint: k,
                law,
                moment: at_moment(constraint, &step, previous[row].z),
                stops: [model.lower, model.upper],
                w: 0.0,
                at: previous[row].z,
                force: 0.0,
                slope: 0.0,
                bracket: [f64::NEG_INFINITY, f64::INFINITY],
                sides: [0.0; 2],
                residuals: [f64::INFINITY; 2],
                rest: Rest::Unknown,
                residual: f64::INFINITY,
                halving: false,
                settled: false,
                start: Start::None,
                last: f64::NAN,
            });
        }
    }

    /// After a solve: compares the models with the laws, and corrects them. True when all of all processes agree.
    pub(super) fn correct_springs(&mut self, outside: &mut dyn Outside) -> Result<bool> {
        let mut trials = std::mem::take(&mut self.work.trials);
        let work = &self.work;
        let forces = self.spring_forces(&trials, |trial| work.u[trial.row].z, outside)?;
        for (trial, force) in trials.iter_mut().zip(forces) {
            trial.correct(work.u[trial.row].z, work.r[trial.row].z, force);
        }
        let probed = self.probe(&mut trials, outside);
        for trial in &trials {
            self.work.laws[trial.row] = trial.model();
        }
        let settled = trials.iter().all(|trial| trial.settled);
        self.work.trials = trials;
        probed?;
        Ok(!comm::any(&*self.comm, !settled))
    }

    /// What springs with functions remember of this step.
    pub(super) fn remember_springs(&mut self) {
        let Simulation { work, constraints, .. } = self;
        for trial in &work.trials {
            let SpringLaw::Function { .. } = trial.law else { continue };
            let memory = &mut constraints[trial.constraint as usize].memory;
            let smooth = trial.settled && !trial.halving && trial.rest == Rest::Unknown;
            if !smooth || trial.slope >= STEEPEST / trial.w {
                *memory = SpringMemory::NONE;
                continue;
            }
            let slope = (trial.start == Start::Probed).then_some(trial.slope);
            memory.learn(&trial.moment, work.u[trial.row].z, trial.last, slope);
        }
    }

    /// The problem has changed: what brackets say holds no more, slopes are still good.
    pub(super) fn forget_brackets(&mut self) {
        self.work.trials.iter_mut().for_each(Trial::forget_bracket);
    }

    /// Whether there are springs to correct.
    pub(super) fn has_trials(&self) -> bool {
        !self.work.trials.is_empty()
    }

    /// What to tell of springs that did not settle, or whose force runs ahead of the bodies.
    pub(super) fn warn_of_springs(&self, settled: bool, warnings: &mut Warnings) {
        for trial in &self.work.trials {
            let steep = trial.slope * trial.w >= STEEPEST;
            if (settled || trial.settled) && !steep {
                continue;
            }
            let constraint = &self.constraints[trial.constraint as usize];
            let what = if steep {
                "its force grows so fast with its stroke or rate that the step may have several solutions"
            } else {
                "its law was not met after 50 evaluations"
            };
            let text = || format!("{}: {what}; try a smaller step", self.name_of_constraint(constraint));
            warnings.note(WarningKind::Spring, constraint.row.into(), trial.slope * trial.w, text);
        }
    }

    /// Forces of the laws at the velocities `at`, user functions in one batch. Collective.
    fn spring_forces(
        &self,
        trials: &[Trial],
        at: impl Fn(&Trial) -> f64,
        outside: &mut dyn Outside,
    ) -> Result<Vec<f64>> {
        let mut calls = Vec::new();
        for trial in trials {
            if let SpringLaw::Function { function } = trial.law {
                let [stroke, rate] = trial.moment.at(at(trial));
                calls.push(Call::Spring { function, stroke, rate });
            }
        }
        let mut answers = self.call(&calls, outside)?.into_iter();
        let mut force = |trial: &Trial| {
            let [stroke, rate] = trial.moment.at(at(trial));
            let value = match trial.law {
                SpringLaw::Linear { stiffness, damping } => -stiffness * stroke - damping * rate,
                SpringLaw::Table { series } => self.series[series as usize].at(stroke),
                SpringLaw::Function { .. } => {
                    let answer = answers.next().unwrap_or_default();
                    match answer[..] {
                        [value] => value,
                        _ => {
                            return Err(
                                self.spring_error(trial, &format!("returned {} numbers; return one", answer.len()))
                            )
                        }
                    }
                }
            };
            if value.is_finite() {
                return Ok(value);
            }
            Err(self.spring_error(trial, &format!("is {value} at stroke {stroke:e} m and rate {rate:e} m/s")))
        };
        comm::agree(&*self.comm, trials.iter().map(&mut force).collect())
    }

    fn spring_error(&self, trial: &Trial, what: &str) -> Error {
        Error::input(format!(
            "{}: its function {what}",
            self.name_of_constraint(&self.constraints[trial.constraint as usize])
        ))
    }
}

impl Trial {
    fn forget_bracket(&mut self) {
        (self.bracket, self.residuals) = ([f64::NEG_INFINITY, f64::INFINITY], [f64::INFINITY; 2]);
        (self.rest, self.residual, self.halving) = (Rest::Unknown, f64::INFINITY, false);
    }

    /// What the solver is to see.
    fn model(&self) -> Law {
        let [mut lower, mut upper] = self.stops;
        if self.rest == Rest::Tried {
            (lower, upper) = (0.0, 0.0);
        } else if self.halving {
            let middle = (0.5 * (self.bracket[0] + self.bracket[1])).clamp(lower, upper);
            (lower, upper) = (middle, middle);
        }
        Law::Spring(Elastic { force: self.force, slope: self.slope, at: self.at, lower, upper })
    }

    /// Takes in the force of the law at `u`, where the last solve found `reaction`: a secant, or the middle of the
    /// bracket when secants do not get on. The reaction as a function of `u` crosses that of the law from below.
    fn correct(&mut self, u: f64, reaction: f64, force: f64) {
        self.last = force;
        if self.start == Start::Foretold {
            let modelled = self.force + self.slope * (u - self.at);
            self.settled = (modelled - force).abs() <= self.tolerance(u, force, modelled);
            if !self.settled {
                (self.start, self.slope) = (Start::None, 0.0);
            }
            return;
        }
        if self.rest == Rest::Tried {
            let [a, b] = self.sides;
            self.settled = a.min(b) <= reaction && reaction <= a.max(b);
            if !self.settled {
                self.rest = Rest::Refused;
            }
            return;
        }
        let modelled = if self.halving { reaction } else { self.force + self.slope * (u - self.at) };
        let residual = modelled - force;
        self.settled = residual.abs() <= self.tolerance(u, force, modelled);
        if self.settled {
            return;
        }
        let side = usize::from(residual > 0.0);
        // Halving takes half of the residual of the side that moves, unless the law jumps.
        let last = if self.halving { self.residuals[side] } else { self.residual };
        (self.bracket[side], self.sides[side], self.residuals[side]) = (u, force, residual.abs());
        self.move_to(u, force);
        let [low, high] = self.bracket;
        let bounded = low.is_finite() && high.is_finite();
        self.halving = residual.abs() > 0.5 * last && bounded && low < high;
        self.residual = residual.abs();
        if bounded {
            self.jump(JUMP * low.abs().max(high.abs()).max((self.w * force).abs()));
        }
    }

    /// Residual up to which a law is met: with the rounding of a steep law, but no more than the velocity can bear.
    fn tolerance(&self, u: f64, force: f64, modelled: f64) -> f64 {
        TOLERANCE * force.abs().max(modelled.abs()).max((self.slope * u).abs().min((u / self.w).abs()))
    }

    /// Settles a law that jumps within the bracket: every reaction between its sides is right. Where the mean rate is
    /// zero, the end velocity would be that of the start turned round, for ever: it rests when a reaction between
    /// the sides does it.
    fn jump(&mut self, width: f64) {
        let [low, high] = self.bracket;
        if high - low > width {
            return;
        }
        self.halving = true;
        let still = -self.moment.rate / self.moment.share;
        let turns = still != 0.0 && low - width <= still && still <= high + width;
        if self.rest == Rest::Unknown && turns && self.stops[0] <= 0.0 && self.stops[1] >= 0.0 {
            self.rest = Rest::Tried;
        } else {
            self.settled = true;
        }
    }

    /// The model is from now on the secant through this point and the last.
    fn move_to(&mut self, u: f64, force: f64) {
        if u != self.at {
            self.slope = ((force - self.force) / (u - self.at)).min(STEEPEST / self.w);
        }
        (self.at, self.force) = (u, force);
    }
}
