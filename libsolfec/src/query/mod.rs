//! Questions asked of a model and a [`Frame`](crate::frame::Frame): place, displacement, velocity, stress and energies
//! of bodies.

mod body;
mod initial;
mod instants;
mod materials;
mod point;
mod shown;

pub use body::BodyView;
pub use initial::{check_body, described_body, described_point, initial_frame};
pub use instants::{nearest, span};
pub use materials::materials;
pub use point::Point;
pub use shown::{ShownBodies, ShownRow};
