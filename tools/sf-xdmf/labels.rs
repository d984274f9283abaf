//! Labels as numbers: readers of pictures show numbers, and a table beside the files says what they mean.

use std::collections::HashMap;

use solfec::model::Model;

use crate::cli::cell;

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

    /// The table as CSV; `None` without a label.
    pub fn table(&self) -> Option<String> {
        let quoted = |text: &String| {
            let text = cell(text);
            if text.contains(['"', ',', '\n', '\r']) {
                format!("\"{}\"", text.replace('"', "\"\""))
            } else {
                text.into_owned()
            }
        };
        let rows = self.texts.iter().enumerate().map(|(number, text)| format!("{number},{}\n", quoted(text)));
        (self.texts.len() > 1).then(|| std::iter::once("number,label\n".into()).chain(rows).collect())
    }
}
