//! sf-mm-export: mass and stiffness of bodies as matrices.

use solfec_tools::{cli, matrices};

#[global_allocator]
static MEMORY: cli::OrEnd = cli::OrEnd;

fn main() -> std::process::ExitCode {
    cli::main_with("sf-mm-export", matrices::run)
}
