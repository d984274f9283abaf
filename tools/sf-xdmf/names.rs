//! Names of the files of an export.

use std::path::{Path, PathBuf};

/// The base of an export with an ending, which need not begin with a dot.
pub fn with_ending(path: &Path, ending: &str) -> PathBuf {
    let mut name = path.as_os_str().to_os_string();
    name.push(ending);
    name.into()
}
