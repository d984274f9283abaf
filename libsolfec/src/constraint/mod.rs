//! User constraints: what holds bodies together, to a place, or to a motion.
//!
//! A [`Constraint`] is a live row of the model's constraint table: where it acts now, what it has to remember, what it
//! demands of the velocities at the end of a step. They hold material points of bodies, and know no solver.
//!
//! Every constraint measures one thing: `Eᵀ(x_m − x_s)`, the local vector between its points (without slave the place
//! of the master's point). Its change since the constraint was made is the position error of a fixed point, the
//! displacement of a driven one, the excess length of a link, the stroke of a spring.

mod curvature;
mod insert;
mod place;
mod prescription;
mod spring;

pub use curvature::Curvature;
pub use insert::Catalogue;
pub use prescription::{Compat, Prescription, Step};
pub use spring::{at_moment, SpringMemory, SpringMoment};

use crate::body::MaterialPoint;
use crate::ids::BodyIndex;
use crate::math::{Mat3, Vec3};
use crate::model::{Joint, Prescribed, SpringAxis};
use serde::{Deserialize, Serialize};

/// One end of a constraint.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct End {
    /// The point that the deck gave.
    pub given: MaterialPoint,
    /// Where the reaction acts now [m], and which point of the body is there.
    pub point: Vec3,
    pub at: MaterialPoint,
}

impl End {
    /// Dense index of its body.
    pub fn body(&self) -> BodyIndex {
        self.given.body
    }
}

/// A live user constraint.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Constraint {
    /// Row of the model's constraint table.
    pub row: u32,
    /// From 1, shared with contacts, never reused.
    pub id: u64,
    /// As the deck described it, with unit directions; a link of coincident points has become the point it glues.
    pub joint: Joint,
    /// Line of the deck; 0 unknown.
    pub line: u32,
    pub master: End,
    pub slave: Option<End>,
    /// Second point of a link with one body, fixed in space.
    pub anchor: Option<Vec3>,
    /// When it was made [s].
    pub born: f64,
    /// Columns t1 t2 n.
    pub base: Mat3,
    /// `Eᵀ(x_m − x_s)` when it was made [m].
    pub origin: Vec3,
    /// `Eᵀ(x_m − x_s)` less [`Constraint::origin`] at mid-step [m].
    pub moved: Vec3,
    /// What it takes its measure to change by on its way to the next mid-step, beyond `U` [m/s]: the curvature of the
    /// last step.
    pub correction: Vec3,
    /// By how much its measure is off at mid-steps, because steps have become shorter [m]: see
    /// [`Constraint::error`].
    pub lag: Vec3,
    /// What the lag is to be at the next mid-step [m].
    pub aim: Vec3,
    /// Whether the turning of its bodies moves its measure: not at mass centres.
    pub bends: bool,
    /// Whether the velocities of its bodies have not been made to suit it yet.
    pub fresh: bool,
    /// Local components (T1, T2, N): average reaction [N], relative velocity at t+h and at t [m/s].
    pub r: Vec3,
    pub u: Vec3,
    pub v: Vec3,
    /// Its part of the merit function.
    pub merit: f64,
    /// The prescribed velocity of the last step; zero for what prescribes none [m/s].
    pub prescribed: Vec3,
    /// Of a spring with a function.
    pub memory: SpringMemory,
}

impl Constraint {
    /// Number of the kind in files.
    pub fn kind(&self) -> u8 {
        self.joint.number()
    }

    /// The largest distance of its points from the origin [m].
    pub fn farthest(&self) -> f64 {
        self.slave.map_or(0.0, |slave| slave.point.norm()).max(self.master.point.norm())
    }

