//! Velocities that violate new constraints are projected onto them, once, by impulses: the laws of a step would let the error
//! ring.

use super::joints::{holds_obstacle, row_of_constraint};
use super::local::{attach, list_slots};
use super::Simulation;
use crate::body::{Forces, Inertia, MaterialPoint};
use crate::constraint::Constraint;
use crate::dynamics::{BodyOperator, Delassus, Row};
use crate::ids::{BodyIndex, Slot};
use crate::math::Vec3;
use crate::model::Joint;

/// Velocities that miss by less than this part of those at the constraints are consistent.
pub(super) const CONSISTENT: f64 = 1e-9;
/// Part of the first residual at which conjugate gradients end.
const TOLERANCE: f64 = 1e-15;
/// Directions on which `W` acts by less than this part of its largest diagonal block are those of constraints that disagree.
const NULL: f64 = 1e-13;

impl Simulation {
    /// Changes the velocities of the start of a step so that they satisfy the constraints made since the last one; what others hold
    /// or drive goes on as it was.
    pub(super) fn project_velocities(&mut self, h: f64, warnings: &mut Vec<(&'static str, String)>) {
        let legacy = self.work.compat_constraints.constraint_drift;
        let fresh = self.constraints.iter().any(|constraint| constraint.fresh && constraint.holds());
        if legacy || !fresh || !self.stepping.inertial {
            return;
        }
        // Inverse inertia at the configuration of t.
        self.bodies.free_velocity(h, &Vec3::zeros());
        self.project_obstacles(warnings);
        let mut slots = Vec::new();
        list_slots(&self.bodies, &mut slots);
        let (rows, constraints) = self.rows_at_start(&slots);
        let moving = self.bodies.indices().filter(|i| slots[i.index()] != Slot::NONE);
        let mut operator = BodyOperator::new();
        operator.fill(1.0, moving.map(|i| still(self.bodies.inertia(i))), &rows);

        let wrong = |i: usize| match &self.constraints[constraints[i]] {
            constraint if !(constraint.fresh && constraint.holds()) => Vec3::zeros(),
            constraint if constraint.scalar() => Vec3::new(0.0, 0.0, operator.previous()[i].z),
            _ => operator.previous()[i],
        };
        let residual: Vec<Vec3> = (0..rows.len()).map(|i| -wrong(i)).collect();
        let scale = constraints.iter().map(|&k| self.speed_at(&self.constraints[k])).fold(0.0, f64::max);
        let (worst, size) =
            residual.iter().map(|r| r.norm()).enumerate().fold(
                (0, 0.0),
                |best, next| {
                    if next.1 > best.1 {
                        next
                    } else {
                        best
                    }
                },
            );
        if size <= CONSISTENT * scale {
            return;
        }
        let scalar: Vec<bool> = constraints.iter().map(|&k| self.constraints[k].scalar()).collect();
        let impulses = conjugate_gradients(&mut operator, &scalar, residual);
        let impulses = operator.reactions(&impulses, &slots);
        let receive = |body: &BodyIndex| {
            let mut any = false;
            impulses.on(*body, &mut |_| any = true);
            any
        };
        let changed: Vec<BodyIndex> = self.bodies.indices().filter(receive).collect();
        changed.into_iter().for_each(|body| self.remember_velocity(body));
        self.bodies.apply_impulses(&impulses);
        warnings.push(self.projection_warning(constraints[worst], size));
    }

    /// The warning of velocities that were changed, most at this constraint.
    pub(super) fn projection_warning(&self, constraint: usize, size: f64) -> (&'static str, String) {
        let name = self.name_of_constraint(&self.constraints[constraint]);
        let text =
            format!("velocities did not suit new constraints and were changed; worst by {size:.3e} m/s at {name}");
        ("velocities", text)
    }

    /// Rows of all constraints but springs at the configuration of t, and which constraints they are.
    fn rows_at_start(&mut self, slots: &[Slot]) -> (Vec<Row>, Vec<usize>) {
        let (mut rows, mut constraints) = (Vec::new(), Vec::new());
        let bodies = &self.bodies;
        let at = |point: &MaterialPoint, here: &Vec3| {
            let mut attached = attach(bodies, slots, point, here);
            attached.free = attached.previous;
            attached
        };
        for (k, constraint) in self.constraints.iter_mut().enumerate() {
            constraint.place(bodies);
            if !matches!(constraint.joint, Joint::Spring { .. }) && !holds_obstacle(bodies, constraint) {
                rows.push(row_of_constraint(bodies, constraint, at));
                constraints.push(k);
            }
        }
        (rows, constraints)
    }

    /// A bound of the speed of its points at the start of the step [m/s].
    pub(super) fn speed_at(&self, constraint: &Constraint) -> f64 {
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

/// Impulses `P` of `W P = residual` in the components that constraints have. `W` may be singular; constraints that agree have a
/// solution all the same, others a compromise.
fn conjugate_gradients(operator: &mut BodyOperator, scalar: &[bool], mut residual: Vec<Vec3>) -> Vec<Vec3> {
    let n = residual.len();
    let free = operator.free().to_vec();
    let dot = |a: &[Vec3], b: &[Vec3]| -> f64 { a.iter().zip(b).map(|(a, b)| a.dot(b)).sum() };
    let mut impulses = vec![Vec3::zeros(); n];
    let mut product = vec![Vec3::zeros(); n];
    let mut direction = residual.clone();
    let mut size = dot(&residual, &residual);
    let enough = size * TOLERANCE * TOLERANCE;
    let largest = operator.diagonal().iter().map(|w| w.trace()).fold(0.0, f64::max);
    for _ in 0..3 * n + 10 {
        if size <= enough {
            break;
        }
        operator.apply(&direction, &mut product);
        for (i, p) in product.iter_mut().enumerate() {
            *p -= free[i];
            if scalar[i] {
                (p.x, p.y) = (0.0, 0.0);
            }
        }
        let curvature = dot(&direction, &product);
        if curvature <= NULL * largest * dot(&direction, &direction) {
            break;
        }
        let length = size / curvature;
        for i in 0..n {
            impulses[i] += direction[i] * length;
            residual[i] -= product[i] * length;
        }
        let next = dot(&residual, &residual);
        for i in 0..n {
            direction[i] = residual[i] + direction[i] * (next / size);
        }
        size = next;
    }
    impulses
}
