//! The local dynamics of a step in the words of the operator and of the solver: what moves, what touches, by which law.

use rayon::prelude::*;

use super::joints::row_of_tie;
use super::Simulation;
use crate::body::{self, AffineRate, Bodies, Motion, PseudoInverse, Twist};
use crate::contact::Contact;
use crate::dynamics::{End, Inverse, Kinetics, PseudoVelocity, Row, NO_SLOT};
use crate::material::{SurfaceMaterial, SurfaceModel};
use crate::math::{Mat3, Vec3};
use crate::model::{Analysis, BodyKind, SolverSettings};
use crate::solver::{Compliance, Law};

/// Contacts under which a loop is not worth splitting among threads.
pub(super) const GRAIN: usize = 512;

impl Simulation {
    /// Tells the operator what moves and what touches.
    pub(super) fn fill_local_dynamics(&mut self, h: f64) {
        let work = &mut self.work;
        let bodies = &self.bodies;
        let mut slots = 0;
        work.slot.clear();
        work.slot.extend((0..bodies.len()).map(|i| {
            if bodies.kind(i) == BodyKind::Obstacle {
                return NO_SLOT;
            }
            slots += 1;
            slots - 1
        }));
        let (motions, slot) = (&work.motions, &work.slot);
        let at = |body: u32, point: &Vec3, reference: &Vec3| attach(bodies, motions, slot, body, point, reference);
        let row = |c: &Contact| {
            let [master, slave] = [&c.master, &c.slave].map(|side| at(side.body.0, &side.point, &side.reference));
            Row {
                pair: (c.key.bodies[0].0, c.key.bodies[1].0),
                base: c.base,
                master: master.end,
                slave: Some(slave.end),
                drift: c.base.tr_mul(&(master.free - slave.free)),
                drift_before: c.base.tr_mul(&(master.previous - slave.previous)),
            }
        };
        self.contacts.par_iter().with_min_len(GRAIN).map(row).collect_into_vec(&mut work.rows);
        work.rows.extend(work.active.iter().map(|&k| row_of_tie(bodies, &self.ties[k as usize], at)));
        let dynamic = (0..bodies.len()).filter(|&i| slot[i] != NO_SLOT);
        work.operator.fill(h, dynamic.map(|i| kinetics(bodies.kinetics(i))), &work.rows);
    }

    /// The law of every contact under this solver, then those of user constraints.
    pub(super) fn fill_laws(&mut self, h: f64, solver: &SolverSettings) {
        // All contacts of the penalty solver are compliant, whatever their model (constraints-solvers-parallel.md 7).
        let compliant = matches!(solver, SolverSettings::Penalty(_));
        let (surface, dynamic) = (&self.surface, self.analysis == Analysis::Dynamic);
        let law = |c: &Contact| {
            let material = &surface[c.material as usize];
            if compliant || material.model == SurfaceModel::SpringDashpot {
                return spring_dashpot(material, c);
            }
            Law::Coulomb {
                friction: material.friction,
                restitution: if dynamic { material.restitution } else { 0.0 },
                cohesion: c.cohesion,
                closing: if dynamic { 0.0 } else { c.gap.max(0.0) / h },
            }
        };
        self.contacts.par_iter().with_min_len(GRAIN).map(law).collect_into_vec(&mut self.work.laws);
        self.fill_tie_laws(h);
    }
}

fn spring_dashpot(material: &SurfaceMaterial, contact: &Contact) -> Law {
    Law::SpringDashpot(Compliance {
        gap: contact.gap,
        spring: material.spring,
        dashpot: material.dashpot,
        hpow: material.hpow,
        friction: material.friction,
        cohesion: contact.cohesion,
    })
}

/// The end of a constraint, and the spatial velocities that an obstacle contributes there at t+h and at t.
pub(super) struct Attached {
    pub end: End,
    pub free: Vec3,
    pub previous: Vec3,
}

/// Attaches a constraint to a body at a spatial point, which is the image of this referential one.
pub(super) fn attach(
    bodies: &Bodies,
    motions: &[Motion],
    slot: &[u32],
    body: u32,
    point: &Vec3,
    reference: &Vec3,
) -> Attached {
    let index = body as usize;
    let motion = &motions[index];
    let arm = point - motion.x;
    let on_body = |arm: Vec3| Attached {
        end: End::Body { slot: slot[index], arm },
        free: Vec3::zeros(),
        previous: Vec3::zeros(),
    };
    match bodies.kinetics(index) {
        body::Kinetics::Rigid { .. } => on_body(arm),
        body::Kinetics::PseudoRigid { .. } => on_body(reference - motion.x0),
        body::Kinetics::Obstacle { free, previous, .. } => {
            let at = |t: &Twist| t.linear + t.angular.cross(&arm);
            Attached { end: End::Fixed, free: at(&free), previous: at(&previous) }
        }
    }
}

/// Kinetics of a dynamic body in the words of the operator.
pub(super) fn kinetics(of: body::Kinetics<'_>) -> Kinetics<'_> {
    let velocity = |rate: AffineRate| PseudoVelocity { gradient: rate.fdot, linear: rate.v };
    match of {
        body::Kinetics::Obstacle { free, previous, .. } => {
            Kinetics::Rigid { inv_mass: 0.0, inv_inertia: Mat3::zeros(), free, previous }
        }
        body::Kinetics::Rigid { inverse_mass, inverse_inertia, free, previous } => {
            Kinetics::Rigid { inv_mass: inverse_mass, inv_inertia: inverse_inertia, free, previous }
        }
        body::Kinetics::PseudoRigid { inverse_mass, inverse, free, previous } => Kinetics::Pseudo {
            inv_mass: inverse_mass,
            inverse: match inverse {
                PseudoInverse::Rows(inverse) => Inverse::Euler(*inverse),
                // Symmetric, so its columns are its rows.
                PseudoInverse::Full(inverse) => match inverse.as_slice().first_chunk() {
                    Some(entries) => Inverse::Full(entries),
                    None => unreachable!("a 9×9 matrix has 81 entries"),
                },
            },
            free: velocity(free),
            previous: velocity(previous),
        },
    }
}
