//! The mechanics of Solfec tools: the Contact Dynamics method of Moreau and Jean for rigid and pseudo-rigid bodies.
//!
//! Rooms, each using only those above it: [`math`], [`comm`], [`domain`], [`shape`], [`meshdata`], [`assembly`], [`material`],
//! [`load`], [`model`], [`stepping`], [`body`], [`modal`], [`contact`], [`meshing`], [`constraint`], [`dynamics`], [`solver`],
//! [`simulation`], [`query`]. Nothing here reads files, prints, or knows of Python, HDF5 or MPI. Any consistent unit
//! system will do; SI is assumed in the documentation.

// Own enums are matched exhaustively; unit tests may ask for one variant.
#![cfg_attr(not(test), warn(clippy::wildcard_enum_match_arm))]

pub mod assembly;
pub mod body;
pub mod comm;
pub mod constraint;
pub mod contact;
pub mod domain;
pub mod dynamics;
pub mod error;
pub mod frame;
pub mod ids;
mod json;
pub mod load;
pub mod material;
pub mod math;
pub mod meshdata;
pub mod meshing;
pub mod modal;
pub mod model;
pub mod query;
pub mod shape;
pub mod simulation;
pub mod solver;
pub mod stepping;
pub mod table;

pub use error::{Error, Result};
