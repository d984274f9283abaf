//! sf-run: runs a model or a deck and stores its results; maintenance of results. [`live`] is the engine of decks,
//! [`recorded`] plays models, [`running`] holds the loop over steps of both.

mod adapt;
mod answers;
mod beginning;
mod consent;
mod difference;
mod ending;
mod follow;
mod input;
mod job;
mod launch;
mod live;
mod object;
mod old;
mod options;
mod orders;
mod pack;
mod part;
mod process;
mod ranks;
mod recorded;
mod running;
mod signals;
mod start;
mod status;
mod supervisor;
mod tally;
mod timers;
mod together;
mod trace;
mod virtual_processes;

use crate::cli::{parse, CliError};
use options::Options;
pub use orders::PATIENCE;
pub use ranks::Ranks;

const TOOL: &str = "sf-run";

/// The command line of the tool.
pub fn command() -> clap::Command {
    <Options as clap::CommandFactory>::command()
}

/// The tool.
pub fn run() -> Result<(), CliError> {
    match (launch::asked()?, launch::joined()) {
        (Some(_), Some(processes)) => {
            let text = format!("-np: this is already one of {processes} processes of mpirun or srun; leave -np out");
            Err(CliError::usage(text))
        }
        (Some(processes), None) => launch::run(processes),
        (None, Some(_)) => launch::join(),
        (None, None) => run_on(&Ranks::alone()),
    }
}

/// The tool in one of several processes.
pub fn run_on(ranks: &Ranks) -> Result<(), CliError> {
    let mut options: Options = parse(TOOL)?;
    options.common.quiet |= !ranks.first();
    options.common.apply();
    if let Some(done) = pack::maintain(&options) {
        return done;
    }
    let ran = match options.virtual_processes {
        Some(_) if ranks.count() > 1 => Err(CliError::usage("--virtual: there are several processes already")),
        Some(count) => virtual_processes::run(&options, count),
        None => input::run(&options, options.common.start_threads()?, ranks),
    };
    ran.map_err(told_to_go_on)
}

/// A full disk ends no run for good.
fn told_to_go_on(error: CliError) -> CliError {
    match error.name {
        "E_IO_FULL" => {
            CliError { text: format!("{}; results stored so far are whole: sf-run -c goes on", error.text), ..error }
        }
        _ => error,
    }
}
