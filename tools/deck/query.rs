//! What a deck asks of a SOLFEC object that runs, and what it is answered. Both are plain data: the state need not be
//! in the process that asks.

use serde::{Deserialize, Serialize};
use solfec::body::Energies;
use solfec::frame::Frame;
use solfec::math::{Mat3, Vec3};
use solfec::solver::LocalDynamics;

use super::fault::Fault;

/// Second number of the handle of a contact: this, and the id of the contact. That of a user constraint is its row.
pub const CONTACT: u64 = 1 << 63;

/// A question about the present state.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub enum Query {
    /// Time and step in force: [`Answer::Clock`].
    Clock,
    /// Ids of the bodies that exist: [`Answer::Bodies`].
    Bodies,
    /// Whether a body exists: [`Answer::Exists`].
    Exists(u64),
    /// A frame of one body alone: [`Answer::Frame`].
    Body(u64),
    /// Sum over these bodies, over all with `None`; those that do not exist add nothing: [`Answer::Energies`].
    Energies(Option<Vec<u64>>),
    /// All constraints, or those at one body: [`Answer::Constraints`].
    Constraints(Option<u64>),
    /// A constraint by the second number of its handle: [`Answer::Constraint`].
    Constraint(u64),
    /// Everything that is shown: [`Answer::Frame`].
    Frame,
    /// The local dynamics of the last step: [`Answer::LocalDynamics`].
    LocalDynamics,
    /// Seconds spent in a phase of the time step since the last frame: [`Answer::Seconds`].
    Seconds(String),
}

/// The answer to a [`Query`].
pub enum Answer {
    /// [s]
    Clock {
        time: f64,
        step: f64,
    },
    /// In ascending order.
    Bodies(Vec<u64>),
    Exists(bool),
    Frame(Box<Frame>),
    /// [J]
    Energies(Energies),
    /// Ids, and second numbers of handles.
    Constraints(Vec<(u64, u64)>),
    /// `None`: there is no such constraint (any more).
    Constraint(Option<Box<Constraint>>),
    LocalDynamics(Box<LocalDynamics>),
    /// `None`: there is no such phase.
    Seconds(Option<f64>),
}

impl Answer {
    /// The fault of an engine that answers another question.
    pub fn unexpected(self) -> Fault {
        Fault::runtime("the run answered another question; this is a mistake of the program")
    }
}

/// What the members of a constraint say.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Constraint {
    /// As in files (docs/conventions.md 8).
    pub kind: u8,
    /// Ids of bodies.
    pub master: u64,
    pub slave: Option<u64>,
    /// Local components.
    pub r: Vec3,
    pub u: Vec3,
    pub v: Vec3,
    pub base: Mat3,
    pub point: Vec3,
    /// The other point of a link.
    pub other: Option<Vec3>,
    pub area: f64,
    pub gap: f64,
    pub merit: f64,
    /// Of a contact: row of the surface material, surfaces of master and slave.
    pub material: Option<usize>,
    pub surfaces: Option<[i32; 2]>,
}
