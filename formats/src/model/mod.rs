//! The model file `NAME.sfm.h5`: what the user described. docs/formats/model.md is its page.

mod columns;
mod constraints;
mod display;
mod loads;
pub(crate) mod program;
pub(crate) mod read;
mod shapes;
pub(crate) mod write;

use std::path::Path;

pub use columns::PROVENANCE;
use solfec::model::Model;
pub use write::body_hash;

use crate::error::Result;
use crate::schema::Column;
use crate::store::{self, In, Out};

/// Root attribute `format`.
pub const FORMAT: &str = "solfec-model";
/// Root attribute `format_version`: readers accept any minor version of the majors up to theirs.
pub const VERSION: &str = "1.0";
pub(crate) const MAJOR: u32 = 1;
/// gzip level of large columns.
pub(crate) const COMPRESSION: u8 = 1;

/// Every column of the file; those of the provenance are the last.
pub(crate) static SCHEMA: &[Column] = &{
    let parts = [columns::COLUMNS, &constraints::COLUMNS, &loads::COLUMNS, PROVENANCE];
    let mut all =
        [PROVENANCE[0]; columns::COLUMNS.len() + constraints::COLUMNS.len() + loads::COLUMNS.len() + PROVENANCE.len()];
    let (mut part, mut row, mut i) = (0, 0, 0);
    while i < all.len() {
        if row == parts[part].len() {
            (part, row) = (part + 1, 0);
        }
        all[i] = parts[part][row];
        (row, i) = (row + 1, i + 1);
    }
    all
};

/// The columns under `/domains/<k>`.
pub static COLUMNS: &[Column] = SCHEMA.split_at(SCHEMA.len() - PROVENANCE.len()).0;

/// A file that the deck opened.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Input {
    pub path: String,
    /// Bytes.
    pub size: u64,
    /// Hexadecimal.
    pub sha256: String,
}

/// Where a model comes from.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Provenance {
    /// Text of the deck; empty if there was none.
    pub deck: String,
    pub inputs: Vec<Input>,
    /// One JSON object for each tool that touched the file, in order.
    pub runs: Vec<String>,
    /// The deck has functions: it cannot run without Python. Written as true also when a domain has functions.
    pub requires_live: bool,
}

/// The content of a model file: one [`Model`] for each SOLFEC object of the deck, in order of creation.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct ModelFile {
    pub domains: Vec<Model>,
    pub provenance: Provenance,
}

/// Writes the file; it appears whole or not at all (`NAME.part`, fsync, rename).
pub fn write_file(path: &Path, model: &ModelFile) -> Result<()> {
    store::create(path, SCHEMA, COMPRESSION, |out| write::file(out, model))
}

/// The file as bytes, for a pipe.
pub fn to_bytes(model: &ModelFile) -> Result<Vec<u8>> {
    let mut out = Out::memory(SCHEMA, COMPRESSION)?;
    write::file(&mut out, model)?;
    crate::image::bytes(&out.file).map_err(|e| crate::Error::Io(format!("cannot take the image of a model: {e}")))
}

/// Reads a file and checks everything in it. Missing optional columns are computed.
pub fn read_file(path: &Path) -> Result<ModelFile> {
    read::file(&In::open(path, FORMAT, MAJOR)?)
}

/// Reads the bytes of a file; `name` is for messages, as "(standard input)".
pub fn from_bytes(bytes: Vec<u8>, name: &str) -> Result<ModelFile> {
    read::file(&In::memory(bytes, name, FORMAT, MAJOR)?)
}
