//! Writing columns.

use std::cell::RefCell;
use std::collections::HashMap;
use std::io::Write;

use crc32fast::Hasher as Checksum;
use flate2::write::ZlibEncoder;
use flate2::Compression;
use hdf5::types::{FixedUnicode, VarLenUnicode};
use hdf5::{Dataset, File, Group};
use sha2::{Digest, Sha256};
use solfec::table::{Flat, Item, Table, Values};

use super::fault::failed_write;
use super::notes::Notes;
use super::plain::Plain;
use super::texts;
use super::verify::{in_bytes, CHECKSUM};
use super::{of_flat, options, selection, shape, Number, Stored, CHUNK_BYTES};
use crate::error::{Error, Result};
use crate::schema::Column;

/// Numbers in a sample of a column.
const SAMPLE: usize = 512;

/// Tables with more rows than this hold their labels in strings of fixed length.
const FIXED_LABEL_ROWS: usize = 100_000;

/// A file being written.
pub(crate) struct Out {
    pub file: File,
    name: String,
    /// Group that stands for the root; empty: the root itself.
    top: String,
    /// Groups that were made or opened, by their path below `top`.
    groups: RefCell<HashMap<String, Group>>,
    notes: Notes,
    plain: Plain,
    schema: &'static [Column],
    /// gzip level of large columns; 0: none.
    level: u8,
    /// Columns of which numbers with a point are stored in single precision.
    single: fn(&Column) -> bool,
    /// Of everything put so far, in order, where it is wanted.
    hash: Option<Sha256>,
}

