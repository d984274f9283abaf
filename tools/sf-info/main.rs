//! sf-info: what a file is and holds.

use solfec_tools::{cli, info};

fn main() -> std::process::ExitCode {
    cli::main_with("sf-info", info::run)
}
