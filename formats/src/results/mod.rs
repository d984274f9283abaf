//! Results: a directory `D` with the master `D/NAME.sfr.h5`, the model `D/NAME.sfm.h5` and `D/segments/`.
//! docs/formats/results.md is their page.
//!
//! Frames gather in memory and become immutable segments; a frame is committed by the rename of its segment and by
//! nothing else. The master repeats the segments as virtual datasets and is rewritten at each commit; a reader that
//! finds segments beyond the master uses them. Packed results are one file that holds all of it.

mod canonical;
mod catalogue;
mod gathered;
mod history;
mod lock;
mod master;
mod merge;
mod pack;
mod reader;
mod record;
mod reopen;
mod scan;
mod segment;
mod stored;
mod tables;
mod writer;

use std::path::{Path, PathBuf};

pub use canonical::{part_of, shape_class, ShapeClass};
pub use catalogue::Catalogue;
pub use history::{BodyColumns, BodyHistory, ConstraintColumns};
pub use lock::{condition_of, Condition, Holder, Lock};
pub use pack::{everything, pack, pack_in, pack_to_bytes, Share};
pub use reader::{Reader, Results};
pub use record::Timing;
pub use stored::RunRow;
pub use tables::{FrameTable, Of, COLUMNS, MASTER, TIMING};
pub use writer::Writer;

use crate::model::{self, ModelFile, Provenance};

/// Root attribute `format` of master and segments.
pub const FORMAT: &str = "solfec-results";
/// Root attribute `format_version`: readers accept any minor version of their major one.
pub const VERSION: &str = "2.0";
pub(crate) const MAJOR: u32 = 2;

/// One of the processes that write results together.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Rank {
    pub number: u32,
    pub count: u32,
}

impl Default for Rank {
    /// The only one.
    fn default() -> Self {
        Rank { number: 0, count: 1 }
    }
}

/// How to write.
#[derive(Debug, Clone, Default)]
pub struct Options {
    /// Remove results that are already there.
    pub overwrite: bool,
    /// gzip level 0 .. 9 of large columns; 0: none.
    pub compress: u8,
    /// Numbers of bodies and constraints in single precision. Results that are opened again keep theirs.
    pub single: bool,
    /// Names of the phases of a time step whose seconds [`Writer::step`] gets. Results that are opened again keep theirs,
    /// which may be some of the first of these, or these and others.
    pub phases: Vec<String>,
    /// Of the run itself; stands in the master.
    pub provenance: Provenance,
    /// The process that writes. The first of several writes model and master too.
    pub rank: Rank,
}

/// Ending of masters.
const MASTER_SUFFIX: &str = ".sfr.h5";
/// Ending of model files.
const MODEL_SUFFIX: &str = ".sfm.h5";
const SEGMENTS: &str = "segments";
/// Root attribute of a master whose writer has ended in order.
const COMPLETE: &str = "complete";
/// Root attribute of files with numbers in single precision.
const SINGLE: &str = "single";
/// Group of the model in the master (a link) and in packed files.
const MODEL_GROUP: &str = "model";

/// `segments/s00012.r0003.h5`
fn segment_name(number: u64, rank: u32) -> String {
    format!("{SEGMENTS}/s{number:05}.r{rank:04}.h5")
}

/// Number and rank of a segment from the name of its file; nothing for temporary and foreign names.
fn segment_number(file: &str) -> Option<(u64, u32)> {
    let digits = |text: &str, least: usize| text.len() >= least && text.bytes().all(|b| b.is_ascii_digit());
    let (number, rank) = file.strip_prefix('s')?.strip_suffix(".h5")?.split_once(".r")?;
    (digits(number, 5) && digits(rank, 4)).then(|| Some((number.parse().ok()?, rank.parse().ok()?)))?
}

/// The model beside the results in `dir`, which may be damaged.
///
/// # Errors
/// As [`model::read_file`].
pub fn model_beside(dir: &Path) -> crate::Result<ModelFile> {
    model::read_file(&dir.join(stem(dir) + MODEL_SUFFIX))
}

/// Name of the results in a directory: its last component.
fn stem(dir: &Path) -> String {
    let name = |p: &Path| p.file_name().map(|n| n.to_string_lossy().into_owned());
    name(dir).or_else(|| dir.canonicalize().ok().and_then(|p| name(&p))).unwrap_or_else(|| "results".into())
}

fn master_path(dir: &Path) -> PathBuf {
    dir.join(stem(dir) + MASTER_SUFFIX)
}

/// Whether the directory holds segments and no master.
fn lacks_master(dir: &Path) -> bool {
    let segment = |entry: std::fs::DirEntry| segment_number(&entry.file_name().to_string_lossy()).is_some();
    let mut entries = std::fs::read_dir(dir.join(SEGMENTS)).into_iter().flatten().flatten();
    !exists(dir) && entries.any(segment)
}

/// Whether the directory holds results (a master, readable or not).
pub fn exists(dir: &Path) -> bool {
    scan::find_master(dir).is_ok()
}
