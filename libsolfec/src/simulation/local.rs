//! The local dynamics of a step: which bodies move, which constraints act between them, and by which law.

use super::attach::{attach, drifts, list_slots};
use super::joints::row_of_constraint;
use super::{Simulation, GRAIN};
use crate::body::MaterialPoint;
use crate::contact::Contact;
use crate::dynamics::Row;
use crate::ids::Slot;
use crate::material::{SurfaceMaterial, SurfaceModel};
use crate::math::{fill, Vec3};
use crate::model::SolverSettings;
use crate::solver::{Compliance, Law};

impl Simulation {
    /// Fills the operator with the bodies that move and the constraints between them.
    pub(super) fn fill_local_dynamics(&mut self, h: f64) {
        let work = &mut self.work;
        let bodies = &self.bodies;
        list_slots(bodies, &mut work.slot);
        let slots = &work.slot;
        let at = |point: &MaterialPoint, here: &Vec3| attach(bodies, slots, point, here);
        let row = |c: &Contact| {
            let [master, slave] = [&c.master, &c.slave].map(|side| at(&side.material(), &side.point));
            let [drift, drift_before] = drifts(&c.base, &master, Some(&slave));
            Row { pair: c.key.bodies, base: c.base, master: master.end, slave: Some(slave.end), drift, drift_before }
        };
        let contacts = &self.contacts;
        fill(&mut work.rows, contacts.len(), GRAIN, |i| row(&contacts[i]));
        work.rows.extend(work.active.iter().map(|&k| row_of_constraint(bodies, &self.constraints[k as usize], at)));
        let moving = bodies.indices().filter(|i| slots[i.index()] != Slot::NONE);
        work.operator.fill(h, moving.map(|i| bodies.inertia(i)), &work.rows);
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
