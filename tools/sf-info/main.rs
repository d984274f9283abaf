//! sf-info: what a file is and holds.

use solfec_tools::{cli, info};

#[global_allocator]
static MEMORY: cli::OrEnd = cli::OrEnd;

fn main() -> std::process::ExitCode {
    cli::main_with("sf-info", info::run)
}
