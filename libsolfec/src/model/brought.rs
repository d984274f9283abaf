//! An operation in two parts that can be sent: its stored form, which names rows, and the rows that it brings.

use serde::{Deserialize, Serialize};

use super::{changes_conditions, ConstraintRow, Definition, Insertion, LoadRow, NewBody, Op, StoredOp};
use crate::{Error, Result};

/// What an operation has beside its stored form.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub enum Brought {
    Nothing,
    /// All of it: definitions have no stored form.
    Definition(Definition),
    Bodies(Insertion<NewBody>),
    Constraints(Insertion<ConstraintRow>),
    Loads(Insertion<LoadRow>),
}

impl Op {
    /// What [`Op::of_parts`] needs beside the stored form.
    pub fn brought(&self) -> Brought {
        match self {
            Op::Define(definition) => Brought::Definition(definition.clone()),
            Op::InsertBodies(bodies) | Op::Split { fragments: bodies, .. } => Brought::Bodies(bodies.clone()),
            Op::InsertConstraints(constraints) => Brought::Constraints(constraints.clone()),
            Op::InsertLoads(loads) => Brought::Loads(loads.clone()),
            Op::Run { .. }
            | Op::Output { .. }
            | Op::DeleteBody { .. }
            | Op::DeleteConstraint { .. }
            | Op::Callback { .. }
            | Op::InitialVelocity { .. }
            | Op::SetVelocity { .. }
            | Op::SetConfiguration { .. }
            | Op::SetEnergies { .. }
            | Op::BodyChars { .. }
            | Op::SetScheme { .. }
            | Op::SetDamping { .. }
            | Op::DisableRotation { .. }
            | Op::SelfContact { .. }
            | changes_conditions!() => Brought::Nothing,
        }
    }

    /// The operation of these parts; definitions have no stored one.
    ///
    /// # Errors
    /// They do not belong together.
    pub fn of_parts(stored: Option<StoredOp>, brought: Brought) -> Result<Op> {
        let (mut bodies, mut constraints, mut loads) = (None, None, None);
        match (&stored, brought) {
            (None, Brought::Definition(definition)) => return Ok(Op::Define(definition)),
            (_, Brought::Bodies(rows)) => bodies = Some(rows),
            (_, Brought::Constraints(rows)) => constraints = Some(rows),
            (_, Brought::Loads(rows)) => loads = Some(rows),
            (_, Brought::Nothing | Brought::Definition(_)) => {}
        }
        stored.ok_or_else(foreign)?.try_map(
            |never| match never {},
            |_| bodies.ok_or_else(foreign),
            |_| constraints.ok_or_else(foreign),
            |_| loads.ok_or_else(foreign),
        )
    }
}

fn foreign() -> Error {
    Error::input("an operation and the rows that it brings do not belong together")
}
