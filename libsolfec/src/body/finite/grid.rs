//! A mesh in its reference configuration with all that integrals over it need: points of integration, and the shares of
//! the nodes in the volume. Where the elements are cut by the shape of the body, tetrahedra of the cut are integrated:
//! elastic forces by a point each, shares by four.

use super::enhanced::Enhanced;
use super::quadratic;
use crate::math::{Mat3, Vec3};
use crate::meshdata::second_order::{self, PARTS};
use crate::meshdata::{element_tetrahedra, tetrahedron_volume, Common};
use crate::shape::{interpolate, Element, ElementKind, Mesh, QuadratureNode};
use crate::{Error, Result};

/// An element is flat below this multiple of the cube of its size.
const FLAT: f64 = 1e-12;
/// An element is whole if the shape leaves less than this fraction of its volume.
const WHOLE: f64 = 1e-6;
/// A part of less than this fraction of what is left of its element has one point of integration.
const SMALL: f64 = 0.1;
/// Least share of a node in what is left of an element, as a fraction of the mean: a node that is nearly cut off keeps a
/// mass with which steps stay possible.
const LEAST_SHARE: f64 = 0.01;

/// The most nodes of an element.
pub const NODES: usize = second_order::NODES;

/// Where the data of an element begin.
#[derive(Debug, Clone, Copy)]
struct Span {
    /// First point of the element, and first gradient.
    point: u32,
    gradient: u32,
}

/// Elements with their points of integration and the gradients of their shape functions there, in the reference
/// configuration.
#[derive(Debug, Clone)]
pub struct Grid {
    pub mesh: Mesh,
    /// Nodes of the elements of second order, each of which is [`PARTS`] of the mesh; empty if all are of first order.
    groups: Vec<[u32; NODES]>,
    /// Whether a node is a corner of an element of second order; empty if there are none.
    corner: Vec<bool>,
    spans: Vec<Span>,
    /// Of each point: weight times Jacobian [m³].
    volume: Vec<f64>,
    /// Of each point for each node of its element: `∂Nₐ/∂X` [1/m]. Those of whole hexahedra are found when they are asked
    /// for, as they would be the larger part of the memory of a body.
    gradient: Vec<Vec3>,
    /// Gradients at the points of a hexahedron in natural coordinates.
    of_hexes: [[Vec3; 8]; 8],
    /// Of each element and its nodes: `∫ Nₐ dV` [m³].
    shares: Vec<[f64; NODES]>,
    /// Whether only a part of an element belongs to the body.
    cut: Vec<bool>,
    /// Whether a node belongs to an element.
    used: Vec<bool>,
    /// Modes of strain of the elements that have them; empty where none has.
    enhanced: Vec<Option<Enhanced>>,
}

/// Places in an element with their volumes.
type Points = Vec<(Vec3, f64)>;

/// Where the gradients of shape functions come from.
#[derive(Clone, Copy)]
enum Gradients<'a> {
    Kept(&'a [Vec3]),
    /// Of a hexahedron with these corners [m].
    Found {
        corners: [Vec3; 8],
        natural: &'a [[Vec3; 8]; 8],
    },
}

/// An element of a grid.
#[derive(Clone, Copy)]
pub struct Cell<'a> {
    pub nodes: &'a [u32],
    volumes: &'a [f64],
    gradients: Gradients<'a>,
    /// Modes of strain of its own.
    pub enhanced: Option<&'a Enhanced>,
}

