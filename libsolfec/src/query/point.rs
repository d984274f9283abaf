//! Points of bodies, and where they lie in the meshes of a body that deforms.

use std::sync::OnceLock;

use crate::body::{element_stress, quadratic_stress, Kirchhoff};
use crate::math::{Mat3, Vec3};
use crate::meshdata::second_order::{self, PARTS};
use crate::model::{BodyRow, Model, GEOMETRIC_EPSILON};
use crate::shape::{interpolate, Element, Mesh, Shape};

/// How far outside of an element a point may be, in natural coordinates, to lie on its boundary.
const ON_A_FACE: f64 = 1e-6;

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
pub(super) struct Parts {
    parts: Vec<Part>,
    /// Elements are parts of tetrahedra of second order.
    quadratic: bool,
    /// Made when it is first asked for.
    around: OnceLock<Around>,
}

/// Elements that meet at each node, counted through all meshes.
struct Around {
    offset: Vec<u32>,
    element: Vec<u32>,
}

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

impl Around {
    fn new(parts: &[Part]) -> Self {
        let mut pairs = Vec::new();
        let mut nodes = 0;
        for part in parts {
            let Some(mesh) = part.mesh() else { continue };
            nodes = part.first_node + mesh.nodes.len() as u32;
            for (element, of) in (part.first_element..).zip(&mesh.elements) {
                pairs.extend(of.nodes().iter().map(|node| (part.first_node + node, element)));
            }
        }
        pairs.sort_unstable();
        let offset = (0..=nodes).map(|node| pairs.partition_point(|pair| pair.0 < node) as u32).collect();
        Around { offset, element: pairs.into_iter().map(|(_, element)| element).collect() }
    }

    /// Elements at a node, ascending.
    fn of(&self, node: u32) -> &[u32] {
        match self.offset.get(node as usize..node as usize + 2) {
            Some(&[from, to]) => &self.element[from as usize..to as usize],
            Some(_) | None => &[],
        }
    }
}

