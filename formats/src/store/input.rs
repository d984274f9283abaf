//! Reading columns. Nothing of the file is believed.

use std::path::Path;

use hdf5::types::TypeDescriptor;
use hdf5::{Dataset, File};
use solfec::table::{Column, FlatMut, Item, Table, Values};

use super::raw::{read_numbers, read_text, thin};
use super::{notes, seal, texts};
use super::{of_flat, options, selection, shape, Number, Rows, CHUNK_BYTES};
use crate::error::{Error, Result};

/// The best ratio deflate can reach, rounded up: a dataset that claims more content than that is damaged.
const DEFLATE_LIMIT: u64 = 1100;
/// Rows that lie closer than this are read with those between them: HDF5 is slow in picking many single rows.
const DENSE_STEP: usize = 64;

/// What an HDF5 file begins with.
const SIGNATURE: &[u8; 8] = b"\x89HDF\r\n\x1a\n";

/// A file being read.
#[derive(Debug)]
pub(crate) struct In {
    pub file: File,
    /// Group that stands for the root; empty: the root itself.
    top: String,
    /// For messages.
    pub name: String,
}

impl In {
    /// Opens a file of the given format, of this major version.
    pub fn open(path: &Path, format: &str, major: u32) -> Result<Self> {
        let found = Self::foreign(path, &format!("a file of format {format}"))?;
        Self::checked(found.file, found.name, format, major)
    }

    /// Opens a file that ends with its seal ([`seal`]), if it is whole.
    pub fn sealed(path: &Path, format: &str, major: u32) -> Result<Self> {
        require_hdf5(path, &format!("a file of format {format}"))?;
        if !seal::is_sound(path).map_err(|e| Error::io(path, "read", &e))? {
            let text = "damaged or cut short: it does not end with its SHA-256";
            let text = format!("{text}; a file of format '{format}' is wanted");
            return Err(Error::format(&path.display().to_string(), text));
        }
        Self::open(path, format, major)
    }

    /// Opens an HDF5 file of anyone; `wanted` says in messages what should be in it.
    pub fn foreign(path: &Path, wanted: &str) -> Result<Self> {
        require_hdf5(path, wanted)?;
        let name = path.display().to_string();
        let file = options()
            .open(path)
            .map_err(|e| Error::format(&name, format!("damaged or cut short, make it again ({e})")))?;
        Ok(In { file, top: String::new(), name })
    }

    /// Opens a file in memory.
    pub fn memory(bytes: Vec<u8>, name: &str, format: &str, major: u32) -> Result<Self> {
        let found = Self::foreign_memory(bytes, name, &format!("a file of format {format}"))?;
        Self::checked(found.file, found.name, format, major)
    }

    /// Opens a file of anyone in memory.
    pub fn foreign_memory(mut bytes: Vec<u8>, name: &str, wanted: &str) -> Result<Self> {
        if bytes.is_empty() {
            return Err(Error::format(name, "no data; look for an error of the program that wrote it"));
        }
        if !bytes.starts_with(SIGNATURE) {
            return Err(Error::format(name, format!("not an HDF5 file; {wanted} is wanted")));
        }
        let file = crate::image::open(&mut bytes)
            .map_err(|_| Error::format(name, "damaged or cut short; look for an error of the program that wrote it"))?;
        Ok(In { file, top: String::new(), name: name.into() })
    }

    fn checked(file: File, name: String, format: &str, major: u32) -> Result<Self> {
        let this = In { file, top: String::new(), name };
        this.require_format(format)?;
        this.require_version(major)?;
        Ok(this)
    }

    /// Refuses files of other formats.
    pub fn require_format(&self, format: &str) -> Result<()> {
        match self.text_attribute("", "format")? {
            Some(f) if f == format => Ok(()),
            Some(f) => {
                let what = match f.as_str() {
                    crate::model::FORMAT => "is a model, which holds no results; sf-run makes them".to_string(),
                    crate::results::FORMAT => "holds results of sf-run".to_string(),
                    crate::checkpoint::FORMAT => "is a checkpoint; give the directory of its results".to_string(),
                    other => format!("is of format '{other}'"),
                };
                Err(Error::format(&self.name, format!("{what}; a file of format '{format}' is wanted")))
            }
            None => {
                let text = format!("an HDF5 file of another program: no root attribute 'format' (want '{format}')");
                Err(Error::format(&self.name, text))
            }
        }
    }

