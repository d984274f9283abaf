//! A local problem as it stands in its file: normal first, numbers one after another.

use std::path::Path;

use super::{Source, Sparse};
use crate::error::Result;

/// `u = W r + q (+ V l)`, `Vᵀ r + R l + s = 0`, and Coulomb's law of each contact; components (N, T2, T1).
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Raw {
    pub title: String,
    pub description: String,
    pub w: Sparse,
    pub q: Vec<f64>,
    /// Friction, one for each contact.
    pub mu: Vec<f64>,
    pub equality: Option<RawEquality>,
}

/// The equality part: `V` has a row for each component of `u` and a column for each multiplier.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct RawEquality {
    pub v: Sparse,
    pub r: Sparse,
    pub s: Vec<f64>,
}

impl Raw {
    /// Reads a local problem, or condenses a global one; see [`Source::raw`].
    pub fn read(path: &Path) -> Result<Raw> {
        Source::open(path)?.raw()
    }

    /// Number of contacts.
    pub fn contacts(&self) -> usize {
        self.mu.len()
    }
}
