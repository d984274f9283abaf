//! Copies of bodies near to those of another rank, and of bodies that its constraints hold on to.

use std::collections::{BTreeMap, BTreeSet};

use super::super::{joints::holds_obstacle, Simulation};
use super::arrivals::Arrivals;
use super::record::{put, put_states, take, take_states, Record};
use crate::body::{Inertia, Twist};
use crate::comm;
use crate::ids::{BodyId, BodyIndex};
use crate::math::Vec3;
use crate::shape::Bounds;
use crate::{Error, Result};

/// Tags of messages.
const WANTED: u32 = 33;
const COPIES: u32 = 34;
const STATES: u32 = 35;
const DRIVEN: u32 = 36;
const WORKS: u32 = 38;

/// The box of all bodies of a rank, that of those that move, and whether constraints drive obstacles.
#[derive(Debug, Clone, Copy, Default)]
struct Reach {
    all: Bounds,
    moving: Bounds,
    driven: bool,
}

impl Simulation {
    /// Brings copies up to date, makes new ones and removes those that nobody needs; `boxes` are those of all bodies
    /// that are here. Collective.
    pub(super) fn copy_bodies(&mut self, boxes: &[Bounds], arrivals: &Arrivals) -> Result<()> {
        let reaches = self.reaches(boxes, arrivals);
        self.ranks.driven = reaches.iter().any(|reach| reach.driven);
        let wanted = self.wanted_copies(arrivals);
        self.find_partners(&reaches, &wanted);
        let partners = self.ranks.partners.clone();
        for partner in &partners {
            let words: Vec<u64> = wanted.get(partner).into_iter().flatten().map(|id| id.0).collect();
            comm::send_words(&*self.comm, *partner, WANTED, &words);
        }
        let mut sent = Ok(());
        let mut given = BTreeMap::new();
        for partner in &partners {
            let mut words = Vec::new();
            comm::receive_words(&*self.comm, *partner, WANTED, &mut words);
            let there = &reaches[*partner].moving;
            let near = self.bodies.own().filter(|(_, body)| boxes[body.index()].meets(there)).map(|(id, _)| id);
            let ids: BTreeSet<BodyId> = words.into_iter().map(BodyId).chain(near).collect();
            let bodies: Vec<(BodyId, BodyIndex)> =
                ids.into_iter().filter_map(|id| Some((id, self.bodies.index(id)?))).collect();
            let before = self.ranks.given.get(partner).map_or(&[][..], |given| given);
            let message = self.pack_copies(&bodies, before);
            self.comm.send(*partner, COPIES, message.as_deref().unwrap_or_default());
            sent = sent.and(message.map(|_| ()));
            given.insert(*partner, bodies.into_iter().map(|(id, _)| id).collect());
        }
        self.ranks.given = given;
        let mut copies = BTreeSet::new();
        for partner in &partners {
            let mut message = Vec::new();
            self.comm.receive(*partner, COPIES, &mut message);
            sent = sent.and(self.unpack_copies(&message, *partner, &mut copies));
        }
        comm::agree(&*self.comm, sent)?;
        let gone: Vec<BodyIndex> = self.bodies.indices().filter(|body| self.is_gone(*body, &copies)).collect();
        self.drop_copies(&gone);
        Ok(())
    }

    fn is_gone(&self, body: BodyIndex, copies: &BTreeSet<BodyId>) -> bool {
        self.bodies.is_copy(body) && !copies.contains(&self.bodies.id(body))
    }