    /// The file again.
    pub fn again(&self) -> In {
        In { file: self.file.clone(), top: self.top.clone(), name: self.name.clone() }
    }

    /// A file of another format inside the group `top`, read as if the group were its root.
    pub fn within(&self, top: &str, format: &str, major: u32) -> Result<In> {
        let inside = In { top: format!("{}/{top}", self.top), name: format!("{}: {top}", self.name), ..self.again() };
        inside.require_format(format)?;
        inside.require_version(major)?;
        Ok(inside)
    }

    /// Refuses other major versions.
    pub fn require_version(&self, major: u32) -> Result<()> {
        let version = self.text_attribute("", "format_version")?.unwrap_or_default();
        let refused = |text: String| Err(Error::format(&self.name, text));
        match version.split('.').next().and_then(|v| v.parse::<u32>().ok()) {
            Some(v) if v == major => Ok(()),
            Some(v) if v > major => refused(format!(
                "format version {version}, this program reads {major}.x; use a newer version of the tools"
            )),
            Some(v) if v > 0 => refused(format!(
                "format version {version}, this program reads {major}.x; make the file again with these tools, \
                 or read it with those that wrote it"
            )),
            _ => {
                let want = format!("a text like '{major}.0' is wanted");
                refused(format!("root attribute 'format_version' is '{version}', but {want}"))
            }
        }
    }

    /// Place in the file for messages.
    pub fn at(&self, base: &str, path: &str) -> String {
        format!("{}: {base}/{path}", self.name)
    }

    pub fn has(&self, base: &str, path: &str) -> bool {
        // `link_exists` needs the groups above to exist.
        let full = format!("{}{base}/{path}", self.top);
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
            .dataset(&format!("{}{base}/{path}", self.top))
            .map_err(|e| Error::format(&self.at(base, path), format!("not a readable dataset ({e})")))?;
        let bytes = set.dtype().map(|t| t.size()).unwrap_or(8) as u64;
        let claimed = set.shape().iter().try_fold(bytes, |a, &b| a.checked_mul(b as u64));
        let large = claimed.is_none_or(|c| c > CHUNK_BYTES as u64 && c / DEFLATE_LIMIT > set.storage_size());
        if large && !matches!(set.layout(), hdf5::dataset::Layout::Virtual) {
            let text = format!("damaged: shape {:?} claimed, {} bytes stored", set.shape(), set.storage_size());
            return Err(Error::format(&self.at(base, path), text));
        }
        Ok(set)
    }

    /// Numbers along each dimension of a dataset.
    pub fn shape(&self, base: &str, path: &str) -> Result<Vec<usize>> {
        Ok(self.dataset(base, path)?.shape())
    }

    /// Number of rows of a dataset.
    pub fn len(&self, base: &str, path: &str) -> Result<usize> {
        Ok(self.dataset(base, path)?.shape().first().copied().unwrap_or(0))
    }

    /// The whole column.
    pub fn get<T: Item>(&self, base: &str, path: &str) -> Result<Vec<T>> {
        let mut rows = vec![T::zero(); self.len(base, path)?];
        self.fill(base, path, T::WIDTH, None, T::flat_mut(&mut rows))?;
        Ok(rows)
    }

    /// The column, or nothing if the dataset does not exist.
    pub fn get_if<T: Item>(&self, base: &str, path: &str) -> Result<Option<Vec<T>>> {
        self.has(base, path).then(|| self.get(base, path)).transpose()
    }

    /// The numbers of a scalar or of a column.
    pub fn one<S: Number + Item>(&self, base: &str, path: &str) -> Result<Vec<S>> {
        let set = self.dataset(base, path)?;
        if !set.is_scalar() {
            return self.get(base, path);
        }
        set.read_raw::<S>().map_err(|e| Error::format(&self.at(base, path), format!("a number is wanted ({e})")))
    }

