//! Checkpoints `D/checkpoints/c000420.h5`: the whole state of a job after so many time steps, to go on from.
//! docs/formats/checkpoint.md is their page.

mod read;
mod tables;
mod write;

use std::path::{Path, PathBuf};

use solfec::simulation::State;
pub use tables::COLUMNS;

use crate::error::{Error, Result};
use crate::store::{self, In};

/// Root attribute `format`.
pub const FORMAT: &str = "solfec-checkpoint";
/// Root attribute `format_version`: readers accept any minor version of their major one.
pub const VERSION: &str = "2.0";
const MAJOR: u32 = 2;
const FOLDER: &str = "checkpoints";

/// A job between two time steps.
#[derive(Debug, Clone, PartialEq)]
pub struct Checkpoint {
    /// Domain of the results directory it belongs to; those before have finished, those after have not begun.
    pub domain: usize,
    /// RUNs of the domain begun so far.
    pub runs: u32,
    /// Time at which the last of them ends [s], and whether it is over.
    pub run_end: f64,
    pub done: bool,
    /// Operations of `program/steps` recorded by then.
    pub program: usize,
    /// Frames and steps stored of each domain by then.
    pub frames: Vec<u64>,
    pub steps: Vec<u64>,
    pub state: State,
}

impl Checkpoint {
    /// Time steps of all domains: what orders checkpoints, and names them.
    pub fn number(&self) -> u64 {
        self.steps.iter().sum()
    }
}

/// Writes a checkpoint of the results in `dir`; of those that are there it keeps the newest `keep`, at least this one.
/// What it counts must have been committed before: call [`crate::results::Writer::flush`].
pub fn write(dir: &Path, checkpoint: &Checkpoint, keep: usize) -> Result<PathBuf> {
    let folder = store::own_folder(dir, FOLDER)?;
    let number = checkpoint.number();
    let path = folder.join(name(number));
    store::create_sealed(&path, COLUMNS, |out| {
        write::head(out)?;
        write::content(out, checkpoint)
    })?;
    for old in files(dir)?.iter().rev().skip_while(|f| f.0 >= number).skip(keep.max(1) - 1) {
        remove(&old.1)?;
    }
    Ok(path)
}

/// The newest checkpoint of the results in `dir` that is whole, and a warning for each newer one that is damaged.
pub fn latest(dir: &Path) -> Result<(Option<Checkpoint>, Vec<String>)> {
    let mut warnings = Vec::new();
    for (_, path) in files(dir)?.iter().rev() {
        match read(path) {
            Ok(checkpoint) => return Ok((Some(checkpoint), warnings)),
            Err(error) => warnings.push(format!("{error}; the checkpoint before is used")),
        }
    }
    Ok((None, warnings))
}

/// Reads a checkpoint, if it is whole.
pub fn read(path: &Path) -> Result<Checkpoint> {
    read::content(&In::sealed(path, FORMAT, MAJOR)?)
}

/// The checkpoint of this number without events and the rows of bodies, contacts and constraints ([`State::head`]): what
/// all processes need of one that the first of them has read.
pub fn head(dir: &Path, number: u64) -> Result<Checkpoint> {
    read::head(&In::open(&dir.join(FOLDER).join(name(number)), FORMAT, MAJOR)?)
}

/// Removes the checkpoints after this number of steps (all of them without), newest first, and those cut short.
pub(crate) fn remove_after(dir: &Path, number: Option<u64>) -> Result<()> {
    let folder = dir.join(FOLDER);
    for (found, path) in files(dir)?.iter().rev() {
        if number.is_none_or(|number| *found > number) {
            remove(path)?;
        }
    }
    for path in entries(&folder)? {
        let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        if name.strip_suffix(".part").is_some_and(|whole| number_of(whole).is_some()) {
            remove(&path)?;
        }
    }
    Ok(())
}

fn name(number: u64) -> String {
    format!("c{number:06}.h5")
}

fn number_of(name: &str) -> Option<u64> {
    let digits = name.strip_prefix('c')?.strip_suffix(".h5")?;
    (digits.len() >= 6 && digits.bytes().all(|b| b.is_ascii_digit())).then(|| digits.parse().ok())?
}

/// Checkpoints by number, ascending.
fn files(dir: &Path) -> Result<Vec<(u64, PathBuf)>> {
    let numbered = |path: PathBuf| Some((number_of(&path.file_name()?.to_string_lossy())?, path));
    let mut found: Vec<(u64, PathBuf)> = entries(&dir.join(FOLDER))?.into_iter().filter_map(numbered).collect();
    found.sort();
    Ok(found)
}

fn entries(folder: &Path) -> Result<Vec<PathBuf>> {
    let failed = |e: std::io::Error| Error::io(folder, "read", &e);
    match std::fs::read_dir(folder) {
        Ok(entries) => entries.map(|e| Ok(e.map_err(failed)?.path())).collect(),
        Err(e) if e.kind() == std::io::ErrorKind::NotFound => Ok(Vec::new()),
        Err(e) => Err(failed(e)),
    }
}

fn remove(path: &Path) -> Result<()> {
    match std::fs::remove_file(path) {
        Err(e) if e.kind() != std::io::ErrorKind::NotFound => Err(Error::io(path, "remove", &e)),
        _ => Ok(()),
    }
}
