//! Reference geometry of chosen bodies, merged: a mixed grid of elements and polyhedra, and a cloud of spheres.

use std::ops::Range;

use solfec::math::Vec3;
use solfec::model::Model;
use solfec::query::Flow;
use solfec::shape::{Convex, ElementKind, Geometry, Mesh, Shape};

/// XDMF numbers of cells in a mixed topology.
const POLYGON: i64 = 3;
const TETRAHEDRON: i64 = 6;
const PYRAMID: i64 = 7;
const WEDGE: i64 = 8;
const HEXAHEDRON: i64 = 9;
/// Surface id of elements without a boundary face, or with boundary faces of several surfaces.
pub const NO_SURFACE: i32 = -1;

/// Columns that tell where cells or points come from.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Tags {
    /// Body ids.
    pub body: Vec<i64>,
    pub kind: Vec<i32>,
    /// Rows of the bulk materials.
    pub material: Vec<i32>,
    pub volid: Vec<i32>,
    pub surfid: Vec<i32>,
}

/// Points that move with bodies.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Points {
    pub reference: Vec<Vec3>,
    /// For each body in turn, its points.
    pub ranges: Vec<Range<usize>>,
}

/// Elements and polyhedra of some bodies.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Grid {
    pub points: Points,
    /// XDMF mixed topology: cell number, for polygons the count, then points.
    pub topology: Vec<i64>,
    /// One row for each cell.
    pub tags: Tags,
}

/// Spheres of some bodies.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Cloud {
    pub points: Points,
    pub radius: Vec<f64>,
    /// One row for each point.
    pub tags: Tags,
}

/// Where the points of a body are, and how they move.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Placed {
    pub position: Vec<[f64; 3]>,
    pub displacement: Vec<[f64; 3]>,
    pub velocity: Vec<[f64; 3]>,
}

impl Points {
    /// Points under the flows of their bodies, in the same order.
    pub fn place(&self, flows: &[Flow]) -> Placed {
        let mut placed = Placed::default();
        for (range, flow) in self.ranges.iter().zip(flows) {
            for reference in &self.reference[range.clone()] {
                let x = flow.point(reference);
                placed.position.push(x.into());
                placed.displacement.push((x - reference).into());
                placed.velocity.push(flow.velocity(reference).into());
            }
        }
        placed
    }

    fn add(&mut self, shape: &Shape, own: &[Vec3]) {
        let placed = own.iter().map(|x| shape.rotation * x + shape.shift);
        self.reference.extend(placed);
    }
}

impl Tags {
    fn push(&mut self, model: &Model, row: u32, volid: i32, surfid: i32) {
        let body = &model.bodies[row as usize];
        self.body.push(body.id as i64);
        self.kind.push(body.kind as i32);
        self.material.push(body.material as i32);
        self.volid.push(volid);
        self.surfid.push(surfid);
    }
}

/// Whether a body has elements or polyhedra, and whether it has spheres.
pub fn contents(model: &Model, row: u32) -> (bool, bool) {
    let mut solid = false;
    let mut round = false;
    for shape in model.shapes_of(&model.bodies[row as usize]) {
        match &*shape.geometry {
            Geometry::Sphere(_) => round = true,
            Geometry::Convex(_) | Geometry::Mesh(_) => solid = true,
        }
    }
    (solid, round)
}

impl Grid {
    /// Elements and polyhedra of these bodies (rows of the model).
    pub fn of(model: &Model, bodies: &[u32]) -> Self {
        let mut grid = Grid::default();
        for &row in bodies {
            let start = grid.points.reference.len();
            for shape in model.shapes_of(&model.bodies[row as usize]) {
                match &*shape.geometry {
                    Geometry::Convex(convex) => grid.add_convex(model, row, &shape, convex),
                    Geometry::Mesh(mesh) => grid.add_mesh(model, row, &shape, mesh),
                    Geometry::Sphere(_) => {}
                }
            }
            grid.points.ranges.push(start..grid.points.reference.len());
        }
        grid
    }

    pub fn cells(&self) -> usize {
        self.tags.body.len()
    }

    /// Each face is a polygon: every reader knows polygons, few know polyhedra.
    fn add_convex(&mut self, model: &Model, row: u32, shape: &Shape, convex: &Convex) {
        let base = self.points.reference.len() as i64;
        self.points.add(shape, &convex.vertices);
        for face in &convex.faces {
            self.topology.extend([POLYGON, face.nodes.len() as i64]);
            self.topology.extend(face.nodes.iter().map(|&n| base + i64::from(n)));
            self.tags.push(model, row, convex.volid, face.surfid);
        }
    }

    fn add_mesh(&mut self, model: &Model, row: u32, shape: &Shape, mesh: &Mesh) {
        let base = self.points.reference.len() as i64;
        self.points.add(shape, &mesh.nodes);
        let surfaces = element_surfaces(mesh);
        for (element, surfid) in mesh.elements.iter().zip(surfaces) {
            let (code, order) = cell(element.kind);
            self.topology.push(code);
            self.topology.extend(order.iter().map(|&n| base + i64::from(element.nodes[n])));
            self.tags.push(model, row, element.volid, surfid);
        }
    }
}

/// XDMF number of an element and the order of its nodes there: ours, but for the wedge, whose first triangle looks
/// outwards (VTK's vtkWedge) where ours looks inwards.
fn cell(kind: ElementKind) -> (i64, &'static [usize]) {
    match kind {
        ElementKind::Tet => (TETRAHEDRON, &[0, 1, 2, 3]),
        ElementKind::Pyramid => (PYRAMID, &[0, 1, 2, 3, 4]),
        ElementKind::Wedge => (WEDGE, &[0, 2, 1, 3, 5, 4]),
        ElementKind::Hex => (HEXAHEDRON, &[0, 1, 2, 3, 4, 5, 6, 7]),
    }
}

/// Surface id of each element: that of its boundary faces when they agree, else [`NO_SURFACE`].
fn element_surfaces(mesh: &Mesh) -> Vec<i32> {
    let mut surfaces: Vec<Option<i32>> = vec![None; mesh.elements.len()];
    for face in &mesh.boundary {
        let slot = &mut surfaces[face.element as usize];
        *slot = match *slot {
            Some(other) if other != face.surfid => Some(NO_SURFACE),
            _ => Some(face.surfid),
        };
    }
    surfaces.into_iter().map(|s| s.unwrap_or(NO_SURFACE)).collect()
}

impl Cloud {
    /// Spheres of these bodies (rows of the model).
    pub fn of(model: &Model, bodies: &[u32]) -> Self {
        let mut cloud = Cloud::default();
        for &row in bodies {
            let start = cloud.points.reference.len();
            for shape in model.shapes_of(&model.bodies[row as usize]) {
                if let Geometry::Sphere(sphere) = &*shape.geometry {
                    cloud.points.add(&shape, &[sphere.center]);
                    cloud.radius.push(sphere.radius);
                    cloud.tags.push(model, row, sphere.volid, sphere.surfid);
                }
            }
            cloud.points.ranges.push(start..cloud.points.reference.len());
        }
        cloud
    }
}
