//! Joints are held where the next step measures them (docs/theory.md, 8.1). The solver sees a velocity, which is
//! corrected between solves by what the turning of the bodies makes of it, until nothing changes.

use super::joints::law;
use super::warnings::Warnings;
use super::{Simulation, WarningKind, GRAIN};
use crate::body::Ahead;
use crate::comm;
use crate::dynamics::Delassus;
use crate::ids::BodyIndex;
use crate::math::{fill, Vec3};

/// Corrections of one step at most.
const CORRECTIONS: usize = 40;
/// Part of the change of the last correction above which another one does not help.
const PROGRESS: f64 = 0.8;
/// Change that is told when it is left, relative to what matters: a millionth of the distance from the mass centres.
const TOLD: f64 = 1e4;

/// What is known of the joints during the solves of a step.
#[derive(Debug, Default)]
pub(super) struct Corrections {
    /// Joints that the turning of bodies moves: places among the constraints that the solver sees.
    joints: Vec<usize>,
    /// Their bodies, ascending, and where the last solve takes them.
    bodies: Vec<BodyIndex>,
    ahead: Vec<Option<Ahead>>,
    /// For each joint: the curvature that the last solve has, and the one that its law had.
    velocity: Vec<Vec3>,
    given: Vec<Vec3>,
    /// Number of corrections so far, and the change that the next one would make, relative to what matters.
    made: usize,
    change: f64,
    missed: Option<Missed>,
}

/// The joint that the next step will find furthest from where its law put it.
#[derive(Debug, Clone, Copy)]
struct Missed {
    constraint: u32,
    /// [m]
    by: f64,
}

impl Corrections {
    /// Springs have changed: the corrections begin anew.
    pub fn begin_again(&mut self) {
        (self.made, self.change) = (0, f64::INFINITY);
    }
}

/// Whether joints are to be corrected once more: it would change so much relative to what matters, the one before
/// changed `last`, and so many were made.
pub(super) fn another(change: f64, last: f64, made: usize) -> bool {
    change > 1.0 && change <= PROGRESS * last && made < CORRECTIONS
}

impl Simulation {
    /// Finds the joints of this step.
    pub(super) fn begin_corrections(&mut self) {
        let work = &mut self.work;
        let constraint = |i: usize| &self.constraints[work.active[i] as usize];
        let corrections = &mut work.corrections;
        corrections.begin_again();
        corrections.missed = None;
        corrections.joints.clear();
        corrections.bodies.clear();
        if !work.compat_constraints.constraint_drift {
            corrections.joints.extend((0..work.active.len()).filter(|&i| constraint(i).bends));
            let ends = |&i: &usize| std::iter::once(&constraint(i).master).chain(&constraint(i).slave);
            corrections.bodies.extend(corrections.joints.iter().flat_map(ends).map(|end| end.body()));
            corrections.bodies.sort_unstable();
            corrections.bodies.dedup();
        }
        corrections.velocity.clear();
        corrections.velocity.extend(corrections.joints.iter().map(|&i| constraint(i).correction));
        corrections.given.clone_from(&corrections.velocity);
    }

    /// Whether there are joints to correct.
    pub(super) fn has_joints(&self) -> bool {
        !self.work.corrections.joints.is_empty()
    }

    /// After a solve: finds the curvatures and corrects the joints by them; false if another solve must follow.
    pub(super) fn correct_joints(&mut self, h: f64) -> bool {
        let change = self.find_curvatures(h);
        let [change] = comm::largest(&*self.comm, [change]);
        let corrections = &mut self.work.corrections;
        let last = std::mem::replace(&mut corrections.change, change);
        if !another(change, last, corrections.made) {
            return true;
        }
        corrections.made += 1;
        corrections.given.clone_from(&corrections.velocity);
        let step = self.constraint_step(h);
        let corrections = &self.work.corrections;
        for (&i, correction) in corrections.joints.iter().zip(&corrections.velocity) {
            let constraint = &self.constraints[self.work.active[i] as usize];
            let row = self.contacts.len() + i;
            let v = &self.work.operator.previous()[row];
            let prescription = constraint.prescription(&step, &self.series, v, correction);
            self.work.laws[row] = law(constraint, &prescription, &step, v);
        }
        false
    }

    /// The curvatures of the last solve; returns how far they are from those of the laws, relative to what matters.
    fn find_curvatures(&mut self, h: f64) -> f64 {
        let (bodies, work) = (&self.bodies, &mut self.work);
        let corrections = &mut work.corrections;
        work.operator.exchange(&work.r);
        let reactions = work.operator.reactions(&work.r, &work.slot);
        let held = &corrections.bodies;
        fill(&mut corrections.ahead, held.len(), GRAIN, |k| bodies.ahead(held[k], h, &reactions));
        let (held, ahead) = (&corrections.bodies, &corrections.ahead);
        let ahead = |body: BodyIndex| ahead[held.binary_search(&body).ok()?].as_ref();
        let first = self.contacts.len();
        let (mut worst, mut missed, mut unsolved) = (0.0_f64, None, 0.0_f64);
        let known = corrections.velocity.iter_mut().zip(&corrections.given);
        for (&i, (velocity, given)) in corrections.joints.iter().zip(known) {
            let (k, u) = (work.active[i], &work.u[first + i]);
            let found = self.constraints[k as usize].curvature(h, u, ahead);
            *velocity = found.velocity;
            unsolved = unsolved.max(h * work.laws[first + i].missed(u));
            let change = found.change_from(given, h);
            if change > worst {
                let by = h * (found.velocity - given).norm();
                (worst, missed) = (change, Some(Missed { constraint: k, by }));
            }
        }
        // What the solver leaves of its tolerance cannot be corrected.
        corrections.missed = missed.filter(|missed| worst > TOLD && missed.by > unsolved);
        worst
    }

    /// Joints remember the curvature of this step.
    pub(super) fn remember_corrections(&mut self) {
        let corrections = &self.work.corrections;
        for (&i, velocity) in corrections.joints.iter().zip(&corrections.velocity) {
            self.constraints[self.work.active[i] as usize].correction = *velocity;
        }
    }

    /// What to tell of joints whose corrections did not converge.
    pub(super) fn warn_of_joints(&self, warnings: &mut Warnings) {
        let Some(Missed { constraint, by }) = self.work.corrections.missed else { return };
        warnings.note(WarningKind::Joints, 0, by, || {
            let name = self.name_of_constraint(&self.constraints[constraint as usize]);
            format!(
                "joints: their corrections did not converge: the next step finds {name} {by:.3e} m from where it is held; \
                 try a smaller step"
            )
        });
    }
}
