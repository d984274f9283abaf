//! Reference geometry of chosen bodies, merged: a mixed grid of elements and polyhedra, and a cloud of spheres and
//! display points.

use std::ops::Range;

use solfec::math::Vec3;
use solfec::model::Model;
use solfec::query::{BodyView, Point};
use solfec::shape::{interpolate, Cell, CellForm, ElementKind, Shape};

use super::labels::Labels;
use super::step::{Array, CellKind, Cells, Center, Values};

/// Surface id of elements without a boundary face, or with boundary faces of several surfaces; ids of display points;
/// numbers of no body.
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
    /// Numbers of the labels of the bodies.
    pub label: Vec<i32>,
}

/// Points that move with bodies.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Points {
    pub points: Vec<Point>,
    /// For each body in turn, its points.
    pub ranges: Vec<Range<usize>>,
}

/// Elements and polyhedra of some bodies.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Grid {
    pub points: Points,
    pub cells: Cells,
    /// A point in each cell, for values that vary within a body.
    pub centers: Vec<Point>,
    /// One row for each cell.
    pub tags: Tags,
}

/// Spheres and display points of some bodies.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Cloud {
    pub points: Points,
    /// 0: a display point.
    pub radius: Vec<f64>,
    /// Numbers of the labels of display points.
    pub point_label: Vec<i32>,
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
    /// One point of no body.
    fn nothing(at: Vec3) -> Self {
        Points { points: vec![Point::new(at)], ranges: std::iter::once(0..1).collect() }
    }

    /// Points as their bodies carry them, in the same order; those of no body are at rest.
    pub fn place(&self, bodies: &[Option<BodyView>]) -> Placed {
        let mut placed = Placed::default();
        for (range, body) in self.ranges.iter().zip(bodies) {
            for point in &self.points[range.clone()] {
                let (x, v) = match body {
                    Some(body) => (body.place(point), body.velocity(point)),
                    None => (point.reference, Vec3::zeros()),
                };
                placed.position.push(x.into());
                placed.displacement.push((x - point.reference).into());
                placed.velocity.push(v.into());
            }
        }
        placed
    }
}

impl Tags {
    fn push(&mut self, model: &Model, labels: &Labels, row: u32, [volid, surfid]: [i32; 2]) {
        let body = &model.bodies[row as usize];
        self.body.push(body.id as i64);
        self.kind.push(body.kind as i32);
        self.material.push(body.material_of(volid) as i32);
        self.volid.push(volid);
        self.surfid.push(surfid);
        self.label.push(labels.number(&body.label));
    }

    /// Of one cell or point of no body.
    fn nothing() -> Self {
        let none = || vec![NO_SURFACE];
        Tags { body: vec![0], kind: none(), material: none(), volid: none(), surfid: none(), label: vec![0] }
    }

    pub fn arrays(&self, center: Center) -> Vec<Array> {
        let number = |name, values: &[i32]| Array::new(name, center, 1, Values::I32(values.to_vec()));
        vec![
            Array::integers("BID", center, self.body.clone()),
            number("label", &self.label),
            number("kind", &self.kind),
            number("material", &self.material),
            number("volid", &self.volid),
            number("surfid", &self.surfid),
        ]
    }
}

/// Whether a body has elements or polyhedra, and whether it has spheres or display points.
pub fn contents(model: &Model, row: u32) -> (bool, bool) {
    let mut solid = false;
    let id = model.bodies[row as usize].id;
    let mut round = model.display_points.iter().any(|p| p.body == id);
    for shape in model.shapes_of(&model.bodies[row as usize]) {
        let balls = shape.geometry.balls();
        (round, solid) = (round || balls, solid || !balls);
    }
    (solid, round)
}

impl Grid {
    /// No body: one point, id 0.
    pub fn nothing(at: Vec3) -> Self {
        let centers = vec![Point::new(at)];
        Grid { points: Points::nothing(at), cells: Cells::vertices(1), centers, tags: Tags::nothing() }
    }

    /// Elements and polyhedra of these bodies (rows of the model).
    pub fn of(model: &Model, labels: &Labels, bodies: &[u32]) -> Self {
        let mut grid = Grid::default();
        for &row in bodies {
            let start = grid.points.points.len();
            let mut before = Before::default();
            for shape in model.shapes_of(&model.bodies[row as usize]) {
                if !shape.geometry.balls() {
                    grid.add(model, labels, row, &shape, &mut before);
                }
            }
            grid.points.ranges.push(start..grid.points.points.len());
        }
        grid
    }

