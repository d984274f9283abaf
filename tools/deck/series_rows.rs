//! Rows of the time series of a model by what they were made of.

use std::collections::HashMap;

use solfec::load::Series;

/// Rows of the series of a model: what has been entered is not entered again.
#[derive(Default)]
pub struct SeriesRows(HashMap<Origin, u32>);

/// What a row was made of.
#[derive(PartialEq, Eq, Hash)]
pub enum Origin {
    /// A TIME_SERIES of the session.
    Object(u64),
    /// A number, by its bits.
    Constant(u64),
}

impl SeriesRows {
    pub fn row(&self, origin: &Origin) -> Option<u32> {
        self.0.get(origin).copied()
    }

    pub fn enter(&mut self, origin: Origin, row: u32) {
        self.0.insert(origin, row);
    }

    /// The table of the model is another one, of results: finds in it what may be entered again. Of equal series those
    /// come first that have been entered before, then those of the session (`objects`) in order of creation.
    pub fn find_again(&mut self, table: &[Series], objects: &[Series]) {
        let mut before: Vec<(u32, u64)> = Vec::new();
        for (origin, row) in self.0.drain() {
            if let Origin::Object(object) = origin {
                before.push((row, object));
            }
        }
        before.sort_unstable();
        let mut taken = vec![false; table.len()];
        for object in before.into_iter().map(|(_, object)| object).chain(0..objects.len() as u64) {
            if self.0.contains_key(&Origin::Object(object)) {
                continue;
            }
            let equal = |&row: &usize| !taken[row] && table[row] == objects[object as usize];
            if let Some(row) = (0..table.len()).find(equal) {
                taken[row] = true;
                self.0.insert(Origin::Object(object), row as u32);
            }
        }
        for (row, series) in (0..).zip(table) {
            if let ([value], "") = (series.values(), &*series.label) {
                self.0.entry(Origin::Constant(value.to_bits())).or_insert(row);
            }
        }
    }
}
