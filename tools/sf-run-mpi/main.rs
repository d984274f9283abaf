//! sf-run in one of several processes. It is started by `sf-run -np N`.

mod messages;

use std::cell::Cell;
use std::process::ExitCode;
use std::sync::Arc;
use std::time::Duration;

use messages::World;
use mpi::Threading;
use solfec_tools::run::Ranks;
use solfec_tools::{cli, run};

/// How long a process waits for the first to tell an error.
const PATIENCE: Duration = Duration::from_secs(10);

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
    let ended = Cell::new(None);
    let code = cli::main_with("sf-run", || {
        let result = run::run_on(&ranks);
        if let Err(error) = &result {
            ended.set((!error.text.is_empty()).then_some(error.code));
            if !ranks.first() && ended.get().is_some() {
                // Mostly the first process has the same error, tells it and ends all; should it not, this one does.
                std::thread::sleep(PATIENCE);
            }
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
