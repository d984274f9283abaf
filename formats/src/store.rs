//! Columns in and out of HDF5 files: checked sizes, types and names; chunks, filters, attributes; files that appear whole.

use std::path::{Path, PathBuf};

use hdf5::types::{FixedAscii, FixedUnicode, TypeDescriptor, VarLenAscii, VarLenUnicode};
use hdf5::{Dataset, File, Group, H5Type, Hyperslab, Selection, SliceOrIndex};
use sha2::{Digest, Sha256};

use crate::error::{Error, Result};
use crate::schema::Column;

/// Bytes of a chunk; smaller datasets are stored in one piece. A history of one body reads one chunk per frame.
const CHUNK_BYTES: usize = 64 << 10;
/// Tables with more rows than this hold their labels in strings of fixed length (commands-and-results.md E.7).
const FIXED_LABEL_ROWS: usize = 100_000;
/// The best ratio deflate can reach, rounded up: a dataset that claims more content than that is damaged.
const DEFLATE_LIMIT: u64 = 1100;

/// A number that is stored as it is.
pub(crate) trait Scalar: H5Type + Copy + Default {
    const INTEGER: bool;
    fn from_wide(x: i64) -> Option<Self>;
    fn push_bytes(self, out: &mut Vec<u8>);
}

macro_rules! scalar {
    ($($t:ty),*) => {$(
        impl Scalar for $t {
            const INTEGER: bool = true;
            fn from_wide(x: i64) -> Option<Self> {
                Self::try_from(x).ok()
            }
            fn push_bytes(self, out: &mut Vec<u8>) {
                out.extend_from_slice(&self.to_le_bytes());
            }
        }
        impl Cell for $t {
            type Of = $t;
            const WIDTH: usize = 1;
            fn flat(rows: &[Self]) -> &[$t] {
                rows
            }
            fn rows(flat: Vec<$t>) -> Vec<Self> {
                flat
            }
        }
    )*};
}

impl Scalar for f64 {
    const INTEGER: bool = false;
    fn from_wide(x: i64) -> Option<Self> {
        Some(x as f64)
    }
    fn push_bytes(self, out: &mut Vec<u8>) {
        out.extend_from_slice(&self.to_le_bytes());
    }
}

impl Cell for f64 {
    type Of = f64;
    const WIDTH: usize = 1;
    fn flat(rows: &[Self]) -> &[f64] {
        rows
    }
    fn rows(flat: Vec<f64>) -> Vec<Self> {
        flat
    }
}

/// What a row of a column is: a number or an array of numbers.
pub(crate) trait Cell: Copy {
    type Of: Scalar;
    const WIDTH: usize;
    fn flat(rows: &[Self]) -> &[Self::Of];
    fn rows(flat: Vec<Self::Of>) -> Vec<Self>;
}

scalar!(u8, u32, u64, i16, i32, i64);

impl<T: Scalar, const N: usize> Cell for [T; N] {
    type Of = T;
    const WIDTH: usize = N;
    fn flat(rows: &[Self]) -> &[T] {
        rows.as_flattened()
    }
    fn rows(flat: Vec<T>) -> Vec<Self> {
        flat.as_chunks::<N>().0.to_vec()
    }
}

/// Rows `start, start + step, …`, `count` of them.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Rows {
    pub start: usize,
    pub step: usize,
    pub count: usize,
}

impl From<std::ops::Range<usize>> for Rows {
    fn from(r: std::ops::Range<usize>) -> Self {
        Rows {
            start: r.start,
            step: 1,
            count: r.end.saturating_sub(r.start),
        }
    }
}

fn selection(rows: Rows, width: usize) -> Selection {
    let slice = SliceOrIndex::SliceCount {
        start: rows.start,
        step: rows.step,
        count: rows.count,
        block: 1,
    };
    if width == 1 {
        Selection::Hyperslab(Hyperslab::from(vec![slice]))
    } else {
        Selection::Hyperslab(Hyperslab::from(vec![slice, SliceOrIndex::from(0..width)]))
    }
}

fn shape(rows: usize, width: usize) -> Vec<usize> {
    match width {
        1 => vec![rows],
        w => vec![rows, w],
    }
}

// ---------------------------------------------------------------------------------------------------------- writing

/// A file being written.
pub(crate) struct Out {
    pub file: File,
    name: String,
    schema: &'static [Column],
    /// gzip level of large columns; 0: none.
    level: u8,
    /// Of everything put so far, in order.
    hash: Sha256,
}

