//! Points of bodies, and where they lie in the meshes of a body that deforms.

use crate::math::{Mat3, Vec3};
use crate::model::{BodyRow, Model};
use crate::shape::{interpolate, Element, Mesh, Shape};

/// A point of a body by its place in the reference configuration, and where it lies in the meshes of the body as far as
/// that is known. Nodes and elements are counted through all meshes of the body, in the order of its shapes.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Point {
    /// Place in the reference configuration [m].
    pub reference: Vec3,
    site: Site,
}

#[derive(Debug, Clone, Copy, PartialEq)]
enum Site {
    /// To be searched for where the body deforms.
    Unknown,
    Node(u32),
    Element {
        element: u32,
        natural: Vec3,
    },
}

impl Point {
    pub fn new(reference: Vec3) -> Self {
        Point { reference, site: Site::Unknown }
    }

    /// A node of a mesh.
    pub fn node(reference: Vec3, node: u32) -> Self {
        Point { reference, site: Site::Node(node) }
    }

    /// A point of an element by its natural coordinates.
    pub fn element(reference: Vec3, element: u32, natural: Vec3) -> Self {
        Point { reference, site: Site::Element { element, natural } }
    }
}

/// The meshes of a body.
pub(super) struct Parts(Vec<Part>);

struct Part {
    shape: Shape,
    first_node: u32,
    first_element: u32,
}

impl Part {
    fn mesh(&self) -> Option<&Mesh> {
        self.shape.geometry.mesh()
    }

    /// Place in the reference configuration of a node of this mesh.
    fn reference(&self, mesh: &Mesh, node: u32) -> Vec3 {
        self.shape.rotation * mesh.nodes[node as usize] + self.shape.shift
    }
}

impl Parts {
    pub fn of(model: &Model, body: &BodyRow) -> Self {
        let (mut first_node, mut first_element) = (0, 0);
        let mut parts = Vec::new();
        for shape in model.shapes_of(body) {
            let part = Part { shape, first_node, first_element };
            let Some(mesh) = part.mesh() else { continue };
            first_node += mesh.nodes.len() as u32;
            first_element += mesh.elements.len() as u32;
            parts.push(part);
        }
        Parts(parts)
    }

    /// The point with its element.
    pub fn pin(&self, point: &Point) -> Point {
        if point.site != Site::Unknown {
            return *point;
        }
        let reference = |node: u32| self.reference(node);
        let found = self.find(reference, &point.reference);
        found.map_or(*point, |found| Point { reference: point.reference, ..found })
    }

    /// The point whose place is `x` when the nodes are at `place`: in the first element that holds it, or the element
    /// it is least outside of.
    pub fn find(&self, place: impl Fn(u32) -> Vec3, x: &Vec3) -> Option<Point> {
        let mut best: Option<(f64, u32, Vec3)> = None;
        for part in &self.0 {
            let Some(mesh) = part.mesh() else { continue };
            let Some((e, natural)) = mesh.locate(|node| place(part.first_node + node), x) else { continue };
            let outside = mesh.elements[e as usize].kind.outside(&natural).max(0.0);
            if best.is_none_or(|(least, ..)| outside < least) {
                best = Some((outside, part.first_element + e, natural));
            }
        }
        let (_, element, natural) = best?;
        let point = Point::element(Vec3::zeros(), element, natural);
        Some(Point { reference: self.interpolate(&point, |node| self.reference(node)), ..point })
    }

    /// A field given at the nodes, at a point; NaN where the meshes have no such point.
    pub fn interpolate(&self, point: &Point, value: impl Fn(u32) -> Vec3) -> Vec3 {
        match self.pin(point).site {
            Site::Unknown => Vec3::repeat(f64::NAN),
            Site::Node(node) => value(node),
            Site::Element { element, natural } => {
                self.element(element).map_or(Vec3::repeat(f64::NAN), |(part, _, of)| {
                    let values = of.gather(|node| value(part.first_node + node));
                    interpolate(&of.kind.shape_functions(&natural), &values)
                })
            }
        }
    }

    /// Deformation gradient at a point; of a node, at the point of its first element.
    pub fn gradient(&self, point: &Point, place: impl Fn(u32) -> Vec3) -> Mat3 {
        let nan = Mat3::repeat(f64::NAN);
        let unpinned = Point { reference: point.reference, site: Site::Unknown };
        let site = match point.site {
            Site::Element { .. } => point.site,
            Site::Unknown | Site::Node(_) => self.pin(&unpinned).site,
        };
        let Site::Element { element, natural } = site else { return nan };
        let Some((part, mesh, of)) = self.element(element) else { return nan };
        let now = of.kind.jacobian(&of.gather(|node| place(part.first_node + node)), &natural);
        let then = of.kind.jacobian(&of.gather(|node| part.reference(mesh, node)), &natural);
        then.try_inverse().map_or(nan, |inverse| now * inverse)
    }

    /// Place of a node in the reference configuration.
    pub fn reference(&self, node: u32) -> Vec3 {
        let at = self.0.partition_point(|part| part.first_node <= node);
        let part = at.checked_sub(1).map(|at| &self.0[at]);
        part.and_then(|part| Some(part.reference(part.mesh()?, node - part.first_node)))
            .unwrap_or(Vec3::repeat(f64::NAN))
    }

    fn element(&self, element: u32) -> Option<(&Part, &Mesh, &Element)> {
        let at = self.0.partition_point(|part| part.first_element <= element).checked_sub(1)?;
        let part = &self.0[at];
        let mesh = part.mesh()?;
        Some((part, mesh, mesh.elements.get((element - part.first_element) as usize)?))
    }
}
