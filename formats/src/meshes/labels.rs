//! Labels that a file gives to its nodes or elements, and the rows that they stand for.

use crate::error::Result;

use super::text::Text;

/// Rows by label.
#[derive(Debug, Clone, Default)]
pub(super) struct Labels {
    /// Label and row, ascending; empty if labels are consecutive.
    sorted: Vec<(i64, u32)>,
    /// The label of row 0, and the number of rows, if labels are consecutive.
    first: i64,
    count: usize,
}

impl Labels {
    /// Of the labels in the order of rows.
    ///
    /// # Errors
    /// A label occurs twice; `what` is labelled.
    pub fn new(labels: &[i64], text: &Text, what: &str) -> Result<Labels> {
        let first = labels.first().copied().unwrap_or(0);
        if (0..).zip(labels).all(|(row, &label)| first.checked_add(row) == Some(label)) {
            return Ok(Labels { sorted: Vec::new(), first, count: labels.len() });
        }
        let mut sorted: Vec<(i64, u32)> = labels.iter().copied().zip(0..).collect();
        sorted.sort_unstable();
        match sorted.windows(2).find(|pair| pair[0].0 == pair[1].0) {
            Some(pair) => Err(text.fail(format!("{what} {} is defined twice; number each once", pair[0].0))),
            None => Ok(Labels { sorted, first, count: labels.len() }),
        }
    }

    /// The row of a label.
    pub fn row(&self, label: i64) -> Option<u32> {
        if self.sorted.is_empty() {
            let row = label.checked_sub(self.first).and_then(|row| usize::try_from(row).ok());
            return row.filter(|row| *row < self.count).map(|row| row as u32);
        }
        self.sorted.binary_search_by_key(&label, |entry| entry.0).ok().map(|at| self.sorted[at].1)
    }

    /// Rows of the labels `first, first + step, ...` up to `last` that are there.
    pub fn range(&self, first: i64, last: i64, step: i64) -> Vec<u32> {
        let on = |label: &i64| (*label as i128 - first as i128) % (step.max(1) as i128) == 0;
        if self.sorted.is_empty() {
            let end = self.first.saturating_add(self.count as i64 - 1);
            return (first.max(self.first)..=last.min(end)).filter(on).filter_map(|label| self.row(label)).collect();
        }
        let from = self.sorted.partition_point(|entry| entry.0 < first);
        let within = self.sorted[from..].iter().take_while(|entry| entry.0 <= last);
        within.filter(|entry| on(&entry.0)).map(|entry| entry.1).collect()
    }
}
