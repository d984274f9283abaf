//! Material points, and the forces that bodies receive at them.

use crate::ids::{BodyIndex, ObjectIndex};
use crate::math::Vec3;
use serde::{Deserialize, Serialize};

pub use crate::shape::{NO_ELEMENT, NO_NODE};

/// A point of a body.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct MaterialPoint {
    pub body: BodyIndex,
    /// The convex part that it lies on, or [`ObjectIndex::NONE`].
    pub object: ObjectIndex,
    /// Element of the mesh of that part, or [`NO_ELEMENT`].
    pub element: u32,
    /// Place in the reference configuration [m].
    pub reference: Vec3,
}

/// How a constraint holds on to a body.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Attachment {
    /// The body does not respond to forces; spatial velocities of the point at t+h and at t [m/s].
    Driven { free: Vec3, previous: Vec3 },
    /// The body responds through its mass centre [m]: spatial arm at the configuration of detection in rigid form,
    /// referential arm in affine form.
    Arm(Vec3),
    /// The body responds at its own points (condensed form).
    Point(MaterialPoint),
}

/// A force on a body in the terms of its attachment.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct PointForce {
    pub at: Attachment,
    /// Spatial [N], or an impulse [N s].
    pub force: Vec3,
}

/// Forces at material points of bodies, averaged over a step.
pub trait Forces: Sync {
    /// Calls `take` for each force on the body, always in the same order.
    fn on(&self, body: BodyIndex, take: &mut dyn FnMut(&PointForce));

    /// Sums over the forces on the body and over their moments, `Σ f` [N] and `Σ a × f` [N m] at arms `a`, in their
    /// order.
    fn wrench(&self, body: BodyIndex) -> [Vec3; 2] {
        let mut sum = [Vec3::zeros(); 2];
        self.on(body, &mut |PointForce { at, force }| {
            if let Attachment::Arm(arm) = at {
                sum[0] += force;
                sum[1] += arm.cross(force);
            }
        });
        sum
    }
}

/// No forces on any body.
pub struct NoForces;

impl Forces for NoForces {
    fn on(&self, _body: BodyIndex, _take: &mut dyn FnMut(&PointForce)) {}
}
