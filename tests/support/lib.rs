//! What tests of the tools share: folders, processes, results made without a simulation, and how to compare results.

pub mod made;
pub mod markup;
pub mod process;
pub mod python;
pub mod reads;
pub mod same;
pub mod scratch;
pub mod synthetic;

pub use solfec_testing::{data, size, skip};
