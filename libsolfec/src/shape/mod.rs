//! Shapes: polyhedra, meshes of first-order elements, spheres; their generators, transformations and mass integrals.
//!
//! A [`Shape`] is an immutable [`Geometry`], shared by all its copies, and a placement (rotation, then shift). So a
//! thousand equal bricks hold one geometry. Everything here is reference geometry: motion belongs to bodies, and what
//! contact sees of a moving shape belongs to `contact`.

mod bend;
mod bounds;
mod convex;
mod ellipsoid;
mod fingerprint;
mod geometry;
mod hex;
mod hull;
mod icosahedron;
mod inside;
mod integrals;
mod isoparametric;
mod loops;
mod mesh;
mod parts;
mod pipe;
mod place;
mod quadrature;
mod raw;
mod solid;
mod sphere;
mod tetrahedra;

use serde::{Deserialize, Serialize};
use std::sync::Arc;

pub use bounds::Bounds;
pub use ellipsoid::Ellipsoid;
pub use geometry::{farthest, Cell, CellForm, GeometryKind, Size};
pub use hull::hull_loops;
pub use icosahedron::{icosahedron, Triangulation};
pub use integrals::Integrals;
pub use isoparametric::interpolate;
pub use loops::area_vector;
pub use mesh::{face_key, FaceKey};
pub use parts::{filling_parts, placed_parts};
pub use pipe::Pipe;
pub use place::rotation_about;
pub use quadrature::{square_points, Node as QuadratureNode};
pub use raw::{RawElement, RawMesh};
pub use solid::{ConvexPart, Curved, CurvedForm, Edge, Solid, SolidView, Topology};

use crate::math::{Mat3, Vec3};

/// Round-off of coordinates relative to the size of an object: closer points are on the same plane.
const FLATNESS: f64 = 1e-9;
/// Volumes under this multiple of the cube of the diameter are round-off.
const VOLUME_FLOOR: f64 = 1e-15;
/// In place of the number of an element: no element of a mesh.
pub const NO_ELEMENT: u32 = u32::MAX;
/// In lists of nodes: a vertex that is not a node of a mesh.
pub const NO_NODE: u32 = u32::MAX;
/// In place of a surface id: a face of a polyhedron that it shares with another one. It takes no part in contact.
pub const INNER_FACE: i32 = -i32::MAX;
/// Areas under this multiple of the square of the diameter are round-off.
const AREA_FLOOR: f64 = 1e-14;

/// A convex polyhedron: at least four faces, each a loop counter-clockwise seen from outside.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Convex {
    pub vertices: Vec<Vec3>,
    pub faces: Vec<Face>,
    pub volid: i32,
}

/// Vertex numbers around a polygon. Triangles and quadrilaterals, which are most, allocate nothing.
pub type Loop = smallvec::SmallVec<[u32; 4]>;

/// A polygonal face of a [`Convex`]: vertex numbers and a surface id.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Face {
    pub nodes: Loop,
    pub surfid: i32,
}

/// First-order elements; the discriminant is the number of nodes, as in decks and files.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[repr(u8)]
pub enum ElementKind {
    Tet = 4,
    Pyramid = 5,
    Wedge = 6,
    Hex = 8,
}

/// One element: node numbers (the first `kind as usize` count) and a volume id.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Element {
    pub kind: ElementKind,
    pub nodes: [u32; 8],
    pub volid: i32,
}

/// An element face that no other element shares.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct BoundaryFace {
    pub element: u32,
    /// Row of the element's face table, [`ElementKind::faces`].
    pub local: u8,
    pub surfid: i32,
}

/// A conforming mesh. Elements keep the input order; boundary faces ascend by (element, local face).
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Mesh {
    pub nodes: Vec<Vec3>,
    pub elements: Vec<Element>,
    pub boundary: Vec<BoundaryFace>,
}

/// A ball.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Sphere {
    pub center: Vec3,
    pub radius: f64,
    pub volid: i32,
    pub surfid: i32,
}

/// What a shape is made of, in its own frame.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub enum Geometry {
    Convex(Convex),
    Mesh(Mesh),
    Sphere(Sphere),
    Ellipsoid(Ellipsoid),
}

/// A geometry placed in the reference configuration: `X = rotation · x + shift`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Shape {
    pub geometry: Arc<Geometry>,
    pub rotation: Mat3,
    pub shift: Vec3,
}
