//! `--virtual N`: what N processes would do, done by threads of this one. Their messages and results are the same.

use std::sync::Arc;
use std::thread;

use super::options::Options;
use super::orders::PATIENCE;
use super::ranks::Ranks;
use super::{input, TOOL};
use crate::cli::{print_error, CliError, Exit};
use solfec::comm::InProcess;

/// Runs on so many threads, of which this is the first; each has `-j` threads of its own, one unless told otherwise.
pub fn run(options: &Options, count: u64) -> Result<(), CliError> {
    let mut options = options.clone();
    options.common.threads = options.common.threads.or(Some(1));
    let mut world = InProcess::world(count as usize).into_iter().map(|comm| Ranks::new(Arc::new(comm)));
    let Some(first) = world.next() else {
        return Err(CliError::usage("--virtual: give a number of processes from 1"));
    };
    let others = world.zip(1..).map(|(ranks, number)| {
        let mut options = options.clone();
        options.common.quiet = true;
        thread::Builder::new().name(format!("process {number}")).spawn(move || follow(&options, &ranks))
    });
    let others: Result<Vec<_>, _> = others.collect();
    let others = others.map_err(|e| CliError::new(Exit::Memory, format!("--virtual: no memory for a thread: {e}")))?;
    let threads = options.common.start_threads()?;
    let ran = input::run(&options, threads, &first);
    if ran.is_ok() {
        others.into_iter().for_each(|other| drop(other.join()));
    }
    ran
}

/// One of the others. Mostly the first one has the same error and tells it.
fn follow(options: &Options, ranks: &Ranks) {
    let ran = options.common.own_threads().and_then(|(threads, _pool)| input::run(options, threads, ranks));
    if let Err(error) = ran {
        if !error.text.is_empty() {
            thread::sleep(PATIENCE);
            print_error(TOOL, &error.text);
            std::process::exit(error.code.code().into());
        }
    }
}
