//! The narrow phase on pairs of solids and spheres: known results, properties, and oracles.

mod against_exact;
mod cases;
mod exact;
mod fuzz;
#[path = "solids.rs"]
mod make;
mod pairs;
mod properties;
