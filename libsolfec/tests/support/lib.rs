//! What tests of the mechanics share: small models and problems, and data to compare with.

pub mod affine;
pub mod arch;
pub mod ball;
pub mod bricks;
pub mod clock;
pub mod data;
pub mod loads;
pub mod motions;
pub mod named;
pub mod near;
pub mod problems;
pub mod run;
pub mod scene;
pub mod size;
pub mod skip;
pub mod tables;
pub mod threads;
pub mod world;
