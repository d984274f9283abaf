//! Sparse matrices in HDF5 files, by coordinates. docs/formats/matrices.md is the page.

use std::path::Path;

use solfec::table::Column;

use crate::error::Result;
use crate::matrix_market::{Form, Matrix};
use crate::store::create;

/// Root attribute `format`.
pub const FORMAT: &str = "solfec-matrix";
/// Root attribute `format_version`.
pub const VERSION: &str = "1.0";

solfec::table! {
    /// Entries of a matrix.
    struct EntryRows("entries", "n") {
        row: u64 = "row", "1", "row of the entry, from 0; 3 a + i is component i at node a";
        column: u64 = "col", "1", "its column";
        value: f64 = "data", "kg or N/m", "its value; both triangles are there";
    }
}

/// All columns.
pub const COLUMNS: &[Column] = EntryRows::COLUMNS;

/// Writes all entries of a matrix, column by column.
///
/// # Errors
/// The file cannot be written.
pub fn write(path: &Path, matrix: &Matrix) -> Result<()> {
    let entries = matrix.entries(Form::General);
    let rows = EntryRows {
        row: entries.iter().map(|entry| entry.0 as u64).collect(),
        column: entries.iter().map(|entry| entry.1 as u64).collect(),
        value: entries.iter().map(|entry| entry.2).collect(),
    };
    create(path, COLUMNS, 1, |out| {
        out.set_text("", "format", FORMAT)?;
        out.set_text("", "format_version", VERSION)?;
        out.set_integers("", "shape", &[matrix.size as u64; 2])?;
        out.put_table("", &rows)
    })
}
