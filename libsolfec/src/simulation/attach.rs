//! How constraints hold on to bodies: slots in the operator, ends of rows, and the velocities of ends that are driven.

use crate::body::{Attachment, Bodies, MaterialPoint};
use crate::dynamics::End;
use crate::ids::Slot;
use crate::math::{Mat3, Vec3};

/// The end of a constraint, and the spatial velocities that a fixed end contributes there at t+h and at t.
pub(super) struct Attached {
    pub end: End,
    pub driven: Option<[Vec3; 2]>,
}

/// Local velocities at t+h and at t that fixed ends contribute to a row with this base.
pub(super) fn drifts(base: &Mat3, master: &Attached, slave: Option<&Attached>) -> [Vec3; 2] {
    let slave = slave.and_then(|slave| slave.driven);
    if master.driven.is_none() && slave.is_none() {
        return [Vec3::zeros(); 2];
    }
    let [master, slave] = [master.driven, slave].map(|driven| driven.unwrap_or_default());
    [0, 1].map(|k| base.tr_mul(&(master[k] - slave[k])))
}

/// Attaches a constraint to a point of a body that is `here` now; `slots` are the slots by dense index.
#[inline]
pub(super) fn attach(bodies: &Bodies, slots: &[Slot], point: &MaterialPoint, here: &Vec3) -> Attached {
    let attachment = bodies.attach(point, here);
    let end = End::new(slots[point.body.index()], attachment);
    let driven = match attachment {
        Attachment::Driven { free, previous } => Some([free, previous]),
        Attachment::Arm(_) | Attachment::Point(_) => None,
    };
    Attached { end, driven }
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
