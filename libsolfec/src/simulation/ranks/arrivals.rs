//! Contacts and constraints that come to a rank with a body, and wait for copies of the other bodies that they hold.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::super::Simulation;
use crate::constraint::Constraint;
use crate::contact::Contact;
use crate::ids::{BodyId, BodyIndex};

/// A constraint under way; dense indices are those of another rank.
#[derive(Debug, Serialize, Deserialize)]
pub struct Held {
    pub constraint: Constraint,
    pub master: BodyId,
    pub slave: Option<BodyId>,
}

/// What has come to this rank.
#[derive(Debug, Default, Serialize, Deserialize)]
pub struct Arrivals {
    pub contacts: Vec<Contact>,
    pub constraints: Vec<Held>,
    /// Owners of all bodies that these hold on to.
    pub homes: BTreeMap<BodyId, usize>,
}

impl Arrivals {
    pub fn append(&mut self, mut other: Arrivals) {
        self.contacts.append(&mut other.contacts);
        self.constraints.append(&mut other.constraints);
        self.homes.append(&mut other.homes);
    }
}

impl Simulation {
    /// Takes in what has arrived; contacts of which a body is out of reach have ended.
    pub(super) fn take_in(&mut self, arrivals: Arrivals) {
        for contact in arrivals.contacts {
            let [Some(a), Some(b)] = contact.key.bodies.map(|id| self.bodies.index(id)) else { continue };
            let (slave, master) = if contact.slave_second { (b, a) } else { (a, b) };
            let mut contact = contact;
            (contact.slave.body, contact.master.body) = (slave, master);
            self.contacts.push(contact);
        }
        self.contacts.sort_unstable_by_key(|contact| contact.key);
        self.contacts_changed();
        for Held { mut constraint, master, slave } in arrivals.constraints {
            let Some(master) = self.bodies.index(master) else { continue };
            let Some(slave) = slave.map_or(Some(master), |slave| self.bodies.index(slave)) else { continue };
            let ends = std::iter::once(&mut constraint.master).chain(&mut constraint.slave);
            ends.zip([master, slave]).for_each(|(end, body)| (end.given.body, end.at.body) = (body, body));
            self.constraints.push(constraint);
        }
        self.constraints.sort_unstable_by_key(|constraint| constraint.row);
    }

    /// Takes out what belongs to owners of other bodies: by rank, what goes there.
    pub(super) fn take_leave(&mut self) -> BTreeMap<usize, Arrivals> {
        let mut leaving: BTreeMap<usize, Arrivals> = BTreeMap::new();
        let contacts = std::mem::take(&mut self.contacts);
        let (stay, go): (Vec<Contact>, Vec<Contact>) =
            contacts.into_iter().partition(|contact| self.ranks.owns(self.keeper_of_contact(contact)));
        self.contacts = stay;
        self.contacts_changed();
        for contact in go {
            let arrivals = leaving.entry(self.home(self.keeper_of_contact(&contact))).or_default();
            for body in [contact.master.body, contact.slave.body] {
                arrivals.homes.insert(self.bodies.id(body), self.home(body));
            }
            arrivals.contacts.push(contact);
        }
        let constraints = std::mem::take(&mut self.constraints);
        for constraint in constraints {
            let keeper = self.keeper_of_constraint(&constraint);
            if self.ranks.owns(keeper) {
                self.constraints.push(constraint);
                continue;
            }
            let arrivals = leaving.entry(self.home(keeper)).or_default();
            let (master, slave) = (constraint.master.body(), constraint.slave.map(|slave| slave.body()));
            for body in std::iter::once(master).chain(slave) {
                arrivals.homes.insert(self.bodies.id(body), self.home(body));
            }
            let id = |body: BodyIndex| self.bodies.id(body);
            arrivals.constraints.push(Held { constraint, master: id(master), slave: slave.map(id) });
        }
        leaving
    }

    /// The rank that owns a body, on several ranks.
    pub(super) fn home(&self, body: BodyIndex) -> usize {
        self.ranks.home.get(body.index()).map_or(self.ranks.rank, |home| *home as usize)
    }
}
