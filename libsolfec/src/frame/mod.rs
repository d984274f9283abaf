//! What is shown of a simulation at one instant, as plain tables. A running simulation shows itself as a [`Frame`], stored
//! results are read into the same [`Frame`]: live, stored and exported values are one code.

mod local;

pub use local::{LocalDynamics, LocalRow};

/// Rows of rigid bodies and obstacles in a frame; vectors of equal length.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct RigidRows {
    /// Catalogue row of the body.
    pub body: Vec<u32>,
    pub x: Vec<[f64; 3]>,
    /// Column-wise.
    pub rot: Vec<[f64; 9]>,
    pub v: Vec<[f64; 3]>,
    /// Referential.
    pub omega: Vec<[f64; 3]>,
    pub energy: Vec<[f64; 6]>,
}

/// Rows of pseudo-rigid bodies.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct PseudoRows {
    pub body: Vec<u32>,
    pub x: Vec<[f64; 3]>,
    /// Row-wise.
    pub f: Vec<[f64; 9]>,
    pub v: Vec<[f64; 3]>,
    /// Row-wise.
    pub fdot: Vec<[f64; 9]>,
    pub energy: Vec<[f64; 6]>,
}

/// Slave column of a constraint with one body.
pub const NO_BODY: u32 = u32::MAX;

/// Rows of constraints, by (kind, master id, slave id, id). Geometry is that of t+h/2, `v` of t, `u` of t+h, `r` the
/// average over the step, local components (T1, T2, N).
#[derive(Debug, Clone, PartialEq, Default)]
pub struct ConstraintRows {
    pub id: Vec<u64>,
    /// 0 CONTACT; conventions.md 9.
    pub kind: Vec<u8>,
    pub master: Vec<u32>,
    pub slave: Vec<u32>,
    pub point: Vec<[f64; 3]>,
    pub normal: Vec<[f64; 3]>,
    pub tangent1: Vec<[f64; 3]>,
    pub tangent2: Vec<[f64; 3]>,
    pub r: Vec<[f64; 3]>,
    pub u: Vec<[f64; 3]>,
    pub v: Vec<[f64; 3]>,
    /// Global reaction on the master [N].
    pub force: Vec<[f64; 3]>,
    pub gap: Vec<f64>,
    pub area: Vec<f64>,
    pub merit: Vec<f64>,
    pub material: Vec<i16>,
    /// Surfaces of (master, slave).
    pub surf: Vec<[i32; 2]>,
    /// Bit 0: cohesive.
    pub state: Vec<u8>,
    pub aux: Vec<[f64; 4]>,
}

/// Something that happened in a step.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Event {
    pub time: f64,
    pub kind: EventKind,
    /// Catalogue row.
    pub body: u32,
    /// Catalogue row of the body it came from, or [`NO_BODY`].
    pub parent: u32,
}

/// Kinds of events; the discriminants are those of the file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(u8)]
pub enum EventKind {
    Born = 0,
    Deleted = 1,
    LeftExtents = 2,
    /// A cohesive contact of the body broke.
    Decohesion = 3,
    /// A user constraint of the body broke: its reaction exceeded its strength.
    LinkBroken = 4,
}

impl EventKind {
    /// The kind of this number.
    pub fn from_number(number: u8) -> Option<Self> {
        use EventKind::*;
        [Born, Deleted, LeftExtents, Decohesion, LinkBroken].into_iter().find(|kind| *kind as u8 == number)
    }
}

/// Solver statistics of the last step before the frame; NaN in frame 0.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct SolverStatistics {
    pub iterations: f64,
    pub merit: f64,
    pub error: f64,
}

/// The state of a simulation at one instant, as it is shown and stored.
#[derive(Debug, Clone, PartialEq)]
pub struct Frame {
    /// From 0, over all runs.
    pub index: u64,
    /// End of its step [s].
    pub time: f64,
    pub step_count: u64,
    /// Step [s] that ended here.
    pub h: f64,
    pub statistics: SolverStatistics,
    /// Number of the RUN, from 0.
    pub run: u32,
    pub rigid: RigidRows,
    pub pseudo: PseudoRows,
    pub constraints: ConstraintRows,
    /// Since the previous frame.
    pub events: Vec<Event>,
}

/// One row of the step log.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct StepRow {
    pub time: f64,
    pub h: f64,
    pub constraints: u64,
    pub bodies: u64,
    pub iterations: u32,
    pub merit: f64,
    pub error: f64,
}
