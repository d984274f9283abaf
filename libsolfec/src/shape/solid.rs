//! What contact sees of a shape: convex parts, which are solids (polyhedra, mesh elements or pieces of them) and balls.

use std::sync::Arc;

use super::Bounds;
use crate::math::{Mat3, Vec3};

/// An edge of a solid: its two vertices, ascending, and the two faces it separates; the first runs from `nodes[0]` to
/// `nodes[1]`, the second back.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Edge {
    pub nodes: [u16; 2],
    pub faces: [u16; 2],
}

/// How the faces of a convex solid hang together; shared by all solids of one build and of all placed copies.
/// Faces are planar loops, counter-clockwise from outside; skin faces come first, inner faces of meshes after.
#[derive(Debug, Clone, PartialEq)]
pub struct Topology {
    /// `face_start[f] .. face_start[f + 1]` are the rows of `face_nodes` of face `f`.
    pub face_start: Vec<u16>,
    pub face_nodes: Vec<u16>,
    /// Number of skin faces; these have rows in `surfid`.
    pub skin: usize,
    /// A solid without a skin face has one id all the same, that of the nearest surface.
    pub surfid: Vec<i32>,
    pub edges: Vec<Edge>,
}

impl Topology {
    /// Number of faces.
    pub fn faces(&self) -> usize {
        self.face_start.len() - 1
    }

    /// Vertex loop of face `f`.
    pub fn face(&self, f: usize) -> &[u16] {
        &self.face_nodes[self.face_start[f] as usize..self.face_start[f + 1] as usize]
    }
}

/// A convex solid in the reference configuration.
#[derive(Debug, Clone, PartialEq)]
pub struct Solid {
    pub topology: Arc<Topology>,
    pub vertices: Vec<Vec3>,
    /// Unit outward normals of all faces.
    pub normals: Vec<Vec3>,
    /// Mesh node number of each vertex; empty for a polyhedron of its own.
    pub mesh_nodes: Vec<u32>,
    /// The element it is, or is cut from; [`NO_ELEMENT`](super::NO_ELEMENT) for a polyhedron of its own.
    pub element: u32,
}

/// A convex part of a shape.
#[derive(Debug, Clone, PartialEq)]
pub enum ConvexPart {
    Solid(Solid),
    Ball { center: Vec3, radius: f64, surfid: i32 },
    Curved(Curved),
}

/// A convex part with a curved surface: a form, and control points that move with the body.
#[derive(Debug, Clone)]
pub struct Curved {
    pub form: Arc<dyn CurvedForm>,
    pub points: Vec<Vec3>,
}

impl PartialEq for Curved {
    fn eq(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.form, &other.form) && self.points == other.points
    }
}

/// A curved surface as a function of control points, for instance the centre and the ends of the half axes of an
/// ellipsoid.
pub trait CurvedForm: std::fmt::Debug + Send + Sync {
    /// The point of the surface that is farthest along `direction`.
    fn support(&self, points: &[Vec3], direction: &Vec3) -> Vec3;

    /// The derivative of that point by the direction, of unit length.
    fn bend(&self, points: &[Vec3], direction: &Vec3) -> Mat3;

    /// A point inside.
    fn center(&self, points: &[Vec3]) -> Vec3;

    /// The half axes as columns, if the surface is an ellipsoid; they need not be across each other. Contact with solids
    /// is then found faster.
    fn half_axes(&self, _points: &[Vec3]) -> Option<Mat3> {
        None
    }

    fn surfid(&self) -> i32;

    /// The least box around it.
    fn bounds(&self, points: &[Vec3]) -> Bounds {
        let reach = |sign: f64| Vec3::from_fn(|k, _| self.support(points, &Vec3::ith(k, sign))[k]);
        Bounds { low: reach(-1.0), high: reach(1.0) }
    }
}

/// A placed solid, as the narrow phase sees it.
#[derive(Debug, Clone, Copy)]
pub struct SolidView<'a> {
    pub topology: &'a Topology,
    pub vertices: &'a [Vec3],
    pub normals: &'a [Vec3],
}

impl Solid {
    pub fn view(&self) -> SolidView<'_> {
        SolidView { topology: &self.topology, vertices: &self.vertices, normals: &self.normals }
    }
}
