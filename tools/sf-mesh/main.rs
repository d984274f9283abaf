//! sf-mesh: generates, transforms, converts and inspects meshes.

use solfec_tools::{cli, mesh};

#[global_allocator]
static MEMORY: cli::OrEnd = cli::OrEnd;

fn main() -> std::process::ExitCode {
    cli::main_with("sf-mesh", mesh::run)
}
