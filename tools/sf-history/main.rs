//! sf-history: quantities over time from results.

fn main() -> std::process::ExitCode {
    solfec_tools::cli::main_with("sf-history", solfec_tools::history::run)
}
