//! The HDF5 library alone: reads all datasets and attributes of the files in a folder, in a process of its own, with no
//! code of the formats. It is this test program again, which then runs one test only.

use std::path::Path;
use std::process::Command;

use hdf5::types::{TypeDescriptor, VarLenAscii, VarLenUnicode};
use hdf5::{Container, Group};

use super::readers::{limited, Ended};

const FOLDER: &str = "SF_FUZZ_FOLDER";

/// Whether the library is killed by one of the files, or does not end.
pub fn fails(folder: &Path) -> bool {
    let program = std::env::current_exe().expect("the test is a file");
    let mut alone = Command::new(program);
    alone.args(["--exact", "library::reads_alone", "--test-threads", "1"]).env(FOLDER, folder);
    matches!(limited(&mut alone).0, Ended::Signal(_) | Ended::Hangs)
}

/// In the process of its own; otherwise nothing.
#[test]
fn reads_alone() {
    if let Some(folder) = std::env::var_os(FOLDER) {
        files(Path::new(&folder));
    }
}

fn files(folder: &Path) {
    for entry in std::fs::read_dir(folder).into_iter().flatten().flatten() {
        let path = entry.path();
        if path.is_dir() {
            files(&path);
        } else if let Ok(file) = solfec_formats::open_options().open(&path) {
            if let Ok(root) = file.as_group() {
                group(&root, 0);
            }
        }
    }
}

/// Groups may contain themselves.
const DEEPEST: usize = 6;

fn group(here: &Group, depth: usize) {
    attributes(here);
    for name in here.member_names().unwrap_or_default() {
        if let Ok(set) = here.dataset(&name) {
            values(&set);
            attributes(&set);
        } else if let Some(inner) = here.group(&name).ok().filter(|_| depth < DEEPEST) {
            group(&inner, depth + 1);
        }
    }
}

fn attributes(of: &hdf5::Location) {
    for name in of.attr_names().unwrap_or_default() {
        if let Ok(attribute) = of.attr(&name) {
            values(&attribute);
        }
    }
}

/// Reads what a file of this size can hold.
fn values(from: &Container) {
    const MOST: usize = 1 << 24;
    let Ok(kind) = from.dtype().and_then(|t| t.to_descriptor()) else { return };
    if from.shape().iter().try_fold(1usize, |a, &b| a.checked_mul(b)).is_none_or(|n| n > MOST) {
        return;
    }
    match kind {
        TypeDescriptor::VarLenUnicode => drop(from.read_raw::<VarLenUnicode>()),
        TypeDescriptor::VarLenAscii => drop(from.read_raw::<VarLenAscii>()),
        TypeDescriptor::Float(_) => drop(from.read_raw::<f64>()),
        _ => drop(from.read_raw::<i64>()),
    }
}
