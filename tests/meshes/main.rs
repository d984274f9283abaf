//! Mesh files and sf-mesh: round trips through every format, meshio as an independent reader and writer, bad and random
//! bytes, the verbs of the tool, meshes in decks.

mod bad_files;
mod decks;
mod fuzz;
mod meshio;
mod real_files;
mod round_trips;
mod sample;
mod small_files;
mod tool;
