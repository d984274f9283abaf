//! What another rank needs to make a body: its row of the model, shapes, loads, and what operations have changed since.

use serde::{Deserialize, Serialize};

use super::super::Simulation;
use crate::body::BodyColumns;
use crate::ids::{BodyId, BodyIndex};
use crate::math::{Mat3, Vec3};
use crate::model::{Characteristics, LoadRow, NewBody, Scheme};
use crate::table::{take_table, Table};
use crate::{Error, Result};

/// A body as it was described.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Record {
    /// Row of the model's table.
    pub row: u32,
    pub new: NewBody,
    pub changes: Vec<Change>,
    pub loads: Vec<LoadRow>,
}

/// A change of what a body is.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub enum Change {
    Characteristics { mass: f64, volume: f64, center: Vec3, tensor: Mat3 },
    Scheme(Scheme),
    Damping(f64),
    RotationDisabled(bool),
    SelfContact(bool),
}

impl Simulation {
    /// Changes what a body is.
    pub(in crate::simulation) fn change(&mut self, index: BodyIndex, change: &Change) -> Result<()> {
        match change {
            Change::Characteristics { mass, volume, center, tensor } => {
                let chars = Characteristics { mass: *mass, volume: *volume, center: *center, tensor: *tensor };
                self.bodies.set_characteristics(index, &chars)?;
                self.renew_pressures(index)?;
                let on = self.constraints.iter_mut().filter(|constraint| constraint.on(index));
                on.for_each(|constraint| constraint.find_bends(&self.bodies));
            }
            Change::Scheme(scheme) => self.bodies.set_scheme(index, *scheme)?,
            Change::Damping(damping) => self.bodies.set_damping(index, *damping)?,
            Change::RotationDisabled(on) => self.bodies.disable_rotation(index, *on),
            Change::SelfContact(on) => self.objects.set_selfcontact(index, *on),
        }
        if let Some(record) = self.ranks.records.get_mut(&self.bodies.id(index)) {
            record.changes.push(change.clone());
        }
        Ok(())
    }

    /// Notes what makes a body that has just been inserted, on several ranks.
    pub(in crate::simulation) fn note_body(&mut self, row: u32, new: &NewBody, home: usize) {
        if self.alone() {
            return;
        }
        self.ranks.home.push(home as u32);
        let record = Record { row, new: new.clone(), changes: Vec::new(), loads: Vec::new() };
        self.ranks.records.insert(BodyId(new.body.id), record);
    }

    /// Notes a load of a body.
    pub(in crate::simulation) fn note_load(&mut self, load: &LoadRow) {
        if let Some(record) = self.ranks.records.get_mut(&BodyId(load.body)) {
            record.loads.push(load.clone());
        }
    }

    /// Makes a body of another rank here.
    pub(super) fn make(&mut self, record: &Record, home: usize) -> Result<()> {
        let index = self.insert_one(record.row, &record.new, home)?;
        for change in &record.changes {
            self.change(index, change)?;
        }
        self.add_loads(record.loads.iter())
    }
}

/// The tables of the states of bodies as bytes.
pub fn put_states(states: &BodyColumns, out: &mut Vec<u8>) {
    let g = &states.general;
    let tables: [&dyn Table; 5] = [&states.rigid, &states.pseudo, &g.bodies, &g.unknowns, &g.velocities];
    tables.into_iter().for_each(|table| crate::table::put_table(table, out));
}

/// The states at the beginning of `bytes`, which are shortened by them.
///
/// # Errors
/// Bytes that are no states.
pub fn take_states(bytes: &mut &[u8]) -> Result<BodyColumns> {
    let mut states = BodyColumns::default();
    let g = &mut states.general;
    let tables: [&mut dyn Table; 5] =
        [&mut states.rigid, &mut states.pseudo, &mut g.bodies, &mut g.unknowns, &mut g.velocities];
    for table in tables {
        take_table(table, bytes).ok_or_else(garbled)?;
    }
    states.general.check()?;
    Ok(states)
}

/// Appends a value as bytes, its length first.
pub fn put(value: &impl Serialize, out: &mut Vec<u8>) -> Result<()> {
    let bytes = postcard::to_stdvec(value).map_err(|error| Error::input(format!("message: {error}")))?;
    out.extend((bytes.len() as u64).to_le_bytes());
    out.extend(bytes);
    Ok(())
}

/// The value that [`put`] appended, at the beginning of `bytes`, which are shortened by it.
///
/// # Errors
/// Bytes that are no such value.
pub fn take<'a, T: Deserialize<'a>>(bytes: &mut &'a [u8]) -> Result<T> {
    let (length, rest) = bytes.split_first_chunk::<8>().ok_or_else(garbled)?;
    let length = u64::from_le_bytes(*length) as usize;
    let (value, rest) = rest.split_at_checked(length).ok_or_else(garbled)?;
    *bytes = rest;
    postcard::from_bytes(value).map_err(|_| garbled())
}

pub fn garbled() -> Error {
    Error::input("a message between ranks is garbled; do all ranks run the same version?")
}
