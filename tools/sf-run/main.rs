//! sf-run: runs a model or a deck and stores its results.

use solfec_tools::{cli, run, siconos};

fn main() -> std::process::ExitCode {
    siconos::or_tool(|| cli::main_with("sf-run", run::run))
}