    /// The command that makes such a constraint, for messages.
    pub fn command(&self) -> &'static str {
        command(&self.joint, self.slave.is_some())
    }

    /// Whether the normal component is the only one it constrains: `R_T = 0`.
    pub fn scalar(&self) -> bool {
        match self.joint {
            Joint::FixPoint { .. } | Joint::Drive3 { .. } => false,
            Joint::FixDirection { .. } | Joint::Drive { .. } | Joint::RigidLink { .. } | Joint::Spring { .. } => true,
        }
    }

    /// Whether it prescribes the normal component of the velocity of one body's point, and does nothing else.
    pub fn prescribes_normal(&self) -> bool {
        matches!(self.joint, Joint::FixDirection { .. } | Joint::Drive { .. }) && self.slave.is_none()
    }

    /// What files show as the gap.
    pub fn gap(&self) -> f64 {
        match self.joint {
            Joint::RigidLink { .. } | Joint::Spring { .. } => self.moved.z,
            Joint::FixPoint { .. } | Joint::FixDirection { .. } | Joint::Drive { .. } | Joint::Drive3 { .. } => 0.0,
        }
    }

    /// The distance of its points [m], if its direction turns with them.
    pub fn span(&self) -> Option<f64> {
        match self.joint {
            Joint::RigidLink { .. } | Joint::Spring { axis: SpringAxis::Follow, .. } => {
                Some((self.moved.z + self.origin.z).abs())
            }
            Joint::Spring { .. }
            | Joint::FixPoint { .. }
            | Joint::FixDirection { .. }
            | Joint::Drive { .. }
            | Joint::Drive3 { .. } => None,
        }
    }

    /// Four more numbers for files: the vector and length of a link; stroke, rate and limits of a
    /// spring; a prescribed velocity.
    pub fn auxiliary(&self) -> [f64; 4] {
        match self.joint {
            Joint::RigidLink { .. } => {
                let z = self.base.column(2) * (self.moved.z + self.origin.z);
                [z.x, z.y, z.z, self.origin.z]
            }
            Joint::Spring { limits, .. } => [self.moved.z, self.u.z, limits[0], limits[1]],
            Joint::Drive { .. } => [self.prescribed.z, 0.0, 0.0, 0.0],
            Joint::Drive3 { .. } => [self.prescribed.x, self.prescribed.y, self.prescribed.z, 0.0],
            Joint::FixPoint { .. } | Joint::FixDirection { .. } => [0.0; 4],
        }
    }

    /// Keeps the velocity that a driven constraint prescribes, to be shown.
    pub fn note(&mut self, prescription: &Prescription) {
        let velocity = match *prescription {
            Prescription::Velocity3(v) => v,
            Prescription::Velocity(v) => Vec3::new(0.0, 0.0, v),
            Prescription::Link { .. } | Prescription::Spring => Vec3::zeros(),
        };
        self.prescribed = match self.joint {
            Joint::Drive { .. } | Joint::Drive3 { .. } => velocity + self.correction,
            Joint::FixPoint { .. } | Joint::FixDirection { .. } | Joint::RigidLink { .. } | Joint::Spring { .. } => {
                Vec3::zeros()
            }
        };
    }

    /// Whether the reaction just found is more than it can bear: tension of a link, any reaction of a fixed point.
    pub fn breaks(&self) -> bool {
        match self.joint {
            Joint::FixPoint { strength } => self.r.norm() > strength,
            Joint::RigidLink { strength } => -self.r.z > strength,
            Joint::FixDirection { .. } | Joint::Drive { .. } | Joint::Drive3 { .. } | Joint::Spring { .. } => false,
        }
    }

    /// Follows its bodies to new dense indices, by old ones; false if one of them is gone.
    pub fn renumber(&mut self, place: &[Option<BodyIndex>]) -> bool {
        std::iter::once(&mut self.master).chain(&mut self.slave).all(|end| {
            let Some(body) = place[end.body().index()] else { return false };
            (end.given.body, end.at.body) = (body, body);
            true
        })
    }

    /// Whether it holds on to this body.
    pub fn on(&self, body: BodyIndex) -> bool {
        self.master.body() == body || self.slave.is_some_and(|slave| slave.body() == body)
    }
}

fn command(joint: &Joint, two_bodies: bool) -> &'static str {
    use Prescribed::{Acceleration, Displacement, Velocity};
    match joint {
        Joint::FixPoint { .. } if two_bodies => "PUT_RIGID_LINK of coincident points",
        Joint::FixPoint { .. } => "FIX_POINT",
        Joint::FixDirection { .. } => "FIX_DIRECTION",
        Joint::Drive { what: Displacement, .. } => "SET_DISPLACEMENT",
        Joint::Drive { what: Velocity, .. } => "SET_VELOCITY",
        Joint::Drive { what: Acceleration, .. } => "SET_ACCELERATION",
        Joint::Drive3 { what: Displacement, .. } => "SET_DISPLACEMENT3",
        Joint::Drive3 { what: Velocity, .. } => "SET_VELOCITY3",
        Joint::Drive3 { what: Acceleration, .. } => "SET_ACCELERATION3",
        Joint::RigidLink { .. } => "PUT_RIGID_LINK",
        Joint::Spring { .. } => "PUT_SPRING",
    }
}
