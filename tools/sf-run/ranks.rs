//! The processes that run a model together. What one of them decides for all comes from the first.

use std::sync::Arc;

use crate::cli::CliError;
use solfec::comm::{self, Alone, Communicator};
use solfec_formats::results::Rank;

/// Tags of messages.
const ORDER: u32 = 49;
const OUTCOME: u32 = 50;
const HEARD: u32 = 51;
const PART: u32 = 52;

/// This process and the others.
#[derive(Clone)]
pub struct Ranks(Arc<dyn Communicator>);

impl Ranks {
    pub fn new(comm: Arc<dyn Communicator>) -> Ranks {
        Ranks(comm)
    }

    /// One process.
    pub fn alone() -> Ranks {
        Ranks(Arc::new(Alone))
    }

    pub fn count(&self) -> usize {
        self.0.size()
    }

    /// Whether this is the process that talks.
    pub fn first(&self) -> bool {
        self.0.rank() == 0
    }

    pub fn comm(&self) -> Arc<dyn Communicator> {
        Arc::clone(&self.0)
    }

    /// This process, for files.
    pub fn rank(&self) -> Rank {
        Rank { number: self.0.rank() as u32, count: self.0.size() as u32 }
    }

    /// Returns when all have called it.
    pub fn wait(&self) {
        comm::barrier(&*self.0);
    }

    /// Does something on the first process after the others have done it.
    pub fn others_then_first<T>(&self, act: impl FnOnce() -> Result<T, CliError>) -> Result<T, CliError> {
        if self.first() {
            comm::barrier(&*self.0);
            return act();
        }
        let done = act();
        comm::barrier(&*self.0);
        done
    }

    /// The number that the first process has, on all of them.
    pub fn of_first(&self, own: u32) -> u32 {
        let own = if self.first() { own } else { 0 };
        let [number] = comm::sum(&*self.0, [f64::from(own)]);
        number as u32
    }

    /// The first process tells the others something.
    pub fn send_to_others(&self, bytes: &[u8]) {
        (1..self.count()).for_each(|rank| self.0.send(rank, ORDER, bytes));
    }

    /// What the first process tells the others.
    pub fn from_first(&self) -> Vec<u8> {
        let mut bytes = Vec::new();
        self.0.receive(0, ORDER, &mut bytes);
        bytes
    }

    /// On the first process what all others have to say, in their order; they return when it has heard all.
    pub fn to_first_and_back(&self, own: &[u8]) -> Vec<Vec<u8>> {
        if !self.first() {
            self.0.send(0, OUTCOME, own);
            self.0.receive(0, HEARD, &mut Vec::new());
            return Vec::new();
        }
        let all = self.of_others(OUTCOME);
        (1..self.count()).for_each(|rank| self.0.send(rank, HEARD, &[]));
        all
    }

    /// On the first process the parts of all others of an answer, in their order.
    pub fn parts(&self, own: &[u8]) -> Vec<Vec<u8>> {
        if !self.first() {
            self.0.send(0, PART, own);
            return Vec::new();
        }
        self.of_others(PART)
    }

    fn of_others(&self, tag: u32) -> Vec<Vec<u8>> {
        let hear = |rank| {
            let mut bytes = Vec::new();
            self.0.receive(rank, tag, &mut bytes);
            bytes
        };
        (1..self.count()).map(hear).collect()
    }
}