/// Nothing here needs locks: files appear whole and never change. A lock would outlive its file in the children of the
/// process, which inherit the descriptor, and keep readers out.
fn options() -> hdf5::FileBuilder {
    let mut options = File::with_options();
    options.with_fapl(|p| p.file_locking(false));
    options
}

fn create_options() -> hdf5::FileBuilder {
    let mut options = options();
    options.with_fcpl(|p| p.obj_track_times(false));
    options
}

impl Out {
    /// A file in memory, for a pipe. It keeps the oldest superblock: that of 1.8 has a checksum over a flag "open for
    /// writing", and `H5Fget_file_image` of 1.10 clears the flag and leaves the checksum as it was.
    pub fn memory(schema: &'static [Column], level: u8) -> Result<Self> {
        let file = create_options()
            .with_fapl(|p| p.core_filebacked(false).libver_bounds(EARLIEST, V110))
            .create(crate::image::fresh_name())
            .map_err(|e| Error::Io(format!("cannot make a file in memory: {e}")))?;
        Ok(Self::on(file, "(memory)".into(), schema, level))
    }

    fn on(file: File, name: String, schema: &'static [Column], level: u8) -> Self {
        Out {
            file,
            name,
            schema,
            level,
            hash: Sha256::new(),
        }
    }

    fn fail(&self, path: &str, e: hdf5::Error) -> Error {
        Error::Io(format!("{}: {path}: cannot write: {e}", self.name))
    }

