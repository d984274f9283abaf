//! sf-history: quantities over time from results.

use solfec_tools::{cli, deck, history};

fn main() -> std::process::ExitCode {
    cli::main_with("sf-history", || history::run(deck::script::read))
}
