//! The processes beside the first one: they do what it tells them with their parts of the SOLFEC objects of its deck, or
//! of the models that it plays.

use std::sync::Arc;

use solfec::frame::Frame;
use solfec::load::NoFunctions;
use solfec::model::StoredOp;
use solfec_formats::checkpoint::{self, Checkpoint};

use super::live::Live;
use super::object::Domain;
use super::options::Options;
use super::orders::{models_of, parsed, Order, Sent};
use super::part::Beginning;
use super::process::Process;
use super::ranks::Ranks;
use super::recorded::{self, Part};
use super::together;
use crate::cli::{CliError, Exit, Record};
use crate::deck::engine::Samples;

/// Follows the first process until its deck has ended, or its model.
pub fn run(options: &Options, record: Record, ranks: &Ranks) -> Result<(), CliError> {
    let mut process = Process::new(options, Arc::default(), ranks)?;
    process.supervisor.follow();
    let mut live = Live::new(String::new(), options, process, record);
    loop {
        match live.orders.next()? {
            Order::Leave { exit: Exit::Success } => return Ok(()),
            Order::Leave { exit } => return Err(CliError::quiet(exit)),
            Order::Play { directory, heads, goes_on, from } => {
                let from = from.map(|number| checkpoint::head(&directory, number)).transpose()?;
                let part = Part { directory, file: models_of(heads)?, goes_on, from };
                recorded::play(part, options, &mut live.process, &live.record, &mut Vec::new())?;
            }
            order => live.follow(order),
        }
    }
}

/// Bodies at which the first process looks.
struct Shown(Vec<u64>);

impl Samples for Shown {
    fn bodies(&self) -> Vec<u64> {
        self.0.clone()
    }

    /// The first process knows.
    fn due(&mut self, _time: f64) -> bool {
        false
    }

    fn take(&mut self, _frame: &Frame) {}
}

impl Live {
    /// What comes of it is known to all, and told by the first process.
    fn follow(&mut self, order: Order) {
        let done = match order {
            Order::Open { domain, name, directory, goes_on, from } => {
                let from = from.map(|number| checkpoint::head(&directory, number)).transpose();
                self.open_here(domain, Domain { goes_on, ..Domain::new(name, directory) }, from)
            }
            Order::Start { domain, heads } => models_of(heads).and_then(|file| self.start_here(domain, file)),
            Order::Restore { domain, heads, program, done } => models_of(heads).and_then(|file| {
                let program: Vec<StoredOp> = parsed(&program)?;
                self.restore_here(domain, file, &program, done)
            }),
            Order::Apply { domain, op } => Sent::op(op).and_then(|op| self.apply_here(domain, op)),
            Order::Begin { domain, run, resume, grow } => self.begin_sent(domain, &run, resume, grow),
            Order::Advance { domain, looks } => {
                self.advance_here(domain, &mut NoFunctions, &mut Shown(looks)).map(|_| ())
            }
            Order::Abandon { domain } => self.abandon_here(domain),
            Order::Complete { domain, exit } => self.complete_here(domain, exit),
            Order::Stop { domain } => return self.stop_here(domain),
            Order::GoOn { domain } => return self.go_on_here(domain),
            Order::Release { domain } => return self.release_here(domain),
            Order::Ask { domain, query } => {
                if let Some(started) = &self.domains[domain].started {
                    together::give_part(&started.running.simulation, &query, &self.process.ranks);
                }
                return;
            }
            Order::Play { .. } | Order::Leave { .. } => return,
        };
        let _ = self.orders.outcome(done);
    }

    /// An object has been made on the first process.
    fn open_here(
        &mut self,
        domain: usize,
        opened: Domain,
        from: solfec_formats::Result<Option<Checkpoint>>,
    ) -> Result<(), CliError> {
        self.domains.truncate(domain);
        self.domains.push(opened);
        self.domains[domain].from = from?;
        Ok(())
    }

    fn begin_sent(&mut self, domain: usize, run: &str, resume: bool, grow: bool) -> Result<(), CliError> {
        let StoredOp::Run { duration, solver } = parsed(run)? else {
            return Err(CliError::new(Exit::Internal, "an order to run is no RUN"));
        };
        self.begin_here(domain, Beginning { duration, solver, resume, grow })
    }
}