/// Files without times of their own.
pub(super) fn create_options() -> hdf5::FileBuilder {
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
        Self::on(file, "(memory)".into(), schema, level)
            .map_err(|e| Error::Io(format!("cannot make a file in memory: {e}")))
    }

    pub(super) fn on(file: File, name: String, schema: &'static [Column], level: u8) -> hdf5::Result<Self> {
        let (groups, notes, plain) = (RefCell::default(), Notes::new()?, Plain::new()?);
        Ok(Out { file, name, top: String::new(), groups, notes, plain, schema, level, single: |_| false, hash: None })
    }

    /// A file of another format inside the group `top`, written as if the group were its root.
    pub fn within(&self, top: &str, schema: &'static [Column]) -> Out {
        Out {
            file: self.file.clone(),
            name: format!("{}: {top}", self.name),
            top: format!("{}/{top}", self.top),
            groups: RefCell::default(),
            notes: self.notes.clone(),
            plain: self.plain.clone(),
            schema,
            level: self.level,
            single: |_| false,
            hash: None,
        }
    }

    /// From now on numbers with a point of these columns are stored in single precision.
    pub fn store_in_single(&mut self, columns: fn(&Column) -> bool) {
        self.single = columns;
    }

    fn in_single<S: Number>(&self, column: &Column) -> bool {
        !S::INTEGER && (self.single)(column)
    }

    /// Brings everything to the file.
    pub(super) fn close(self) -> hdf5::Result<()> {
        // A file stays open as long as one of its groups does.
        self.groups.take();
        self.file.flush()?;
        self.file.close()
    }

    fn fail(&self, path: &str, e: hdf5::Error) -> Error {
        failed_write(&format!("{}: {path}", self.name), &e)
    }

    fn column(&self, path: &str, width: usize) -> Result<&'static Column> {
        self.schema
            .iter()
            .find(|c| c.path == path && (c.width == width || c.width == 0))
            .ok_or_else(|| Error::Io(format!("{}: no column '{path}' of width {width} is defined", self.name)))
    }

    /// Makes a group and those above it.
    pub fn group(&self, path: &str) -> Result<Group> {
        let known = self.groups.borrow().get(path).cloned();
        if let Some(group) = known {
            return Ok(group);
        }
        let mut group = self.file.as_group().map_err(|e| self.fail(path, e))?;
        for part in self.top.split('/').chain(path.split('/')).filter(|p| !p.is_empty()) {
            group = if group.link_exists(part) {
                group.group(part)
            } else {
                group.create_group_builder().obj_track_times(false).create(part)
            }
            .map_err(|e| self.fail(path, e))?;
        }
        self.groups.borrow_mut().insert(path.into(), group.clone());
        Ok(group)
    }

    /// Takes a member out of the root, if it is there.
    pub fn remove(&self, name: &str) -> Result<()> {
        if !self.file.link_exists(name) {
            return Ok(());
        }
        self.groups.borrow_mut().clear();
        self.file.unlink(name).map_err(|e| self.fail(name, e))
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
        if let Some(hash) = &mut self.hash {
            hash.update(format!("{base}/{path}\0{count}\0"));
        }
    }

    /// Writes a column under the group `base`.
    pub fn put<T: Item>(&mut self, base: &str, path: &str, rows: &[T]) -> Result<()> {
        self.put_flat(base, path, T::WIDTH, T::flat(rows))
    }

    /// Writes the columns of a table under the group `base`.
    pub fn put_table(&mut self, base: &str, table: &dyn Table) -> Result<()> {
        self.put_table_without(base, table, &[])
    }

    /// The same but for the columns of these names.
    pub fn put_table_without(&mut self, base: &str, table: &dyn Table, without: &[&str]) -> Result<()> {
        let columns = table.columns().iter().zip(table.values());
        for (column, values) in columns.filter(|(column, _)| !without.contains(&column.name())) {
            self.put_values(base, column, values)?;
        }
        Ok(())
    }

    /// The same but for optional columns in which no number is known: readers take them for NaN again.
    pub fn put_known(&mut self, base: &str, table: &dyn Table) -> Result<()> {
        for (column, values) in table.columns().iter().zip(table.values()) {
            let unknown = |numbers: &[f64]| numbers.iter().all(|x| x.is_nan());
            let left_out = matches!(values.flat(), Flat::F64(numbers) if column.optional && unknown(numbers));
            if !left_out {
                self.put_values(base, column, values)?;
            }
        }
        Ok(())
    }

    /// Writes one column of a table.
    pub fn put_values(&mut self, base: &str, column: &Column, values: &dyn Values) -> Result<()> {
        self.put_flat(base, column.path, column.width, values.flat())
    }

    fn put_flat(&mut self, base: &str, path: &str, width: usize, flat: Flat) -> Result<()> {
        of_flat!(flat, Flat, numbers => self.put_numbers(base, path, width, numbers),
            text texts => self.put_text(base, path, texts))
    }

    fn put_numbers<S: Number>(&mut self, base: &str, path: &str, width: usize, flat: &[S]) -> Result<()> {
        let column = self.column(path, width)?;
        if self.in_single::<S>(column) {
            let singles: Vec<f32> = flat.iter().map(|x| x.single()).collect();
            return self.put_stored(base, column, width, &singles);
        }
        self.put_stored(base, column, width, flat)
    }

    fn put_stored<S: Stored>(&mut self, base: &str, column: &Column, width: usize, flat: &[S]) -> Result<()> {
        let (path, rows) = (column.path, flat.len() / width.max(1));
        self.note(base, path, rows);
        let mut sum = Checksum::new();
        let hash = &mut self.hash;
        in_bytes(flat, |bytes| {
            if let Some(hash) = hash {
                hash.update(bytes);
            }
            sum.update(bytes);
        });
        // Short columns are never compressed.
        let long = std::mem::size_of_val(flat) > CHUNK_BYTES;
        let packed = long && (self.level > 1 || column.packed || S::INTEGER || shrinks(flat));
        let level = if packed { self.level } else { 0 };
        let set = self.create::<S>(base, column, (rows, width), level)?;
        if !flat.is_empty() {
            set.write_raw(ndarray::ArrayView1::from(flat)).map_err(|e| self.fail(path, e))?;
        }
        self.sign(&set, sum, path)?;
        self.describe(&set, column)
    }

    /// An empty dataset of `rows` rows of `width` numbers; gzip `level` if it is large.
    fn create<S: Stored>(
        &self,
        base: &str,
        column: &Column,
        (rows, width): (usize, usize),
        level: u8,
    ) -> Result<Dataset> {
        let path = column.path;
        let (group, name) = self.place(base, path)?;
        let row_bytes = width * std::mem::size_of::<S>();
        if rows * row_bytes <= CHUNK_BYTES {
            let set = self.plain.create::<S>(&group, name, &shape(rows, width));
            return set.map_err(|e| self.fail(path, e));
        }
        let mut chunk = shape(rows, width);
        chunk[0] = (CHUNK_BYTES / row_bytes).max(1);
        let mut builder = group.new_dataset::<S>().obj_track_times(false).chunk(chunk);
        let level = if column.packed { level.max(1) } else { level };
        if level > 0 {
            builder = builder.shuffle().deflate(level);
        }
        let set = builder.fletcher32().shape(shape(rows, width)).create(name);
        set.map_err(|e| self.fail(path, e))
    }

    /// Makes a column of `total` rows and fills it piece by piece; `next` returns numbers until it returns none.
    pub fn put_pieces<S: Number>(
        &self,
        base: &str,
        path: &str,
        (total, width): (usize, usize),
        mut next: impl FnMut() -> Result<Option<Vec<S>>>,
    ) -> Result<()> {
        let column = self.column(path, width)?;
        if self.in_single::<S>(column) {
            let singles = || Ok(next()?.map(|flat| flat.iter().map(|x| x.single()).collect()));
            return self.put_stored_pieces::<f32>(base, column, (total, width), singles);
        }
        self.put_stored_pieces::<S>(base, column, (total, width), next)
    }

    fn put_stored_pieces<S: Stored>(
        &self,
        base: &str,
        column: &Column,
        (total, width): (usize, usize),
        mut next: impl FnMut() -> Result<Option<Vec<S>>>,
    ) -> Result<()> {
        let path = column.path;
        let set = self.create::<S>(base, column, (total, width), self.level)?;
        let mut start = 0;
        let mut sum = Checksum::new();
        while let Some(flat) = next()? {
            in_bytes(&flat, |bytes| sum.update(bytes));
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
        self.sign(&set, sum, path)?;
        self.describe(&set, column)
    }

    /// Keeps the checksum of a dataset with it.
    fn sign(&self, set: &Dataset, sum: Checksum, path: &str) -> Result<()> {
        self.notes.put_sum(set, CHECKSUM, sum.finalize()).map_err(|e| self.fail(path, e))
    }

    /// A column whose rows lie in other files: `(file, dataset, rows)` one after another. Extents are fixed.
    pub fn put_virtual<S: Number>(
        &self,
        base: &str,
        path: &str,
        width: usize,
        parts: &[(String, String, usize)],
    ) -> Result<()> {
        let column = self.column(path, width)?;
        let single = self.in_single::<S>(column);
        let total: usize = parts.iter().map(|p| p.2).sum();
        if total == 0 {
            let create = if single { Self::create::<f32> } else { Self::create::<S> };
            return self.describe(&create(self, base, column, (0, width), self.level)?, column);
        }
        let (group, name) = self.place(base, path)?;
        let mut builder = if single {
            group.new_dataset::<f32>().obj_track_times(false).fill_value(f32::NAN)
        } else {
            group.new_dataset::<S>().obj_track_times(false).fill_value(S::MISSING)
        };
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
        if let Some(hash) = &mut self.hash {
            for row in rows {
                hash.update(row.as_ref());
                hash.update([0]);
            }
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
        let set = self.plain.create::<VarLenUnicode>(&group, name, &[rows.len()]).map_err(|e| self.fail(path, e))?;
        if !texts.is_empty() {
            texts::write(&set, &texts).map_err(|e| self.fail(path, e))?;
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
        self.notes.put_text(at, key, &text).map_err(|e| self.fail(key, e))
    }

    /// A text attribute that belongs to the content.
    pub fn set_text(&mut self, base: &str, key: &str, value: &str) -> Result<()> {
        if let Some(hash) = &mut self.hash {
            hash.update(format!("{base}@{key}\0{value}\0"));
        }
        let group = self.group(base)?;
        self.attribute(&group, key, value)
    }

    /// A number attribute, or several, that belong to the content.
    pub fn set_numbers(&mut self, base: &str, key: &str, value: &[f64]) -> Result<()> {
        if let Some(hash) = &mut self.hash {
            hash.update(format!("{base}@{key}\0"));
            in_bytes(value, |bytes| hash.update(bytes));
        }
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
        attribute.and_then(|a| a.write_raw(value)).map_err(|e| self.fail(key, e))
    }

    /// A link to the root of another file beside this one.
    pub fn link(&self, name: &str, file: &str) -> Result<()> {
        self.file.link_external(file, "/", name).map_err(|e| self.fail(name, e))
    }

    /// SHA-256, in hexadecimal, of the columns and attributes that `put` writes.
    pub fn hashed(&mut self, put: impl FnOnce(&mut Self) -> Result<()>) -> Result<String> {
        self.hash = Some(Sha256::new());
        put(self)?;
        Ok(hex(&self.hash.take().unwrap_or_default().finalize()))
    }
}

/// Whether quick compression takes off a quarter of a sample from the middle. Coordinates without a pattern lose less,
/// and take longer than anything else.
fn shrinks<S: Stored>(flat: &[S]) -> bool {
    let middle = &flat[flat.len().saturating_sub(SAMPLE) / 2..][..SAMPLE.min(flat.len())];
    let mut bytes = Vec::with_capacity(8 * SAMPLE);
    middle.iter().for_each(|x| x.push_bytes(&mut bytes));
    let width = std::mem::size_of::<S>();
    let shuffled: Vec<u8> = (0..width).flat_map(|k| bytes.iter().skip(k).step_by(width).copied()).collect();
    let mut encoder = ZlibEncoder::new(Vec::with_capacity(bytes.len()), Compression::fast());
    let written = encoder.write_all(&shuffled).and_then(|()| encoder.finish());
    written.is_ok_and(|packed| 4 * packed.len() < 3 * bytes.len())
}

const EARLIEST: hdf5::file::LibraryVersion = hdf5::file::LibraryVersion::Earliest;
pub(super) const V110: hdf5::file::LibraryVersion = hdf5::file::LibraryVersion::V110;

pub(crate) fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|b| format!("{b:02x}")).collect()
}

fn unicode(s: &str) -> Result<VarLenUnicode> {
    s.parse().map_err(|_| Error::Format(format!("text '{}' contains a zero byte", s.escape_debug())))
}
