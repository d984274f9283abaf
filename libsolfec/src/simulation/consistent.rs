//! Velocities that violate new constraints are projected onto them, once, by impulses: the laws of a step would let the
//! error ring.

use std::sync::Arc;

use super::attach::Hold;
use super::joints::{fill_row, holds_obstacle};
use super::local::TOO_MANY_POINTS;
use super::ranks::{place_of_constraint, Place};
use super::warnings::Warnings;
use super::{Simulation, WarningKind};
use crate::body::{Forces, Inertia};
use crate::comm;
use crate::constraint::Constraint;
use crate::dynamics::{Copies, Delassus, RankOperator, Row};
use crate::ids::{BodyIndex, Slot};
use crate::math::Vec3;
use crate::model::Joint;
use crate::solver;
use crate::{Error, Result};

/// Velocities that miss by less than this part of those at the constraints are consistent.
const CONSISTENT: f64 = 1e-9;

impl Simulation {
    /// Changes the velocities of the start of a step so that they satisfy the constraints made since the last one; what
    /// others hold or drive goes on as it was.
    ///
    /// # Errors
    /// Copies of bodies that ranks exchange are garbled.
    pub(super) fn project_velocities(&mut self, h: f64, warnings: &mut Warnings) -> Result<()> {
        let legacy = self.work.compat_constraints.constraint_drift;
        let fresh = self.constraints.iter().any(|constraint| constraint.fresh && constraint.holds());
        let fresh = comm::any(&*self.comm, fresh);
        if legacy || !fresh || !self.stepping.inertial {
            return Ok(());
        }
        // Inverse inertia at the configuration of t.
        self.bodies.look_at_present();
        self.bodies.free_velocity(h, &Vec3::zeros());
        self.project_obstacles(h, warnings);
        self.refresh_copies()?;
        self.bodies.look_at_present();
        self.bodies.free_velocity(h, &Vec3::zeros());
        self.list_slots();
        let slots = self.work.slot.clone();
        let (rows, constraints) = self.rows_at_start(&slots);
        let moving = self.bodies.indices().filter(|i| slots[i.index()] != Slot::NONE);
        let mut operator = RankOperator::new(Arc::clone(&self.comm));
        let copies = Copies { homes: &self.work.homes, ids: &self.work.ids, partners: &self.ranks.partners };
        let bodies = moving.map(|i| still(self.bodies.inertia(i)));
        if self.work.reproducible {
            let own: Vec<Place> = constraints.iter().map(|&k| place_of_constraint(&self.constraints[k])).collect();
            if !operator.fill_together(1.0, bodies, &rows, &copies, self.places_among_all(&own)?)? {
                return Err(Error::input(TOO_MANY_POINTS));
            }
        } else {
            operator.fill(1.0, bodies, &rows, &copies);
        }

        let wrong = |i: usize| {
            let constraint = &self.constraints[constraints[i]];
            if !(constraint.fresh && constraint.holds()) {
                Vec3::zeros()
            } else if constraint.scalar() {
                Vec3::new(0.0, 0.0, operator.previous()[i].z)
            } else {
                operator.previous()[i]
            }
        };
        let residual: Vec<Vec3> = (0..rows.len()).map(|i| -wrong(i)).collect();
        let none = self.no_speed(&constraints, h);
        let mut worst = (0, 0.0);
        for (i, r) in residual.iter().enumerate() {
            if r.norm() > worst.1 {
                worst = (i, r.norm());
            }
        }
        let [size, none] = comm::largest(&*self.comm, [worst.1, none]);
        let leads = comm::leads(&*self.comm, worst.1);
        if size <= none {
            return Ok(());
        }
        let scalar: Vec<bool> = constraints.iter().map(|&k| self.constraints[k].scalar()).collect();
        let impulses = if self.work.reproducible {
            Self::impulses_together(&mut operator, &scalar, residual)?
        } else {
            solver::impulses(&mut operator, &scalar, residual)
        };
        operator.exchange(&impulses);
        let impulses = operator.reactions(&impulses, &slots);
        let receive = |body: &BodyIndex| {
            let mut any = false;
            impulses.on(*body, &mut |_| any = true);
            any
        };
        let changed: Vec<BodyIndex> = self.bodies.indices().filter(receive).collect();
        changed.into_iter().for_each(|body| self.remember_velocity(body));
        self.bodies.apply_impulses(&impulses);
        if let Some(&k) = constraints.get(worst.0).filter(|_| leads) {
            self.warn_of_projection(k, size, warnings);
        }
        self.refresh_copies()
    }

    /// Warns of velocities that were changed, most at this constraint.
    pub(super) fn warn_of_projection(&self, constraint: usize, size: f64, warnings: &mut Warnings) {
        let constraint = &self.constraints[constraint];
        warnings.note(WarningKind::Velocities, constraint.row.into(), size, || {
            let name = self.name_of_constraint(constraint);
            format!("velocities violated new constraints and were projected; largest change {size:.3e} m/s at {name}")
        });
    }

    /// Rows of all constraints but springs at the configuration of t, and which constraints they are.
    fn rows_at_start(&mut self, slots: &[Slot]) -> (Vec<Row>, Vec<usize>) {
        let (mut rows, mut constraints) = (Vec::new(), Vec::new());
        let bodies = &self.bodies;
        for (k, constraint) in self.constraints.iter_mut().enumerate() {
            constraint.place(bodies);
            if !matches!(constraint.joint, Joint::Spring { .. }) && !holds_obstacle(bodies, constraint) {
                let mut row = Row::default();
                fill_row(&mut row, constraint, Hold { bodies, slots });
                row.drift = row.drift_before;
                rows.push(row);
                constraints.push(k);
            }
        }
        (rows, constraints)
    }

    /// What counts as no speed at these constraints in a step of length `h` [s]: a small part of the speeds of their
    /// points, or a move that their coordinates round off [m/s].
    pub(super) fn no_speed(&self, constraints: &[usize], h: f64) -> f64 {
        let of_constraint = |&k: &usize| {
            let constraint = &self.constraints[k];
            (CONSISTENT * self.speed_at(constraint)).max(f64::EPSILON * constraint.farthest() / h)
        };
        constraints.iter().map(of_constraint).fold(0.0, f64::max)
    }

    /// A bound of the speed of its points at the start of the step [m/s].
    fn speed_at(&self, constraint: &Constraint) -> f64 {
        let speed = |end: &crate::constraint::End| self.bodies.speed_bound(&end.at, &end.point);
        speed(&constraint.master).max(constraint.slave.as_ref().map_or(0.0, speed))
    }
}

/// The body with its velocity of t and no loads.
fn still(of: Inertia<'_>) -> Inertia<'_> {
    match of {
        Inertia::Rigid { inverse_mass, inverse_inertia, previous, .. } => {
            Inertia::Rigid { inverse_mass, inverse_inertia, free: previous, previous }
        }
        Inertia::Affine { inverse_mass, inverse, previous, .. } => {
            Inertia::Affine { inverse_mass, inverse, free: previous, previous }
        }
        Inertia::Condensed(body) => Inertia::Condensed(body),
    }
}
