//! sf-run: runs a model or a deck and stores its results.

use solfec_tools::{cli, run, siconos};

#[global_allocator]
static MEMORY: cli::OrEnd = cli::OrEnd;

fn main() -> std::process::ExitCode {
    siconos::or_tool(|| cli::main_with("sf-run", run::run))
}