    /// What all ranks say of where their bodies are.
    fn reaches(&self, boxes: &[Bounds], arrivals: &Arrivals) -> Vec<Reach> {
        let driven = self.constraints.iter().any(|constraint| holds_obstacle(&self.bodies, constraint))
            || arrivals.constraints.iter().any(|held| held.slave.is_none());
        let mut own = Reach { driven, ..Reach::default() };
        for (_, body) in self.bodies.own() {
            let bounds = &boxes[body.index()];
            own.all = own.all.union(bounds);
            if !self.bodies.is_obstacle(body) {
                own.moving = own.moving.union(bounds);
            }
        }
        let corners = [own.all.low, own.all.high, own.moving.low, own.moving.high];
        let numbers = corners.iter().flatten().copied().chain([f64::from(own.driven)]);
        let bytes: Vec<u8> = numbers.flat_map(f64::to_le_bytes).collect();
        let mut reaches = Vec::with_capacity(self.comm.size());
        comm::gather(&*self.comm, &bytes, |_, bytes| {
            let number = |k: usize| f64::from_le_bytes(std::array::from_fn(|i| bytes[8 * k + i]));
            let corner = |k: usize| Vec3::new(number(3 * k), number(3 * k + 1), number(3 * k + 2));
            let bounds = |k: usize| Bounds { low: corner(k), high: corner(k + 1) };
            reaches.push(Reach { all: bounds(0), moving: bounds(2), driven: number(12) == 1.0 });
        });
        reaches
    }

    /// Bodies of other ranks that constraints and lasting contacts of this one hold on to, by owner.
    fn wanted_copies(&self, arrivals: &Arrivals) -> BTreeMap<usize, BTreeSet<BodyId>> {
        let mut wanted: BTreeMap<usize, BTreeSet<BodyId>> = BTreeMap::new();
        let mut want = |id: BodyId, home: usize| {
            if home != self.ranks.rank {
                wanted.entry(home).or_default().insert(id);
            }
        };
        let lasting = self.contacts.iter().filter(|c| c.cohesion > 0.0 || (!self.stepping.inertial && c.r.z > 0.0));
        let of_contacts = lasting.flat_map(|c| [c.master.body, c.slave.body]);
        let ends = self.constraints.iter().flat_map(|c| std::iter::once(&c.master).chain(&c.slave));
        for body in of_contacts.chain(ends.map(|end| end.body())) {
            want(self.bodies.id(body), self.home(body));
        }
        arrivals.homes.iter().for_each(|(id, home)| want(*id, *home));
        wanted
    }

    /// Ranks whose bodies may be near, and those that want bodies of each other. Both sides find the same.
    fn find_partners(&mut self, reaches: &[Reach], wanted: &BTreeMap<usize, BTreeSet<BodyId>>) {
        let rank = self.ranks.rank;
        let near = |other: &usize| {
            let (own, other) = (&reaches[rank], &reaches[*other]);
            own.all.meets(&other.moving) || other.all.meets(&own.moving)
        };
        let mut partners: BTreeSet<usize> = (0..reaches.len()).filter(|other| *other != rank && near(other)).collect();
        partners.extend(wanted.keys());
        let own: Vec<u8> = wanted.keys().flat_map(|home| (*home as u64).to_le_bytes()).collect();
        comm::gather(&*self.comm, &own, |from, bytes| {
            if from != rank && bytes.chunks_exact(8).any(|word| word == (rank as u64).to_le_bytes()) {
                partners.insert(from);
            }
        });
        self.ranks.partners = partners.into_iter().collect();
    }

    /// The states of bodies, and the records of those that were not given before.
    fn pack_copies(&self, bodies: &[(BodyId, BodyIndex)], before: &[BodyId]) -> Result<Vec<u8>> {
        let mut message = Vec::new();
        let indices: Vec<BodyIndex> = bodies.iter().map(|(_, body)| *body).collect();
        put_states(&self.bodies.columns_of(&indices), &mut message);
        let new = bodies.iter().filter(|(id, _)| before.binary_search(id).is_err());
        put(&new.filter_map(|(id, _)| self.ranks.records.get(id)).collect::<Vec<&Record>>(), &mut message)?;
        Ok(message)
    }

