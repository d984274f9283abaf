//! sf-run in one of several processes. It is started by `sf-run -np N`.

mod messages;

use std::cell::Cell;
use std::process::ExitCode;
use std::sync::Arc;

use messages::World;
use mpi::Threading;
use solfec_tools::cli::{self, Exit};
use solfec_tools::run::{self, Ranks};

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
    // Also when it panics.
    let ended = Cell::new(Some(Exit::Internal));
    let code = cli::main_with("sf-run", || {
        let result = run::run_on(&ranks);
        ended.set(result.as_ref().err().filter(|error| !error.text.is_empty()).map(|error| error.code));
        if !ranks.first() && ended.get().is_some() {
            // Mostly the first process has the same error, tells it and ends all; should it not, this one does.
            std::thread::sleep(run::PATIENCE);
        }
        result
    });
    if let Some(why) = ended.get() {
        // The others may wait for this process.
        world.abort(why.code());
    }
    world.settle();
    code
}
