//! sf-build: deck → model.

use std::process::ExitCode;

fn main() -> ExitCode {
    solfec_tools::build::main()
}