    fn column(&self, path: &str, width: usize) -> Result<&'static Column> {
        self.schema
            .iter()
            .find(|c| c.path == path && (c.width == width || c.width == 0))
            .ok_or_else(|| Error::Io(format!("{}: no column '{path}' of width {width} is defined", self.name)))
    }

    /// Makes a group and those above it.
    pub fn group(&self, path: &str) -> Result<Group> {
        let mut group = self.file.as_group().map_err(|e| self.fail(path, e))?;
        for part in path.split('/').filter(|p| !p.is_empty()) {
            group = if group.link_exists(part) {
                group.group(part)
            } else {
                group.create_group_builder().obj_track_times(false).create(part)
            }
            .map_err(|e| self.fail(path, e))?;
        }
        Ok(group)
    }

    /// Group and name of `base/path`.
    fn place<'p>(&self, base: &str, path: &'p str) -> Result<(Group, &'p str)> {
        Ok(match path.rsplit_once('/') {
            Some((folder, name)) => (self.group(&format!("{base}/{folder}"))?, name),
            None => (self.group(base)?, path),
        })
    }

    fn describe(&self, set: &Dataset, column: &Column) -> Result<()> {
        for (key, value) in [
            ("units", column.units),
            ("description", column.text),
            ("frame", column.frame),
            ("time_level", column.level),
            ("enum", column.names),
        ] {
            if !value.is_empty() {
                self.attribute(set, key, value)?;
            }
        }
        Ok(())
    }

    fn note(&mut self, base: &str, path: &str, count: usize) {
        self.hash.update(format!("{base}/{path}\0{count}\0"));
    }

    /// Writes a column under the group `base`.
    pub fn put<T: Cell>(&mut self, base: &str, path: &str, rows: &[T]) -> Result<()> {
        let column = self.column(path, T::WIDTH)?;
        let flat = T::flat(rows);
        self.note(base, path, rows.len());
        let mut bytes = Vec::with_capacity(CHUNK_BYTES);
        for part in flat.chunks(CHUNK_BYTES / 8) {
            bytes.clear();
            part.iter().for_each(|x| x.push_bytes(&mut bytes));
            self.hash.update(&bytes);
        }
        let set = self.create::<T::Of>(base, path, rows.len(), T::WIDTH)?;
        if !flat.is_empty() {
            set.write_raw(ndarray::ArrayView1::from(flat))
                .map_err(|e| self.fail(path, e))?;
        }
        self.describe(&set, column)
    }

    /// An empty dataset of `rows` rows of `width` numbers.
    fn create<S: Scalar>(&self, base: &str, path: &str, rows: usize, width: usize) -> Result<Dataset> {
        let (group, name) = self.place(base, path)?;
        let mut builder = group.new_dataset::<S>().obj_track_times(false);
        let row_bytes = width * std::mem::size_of::<S>();
        if rows * row_bytes > CHUNK_BYTES {
            let mut chunk = shape(rows, width);
            chunk[0] = (CHUNK_BYTES / row_bytes).max(1);
            builder = builder.chunk(chunk);
            if self.level > 0 {
                builder = builder.shuffle().deflate(self.level);
            }
            builder = builder.fletcher32();
        }
        let set = builder.shape(shape(rows, width)).create(name);
        set.map_err(|e| self.fail(path, e))
    }

    /// Makes a column of `total` rows and fills it piece by piece; `next` returns numbers until it returns none.
    pub fn put_pieces<S: Scalar>(
        &self,
        base: &str,
        path: &str,
        (total, width): (usize, usize),
        mut next: impl FnMut() -> Result<Option<Vec<S>>>,
    ) -> Result<()> {
        let column = self.column(path, width)?;
        let set = self.create::<S>(base, path, total, width)?;
        let mut start = 0;
        while let Some(flat) = next()? {
            let rows = flat.len() / width.max(1);
            if rows == 0 {
                continue;
            }
            let here = selection((start..start + rows).into(), width);
            start += rows;
            ndarray::ArrayD::from_shape_vec(shape(rows, width), flat)
                .map_err(|e| hdf5::Error::from(e.to_string()))
                .and_then(|array| set.write_slice(&array, here))
                .map_err(|e| self.fail(path, e))?;
        }
        self.describe(&set, column)
    }

    /// A column whose rows lie in other files: `(file, dataset, rows)` one after another. Extents are fixed.
    pub fn put_virtual<S: Scalar>(
        &self,
        base: &str,
        path: &str,
        width: usize,
        parts: &[(String, String, usize)],
    ) -> Result<()> {
        let column = self.column(path, width)?;
        let total: usize = parts.iter().map(|p| p.2).sum();
        if total == 0 {
            let set = self.create::<S>(base, path, 0, width)?;
            return self.describe(&set, column);
        }
        let (group, name) = self.place(base, path)?;
        let mut builder = group.new_dataset::<S>().obj_track_times(false);
        let mut start = 0;
        for (file, dataset, rows) in parts.iter().filter(|p| p.2 > 0) {
            builder = builder.virtual_map(
                file,
                dataset,
                shape(*rows, width),
                selection((0..*rows).into(), width),
                shape(total, width),
                selection((start..start + rows).into(), width),
            );
            start += rows;
        }
        let set = builder.shape(shape(total, width)).create(name);
        self.describe(&set.map_err(|e| self.fail(path, e))?, column)
    }

    /// Writes a column of strings.
    pub fn put_text<S: AsRef<str>>(&mut self, base: &str, path: &str, rows: &[S]) -> Result<()> {
        let column = self.column(path, 1)?;
        self.note(base, path, rows.len());
        for row in rows {
            self.hash.update(row.as_ref());
            self.hash.update([0]);
        }
        let longest = rows.iter().map(|r| r.as_ref().len()).max().unwrap_or(0);
        let set = match longest {
            _ if rows.len() <= FIXED_LABEL_ROWS => self.put_long_text(base, path, rows),
            0..=8 => self.put_fixed::<8, S>(base, path, rows),
            9..=16 => self.put_fixed::<16, S>(base, path, rows),
            17..=32 => self.put_fixed::<32, S>(base, path, rows),
            33..=64 => self.put_fixed::<64, S>(base, path, rows),
            65..=256 => self.put_fixed::<256, S>(base, path, rows),
            _ => self.put_long_text(base, path, rows),
        }?;
        self.describe(&set, column)
    }

    fn put_long_text<S: AsRef<str>>(&self, base: &str, path: &str, rows: &[S]) -> Result<Dataset> {
        let (group, name) = self.place(base, path)?;
        let texts = rows.iter().map(|s| unicode(s.as_ref())).collect::<Result<Vec<_>>>()?;
        let builder = group.new_dataset::<VarLenUnicode>().obj_track_times(false);
        let set = builder.shape(rows.len()).create(name).map_err(|e| self.fail(path, e))?;
        if !texts.is_empty() {
            set.write_raw(&texts).map_err(|e| self.fail(path, e))?;
        }
        Ok(set)
    }

    fn put_fixed<const N: usize, S: AsRef<str>>(&self, base: &str, path: &str, rows: &[S]) -> Result<Dataset> {
        let (group, name) = self.place(base, path)?;
        let text = |s: &S| s.as_ref().parse::<FixedUnicode<N>>();
        let texts = rows
            .iter()
            .map(text)
            .collect::<std::result::Result<Vec<_>, _>>()
            .map_err(|e| Error::format(path, format!("a label cannot be stored: {e}")))?;
        group
            .new_dataset::<FixedUnicode<N>>()
            .obj_track_times(false)
            .chunk(CHUNK_BYTES / N)
            .shuffle()
            .deflate(self.level.max(1))
            .fletcher32()
            .shape(rows.len())
            .create(name)
            .and_then(|set| set.write_raw(&texts).map(|()| set))
            .map_err(|e| self.fail(path, e))
    }

    /// A text attribute.
    pub fn attribute(&self, at: &hdf5::Location, key: &str, value: &str) -> Result<()> {
        let text = unicode(value)?;
        at.new_attr::<VarLenUnicode>()
            .create(key)
            .and_then(|a| a.write_scalar(&text))
            .map_err(|e| self.fail(key, e))
    }

    /// A text attribute that belongs to the content.
    pub fn set_text(&mut self, base: &str, key: &str, value: &str) -> Result<()> {
        self.hash.update(format!("{base}@{key}\0{value}\0"));
        let group = self.group(base)?;
        self.attribute(&group, key, value)
    }

    /// A number attribute, or several, that belong to the content.
    pub fn set_numbers(&mut self, base: &str, key: &str, value: &[f64]) -> Result<()> {
        let mut bytes = format!("{base}@{key}\0").into_bytes();
        value.iter().for_each(|x| x.push_bytes(&mut bytes));
        self.hash.update(&bytes);
        let group = self.group(base)?;
        let attribute = group.new_attr::<f64>();
        match value {
            [x] => attribute.create(key).and_then(|a| a.write_scalar(x)),
            many => attribute.shape(many.len()).create(key).and_then(|a| a.write_raw(many)),
        }
        .map_err(|e| self.fail(key, e))
    }

    /// An attribute of whole numbers.
    pub fn set_integers(&self, base: &str, key: &str, value: &[u64]) -> Result<()> {
        let group = self.group(base)?;
        let attribute = group.new_attr::<u64>().shape(value.len()).create(key);
        attribute
            .and_then(|a| a.write_raw(value))
            .map_err(|e| self.fail(key, e))
    }

    /// A link to the root of another file beside this one.
    pub fn link(&self, name: &str, file: &str) -> Result<()> {
        self.file.link_external(file, "/", name).map_err(|e| self.fail(name, e))
    }

    /// SHA-256 of the columns and attributes put so far, in hexadecimal.
    pub fn content_hash(&self) -> String {
        hex(&self.hash.clone().finalize())
    }
}

