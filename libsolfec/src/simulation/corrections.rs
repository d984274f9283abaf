//! Joints are held where the next step measures them (docs/theory.md, 8.1). The solver sees a velocity, which is
//! corrected between solves by what the turning of the bodies makes of it, until nothing changes.

use rayon::prelude::*;

use super::joints::law;
use super::{Simulation, GRAIN};
use crate::body::Ahead;
use crate::comm;
use crate::dynamics::Delassus;
use crate::ids::BodyIndex;
use crate::math::Vec3;

/// Corrections of one step at most.
const CORRECTIONS: usize = 10;
/// Part of the change of the last correction above which another one does not help.
const PROGRESS: f64 = 0.5;

/// What is known of the joints during the solves of a step.
#[derive(Debug, Default)]
pub(super) struct Corrections {
    /// Bodies that joints hold, ascending, and where the last solve takes them.
    bodies: Vec<BodyIndex>,
    ahead: Vec<Option<Ahead>>,
    /// For each constraint that the solver sees: the curvature that the last solve has.
    pub velocity: Vec<Vec3>,
    /// Number of corrections so far, and the change that the last one made, relative to what matters.
    made: usize,
    change: f64,
}

/// Whether joints are to be corrected once more: the last correction changed so much relative to what matters, the one
/// before it `last`, and so many were made.
pub(super) fn another(change: f64, last: f64, made: usize) -> bool {
    change > 1.0 && change <= PROGRESS * last && made < CORRECTIONS
}

impl Simulation {
    /// Finds the joints of this step.
    pub(super) fn begin_corrections(&mut self) {
        let work = &mut self.work;
        let constraints = work.active.iter().map(|&k| &self.constraints[k as usize]);
        let corrections = &mut work.corrections;
        (corrections.made, corrections.change) = (0, f64::INFINITY);
        corrections.velocity.clear();
        corrections.velocity.extend(constraints.clone().map(|constraint| constraint.correction));
        corrections.bodies.clear();
        if !work.compat_constraints.constraint_drift {
            let held = constraints.filter(|constraint| constraint.holds());
            let ends = held.flat_map(|constraint| std::iter::once(&constraint.master).chain(&constraint.slave));
            corrections.bodies.extend(ends.map(|end| end.body()));
            corrections.bodies.sort_unstable();
            corrections.bodies.dedup();
        }
    }

    /// Whether there are joints to correct.
    pub(super) fn has_joints(&self) -> bool {
        !self.work.corrections.bodies.is_empty()
    }

    /// After a solve: finds the curvatures and corrects the joints by them; false if another solve must follow.
    pub(super) fn correct_joints(&mut self, h: f64) -> bool {
        let change = self.find_curvatures(h);
        let [change] = comm::largest(&*self.comm, [change]);
        let corrections = &mut self.work.corrections;
        let last = std::mem::replace(&mut corrections.change, change);
        if !another(change, last, corrections.made) {
            corrections.made = CORRECTIONS;
            return true;
        }
        corrections.made += 1;
        let step = self.constraint_step(h);
        for (i, &k) in self.work.active.iter().enumerate() {
            let constraint = &self.constraints[k as usize];
            if constraint.holds() {
                let row = self.contacts.len() + i;
                let (v, correction) = (&self.work.operator.previous()[row], &self.work.corrections.velocity[i]);
                let prescription = constraint.prescription(&step, &self.series, v, correction);
                self.work.laws[row] = law(constraint, &prescription, &step, v);
            }
        }
        false
    }

    /// The curvatures of the last solve; returns their largest change relative to what matters.
    fn find_curvatures(&mut self, h: f64) -> f64 {
        let (bodies, work) = (&self.bodies, &mut self.work);
        let corrections = &mut work.corrections;
        let reactions = work.operator.reactions(&work.r, &work.slot);
        let held = corrections.bodies.par_iter().with_min_len(GRAIN);
        held.map(|body| bodies.ahead(*body, h, &reactions)).collect_into_vec(&mut corrections.ahead);
        let (held, ahead) = (&corrections.bodies, &corrections.ahead);
        let ahead = |body: BodyIndex| ahead[held.binary_search(&body).ok()?].as_ref();
        let u = &work.u[self.contacts.len()..];
        let mut change = 0.0_f64;
        for ((&k, u), velocity) in work.active.iter().zip(u).zip(&mut corrections.velocity) {
            let constraint = &self.constraints[k as usize];
            if constraint.holds() {
                let found = constraint.curvature(h, u, ahead);
                change = change.max(found.change_from(velocity, h));
                *velocity = found.velocity;
            }
        }
        change
    }
}
