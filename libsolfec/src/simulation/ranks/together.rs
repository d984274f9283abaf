//! The state of all ranks as one, which does not depend on their number.

use super::super::state::{ConstraintColumns, ContactColumns};
use super::super::{Simulation, State};
use super::record::{garbled, put_states, take_states};
use crate::body::{BodyColumns, General};
use crate::comm;
use crate::frame::EventRows;
use crate::table::{put_table, take_table, Table};
use crate::{Error, Result};

/// Tag of messages.
const STATE: u32 = 39;

impl Simulation {
    /// The state of all ranks, on the first of them; `None` on the others. Collective.
    ///
    /// # Errors
    /// The same on all ranks: a message that is garbled.
    pub fn whole_state(&mut self) -> Result<Option<State>> {
        self.work.make_room();
        let mut state = self.state();
        if self.alone() {
            return Ok(Some(state));
        }
        if self.ranks.rank > 0 {
            self.comm.send(0, STATE, &packed(&state));
            return comm::agree(&*self.comm, Ok(None));
        }
        let mut gathered = Ok(());
        let mut message = Vec::new();
        for from in 1..self.comm.size() {
            self.comm.receive(from, STATE, &mut message);
            gathered = gathered.and(add(&mut state, &message));
        }
        sort(&mut state);
        comm::agree(&*self.comm, gathered.map(|()| Some(state)))
    }
}

/// What ranks have in parts, as bytes.
fn packed(state: &State) -> Vec<u8> {
    let bodies =
        BodyColumns { rigid: state.rigid.clone(), pseudo: state.pseudo.clone(), general: state.general.clone() };
    let mut message = Vec::new();
    put_states(&bodies, &mut message);
    let tables: [&dyn Table; 3] = [&state.contacts, &state.constraints, &EventRows::of(&state.events)];
    tables.into_iter().for_each(|table| put_table(table, &mut message));
    message
}

/// Adds the part of another rank.
fn add(state: &mut State, mut message: &[u8]) -> Result<()> {
    let BodyColumns { mut rigid, mut pseudo, general } = take_states(&mut message)?;
    state.rigid.append(&mut rigid);
    state.pseudo.append(&mut pseudo);
    general.iter().for_each(|body| state.general.push(body));
    let (mut contacts, mut constraints) = (ContactColumns::default(), ConstraintColumns::default());
    let mut events = EventRows::default();
    let tables: [&mut dyn Table; 3] = [&mut contacts, &mut constraints, &mut events];
    tables.into_iter().try_for_each(|table| take_table(table, &mut message).ok_or_else(garbled))?;
    state.contacts.append(&mut contacts);
    state.constraints.append(&mut constraints);
    state.events.extend(events.events().map_err(Error::input)?);
    Ok(())
}

/// Brings all rows into their order.
fn sort(state: &mut State) {
    fn order<K: Ord>(rows: usize, key: impl Fn(usize) -> K) -> Vec<usize> {
        let mut order: Vec<usize> = (0..rows).collect();
        order.sort_by_key(|row| key(*row));
        order
    }
    let State { rigid, pseudo, general, contacts, constraints, events, .. } = state;
    rigid.reorder(&order(rigid.id.len(), |k| rigid.id[k]));
    pseudo.reorder(&order(pseudo.id.len(), |k| pseudo.id[k]));
    contacts.reorder(&order(contacts.id.len(), |k| contacts.key(k)));
    constraints.reorder(&order(constraints.row.len(), |k| constraints.row[k]));
    events.sort_by(|a, b| a.time.total_cmp(&b.time).then(a.body.cmp(&b.body)));
    let mut bodies: Vec<_> = general.iter().collect();
    bodies.sort_by_key(|body| body.id);
    let mut sorted = General::default();
    bodies.into_iter().for_each(|body| sorted.push(body));
    *general = sorted;
}
