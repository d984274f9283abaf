//! The local dynamics of the last step as plain data.

use super::Simulation;
use crate::comm;
use crate::dynamics::{Delassus, WholeMatrix};
use crate::ids::BodyIndex;
use crate::model::constraint_kind;
use crate::solver::{LocalDynamics, LocalRow};
use crate::{Error, Result};

impl Simulation {
    /// The local dynamics of these steps, counted from 1, are kept when they are made.
    pub fn keep_local_dynamics(&mut self, steps: Vec<u64>) {
        self.work.wanted_dumps = steps;
    }

    /// Those of the last step, if they were to be kept, as they were before anything broke or left.
    pub fn kept_local_dynamics(&mut self) -> Option<LocalDynamics> {
        self.work.kept_dump.take()
    }

    pub(super) fn keep_dump(&mut self) {
        let wanted = self.work.wanted_dumps.contains(&self.steps);
        self.work.kept_dump = if wanted { self.local_dynamics().ok() } else { None };
    }

    /// The local dynamics of the last step: contacts, then the user constraints that the solver saw; on several ranks
    /// those of all, on each of them. Collective.
    ///
    /// # Errors
    /// No step has been made, or bodies or constraints have gone since; the same on all ranks.
    pub fn local_dynamics(&self) -> Result<LocalDynamics> {
        let rows = comm::agree(&*self.comm, self.local_rows())?;
        let (work, operator) = (&self.work, &self.work.operator);
        self.bring_together(LocalDynamics {
            h: self.last_h,
            time: self.clock.now(),
            analysis: self.analysis,
            energy: work.energy,
            rows,
            w: operator.assemble(),
            free: operator.free().to_vec(),
            previous: operator.previous().to_vec(),
            u: work.u.clone(),
            r: work.r.clone(),
            merit: work.merit.clone(),
        })
    }

    fn local_rows(&self) -> Result<Vec<LocalRow>> {
        let work = &self.work;
        if self.steps == 0 {
            return Err(Error::input("there are no local dynamics before the first step"));
        }
        if work.laws.len() != self.contacts.len() + work.active.len() || work.stale {
            return Err(Error::input(
                "bodies or constraints have gone since the last step, or it was made before a restart; take its local dynamics \
                 before",
            ));
        }
        let id = |body: BodyIndex| self.bodies.id(body).0;
        let mut rows: Vec<LocalRow> = Vec::with_capacity(work.laws.len());
        for (contact, law) in self.contacts.iter().zip(&work.laws) {
            let (master, slave) = (contact.master.body, contact.slave.body);
            rows.push(LocalRow {
                id: contact.id,
                kind: constraint_kind::CONTACT,
                master: id(master),
                slave: Some(id(slave)),
                point: contact.master.point,
                base: contact.base,
                law: *law,
                name: format!("contact between {} and {}", self.name(master), self.name(slave)),
            });
        }
        for (&k, law) in work.active.iter().zip(&work.laws[self.contacts.len()..]) {
            let constraint = &self.constraints[k as usize];
            rows.push(LocalRow {
                id: constraint.id,
                kind: constraint.kind(),
                master: id(constraint.master.body()),
                slave: constraint.slave.map(|slave| id(slave.body())),
                point: constraint.master.point,
                base: constraint.base,
                law: *law,
                name: self.name_of_constraint(constraint),
            });
        }
        Ok(rows)
    }
}
