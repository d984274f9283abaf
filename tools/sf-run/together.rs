//! What running simulations of several processes answer to a deck together: each gives its part, and the first one puts
//! the parts together.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use solfec::body::Energies;
use solfec::frame::Frame;
use solfec::ids::{BodyId, BodyIndex};
use solfec::math::tree_sum;
use solfec::simulation::Simulation;

use super::answers::{self, constraint, constraints};
use super::ranks::Ranks;
use crate::deck::engine::Samples;
use crate::deck::query::{Answer, Constraint, Query};
use crate::deck::Fault;

/// What one process knows.
#[derive(Debug, Serialize, Deserialize)]
enum Part {
    Nothing,
    Bodies(Vec<u64>),
    /// Of the bodies asked for that are here.
    Energies(Vec<(u64, Energies)>),
    Constraints(Vec<(u64, u64)>),
    Constraint(Box<Constraint>),
    /// As bytes.
    Frame(Vec<u8>),
}

/// The answer of all about bodies and constraints, on the first process.
///
/// # Errors
/// As [`answers::answer`]; an answer that is garbled.
pub fn answer(simulation: &Simulation, query: &Query, ranks: &Ranks) -> Result<Answer, Fault> {
    if *query == Query::LocalDynamics {
        return answers::answer(simulation, query);
    }
    let mut parts = vec![part(simulation, query)];
    for bytes in ranks.parts(&[]) {
        parts.push(postcard::from_bytes(&bytes).map_err(|error| garbled(&error))?);
    }
    put_together(query, parts)
}

/// The part of another process goes to the first one.
pub fn give_part(simulation: &Simulation, query: &Query, ranks: &Ranks) {
    if *query == Query::LocalDynamics {
        // All processes bring them together; the first one has them too, or the same error.
        drop(simulation.local_dynamics());
        return;
    }
    // What is empty is garbled there.
    ranks.parts(&postcard::to_stdvec(&part(simulation, query)).unwrap_or_default());
}

/// Shows the bodies that are looked at, where that is due.
pub fn look(simulation: &Simulation, bodies: &[u64], looks: &mut dyn Samples, ranks: &Ranks) {
    if bodies.is_empty() {
        return;
    }
    let due = looks.due(simulation.time());
    if ranks.of_first(u32::from(due)) == 0 {
        return;
    }
    let own = bodies.iter().filter_map(|id| own(simulation, *id));
    let here = own.map(|body| simulation.view_body(body));
    let there = ranks.parts(&joined(here.clone()).map_or_else(Vec::new, |frame| frame.to_bytes()));
    // A process without any of the bodies has no frame.
    let there = there.iter().filter_map(|bytes| Frame::from_bytes(bytes).ok());
    if let Some(frame) = joined(here.chain(there)) {
        looks.take(&frame);
    }
}

/// The rows of frames of one instant.
fn joined(mut frames: impl Iterator<Item = Frame>) -> Option<Frame> {
    let mut all = frames.next()?;
    frames.for_each(|frame| all.join(frame));
    Some(all)
}

fn garbled(error: &postcard::Error) -> Fault {
    Fault::runtime(format!("an answer of another process is garbled ({error})"))
}

/// The body of this id, if this process owns it.
fn own(simulation: &Simulation, id: u64) -> Option<BodyIndex> {
    let bodies = simulation.bodies();
    bodies.index(BodyId(id)).filter(|body| !bodies.is_copy(*body))
}

fn part(simulation: &Simulation, query: &Query) -> Part {
    let bodies = simulation.bodies();
    match query {
        Query::Bodies => Part::Bodies(bodies.own().map(|(id, _)| id.0).collect()),
        Query::Exists(id) => Part::Bodies(own(simulation, *id).map(|_| *id).into_iter().collect()),
        Query::Body(id) => {
            own(simulation, *id).map_or(Part::Nothing, |body| Part::Frame(simulation.view_body(body).to_bytes()))
        }
        Query::Energies(None) => Part::Energies(bodies.own().map(|(id, body)| (id.0, bodies.energies(body))).collect()),
        Query::Energies(Some(ids)) => {
            let there = ids.iter().filter_map(|id| Some((*id, bodies.energies(own(simulation, *id)?))));
            Part::Energies(there.collect())
        }
        Query::Constraints(body) => Part::Constraints(constraints(simulation, *body)),
        Query::Constraint(key) => {
            constraint(simulation, *key).map_or(Part::Nothing, |found| Part::Constraint(Box::new(found)))
        }
        Query::Frame => Part::Frame(simulation.view().to_bytes()),
        Query::Clock | Query::LocalDynamics | Query::Seconds(_) => Part::Nothing,
    }
}

/// The sum over the bodies asked for in the order in which one process adds them, so that it has the same bits.
fn total(asked: &Option<Vec<u64>>, of: &BTreeMap<u64, Energies>) -> Energies {
    match asked {
        None => {
            let rows: Vec<&Energies> = of.values().collect();
            tree_sum(rows.len(), |k| *rows[k])
        }
        Some(ids) => ids.iter().filter_map(|id| of.get(id)).fold([0.0; 6], answers::sum),
    }
}

fn put_together(query: &Query, parts: Vec<Part>) -> Result<Answer, Fault> {
    let (mut bodies, mut energies, mut rows) = (Vec::new(), BTreeMap::new(), Vec::new());
    let (mut found, mut frames) = (None, Vec::new());
    for part in parts {
        match part {
            Part::Nothing => {}
            Part::Bodies(ids) => bodies.extend(ids),
            Part::Energies(of) => energies.extend(of),
            Part::Constraints(of) => rows.extend(of),
            Part::Constraint(of) => found = Some(of),
            Part::Frame(bytes) => frames.push(Frame::from_bytes(&bytes)?),
        }
    }
    bodies.sort_unstable();
    Ok(match query {
        Query::Exists(_) => Answer::Exists(!bodies.is_empty()),
        Query::Body(_) | Query::Frame => Answer::Frame(Box::new(joined(frames.into_iter()).ok_or_else(answers::gone)?)),
        Query::Energies(asked) => Answer::Energies(total(asked, &energies)),
        Query::Constraints(_) => Answer::Constraints(rows),
        Query::Constraint(_) => Answer::Constraint(found),
        Query::Bodies => Answer::Bodies(bodies),
        Query::Clock | Query::LocalDynamics | Query::Seconds(_) => {
            return Err(Fault::runtime("the processes do not answer this together"))
        }
    })
}
