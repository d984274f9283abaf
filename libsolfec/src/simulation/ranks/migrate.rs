//! Bodies whose middle has come to another rank's part of space go there, with what belongs to them.

use std::collections::{BTreeMap, BTreeSet};

use super::super::Simulation;
use super::arrivals::Arrivals;
use super::record::{put, put_states, take, take_states, Record};
use crate::comm;
use crate::ids::{BodyId, BodyIndex};
use crate::math::Vec3;
use crate::shape::Bounds;
use crate::{Error, Result};

/// Tag of messages.
const BODIES: u32 = 32;

/// A body that moves to another rank, with its box.
type Traveller = (Record, [Vec3; 2]);

impl Simulation {
    /// Hands over bodies to the ranks to which they belong now, and takes over others, whose boxes are put among
    /// `boxes`. Collective.
    pub(super) fn migrate(&mut self, boxes: &mut Vec<Bounds>, arrivals: &mut Arrivals) -> Result<()> {
        let (moves, senders) = self.find_moves(boxes);
        if moves.is_empty() {
            return Ok(());
        }
        let mut leaving: BTreeMap<usize, Vec<BodyIndex>> = BTreeMap::new();
        for (id, to) in &moves {
            if let Some(body) = self.bodies.index(*id) {
                if self.ranks.owns(body) {
                    leaving.entry(*to).or_default().push(body);
                }
                self.ranks.home[body.index()] = *to as u32;
                self.bodies.set_copy(body, *to != self.ranks.rank);
            }
        }
        let mut luggage = self.take_leave();
        let mut sent = Ok(());
        for (to, bodies) in &leaving {
            let message = self.pack(bodies, boxes, &luggage.remove(to).unwrap_or_default());
            self.comm.send(*to, BODIES, message.as_deref().unwrap_or_default());
            sent = sent.and(message.map(|_| ()));
        }
        for from in senders {
            let mut message = Vec::new();
            self.comm.receive(from, BODIES, &mut message);
            let taken = self.unpack(&message, boxes);
            sent = sent.and(taken.map(|other| arrivals.append(other)));
        }
        comm::agree(&*self.comm, sent)
    }

    /// Bodies of all ranks that move and where to, and from which ranks some come here.
    fn find_moves(&self, boxes: &[Bounds]) -> (BTreeMap<BodyId, usize>, BTreeSet<usize>) {
        let rank = self.ranks.rank;
        let mut own: Vec<u8> = Vec::new();
        for (id, body) in self.bodies.own() {
            let to = self.ranks.cuts.as_ref().map_or(rank, |cuts| cuts.owner(&boxes[body.index()].center()));
            if to != rank {
                [id.0, to as u64].into_iter().for_each(|word| own.extend(word.to_le_bytes()));
            }
        }
        let (mut moves, mut senders) = (BTreeMap::new(), BTreeSet::new());
        comm::gather(&*self.comm, &own, |from, bytes| {
            let word = |bytes: &[u8]| u64::from_le_bytes(std::array::from_fn(|k| bytes[k]));
            for pair in bytes.chunks_exact(16) {
                let (id, to) = (BodyId(word(&pair[..8])), word(&pair[8..]) as usize);
                moves.insert(id, to);
                senders.extend((to == rank).then_some(from));
            }
        });
        (moves, senders)
    }

    fn pack(&self, bodies: &[BodyIndex], boxes: &[Bounds], luggage: &Arrivals) -> Result<Vec<u8>> {
        let traveller = |body: &BodyIndex| -> Result<Traveller> {
            let record = self.ranks.records.get(&self.bodies.id(*body)).cloned();
            let Bounds { low, high } = boxes[body.index()];
            Ok((record.ok_or_else(|| Error::input("a body has no record"))?, [low, high]))
        };
        let travellers = bodies.iter().map(traveller).collect::<Result<Vec<_>>>()?;
        let mut message = Vec::new();
        put_states(&self.bodies.columns_of(bodies), &mut message);
        put(&travellers, &mut message)?;
        put(luggage, &mut message)?;
        Ok(message)
    }

    fn unpack(&mut self, mut message: &[u8], boxes: &mut Vec<Bounds>) -> Result<Arrivals> {
        let states = take_states(&mut message)?;
        let travellers: Vec<Traveller> = take(&mut message)?;
        for (record, [low, high]) in &travellers {
            let id = BodyId(record.new.body.id);
            if self.bodies.index(id).is_none() {
                self.make(record, self.ranks.rank)?;
                boxes.push(Bounds::default());
            }
            if let Some(body) = self.bodies.index(id) {
                self.ranks.home[body.index()] = self.ranks.rank as u32;
                self.bodies.set_copy(body, false);
                boxes[body.index()] = Bounds { low: *low, high: *high };
            }
        }
        self.bodies.take_columns(&states);
        take(&mut message)
    }
}
