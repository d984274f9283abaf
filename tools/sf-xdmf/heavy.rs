//! The companion `NAME.xmf.h5`: computed columns, and fixed-extent virtual datasets over rows of the results.

use std::path::{Path, PathBuf};

use hdf5::plist::file_access::LibraryVersion;
use hdf5::{File, H5Type, Hyperslab, Selection, SliceOrIndex};

use crate::cli::{CliError, Exit, Part};

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

/// Types of cells of a column.
pub trait Scalar: H5Type {
    const NUMBER: Number;
}

impl Scalar for f64 {
    const NUMBER: Number = Number::Float(8);
}
impl Scalar for i32 {
    const NUMBER: Number = Number::Int(4);
}
impl Scalar for i64 {
    const NUMBER: Number = Number::Int(8);
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

    /// Writes a column of scalars.
    pub fn scalars<T: Scalar>(&self, path: &str, values: &[T]) -> Result<Heavy, CliError> {
        self.put(path, values, vec![values.len()])
    }

    /// Writes a column of vectors.
    pub fn vectors<const N: usize>(&self, path: &str, values: &[[f64; N]]) -> Result<Heavy, CliError> {
        self.put(path, values.as_flattened(), vec![values.len(), N])
    }

    fn put<T: Scalar>(&self, path: &str, values: &[T], dims: Vec<usize>) -> Result<Heavy, CliError> {
        let create = || -> hdf5::Result<()> {
            let set = self.file.new_dataset::<T>().obj_track_times(false).shape(dims.clone()).create(path)?;
            if !values.is_empty() {
                set.as_writer().write_raw(values)?;
            }
            Ok(())
        };
        create().map_err(|e| failed(&self.path, &e))?;
        Ok(heavy(path, dims, T::NUMBER))
    }

    /// A column of `f64` (`width` numbers a row) that lies in the results: a link, not a copy.
    pub fn link(&self, path: &str, rows: &Rows, column: &str, width: usize) -> Result<Heavy, CliError> {
        let shape = |n: usize| if width == 1 { vec![n] } else { vec![n, width] };
        let source = relative(&rows.file, &self.path)?;
        let source_rows = select(rows.start..rows.start + rows.count, width);
        self.file
            .new_dataset::<f64>()
            .obj_track_times(false)
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
        Ok(heavy(path, shape(rows.count), Number::Float(8)))
    }

    /// Closes the file and gives it its name.
    pub fn finish(self) -> Result<(), CliError> {
        let Companion { file, part, path } = self;
        file.flush().map_err(|e| failed(&path, &e))?;
        file.close().map_err(|e| failed(&path, &e))?;
        part.commit()
    }
}

fn heavy(path: &str, dims: Vec<usize>, number: Number) -> Heavy {
    Heavy { path: path.into(), dims, number }
}

fn failed(path: &Path, error: &hdf5::Error) -> CliError {
    CliError::new(Exit::Io, format!("{}: cannot write: {error}", path.display()))
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