impl<'a> Cell<'a> {
    /// Volume and gradients of each point of integration; zeros past the last node.
    pub fn points(self) -> impl Iterator<Item = (f64, [Vec3; NODES])> + 'a {
        let count = self.nodes.len();
        self.volumes.iter().enumerate().map(move |(q, volume)| match &self.gradients {
            Gradients::Kept(all) => {
                let mut gradients = [Vec3::zeros(); NODES];
                gradients[..count].copy_from_slice(&all[q * count..][..count]);
                (*volume, gradients)
            }
            Gradients::Found { corners, natural } => {
                let jacobian: Mat3 = corners.iter().zip(&natural[q]).map(|(x, g)| x * g.transpose()).sum();
                let mut gradients = [Vec3::zeros(); NODES];
                gradients[..8].copy_from_slice(&carried(&natural[q], &jacobian));
                (*volume, gradients)
            }
        })
    }

    /// Values at the nodes, zero past the last.
    pub fn gather(self, value: impl Fn(usize) -> Vec3) -> [Vec3; NODES] {
        let mut all = [Vec3::zeros(); NODES];
        all.iter_mut().zip(self.nodes).for_each(|(place, &node)| *place = value(node as usize));
        all
    }
}

/// Gradients in the reference configuration of those in natural coordinates.
fn carried(natural: &[Vec3; 8], jacobian: &Mat3) -> [Vec3; 8] {
    let inverse = jacobian.try_inverse().unwrap_or(Mat3::repeat(f64::NAN));
    natural.map(|g| inverse.tr_mul(&g))
}

/// `Σ uₐ ⊗ ∂Nₐ`: the gradient of a field given at the nodes.
pub fn gradient(values: &[Vec3], gradients: &[Vec3]) -> Mat3 {
    values.iter().zip(gradients).map(|(u, g)| u * g.transpose()).sum()
}

impl Grid {
    /// # Errors
    /// An element whose volume is not positive at one of its points; messages begin with `name`.
    pub fn new(name: &str, mesh: Mesh) -> Result<Grid> {
        Grid::cut(name, mesh, &[])
    }

    /// A mesh of which only parts, in order of elements, belong to the body; all if there are none.
    ///
    /// # Errors
    /// Those of [`Grid::new`], and an element without a part.
    pub fn cut(name: &str, mesh: Mesh, parts: &[Common]) -> Result<Grid> {
        let rules = [ElementKind::Tet, ElementKind::Pyramid, ElementKind::Wedge, ElementKind::Hex]
            .map(|kind| (kind, kind.quadrature()));
        let mut used = vec![false; mesh.nodes.len()];
        mesh.elements.iter().flat_map(Element::nodes).for_each(|&node| used[node as usize] = true);
        let (spans, volume, gradient, shares, cut) = Default::default();
        let mut of_hexes = [[Vec3::zeros(); 8]; 8];
        for (gradients, point) in of_hexes.iter_mut().zip(rule(&rules, ElementKind::Hex)) {
            *gradients = ElementKind::Hex.shape_gradients(&point.natural);
        }
        let (groups, corner, enhanced) = Default::default();
        let mut grid = Grid { mesh, groups, corner, spans, volume, gradient, of_hexes, shares, cut, used, enhanced };
        for e in 0..grid.mesh.elements.len() {
            let whole = grid.whole_points(name, e, rule(&rules, grid.mesh.elements[e].kind))?;
            let own = parts.partition_point(|part| (part.element as usize) < e);
            let own = &parts[own..parts.partition_point(|part| part.element as usize <= e)];
            let is_whole = parts.is_empty() || is_whole(&grid.mesh, e, own);
            grid.cut.push(!is_whole);
            if is_whole {
                grid.push(e, &whole, &whole);
                continue;
            }
            if own.is_empty() {
                let text = "of its background mesh lies outside of its shape; leave such elements out";
                return Err(Error::input(format!("{name}: element {e} {text}")));
            }
            let natural = |x: &Vec3| grid.natural(e as u32, x);
            let [forces, mass] = [forces_points(own), mass_points(own)]
                .map(|points| points.into_iter().map(|(x, volume)| (natural(&x), volume)).collect::<Points>());
            grid.push(e, &forces, &mass);
            raise(&mut grid.shares[e][..grid.mesh.elements[e].kind.count()]);
        }
        Ok(grid)
    }

