//! Data that tests compare with: a small set of our own in tests/data, and larger ones that may lie beside the
//! repository.

use std::path::{Path, PathBuf};

use crate::skip::{not_here, skipped};

/// The sets that hold the file or folder `name`, ours first. Without the folder of data beside the repository ours must
/// do; where that folder is, it must hold what ours is a sample of.
pub fn sets(name: &str) -> Vec<PathBuf> {
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    let root = here.ancestors().find(|folder| folder.join("Cargo.lock").is_file()).expect("the repository");
    let (ours, beside) = (root.join("tests/data").join(name), root.join("../shared"));
    let theirs = beside.join("data").join(name);
    if !beside.is_dir() {
        not_here(&format!("no {} beside the repository", theirs.display()));
    } else if !theirs.exists() {
        skipped(&format!("{} is not there", theirs.display()));
    }
    [ours, theirs].into_iter().filter(|path| path.exists()).collect()
}
