//! A constraint of a step, as the operator takes it.

use crate::body::{Axes, MaterialPoint};
use crate::ids::{BodyId, Slot};
use crate::math::{Mat3, Vec3};

/// One end of a constraint.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub enum End {
    /// On a body that does not respond to forces: its velocity comes as the drift of the row.
    #[default]
    Fixed,
    /// On a body in rigid or affine form. The arm leads from the mass centre to the point [m]: spatial for rigid form,
    /// referential (`X − X0`) for affine form.
    Body { slot: Slot, arm: Vec3 },
    /// At a point of a body in condensed form. The body need not answer along other axes of space than these: what the
    /// local velocity along these others is after the solve is then left open.
    Point { slot: Slot, point: MaterialPoint, axes: Axes },
}

impl End {
    /// Slot of its body, [`Slot::NONE`] if that does not respond to forces.
    pub fn slot(&self) -> Slot {
        match self {
            End::Fixed => Slot::NONE,
            End::Body { slot, .. } | End::Point { slot, .. } => *slot,
        }
    }
}

/// One constraint of a step. At least one end is on a dynamic body.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Row {
    /// Ids of the two bodies, smaller first, as in the contact key; constraints of equal pair are swept together.
    pub pair: [BodyId; 2],
    /// Whether it is a contact: those are swept by four side by side.
    pub contact: bool,
    /// Columns t1 t2 n.
    pub base: Mat3,
    pub master: End,
    pub slave: Option<End>,
    /// Local velocity `Eᵀ(v_master − v_slave)` that fixed ends contribute at t+h [m/s].
    pub drift: Vec3,
    /// The same at t.
    pub drift_before: Vec3,
}

impl Row {
    /// Slots of master and slave, [`Slot::NONE`] for what does not respond to forces.
    pub(super) fn ends(&self) -> [Slot; 2] {
        [self.master.slot(), self.slave.as_ref().map_or(Slot::NONE, End::slot)]
    }

    /// Slots of its dynamic bodies: the second is empty for a constraint of a body with itself.
    pub(super) fn slots(&self) -> [Slot; 2] {
        let [master, slave] = self.ends();
        if master == slave {
            [master, Slot::NONE]
        } else {
            [master.min(slave), master.max(slave)]
        }
    }
}
