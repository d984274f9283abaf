//! Loads: time series, user functions, forces, torques and pressure.

mod series;
mod user;

pub use series::{Reading, Series};
pub use user::{Call, NoFunctions, UserFunctions};