    /// Adds what is shown of a shape; `before` counts nodes and elements of the meshes of the body.
    fn add(&mut self, model: &Model, labels: &Labels, row: u32, shape: &Shape, before: &mut Before) {
        let (base, elements) = (self.points.points.len(), before.elements);
        let placed: Vec<Vec3> = shape.vertices();
        let cells = shape.geometry.cells();
        if cells.iter().any(|cell| matches!(cell.form, CellForm::Element(_))) {
            let nodes = (before.nodes..).zip(&placed);
            self.points.points.extend(nodes.map(|(node, x)| Point::node(*x, node)));
            before.nodes += placed.len() as u32;
            before.elements += cells.len() as u32;
        } else {
            self.points.points.extend(placed.iter().map(|x| Point::new(*x)));
        }
        for (element, shown) in (elements..).zip(&cells) {
            let node = |n: u32| base as i64 + i64::from(n);
            match shown.form {
                CellForm::Ball { .. } => continue,
                CellForm::Polygon => {
                    self.cells.push(CellKind::Polygon, shown.nodes.iter().map(|&n| node(n)));
                    let first = shown.nodes.first().map(|&n| self.points.points[base + n as usize]);
                    self.centers.push(first.unwrap_or(Point::new(shape.shift)));
                }
                CellForm::Element(kind) => {
                    let (form, order) = cell(kind);
                    self.cells.push(form, order.iter().map(|&n| node(shown.nodes[n])));
                    let mut corners = [Vec3::zeros(); 8];
                    corners.iter_mut().zip(shown.nodes).for_each(|(x, &n)| *x = placed[n as usize]);
                    let natural = kind.center();
                    let center = interpolate(&kind.shape_functions(&natural), &corners);
                    self.centers.push(Point::element(center, element, natural));
                }
            }
            self.tags.push(model, labels, row, ids(shown));
        }
    }
}

/// Volume and surface id of a cell.
fn ids(cell: &Cell) -> [i32; 2] {
    [cell.volid, cell.surfid.unwrap_or(NO_SURFACE)]
}

/// Nodes and elements of the meshes of a body before one.
#[derive(Clone, Copy, Default)]
struct Before {
    nodes: u32,
    elements: u32,
}

/// The cell of an element and the order of its nodes there: ours, but for the wedge, whose first triangle looks
/// outwards (VTK's vtkWedge) where ours looks inwards.
fn cell(kind: ElementKind) -> (CellKind, &'static [usize]) {
    match kind {
        ElementKind::Tet => (CellKind::Tetrahedron, &[0, 1, 2, 3]),
        ElementKind::Pyramid => (CellKind::Pyramid, &[0, 1, 2, 3, 4]),
        ElementKind::Wedge => (CellKind::Wedge, &[0, 2, 1, 3, 5, 4]),
        ElementKind::Hex => (CellKind::Hexahedron, &[0, 1, 2, 3, 4, 5, 6, 7]),
    }
}

impl Cloud {
    /// No body: one point without a radius, id 0.
    pub fn nothing(at: Vec3) -> Self {
        Cloud { points: Points::nothing(at), radius: vec![0.0], point_label: vec![0], tags: Tags::nothing() }
    }

    /// Spheres and display points of these bodies (rows of the model).
    pub fn of(model: &Model, labels: &Labels, bodies: &[u32]) -> Self {
        let mut cloud = Cloud::default();
        for &row in bodies {
            let start = cloud.points.points.len();
            let body = &model.bodies[row as usize];
            for shape in model.shapes_of(body) {
                for cell in shape.geometry.cells() {
                    let CellForm::Ball { radius } = cell.form else { continue };
                    cloud.points.points.push(Point::new(shape.point(&shape.geometry.points()[cell.nodes[0] as usize])));
                    cloud.radius.push(radius);
                    cloud.point_label.push(0);
                    cloud.tags.push(model, labels, row, ids(&cell));
                }
            }
            for shown in model.display_points.iter().filter(|p| p.body == body.id) {
                cloud.points.points.push(Point::new(shown.point));
                cloud.radius.push(0.0);
                cloud.point_label.push(labels.number(&shown.label));
                cloud.tags.push(model, labels, row, [NO_SURFACE, NO_SURFACE]);
            }
            cloud.points.ranges.push(start..cloud.points.points.len());
        }
        cloud
    }
}
