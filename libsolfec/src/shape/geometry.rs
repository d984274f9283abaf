//! What a geometry answers about itself. Each kind answers in its own file; nothing outside this folder asks for the
//! kind. A new kind is a file with a [`Primitive`], a variant of [`Geometry`] and a line of [`Geometry::primitive`].

use super::{Bounds, Convex, ConvexPart, ElementKind, Ellipsoid, Geometry, Integrals, Mesh, Shape, Sphere};
use crate::math::{Mat3, Vec3};
use crate::Result;

/// Kinds of geometry.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum GeometryKind {
    Sphere,
    Mesh,
    Convex,
    Ellipsoid,
}

impl GeometryKind {
    /// The name of the class in decks.
    pub fn name(self) -> &'static str {
        match self {
            GeometryKind::Sphere => "SPHERE",
            GeometryKind::Mesh => "MESH",
            GeometryKind::Convex => "CONVEX",
            GeometryKind::Ellipsoid => "ELLIP",
        }
    }
}

/// A piece of a geometry on a screen.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Cell<'a> {
    pub form: CellForm,
    /// Rows of [`Geometry::points`].
    pub nodes: &'a [u32],
    pub volid: i32,
    /// `None`: an element without a boundary face, or with boundary faces of several surfaces.
    pub surfid: Option<i32>,
}

/// What a [`Cell`] is.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum CellForm {
    /// A ball about its only node [m].
    Ball {
        radius: f64,
    },
    /// A plane polygon.
    Polygon,
    Element(ElementKind),
}

/// How large a geometry is.
#[derive(Debug, Clone, Copy, PartialEq, serde::Serialize)]
#[serde(untagged)]
pub enum Size {
    Count(usize),
    Length(f64),
}

/// The answers of one kind of geometry, in its own frame.
pub(super) trait Primitive {
    fn kind(&self) -> GeometryKind;
    fn points(&self) -> &[Vec3];
    fn surfaces(&self, take: &mut dyn FnMut(i32));
    fn integrals(&self) -> Integrals;
    fn contains(&self, x: &Vec3, tolerance: f64) -> bool;
    fn parts(&self) -> Vec<ConvexPart>;
    fn cells(&self) -> Vec<Cell<'_>>;
    /// After `place`, then multiplication of the coordinates by `factors`, which are finite and not zero.
    fn scaled(&self, place: &dyn Fn(&Vec3) -> Vec3, factors: &Vec3) -> Result<Geometry>;
    /// Memory of the coordinates and tables.
    fn bytes(&self) -> usize;
    fn sizes(&self) -> Vec<(&'static str, Size)>;

    /// The box after `X = rotation · x + shift`.
    fn bounds(&self, rotation: &Mat3, shift: &Vec3) -> Bounds {
        let mut bounds = Bounds::default();
        for x in self.points() {
            let x = rotation * x + shift;
            bounds = Bounds { low: bounds.low.inf(&x), high: bounds.high.sup(&x) };
        }
        bounds
    }

    /// Whether only balls are shown of it.
    fn balls(&self) -> bool {
        false
    }

    /// A point of greatest `direction · x`.
    fn support(&self, direction: &Vec3) -> Vec3 {
        farthest(self.points(), direction)
    }
}

/// The first of the points that are farthest along `direction`; the origin if there are none.
pub fn farthest(points: &[Vec3], direction: &Vec3) -> Vec3 {
    let mut best = (f64::NEG_INFINITY, Vec3::zeros());
    for p in points {
        let d = direction.dot(p);
        if d > best.0 {
            best = (d, *p);
        }
    }
    best.1
}

impl From<Convex> for Geometry {
    fn from(convex: Convex) -> Self {
        Geometry::Convex(convex)
    }
}

impl From<Ellipsoid> for Geometry {
    fn from(ellipsoid: Ellipsoid) -> Self {
        Geometry::Ellipsoid(ellipsoid)
    }
}

impl From<Mesh> for Geometry {
    fn from(mesh: Mesh) -> Self {
        Geometry::Mesh(mesh)
    }
}

impl From<Sphere> for Geometry {
    fn from(sphere: Sphere) -> Self {
        Geometry::Sphere(sphere)
    }
}

impl Geometry {
    fn primitive(&self) -> &dyn Primitive {
        match self {
            Geometry::Convex(convex) => convex,
            Geometry::Mesh(mesh) => mesh,
            Geometry::Sphere(sphere) => sphere,
            Geometry::Ellipsoid(ellipsoid) => ellipsoid,
        }
    }

