//! The stopping criterion of the precise methods, which keeps the best iterate.

use super::Local;
use crate::dynamics::Delassus;
use crate::math::Vec3;
use crate::solver::compliant::Site;
use crate::solver::law::ResidualForm;
use crate::solver::merit::Measure;
use crate::solver::SiconosError;

/// What ends a solve.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Goal {
    /// Merit g (docs/theory.md, (9.1)) at most this.
    Merit(f64),
    /// `err_siconos` ([`crate::solver::siconos_error`]) at most this; for
    /// problems of other codes.
    Siconos(f64),
}

/// Least tolerance: ratios to it stay finite.
const LEAST_GOAL: f64 = 1e-290;
/// Part of a merit that methods aim at: the one that is reported is computed anew, and rounding makes it another.
const AIM: f64 = 0.9;

impl Goal {
    pub(super) fn tolerance(self) -> f64 {
        match self {
            // Below this, ratios overflow and the best iterate could not be chosen.
            Goal::Merit(tolerance) => (AIM * tolerance).max(LEAST_GOAL),
            Goal::Siconos(tolerance) => tolerance.max(LEAST_GOAL),
        }
    }

    /// The measure of `r` with `u = B + W R`; `parts` are those of the merit.
    pub(super) fn measure<D: Delassus>(
        self,
        op: &D,
        merit: &Measure,
        r: &[Vec3],
        u: &[Vec3],
        parts: &mut [f64],
    ) -> f64 {
        match self {
            Goal::Merit(_) => merit.merit(op, r, u, parts).value,
            Goal::Siconos(_) => siconos(op, merit, r, u),
        }
    }
}

/// `err_siconos` of the contacts, with restitution and cohesion shifted out; other constraints add the velocity by
/// which they violate their law to the absolute error.
fn siconos<D: Delassus>(op: &D, merit: &Measure, r: &[Vec3], u: &[Vec3]) -> f64 {
    let n = r.len();
    let (mut q, mut reaction, mut velocity, mut mu) = (vec![Vec3::zeros(); n], r.to_vec(), u.to_vec(), vec![0.0; n]);
    let mut others = 0.0;
    for (i, law) in merit.laws.iter().enumerate() {
        let (w, block, v) = (&op.diagonal()[i], &merit.blocks[i], op.previous()[i].z);
        if let ResidualForm::Cone { friction, bounce, cohesion } = law.form_at(w, block, v) {
            mu[i] = friction;
            reaction[i].z += cohesion;
            velocity[i].z += bounce;
            q[i] = op.free()[i] + Vec3::new(0.0, 0.0, bounce);
        } else {
            let at = Site { conditions: &merit.conditions, w, v };
            others += law.violation(&at, block, &r[i], &u[i], merit.variant).1.powi(2);
            (reaction[i], velocity[i]) = (Vec3::zeros(), Vec3::zeros());
        }
    }
    let error = SiconosError::over(op, &q, &mu, &reaction, &velocity);
    let [others] = op.total([others]);
    let absolute = error.absolute.hypot(others.sqrt());
    if error.absolute > 0.0 {
        error.relative * (absolute / error.absolute)
    } else {
        absolute
    }
}

/// Measures iterates of a [`Local`] problem and keeps the best, or the last one that reaches the goal.
pub struct StoppingCriterion<'a> {
    merit: Measure<'a>,
    goal: Goal,
    /// Of the best and of the last iterate, over the tolerance: reached at 1.
    pub best_value: f64,
    pub last_value: f64,
    /// The best iterate, in the unknowns of [`Local`].
    pub best: Vec<Vec3>,
    r: Vec<Vec3>,
    u: Vec<Vec3>,
    parts: Vec<f64>,
}

impl<'a> StoppingCriterion<'a> {
    pub fn new(merit: Measure<'a>, goal: Goal) -> Self {
        let n = merit.laws.len();
        let (r, u, best) = (vec![Vec3::zeros(); n], vec![Vec3::zeros(); n], vec![Vec3::zeros(); n]);
        StoppingCriterion {
            merit,
            goal,
            best_value: f64::INFINITY,
            last_value: f64::INFINITY,
            best,
            r,
            u,
            parts: vec![0.0; n],
        }
    }

    /// Whether the goal is reached at `r`, `u` of `local`, or was before. Collective.
    pub fn reached<D: Delassus>(&mut self, op: &D, local: &Local, r: &[Vec3], u: &[Vec3]) -> bool {
        for i in 0..r.len() {
            self.r[i] = r[i] - Vec3::new(0.0, 0.0, local.cohesion[i]);
            self.u[i] = u[i] - Vec3::new(0.0, 0.0, local.bounce[i]);
        }
        let measure = self.goal.measure(op, &self.merit, &self.r, &self.u, &mut self.parts);
        self.last_value = over(measure, self.goal.tolerance());
        if self.last_value < self.best_value || self.last_value <= 1.0 {
            self.best_value = self.last_value;
            self.best.copy_from_slice(r);
        }
        self.best_value <= 1.0
    }
}

/// Stops what no longer makes progress: the value must fall by a half within some iterations.
#[derive(Debug, Clone, Copy)]
pub struct Patience {
    least: f64,
    since: u32,
    limit: u32,
}

impl Patience {
    pub fn new(value: f64, limit: u32) -> Self {
        Patience { least: value, since: 0, limit }
    }

    /// Whether the iteration ends with `value` at this iteration.
    pub fn ends(&mut self, value: f64, iteration: u32) -> bool {
        if value < 0.5 * self.least {
            (self.least, self.since) = (value, iteration);
        }
        iteration > self.since + self.limit
    }
}

/// `measure / tolerance`, at most 1 exactly when the measure is at most the tolerance.
pub(super) fn over(measure: f64, tolerance: f64) -> f64 {
    if measure <= tolerance {
        (measure / tolerance.max(f64::MIN_POSITIVE)).min(1.0)
    } else if measure.is_nan() {
        f64::INFINITY
    } else {
        (measure / tolerance).max(1.0 + f64::EPSILON)
    }
}
