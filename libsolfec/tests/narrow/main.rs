//! The narrow phase on pairs of solids and spheres: known results, properties, and oracles.

mod cases;
#[path = "solids.rs"]
mod make;
mod pairs;
mod properties;