    /// Some rows.
    pub fn get_rows<T: Item>(&self, base: &str, path: &str, rows: impl Into<Rows>) -> Result<Vec<T>> {
        let rows = rows.into();
        let mut found = vec![T::zero(); rows.count];
        if rows.count > 0 {
            self.fill(base, path, T::WIDTH, Some(rows), T::flat_mut(&mut found))?;
        }
        Ok(found)
    }

    /// A whole column of a table.
    pub fn get_column(&self, base: &str, column: &Column, values: &mut dyn Values) -> Result<()> {
        let rows = self.len(base, column.path)?;
        self.fill(base, column.path, column.width, None, values.resize(rows))
    }

    /// The columns of a table, all rows; columns must be equally long. Optional numbers that are absent are NaN, or zero
    /// if they are integers; the first column must be there.
    pub fn get_table(&self, base: &str, table: &mut dyn Table) -> Result<()> {
        let columns = table.columns();
        for (column, values) in columns.iter().zip(table.values_mut()) {
            if column.optional && !self.has(base, column.path) {
                let rows = self.len(base, columns[0].path)?;
                if let FlatMut::F64(numbers) = values.resize(rows) {
                    numbers.fill(f64::NAN);
                }
                continue;
            }
            self.get_column(base, column, values)?;
        }
        table.check().map_err(|text| Error::format(&format!("{}: {base}", self.name), text))
    }

    /// Some rows of a table: all columns, or those with these names; in the others these rows are zero.
    pub fn get_table_rows(&self, base: &str, table: &mut dyn Table, rows: Rows, names: Option<&[&str]>) -> Result<()> {
        let columns = table.columns();
        for (column, values) in columns.iter().zip(table.values_mut()) {
            let to = values.resize(rows.count);
            if rows.count > 0 && names.is_none_or(|names| names.contains(&column.name())) {
                self.fill(base, column.path, column.width, Some(rows), to)?;
            }
        }
        Ok(())
    }

    /// Some rows of the columns with these names; the others stay empty.
    pub fn get_columns(&self, base: &str, table: &mut dyn Table, rows: Rows, names: &[&str]) -> Result<()> {
        let columns = table.columns();
        let wanted = columns.iter().zip(table.values_mut()).filter(|(column, _)| names.contains(&column.name()));
        for (column, values) in wanted.filter(|_| rows.count > 0) {
            self.fill(base, column.path, column.width, Some(rows), values.resize(rows.count))?;
        }
        Ok(())
    }

    /// Reads a column, or some of its rows, into as many numbers.
    fn fill(&self, base: &str, path: &str, width: usize, rows: Option<Rows>, to: FlatMut) -> Result<()> {
        of_flat!(to, FlatMut, numbers => {
            let found = self.read_flat(base, path, width, rows)?;
            if found.len() != numbers.len() {
                let text = format!("{} numbers, but {} are wanted", found.len(), numbers.len());
                return Err(Error::format(&self.at(base, path), text));
            }
            numbers.copy_from_slice(&found);
            Ok(())
        }, text texts => {
            let found = self.text(base, path)?;
            let chosen = match rows {
                None => found,
                Some(r) => found.into_iter().skip(r.start).step_by(r.step.max(1)).take(r.count).collect(),
            };
            texts.iter_mut().zip(chosen).for_each(|(to, text)| *to = text);
            Ok(())
        })
    }

