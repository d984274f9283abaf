//! sf-locdyn-compare: local dynamics compared and solved.

use solfec_tools::{cli, locdyn, siconos};

#[global_allocator]
static MEMORY: cli::OrEnd = cli::OrEnd;

fn main() -> std::process::ExitCode {
    siconos::or_tool(|| cli::main_with("sf-locdyn-compare", locdyn::run))
}
