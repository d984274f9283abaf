//! sf-history: quantities over time from results.

use solfec_tools::{cli, deck, history};

#[global_allocator]
static MEMORY: cli::OrEnd = cli::OrEnd;

fn main() -> std::process::ExitCode {
    cli::main_with("sf-history", || history::run(deck::script::read))
}
