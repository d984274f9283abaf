//! Whether a file of ours is whole. Every tool that verifies calls this one function.

use std::path::Path;

use super::child::{check_in_child, is_checking_child};
use super::{require_exists, CliError};

/// What is wrong with a model, results, checkpoint or FCLIB file; nothing if all of it can be read. A process of its own
/// reads it, which damaged files may crash.
///
/// # Errors
/// It is missing, cannot be read, or is none of these.
pub fn verify(path: &Path) -> Result<Vec<String>, CliError> {
    require_exists(path)?;
    if is_checking_child() {
        Ok(solfec_formats::check_file(path)?)
    } else {
        check_in_child(path)
    }
}
