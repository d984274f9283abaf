//! Velocities that do not suit new constraints are made to, once, by impulses: the laws of a step would let the error ring
//! (constraints-solvers-parallel.md 2.1, 2.4).

use super::joints::{holds_obstacle, row_of_tie};
use super::local::{attach, kinetics};
use super::Simulation;
use crate::body::{self, Environment, Motion, Resultant};
use crate::constraint::Tie;
use crate::dynamics::{BodyOperator, Delassus, Kinetics, Row, NO_SLOT};
use crate::math::Vec3;
use crate::model::{Analysis, BodyKind, Joint};

/// Velocities that miss by less than this part of those at the constraints are consistent.
pub(super) const CONSISTENT: f64 = 1e-9;
/// Part of the first residual at which conjugate gradients end.
const TOLERANCE: f64 = 1e-15;
/// Directions on which `W` acts by less than this part of its largest diagonal block are those of constraints that disagree.
const NULL: f64 = 1e-13;

impl Simulation {
    /// Changes the velocities of the start of a step so that they suit the constraints made since the last one; what others hold
    /// or drive goes on as it was.
    pub(super) fn suit_velocities(&mut self, h: f64, warnings: &mut Vec<(&'static str, String)>) {
        let legacy = self.work.compat_ties.constraint_drift;
        let fresh = self.ties.iter().any(|tie| tie.fresh && holds(tie));
        if legacy || !fresh || self.analysis == Analysis::QuasiStatic {
            return;
        }
        // Inverse inertia at the configuration of t.
        self.bodies.free_velocity(h, &Environment { gravity: Vec3::zeros(), loads: None });
        self.suit_obstacles(warnings);
        let mut motions = Vec::new();
        self.bodies.motions_into(&mut motions);
        let slots = self.slots();
        let (rows, ties) = self.rows_at_start(&motions, &slots);
        let dynamic = (0..self.bodies.len()).filter(|&i| slots[i] != NO_SLOT);
        let mut operator = BodyOperator::new();
        operator.fill(1.0, dynamic.map(|i| still(kinetics(self.bodies.kinetics(i)))), &rows);

        let wrong = |i: usize| match &self.ties[ties[i]] {
            tie if !(tie.fresh && holds(tie)) => Vec3::zeros(),
            tie if tie.scalar() => Vec3::new(0.0, 0.0, operator.previous()[i].z),
            _ => operator.previous()[i],
        };
        let residual: Vec<Vec3> = (0..rows.len()).map(|i| -wrong(i)).collect();
        let scale = ties.iter().map(|&k| self.speed_at(&self.ties[k])).fold(0.0, f64::max);
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
        let scalar: Vec<bool> = ties.iter().map(|&k| self.ties[k].scalar()).collect();
        let impulses = conjugate_gradients(&mut operator, &scalar, residual);
        let mut by_slot = Vec::new();
        operator.resultants(&impulses, &mut by_slot);
        for (i, &slot) in slots.iter().enumerate().filter(|(_, &slot)| slot != NO_SLOT) {
            let impulse: &Resultant = &by_slot[slot as usize];
            if *impulse != Resultant::zero() {
                self.bodies.kick(i, impulse);
            }
        }
        warnings.push(self.unsuited(ties[worst], size));
    }

    /// The warning of velocities that were changed, most at this tie.
    pub(super) fn unsuited(&self, tie: usize, size: f64) -> (&'static str, String) {
        let name = self.name_of_tie(&self.ties[tie]);
        let text =
            format!("velocities did not suit new constraints and were changed; worst by {size:.3e} m/s at {name}");
        ("velocities", text)
    }

    /// Slot of each body in an operator, [`NO_SLOT`] for obstacles.
    fn slots(&self) -> Vec<u32> {
        let mut slots = 0;
        let mut slot = |i: usize| {
            if self.bodies.kind(i) == BodyKind::Obstacle {
                return NO_SLOT;
            }
            slots += 1;
            slots - 1
        };
        (0..self.bodies.len()).map(&mut slot).collect()
    }

    /// Rows of all ties but springs at the motions of t, and which ties they are.
    fn rows_at_start(&mut self, motions: &[Motion], slots: &[u32]) -> (Vec<Row>, Vec<usize>) {
        let (mut rows, mut ties) = (Vec::new(), Vec::new());
        let bodies = &self.bodies;
        let at = |body: u32, point: &Vec3, reference: &Vec3| {
            let mut attached = attach(bodies, motions, slots, body, point, reference);
            attached.free = attached.previous;
            attached
        };
        for (k, tie) in self.ties.iter_mut().enumerate() {
            tie.place(|body| motions[body as usize]);
            if !matches!(tie.joint, Joint::Spring { .. }) && !holds_obstacle(bodies, tie) {
                rows.push(row_of_tie(bodies, tie, at));
                ties.push(k);
            }
        }
        (rows, ties)
    }

    /// A bound of the speed of its points at the start of the step [m/s].
    pub(super) fn speed_at(&self, tie: &Tie) -> f64 {
        let speed = |end: &crate::constraint::End| {
            let body = end.body as usize;
            let motion = self.bodies.motion(body);
            match self.bodies.kinetics(body) {
                body::Kinetics::Obstacle { previous, .. } | body::Kinetics::Rigid { previous, .. } => {
                    previous.linear.norm() + previous.angular.norm() * (end.point - motion.x).norm()
                }
                body::Kinetics::PseudoRigid { previous, .. } => {
                    previous.v.norm() + previous.fdot.norm() * (end.reference - motion.x0).norm()
                }
            }
        };
        speed(&tie.master).max(tie.slave.as_ref().map_or(0.0, speed))
    }
}

/// Whether it is a constraint whose error would ring.
pub(super) fn holds(tie: &Tie) -> bool {
    matches!(tie.joint, Joint::FixPoint { .. } | Joint::FixDirection { .. } | Joint::RigidLink { .. })
}

/// The body with its velocity of t and no loads.
fn still(of: Kinetics<'_>) -> Kinetics<'_> {
    match of {
        Kinetics::Rigid { inv_mass, inv_inertia, previous, .. } => {
            Kinetics::Rigid { inv_mass, inv_inertia, free: previous, previous }
        }
        Kinetics::Pseudo { inv_mass, inverse, previous, .. } => {
            Kinetics::Pseudo { inv_mass, inverse, free: previous, previous }
        }
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
