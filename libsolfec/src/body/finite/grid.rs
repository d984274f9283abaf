//! A mesh in its reference configuration with all that integrals over it need.

use super::enhanced::Enhanced;
use crate::math::{Mat3, Vec3};
use crate::shape::{interpolate, Element, ElementKind, Mesh, QuadratureNode};
use crate::{Error, Result};

/// An element is flat below this multiple of the cube of its size.
const FLAT: f64 = 1e-12;

/// Volume of a point of integration, and where its shape function gradients are.
#[derive(Debug, Clone, Copy)]
struct Span {
    /// First point of the element, and first gradient.
    point: u32,
    gradient: u32,
}

/// Elements with the gradients of their shape functions at the points of integration, in the reference configuration.
#[derive(Debug, Clone)]
pub struct Grid {
    pub mesh: Mesh,
    spans: Vec<Span>,
    /// Of each point: weight times Jacobian [m³].
    volume: Vec<f64>,
    /// Of each point for each node of its element: `∂Nₐ/∂X` [1/m].
    gradient: Vec<Vec3>,
    /// Whether a node belongs to an element.
    used: Vec<bool>,
    /// Modes of strain of the elements that have them; empty where none has.
    enhanced: Vec<Option<Enhanced>>,
}

/// An element of a grid.
#[derive(Clone, Copy)]
pub struct Cell<'a> {
    pub nodes: &'a [u32],
    volumes: &'a [f64],
    gradients: &'a [Vec3],
    /// Modes of strain of its own.
    pub enhanced: Option<&'a Enhanced>,
}

impl<'a> Cell<'a> {
    /// Volume and gradients of each point of integration.
    pub fn points(self) -> impl Iterator<Item = (f64, &'a [Vec3])> {
        self.volumes.iter().copied().zip(self.gradients.chunks_exact(self.nodes.len()))
    }

    /// Values at the nodes, zero past the last.
    pub fn gather(self, value: impl Fn(usize) -> Vec3) -> [Vec3; 8] {
        let mut all = [Vec3::zeros(); 8];
        all.iter_mut().zip(self.nodes).for_each(|(place, &node)| *place = value(node as usize));
        all
    }
}

/// `Σ uₐ ⊗ ∂Nₐ`: the gradient of a field given at the nodes.
pub fn gradient(values: &[Vec3], gradients: &[Vec3]) -> Mat3 {
    values.iter().zip(gradients).map(|(u, g)| u * g.transpose()).sum()
}

impl Grid {
    /// # Errors
    /// An element whose volume is not positive at one of its points; messages begin with `name`.
    pub fn new(name: &str, mesh: Mesh) -> Result<Grid> {
        let rules = [ElementKind::Tet, ElementKind::Pyramid, ElementKind::Wedge, ElementKind::Hex]
            .map(|kind| (kind, kind.quadrature()));
        let (mut spans, mut volume, mut gradient) = (Vec::new(), Vec::new(), Vec::new());
        for (e, element) in mesh.elements.iter().enumerate() {
            spans.push(Span { point: volume.len() as u32, gradient: gradient.len() as u32 });
            let corners = element.gather(|node| mesh.nodes[node as usize]);
            let flat = FLAT * size(&corners[..element.kind.count()]).powi(3);
            for point in rule(&rules, element.kind) {
                let jacobian = element.kind.jacobian(&corners, &point.natural);
                let part = point.weight * jacobian.determinant();
                let inverse = jacobian.try_inverse().filter(|_| part > flat);
                let inverse = inverse.ok_or_else(|| inverted(name, e, element, part))?;
                let shape = element.kind.shape_gradients(&point.natural);
                volume.push(part);
                gradient.extend(shape[..element.kind.count()].iter().map(|g| inverse.tr_mul(g)));
            }
        }
        let mut used = vec![false; mesh.nodes.len()];
        mesh.elements.iter().flat_map(Element::nodes).for_each(|&node| used[node as usize] = true);
        Ok(Grid { mesh, spans, volume, gradient, used, enhanced: Vec::new() })
    }

