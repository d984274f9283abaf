//! Bodies that new constraints hold on to, wherever they are.

use std::collections::{BTreeMap, BTreeSet};

use super::super::Simulation;
use super::record::{put, put_states, take, take_states, Record};
use crate::comm;
use crate::ids::{BodyId, BodyIndex};
use crate::model::ConstraintRow;
use crate::{Error, Result};

/// Tag of messages.
const FETCHED: u32 = 37;

impl Simulation {
    /// Which of these constraints belong to this rank; copies of the bodies that they need have come. Collective.
    ///
    /// # Errors
    /// The same on all ranks.
    pub(in crate::simulation) fn constraints_to_make(&mut self, rows: &[ConstraintRow]) -> Result<Vec<bool>> {
        if self.alone() {
            return Ok(vec![true; rows.len()]);
        }
        let ids = rows.iter().flat_map(|row| std::iter::once(row.master).chain(row.slave)).map(BodyId);
        let homes = self.homes_of(&ids.collect());
        let home = |id: u64| homes.get(&BodyId(id));
        // What names a body that does not exist is refused by rank 0.
        let keeper = |row: &ConstraintRow| match (home(row.master), row.slave.map(|slave| (slave, home(slave)))) {
            (Some((rank, _)), None) => *rank,
            (Some((first, fixed)), Some((slave, Some((second, other_fixed))))) => match (fixed, other_fixed) {
                (true, false) => *second,
                (false, true) => *first,
                (true, true) | (false, false) => *if row.master <= slave { first } else { second },
            },
            (None, _) | (Some(_), Some((_, None))) => 0,
        };
        let own: Vec<bool> = rows.iter().map(|row| keeper(row) == self.ranks.rank).collect();
        let held = rows.iter().zip(&own).filter(|(_, own)| **own);
        let ends = held.flat_map(|(row, _)| std::iter::once(row.master).chain(row.slave)).map(BodyId);
        let wanted: BTreeSet<BodyId> =
            ends.filter(|id| homes.contains_key(id) && self.bodies.index(*id).is_none()).collect();
        self.fetch(&wanted, &homes)?;
        Ok(own)
    }

    /// Owners of bodies, and whether they are obstacles.
    pub(super) fn homes_of(&self, ids: &BTreeSet<BodyId>) -> BTreeMap<BodyId, (usize, bool)> {
        let here = ids.iter().filter_map(|id| Some((id, self.bodies.index(*id)?)));
        let own = here.filter(|(_, body)| !self.bodies.is_copy(*body));
        let words = own.flat_map(|(id, body)| [id.0, u64::from(self.bodies.is_obstacle(body))]);
        let own: Vec<u8> = words.flat_map(u64::to_le_bytes).collect();
        let mut homes = BTreeMap::new();
        comm::gather(&*self.comm, &own, |from, bytes| {
            for pair in bytes.chunks_exact(16) {
                let word = |k: usize| u64::from_le_bytes(std::array::from_fn(|i| pair[8 * k + i]));
                homes.insert(BodyId(word(0)), (from, word(1) == 1));
            }
        });
        homes
    }

    /// Brings copies of bodies here.
    fn fetch(&mut self, wanted: &BTreeSet<BodyId>, homes: &BTreeMap<BodyId, (usize, bool)>) -> Result<()> {
        let own: Vec<u8> = wanted.iter().flat_map(|id| id.0.to_le_bytes()).collect();
        let mut asked: BTreeMap<usize, Vec<BodyIndex>> = BTreeMap::new();
        comm::gather(&*self.comm, &own, |from, bytes| {
            for word in bytes.chunks_exact(8) {
                let id = BodyId(u64::from_le_bytes(std::array::from_fn(|k| word[k])));
                let body = self.bodies.index(id).filter(|body| self.ranks.owns(*body));
                asked.entry(from).or_default().extend(body.filter(|_| from != self.ranks.rank));
            }
        });
        let mut outcome = Ok(());
        for (to, bodies) in asked.iter().filter(|(_, bodies)| !bodies.is_empty()) {
            let mut message = Vec::new();
            put_states(&self.bodies.columns_of(bodies), &mut message);
            let records = bodies.iter().filter_map(|body| self.ranks.records.get(&self.bodies.id(*body)));
            outcome = outcome.and(put(&records.collect::<Vec<&Record>>(), &mut message));
            self.comm.send(*to, FETCHED, &message);
        }
        let senders: BTreeSet<usize> = wanted.iter().filter_map(|id| Some(homes.get(id)?.0)).collect();
        for from in senders {
            let mut message = Vec::new();
            self.comm.receive(from, FETCHED, &mut message);
            outcome = outcome.and(self.take_fetched(&message, from));
        }
        comm::agree(&*self.comm, outcome)
    }

    fn take_fetched(&mut self, mut message: &[u8], home: usize) -> Result<()> {
        let states = take_states(&mut message)?;
        let records: Vec<Record> = take(&mut message)?;
        for record in &records {
            self.make(record, home)?;
            let id = BodyId(record.new.body.id);
            let body = self.bodies.index(id).ok_or_else(|| Error::input(format!("body {id} was not fetched")))?;
            self.bodies.set_copy(body, true);
        }
        self.bodies.take_columns(&states);
        Ok(())
    }
}
