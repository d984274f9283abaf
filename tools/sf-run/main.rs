//! sf-run: runs a model or a deck and stores its results.

mod adapt;
mod difference;
mod input;
mod job;
mod live;
mod options;
mod pack;
mod process;
mod recorded;
mod running;
mod signals;
mod status;
mod supervisor;
mod trace;

use std::process::ExitCode;

use solfec_tools::cli;

fn main() -> ExitCode {
    cli::main_with("sf-run", || {
        let options: options::Options = cli::parse("sf-run")?;
        options.common.apply();
        if let Some(done) = pack::maintain(&options) {
            return done;
        }
        let threads = options.common.start_threads()?;
        input::run(&options, threads)
    })
}
