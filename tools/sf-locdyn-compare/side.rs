//! What is compared: rows with places in space, W, and vectors, whatever file they come from.

use solfec::dynamics::BlockSparse;
use solfec::math::{Mat3, Vec3};

/// Where a row is and what it is.
#[derive(Debug, Clone, PartialEq)]
pub struct Place {
    /// Number of the kind (docs/conventions.md 8), 0 a contact.
    pub kind: u8,
    pub master: u64,
    pub slave: Option<u64>,
    pub point: Vec3,
    /// Columns t1, t2, n.
    pub base: Mat3,
}

/// The local dynamics of a file.
#[derive(Debug, Clone, Default)]
pub struct Side {
    pub name: String,
    pub rows: usize,
    /// `None`: rows have only their order.
    pub places: Option<Vec<Place>>,
    /// Numbers have six digits.
    pub rounded: bool,
    pub w: BlockSparse,
    pub free: Option<Vec<Vec3>>,
    pub previous: Option<Vec<Vec3>>,
    pub u: Option<Vec<Vec3>>,
    pub r: Option<Vec<Vec3>>,
    pub friction: Option<Vec<f64>>,
}