    /// Numbers of the rows of a column of `width` numbers per row.
    pub fn read_flat<S: Number>(&self, base: &str, path: &str, width: usize, rows: Option<Rows>) -> Result<Vec<S>> {
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
        let mut every = 1;
        let pick = match rows {
            None => None,
            Some(r) if r.count == 0 => return Ok(Vec::new()),
            Some(r) => {
                let last = r.start + (r.count - 1) * r.step;
                if last >= found[0] {
                    return Err(wrong(format!("row {last} is wanted, but there are {} rows", found[0])));
                }
                if r.step <= DENSE_STEP {
                    every = r.step;
                    Some(selection((r.start..last + 1).into(), width))
                } else {
                    Some(selection(r, width))
                }
            }
        };
        let type_of = set.dtype().and_then(|t| t.to_descriptor());
        let kind = type_of.map_err(|e| wrong(format!("unknown element type ({e})")))?;
        let failed = |e: hdf5::Error| Error::format(&self.at(base, path), format!("damaged or unreadable ({e})"));
        if kind == S::type_descriptor() {
            let all = read_numbers::<S>(&set, pick).map_err(failed)?;
            return Ok(thin(all, width, every));
        }
        match kind {
            TypeDescriptor::Float(_) if !S::INTEGER => {
                let all = read_numbers::<S>(&set, pick).map_err(failed)?;
                Ok(thin(all, width, every))
            }
            TypeDescriptor::Integer(_) | TypeDescriptor::Unsigned(_) | TypeDescriptor::Boolean => {
                let wide = read_numbers::<i64>(&set, pick).map_err(failed)?;
                let narrow = |(i, &x): (usize, &i64)| {
                    S::from_wide(x).ok_or_else(|| wrong(format!("row {}: {x} is out of range", i / width.max(1))))
                };
                let all = wide.iter().enumerate().map(narrow).collect::<Result<_>>()?;
                Ok(thin(all, width, every))
            }
            other => Err(wrong(format!("numbers are wanted, not {other}"))),
        }
    }

    /// A column of strings, of fixed or variable length.
    pub fn text(&self, base: &str, path: &str) -> Result<Vec<String>> {
        let set = self.dataset(base, path)?;
        let shape = set.shape();
        if shape.len() != 1 {
            return Err(Error::format(&self.at(base, path), format!("shape {shape:?}, but [n] is wanted")));
        }
        read_text(&set, texts::read).map_err(|e| Error::format(&self.at(base, path), e))
    }

    /// The strings of a scalar or of a column.
    pub fn any_text(&self, base: &str, path: &str) -> Result<Vec<String>> {
        read_text(&*self.dataset(base, path)?, texts::read).map_err(|e| Error::format(&self.at(base, path), e))
    }

    pub fn text_if(&self, base: &str, path: &str) -> Result<Option<Vec<String>>> {
        self.has(base, path).then(|| self.text(base, path)).transpose()
    }

    fn attribute(&self, base: &str, key: &str) -> Result<Option<hdf5::Attribute>> {
        let at = format!("{}: {base}/@{key}", self.name);
        let group = self
            .file
            .group(&format!("{}{base}/", self.top))
            .map_err(|_| Error::format(&format!("{}: {base}", self.name), "missing group"))?;
        match notes::has_attribute(&group, key).map_err(|e| Error::format(&at, e.to_string()))? {
            true => group.attr(key).map(Some).map_err(|e| Error::format(&at, e.to_string())),
            false => Ok(None),
        }
    }

    pub fn text_attribute(&self, base: &str, key: &str) -> Result<Option<String>> {
        let Some(a) = self.attribute(base, key)? else {
            return Ok(None);
        };
        let at = format!("{}: {base}/@{key}", self.name);
        let mut texts = read_text(&a, |a| a.read_raw()).map_err(|e| Error::format(&at, e))?;
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
        let values = a.read_raw::<f64>().map_err(|e| wrong(format!("numbers are wanted ({e})")))?;
        Ok(values.first_chunk::<N>().copied())
    }

    /// Names of the members of a group, numbers first in their order.
    pub fn members(&self, base: &str) -> Result<Vec<String>> {
        let group = self
            .file
            .group(&format!("{}{base}/", self.top))
            .map_err(|_| Error::format(&format!("{}: {base}", self.name), "missing group"))?;
        let mut names =
            group.member_names().map_err(|e| Error::format(&format!("{}: {base}", self.name), e.to_string()))?;
        names.sort_by_key(|n| (n.parse::<u64>().unwrap_or(u64::MAX), n.clone()));
        Ok(names)
    }
}

/// Refuses what is no HDF5 file at all.
fn require_hdf5(path: &Path, wanted: &str) -> Result<()> {
    let mut head = [0u8; SIGNATURE.len()];
    let read = std::fs::File::open(path).and_then(|mut f| std::io::Read::read(&mut f, &mut head));
    read.map_err(|e| Error::io(path, "read", &e))?;
    if &head != SIGNATURE {
        return Err(Error::format(&path.display().to_string(), format!("not an HDF5 file; {wanted} is wanted")));
    }
    Ok(())
}
