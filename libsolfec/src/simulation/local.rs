//! The local dynamics of a step: which bodies move, which constraints act between them, and by which law.

use super::attach::{list_slots, Hold};
use super::joints::fill_row;
use super::{Simulation, GRAIN};
use crate::contact::Contact;
use crate::dynamics::{Copies, Row};
use crate::ids::Slot;
use crate::material::{SurfaceMaterial, SurfaceModel};
use crate::math::{each, fill};
use crate::model::SolverSettings;
use crate::solver::{Compliance, Law};
use crate::{Error, Result};

/// A reproducible run needs the whole matrix.
pub(super) const TOO_MANY_POINTS: &str =
    "a body of finite elements has too many nodes in contact for the dense matrix that \
                               reproducible runs need; leave --deterministic out";

impl Simulation {
    /// Fills the operator with the bodies that move and the constraints between them, for this solver. Collective.
    ///
    /// # Errors
    /// Messages between processes are garbled.
    pub(super) fn fill_local_dynamics(&mut self, h: f64, solver: &SolverSettings) -> Result<()> {
        self.list_slots();
        let work = &mut self.work;
        let bodies = &self.bodies;
        let slots = &work.slot;
        let hold = Hold { bodies, slots };
        let contacts = &self.contacts;
        // Rows are filled where they are: they are long, and copies of them cost more than what is in them.
        work.rows.resize(contacts.len() + work.active.len(), Row::default());
        let (of_contacts, of_constraints) = work.rows.split_at_mut(contacts.len());
        each(of_contacts, GRAIN, |i, row| {
            let c = &contacts[i];
            (row.pair, row.contact, row.base) = (c.key.bodies, true, c.base);
            let [master, slave] = [&c.master, &c.slave].map(|side| (side.material(), &side.point));
            hold.attach(row, (&master.0, master.1), Some((&slave.0, slave.1)));
        });
        for (row, &k) in of_constraints.iter_mut().zip(&work.active) {
            fill_row(row, &self.constraints[k as usize], hold);
        }
        self.fill_operator(h, solver, self.is_to_be_whole(solver))
    }

    /// The same of rows that are filled; `together`: each rank gets the problem of all, unless a body has too many points
    /// for it. Collective.
    ///
    /// # Errors
    /// Messages between processes are garbled.
    pub(super) fn fill_operator(&mut self, h: f64, solver: &SolverSettings, together: bool) -> Result<()> {
        let places = if together { Some(self.places_among_all(&self.row_places())?) } else { None };
        let (bodies, work) = (&self.bodies, &mut self.work);
        let slots = &work.slot;
        let moving = bodies.indices().filter(|i| slots[i.index()] != Slot::NONE);
        work.operator.expect_factors(solver.factorises());
        let copies = Copies { homes: &work.homes, ids: &work.ids, partners: &self.ranks.partners };
        let bodies = moving.map(|i| bodies.inertia(i));
        match places {
            Some(places) => {
                if !work.operator.fill_together(h, bodies, &work.rows, &copies, places)? && work.reproducible {
                    return Err(Error::input(TOO_MANY_POINTS));
                }
            }
            None => work.operator.fill(h, bodies, &work.rows, &copies),
        }
        Ok(())
    }

    /// Gives slots to the bodies that move.
    pub(super) fn list_slots(&mut self) {
        let (bodies, work) = (&self.bodies, &mut self.work);
        list_slots(bodies, &mut work.slot);
        work.homes.clear();
        work.ids.clear();
        for (home, body) in self.ranks.home.iter().zip(bodies.indices()) {
            if work.slot[body.index()] != Slot::NONE {
                work.homes.push(*home);
                work.ids.push(bodies.id(body));
            }
        }
    }

    /// The law of every contact under this solver, then those of user constraints.
    pub(super) fn fill_laws(&mut self, h: f64, solver: &SolverSettings) {
        // All contacts of the penalty solver are compliant, whatever their model.
        let compliant = matches!(solver, SolverSettings::Penalty(_));
        let (surface, stepping) = (&self.surface, self.stepping);
        let law = |c: &Contact| {
            let material = &surface[c.material as usize];
            if compliant || material.model == SurfaceModel::SpringDashpot {
                return spring_dashpot(material, c);
            }
            Law::Coulomb {
                friction: material.friction,
                restitution: stepping.restitution * material.restitution,
                cohesion: c.cohesion,
                closing: stepping.closing * c.gap.max(0.0) / h,
            }
        };
        let contacts = &self.contacts;
        fill(&mut self.work.laws, contacts.len(), GRAIN, |i| law(&contacts[i]));
        self.fill_constraint_laws(h);
    }
}

fn spring_dashpot(material: &SurfaceMaterial, contact: &Contact) -> Law {
    let share = 1.0 / f64::from(contact.points);
    Law::SpringDashpot(Compliance {
        gap: contact.gap,
        spring: share * material.spring,
        dashpot: share * material.dashpot,
        hpow: material.hpow,
        friction: material.friction,
        cohesion: contact.cohesion,
    })
}