const EARLIEST: hdf5::file::LibraryVersion = hdf5::file::LibraryVersion::Earliest;
const V18: hdf5::file::LibraryVersion = hdf5::file::LibraryVersion::V18;
const V110: hdf5::file::LibraryVersion = hdf5::file::LibraryVersion::V110;

pub(crate) fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|b| format!("{b:02x}")).collect()
}

fn unicode(s: &str) -> Result<VarLenUnicode> {
    s.parse()
        .map_err(|_| Error::Format(format!("text '{}' contains a zero byte", s.escape_debug())))
}

/// Name of a file while it is being written.
pub(crate) fn part_name(path: &Path) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(".part");
    name.into()
}

/// Makes the file `path` appear whole: written as `path.part`, closed, fsynced, renamed.
pub(crate) fn create(
    path: &Path,
    schema: &'static [Column],
    level: u8,
    fill: impl FnOnce(&mut Out) -> Result<()>,
) -> Result<()> {
    let part = part_name(path);
    let written = write_part(&part, path, schema, level, fill);
    if written.is_err() {
        // The first error is the one to report.
        let _ = std::fs::remove_file(&part);
    }
    written
}

fn write_part(
    part: &Path,
    path: &Path,
    schema: &'static [Column],
    level: u8,
    fill: impl FnOnce(&mut Out) -> Result<()>,
) -> Result<()> {
    // HDF5 hides errno: let the system say why the file cannot be made.
    std::fs::File::create(part).map_err(|e| Error::io(path, "write", &e))?;
    let failed = |e: hdf5::Error| Error::Io(format!("{}: cannot write: {e}", path.display()));
    let file = create_options()
        .with_fapl(|p| p.libver_bounds(V18, V110))
        .create(part)
        .map_err(failed)?;
    let mut out = Out::on(file, path.display().to_string(), schema, level);
    fill(&mut out)?;
    out.file.flush().map_err(failed)?;
    out.file.close().map_err(failed)?;
    let io = |e: std::io::Error| Error::io(path, "write", &e);
    std::fs::File::open(part).and_then(|f| f.sync_all()).map_err(io)?;
    std::fs::rename(part, path).map_err(io)?;
    sync_folder(path)
}

