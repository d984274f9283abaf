//! Questions asked of a model and a [`Frame`](crate::frame::Frame): place, displacement, velocity, stress, momentum
//! and energies of bodies.

mod body;
mod holds;
mod initial;
mod instants;
mod materials;
mod motion;
mod nodes;
mod point;
mod potential;
mod recovered;
mod shown;

pub use body::BodyView;
pub use holds::{distance_from, holds};
pub use initial::{check_body, described_body, described_point, initial_frame, insert_described};
pub use instants::{nearest, span, TIME_TOLERANCE};
pub use materials::materials;
pub use motion::{rotation_near, Momentum, NodalMasses};
pub use nodes::nodes_of;
pub use point::Point;
pub use potential::{gravity, spring_energy};
pub use recovered::Recovered;
pub use shown::{ShownBodies, ShownRow};
