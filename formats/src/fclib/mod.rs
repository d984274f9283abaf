//! Local and global frictional contact problems in the HDF5 layout of FCLIB; docs/formats/fclib.md is the page.
//!
//! Two orders meet here. The *file order* puts the normal first, (N, T2, T1); ours is (T1, T2, N): each triple is reversed,
//! in vectors and in rows and columns of matrices (conventions.md 3). [`Raw`] holds a problem as the file says it and is
//! what errors are measured on; [`Problem`] is the same in our order, ready for our solvers. `r` is a force as ours,
//! nothing is rescaled.

mod global;
mod measure;
mod problem;
mod raw;
mod sparse;
mod tree;

pub use measure::Residual;
pub use problem::{Equality, Problem};
pub use raw::{Raw, RawEquality};
pub use sparse::Sparse;

use std::path::Path;

use crate::error::Result;

/// Reads a local problem in our component order; a global one is condensed. Errors name the file, the dataset and the remedy.
pub fn read(path: &Path) -> Result<Problem> {
    Ok(Problem::new(&Raw::read(path)?))
}