/// Makes renames in the folder of `path` durable.
fn sync_folder(path: &Path) -> Result<()> {
    let folder = match path.parent() {
        Some(p) if !p.as_os_str().is_empty() => p,
        _ => Path::new("."),
    };
    std::fs::File::open(folder)
        .and_then(|f| f.sync_all())
        .map_err(|e| Error::io(folder, "write", &e))
}

// ---------------------------------------------------------------------------------------------------------- reading

/// A file being read.
#[derive(Debug)]
pub(crate) struct In {
    pub file: File,
    /// For messages.
    pub name: String,
}

impl In {
    /// Opens a file of the given format, of major version up to `major`.
    pub fn open(path: &Path, format: &str, major: u32) -> Result<Self> {
        let name = path.display().to_string();
        let mut head = [0u8; 8];
        let read = std::fs::File::open(path).and_then(|mut f| std::io::Read::read(&mut f, &mut head));
        read.map_err(|e| Error::io(path, "read", &e))?;
        if &head != b"\x89HDF\r\n\x1a\n" {
            return Err(Error::format(
                &name,
                format!("not an HDF5 file; a file of format {format} is wanted"),
            ));
        }
        let file =
            File::open(path).map_err(|e| Error::format(&name, format!("damaged or cut short, make it again ({e})")))?;
        Self::checked(file, name, format, major)
    }

    /// Opens a file in memory.
    pub fn memory(mut bytes: Vec<u8>, name: &str, format: &str, major: u32) -> Result<Self> {
        if bytes.is_empty() {
            return Err(Error::format(name, "no data; the program before it in the pipe failed"));
        }
        if !bytes.starts_with(b"\x89HDF\r\n\x1a\n") {
            return Err(Error::format(
                name,
                format!("not an HDF5 file; a file of format {format} is wanted"),
            ));
        }
        let file = crate::image::open(&mut bytes)
            .map_err(|_| Error::format(name, "damaged or cut short; the program before it in the pipe failed"))?;
        Self::checked(file, name.into(), format, major)
    }

    fn checked(file: File, name: String, format: &str, major: u32) -> Result<Self> {
        let this = In { file, name };
        let found = this.text_attribute("", "format")?;
        match found {
            Some(f) if f == format => {}
            Some(f) => {
                return Err(Error::format(
                    &this.name,
                    format!("format '{f}', but '{format}' is wanted"),
                ));
            }
            None => {
                let text = format!("an HDF5 file of another program: no root attribute 'format' (want '{format}')");
                return Err(Error::format(&this.name, text));
            }
        }
        let version = this.text_attribute("", "format_version")?.unwrap_or_default();
        match version.split('.').next().and_then(|v| v.parse::<u32>().ok()) {
            Some(v) if v > major => Err(Error::format(
                &this.name,
                format!("format version {v}, this program reads up to {major}; use a newer version of the tools"),
            )),
            Some(v) if v > 0 => Ok(this),
            _ => Err(Error::format(
                &this.name,
                format!("root attribute 'format_version' is '{version}', but a text like '1.0' is wanted"),
            )),
        }
    }

    /// Place in the file for messages.
    pub fn at(&self, base: &str, path: &str) -> String {
        format!("{}: {base}/{path}", self.name)
    }

    pub fn has(&self, base: &str, path: &str) -> bool {
        // `link_exists` needs the groups above to exist.
        let full = format!("{base}/{path}");
        let mut here = String::new();
        full.split('/').filter(|p| !p.is_empty()).all(|part| {
            here.push('/');
            here += part;
            self.file.link_exists(&here)
        })
    }

