//! Many shapes at once: boxes, walls and arches of bricks, packings. Everything is computed with additions,
//! multiplications, divisions and roots where a decision depends on it, so that every machine makes the same shapes.

mod brickwork;
mod packing;
pub(crate) mod random;

pub use brickwork::{arch, brick, wall, Arch, Bond, Wall};
pub use packing::{packing, Grain, Packing, Region};
