//! The processes that run a model together. What one of them decides for all comes from the first.

use std::sync::Arc;

use crate::cli::{read_hdf5_stdin, CliError};
use solfec::comm::{self, Alone, Communicator};
use solfec_formats::results::Rank;

/// Tag of messages.
const INPUT: u32 = 48;

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

    /// Does something on the first process before the others do it.
    pub fn first_then_others<T>(&self, act: impl FnOnce() -> Result<T, CliError>) -> Result<T, CliError> {
        if self.first() {
            let done = act();
            comm::barrier(&*self.0);
            return done;
        }
        comm::barrier(&*self.0);
        act()
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

    /// The bytes that the first process finds on its standard input.
    pub fn read_stdin(&self) -> Result<Vec<u8>, CliError> {
        if !self.first() {
            let mut bytes = Vec::new();
            self.0.receive(0, INPUT, &mut bytes);
            return Ok(bytes);
        }
        let bytes = read_hdf5_stdin()?;
        (1..self.count()).for_each(|rank| self.0.send(rank, INPUT, &bytes));
        Ok(bytes)
    }
}
