//! User constraints in a step: what they are attached to, their laws, what becomes of them.

use rayon::prelude::*;

use super::local::{Attached, GRAIN};
use super::Simulation;
use crate::body::{Bodies, MaterialPoint};
use crate::constraint::{self, at_moment, Catalogue, Demand, Tie};
use crate::dynamics::{Delassus, Row};
use crate::frame::{Event, EventKind, NO_BODY};
use crate::ids::BodyIndex;
use crate::math::Vec3;
use crate::model::{ConstraintRow, Insertion, Joint, SpringLaw};
use crate::solver::{Elastic, Law, Link};
use crate::Result;

impl Simulation {
    /// New constraints.
    pub(super) fn insert_constraints(&mut self, rows: &Insertion<ConstraintRow>) -> Result<()> {
        let catalogue = Catalogue {
            bodies: &self.bodies,
            stepping: self.stepping,
            series: self.series.len(),
            epsilon: self.settings.epsilon,
            time: self.clock.now(),
            first: self.runs == 0,
        };
        for (row, of) in rows.numbered() {
            self.ties.push(Tie::new(row, self.next_constraint, of, &catalogue)?);
            self.next_constraint += 1;
        }
        Ok(())
    }

    /// A constraint goes; row of the model's table. One that broke is gone already.
    pub(super) fn delete_constraint(&mut self, row: u32) -> Result<()> {
        self.work.stale = true;
        self.ties.retain(|tie| tie.row != row);
        Ok(())
    }

    /// A body has been given another velocity, which its constraints are to suit.
    pub(super) fn refresh_ties(&mut self, body: BodyIndex) {
        self.ties.iter_mut().filter(|tie| tie.on(body)).for_each(|tie| tie.fresh = true);
    }

    /// A body has been put elsewhere, where its constraints hold it from now on.
    pub(super) fn resettle_ties(&mut self, body: BodyIndex) {
        let (bodies, epsilon, time) = (&self.bodies, self.settings.epsilon, self.clock.now());
        for tie in self.ties.iter_mut().filter(|tie| tie.on(body)) {
            tie.resettle(bodies, epsilon, time);
        }
    }

    /// User constraints that exist now, in order of their rows.
    pub fn ties(&self) -> &[Tie] {
        &self.ties
    }

    /// Whether a step must call user functions for springs.
    pub(super) fn joints_call_functions(&self) -> bool {
        let calls = |tie: &Tie| matches!(tie.joint, Joint::Spring { law: SpringLaw::Function { .. }, .. });
        self.ties.iter().any(calls)
    }

    /// The step that begins now, for the demands of constraints.
    pub(super) fn demand_step(&self, h: f64) -> constraint::Step {
        constraint::Step { time: self.clock.now(), h, stepping: self.stepping, compat: self.work.compat_ties }
    }

    /// Notes where the constraints stand at the start of a step.
    pub(super) fn begin_ties(&mut self) {
        let bodies = &self.bodies;
        let ties = self.ties.par_iter_mut().with_min_len(GRAIN);
        ties.for_each(|tie| tie.begin(bodies));
    }

    /// Moves the constraints to the measured configuration, and chooses those that the solver is to see: all but those that
    /// only hold an obstacle.
    pub(super) fn place_ties(&mut self) {
        let (bodies, work) = (&self.bodies, &mut self.work);
        let ties = self.ties.par_iter_mut().with_min_len(GRAIN);
        ties.for_each(|tie| tie.place(bodies));
        work.active.clear();
        work.active.extend((0..).zip(&self.ties).filter(|(_, tie)| !holds_obstacle(bodies, tie)).map(|(k, _)| k));
    }

    /// Laws of the constraints that the solver sees; rows of the operator after the contacts.
    pub(super) fn fill_tie_laws(&mut self, h: f64) {
        let step = self.demand_step(h);
        let work = &mut self.work;
        let previous = &work.operator.previous()[self.contacts.len()..];
        for (&k, v) in work.active.iter().zip(previous) {
            let tie = &mut self.ties[k as usize];
            let demand = tie.demand(&step, &self.series, v);
            tie.note(&demand);
            work.laws.push(match demand {
                Demand::Velocity3(target) => Law::Velocity3 { target },
                Demand::Velocity(target) => Law::Velocity { target },
                Demand::Link { length, distance, reach } => Law::Link(Link { length, distance, reach }),
                Demand::Spring => Law::Spring(elastic(tie, &step, v.z)),
            });
        }
    }

