//! The file formats of Solfec tools, all of them plain HDF5 that anyone can read and write with h5py alone.
//!
//! [`model`]: what the user described (`NAME.sfm.h5`). [`results`]: what a run left behind (a directory with
//! `NAME.sfr.h5`). [`checkpoint`]: a job between two steps, to go on from. [`fclib`]: the local dynamics of a step.
//! [`mbfcp`]: a model as text for other programs. [`mesh_cache`]: meshes of TETRAHEDRALIZE. [`meshes`]: meshes
//! and surfaces, also of other programs. [`modes`]: modes of bodies. [`matrix_market`]: matrices as text. Each has a page in docs/formats. Columns are defined once, as [`schema::Column`]s.

mod check;
mod error;
mod image;
mod store;

pub mod checkpoint;
pub mod fclib;
pub mod matrix_hdf5;
pub mod matrix_market;
pub mod mbfcp;
pub mod mesh_cache;
pub mod meshes;
pub mod model;
pub mod modes;
pub mod results;
pub mod schema;

pub use check::{check_file, kind_of, Kind};
pub use error::{Error, Result};
pub use store::{failed_write, fresh, options as open_options, replace};
