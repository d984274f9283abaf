//! The pieces of an FCLIB tree: numbers, vectors, texts, and matrices in the style of CSparse. Nothing is believed.

use super::Sparse;
use crate::error::{Error, Result};
use crate::store::In;

/// One group of an FCLIB file.
pub(super) struct Tree<'a> {
    pub file: &'a In,
    /// "/fclib_local" or another group.
    pub base: String,
}

impl<'a> Tree<'a> {
    pub fn new(file: &'a In, base: &str) -> Self {
        Tree { file, base: base.into() }
    }

    pub fn has(&self, path: &str) -> bool {
        self.file.has(&self.base, path)
    }

    /// An error at this dataset.
    pub fn wrong(&self, path: &str, text: impl AsRef<str>) -> Error {
        Error::format(&self.file.at(&self.base, path), text)
    }

    fn require(&self, path: &str) -> Result<()> {
        if self.has(path) {
            return Ok(());
        }
        Err(self.wrong(path, "missing dataset; an FCLIB problem has it, write the file again"))
    }

    /// An integer: an array of one or a scalar.
    pub fn integer(&self, path: &str) -> Result<i64> {
        self.require(path)?;
        match self.file.one::<i64>(&self.base, path)?.as_slice() {
            [x] => Ok(*x),
            other => Err(self.wrong(path, format!("{} numbers, but one is wanted", other.len()))),
        }
    }

    /// A size, not negative.
    fn size(&self, path: &str) -> Result<usize> {
        let n = self.integer(path)?;
        usize::try_from(n).map_err(|_| self.wrong(path, format!("{n} is no size; it must not be negative")))
    }

    /// `n` finite numbers; any number of them without `n`.
    pub fn vector(&self, path: &str, n: Option<usize>) -> Result<Vec<f64>> {
        self.require(path)?;
        let x = self.file.get::<f64>(&self.base, path)?;
        self.require_length(path, x.len(), n)?;
        self.require_finite(path, &x)?;
        Ok(x)
    }

    fn require_length(&self, path: &str, found: usize, wanted: Option<usize>) -> Result<()> {
        match wanted {
            Some(n) if n != found => Err(self.wrong(path, format!("{found} numbers, but {n} are wanted"))),
            _ => Ok(()),
        }
    }

    fn require_finite(&self, path: &str, x: &[f64]) -> Result<()> {
        match x.iter().position(|x| !x.is_finite()) {
            Some(k) => Err(self.wrong(path, format!("entry {k} is {}; only finite numbers make sense", x[k]))),
            None => Ok(()),
        }
    }

    /// A text, empty when it is absent or unreadable: nothing depends on it.
    pub fn text(&self, path: &str) -> String {
        if !self.has(path) {
            return String::new();
        }
        let rows = self.file.any_text(&self.base, path).unwrap_or_default();
        rows.into_iter().next().unwrap_or_default().trim_end_matches('\0').to_string()
    }

    /// A matrix of `rows` rows and `columns` columns.
    ///
    /// `nz` is −2: by rows (`p` row pointers, `i` columns); −1: by columns; ≥ 0: that many entries with row `i` and
    /// column `p`, as the files say and fclib.h does not (FCLIB-FORMAT.md, trap 1). Equal places are summed.
    pub fn matrix(&self, path: &str, rows: usize, columns: usize) -> Result<Sparse> {
        let at = |name: &str| format!("{path}/{name}");
        if !self.has(path) {
            return Err(self.wrong(path, "missing matrix; an FCLIB problem has it, write the file again"));
        }
        let found = (self.size(&at("m"))?, self.size(&at("n"))?);
        if found != (rows, columns) {
            let text = format!("{} x {}, but {rows} x {columns} is wanted by the vectors", found.0, found.1);
            return Err(self.wrong(path, text));
        }
        let entries = match self.integer(&at("nz"))? {
            -2 => self.compressed(path, rows, columns)?,
            -1 => self.compressed(path, columns, rows)?.into_iter().map(|(j, i, x)| (i, j, x)).collect(),
            n if n >= 0 => self.triplets(path, n as usize, rows, columns)?,
            n => return Err(self.wrong(&at("nz"), format!("{n}, but -2, -1 or a count of triplets is wanted"))),
        };
        Ok(Sparse::new(rows, columns, entries))
    }