impl Parts {
    pub fn of(model: &Model, body: &BodyRow) -> Self {
        let (mut first_node, mut first_element) = (0, 0);
        let mut parts = Vec::new();
        for shape in model.carriers_of(body) {
            let part = Part { shape, first_node, first_element };
            let Some(mesh) = part.mesh() else { continue };
            first_node += mesh.nodes.len() as u32;
            first_element += mesh.elements.len() as u32;
            parts.push(part);
        }
        Parts { parts, quadratic: body.quadratic, around: OnceLock::new() }
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
        for part in &self.parts {
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

    /// Deformation gradients and second stresses [Pa] at a point in each of the elements that meet there: around a node,
    /// on a face or an edge, or the one element that holds it; none where the meshes have no such point. `enhanced`: of
    /// hexahedra with enhanced strains. `law`: that of an element
    /// with its volume id.
    pub fn stresses(
        &self,
        point: &Point,
        (law, enhanced): (&dyn Fn(u32, i32) -> Option<Kirchhoff>, bool),
        place: impl Fn(u32) -> Vec3,
    ) -> Vec<(Mat3, Mat3)> {
        let stress = |(element, natural): (u32, Vec3)| {
            let law = law(element, self.element(element)?.2.volid)?;
            self.stress(element, &natural, (&law, enhanced), &place)
        };
        self.meeting(point).into_iter().filter_map(stress).collect()
    }

    /// Deformation gradient and second stress [Pa] at natural coordinates of an element.
    pub fn stress(
        &self,
        element: u32,
        natural: &Vec3,
        (law, enhanced): (&Kirchhoff, bool),
        place: impl Fn(u32) -> Vec3,
    ) -> Option<(Mat3, Mat3)> {
        if !self.quadratic {
            let (of, then, now) = self.corners(element, place)?;
            return element_stress(law, (of.kind, enhanced), &then, &now, natural);
        }
        let (part, mesh, _) = self.element(element)?;
        let own = (element - part.first_element) as usize;
        let nodes = second_order::group_of(mesh, own / PARTS)?;
        let then = nodes.map(|node| part.reference(mesh, node));
        let now = nodes.map(|node| place(part.first_node + node));
        Some(quadratic_stress(law, &then, &now, own % PARTS, natural))
    }

    /// Elements of the mesh in one of the body: the parts of one of second order.
    pub fn in_element(&self) -> usize {
        if self.quadratic {
            PARTS
        } else {
            1
        }
    }

    /// An element with the places of its corners in the reference configuration and now.
    pub fn corners(&self, element: u32, place: impl Fn(u32) -> Vec3) -> Option<(&Element, [Vec3; 8], [Vec3; 8])> {
        let (part, mesh, of) = self.element(element)?;
        let now = of.gather(|node| place(part.first_node + node));
        Some((of, of.gather(|node| part.reference(mesh, node)), now))
    }

    /// Elements in the order in which they are counted, with their nodes.
    pub fn elements(&self) -> impl Iterator<Item = (&Element, Vec<u32>)> {
        self.parts.iter().flat_map(|part| {
            let elements = part.mesh().map_or(&[][..], |mesh| &mesh.elements);
            elements.iter().map(|of| (of, of.nodes().iter().map(|node| part.first_node + node).collect()))
        })
    }

    /// An element and its nodes.
    pub fn element_nodes(&self, element: u32) -> Option<(&Element, impl Iterator<Item = u32> + '_)> {
        let (part, _, of) = self.element(element)?;
        Some((of, of.nodes().iter().map(|node| part.first_node + node)))
    }

    /// The element of a point; of one at a node the first that meets there.
    pub fn element_at(&self, point: &Point) -> Option<u32> {
        match self.pin(point).site {
            Site::Unknown => None,
            Site::Node(node) => self.elements_at(node).first().copied(),
            Site::Element { element, .. } => Some(element),
        }
    }

    /// Elements that meet at a node.
    pub fn elements_at(&self, node: u32) -> &[u32] {
        self.around().of(node)
    }

    /// Elements that meet at a point, and its natural coordinates in each.
    pub fn meeting(&self, point: &Point) -> Vec<(u32, Vec3)> {
        let (element, natural) = match self.pin(point).site {
            Site::Unknown => return Vec::new(),
            Site::Node(node) => return self.corners_at(node),
            Site::Element { element, natural } => (element, natural),
        };
        let Some((part, mesh, of)) = self.element(element) else { return Vec::new() };
        let reference = |node: u32| part.reference(mesh, node);
        let x = interpolate(&of.kind.shape_functions(&natural), &of.gather(reference));
        let near = |node: &&u32| (reference(**node) - x).amax() < GEOMETRIC_EPSILON;
        if let Some(node) = of.nodes().iter().find(near) {
            return self.corners_at(part.first_node + node);
        }
        let mut neighbours: Vec<u32> =
            of.nodes().iter().flat_map(|node| self.around().of(part.first_node + node)).copied().collect();
        neighbours.sort_unstable();
        neighbours.dedup();
        let holds = |other: u32| {
            let (part, mesh, of) = self.element(other)?;
            let natural = of.kind.natural(&of.gather(|node| part.reference(mesh, node)), &x)?;
            (of.kind.outside(&natural) <= ON_A_FACE).then_some((other, natural))
        };
        let found: Vec<(u32, Vec3)> = neighbours.into_iter().filter_map(holds).collect();
        if found.is_empty() {
            return vec![(element, natural)];
        }
        found
    }

    /// Elements around a node, and the natural coordinates of their corner there.
    fn corners_at(&self, node: u32) -> Vec<(u32, Vec3)> {
        let corner = |&element: &u32| {
            let (part, _, of) = self.element(element)?;
            let local = of.nodes().iter().position(|other| part.first_node + other == node)?;
            Some((element, of.kind.corner_coordinates()[local]))
        };
        self.around().of(node).iter().filter_map(corner).collect()
    }

    fn around(&self) -> &Around {
        self.around.get_or_init(|| Around::new(&self.parts))
    }

    /// Place of a node in the reference configuration.
    pub fn reference(&self, node: u32) -> Vec3 {
        let at = self.parts.partition_point(|part| part.first_node <= node);
        let part = at.checked_sub(1).map(|at| &self.parts[at]);
        part.and_then(|part| Some(part.reference(part.mesh()?, node - part.first_node)))
            .unwrap_or(Vec3::repeat(f64::NAN))
    }

    fn element(&self, element: u32) -> Option<(&Part, &Mesh, &Element)> {
        let at = self.parts.partition_point(|part| part.first_element <= element).checked_sub(1)?;
        let part = &self.parts[at];
        let mesh = part.mesh()?;
        Some((part, mesh, mesh.elements.get((element - part.first_element) as usize)?))
    }
}
