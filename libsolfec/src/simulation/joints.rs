//! User constraints in a step: what they are attached to, their laws, what becomes of them.

use super::attach::Hold;
use super::{Simulation, GRAIN};
use crate::body::{Axes, Bodies};
use crate::constraint::{self, at_moment, Catalogue, Constraint, Prescription};
use crate::dynamics::{Delassus, End, Row};
use crate::frame::{Event, EventKind};
use crate::ids::{BodyIndex, CatalogueRow};
use crate::math::{each, Vec3};
use crate::model::{ConstraintRow, Insertion, Joint, SpringLaw};
use crate::solver::{Elastic, Law, Link};
use crate::Result;

impl Simulation {
    /// New constraints.
    pub(super) fn insert_constraints(&mut self, rows: &Insertion<ConstraintRow>) -> Result<()> {
        let own = self.constraints_to_make(&rows.rows)?;
        let catalogue = Catalogue {
            bodies: &self.bodies,
            stepping: self.stepping,
            series: self.series.len(),
            epsilon: self.settings.epsilon,
            time: self.clock.now(),
            first: self.runs == 0,
        };
        let first = self.next_constraint;
        self.next_constraint += rows.rows.len() as u64;
        let numbered = (first..).zip(rows.numbered()).zip(own);
        for ((id, (row, of)), _) in numbered.filter(|(_, own)| *own) {
            self.constraints.push(Constraint::new(row, id, of, &catalogue)?);
        }
        Ok(())
    }

    /// A constraint goes; row of the model's table. One that broke is gone already.
    pub(super) fn delete_constraint(&mut self, row: u32) -> Result<()> {
        self.work.stale = true;
        self.constraints.retain(|constraint| constraint.row != row);
        Ok(())
    }

    /// A body has been given another velocity, which its constraints are to suit.
    pub(super) fn refresh_constraints(&mut self, body: BodyIndex) {
        self.constraints
            .iter_mut()
            .filter(|constraint| constraint.on(body))
            .for_each(|constraint| constraint.fresh = true);
    }

    /// A body has been put elsewhere, where its constraints hold it from now on.
    pub(super) fn resettle_constraints(&mut self, body: BodyIndex) {
        let (bodies, epsilon, time) = (&self.bodies, self.settings.epsilon, self.clock.now());
        for constraint in self.constraints.iter_mut().filter(|constraint| constraint.on(body)) {
            constraint.resettle(bodies, epsilon, time);
        }
    }

    /// User constraints that exist now, in order of their rows.
    pub fn constraints(&self) -> &[Constraint] {
        &self.constraints
    }

    /// Whether a step must call user functions for springs.
    pub(super) fn joints_call_functions(&self) -> bool {
        let calls =
            |constraint: &Constraint| matches!(constraint.joint, Joint::Spring { law: SpringLaw::Function { .. }, .. });
        self.constraints.iter().any(calls)
    }

    /// The step that begins now, for the demands of constraints.
    pub(super) fn constraint_step(&self, h: f64) -> constraint::Step {
        constraint::Step { time: self.clock.now(), h, stepping: self.stepping, compat: self.work.compat_constraints }
    }

    /// Moves the constraints to the measured configuration, and chooses those that the solver is to see: all but those
    /// that only hold an obstacle.
    pub(super) fn place_constraints(&mut self) {
        let (bodies, work, now) = (&self.bodies, &mut self.work, self.clock.now());
        let legacy = work.compat_constraints.constraint_drift;
        each(&mut self.constraints, GRAIN, |_, constraint| {
            constraint.place(bodies);
            if !legacy {
                constraint.take_length(now);
            }
        });
        work.active.clear();
        work.active.extend(
            (0..).zip(&self.constraints).filter(|(_, constraint)| !holds_obstacle(bodies, constraint)).map(|(k, _)| k),
        );
    }

    /// Laws of the constraints that the solver sees; rows of the operator after the contacts.
    pub(super) fn fill_constraint_laws(&mut self, h: f64) {
        let step = self.constraint_step(h);
        let work = &mut self.work;
        let previous = &work.operator.previous()[self.contacts.len()..];
        for (&k, v) in work.active.iter().zip(previous) {
            let constraint = &mut self.constraints[k as usize];
            let prescription = constraint.prescription(&step, &self.series, v, &constraint.correction);
            constraint.note(&prescription);
            work.laws.push(law(constraint, &prescription, &step, v));
        }
    }

