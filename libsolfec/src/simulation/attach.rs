//! How constraints hold on to bodies: slots in the operator, ends of rows, and the velocities of ends that are driven.

use crate::body::{Attachment, Bodies, MaterialPoint};
use crate::dynamics::End;
use crate::ids::Slot;
use crate::math::Vec3;

/// The end of a constraint, and the spatial velocities that a fixed end contributes there at t+h and at t.
pub(super) struct Attached {
    pub end: End,
    pub free: Vec3,
    pub previous: Vec3,
}

/// Attaches a constraint to a point of a body that is `here` now; `slots` are the slots by dense index.
pub(super) fn attach(bodies: &Bodies, slots: &[Slot], point: &MaterialPoint, here: &Vec3) -> Attached {
    let attachment = bodies.attach(point, here);
    let end = End::new(slots[point.body.index()], attachment);
    match attachment {
        Attachment::Driven { free, previous } => Attached { end, free, previous },
        Attachment::Arm(_) | Attachment::Point(_) => Attached { end, free: Vec3::zeros(), previous: Vec3::zeros() },
    }
}

/// The slot of each body in an operator, by dense index; [`Slot::NONE`] for those that forces do not move.
pub(super) fn list_slots(bodies: &Bodies, slots: &mut Vec<Slot>) {
    let mut next = 0;
    slots.clear();
    slots.extend(bodies.indices().map(|i| {
        if bodies.is_obstacle(i) {
            return Slot::NONE;
        }
        next += 1;
        Slot(next - 1)
    }));
}