    fn dataset(&self, base: &str, path: &str) -> Result<Dataset> {
        if !self.has(base, path) {
            return Err(Error::format(&self.at(base, path), "missing dataset"));
        }
        let set = self
            .file
            .dataset(&format!("{base}/{path}"))
            .map_err(|e| Error::format(&self.at(base, path), format!("not a readable dataset ({e})")))?;
        let bytes = set.dtype().map(|t| t.size()).unwrap_or(8) as u64;
        let claimed = set.shape().iter().try_fold(bytes, |a, &b| a.checked_mul(b as u64));
        let stored = set.storage_size();
        let elsewhere = matches!(set.layout(), hdf5::dataset::Layout::Virtual);
        if !elsewhere && claimed.is_none_or(|c| c > CHUNK_BYTES as u64 && c / DEFLATE_LIMIT > stored) {
            let text = format!("damaged: shape {:?} claimed, {stored} bytes stored", set.shape());
            return Err(Error::format(&self.at(base, path), text));
        }
        Ok(set)
    }

    /// Number of rows of a dataset.
    pub fn len(&self, base: &str, path: &str) -> Result<usize> {
        Ok(self.dataset(base, path)?.shape().first().copied().unwrap_or(0))
    }

    /// The whole column.
    pub fn get<T: Cell>(&self, base: &str, path: &str) -> Result<Vec<T>> {
        self.read(base, path, None)
    }

    /// The column, or nothing if the dataset does not exist.
    pub fn get_if<T: Cell>(&self, base: &str, path: &str) -> Result<Option<Vec<T>>> {
        self.has(base, path).then(|| self.get(base, path)).transpose()
    }

    /// Some rows.
    pub fn get_rows<T: Cell>(&self, base: &str, path: &str, rows: impl Into<Rows>) -> Result<Vec<T>> {
        let rows = rows.into();
        if rows.count == 0 {
            return Ok(Vec::new());
        }
        self.read(base, path, Some(rows))
    }

    fn read<T: Cell>(&self, base: &str, path: &str, rows: Option<Rows>) -> Result<Vec<T>> {
        self.read_flat::<T::Of>(base, path, T::WIDTH, rows).map(T::rows)
    }

    /// Numbers of the rows of a column of `width` numbers per row.
    pub fn read_flat<S: Scalar>(&self, base: &str, path: &str, width: usize, rows: Option<Rows>) -> Result<Vec<S>> {
        let set = self.dataset(base, path)?;
        let wrong = |text: String| Error::format(&self.at(base, path), text);
        let found = set.shape();
        if found != shape(found.first().copied().unwrap_or(0), width) {
            let want = match width {
                1 => "[n]".to_string(),
                w => format!("[n, {w}]"),
            };
            return Err(wrong(format!("shape {found:?}, but {want} is wanted")));
        }
        let pick = match rows {
            None => None,
            Some(r) if r.count == 0 => return Ok(Vec::new()),
            Some(r) => {
                let last = r.start + (r.count - 1) * r.step;
                if last >= found[0] {
                    return Err(wrong(format!("row {last} is wanted, but there are {} rows", found[0])));
                }
                Some(selection(r, width))
            }
        };
        let type_of = set.dtype().and_then(|t| t.to_descriptor());
        let kind = type_of.map_err(|e| wrong(format!("unknown element type ({e})")))?;
        let failed = |e: hdf5::Error| Error::format(&self.at(base, path), format!("damaged or unreadable ({e})"));
        if kind == S::type_descriptor() {
            return read_numbers::<S>(&set, pick).map_err(failed);
        }
        match kind {
            TypeDescriptor::Float(_) if !S::INTEGER => read_numbers::<S>(&set, pick).map_err(failed),
            TypeDescriptor::Integer(_) | TypeDescriptor::Unsigned(_) | TypeDescriptor::Boolean => {
                let wide = read_numbers::<i64>(&set, pick).map_err(failed)?;
                let narrow = |(i, &x): (usize, &i64)| {
                    S::from_wide(x).ok_or_else(|| wrong(format!("row {}: {x} is out of range", i / width.max(1))))
                };
                wide.iter().enumerate().map(narrow).collect()
            }
            other => Err(wrong(format!("numbers are wanted, not {other}"))),
        }
    }

    /// A column of strings, of fixed or variable length.
    pub fn text(&self, base: &str, path: &str) -> Result<Vec<String>> {
        let set = self.dataset(base, path)?;
        let shape = set.shape();
        if shape.len() != 1 {
            return Err(Error::format(
                &self.at(base, path),
                format!("shape {shape:?}, but [n] is wanted"),
            ));
        }
        read_text(&set).map_err(|e| Error::format(&self.at(base, path), e))
    }

    pub fn text_if(&self, base: &str, path: &str) -> Result<Option<Vec<String>>> {
        self.has(base, path).then(|| self.text(base, path)).transpose()
    }

