//! Contacts and user constraints as one list, for whoever asks about them one by one.

use super::Simulation;
use crate::constraint::Tie;
use crate::contact::Contact;
use crate::math::{Mat3, Vec3};

/// How a constraint is named.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum ConstraintName {
    /// Row of the model's constraint table.
    Row(u32),
    /// Id of a contact or user constraint.
    Id(u64),
}

/// A constraint as it is shown; frames and time levels of conventions.md 5.
#[derive(Debug, Clone, PartialEq)]
pub struct ConstraintState {
    pub id: u64,
    /// 0 CONTACT; conventions.md 9.
    pub kind: u8,
    /// Ids of master and slave bodies.
    pub master: u64,
    pub slave: Option<u64>,
    /// On the master, and for a link also on the slave or in space.
    pub points: Vec<Vec3>,
    /// Columns t1 t2 n.
    pub base: Mat3,
    pub r: Vec3,
    pub u: Vec3,
    pub v: Vec3,
    pub gap: f64,
    pub area: f64,
    pub merit: f64,
    /// Label of the surface material and surfaces of (master, slave) of a contact.
    pub material: Option<String>,
    pub surfaces: Option<[i32; 2]>,
}

/// Kind number of a rigid link (conventions.md 9).
const LINK: u8 = 5;

impl Simulation {
    /// Ids of all constraints, the latest created first.
    pub fn constraint_ids(&self) -> Vec<u64> {
        let mut ids: Vec<u64> = self.contacts.iter().map(|c| c.id).chain(self.ties.iter().map(|t| t.id)).collect();
        ids.sort_unstable_by(|a, b| b.cmp(a));
        ids
    }

    /// The constraint, if it exists now.
    pub fn constraint(&self, name: ConstraintName) -> Option<ConstraintState> {
        let tie = |is: &dyn Fn(&Tie) -> bool| self.ties.iter().find(|tie| is(tie)).map(|tie| self.state_of_tie(tie));
        match name {
            ConstraintName::Row(row) => tie(&|tie| tie.row == row),
            ConstraintName::Id(id) => {
                let contact = self.contacts.iter().find(|c| c.id == id).map(|c| self.state_of_contact(c));
                contact.or_else(|| tie(&|tie| tie.id == id))
            }
        }
    }

    fn state_of_contact(&self, c: &Contact) -> ConstraintState {
        ConstraintState {
            id: c.id,
            kind: 0,
            master: self.bodies.id(c.master.body as usize),
            slave: Some(self.bodies.id(c.slave.body as usize)),
            points: vec![c.master.point],
            base: c.base,
            r: c.r,
            u: c.u,
            v: c.v,
            gap: c.gap,
            area: c.area,
            merit: c.merit,
            material: self.surface.get(c.material as usize).map(|m| m.label.clone()),
            surfaces: Some([c.master.surf, c.slave.surf]),
        }
    }

    fn state_of_tie(&self, tie: &Tie) -> ConstraintState {
        let mut points = vec![tie.master.point];
        if tie.kind() == LINK {
            points.extend(tie.anchor.or(tie.slave.map(|slave| slave.point)));
        }
        ConstraintState {
            id: tie.id,
            kind: tie.kind(),
            master: self.bodies.id(tie.master.body as usize),
            slave: tie.slave.map(|slave| self.bodies.id(slave.body as usize)),
            points,
            base: tie.base,
            r: tie.r,
            u: tie.u,
            v: tie.v,
            gap: tie.gap(),
            area: 0.0,
            merit: tie.merit,
            material: None,
            surfaces: None,
        }
    }
}
