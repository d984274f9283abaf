//! sf-locdyn-compare: compares the local dynamics of runs, and solves local problems in FCLIB form
//! (commands-and-results.md F.4, G.8).

use crate::cli::CliError;

/// The tool.
pub fn run() -> Result<(), CliError> {
    Err(CliError::usage("nothing to compare yet"))
}
