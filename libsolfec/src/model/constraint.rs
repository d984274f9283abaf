//! User constraints, loads and user functions as a deck described them: plain rows.

use crate::math::{Mat3, Vec3};
use serde::{Deserialize, Serialize};

/// What a prescribed motion prescribes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum Prescribed {
    Displacement,
    Velocity,
    Acceleration,
}

/// The law of a spring: its force (positive pushes apart) over stroke [m] and stroke rate [m/s].
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub enum SpringLaw {
    /// `−stiffness · stroke − damping · rate`, [N/m] and [N s/m].
    Linear { stiffness: f64, damping: f64 },
    /// Row of [`super::Model::series`]: force over stroke, constant outside the table.
    Table { series: u32 },
    /// A user function of (stroke, rate).
    Function { function: u32 },
}

/// Along what a spring acts: from body 1 to body 2 (docs/conventions.md 8).
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub enum SpringAxis {
    /// The line between the points.
    Follow,
    /// A direction fixed in space.
    Fixed(Vec3),
    /// A direction convected with the master (CONV1) or the slave (CONV2).
    Master(Vec3),
    Slave(Vec3),
}

/// Kinds of user constraints (docs/conventions.md 8).
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub enum Joint {
    /// FIX_POINT; between two bodies the glue that a link of coincident points becomes. Breaks when |R| exceeds
    /// `strength` [N].
    FixPoint { strength: f64 },
    /// FIX_DIRECTION along a unit vector, fixed in space or, between two bodies, convected with the master.
    FixDirection { direction: Vec3 },
    /// SET_DISPLACEMENT, SET_VELOCITY, SET_ACCELERATION along a unit vector fixed in space; row of the series.
    Drive { what: Prescribed, direction: Vec3, series: u32 },
    /// The same along all columns of an orthonormal base.
    Drive3 { what: Prescribed, base: Mat3, series: [u32; 3] },
    /// PUT_RIGID_LINK. Breaks when the tension −R_N exceeds `strength` [N].
    RigidLink { strength: f64 },
    /// PUT_SPRING; `limits` of the stroke, below and above [m].
    Spring { law: SpringLaw, axis: SpringAxis, limits: [f64; 2] },
}

/// Numbers of the kinds of constraints in files and frames (docs/conventions.md 8).
pub mod constraint_kind {
    pub use crate::frame::CONTACT;

    pub const FIXPNT: u8 = 1;
    pub const FIXDIR: u8 = 2;
    pub const VELODIR: u8 = 3;
    pub const VELODIR3: u8 = 4;
    pub const RIGLNK: u8 = 5;
    pub const SPRING: u8 = 6;

    /// Names by number.
    pub const NAMES: [&str; 7] = ["CONTACT", "FIXPNT", "FIXDIR", "VELODIR", "VELODIR3", "RIGLNK", "SPRING"];
}

impl Joint {
    /// Number of the kind.
    pub fn number(&self) -> u8 {
        match self {
            Joint::FixPoint { .. } => constraint_kind::FIXPNT,
            Joint::FixDirection { .. } => constraint_kind::FIXDIR,
            Joint::Drive { .. } => constraint_kind::VELODIR,
            Joint::Drive3 { .. } => constraint_kind::VELODIR3,
            Joint::RigidLink { .. } => constraint_kind::RIGLNK,
            Joint::Spring { .. } => constraint_kind::SPRING,
        }
    }
}

/// A user constraint.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ConstraintRow {
    pub joint: Joint,
    /// Id of the master body.
    pub master: u64,
    /// Id of the slave body, if there is one.
    pub slave: Option<u64>,
    /// Referential points of master and slave. The second is a place fixed in space for a link with one body, and
    /// equal to the first for other kinds with one point.
    pub points: [Vec3; 2],
    /// Line of the deck that made it; 0 unknown.
    pub line: u32,
}

/// Kinds of loads.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub enum LoadKind {
    /// FORCE at a referential point along a unit vector, spatial or convected; `value` is a row of the series [N].
    Force { convected: bool, point: Vec3, direction: Vec3, value: u32 },
    /// TORQUE on a rigid body [N m].
    Torque { convected: bool, direction: Vec3, value: u32 },
    /// PRESSURE on the faces of a surface; positive pulls along the outward normal [Pa]. On bodies of finite elements as
    /// they are in the reference configuration, with `follower` as they are now.
    Pressure { surface: i32, value: u32, follower: bool },
    /// FORCE by a user function.
    Function { function: u32 },
}

/// A load on one body.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct LoadRow {
    pub kind: LoadKind,
    /// Id of the body.
    pub body: u64,
    /// Line of the deck that made it; 0 unknown.
    pub line: u32,
}

/// What a user function is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[repr(u8)]
pub enum FunctionKind {
    Force = 0,
    Spring = 1,
    Callback = 2,
    Failure = 3,
    Field = 4,
}

/// A function of the deck. Its text is the deck's; the row says which one is meant.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct FunctionRow {
    /// Number of the function among all that the deck handed over, from 0.
    pub function: u32,
    pub name: String,
    pub kind: FunctionKind,
    pub line: u32,
}
