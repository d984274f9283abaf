//! The convex parts of all bodies in their reference configurations, as columns; how faces hang together stays in the
//! topology that equal shapes share.

use std::ops::Range;
use std::sync::Arc;

use super::covered::{polyhedra, without_covered};
use crate::body::{NO_ELEMENT, NO_NODE};
use crate::ids::ObjectIndex;
use crate::math::Vec3;
use crate::shape::{area_vector, Bounds, ConvexPart, CurvedForm, Topology};

/// What a part is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PartKind {
    /// An element of a mesh, or a piece of one.
    Element,
    /// A polyhedron of its own.
    Polyhedron,
    Ball,
    /// Known by its support function only.
    Curved,
}

impl PartKind {
    /// Whether its surface is made of plane faces.
    pub fn has_plane_faces(self) -> bool {
        match self {
            PartKind::Element | PartKind::Polyhedron => true,
            PartKind::Ball | PartKind::Curved => false,
        }
    }
}

/// What does not move of a part.
#[derive(Debug, Clone)]
pub enum Form {
    Solid(Arc<Topology>),
    Ball { radius: f64, surfid: i32 },
    Curved(Arc<dyn CurvedForm>),
}

impl Form {
    /// The box of the part with these vertices or control points, enlarged by `margin`.
    pub fn bounds(&self, points: &[Vec3], margin: f64) -> Bounds {
        match self {
            Form::Solid(_) => Bounds::around(points, margin),
            Form::Ball { radius, .. } => Bounds::ball(&points[0], radius + margin),
            Form::Curved(form) => form.bounds(points).enlarged(margin),
        }
    }
}

/// Rows of convex parts; a ball has its centre as its only vertex, a curved part its control points.
#[derive(Debug, Clone, Default)]
pub struct Parts {
    pub kind: Vec<PartKind>,
    pub form: Vec<Form>,
    /// Element of the body's meshes that a part belongs to, or [`NO_ELEMENT`].
    pub element: Vec<u32>,
    /// Number of a part in decks, from 0 in each body: an element or a polyhedron counts once, whatever its pieces.
    pub number: Vec<u32>,
    /// Offsets, one more than parts.
    pub vertex_start: Vec<u32>,
    pub normal_start: Vec<u32>,
    pub adjacent_start: Vec<u32>,
    /// Object indices within the body, ascending, without the part itself.
    pub adjacent: Vec<ObjectIndex>,
    pub reference_vertices: Vec<Vec3>,
    /// Nodes of the body's meshes that the vertices are, or [`NO_NODE`].
    pub nodes: Vec<u32>,
    pub reference_normals: Vec<Vec3>,
}

/// Rows of one entry in a column with offsets.
pub fn span(start: &[u32], row: usize) -> std::ops::Range<usize> {
    start[row] as usize..start[row + 1] as usize
}

/// The numbers of [`Parts::number`].
fn numbers(shapes: &[Vec<ConvexPart>]) -> impl Iterator<Item = u32> + '_ {
    let element = |part: &ConvexPart| match part {
        ConvexPart::Solid(solid) => solid.element,
        ConvexPart::Ball { .. } | ConvexPart::Curved(_) => NO_ELEMENT,
    };
    let runs = shapes.iter().flat_map(move |parts| parts.chunk_by(move |a, b| element(a) == element(b)));
    (0..).zip(runs).flat_map(|(number, pieces)| std::iter::repeat_n(number, pieces.len()))
}

impl Parts {
    pub fn open(&mut self) {
        self.vertex_start.push(0);
        self.normal_start.push(0);
        self.adjacent_start.push(0);
    }

    /// Parts of a body with those that each is `adjacent` to; polyhedra that are cover faces of each other within
    /// `epsilon` [m].
    pub fn append(&mut self, shapes: &[Vec<ConvexPart>], adjacent: Vec<Vec<u32>>, epsilon: f64) {
        self.number.extend(numbers(shapes));
        let parts: Vec<&ConvexPart> = shapes.iter().flatten().collect();
        for (part, neighbours) in parts.iter().zip(&adjacent) {
            match part {
                ConvexPart::Solid(s) => {
                    let others = if s.mesh_nodes.is_empty() { polyhedra(&parts, neighbours) } else { Vec::new() };
                    let s = without_covered(s, &others, epsilon);
                    self.kind.push(if s.mesh_nodes.is_empty() { PartKind::Polyhedron } else { PartKind::Element });
                    self.form.push(Form::Solid(Arc::clone(&s.topology)));
                    self.element.push(s.element);
                    self.reference_vertices.extend(&s.vertices);
                    self.nodes.extend(&s.mesh_nodes);
                    self.nodes.resize(self.reference_vertices.len(), NO_NODE);
                    self.reference_normals.extend(&s.normals);
                }
                ConvexPart::Ball { center, radius, surfid } => {
                    self.kind.push(PartKind::Ball);
                    self.form.push(Form::Ball { radius: *radius, surfid: *surfid });
                    self.element.push(NO_ELEMENT);
                    self.reference_vertices.push(*center);
                    self.nodes.push(NO_NODE);
                }
                ConvexPart::Curved(curved) => {
                    self.kind.push(PartKind::Curved);
                    self.form.push(Form::Curved(Arc::clone(&curved.form)));
                    self.element.push(NO_ELEMENT);
                    self.reference_vertices.extend(&curved.points);
                    self.nodes.resize(self.reference_vertices.len(), NO_NODE);
                }
            }
            self.close();
        }
        for neighbours in adjacent {
            self.adjacent.extend(neighbours.into_iter().map(ObjectIndex));
            self.adjacent_start.push(self.adjacent.len() as u32);
        }
    }

    fn close(&mut self) {
        self.vertex_start.push(self.reference_vertices.len() as u32);
        self.normal_start.push(self.reference_normals.len() as u32);
    }

    pub fn copy(&mut self, from: &Parts, a: usize) {
        self.kind.push(from.kind[a]);
        self.form.push(from.form[a].clone());
        self.element.push(from.element[a]);
        self.number.push(from.number[a]);
        self.reference_vertices.extend(&from.reference_vertices[span(&from.vertex_start, a)]);
        self.nodes.extend(&from.nodes[span(&from.vertex_start, a)]);
        self.reference_normals.extend(&from.reference_normals[span(&from.normal_start, a)]);
        self.close();
        self.adjacent.extend(&from.adjacent[span(&from.adjacent_start, a)]);
        self.adjacent_start.push(self.adjacent.len() as u32);
    }

    pub fn reference_bounds(&self, a: usize) -> Bounds {
        self.form[a].bounds(&self.reference_vertices[span(&self.vertex_start, a)], 0.0)
    }

    /// Unit outward normals of the faces of these parts, whose vertices are `placed`.
    pub fn normals_of_faces(&self, parts: Range<usize>, placed: &[Vec3], normals: &mut [Vec3]) {
        let first = self.vertex_start[parts.start] as usize;
        let mut next = normals.iter_mut();
        for part in parts {
            let Form::Solid(topology) = &self.form[part] else { continue };
            let vertices = &placed[span(&self.vertex_start, part).start - first..];
            for (face, normal) in (0..topology.faces()).zip(&mut next) {
                let corners = topology.face(face).iter().map(|&v| vertices[v as usize]);
                *normal = area_vector(corners).normalize();
            }
        }
    }
}
