//! What drives bodies: time series, user functions, surfaces under pressure.

mod accelerogram;
mod derived;
mod series;
mod surface;
mod text;
mod user;

pub use series::{Reading, Series};
pub use surface::{LoadedFace, SurfaceIntegrals, SurfaceLoad};
pub use user::{Call, NoFunctions, UserFunctions};
