//! Labels as numbers: readers of pictures show numbers, and a table beside the files says what they mean.

use std::collections::HashMap;
use std::path::Path;

use crate::cli::{CliError, Product};
use solfec::model::Model;

/// Every label of bodies and display points once, in order of first use; number 0 is the empty one.
pub struct Labels {
    texts: Vec<String>,
    numbers: HashMap<String, i32>,
}

impl Labels {
    pub fn of(model: &Model) -> Self {
        let mut labels = Labels { texts: Vec::new(), numbers: HashMap::new() };
        labels.add("");
        model.bodies.iter().for_each(|b| labels.add(&b.label));
        model.display_points.iter().for_each(|p| labels.add(&p.label));
        labels
    }

    fn add(&mut self, label: &str) {
        if !self.numbers.contains_key(label) {
            self.numbers.insert(label.into(), self.texts.len() as i32);
            self.texts.push(label.into());
        }
    }

    /// Number of a label, 0 if there is no such.
    pub fn number(&self, label: &str) -> i32 {
        self.numbers.get(label).copied().unwrap_or(0)
    }

    /// Writes the table as CSV, if there is a label; tells whether it did.
    pub fn write(&self, path: &Path, force: bool) -> Result<bool, CliError> {
        if self.texts.len() == 1 {
            return Ok(false);
        }
        let mut rows = csv::Writer::from_writer(Vec::new());
        let wrong = |e: csv::Error| CliError::bad_input(format!("{}: {e}", path.display()));
        rows.write_record(["number", "label"]).map_err(wrong)?;
        for (number, text) in self.texts.iter().enumerate() {
            rows.write_record([number.to_string().as_str(), text]).map_err(wrong)?;
        }
        let bytes = rows.into_inner().unwrap_or_else(|e| e.into_error().to_string().into_bytes());
        let mut product = Product::open(Some(path), force)?;
        product.put(&bytes)?;
        product.finish()?;
        Ok(true)
    }
}
