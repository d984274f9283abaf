//! Local and global frictional contact problems in the HDF5 layout of FCLIB; docs/formats/fclib.md is the page.
//!
//! Two orders meet here. The *file order* puts the normal first, (N, T2, T1); ours is (T1, T2, N): each triple is
//! reversed, in vectors and in rows and columns of matrices (docs/conventions.md 2). [`Raw`] holds a problem as it
//! stands in the file and is what errors are measured on; [`Problem`] is the same in our order, ready for our solvers.
//! `r` is a force as ours, nothing is rescaled.

mod columns;
mod export;
mod global;
mod local;
mod measure;
mod problem;
mod raw;
mod source;
mod sparse;
mod step;
mod tree;
mod write;

pub use columns::{COLUMNS, STEP};
pub use export::{export, numbers, triples};
pub use measure::Residual;
pub use problem::{Equality, Problem};
pub use raw::{Raw, RawEquality};
pub use source::Source;
pub use sparse::Sparse;
pub use step::{FORMAT, VERSION};
pub use write::{write, write_problem, write_solution};

use std::path::Path;

use crate::error::Result;

/// Reactions, velocities and multipliers of the equality part (none without one), in the order of the file.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Solution {
    pub r: Vec<f64>,
    pub u: Vec<f64>,
    pub l: Vec<f64>,
}

/// Reads a local problem in our component order; a global one is condensed. Errors name the file, the dataset and the
/// remedy.
pub fn read(path: &Path) -> Result<Problem> {
    let source = Source::open(path)?;
    source.problem(&source.raw()?)
}
