//! User functions, which the first rank calls for all, and of a body and its copies once.

use std::collections::BTreeMap;

use super::super::Simulation;
use super::record::{garbled, put, take};
use crate::comm;
use crate::ids::BodyId;
use crate::load::{Call, UserFunctions};
use crate::{Error, Result};

/// Tags of messages.
const CALLS: u32 = 40;
const VALUES: u32 = 41;

impl Simulation {
    /// The numbers that these calls return, in order; `functions` are those of the first rank. Collective.
    ///
    /// # Errors
    /// The same on all ranks: that of the functions.
    pub(in crate::simulation) fn call(
        &self,
        calls: &[Call],
        functions: &mut dyn UserFunctions,
    ) -> Result<Vec<Vec<f64>>> {
        if !comm::any(&*self.comm, !calls.is_empty()) {
            return Ok(Vec::new());
        }
        if self.alone() {
            return functions.values(calls);
        }
        let answers = if self.ranks.rank == 0 { self.call_for_all(calls, functions) } else { self.have_called(calls) };
        comm::agree(&*self.comm, answers)
    }

    /// Calls the functions in one batch, and gives each rank what is its own.
    fn call_for_all(&self, own: &[Call], functions: &mut dyn UserFunctions) -> Result<Vec<Vec<f64>>> {
        let mut batch = Batch::default();
        batch.add(own.to_vec());
        let mut counts = Vec::new();
        let mut heard = Ok(());
        for from in 1..self.comm.size() {
            let mut message = Vec::new();
            self.comm.receive(from, CALLS, &mut message);
            let of_rank = take::<Vec<Call>>(&mut &message[..]).unwrap_or_else(|error| {
                heard = Err(error);
                Vec::new()
            });
            counts.push(of_rank.len());
            batch.add(of_rank);
        }
        let Batch { calls, places, .. } = batch;
        let answers = heard.and_then(|()| functions.values(&calls)).and_then(|answers| match answers.len() {
            n if n == calls.len() => Ok(places.iter().map(|place| answers[*place].clone()).collect::<Vec<_>>()),
            n => Err(Error::input(format!("{} calls of functions have {n} answers", calls.len()))),
        });
        // The others wait, whatever came of it.
        let mut rest = answers.as_ref().map_or(&[][..], |answers| &answers[own.len()..]);
        for (to, count) in (1..).zip(counts) {
            let (of_rank, after) = rest.split_at(count.min(rest.len()));
            let mut message = Vec::new();
            put(&of_rank, &mut message)?;
            self.comm.send(to, VALUES, &message);
            rest = after;
        }
        answers.map(|mut answers| {
            answers.truncate(own.len());
            answers
        })
    }

    fn have_called(&self, calls: &[Call]) -> Result<Vec<Vec<f64>>> {
        let mut message = Vec::new();
        // What is not sent is garbled there.
        let sent = put(&calls, &mut message);
        self.comm.send(0, CALLS, &message);
        self.comm.receive(0, VALUES, &mut message);
        sent?;
        let answers: Vec<Vec<f64>> = take(&mut &message[..])?;
        // After an error there is none, and the first rank tells it.
        if answers.len() == calls.len() || answers.is_empty() {
            Ok(answers)
        } else {
            Err(garbled())
        }
    }
}

/// Calls of all ranks, those for a body and its copies once.
#[derive(Default)]
struct Batch {
    calls: Vec<Call>,
    /// For each call of each rank its place among `calls`.
    places: Vec<usize>,
    /// Places of the calls for bodies: body, function, and which of several loads with this function.
    of_bodies: BTreeMap<(BodyId, u32, usize), usize>,
}

impl Batch {
    fn add(&mut self, calls: Vec<Call>) {
        let mut loads: BTreeMap<(BodyId, u32), usize> = BTreeMap::new();
        for call in calls {
            let new = self.calls.len();
            let place = match &call {
                Call::Force { function, body, .. } => {
                    let load = loads.entry((*body, *function)).or_default();
                    *load += 1;
                    *self.of_bodies.entry((*body, *function, *load)).or_insert(new)
                }
                Call::Spring { .. } | Call::Field { .. } => new,
            };
            if place == new {
                self.calls.push(call);
            }
            self.places.push(place);
        }
    }
}