    /// Makes the copies of bodies of another rank that are not here, and gives all of them their states.
    fn unpack_copies(&mut self, mut message: &[u8], home: usize, copies: &mut BTreeSet<BodyId>) -> Result<()> {
        let states = take_states(&mut message)?;
        let records: Vec<Record> = take(&mut message)?;
        for record in &records {
            if self.bodies.index(BodyId(record.new.body.id)).is_none() {
                self.make(record, home)?;
            }
        }
        for id in states.ids().map(BodyId) {
            let body = self.bodies.index(id).ok_or_else(|| Error::input(format!("no copy of body {id} is here")))?;
            self.ranks.home[body.index()] = home as u32;
            self.bodies.set_copy(body, true);
            copies.insert(id);
        }
        self.bodies.take_columns(&states);
        Ok(())
    }

    /// Brings the states of copies up to date once more in a step. Collective.
    pub(in crate::simulation) fn refresh_copies(&mut self) -> Result<()> {
        for (partner, given) in &self.ranks.given {
            let bodies: Vec<BodyIndex> = given.iter().filter_map(|id| self.bodies.index(*id)).collect();
            let mut message = Vec::new();
            put_states(&self.bodies.columns_of(&bodies), &mut message);
            self.comm.send(*partner, STATES, &message);
        }
        let mut heard = Ok(());
        for partner in self.ranks.partners.clone() {
            let mut message = Vec::new();
            self.comm.receive(partner, STATES, &mut message);
            let states = take_states(&mut &message[..]);
            heard = heard.and(states.map(|states| self.bodies.take_columns(&states)));
        }
        comm::agree(&*self.comm, heard)
    }

    /// Copies of obstacles that constraints drive get their velocities in the step that has begun. Collective.
    pub(in crate::simulation) fn drive_copies(&mut self, h: f64) {
        if !self.ranks.driven {
            return;
        }
        for (partner, given) in &self.ranks.given {
            let mut numbers = Vec::new();
            for (id, body) in given.iter().filter_map(|id| Some((*id, self.bodies.index(*id)?))) {
                if !self.bodies.is_obstacle(body) {
                    continue;
                }
                if let Inertia::Rigid { free, .. } = self.bodies.inertia(body) {
                    numbers.push(id.0 as f64);
                    numbers.extend(free.linear.iter().chain(&free.angular));
                }
            }
            comm::send_numbers(&*self.comm, *partner, DRIVEN, &numbers);
        }
        for partner in self.ranks.partners.clone() {
            let mut numbers = Vec::new();
            comm::receive_numbers(&*self.comm, partner, DRIVEN, &mut numbers);
            for row in numbers.chunks_exact(7) {
                let vector = |k: usize| Vec3::new(row[k], row[k + 1], row[k + 2]);
                if let Some(body) = self.bodies.index(BodyId(row[0] as u64)) {
                    self.bodies.prescribe(body, h, &Twist { linear: vector(1), angular: vector(4) });
                }
            }
        }
    }

    /// Sends works of contacts of copies to the owners of the bodies [J]: row, body, normal and
    /// tangential. Collective.
    pub(in crate::simulation) fn send_works(&mut self, works: &[(usize, BodyIndex, [f64; 2])]) {
        for partner in &self.ranks.partners {
            let of_partner = works.iter().filter(|(_, body, _)| self.home(*body) == *partner);
            let numbers: Vec<f64> = of_partner
                .flat_map(|(_, body, [normal, friction])| [self.bodies.id(*body).0 as f64, *normal, *friction])
                .collect();
            comm::send_numbers(&*self.comm, *partner, WORKS, &numbers);
        }
        for partner in self.ranks.partners.clone() {
            let mut numbers = Vec::new();
            comm::receive_numbers(&*self.comm, partner, WORKS, &mut numbers);
            for row in numbers.chunks_exact(3) {
                if let Some(body) = self.bodies.index(BodyId(row[0] as u64)) {
                    self.bodies.add_contact_work(body, row[1], row[2]);
                }
            }
        }
    }
}
