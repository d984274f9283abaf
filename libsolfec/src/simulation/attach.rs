//! How constraints hold on to bodies: slots in the operator, ends of rows, and the velocities of ends that are driven.

use crate::body::{Attachment, Axes, Bodies, MaterialPoint};
use crate::dynamics::{End, Row};
use crate::ids::Slot;
use crate::math::Vec3;

/// How the bodies of a step are held; `slots` are the slots by dense index.
#[derive(Clone, Copy)]
pub(super) struct Hold<'a> {
    pub bodies: &'a Bodies,
    pub slots: &'a [Slot],
}

impl Hold<'_> {
    /// Ends and drifts of a row whose pair and base are there: a constraint between these points of bodies, which are
    /// at these places now.
    #[inline]
    pub fn attach(&self, row: &mut Row, master: (&MaterialPoint, &Vec3), slave: Option<(&MaterialPoint, &Vec3)>) {
        let (mut driven, mut fixed) = ([Vec3::zeros(); 2], false);
        let mut end = |(point, here): (&MaterialPoint, &Vec3), sign: f64| match self.bodies.attach(point, here) {
            Attachment::Driven { free, previous } => {
                driven[0] += sign * free;
                driven[1] += sign * previous;
                fixed = true;
                End::Fixed
            }
            Attachment::Arm(arm) => End::Body { slot: self.slots[point.body.index()], arm },
            Attachment::Point(at) => End::Point { slot: self.slots[point.body.index()], point: at, axes: Axes::All },
        };
        row.master = end(master, 1.0);
        row.slave = slave.map(|slave| end(slave, -1.0));
        let none = [Vec3::zeros(); 2];
        [row.drift, row.drift_before] = if fixed { driven.map(|v| row.base.tr_mul(&v)) } else { none };
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
