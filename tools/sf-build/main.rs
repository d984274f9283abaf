//! sf-build: deck → model.

use std::process::ExitCode;

#[global_allocator]
static MEMORY: solfec_tools::cli::OrEnd = solfec_tools::cli::OrEnd;

fn main() -> ExitCode {
    solfec_tools::build::main()
}