    /// Gives the solution to the constraints.
    pub(super) fn take_constraint_reactions(&mut self) {
        let work = &self.work;
        let previous = work.operator.previous();
        for (i, &k) in (self.contacts.len()..).zip(&work.active) {
            let constraint = &mut self.constraints[k as usize];
            (constraint.r, constraint.u, constraint.v, constraint.merit) =
                (work.r[i], work.u[i], previous[i], work.merit[i]);
        }
        self.remember_corrections();
        for constraint in &mut self.constraints {
            (constraint.fresh, constraint.lag) = (false, constraint.aim);
        }
    }

    /// Velocities across the normal at the end of the step that the solver has left open: those of the bodies.
    pub(super) fn complete_velocities(&mut self) {
        let work = &mut self.work;
        for (i, &k) in (self.contacts.len()..).zip(&work.active) {
            let End::Point { point, axes: Axes::One(_), .. } = work.rows[i].master else {
                continue;
            };
            if !work.operator.leaves_tangents_open(i) {
                continue;
            }
            let constraint = &mut self.constraints[k as usize];
            let velocity = constraint.base.tr_mul(&self.bodies.velocity_at(&point));
            (constraint.u.x, constraint.u.y) = (velocity.x, velocity.y);
            work.u[i] = constraint.u;
        }
    }

    /// Removes the constraints whose reaction was more than they bear.
    pub(super) fn break_constraints(&mut self) {
        if !self.constraints.iter().any(Constraint::breaks) {
            return;
        }
        for constraint in self.constraints.iter().filter(|constraint| constraint.breaks()) {
            let row = |end: &constraint::End| self.bodies.row(end.body());
            self.events.push(Event {
                time: self.clock.now(),
                kind: EventKind::LinkBroken,
                body: row(&constraint.master),
                parent: constraint.slave.as_ref().map_or(CatalogueRow::NONE, row),
            });
        }
        self.constraints.retain(|constraint| !constraint.breaks());
        self.work.stale = true;
    }

    /// `PUT_SPRING (deck line 12) between body 1 'A' and body 2 'B'`, for messages.
    pub(super) fn name_of_constraint(&self, constraint: &Constraint) -> String {
        let place = if constraint.line > 0 { format!(" (deck line {})", constraint.line) } else { String::new() };
        let master = self.name(constraint.master.body());
        match constraint.slave {
            Some(slave) => {
                format!("{}{place} between {master} and {}", constraint.command(), self.name(slave.body()))
            }
            None => format!("{}{place} of {master}", constraint.command()),
        }
    }
}

/// Whether it acts on nothing but an obstacle.
pub(super) fn holds_obstacle(bodies: &Bodies, constraint: &Constraint) -> bool {
    constraint.slave.is_none() && bodies.is_obstacle(constraint.master.body())
}

/// The row of the local dynamics.
pub(super) fn fill_row(row: &mut Row, constraint: &Constraint, hold: Hold) {
    let first = hold.bodies.id(constraint.master.body());
    let second = constraint.slave.as_ref().map_or(first, |slave| hold.bodies.id(slave.body()));
    row.pair = [first.min(second), first.max(second)];
    (row.contact, row.base) = (false, constraint.base);
    let slave = constraint.slave.as_ref().map(|slave| (&slave.at, &slave.point));
    hold.attach(row, (&constraint.master.at, &constraint.master.point), slave);
    if let (true, End::Point { axes, .. }) = (constraint.prescribes_normal(), &mut row.master) {
        *axes = Axes::along(&row.base.column(2).into());
    }
}

/// What the solver sees of a constraint whose local velocity is `v` at the start of the step.
pub(super) fn law(constraint: &Constraint, prescription: &Prescription, step: &constraint::Step, v: &Vec3) -> Law {
    match *prescription {
        Prescription::Velocity3(target) => Law::Velocity3 { target },
        Prescription::Velocity(target) => Law::Velocity { target },
        Prescription::Link { length, distance, reach } => Law::Link(Link { length, distance, reach }),
        Prescription::Spring => Law::Spring(elastic(constraint, step, v.z)),
    }
}

/// A linear spring, and the stops of any: the stroke may not be beyond a limit where the next step measures it. The
/// force of other laws is found in the course of the solve.
fn elastic(constraint: &Constraint, step: &constraint::Step, v: f64) -> Elastic {
    let Joint::Spring { law, limits, .. } = constraint.joint else { unreachable!("only springs demand a force") };
    let [lower, upper] = limits.map(|limit| (limit - constraint.moved.z) / step.h);
    let moment = at_moment(constraint, step, v);
    let (force, slope) = match law {
        SpringLaw::Linear { stiffness, damping } => {
            (-stiffness * moment.stroke - damping * moment.rate, -stiffness * moment.reach - damping * moment.share)
        }
        SpringLaw::Table { .. } | SpringLaw::Function { .. } => (0.0, 0.0),
    };
    Elastic { force, slope, at: 0.0, lower, upper }
}
