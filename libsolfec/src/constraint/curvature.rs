//! By how much the measure of a joint, or the place of a point of prescribed velocity, changes until the next step
//! measures it, beyond `h U`: bodies turn, and U is a velocity of this step's configuration (docs/theory.md, 8.1).

use super::{Constraint, End};
use crate::body::Ahead;
use crate::ids::BodyIndex;
use crate::math::Vec3;
use crate::model::Joint;

/// Error of the measure, relative to the distance of the joint from the mass centres, that need not be corrected. What
/// is left has one sign in a steady motion and does work in every step.
const TOLERANCE: f64 = 1e-10;
/// The same relative to the coordinates of its points: rounding.
const ROUNDING: f64 = 8.0 * f64::EPSILON;

/// The measure will be `moved + h (U + velocity)`; of links, its length `|z + h U| + h velocity`.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Curvature {
    /// Local components that the joint constrains [m/s].
    pub velocity: Vec3,
    /// Error of the measure that matters [m].
    pub tolerance: f64,
}

impl Curvature {
    /// By how much it moves the measure of a step of length `h` [s] for which it was thought to be `before`, relative
    /// to the error that matters.
    pub fn change_from(&self, before: &Vec3, h: f64) -> f64 {
        (self.velocity - before).norm() * h / self.tolerance.max(f64::MIN_POSITIVE)
    }
}

impl Constraint {
    /// Whether it holds its measure where it is: fixed points, glue, fixed directions, links.
    pub fn holds(&self) -> bool {
        match self.joint {
            Joint::FixPoint { .. } | Joint::FixDirection { .. } | Joint::RigidLink { .. } => true,
            Joint::Drive { .. } | Joint::Drive3 { .. } | Joint::Spring { .. } => false,
        }
    }

    /// Whether the curvature of the paths of its points belongs to what it demands: joints and prescribed motions.
    pub fn sees_curvature(&self) -> bool {
        match self.joint {
            Joint::FixPoint { .. }
            | Joint::FixDirection { .. }
            | Joint::Drive { .. }
            | Joint::Drive3 { .. }
            | Joint::RigidLink { .. } => true,
            Joint::Spring { .. } => false,
        }
    }

    /// The curvature in a step of length `h` [s] that finds the velocity `u`; `ahead` says where the reactions of the
    /// step take a body. Follows [`Constraint::place`].
    pub fn curvature<'a>(&self, h: f64, u: &Vec3, ahead: impl Fn(BodyIndex) -> Option<&'a Ahead>) -> Curvature {
        let mut tolerance = 0.0_f64;
        let mut bend = |end: &End| {
            let Some(ahead) = ahead(end.body()) else { return Vec3::zeros() };
            let (point, at) = (&end.given.reference, &end.at.reference);
            let mut lever = ahead.arm(point).norm();
            if point != at {
                lever = lever.max(ahead.arm(at).norm());
            }
            tolerance = tolerance.max(TOLERANCE * lever).max(ROUNDING * end.point.amax());
            ahead.bend(point, at, h)
        };
        let bend = bend(&self.master) - self.slave.as_ref().map_or(Vec3::zeros(), &mut bend);
        // The way between the points if they went straight on.
        let straight = self.base * (self.moved + self.origin + u * h);
        let change = match self.joint {
            Joint::FixPoint { .. } | Joint::Drive3 { .. } => self.base.tr_mul(&bend),
            Joint::Drive { .. } => Vec3::new(0.0, 0.0, self.base.column(2).dot(&bend)),
            Joint::FixDirection { .. } => {
                let normal = self.base.column(2).into_owned();
                let turned = ahead(self.master.body()).map_or(normal, |ahead| self.normal_in(&ahead.next));
                Vec3::new(0.0, 0.0, normal.dot(&bend) + (turned - normal).dot(&(straight + bend)))
            }
            // |y + b| − |y| without cancellation.
            Joint::RigidLink { .. } => {
                let sum = (straight + bend).norm() + straight.norm();
                Vec3::new(0.0, 0.0, (2.0 * straight + bend).dot(&bend) / sum.max(f64::MIN_POSITIVE))
            }
            Joint::Spring { .. } => Vec3::zeros(),
        };
        Curvature { velocity: change / h, tolerance }
    }
}