    /// A mesh of tetrahedra of second order ([`second_order::second_order`]).
    ///
    /// # Errors
    /// The elements of the mesh are not their parts; messages begin with `name`.
    pub fn second_order(name: &str, mesh: Mesh) -> Result<Grid> {
        let groups = second_order::groups(&mesh).map_err(|error| Error::input(format!("{name}: {error}")))?;
        let mut grid = Grid::cut(name, Mesh { elements: Vec::new(), ..mesh.clone() }, &[])?;
        mesh.elements.iter().flat_map(Element::nodes).for_each(|&node| grid.used[node as usize] = true);
        for group in &groups {
            let corners: [Vec3; 4] = std::array::from_fn(|k| mesh.nodes[group[k] as usize]);
            grid.spans.push(Span { point: grid.volume.len() as u32, gradient: grid.gradient.len() as u32 });
            grid.cut.push(false);
            let mut whole = 0.0;
            for (l, volume) in quadratic::points(&corners) {
                grid.volume.push(volume);
                grid.gradient.extend(quadratic::gradients(&corners, &l));
                whole += volume;
            }
            grid.shares.push(quadratic::SHARES.map(|share| share * whole));
        }
        let mut corner = vec![false; mesh.nodes.len()];
        groups.iter().flat_map(|group| &group[..4]).for_each(|&node| corner[node as usize] = true);
        Ok(Grid { mesh, groups, corner, ..grid })
    }

    /// Elements: of second order where there are such.
    pub fn count(&self) -> usize {
        self.spans.len()
    }

    /// The element that an element of the mesh belongs to, and which part of it that is.
    pub fn owner(&self, element: u32) -> (usize, usize) {
        let e = element as usize;
        if self.groups.is_empty() {
            (e, 0)
        } else {
            (e / PARTS, e % PARTS)
        }
    }

    /// Volume id of an element.
    pub fn volid(&self, e: usize) -> i32 {
        self.mesh.elements[if self.groups.is_empty() { e } else { e * PARTS }].volid
    }

    /// Nodes of an element.
    pub fn nodes_of(&self, e: usize) -> &[u32] {
        match self.groups.get(e) {
            Some(group) => group,
            None => self.mesh.elements[e].nodes(),
        }
    }

    /// Parts of a uniform traction on a triangle that its nodes have. Of second order it is one of the four of a face,
    /// which together give a third to each of its middles and nothing to its corners.
    pub fn face_weights(&self, nodes: &[u32]) -> [f64; 3] {
        let is_corner = |node: &u32| self.corner.get(*node as usize).is_some_and(|corner| *corner);
        match nodes.iter().position(is_corner) {
            Some(corner) if nodes.len() == 3 => std::array::from_fn(|k| if k == corner { 0.0 } else { 0.5 }),
            Some(_) | None => [1.0 / 3.0; 3],
        }
    }

    /// The elements of second order; none if all are of first.
    pub fn groups(&self) -> &[[u32; NODES]] {
        &self.groups
    }

    /// Natural coordinates and volumes of the points of integration of a whole element.
    fn whole_points(&self, name: &str, e: usize, rule: &[QuadratureNode]) -> Result<Points> {
        let element = &self.mesh.elements[e];
        let corners = element.gather(|node| self.mesh.nodes[node as usize]);
        let flat = FLAT * size(&corners[..element.kind.count()]).powi(3);
        let volume = |point: &QuadratureNode| {
            let part = point.weight * element.kind.jacobian(&corners, &point.natural).determinant();
            if part > flat {
                Ok((point.natural, part))
            } else {
                Err(inverted(name, e, element, part))
            }
        };
        rule.iter().map(volume).collect()
    }

