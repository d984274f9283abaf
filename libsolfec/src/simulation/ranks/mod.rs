//! A simulation whose bodies are distributed over ranks. A body belongs to the rank whose part of space holds the middle of
//! its box; its owner moves it. Other ranks near it have copies, which take part in detection and in the solve, and
//! which get the state of the body before each step. A contact belongs to the owner of its moving body of smaller id,
//! and so does a user constraint of two bodies; a constraint of one body belongs to the owner of that.

mod arrivals;
mod copies;
mod deal;
mod fetch;
mod functions;
mod migrate;
mod part;
mod record;
mod reproducible;
mod rows;
mod tell;
mod together;
mod weights;

pub(super) use part::Homes;
pub(super) use record::Change;
pub(super) use rows::{place_of_constraint, Place};
pub use tell::{Distribution, Spread};

use std::collections::BTreeMap;

use arrivals::Arrivals;
use record::Record;
use serde::de::DeserializeOwned;
use serde::Serialize;

use super::halving::Attempt;
use super::warnings::Warnings;
use super::Simulation;
use crate::comm::{self, Communicator};
use crate::constraint::Constraint;
use crate::contact::Contact;
use crate::domain::{imbalance, Cuts};
use crate::frame::EventKind;
use crate::ids::{BodyId, BodyIndex};
use crate::math::Vec3;
use crate::model::Model;
use crate::shape::Bounds;
use crate::Result;

/// What a rank knows of others.
pub(super) struct Ranks {
    rank: usize,
    /// Which rank has which part of space; `None` on one rank.
    cuts: Option<Cuts>,
    /// Rank that owns each body, by dense index; empty on one rank.
    pub home: Vec<u32>,
    /// What makes each body anew on another rank; empty on one.
    records: BTreeMap<BodyId, Record>,
    /// Ranks with which copies are exchanged in this step, ascending.
    pub partners: Vec<usize>,
    /// Own bodies of which each rank has copies, by rank, ascending.
    given: BTreeMap<usize, Vec<BodyId>>,
    /// Whether obstacles of some rank are driven by constraints.
    pub driven: bool,
}

impl Ranks {
    /// Cuts space so that ranks begin with equal numbers of the bodies of the model, which the first rank has. Collective.
    pub fn new(comm: &dyn Communicator, model: &Model) -> Ranks {
        let rank = comm.rank();
        let cuts = (comm.size() > 1).then(|| {
            let bodies = if rank == 0 { &model.bodies[..] } else { &[] };
            Cuts::find(comm, &bodies.iter().map(|body| (body.chars.center, 1.0)).collect::<Vec<_>>())
        });
        let (home, records, partners, given) = Default::default();
        Ranks { rank, cuts, home, records, partners, given, driven: false }
    }

    /// How space is cut; `None` on a single rank.
    pub fn cuts(&self) -> Option<&Cuts> {
        self.cuts.as_ref()
    }

    /// Takes the cuts of as many ranks, by which bodies move to their owners before the next step.
    pub fn go_on(&mut self, cuts: Option<&Cuts>) {
        let now = self.cuts.as_ref().map(Cuts::ranks);
        if let Some(cuts) = cuts.filter(|cuts| Some(cuts.ranks()) == now) {
            self.cuts = Some(cuts.clone());
        }
    }

    /// The number of this rank.
    pub fn number(&self) -> u32 {
        self.rank as u32
    }

    /// The rank to which a new body with this mass centre belongs.
    pub fn owner(&self, center: &Vec3) -> usize {
        self.cuts.as_ref().map_or(self.rank, |cuts| cuts.owner(center))
    }

    /// Whether this rank owns a body.
    pub fn owns(&self, body: BodyIndex) -> bool {
        self.home.get(body.index()).is_none_or(|home| *home as usize == self.rank)
    }

    /// Follows the bodies to new dense indices: those with `keep` stay.
    pub fn retain(&mut self, keep: &[bool]) {
        let mut kept = keep.iter();
        self.home.retain(|_| kept.next() == Some(&true));
    }
}

impl Simulation {
    pub(super) fn alone(&self) -> bool {
        self.ranks.cuts.is_none()
    }

    /// Brings this rank the bodies that its own may touch in the step of length `h` [s] that follows, in their present
    /// state; hands over bodies that have left its part of space, but not where a step is repeated. Collective.
    pub(super) fn exchange_bodies(&mut self, h: f64) -> Result<()> {
        if self.alone() {
            return Ok(());
        }
        let first = self.work.attempt == Attempt::default();
        self.bring_bodies(h, first)?;
        // Weights are those of bodies at home, as after a restart.
        if first && self.balance(h)? {
            self.bring_bodies(h, true)?;
        }
        Ok(())
    }

