//! Shapes made from other shapes: splitting by planes and along faces, blocks around shapes, meshes of ellipsoids, and
//! what a mesher of tetrahedra is given and gives back.
//!
//! Everything here is a function of shapes at rest; commands of decks and tools call it.

mod cracks;
mod cut_elements;
mod ellipsoid_mesh;
mod enclosing;
mod extract;
mod halves;
mod integration;
mod interfaces;
mod open;
mod plane;
mod skin;
mod slice;
mod split_convex;
mod split_mesh;

pub use ellipsoid_mesh::ellipsoid_mesh;
pub use enclosing::enclosing_block;
pub use extract::pieces;
pub use integration::{surface_points, volume_points};
pub use open::{open, open_all, separate, Opening};
pub use plane::Plane;
pub use skin::{Skin, Tetrahedra};
pub use split_convex::split_convexes;
pub use split_mesh::split_mesh;

/// Reach of [`Split::near`] in multiples of [`Split::epsilon`].
const REACH: f64 = 10.0;

/// How a shape is split.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Split {
    pub plane: Plane,
    /// Of the new faces that look along the normal (they belong to the part below), and of those that look against it.
    pub surfids: [i32; 2],
    /// Points nearer to the plane than this are on it [m].
    pub epsilon: f64,
    /// Opens only the connected part of the cut that this point is on, or nearer to than ten times `epsilon` [m].
    pub near: Option<crate::math::Vec3>,
    /// Whether elements may be cut.
    pub remesh: bool,
}

impl Split {
    /// What is said where [`Split::near`] is on the cut of no shape.
    pub fn far(&self) -> crate::Error {
        let at = self.near.map(|x| format!("({}, {}, {}) ", x.x, x.y, x.z)).unwrap_or_default();
        let epsilon = self.epsilon;
        crate::Error::input(format!(
            "point {at}is farther from the cut than {REACH} times epsilon = {epsilon:e}: give a point of the cut, or \
             let topoadj be 'OFF'"
        ))
    }
}

/// The parts of a shape below a plane (against its normal) and above. With [`Split::near`], a part that still hangs
/// together is below.
#[derive(Debug, Clone, PartialEq)]
pub struct Halves<T> {
    pub below: Vec<T>,
    pub above: Vec<T>,
    /// Whether the shape has parts on both sides.
    pub cut: bool,
}
