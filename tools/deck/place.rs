//! Lines of decks.

use std::fmt;
use std::sync::Arc;

/// A line of a deck.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Place {
    pub file: Arc<str>,
    pub line: u32,
}

impl Place {
    /// Moves to a line.
    pub fn at(&mut self, file: &str, line: u32) {
        if *self.file != *file {
            self.file = file.into();
        }
        self.line = line;
    }
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}", self.file, self.line)
    }
}
