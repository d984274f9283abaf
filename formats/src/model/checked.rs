//! Columns of one domain, checked as they are read. Nothing of the file is believed: a message names file, dataset,
//! row, value and remedy.

use solfec::model::{BodyKind, FunctionKind, Model};
use solfec::table::{Item, Table as Columns};

use crate::error::{Error, Result};
use crate::store::In;

/// The columns of one domain.
pub(super) struct Table<'a> {
    pub from: &'a In,
    pub base: String,
}

impl Table<'_> {
    pub fn wrong<T>(&self, path: &str, text: impl AsRef<str>) -> Result<T> {
        Err(Error::format(&self.from.at(&self.base, path), text))
    }

    pub fn wrong_row<T>(&self, path: &str, row: usize, text: impl AsRef<str>) -> Result<T> {
        self.wrong(path, format!("row {row}: {}", text.as_ref()))
    }

    pub fn has(&self, path: &str) -> bool {
        self.from.has(&self.base, path)
    }

    pub fn rows<T>(&self, path: &str, rows: Vec<T>, n: usize) -> Result<Vec<T>> {
        match rows.len() {
            m if m == n => Ok(rows),
            m => self.wrong(path, format!("{m} rows, but the table has {n}")),
        }
    }

    /// A column of `n` rows.
    pub fn column<T: Item>(&self, path: &str, n: usize) -> Result<Vec<T>> {
        self.rows(path, self.from.get(&self.base, path)?, n)
    }

    /// A whole table; without rows if it is absent, which its first column that is not optional says. In an optional
    /// column that is absent each row has what `plain` puts into the first one; it begins with zeros.
    pub fn table<T: Columns + Default>(&self, plain: impl FnOnce(&mut T)) -> Result<T> {
        let mut table = T::default();
        let key = table.columns().iter().find(|column| !column.optional).unwrap_or(&table.columns()[0]);
        if !self.has(key.path) {
            return Ok(table);
        }
        let n = self.len(key.path)?;
        table.resize(1);
        plain(&mut table);
        table.reorder(&vec![0; n]);
        let columns = table.columns();
        for (column, values) in columns.iter().zip(table.values_mut()) {
            if column.optional && !self.has(column.path) {
                continue;
            }
            match self.len(column.path)? {
                rows if rows == n => self.from.get_column(&self.base, column, values)?,
                rows => return self.wrong(column.path, format!("{rows} rows, but the table has {n}")),
            }
        }
        Ok(table)
    }

    /// A column of `n` rows, or `n` times `default` if it is absent.
    pub fn column_or<T: Item>(&self, path: &str, n: usize, default: T) -> Result<Vec<T>> {
        match self.from.get_if(&self.base, path)? {
            Some(rows) => self.rows(path, rows, n),
            None => Ok(vec![default; n]),
        }
    }

    pub fn texts(&self, path: &str, n: usize) -> Result<Vec<String>> {
        self.rows(path, self.from.text(&self.base, path)?, n)
    }

    pub fn texts_or(&self, path: &str, n: usize) -> Result<Vec<String>> {
        match self.from.text_if(&self.base, path)? {
            Some(rows) => self.rows(path, rows, n),
            None => Ok(vec![String::new(); n]),
        }
    }

    /// Every value satisfies `good`; `want` says what that means.
    pub fn check(&self, path: &str, rows: &[f64], want: &str, good: impl Fn(f64) -> bool) -> Result<()> {
        match rows.iter().position(|&x| !good(x)) {
            Some(i) => self.wrong_row(path, i, format!("{}, but it must be {want}", rows[i])),
            None => Ok(()),
        }
    }

    pub fn finite<const N: usize>(&self, path: &str, rows: &[[f64; N]]) -> Result<()> {
        match rows.iter().position(|r| r.iter().any(|x| !x.is_finite())) {
            Some(i) => self.wrong_row(path, i, format!("{:?} is not finite", rows[i])),
            None => Ok(()),
        }
    }

    /// Indices of a table of `n` rows.
    pub fn indices(&self, path: &str, rows: &[i64], n: usize, of: &str) -> Result<()> {
        match rows.iter().position(|&i| i < 0 || i as u64 >= n as u64) {
            Some(i) => self.wrong_row(path, i, format!("{} is not a row of {of}, which has {n}", rows[i])),
            None => Ok(()),
        }
    }

    /// A row of a table of `n` rows that row `at` of a column names.
    pub fn row(&self, path: &str, at: usize, row: i64, n: usize, of: &str) -> Result<u32> {
        match u32::try_from(row) {
            Ok(found) if (found as usize) < n => Ok(found),
            _ => self.wrong_row(path, at, format!("{row} is not a row of {of}, which has {n}")),
        }
    }

    /// The kind of the body that row `at` of a column names by its id.
    pub fn body(&self, path: &str, at: usize, id: u64, m: &Model) -> Result<BodyKind> {
        match m.body_row(id) {
            Some(row) => Ok(m.bodies[row].kind),
            None => self.wrong_row(path, at, format!("no body has the id {id}")),
        }
    }

    /// A function that row `at` of a column names by its number.
    pub fn function(&self, path: &str, at: usize, number: i64, m: &Model, kind: FunctionKind) -> Result<u32> {
        let row = m.functions.iter().find(|f| i64::from(f.function) == number && f.kind == kind);
        match row {
            Some(row) => Ok(row.function),
            None => self.wrong_row(path, at, format!("callbacks has no function {number} of this kind")),
        }
    }

    /// Offsets of `n` items into a table of `total` rows; `n` = None: as many as there are.
    pub fn offsets(&self, path: &str, n: Option<usize>, total: usize) -> Result<Vec<usize>> {
        let raw = self.from.get::<u64>(&self.base, path)?;
        if raw.is_empty() {
            return self.wrong(path, "empty; one number more than items is wanted, the first is 0");
        }
        if let Some(n) = n {
            if raw.len() != n + 1 {
                return self.wrong(path, format!("{} rows, but {} are wanted (one more than items)", raw.len(), n + 1));
            }
        }
        if raw[0] != 0 {
            return self.wrong_row(path, 0, format!("{}, but offsets start with 0", raw[0]));
        }
        if let Some(i) = raw.windows(2).position(|w| w[0] > w[1]) {
            return self.wrong_row(path, i + 1, format!("{} is less than the offset before it", raw[i + 1]));
        }
        if raw[raw.len() - 1] != total as u64 {
            let text = format!("{}, but the table it points into has {total} rows", raw[raw.len() - 1]);
            return self.wrong_row(path, raw.len() - 1, text);
        }
        Ok(raw.iter().map(|&x| x as usize).collect())
    }

    pub fn len(&self, path: &str) -> Result<usize> {
        self.from.len(&self.base, path)
    }

    pub fn number(&self, key: &str) -> Result<Option<f64>> {
        Ok(self.from.numbers::<1>(&self.base, key)?.map(|[x]| x))
    }

    pub fn text(&self, key: &str) -> Result<Option<String>> {
        self.from.text_attribute(&self.base, key)
    }
}

pub(super) fn positive(x: f64) -> bool {
    x > 0.0 && x.is_finite()
}

pub(super) fn not_negative(x: f64) -> bool {
    x >= 0.0 && x.is_finite()
}
