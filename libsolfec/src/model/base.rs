//! Bases of reduced bodies: displacement fields of a mesh whose combinations a body is confined to.

use super::{BodyKind, BodyRow};
use crate::{Error, Result};
use serde::{Deserialize, Serialize};

/// Numbers of a rotation in the configuration of a reduced body.
const ROTATION: usize = 9;

/// Vectors of a reduced base, one after the other; the entry of node a and axis i of a vector is its number 3 a + i.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Base {
    /// Empty if none.
    pub label: String,
    /// One for each vector: eigenvalues [1/s²] where the vectors are modes.
    pub values: Vec<f64>,
    pub vectors: Vec<f64>,
}

impl Base {
    /// # Errors
    /// No vectors, vectors that are not equally long and of three numbers for each node, numbers that are not finite.
    pub fn new(label: impl Into<String>, values: Vec<f64>, vectors: Vec<f64>) -> Result<Base> {
        let (n, m) = (values.len(), vectors.len());
        if n == 0 || m == 0 || !m.is_multiple_of(3 * n) {
            return Err(Error::input(format!(
                "a base of {n} values and {m} numbers in vectors; give the vectors one after the other, three numbers for \
                 each node, and one value for each vector"
            )));
        }
        if let Some(k) = values.iter().chain(&vectors).position(|x| !x.is_finite()) {
            let what = if k < n { format!("value {k}") } else { format!("number {} of the vectors", k - n) };
            return Err(Error::input(format!("{what} of the base is not finite; compute the base again")));
        }
        Ok(Base { label: label.into(), values, vectors })
    }

    /// Number of vectors.
    pub fn count(&self) -> usize {
        self.values.len()
    }

    /// Nodes of the mesh to which it belongs.
    pub fn nodes(&self) -> usize {
        self.vectors.len() / (3 * self.count())
    }

    pub fn vector(&self, k: usize) -> &[f64] {
        let rows = 3 * self.nodes();
        &self.vectors[k * rows..(k + 1) * rows]
    }
}

impl BodyRow {
    /// Reduced coordinates of the body; `None` if it has none.
    pub fn reduced(&self) -> Option<usize> {
        let reduced = self.kind == BodyKind::FiniteElement && self.form.is_reduced();
        self.base.as_ref().filter(|_| reduced).map(|base| base.count())
    }

    /// Whether a configuration (docs/conventions.md 5) can have so many numbers.
    pub fn takes_configuration(&self, numbers: usize) -> bool {
        match self.reduced() {
            Some(modes) => numbers == modes + ROTATION,
            None => self.kind.takes_configuration(numbers),
        }
    }

    /// Whether a velocity can have so many numbers. Of finite elements six are a rigid motion.
    pub fn takes_velocity(&self, numbers: usize) -> bool {
        match self.reduced() {
            Some(modes) => numbers == modes || numbers == 6,
            None => self.kind.takes_velocity(numbers),
        }
    }

    /// How many numbers a configuration has, for messages.
    pub fn configuration_layout(&self) -> String {
        match self.reduced() {
            Some(modes) => format!("{}: {modes} reduced coordinates and a rotation", modes + ROTATION),
            None => self.kind.configuration_layout().into(),
        }
    }

    /// How many numbers a velocity has, for messages.
    pub fn velocity_layout(&self) -> String {
        match self.reduced() {
            Some(modes) => format!("6 of a rigid motion, or {modes} reduced velocities"),
            None => self.kind.velocity_layout().into(),
        }
    }
}
