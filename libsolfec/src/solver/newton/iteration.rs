//! The iteration: linearise, find a step, take as much of it as the merit admits.

use rayon::prelude::*;

use super::control::{Control, LENGTHS};
use super::gmres::{self, System};
use super::product::{self, Product};
use super::rows::Row;
use super::Memory;
use crate::dynamics::Delassus;
use crate::math::Vec3;
use crate::model::{Delta, LinearVariant, Newton};
use crate::solver::compliant::BlockState;
use crate::solver::merit::Measure;
use crate::solver::{Law, Merit, Report, Status, Unknowns, GRAIN};

/// The parts of a solve that do not change from step to step.
pub struct Iteration<'a> {
    laws: &'a [Law],
    settings: &'a Newton,
    measure: &'a Measure<'a>,
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
    pub fn new<D: Delassus>(op: &D, laws: &'a [Law], settings: &'a Newton, measure: &'a Measure<'a>) -> Self {
        let n = op.rows() as f64;
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
            product: Product::new(settings.locdyn || op.has_small_matrix()),
            omega: settings.omega.unwrap_or_else(automatic),
            delta: settings.delta * unit,
            mean,
        }
    }

    /// From `unknowns.r`, which the laws admit, to the iterate of least merit.
    pub fn run<D: Delassus>(&mut self, op: &mut D, memory: &mut Memory, unknowns: Unknowns) -> Report {
        let Unknowns { r, u, merit: parts } = unknowns;
        let settings = self.settings;
        let method = match settings.linver {
            LinearVariant::Gmres => "PQN1",
            LinearVariant::Diag => "PQN2",
        };
        self.product.velocity(op, r, u);
        let mut merit = self.measure.merit(op, r, u, parts);
        let mut report = Report { method, ..Report::default() };
        let mut control = Control::new(self.delta, self.mean, merit.value, settings.linver);
        let mut least = merit.value;
        memory.best.copy_from_slice(r);
        let stopped = loop {
            if merit.value <= settings.meritval || merit.value.is_nan() {
                // Unless the merit by bodies, below, says no by rounding.
                break Status::Stagnation;
            }
            if report.iterations >= settings.maxiter {
                break Status::IterationLimit;
            }
            if self.product.count() >= settings.maxmatvec {
                break Status::ProductLimit;
            }
            self.linearise(op, r, u, control.delta(), &mut memory.rows);
            self.direct(op, memory, control.delta());
            report.iterations += 1;
            let taken = self.search(op, &control, memory, r, u, parts);
            let stuck = match &taken {
                Some(step) => {
                    control.take(step.merit.value);
                    (merit, report.error) = (step.merit, step.change);
                    (step.change <= f64::EPSILON).then_some(Status::Stagnation)
                }
                None => {
                    if settings.linver == LinearVariant::Diag {
                        memory.step.fill(Vec3::zeros());
                    }
                    (!control.raise()).then_some(Status::LineSearch)
                }
            };
            memory.merits.push(merit.value);
            memory.products.push(self.product.count());
            if merit.value < least {
                least = merit.value;
                memory.best.copy_from_slice(r);
            }
            if let Some(stuck) = stuck {
                break stuck;
            }
        };
        r.copy_from_slice(&memory.best);
        op.apply(r, u);
        let merit = self.measure.merit(op, r, u, parts);
        report.status = if !merit.finite {
            Status::NotFinite
        } else if merit.value <= settings.meritval {
            Status::Converged
        } else {
            stopped
        };
        (report.merit, report.residual) = (merit.value, merit.residual);
        report
    }

    fn linearise<D: Delassus>(&self, op: &D, r: &[Vec3], u: &[Vec3], delta: f64, out: &mut Vec<Row>) {
        let (diagonal, previous) = (op.diagonal(), op.previous());
        let row = |i: usize| {
            let w = &diagonal[i];
            let at = BlockState { conditions: self.measure.conditions, w, b: u[i] - w * r[i], v: previous[i].z };
            Row::new(&self.laws[i], &at, &self.measure.blocks[i], &r[i], self.omega, delta)
        };
        (0..r.len()).into_par_iter().with_min_len(GRAIN).map(row).collect_into_vec(out);
    }

    /// `memory.step` ← ΔR.
    fn direct<D: Delassus>(&mut self, op: &mut D, memory: &mut Memory, delta: f64) {
        let Memory { rows, step, basis, prescribed, .. } = memory;
        match self.settings.linver {
            LinearVariant::Gmres => {
                let limit = self.settings.linmaxiter.min(self.settings.maxmatvec - self.product.count());
                prescribed.prepare(op, self.laws, delta);
                let mut system = System { op, product: &mut self.product, rows, prescribed, delta };
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

    /// Takes the first step that lowers the merit enough, or else the best one that is admitted; `None`, and `r`, `u`
    /// as they were, if there is none.
    fn search<D: Delassus>(
        &mut self,
        op: &mut D,
        control: &Control,
        memory: &mut Memory,
        r: &mut [Vec3],
        u: &mut [Vec3],
        parts: &mut [f64],
    ) -> Option<Taken> {
        if !op.all(memory.step.iter().all(|x| x.iter().all(|x| x.is_finite()))) {
            memory.step.fill(Vec3::zeros());
            return None;
        }
        let mut tried = None;
        let mut best: Option<(f64, Merit)> = None;
        for length in LENGTHS {
            let merit = self.attempt(op, memory, length, r, parts);
            if !merit.finite || !control.admits(merit.value) {
                continue;
            }
            tried = Some(length);
            if best.is_none_or(|(_, least)| merit.value < least.value) {
                best = Some((length, merit));
            }
            if control.suffices(merit.value) {
                break;
            }
        }
        let (length, merit) = best?;
        if tried != Some(length) || !control.suffices(merit.value) {
            self.attempt(op, memory, length, r, parts);
        }
        let Memory { trial_r, trial_u, .. } = memory;
        let [change, size] = op.sum(|i| [(trial_r[i] - r[i]).norm_squared(), trial_r[i].norm_squared()]);
        r.copy_from_slice(trial_r);
        u.copy_from_slice(trial_u);
        Some(Taken { merit, change: (change / if size > 0.0 { size } else { 1.0 }).sqrt() })
    }

    /// The merit of a step of this length, which is made in `memory.trial_r`, `memory.trial_u`.
    fn attempt<D: Delassus>(
        &mut self,
        op: &mut D,
        memory: &mut Memory,
        length: f64,
        r: &[Vec3],
        parts: &mut [f64],
    ) -> Merit {
        let Memory { step, trial_r, trial_u, .. } = memory;
        product::rows(trial_r, |i| self.laws[i].clip(&(r[i] + step[i] * length)));
        self.product.velocity(op, trial_r, trial_u);
        self.measure.merit(op, trial_r, trial_u, parts)
    }
}
