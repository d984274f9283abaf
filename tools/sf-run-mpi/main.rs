//! sf-run in one of several processes. It is started by `sf-run -np N`.

mod messages;

use std::process::ExitCode;
use std::sync::Arc;

use messages::World;
use mpi::Threading;
use solfec_tools::run::Ranks;
use solfec_tools::{cli, run};

#[global_allocator]
static MEMORY: cli::OrEnd = cli::OrEnd;

fn main() -> ExitCode {
    // Steps are made among the threads of the process: messages come from one of them at a time.
    let Some((universe, _)) = mpi::initialize_with_threading(Threading::Serialized) else {
        eprintln!("sf-run: error: MPI cannot be initialised");
        return ExitCode::FAILURE;
    };
    let world = Arc::new(World::new(&universe));
    let ranks = Ranks::new(Arc::clone(&world) as Arc<dyn solfec::comm::Communicator>);
    let code = cli::main_with("sf-run", || run::run_on(&ranks));
    if code != ExitCode::SUCCESS {
        // The others may wait for this process.
        world.abort();
    }
    world.settle();
    code
}