    fn attribute(&self, base: &str, key: &str) -> Result<Option<hdf5::Attribute>> {
        let at = format!("{}: {base}/@{key}", self.name);
        let group = self
            .file
            .group(if base.is_empty() { "/" } else { base })
            .map_err(|_| Error::format(&format!("{}: {base}", self.name), "missing group"))?;
        let names = group.attr_names().map_err(|e| Error::format(&at, e.to_string()))?;
        if !names.iter().any(|n| n == key) {
            return Ok(None);
        }
        group.attr(key).map(Some).map_err(|e| Error::format(&at, e.to_string()))
    }

    pub fn text_attribute(&self, base: &str, key: &str) -> Result<Option<String>> {
        let Some(a) = self.attribute(base, key)? else {
            return Ok(None);
        };
        let at = format!("{}: {base}/@{key}", self.name);
        let mut texts = read_text(&a).map_err(|e| Error::format(&at, e))?;
        match texts.len() {
            1 => Ok(texts.pop()),
            n => Err(Error::format(&at, format!("one text is wanted, not {n}"))),
        }
    }

    /// Numbers of an attribute; their count must be `N`.
    pub fn numbers<const N: usize>(&self, base: &str, key: &str) -> Result<Option<[f64; N]>> {
        let Some(a) = self.attribute(base, key)? else {
            return Ok(None);
        };
        let wrong = |text: String| Error::format(&format!("{}: {base}/@{key}", self.name), text);
        if a.size() != N {
            return Err(wrong(format!("{N} numbers are wanted, not {}", a.size())));
        }
        let values = a
            .read_raw::<f64>()
            .map_err(|e| wrong(format!("numbers are wanted ({e})")))?;
        Ok(values.first_chunk::<N>().copied())
    }

    /// Names of the members of a group, numbers first in their order.
    pub fn members(&self, base: &str) -> Result<Vec<String>> {
        let group = self
            .file
            .group(base)
            .map_err(|_| Error::format(&format!("{}: {base}", self.name), "missing group"))?;
        let mut names = group
            .member_names()
            .map_err(|e| Error::format(&format!("{}: {base}", self.name), e.to_string()))?;
        names.sort_by_key(|n| (n.parse::<u64>().unwrap_or(u64::MAX), n.clone()));
        Ok(names)
    }
}

fn read_numbers<T: H5Type>(set: &Dataset, pick: Option<Selection>) -> Result<Vec<T>, hdf5::Error> {
    match pick {
        None => set.read_raw::<T>(),
        Some(s) => Ok(set.read_slice::<T, _, ndarray::IxDyn>(s)?.into_raw_vec_and_offset().0),
    }
}

/// Strings of any HDF5 kind.
fn read_text(from: &hdf5::Container) -> std::result::Result<Vec<String>, String> {
    let kind = from
        .dtype()
        .and_then(|t| t.to_descriptor())
        .map_err(|e| format!("unknown element type ({e})"))?;
    let failed = |e: hdf5::Error| format!("damaged or unreadable ({e})");
    let utf8 = |b: &[u8]| String::from_utf8(b.to_vec()).map_err(|_| "text is not UTF-8".to_string());
    macro_rules! fixed {
        ($kind:ident, $n:expr, $($size:literal)*) => {
            match $n {
                $(n if n <= $size => {
                    let rows = from.read_raw::<$kind<$size>>().map_err(failed)?;
                    rows.iter().map(|s| utf8(s.as_bytes())).collect()
                })*
                n => Err(format!("strings of {n} bytes are too long; use variable length")),
            }
        };
    }
    match kind {
        TypeDescriptor::VarLenUnicode => {
            let rows = from.read_raw::<VarLenUnicode>().map_err(failed)?;
            rows.iter().map(|s| utf8(s.as_bytes())).collect()
        }
        TypeDescriptor::VarLenAscii => {
            let rows = from.read_raw::<VarLenAscii>().map_err(failed)?;
            rows.iter().map(|s| utf8(s.as_bytes())).collect()
        }
        TypeDescriptor::FixedUnicode(n) => fixed!(FixedUnicode, n, 8 16 32 64 256 1024 4096),
        TypeDescriptor::FixedAscii(n) => fixed!(FixedAscii, n, 8 16 32 64 256 1024 4096),
        other => Err(format!("text is wanted, not {other}")),
    }
}
