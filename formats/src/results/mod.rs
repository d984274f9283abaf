//! Results: a directory `D` with the master `D/NAME.sfr.h5`, the model `D/NAME.sfm.h5` and `D/segments/`.
//! docs/formats/results.md is their page.
//!
//! Frames gather in memory and become immutable segments; a frame is committed by the rename of its segment and by
//! nothing else. The master repeats the segments as virtual datasets and is rewritten at each commit; a reader that
//! finds segments beyond the master uses them. Packed results are one file that holds all of it.

mod canonical;
mod catalogue;
mod columns;
mod history;
mod master;
mod merge;
mod pack;
mod reader;
mod reopen;
mod segment;
mod writer;

use std::path::{Path, PathBuf};

pub use canonical::{part_of, shape_class, ShapeClass};
pub use catalogue::Catalogue;
pub use columns::{COLUMNS, MASTER, TIMING};
pub use history::{BodyColumns, BodyHistory, ConstraintColumns};
pub use pack::{everything, pack, pack_in, pack_to_bytes, Share};
pub use reader::{FrameTable, Reader, Results, Timing};
pub use writer::{Options, RunRow, Writer};

use crate::schema::Column;

/// Root attribute `format` of master and segments.
pub const FORMAT: &str = "solfec-results";
/// Root attribute `format_version`: readers accept any minor version of the majors up to theirs.
pub const VERSION: &str = "1.0";
pub(crate) const MAJOR: u32 = 1;

/// Every column of master and segments.
static SCHEMA: &[Column] = &{
    const PROVENANCE: &[Column] = crate::model::PROVENANCE;
    let tables = [COLUMNS, TIMING, MASTER, PROVENANCE];
    let mut all = [COLUMNS[0]; COLUMNS.len() + TIMING.len() + MASTER.len() + PROVENANCE.len()];
    let (mut t, mut n) = (0, 0);
    while t < tables.len() {
        let mut i = 0;
        while i < tables[t].len() {
            all[n] = tables[t][i];
            n += 1;
            i += 1;
        }
        t += 1;
    }
    all
};

/// Ending of masters.
const MASTER_SUFFIX: &str = ".sfr.h5";
/// Ending of model files.
const MODEL_SUFFIX: &str = ".sfm.h5";
const SEGMENTS: &str = "segments";
/// Group of the model in the master (a link) and in packed files.
const MODEL_GROUP: &str = "model";

/// `segments/s00012.r0000.h5`
fn segment_name(number: u64) -> String {
    format!("{SEGMENTS}/s{number:05}.r0000.h5")
}

/// Number of a segment from the name of its file; nothing for temporary and foreign names.
fn segment_number(file: &str) -> Option<u64> {
    let digits = file.strip_prefix('s')?.strip_suffix(".r0000.h5")?;
    (digits.len() >= 5 && digits.bytes().all(|b| b.is_ascii_digit())).then(|| digits.parse().ok())?
}

/// Name of the results in a directory: its last component.
fn stem(dir: &Path) -> String {
    let name = |p: &Path| p.file_name().map(|n| n.to_string_lossy().into_owned());
    name(dir).or_else(|| dir.canonicalize().ok().and_then(|p| name(&p))).unwrap_or_else(|| "results".into())
}

fn master_path(dir: &Path) -> PathBuf {
    dir.join(stem(dir) + MASTER_SUFFIX)
}

/// Whether the directory holds results (a master, readable or not).
pub fn exists(dir: &Path) -> bool {
    reader::find_master(dir).is_ok()
}
