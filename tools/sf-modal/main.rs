//! sf-modal: modes of bodies.

use solfec_tools::{cli, modal};

#[global_allocator]
static MEMORY: cli::OrEnd = cli::OrEnd;

fn main() -> std::process::ExitCode {
    cli::main_with("sf-modal", modal::run)
}