    /// Gives all hexahedra enhanced strains.
    pub fn enhance(&mut self) {
        self.enhanced = {
            let modes = |of: &Element| Enhanced::new(of.kind, &of.gather(|node| self.mesh.nodes[node as usize]));
            self.mesh.elements.iter().map(modes).collect()
        };
    }

    /// Whether hexahedra have enhanced strains.
    pub fn is_enhanced(&self) -> bool {
        !self.enhanced.is_empty()
    }

    /// Number of nodes.
    pub fn nodes(&self) -> usize {
        self.mesh.nodes.len()
    }

    /// The elements in order.
    pub fn cells(&self) -> impl Iterator<Item = Cell<'_>> {
        (0..self.spans.len()).map(|e| self.cell(e))
    }

    pub fn cell(&self, e: usize) -> Cell<'_> {
        let span = |e: usize| self.spans.get(e).copied();
        let from = self.spans[e];
        let to = span(e + 1).unwrap_or(Span { point: self.volume.len() as u32, gradient: self.gradient.len() as u32 });
        Cell {
            nodes: self.mesh.elements[e].nodes(),
            volumes: &self.volume[from.point as usize..to.point as usize],
            gradients: &self.gradient[from.gradient as usize..to.gradient as usize],
            enhanced: self.enhanced.get(e).and_then(Option::as_ref),
        }
    }

    /// Lumped masses of the nodes [kg]: `Mₐ = Σ ρ ∫ Nₐ dV` with the density [kg/m³] of each element. Nodes of no element,
    /// which some meshes have, are without mass.
    ///
    /// # Errors
    /// A node of an element without mass; the message begins with `name`.
    pub fn lumped(&self, name: &str, density: impl Fn(usize) -> f64) -> Result<Vec<f64>> {
        let mut mass = vec![0.0; self.nodes()];
        for (e, element) in self.mesh.elements.iter().enumerate() {
            for (node, share) in element.nodes().iter().zip(self.shares(e)) {
                mass[*node as usize] += density(e) * share;
            }
        }
        let wrong = |(mass, used): (&f64, &bool)| *used && !(*mass > 0.0 && mass.is_finite());
        match mass.iter().zip(&self.used).position(wrong) {
            None => Ok(mass),
            Some(node) => Err(Error::input(format!(
                "{name}: node {node} of its mesh has mass {:e}; use better shaped elements and a positive density",
                mass[node]
            ))),
        }
    }

    /// `∫ Nₐ dV` of the nodes of an element [m³].
    pub fn shares(&self, e: usize) -> [f64; 8] {
        let element = &self.mesh.elements[e];
        let mut shares = [0.0; 8];
        let volumes = self.cell(e).volumes;
        for (point, volume) in element.kind.quadrature().iter().zip(volumes) {
            let values = element.kind.shape_functions(&point.natural);
            shares.iter_mut().zip(values).for_each(|(share, value)| *share += value * volume);
        }
        shares
    }

    /// Reference place of natural coordinates of an element.
    pub fn place(&self, element: u32, natural: &Vec3, at: impl Fn(u32) -> Vec3) -> Vec3 {
        let element = &self.mesh.elements[element as usize];
        interpolate(&element.kind.shape_functions(natural), &element.gather(at))
    }
}

/// Largest distance of a corner from the first.
fn size(corners: &[Vec3]) -> f64 {
    corners.iter().map(|corner| (corner - corners[0]).norm()).fold(0.0, f64::max)
}

fn rule(rules: &[(ElementKind, Vec<QuadratureNode>); 4], kind: ElementKind) -> &[QuadratureNode] {
    rules.iter().find(|(of, _)| *of == kind).map_or(&[], |(_, rule)| rule)
}

fn inverted(name: &str, row: usize, element: &Element, volume: f64) -> Error {
    Error::input(format!(
        "{name}: element {row} ({}) of its mesh is inverted or flat (volume {volume:e} m³ at a point of integration); \
         correct the order of its nodes or its shape",
        element.kind.name()
    ))
}
