//! Questions asked of a model and a [`Frame`](crate::frame::Frame): coordinates, displacements, velocities, stress, energies.

mod initial;
mod instants;
mod points;
mod stress;
mod totals;

pub use initial::initial_frame;
pub use instants::{nearest, span};
pub use points::{coordinate, displacement, flow, flow_of_pseudo, flow_of_rigid, velocity, Flow};
pub use stress::{materials, stress, stress_of, stress_of_pseudo};
pub use totals::{count, energy};
