//! A state in parts: the first rank has all its rows and sends them to all, batch by batch; each rank keeps its own.

use std::collections::{BTreeMap, BTreeSet};

use super::super::state::ContactColumns;
use super::super::{Simulation, State};
use super::arrivals::Arrivals;
use super::deal::BATCH;
use super::record::{garbled, put_states, take_states};
use crate::body::{BodyColumns, General};
use crate::comm;
use crate::ids::BodyId;
use crate::table::{put_rows, take_table, Table};
use crate::{Error, Result};

/// Owners of bodies.
pub(in crate::simulation) type Homes = BTreeMap<BodyId, usize>;

impl Simulation {
    /// The part of a state that belongs to this rank, and the owners of all bodies that its contacts hold on to. Of other
    /// ranks than the first one no rows are looked at. Collective.
    ///
    /// # Errors
    /// Bodies and constraints of the state that are nowhere; the same on all ranks.
    pub(in crate::simulation) fn part_of(&self, whole: &State) -> Result<(State, Homes)> {
        let mut own = whole.head();
        let keep = |ids: &[u64]| (0..ids.len()).filter(|k| self.is_own(ids[*k])).collect();
        let of_bodies = &mut [0; 2];
        own.rigid = self.own_rows(&whole.rigid, of_bodies, |rows| Ok(keep(&rows.id)))?;
        own.pseudo = self.own_rows(&whole.pseudo, of_bodies, |rows| Ok(keep(&rows.id)))?;
        own.general = self.own_general(&whole.general, of_bodies)?;
        let of_constraints = &mut [0; 2];
        own.constraints = self.own_rows(&whole.constraints, of_constraints, |rows| {
            let here = |row| self.constraints.binary_search_by_key(row, |constraint| constraint.row).is_ok();
            Ok((0..rows.row.len()).filter(|k| here(&rows.row[*k])).collect())
        })?;
        let mut homes = Homes::new();
        own.contacts = self.own_rows(&whole.contacts, &mut [0; 2], |rows| self.own_contacts(rows, &mut homes))?;
        if self.ranks.rank == 0 {
            own.events.clone_from(&whole.events);
        }
        let kept = comm::sum(&*self.comm, [of_bodies[0], of_constraints[0]].map(|number| number as f64));
        if kept != [of_bodies[1], of_constraints[1]].map(|number| number as f64) {
            return Err(Error::input(
                "state: it has bodies or constraints that the model has not at that time; is it another model?",
            ));
        }
        Ok((own, homes))
    }

    /// The rows of a table of the first rank that belong to this one: `keep` says which of a batch. Adds the number of
    /// these and of all rows to `counts`.
    fn own_rows<T: Table + Default>(
        &self,
        whole: &T,
        counts: &mut [usize; 2],
        mut keep: impl FnMut(&T) -> Result<Vec<usize>>,
    ) -> Result<T> {
        let all = self.told(|| Ok(whole.rows()))?;
        let mut own = T::default();
        for first in (0..all).step_by(BATCH) {
            let message = self.told(|| {
                let mut bytes = Vec::new();
                put_rows(whole, first..first + BATCH, &mut bytes);
                Ok(bytes)
            })?;
            let mut batch = T::default();
            take_table(&mut batch, &mut &message[..]).ok_or_else(garbled)?;
            batch.reorder(&keep(&batch)?);
            counts[0] += batch.rows();
            own.append(&mut batch);
        }
        counts[1] += all;
        Ok(own)
    }

    /// The same of bodies that have so many numbers each.
    fn own_general(&self, whole: &General, counts: &mut [usize; 2]) -> Result<General> {
        let all = self.told(|| Ok(whole.bodies.rows()))?;
        let mut left = whole.iter();
        let mut own = General::default();
        for _ in (0..all).step_by(BATCH) {
            let message = self.told(|| {
                let mut batch = BodyColumns::default();
                left.by_ref().take(BATCH).for_each(|body| batch.general.push(body));
                let mut bytes = Vec::new();
                put_states(&batch, &mut bytes);
                Ok(bytes)
            })?;
            let batch = take_states(&mut &message[..])?;
            batch.general.iter().filter(|body| self.is_own(body.id)).for_each(|body| own.push(body));
        }
        counts[0] += own.bodies.rows();
        counts[1] += all;
        Ok(own)
    }

    /// Those of some contacts that belong to this rank; adds the owners of their bodies to `homes`. Collective.
    fn own_contacts(&self, contacts: &ContactColumns, homes: &mut Homes) -> Result<Vec<usize>> {
        let ids: BTreeSet<BodyId> = contacts.bodies.iter().flatten().copied().map(BodyId).collect();
        let found = self.homes_of(&ids);
        let mut own = Vec::new();
        for (row, pair) in contacts.bodies.iter().enumerate() {
            let [Some(a), Some(b)] = pair.map(|id| found.get(&BodyId(id)).map(|home| (BodyId(id), *home))) else {
                let text = format!(
                    "state: contact {} between bodies {} and {}: not both are there",
                    contacts.id[row], pair[0], pair[1]
                );
                return Err(Error::input(text));
            };
            // As `keeper` chooses: the moving body, of two the one of smaller id.
            let keeper = if a.1 .1 && !b.1 .1 { b } else { a };
            if keeper.1 .0 == self.ranks.rank {
                homes.extend([a, b].map(|(id, (home, _))| (id, home)));
                own.push(row);
            }
        }
        Ok(own)
    }

    /// Owners of the bodies that contacts of this rank hold on to.
    pub(in crate::simulation) fn homes_of_contacts(&self) -> Homes {
        if self.alone() {
            return Homes::new();
        }
        let ends = self.contacts.iter().flat_map(|contact| [contact.master.body, contact.slave.body]);
        ends.map(|body| (self.bodies.id(body), self.home(body))).collect()
    }

    /// Brings copies of these bodies here, and of those that are near within a step of length `h` [s]; all of them
    /// anew. Collective.
    pub(in crate::simulation) fn copy_again(&mut self, homes: Homes, h: f64) -> Result<()> {
        if self.alone() {
            return Ok(());
        }
        // Copies of an attempt that failed may be anywhere.
        self.refresh_copies()?;
        self.ranks.given.clear();
        let boxes = self.boxes_ahead(h)?;
        self.copy_bodies(&boxes, &Arrivals { homes, ..Arrivals::default() })
    }
}
