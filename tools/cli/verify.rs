//! Whether a file of ours is whole. Every tool that verifies calls this one function.

use std::path::Path;

use super::{require_exists, CliError};

/// What is wrong with a model, results, checkpoint or FCLIB file; nothing if all of it can be read.
///
/// # Errors
/// It is missing, cannot be read, or is none of these.
pub fn verify(path: &Path) -> Result<Vec<String>, CliError> {
    require_exists(path)?;
    Ok(solfec_formats::check_file(path)?)
}
