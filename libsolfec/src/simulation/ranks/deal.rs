//! The first rank has the rows of a model and deals them out: bodies one by one to the ranks that own them, the rows of
//! constraints and loads, batch by batch, to all.

use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

use super::super::Simulation;
use super::record::{garbled, put, take};
use crate::comm;
use crate::model::{Base, BodyRow, Model, NewBody, Op, Rows, ShapeRow, StoredOp};
use crate::shape::{Geometry, Shape};
use crate::Result;

/// Tag of messages.
const DEALT: u32 = 42;

/// Rows that are sent at a time.
pub(super) const BATCH: usize = 1024;

/// A body on its way: its row in the table, shapes and base by their rows.
#[derive(Serialize, Deserialize)]
struct Dealt {
    row: u32,
    body: BodyRow,
    shapes: Vec<ShapeRow>,
    base: Option<u32>,
}

/// Some bodies of a rank, with what they refer to that it does not have yet.
#[derive(Default, Serialize, Deserialize)]
struct Hand {
    geometries: Vec<(u32, Arc<Geometry>)>,
    bases: Vec<(u32, Arc<Base>)>,
    bodies: Vec<Dealt>,
    /// No more bodies come.
    last: bool,
}

/// What another rank still gets.
#[derive(Default)]
struct Pile {
    rows: Vec<u32>,
    dealt: usize,
    /// Geometries that it has.
    known: HashSet<u32>,
    bases: HashSet<u32>,
    last: bool,
}

/// Rows of bases by where they are.
type Bases = HashMap<*const Base, u32>;

impl Pile {
    /// The next bodies of the pile.
    fn hand(&mut self, model: &Model, bases: &Bases) -> Hand {
        let mut hand = Hand::default();
        let end = self.rows.len().min(self.dealt + BATCH);
        for &row in &self.rows[self.dealt..end] {
            let body = &model.bodies[row as usize];
            let shapes = model.shapes[body.shapes.start as usize..body.shapes.end as usize].to_vec();
            for geometry in shapes.iter().map(|shape| shape.geometry).filter(|row| self.known.insert(*row)) {
                hand.geometries.push((geometry, Arc::clone(&model.library[geometry as usize])));
            }
            let base = body.base.as_ref().and_then(|base| bases.get(&Arc::as_ptr(base)).copied());
            if let Some(new) = base.filter(|row| self.bases.insert(*row)) {
                hand.bases.push((new, Arc::clone(&model.bases[new as usize])));
            }
            let without = if base.is_some() { None } else { body.base.clone() };
            hand.bodies.push(Dealt { row, body: BodyRow { base: without, ..body.clone() }, shapes, base });
        }
        self.dealt = end;
        self.last = end == self.rows.len();
        Hand { last: self.last, ..hand }
    }
}

/// What bodies that came to this rank refer to.
#[derive(Default)]
struct Shared {
    geometries: HashMap<u32, Arc<Geometry>>,
    bases: HashMap<u32, Arc<Base>>,
}

impl Shared {
    /// The body as the first rank has it.
    fn whole(&self, dealt: Dealt) -> Result<(u32, NewBody)> {
        let Dealt { row, mut body, shapes, base } = dealt;
        if let Some(base) = base {
            body.base = Some(Arc::clone(self.bases.get(&base).ok_or_else(garbled)?));
        }
        let shape = |ShapeRow { geometry, rotation, shift }| {
            let geometry = Arc::clone(self.geometries.get(&geometry).ok_or_else(garbled)?);
            Ok(Shape { geometry, rotation, shift })
        };
        let shapes = shapes.into_iter().map(shape).collect::<Result<Vec<Shape>>>()?;
        Ok((row, NewBody { body, shapes }))
    }
}

impl Simulation {
    /// An operation of the program of the model acts. The first rank has the rows that it inserts; others need not.
    /// Collective.
    ///
    /// # Errors
    /// As [`Simulation::apply`], and rows that the model does not have; the same on all ranks.
    pub fn play(&mut self, model: &Model, op: &StoredOp) -> Result<()> {
        let whole = if op.inserts() && !self.alone() {
            Op::of_parts(Some(op.clone()), self.told(|| Ok(model.whole(op)?.brought()))?)?
        } else {
            model.whole(op)?
        };
        self.apply(&whole)
    }