    pub fn kind(&self) -> GeometryKind {
        self.primitive().kind()
    }

    /// Vertices, nodes, or the centre; of an ellipsoid the centre, the ends of its half axes and points of its surface.
    pub fn points(&self) -> &[Vec3] {
        self.primitive().points()
    }

    /// Surface ids, ascending, each once.
    pub fn surfaces(&self) -> Vec<i32> {
        let mut ids = Vec::new();
        self.primitive().surfaces(&mut |id| ids.push(id));
        ids.sort_unstable();
        ids.dedup();
        ids
    }

    /// Volume, centre and Euler tensor in the geometry's own frame.
    pub fn integrals(&self) -> Integrals {
        self.primitive().integrals()
    }

    /// Convex parts that take part in contact, in the order of object indices, in the geometry's own frame: the
    /// polyhedron, the boundary elements of a mesh, the ball.
    pub fn parts(&self) -> Vec<ConvexPart> {
        self.primitive().parts()
    }

    /// How many [`parts`](Self::parts) there are.
    pub fn part_count(&self) -> usize {
        self.mesh().map_or(1, |mesh| mesh.boundary.chunk_by(|a, b| a.element == b.element).count())
    }

    /// Whether only balls are shown of it.
    pub fn balls(&self) -> bool {
        self.primitive().balls()
    }

    /// What is shown of it.
    pub fn cells(&self) -> Vec<Cell<'_>> {
        self.primitive().cells()
    }

    /// Memory of the coordinates and tables.
    pub fn bytes(&self) -> usize {
        self.primitive().bytes()
    }

    /// Names and values of what tells how large it is: numbers of vertices or elements, a radius [m].
    pub fn sizes(&self) -> Vec<(&'static str, Size)> {
        self.primitive().sizes()
    }

    /// A point of greatest `direction · x`.
    pub fn support(&self, direction: &Vec3) -> Vec3 {
        self.primitive().support(direction)
    }

    /// The mesh, if it is one.
    pub fn mesh(&self) -> Option<&Mesh> {
        if let Geometry::Mesh(mesh) = self {
            Some(mesh)
        } else {
            None
        }
    }

    /// The mesh to be changed, if it is one.
    pub fn mesh_mut(&mut self) -> Option<&mut Mesh> {
        if let Geometry::Mesh(mesh) = self {
            Some(mesh)
        } else {
            None
        }
    }

    /// The polyhedron, if it is one.
    pub fn convex(&self) -> Option<&Convex> {
        if let Geometry::Convex(convex) = self {
            Some(convex)
        } else {
            None
        }
    }

    /// The ellipsoid, if it is one.
    pub fn ellipsoid(&self) -> Option<&Ellipsoid> {
        if let Geometry::Ellipsoid(ellipsoid) = self {
            Some(ellipsoid)
        } else {
            None
        }
    }

    /// The ball, if it is one.
    pub fn sphere(&self) -> Option<&Sphere> {
        if let Geometry::Sphere(sphere) = self {
            Some(sphere)
        } else {
            None
        }
    }
}

impl Shape {
    /// The least box around the shape where it is now.
    pub fn bounds(&self) -> Bounds {
        self.geometry.primitive().bounds(&self.rotation, &self.shift)
    }

    /// Where a point of the geometry's own frame is now.
    pub fn point(&self, own: &Vec3) -> Vec3 {
        self.rotation * own + self.shift
    }

    /// Coordinates of the vertices or nodes where they are now; the center of a sphere.
    pub fn vertices(&self) -> Vec<Vec3> {
        self.geometry.points().iter().map(|x| self.point(x)).collect()
    }

    /// Volume, centre and Euler tensor where the shape is now.
    pub fn integrals(&self) -> Integrals {
        self.geometry.integrals().placed(&self.rotation, &self.shift)
    }

    /// Whether the reference point lies in the shape, or no farther than `tolerance` [m] from its faces; for meshes in
    /// any element, inner ones too.
    pub fn contains(&self, point: &Vec3, tolerance: f64) -> bool {
        let x = self.rotation.transpose() * (point - self.shift);
        self.geometry.primitive().contains(&x, tolerance)
    }

    /// The shape after multiplication of its coordinates by finite `factors` other than zero.
    pub(super) fn scaled(&self, factors: &Vec3) -> Result<Geometry> {
        self.geometry.primitive().scaled(&|x| self.point(x).component_mul(factors), factors)
    }
}
