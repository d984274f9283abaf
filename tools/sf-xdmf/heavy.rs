//! The companion `NAME.xmf.h5`: computed columns, and fixed-extent virtual datasets over rows of the results.

use std::path::{Path, PathBuf};

use hdf5::plist::file_access::LibraryVersion;
use hdf5::{File, H5Type, Hyperslab, Selection, SliceOrIndex};

use super::step::{Array, Values};
use crate::cli::{CliError, Exit, Part};
use solfec_formats::failed_write;

/// Datasets of more bytes than this are compressed.
const COMPRESSED_FROM: usize = 4096;

/// Numbers as XDMF calls them.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Number {
    /// Bytes of a signed integer.
    Int(u8),
    /// Bytes of a floating-point number.
    Float(u8),
}

/// A dataset of the companion, as the markup refers to it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Heavy {
    pub path: String,
    pub dims: Vec<usize>,
    pub number: Number,
}

/// Rows `start .. start + count` of a table of `total` rows in another file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Rows {
    pub file: PathBuf,
    /// Group of the table's columns.
    pub group: String,
    pub start: usize,
    pub count: usize,
    pub total: usize,
    /// Its numbers are in single precision.
    pub single: bool,
}

/// The companion while it is written.
pub struct Companion {
    file: File,
    part: Part,
    path: PathBuf,
}

impl Companion {
    /// Starts `path`; it takes its name in [`Companion::finish`].
    pub fn create(path: &Path, force: bool) -> Result<Self, CliError> {
        let part = Part::create(path, force)?;
        // Virtual datasets need the format of 1.10; HDF5 1.8 tools still read the rest.
        let file = File::with_options()
            .with_fapl(|p| p.libver_bounds(LibraryVersion::V18, LibraryVersion::V110))
            .with_fcpl(|p| p.obj_track_times(false))
            .create(part.part())
            .map_err(|e| failed(path, &e))?;
        Ok(Companion { file, part, path: path.into() })
    }

    /// Name of the file without its folder, as the markup names it.
    pub fn name(&self) -> String {
        let name = self.path.file_name().unwrap_or_default();
        name.to_string_lossy().into_owned()
    }

    /// Puts an array at `path`: a link to `rows` of the results where it stands there, else a copy.
    pub fn put(&self, path: &str, array: &Array, rows: Option<&Rows>) -> Result<Heavy, CliError> {
        let same = rows.filter(|rows| rows.count == array.rows());
        if let (Some(rows), Some(column)) = (same, array.column) {
            return self.link(path, rows, column, array.width);
        }
        let dims = if array.width == 1 { vec![array.rows()] } else { vec![array.rows(), array.width] };
        match &array.values {
            Values::F64(v) => self.write(path, v, dims, Number::Float(8)),
            Values::I32(v) => self.write(path, v, dims, Number::Int(4)),
            Values::I64(v) => self.write(path, v, dims, Number::Int(8)),
        }
    }

    /// Writes a column of integers.
    pub fn integers(&self, path: &str, values: &[i64]) -> Result<Heavy, CliError> {
        self.write(path, values, vec![values.len()], Number::Int(8))
    }

    fn write<T: H5Type>(&self, path: &str, values: &[T], dims: Vec<usize>, number: Number) -> Result<Heavy, CliError> {
        let create = || -> hdf5::Result<()> {
            let mut builder = self.file.new_dataset::<T>().obj_track_times(false);
            if std::mem::size_of_val(values) > COMPRESSED_FROM {
                builder = builder.shuffle().deflate(1);
            }
            let set = builder.shape(dims.clone()).create(path)?;
            if !values.is_empty() {
                set.as_writer().write_raw(values)?;
            }
            Ok(())
        };
        create().map_err(|e| failed(&self.path, &e))?;
        Ok(Heavy { path: path.into(), dims, number })
    }

    /// A column of floating-point numbers (`width` of them a row) that lies in the results: a link, not a copy.
    fn link(&self, path: &str, rows: &Rows, column: &str, width: usize) -> Result<Heavy, CliError> {
        let shape = |n: usize| if width == 1 { vec![n] } else { vec![n, width] };
        let source = relative(&rows.file, &self.path)?;
        let source_rows = select(rows.start..rows.start + rows.count, width);
        let (set, bytes) =
            if rows.single { (self.file.new_dataset::<f32>(), 4) } else { (self.file.new_dataset::<f64>(), 8) };
        set.obj_track_times(false)
            .virtual_map(
                source,
                format!("{}/{column}", rows.group),
                shape(rows.total),
                source_rows,
                shape(rows.count),
                select(0..rows.count, width),
            )
            .shape(shape(rows.count))
            .create(path)
            .map_err(|e| failed(&self.path, &e))?;
        Ok(Heavy { path: path.into(), dims: shape(rows.count), number: Number::Float(bytes) })
    }

    /// Closes the file and gives it its name.
    pub fn finish(self) -> Result<(), CliError> {
        let Companion { file, part, path } = self;
        file.flush().map_err(|e| failed(&path, &e))?;
        file.close().map_err(|e| failed(&path, &e))?;
        part.commit()
    }
}

/// What HDF5 says of a file that cannot be written.
pub fn failed(path: &Path, error: &hdf5::Error) -> CliError {
    failed_write(&path.display().to_string(), error).into()
}

fn select(rows: std::ops::Range<usize>, width: usize) -> Selection {
    let mut slices = vec![SliceOrIndex::from(rows)];
    if width > 1 {
        slices.push(SliceOrIndex::from(0..width));
    }
    Selection::Hyperslab(Hyperslab::from(slices))
}

/// `target` as seen from the folder of `from`, so that a tree that holds both can be moved.
fn relative(target: &Path, from: &Path) -> Result<String, CliError> {
    let folder = match from.parent() {
        Some(p) if p != Path::new("") => p,
        _ => Path::new("."),
    };
    let absolute = |p: &Path| p.canonicalize().map_err(|e| CliError::file(p, "read", &e));
    let (target, folder) = (absolute(target)?, absolute(folder)?);
    let shared = target.components().zip(folder.components()).take_while(|(a, b)| a == b).count();
    let mut path = PathBuf::new();
    for _ in folder.components().skip(shared) {
        path.push("..");
    }
    path.extend(target.components().skip(shared));
    match path.to_str() {
        Some(text) => Ok(text.into()),
        None => Err(CliError::new(
            Exit::Io,
            format!("{}: the name is not UTF-8; rename it or use --copy", target.display()),
        )),
    }
}