    /// Bodies move to their homes if they may, and copies to where they are near.
    fn bring_bodies(&mut self, h: f64, moves: bool) -> Result<()> {
        let mut boxes = self.boxes_ahead(h)?;
        let mut arrivals = Arrivals::default();
        if moves {
            self.migrate(&mut boxes, &mut arrivals)?;
        }
        self.copy_bodies(&boxes, &arrivals)?;
        self.take_in(arrivals);
        Ok(())
    }

    /// Boxes of all bodies where the next step will detect contacts.
    fn boxes_ahead(&mut self, h: f64) -> Result<Vec<Bounds>> {
        self.bodies.begin(h);
        let placed = self.objects.place(&self.bodies, self.settings.epsilon);
        let placed = placed.map_err(|error| self.not_placed(error));
        self.bodies.revert();
        comm::agree(&*self.comm, placed)?;
        Ok(self.bodies.indices().map(|body| *self.objects.bounds(body)).collect())
    }

    /// Cuts space anew where weights have become unequal; whether it did.
    fn balance(&mut self, h: f64) -> Result<bool> {
        let balance = self.settings.balance;
        // Contacts weigh from the second step on.
        let first = self.steps == 1 && balance.tolerance.is_finite();
        if !first && !balance.is_due(self.steps) {
            return Ok(false);
        }
        let boxes = self.boxes_ahead(h)?;
        let weights = self.weights();
        let points: Vec<(Vec3, f64)> =
            self.bodies.own().map(|(_, body)| (boxes[body.index()].center(), weights[body.index()])).collect();
        let own: f64 = points.iter().map(|(_, weight)| weight).sum();
        let cuts = first || self.steps == 0 || imbalance(&*self.comm, own) > balance.tolerance;
        if cuts {
            self.ranks.cuts = Some(Cuts::find(&*self.comm, &points));
        }
        Ok(cuts)
    }

    /// The body whose owner has a contact or constraint between these.
    fn keeper(&self, [a, b]: [BodyIndex; 2]) -> BodyIndex {
        let [fixed, other_fixed] = [a, b].map(|body| self.bodies.is_obstacle(body));
        match (fixed, other_fixed) {
            (true, false) => b,
            (false, true) => a,
            (true, true) | (false, false) => {
                if self.bodies.id(a) <= self.bodies.id(b) {
                    a
                } else {
                    b
                }
            }
        }
    }

    fn keeper_of_contact(&self, contact: &Contact) -> BodyIndex {
        self.keeper([contact.master.body, contact.slave.body])
    }

    fn keeper_of_constraint(&self, constraint: &Constraint) -> BodyIndex {
        let master = constraint.master.body();
        constraint.slave.map_or(master, |slave| self.keeper([master, slave.body()]))
    }

    /// Removes copies that are no longer near.
    fn drop_copies(&mut self, gone: &[BodyIndex]) {
        self.remove(gone, EventKind::Deleted);
        let bodies = &self.bodies;
        self.ranks.records.retain(|id, _| bodies.index(*id).is_some());
    }

    /// What each rank has, in the order of ranks. Collective.
    pub(super) fn of_all<T: Serialize + DeserializeOwned>(&self, own: &[T]) -> Result<Vec<T>> {
        let mut message = Vec::new();
        comm::agree(&*self.comm, record::put(&own, &mut message))?;
        let mut all: Vec<T> = Vec::new();
        let mut heard = Ok(());
        comm::gather(&*self.comm, &message, |_, mut bytes| match record::take::<Vec<T>>(&mut bytes) {
            Ok(of_rank) => all.extend(of_rank),
            Err(error) => heard = Err(error),
        });
        heard.map(|()| all)
    }

    /// What ranks have noted in this step becomes that of all; on the first rank alone it is to be told. Collective.
    pub(super) fn share_warnings(&self, warnings: &mut Warnings) -> Result<()> {
        let Some(notes) = &mut warnings.unshared else { return Ok(()) };
        if comm::any(&*self.comm, !notes.is_empty()) {
            let all = self.of_all(&std::mem::take(notes))?;
            warnings.share(all);
            if self.ranks.rank > 0 {
                warnings.fresh.clear();
            }
        }
        Ok(())
    }
}
