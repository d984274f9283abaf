//! sf-mesh: generates, transforms, converts and inspects meshes.

use solfec_tools::{cli, mesh};

fn main() -> std::process::ExitCode {
    cli::main_with("sf-mesh", mesh::run)
}