    /// Entries `(major, minor, value)` of compressed rows or columns.
    fn compressed(&self, path: &str, major: usize, minor: usize) -> Result<Vec<(usize, usize, f64)>> {
        let p_path = format!("{path}/p");
        let p = self.integers(&p_path)?;
        self.require_length(&p_path, p.len(), Some(major + 1))?;
        let p = self.indices(&p_path, &p, None)?;
        if p[0] != 0 || p.windows(2).any(|w| w[0] > w[1]) {
            return Err(self.wrong(&p_path, "pointers must begin with 0 and never descend"));
        }
        let count = p[major];
        let (i_path, i, x) = (format!("{path}/i"), self.integers(&format!("{path}/i"))?, self.values(path)?);
        if i.len() < count || x.len() < count {
            let text = format!("pointers end at {count}, but i has {} and x {} entries", i.len(), x.len());
            return Err(self.wrong(path, text));
        }
        self.require_finite(&format!("{path}/x"), &x[..count])?;
        let i = self.indices(&i_path, &i[..count], Some(minor))?;
        let line = |k: usize| (p[k]..p[k + 1]).map(move |e| (k, e));
        Ok((0..major).flat_map(line).map(|(k, e)| (k, i[e], x[e])).collect())
    }

    /// Only the first `count` entries count: there may be room for more.
    fn triplets(&self, path: &str, count: usize, rows: usize, columns: usize) -> Result<Vec<(usize, usize, f64)>> {
        let (i_path, p_path) = (format!("{path}/i"), format!("{path}/p"));
        let (i, p, x) = (self.integers(&i_path)?, self.integers(&p_path)?, self.values(path)?);
        if i.len() < count || p.len() < count || x.len() < count {
            let text = format!("nz is {count}, but i, p, x have {}, {}, {} entries", i.len(), p.len(), x.len());
            return Err(self.wrong(path, text));
        }
        self.require_finite(&format!("{path}/x"), &x[..count])?;
        let i = self.indices(&i_path, &i[..count], Some(rows))?;
        let p = self.indices(&p_path, &p[..count], Some(columns))?;
        Ok((0..count).map(|k| (i[k], p[k], x[k])).collect())
    }

    fn values(&self, path: &str) -> Result<Vec<f64>> {
        let path = format!("{path}/x");
        self.require(&path)?;
        self.file.get::<f64>(&self.base, &path)
    }

    fn integers(&self, path: &str) -> Result<Vec<i64>> {
        self.require(path)?;
        self.file.get::<i64>(&self.base, path)
    }

    /// Whole numbers from 0, less than `bound`.
    fn indices(&self, path: &str, found: &[i64], bound: Option<usize>) -> Result<Vec<usize>> {
        let fits = |x: i64| usize::try_from(x).ok().filter(|&x| bound.is_none_or(|b| x < b));
        let checked = found.iter().enumerate().map(|(k, &x)| {
            let limit = bound.map_or(String::new(), |b| format!(" less than {b}"));
            fits(x).ok_or_else(|| self.wrong(path, format!("entry {k} is {x}; an index from 0{limit} is wanted")))
        });
        checked.collect()
    }

    /// Title and description.
    pub fn info(&self) -> (String, String) {
        (self.text("info/title"), self.text("info/description"))
    }

    /// Friction of each contact of `n` components; checks `spacedim`.
    pub fn friction(&self, n: usize) -> Result<Vec<f64>> {
        match self.integer("spacedim")? {
            3 => {}
            2 => {
                return Err(self.wrong("spacedim", "a problem in two dimensions; only three are solved here"));
            }
            d => return Err(self.wrong("spacedim", format!("{d}, but 3 is wanted"))),
        }
        if !n.is_multiple_of(3) {
            return Err(self.wrong("vectors", format!("{n} components of contacts are not a multiple of 3")));
        }
        let mu = self.vector("vectors/mu", Some(n / 3))?;
        match mu.iter().position(|&m| m < 0.0) {
            Some(k) => Err(self.wrong("vectors/mu", format!("friction of contact {k} is {}; it must be >= 0", mu[k]))),
            None => Ok(mu),
        }
    }
}
