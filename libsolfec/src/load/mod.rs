//! Loads: time series, user functions, forces, torques and pressure.

mod derived;
mod series;
mod surface;
mod text;
mod user;

pub use series::{Reading, Series};
pub use surface::SurfaceIntegrals;
pub use user::{Call, NoFunctions, UserFunctions};