    /// All that exists when the model begins. Collective.
    pub(in crate::simulation) fn insert_first(&mut self, model: &Model) -> Result<()> {
        let later = || [model.inserted_later(), model.constraints_later(), model.loads_later()];
        let [bodies, constraints, loads] = self.told(|| Ok(later().map(|rows| rows.start as u32)))?;
        self.deal(model, bodies)?;
        for rows in batches(constraints) {
            let batch = self.told(|| model.constraints_at(rows))?;
            let inserted = self.insert_constraints(&batch);
            comm::agree(&*self.comm, inserted)?;
        }
        for rows in batches(loads) {
            let batch = self.told(|| model.loads_at(rows))?;
            let inserted = self.insert_loads(&batch);
            comm::agree(&*self.comm, inserted)?;
        }
        Ok(())
    }

    /// The first bodies of the model, so many, come into being on their ranks.
    fn deal(&mut self, model: &Model, bodies: u32) -> Result<()> {
        self.rows = bodies;
        let dealt = match self.ranks.number() {
            0 => self.deal_out(model, bodies),
            _ => self.take_hands(),
        };
        comm::agree(&*self.comm, dealt)
    }

    /// On the first rank. Others make their bodies while it makes its own.
    fn deal_out(&mut self, model: &Model, bodies: u32) -> Result<()> {
        let mut piles: Vec<Pile> = (0..self.comm.size()).map(|_| Pile::default()).collect();
        for (row, body) in (0..bodies).zip(&model.bodies) {
            piles[self.ranks.owner(&body.chars.center)].rows.push(row);
        }
        let bases: Bases = (0..).zip(&model.bases).map(|(row, base)| (Arc::as_ptr(base), row)).collect();
        let (own, others) = piles.split_at_mut(1);
        let mut outcome = Ok(());
        let mut own = own.iter().flat_map(|pile| pile.rows.chunks(BATCH));
        loop {
            for (rank, pile) in (1..).zip(others.iter_mut()).filter(|(_, pile)| !pile.last) {
                let mut message = Vec::new();
                outcome = outcome.and(put(&pile.hand(model, &bases), &mut message));
                self.comm.send(rank, DEALT, &message);
            }
            let batch = own.next();
            for &row in batch.into_iter().flatten() {
                if outcome.is_ok() {
                    outcome = self.insert_own(row, &model.new_of(&model.bodies[row as usize]));
                }
            }
            if batch.is_none() && others.iter().all(|pile| pile.last) {
                return outcome;
            }
        }
    }

    /// On the others. After an error what still comes is left.
    fn take_hands(&mut self) -> Result<()> {
        let mut shared = Shared::default();
        let mut outcome = Ok(());
        loop {
            let mut message = Vec::new();
            self.comm.receive(0, DEALT, &mut message);
            let Hand { geometries, bases, bodies, last } = take(&mut &message[..])?;
            shared.geometries.extend(geometries);
            shared.bases.extend(bases);
            for dealt in bodies {
                if outcome.is_ok() {
                    outcome = shared.whole(dealt).and_then(|(row, new)| self.insert_own(row, &new));
                }
            }
            if last {
                return outcome;
            }
        }
    }

    /// What the first rank has, on all of them. Collective.
    pub(super) fn told<T: Serialize + DeserializeOwned>(&self, own: impl FnOnce() -> Result<T>) -> Result<T> {
        if self.alone() {
            return own();
        }
        let mut message = Vec::new();
        let first = self.ranks.number() == 0;
        let made = if first { own().and_then(|own| put(&own, &mut message).map(|()| Some(own))) } else { Ok(None) };
        let own = comm::agree(&*self.comm, made)?;
        let mut heard: Result<T> = Err(garbled());
        comm::gather(&*self.comm, &message, |rank, mut bytes| {
            if rank == 0 && !first {
                heard = take(&mut bytes);
            }
        });
        comm::agree(&*self.comm, own.map_or(heard, Ok))
    }
}

/// The first rows of a table in batches.
fn batches(rows: u32) -> impl Iterator<Item = Rows> {
    (0..rows).step_by(BATCH).map(move |first| Rows::from(first..rows.min(first + BATCH as u32)))
}
