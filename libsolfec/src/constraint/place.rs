//! Where ties act: points, base and measure at given motions of the bodies.

use super::Tie;
use crate::body::Motion;
use crate::math::{local_base, Mat3, Vec3};
use crate::model::{Joint, SpringAxis};

/// Points of master and slave (or what stands for it) in space.
fn points(tie: &Tie, motion: &impl Fn(u32) -> Motion) -> [Vec3; 2] {
    let master = motion(tie.master.body).point(&tie.master.given);
    let slave = tie.slave.map(|slave| motion(slave.body).point(&slave.given));
    [master, slave.or(tie.anchor).unwrap_or_else(Vec3::zeros)]
}

/// `x` scaled to length one, or `e_z` when there is nothing to scale.
fn unit(x: Vec3) -> Vec3 {
    x.try_normalize(0.0).unwrap_or_else(Vec3::z)
}

impl Tie {
    /// Moves base, points and measure to these motions; the reaction keeps its direction in space as far as the tie can bear
    /// it. `motion` is that of a dense body index.
    pub fn place(&mut self, motion: impl Fn(u32) -> Motion) {
        let [master, slave] = points(self, &motion);
        let base = self.base_at(master - slave, &motion);
        self.r = base.tr_mul(&(self.base * self.r));
        if self.scalar() {
            self.r = Vec3::new(0.0, 0.0, self.r.z);
        }
        self.base = base;
        self.moved = base.tr_mul(&(master - slave)) - self.origin;
        // A common point in space where the pair of forces is one on a sliding or glued point.
        let acting = match self.joint {
            Joint::FixPoint { .. } => [master, master],
            // `U_N` is the rate of the measure along an axis that a body carries only where that body's point is the other's.
            Joint::FixDirection { .. } if self.slave.is_some() => [slave, slave],
            Joint::Spring { axis: SpringAxis::Master(_), .. } => [slave, slave],
            Joint::Spring { axis: SpringAxis::Slave(_), .. } => [master, master],
            _ => [master, slave],
        };
        for (end, point, own) in [(Some(&mut self.master), acting[0], master), (self.slave.as_mut(), acting[1], slave)]
        {
            let Some(end) = end else { continue };
            end.point = point;
            end.reference =
                if point == own { end.given } else { motion(end.body).reference(&point).unwrap_or(end.given) };
        }
    }

    /// Notes the measure at the start of a step.
    pub fn begin(&mut self, motion: impl Fn(u32) -> Motion) {
        let [master, slave] = points(self, &motion);
        let base = self.base_at(master - slave, &motion);
        self.before = base.tr_mul(&(master - slave)) - self.origin;
    }

    /// The base when the points are `z = x_m - x_s` apart.
    fn base_at(&self, z: Vec3, motion: &impl Fn(u32) -> Motion) -> Mat3 {
        let carried = |body: u32, direction: &Vec3| unit(motion(body).f * direction);
        let normal = match self.joint {
            Joint::FixPoint { .. } => return Mat3::identity(),
            Joint::Drive3 { base, .. } => return base,
            Joint::FixDirection { direction } if self.slave.is_some() => carried(self.master.body, &direction),
            Joint::FixDirection { direction } | Joint::Drive { direction, .. } => direction,
            Joint::RigidLink { .. } | Joint::Spring { axis: SpringAxis::Follow, .. } => unit(z),
            Joint::Spring { axis: SpringAxis::Fixed(axis), .. } => -axis,
            Joint::Spring { axis: SpringAxis::Master(axis), .. } => -carried(self.master.body, &axis),
            Joint::Spring { axis: SpringAxis::Slave(axis), .. } => match self.slave {
                Some(slave) => -carried(slave.body, &axis),
                None => -axis,
            },
        };
        local_base(&normal)
    }
}