    /// Gives the solution to the constraints.
    pub(super) fn take_tie_reactions(&mut self) {
        let work = &self.work;
        let previous = work.operator.previous();
        for (i, &k) in (self.contacts.len()..).zip(&work.active) {
            let tie = &mut self.ties[k as usize];
            (tie.r, tie.u, tie.v, tie.merit) = (work.r[i], work.u[i], previous[i], work.merit[i]);
        }
        for tie in &mut self.ties {
            tie.fresh = false;
        }
    }

    /// Removes the constraints whose reaction was more than they bear.
    pub(super) fn break_ties(&mut self) {
        for tie in self.ties.iter().filter(|tie| tie.breaks()) {
            let row = |end: &constraint::End| self.bodies.row(end.body()).0;
            self.events.push(Event {
                time: self.clock.now(),
                kind: EventKind::LinkBroken,
                body: row(&tie.master),
                parent: tie.slave.as_ref().map_or(NO_BODY, row),
            });
        }
        let all = self.ties.len();
        self.ties.retain(|tie| !tie.breaks());
        self.work.stale |= self.ties.len() < all;
    }

    /// `PUT_SPRING (deck line 12) between body 1 'A' and body 2 'B'`, for messages.
    pub(super) fn name_of_tie(&self, tie: &Tie) -> String {
        let place = if tie.line > 0 { format!(" (deck line {})", tie.line) } else { String::new() };
        let master = self.name(tie.master.body());
        match tie.slave {
            Some(slave) => {
                format!("{}{place} between {master} and {}", tie.command(), self.name(slave.body()))
            }
            None => format!("{}{place} of {master}", tie.command()),
        }
    }
}

/// Whether it acts on nothing but an obstacle.
pub(super) fn holds_obstacle(bodies: &Bodies, tie: &Tie) -> bool {
    tie.slave.is_none() && bodies.is_obstacle(tie.master.body())
}

/// The row of the local dynamics.
pub(super) fn row_of_tie(bodies: &Bodies, tie: &Tie, at: impl Fn(&MaterialPoint, &Vec3) -> Attached) -> Row {
    let end = |end: &constraint::End| at(&end.at, &end.point);
    let master = end(&tie.master);
    let slave = tie.slave.as_ref().map(end);
    let first = bodies.id(tie.master.body()).0;
    let second = tie.slave.map_or(first, |slave| bodies.id(slave.body()).0);
    let still = [Vec3::zeros(); 2];
    let [after, before] = slave.as_ref().map_or(still, |slave| [slave.free, slave.previous]);
    Row {
        pair: (first.min(second), first.max(second)),
        base: tie.base,
        master: master.end,
        slave: slave.map(|slave| slave.end),
        drift: tie.base.tr_mul(&(master.free - after)),
        drift_before: tie.base.tr_mul(&(master.previous - before)),
    }
}

/// A linear spring, and the stops of any: a spring beyond a limit may not move on outwards. The force of other laws is found
/// in the course of the solve.
fn elastic(tie: &Tie, step: &constraint::Step, v: f64) -> Elastic {
    let Joint::Spring { law, limits, .. } = tie.joint else { unreachable!("only springs demand a force") };
    let lower = if tie.moved.z < limits[0] { 0.0 } else { f64::NEG_INFINITY };
    let upper = if tie.moved.z > limits[1] { 0.0 } else { f64::INFINITY };
    let moment = at_moment(tie, step, v);
    let (force, slope) = match law {
        SpringLaw::Linear { stiffness, damping } => {
            (-stiffness * moment.stroke - damping * moment.rate, -stiffness * moment.reach - damping * moment.share)
        }
        _ => (0.0, 0.0),
    };
    Elastic { force, slope, at: 0.0, lower, upper }
}
