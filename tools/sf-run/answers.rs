//! What a running simulation answers to a deck.

use solfec::body::Energies;
use solfec::constraint::{self, End};
use solfec::contact::Contact;
use solfec::ids::{BodyId, BodyIndex};
use solfec::model::{constraint_kind, Joint};
use solfec::simulation::Simulation;

use crate::deck::query::{Answer, Constraint, Query, CONTACT};
use crate::deck::Fault;

/// Answers all but [`Query::Seconds`], of which a simulation knows nothing.
///
/// # Errors
/// A body that does not exist (any more).
pub fn answer(simulation: &Simulation, query: &Query) -> Result<Answer, Fault> {
    let bodies = simulation.bodies();
    Ok(match query {
        Query::Clock => Answer::Clock { time: simulation.time(), step: simulation.step_length() },
        Query::Bodies => {
            let mut ids: Vec<u64> = bodies.indices().map(|index| bodies.id(index).0).collect();
            ids.sort_unstable();
            Answer::Bodies(ids)
        }
        Query::Exists(id) => Answer::Exists(bodies.index(BodyId(*id)).is_some()),
        Query::Body(id) => Answer::Frame(Box::new(simulation.view_body(index(simulation, *id)?))),
        Query::Energies(None) => Answer::Energies(bodies.energy_total()),
        Query::Energies(Some(ids)) => {
            let there = ids.iter().filter_map(|id| bodies.index(BodyId(*id)));
            Answer::Energies(there.map(|index| bodies.energies(index)).fold([0.0; 6], |a, b| sum(a, &b)))
        }
        Query::Constraints(body) => Answer::Constraints(constraints(simulation, *body)),
        Query::Constraint(key) => Answer::Constraint(constraint(simulation, *key).map(Box::new)),
        Query::Frame => Answer::Frame(Box::new(simulation.view())),
        Query::LocalDynamics => Answer::LocalDynamics(Box::new(simulation.local_dynamics()?)),
        Query::Seconds(_) => Answer::Seconds(None),
    })
}

/// Energies of two bodies together.
pub fn sum(a: Energies, b: &Energies) -> Energies {
    std::array::from_fn(|k| a[k] + b[k])
}

fn index(simulation: &Simulation, id: u64) -> Result<BodyIndex, Fault> {
    simulation.bodies().index(BodyId(id)).ok_or_else(gone)
}

/// The fault of a body that does not exist any more.
pub fn gone() -> Fault {
    Fault::wrong_type("body was deleted or has left the extents")
}

/// A constraint by the second number of its handle.
pub fn constraint(simulation: &Simulation, key: u64) -> Option<Constraint> {
    if key & CONTACT != 0 {
        return simulation.contact(key & !CONTACT).map(|contact| of_contact(simulation, contact));
    }
    let rows = simulation.constraints();
    let found = rows.binary_search_by_key(&key, |user| user.row.into());
    found.ok().map(|k| of_user_constraint(simulation, &rows[k]))
}

/// Ids and second numbers of handles.
pub fn constraints(simulation: &Simulation, body: Option<u64>) -> Vec<(u64, u64)> {
    let at = |index: BodyIndex| body.is_none_or(|body| simulation.bodies().id(index) == BodyId(body));
    let contacts = simulation.contacts().iter().filter(|c| at(c.master.body) || at(c.slave.body));
    let of_user = simulation
        .constraints()
        .iter()
        .filter(|user| at(user.master.body()) || user.slave.is_some_and(|slave| at(slave.body())));
    let mut found: Vec<(u64, u64)> = contacts.map(|c| (c.id, CONTACT | c.id)).collect();
    found.extend(of_user.map(|user| (user.id, u64::from(user.row))));
    found
}

/// A user constraint of a running simulation.
fn of_user_constraint(simulation: &Simulation, user: &constraint::Constraint) -> Constraint {
    let body = |end: &End| simulation.bodies().id(end.body()).0;
    let link = matches!(user.joint, Joint::RigidLink { .. });
    Constraint {
        kind: user.kind(),
        master: body(&user.master),
        slave: user.slave.as_ref().map(body),
        r: user.r,
        u: user.u,
        v: user.v,
        base: user.base,
        point: user.master.point,
        other: user.slave.map(|slave| slave.point).or(user.anchor).filter(|_| link),
        area: 0.0,
        gap: user.gap(),
        merit: user.merit,
        material: None,
        surfaces: None,
    }
}

fn of_contact(simulation: &Simulation, contact: &Contact) -> Constraint {
    let body = |index: BodyIndex| simulation.bodies().id(index).0;
    Constraint {
        kind: constraint_kind::CONTACT,
        master: body(contact.master.body),
        slave: Some(body(contact.slave.body)),
        r: contact.r,
        u: contact.u,
        v: contact.v,
        base: contact.base,
        point: contact.master.point,
        other: None,
        area: contact.area,
        gap: contact.gap,
        merit: contact.merit,
        material: Some(contact.material as usize),
        surfaces: Some([contact.master.surf, contact.slave.surf]),
    }
}
