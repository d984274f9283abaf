//! Where constraints act: points, base and measure at the present configuration of the bodies.

use super::{Constraint, End};
use crate::body::{Bodies, MaterialPoint};
use crate::math::{local_base, Mat3, Vec3};
use crate::model::{Joint, SpringAxis};

/// Points of master and slave (or what stands for it) in space.
fn points(constraint: &Constraint, place: impl Fn(&MaterialPoint) -> Vec3) -> [Vec3; 2] {
    let master = place(&constraint.master.given);
    let slave = constraint.slave.map(|slave| place(&slave.given));
    [master, slave.or(constraint.anchor).unwrap_or_else(Vec3::zeros)]
}

/// `x` scaled to length one, or `e_z` when there is nothing to scale.
fn unit(x: Vec3) -> Vec3 {
    x.try_normalize(0.0).unwrap_or_else(Vec3::z)
}

impl Constraint {
    /// Moves base, points and measure to where the bodies are; the reaction keeps its direction in space as far as the
    /// constraint can bear it.
    pub fn place(&mut self, bodies: &Bodies) {
        let [master, slave] = points(self, |point| bodies.point(point));
        if !self.keeps_base() {
            self.turn_to(self.base_at(master - slave, |point, direction| bodies.carry(point, direction)));
        }
        if self.scalar() {
            self.r = Vec3::new(0.0, 0.0, self.r.z);
        }
        self.moved = self.base.tr_mul(&(master - slave)) - self.origin;
        // A common point in space where the pair of forces is one on a sliding or glued point.
        let common = match self.joint {
            Joint::FixPoint { .. } => Some(master),
            // `U_N` is the rate of the measure along an axis that a body carries only where that body's point is the
            // other's.
            Joint::FixDirection { .. } if self.slave.is_some() => Some(slave),
            Joint::Spring { axis: SpringAxis::Master(_), .. } => Some(slave),
            Joint::Spring { axis: SpringAxis::Slave(_), .. } => Some(master),
            Joint::FixDirection { .. }
            | Joint::Drive { .. }
            | Joint::Drive3 { .. }
            | Joint::RigidLink { .. }
            | Joint::Spring { .. } => None,
        };
        self.master.act(master, common, bodies);
        if let Some(end) = &mut self.slave {
            end.act(slave, common, bodies);
        }
    }

    /// Whether its base is the same wherever the bodies are.
    fn keeps_base(&self) -> bool {
        match self.joint {
            Joint::FixPoint { .. }
            | Joint::Drive { .. }
            | Joint::Drive3 { .. }
            | Joint::Spring { axis: SpringAxis::Fixed(_), .. } => true,
            Joint::FixDirection { .. } => self.slave.is_none(),
            Joint::RigidLink { .. } | Joint::Spring { .. } => false,
        }
    }

    /// Finds what does not change while the kind of joint does not.
    pub(super) fn find_kind(&mut self, bodies: &Bodies) {
        for end in std::iter::once(&mut self.master).chain(&mut self.slave) {
            end.at = end.given;
        }
        if self.keeps_base() {
            self.turn_to(self.base_at(Vec3::zeros(), |_, direction| *direction));
        }
        self.find_bends(bodies);
    }

    /// Finds whether the turning of bodies moves the measure: as long as the kind of joint and mass centres stay.
    pub fn find_bends(&mut self, bodies: &Bodies) {
        self.bends = self.sees_curvature() && self.is_turned(bodies);
        if !self.bends {
            self.correction = Vec3::zeros();
        }
    }

    /// Another base, with the same reaction in space.
    fn turn_to(&mut self, base: Mat3) {
        self.r = base.tr_mul(&(self.base * self.r));
        self.base = base;
    }

    /// Whether its points, or the direction that its master carries, move when its bodies turn about their mass centres.
    fn is_turned(&self, bodies: &Bodies) -> bool {
        let aside = |end: &End| end.given.reference != bodies.center(end.body());
        let shared = !matches!(self.joint, Joint::RigidLink { .. }) && self.slave.is_some();
        shared || aside(&self.master) || self.slave.as_ref().is_some_and(aside)
    }

    /// The normal of a fixed direction when its master has this deformation gradient.
    pub(super) fn normal_in(&self, master: &Mat3) -> Vec3 {
        self.base_at(Vec3::zeros(), |_, direction| master * direction).column(2).into_owned()
    }

    /// The measure in the reference configuration of the bodies, wherever they are.
    pub(super) fn measure_in_reference(&self, bodies: &Bodies) -> Vec3 {
        let place = |point: &MaterialPoint| {
            let center = bodies.center(point.body);
            center + (point.reference - center)
        };
        let [master, slave] = points(self, place);
        self.base_at(master - slave, |_, direction| *direction).tr_mul(&(master - slave))
    }

    /// The base when the points are `z = x_m - x_s` apart.
    fn base_at(&self, z: Vec3, carry: impl Fn(&MaterialPoint, &Vec3) -> Vec3) -> Mat3 {
        let carried = |end: &End, direction: &Vec3| unit(carry(&end.given, direction));
        let normal = match self.joint {
            Joint::FixPoint { .. } => return Mat3::identity(),
            Joint::Drive3 { base, .. } => return base,
            Joint::FixDirection { direction } if self.slave.is_some() => carried(&self.master, &direction),
            Joint::FixDirection { direction } | Joint::Drive { direction, .. } => direction,
            Joint::RigidLink { .. } | Joint::Spring { axis: SpringAxis::Follow, .. } => unit(z),
            Joint::Spring { axis: SpringAxis::Fixed(axis), .. } => -axis,
            Joint::Spring { axis: SpringAxis::Master(axis), .. } => -carried(&self.master, &axis),
            Joint::Spring { axis: SpringAxis::Slave(axis), .. } => match self.slave {
                Some(slave) => -carried(&slave, &axis),
                None => -axis,
            },
        };
        local_base(&normal)
    }
}

impl End {
    /// Acts at its point, which is `own` now, or at a common one.
    fn act(&mut self, own: Vec3, common: Option<Vec3>, bodies: &Bodies) {
        self.point = own;
        if let Some(point) = common {
            self.point = point;
            self.at = if point == own { self.given } else { beside(bodies, &self.given, &point) };
        }
    }
}

/// The point of the same body that is here now, or the given one if there is none.
fn beside(bodies: &Bodies, given: &MaterialPoint, here: &Vec3) -> MaterialPoint {
    let reference = bodies.reference(given.body, given.object, given.element, here);
    reference.map_or(*given, |reference| MaterialPoint { reference, ..*given })
}
