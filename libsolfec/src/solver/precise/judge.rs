//! When a solve is done, and the best iterate on the way.

use super::Local;
use crate::dynamics::Delassus;
use crate::math::Vec3;
use crate::solver::law::Form;
use crate::solver::merit::Measure;
use crate::solver::{siconos_error_of, Law};

/// What ends a solve.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Goal {
    /// Merit g of constraints-solvers-parallel.md 6 at most this.
    Merit(f64),
    /// `err_siconos` ([`crate::solver::siconos_error`]) at most this; frictional contacts only.
    Siconos(f64),
}

impl Goal {
    pub(super) fn tolerance(self) -> f64 {
        match self {
            Goal::Merit(tolerance) | Goal::Siconos(tolerance) => tolerance,
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
            Goal::Siconos(_) => siconos(op, merit.laws, r, u),
        }
    }
}

/// `err_siconos` of the contacts with restitution and cohesion shifted out.
fn siconos<D: Delassus>(op: &D, laws: &[Law], r: &[Vec3], u: &[Vec3]) -> f64 {
    let (mut q, mut r, mut u) = (op.free().to_vec(), r.to_vec(), u.to_vec());
    let mut mu = vec![0.0; laws.len()];
    for (i, law) in laws.iter().enumerate() {
        if let Form::Cone { friction, bounce, cohesion } = law.form(op.previous()[i].z) {
            mu[i] = friction;
            r[i].z += cohesion;
            u[i].z += bounce;
            q[i].z += bounce;
        }
    }
    siconos_error_of(&q, &mu, &r, &u).relative
}

/// Measures iterates of a [`Local`] problem and keeps the best.
pub struct Judge<'a, D> {
    op: &'a D,
    merit: Measure<'a>,
    goal: Goal,
    /// Of the best iterate, over the tolerance: reached at 1.
    pub best_value: f64,
    /// The best iterate, in the unknowns of [`Local`].
    pub best: Vec<Vec3>,
    r: Vec<Vec3>,
    u: Vec<Vec3>,
    parts: Vec<f64>,
}

impl<'a, D: Delassus> Judge<'a, D> {
    pub fn new(op: &'a D, merit: Measure<'a>, goal: Goal) -> Self {
        let n = op.len();
        let (r, u, best) = (vec![Vec3::zeros(); n], vec![Vec3::zeros(); n], vec![Vec3::zeros(); n]);
        Judge { op, merit, goal, best_value: f64::INFINITY, best, r, u, parts: vec![0.0; n] }
    }

    /// Whether the goal is reached at `r`, `u` of `local`, or was before.
    pub fn reached(&mut self, local: &Local, r: &[Vec3], u: &[Vec3]) -> bool {
        for i in 0..r.len() {
            self.r[i] = r[i] - Vec3::new(0.0, 0.0, local.cohesion[i]);
            self.u[i] = u[i] - Vec3::new(0.0, 0.0, local.bounce[i]);
        }
        let measure = self.goal.measure(self.op, &self.merit, &self.r, &self.u, &mut self.parts);
        let value = over(measure, self.goal.tolerance());
        if value < self.best_value {
            self.best_value = value;
            self.best.copy_from_slice(r);
        }
        self.best_value <= 1.0
    }
}

/// `measure / tolerance`, at most 1 exactly when the measure is at most the tolerance.
pub(super) fn over(measure: f64, tolerance: f64) -> f64 {
    match measure <= tolerance {
        true => (measure / tolerance.max(f64::MIN_POSITIVE)).min(1.0),
        false if measure.is_nan() => f64::INFINITY,
        false => (measure / tolerance).max(1.0 + f64::EPSILON),
    }
}