    /// Appends an element with its points of integration of forces and of mass.
    fn push(&mut self, e: usize, forces: &Points, mass: &Points) {
        let element = self.mesh.elements[e];
        let count = element.kind.count();
        let corners = element.gather(|node| self.mesh.nodes[node as usize]);
        self.spans.push(Span { point: self.volume.len() as u32, gradient: self.gradient.len() as u32 });
        self.volume.extend(forces.iter().map(|(_, volume)| volume));
        if self.keeps_gradients(e) {
            let at = |natural: &Vec3| {
                carried(&element.kind.shape_gradients(natural), &element.kind.jacobian(&corners, natural))
            };
            self.gradient.extend(forces.iter().flat_map(|(natural, _)| at(natural).into_iter().take(count)));
        }
        let mut shares = [0.0; NODES];
        for (natural, volume) in mass {
            let values = element.kind.shape_functions(natural);
            shares.iter_mut().zip(values).for_each(|(share, value)| *share += value * volume);
        }
        self.shares.push(shares);
    }

    fn keeps_gradients(&self, e: usize) -> bool {
        !self.groups.is_empty() || self.cut[e] || self.mesh.elements[e].kind != ElementKind::Hex
    }

    /// Whether the shape of the body cuts an element.
    pub fn is_cut(&self, e: usize) -> bool {
        self.cut[e]
    }

    /// Gives all hexahedra enhanced strains.
    pub fn enhance(&mut self) {
        let corners = |of: &Element| of.gather(|node| self.mesh.nodes[node as usize]);
        self.enhanced = self.mesh.elements.iter().map(|of| Enhanced::new(of.kind, &corners(of))).collect();
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
        let gradients = if self.keeps_gradients(e) {
            Gradients::Kept(&self.gradient[from.gradient as usize..to.gradient as usize])
        } else {
            let corners = self.mesh.elements[e].gather(|node| self.mesh.nodes[node as usize]);
            Gradients::Found { corners, natural: &self.of_hexes }
        };
        Cell {
            nodes: self.nodes_of(e),
            volumes: &self.volume[from.point as usize..to.point as usize],
            gradients,
            enhanced: self.enhanced.get(e).and_then(Option::as_ref),
        }
    }

    /// Points of integration of an element among those of all.
    pub fn points_of(&self, e: usize) -> std::ops::Range<usize> {
        let start = |e: usize| self.spans.get(e).map_or(self.volume.len(), |span| span.point as usize);
        start(e)..start(e + 1)
    }

    /// Mean over an element of values at the points of integration of all.
    pub fn mean(&self, e: usize, values: &[f64]) -> f64 {
        let points = self.points_of(e);
        let weigh = |q: usize| self.volume[q] * values[q];
        points.clone().map(weigh).sum::<f64>() / self.volume[points].iter().sum::<f64>()
    }

    /// Volumes of the points of integration [m³].
    pub fn volumes(&self) -> &[f64] {
        &self.volume
    }

    /// Reference places of the points of integration [m], for meshes whose elements are whole.
    pub fn places(&self) -> Vec<Vec3> {
        let mut places = Vec::with_capacity(self.volume.len());
        for group in &self.groups {
            let corners: [Vec3; 4] = std::array::from_fn(|k| self.mesh.nodes[group[k] as usize]);
            places.extend(
                quadratic::points(&corners).map(|(l, _)| corners.iter().zip(l).map(|(x, l)| x * l).sum::<Vec3>()),
            );
        }
        for element in self.mesh.elements.iter().filter(|_| self.groups.is_empty()) {
            let corners = element.gather(|node| self.mesh.nodes[node as usize]);
            let at = |point: QuadratureNode| interpolate(&element.kind.shape_functions(&point.natural), &corners);
            places.extend(element.kind.quadrature().into_iter().map(at));
        }
        places
    }

    /// Weighs the shares of the nodes by densities at the points of integration, relative to the mean of the element,
    /// for meshes whose elements are whole. Those of second order keep theirs.
    pub fn weigh(&mut self, density: &[f64]) {
        for e in (0..self.spans.len()).filter(|_| self.groups.is_empty()) {
            let (kind, points) = (self.mesh.elements[e].kind, self.points_of(e));
            let mean = self.mean(e, density);
            let mut shares = [0.0; NODES];
            for (point, q) in kind.quadrature().iter().zip(points) {
                let part = self.volume[q] * density[q] / mean;
                let values = kind.shape_functions(&point.natural);
                shares.iter_mut().zip(values).for_each(|(share, value)| *share += value * part);
            }
            self.shares[e] = shares;
        }
    }

    /// Lumped masses of the nodes [kg]: `Mₐ = Σ ρ ∫ Nₐ dV` with the density [kg/m³] of each element. Nodes of no element,
    /// which some meshes have, are without mass.
    ///
    /// # Errors
    /// A node of an element without mass; the message begins with `name`.
    pub fn lumped(&self, name: &str, density: impl Fn(usize) -> f64) -> Result<Vec<f64>> {
        let mut mass = vec![0.0; self.nodes()];
        for e in 0..self.count() {
            for (node, share) in self.nodes_of(e).iter().zip(self.shares(e)) {
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
    pub fn shares(&self, e: usize) -> [f64; NODES] {
        self.shares[e]
    }

    /// Reference place of natural coordinates of an element.
    pub fn place(&self, element: u32, natural: &Vec3, at: impl Fn(u32) -> Vec3) -> Vec3 {
        let element = &self.mesh.elements[element as usize];
        interpolate(&element.kind.shape_functions(natural), &element.gather(at))
    }
}

/// Whether the parts of an element are all of it.
fn is_whole(mesh: &Mesh, e: usize, parts: &[Common]) -> bool {
    let whole: f64 = element_tetrahedra(mesh, e).iter().map(tetrahedron_volume).sum();
    let left: f64 = parts.iter().map(|part| part.volume).sum();
    (whole - left).abs() <= WHOLE * whole
}

/// The centres of tetrahedra with their volumes; of small parts their centre.
fn forces_points(parts: &[Common]) -> Points {
    let total: f64 = parts.iter().map(|part| part.volume).sum();
    let middle = |t: &[Vec3; 4]| (t.iter().sum::<Vec3>() * 0.25, tetrahedron_volume(t));
    let mut points = Points::new();
    for part in parts {
        let own = part.tetrahedra.iter().map(middle).filter(|(_, volume)| *volume > 0.0);
        if part.volume > SMALL * total {
            points.extend(own);
        } else {
            let moment: Vec3 = own.map(|(x, volume)| x * volume).sum();
            points.push((moment / part.volume, part.volume));
        }
    }
    points
}

/// Four points in each tetrahedron, which integrate quadratic functions exactly.
fn mass_points(parts: &[Common]) -> Points {
    let mut points = Points::new();
    for t in parts.iter().flat_map(|part| &part.tetrahedra) {
        let place = |natural: &Vec3| interpolate(&ElementKind::Tet.shape_functions(natural), &corners_of(t));
        let volume = 0.25 * tetrahedron_volume(t);
        points.extend(ElementKind::Tet.quadrature().iter().map(|point| (place(&point.natural), volume)));
    }
    points
}

fn corners_of(t: &[Vec3; 4]) -> [Vec3; 8] {
    let mut corners = [Vec3::zeros(); 8];
    corners[..4].copy_from_slice(t);
    corners
}

/// Moves shares towards their mean, so far that none is less than [`LEAST_SHARE`] of it; their sum stays.
fn raise(shares: &mut [f64]) {
    let mean = shares.iter().sum::<f64>() / shares.len() as f64;
    let least = shares.iter().copied().fold(f64::INFINITY, f64::min);
    if least < LEAST_SHARE * mean {
        let part = (LEAST_SHARE * mean - least) / (mean - least);
        shares.iter_mut().for_each(|share| *share += (mean - *share) * part);
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
