//! Points of a mesh: the nodes of their element and their shape function values.

use super::grid::Grid;
use crate::body::{MaterialPoint, NO_ELEMENT};
use crate::math::{Mat3, Vec3};

/// Weights of less than this do not count: places in an element are known to some roundings, and a point that is on a
/// node or a face of it would otherwise hang on all its nodes.
const NEGLIGIBLE: f64 = 1e-12;

/// Nodes and weights of a point.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Weights {
    nodes: [u32; 8],
    weights: [f64; 8],
}

impl Weights {
    /// Of a point whose place is that of natural coordinates in an element.
    pub fn new(grid: &Grid, element: u32, natural: &Vec3) -> Weights {
        let element = &grid.mesh.elements[element as usize];
        let mut weights = element.kind.shape_functions(natural);
        weights.iter_mut().filter(|weight| weight.abs() < NEGLIGIBLE).for_each(|weight| *weight = 0.0);
        Weights { nodes: element.nodes, weights }
    }

    /// Nodes that take part, with their weights.
    pub fn entries(&self) -> impl Iterator<Item = (usize, f64)> + '_ {
        let used = self.nodes.iter().zip(&self.weights).filter(|(_, weight)| **weight != 0.0);
        used.map(|(&node, &weight)| (node as usize, weight))
    }

    /// A field given at the nodes.
    pub fn of(&self, field: &[Vec3]) -> Vec3 {
        self.entries().map(|(node, weight)| field[node] * weight).sum()
    }

    /// Hands a force to the nodes.
    pub fn add(&self, to: &mut [Vec3], force: &Vec3) {
        self.entries().for_each(|(node, weight)| to[node] += force * weight);
    }
}

impl Grid {
    /// The element of a point; the one that it is least outside of if it says none. The first where no element can say.
    pub fn element_of(&self, point: &MaterialPoint) -> u32 {
        if point.element != NO_ELEMENT {
            return point.element;
        }
        self.locate(&point.reference).map_or(0, |(element, _)| element)
    }

    /// Element and natural coordinates of a reference place.
    pub fn locate(&self, reference: &Vec3) -> Option<(u32, Vec3)> {
        self.mesh.locate(|node| self.mesh.nodes[node as usize], reference)
    }

    /// Natural coordinates of a reference place in an element; NaN where they cannot be found.
    pub fn natural(&self, element: u32, reference: &Vec3) -> Vec3 {
        let of = &self.mesh.elements[element as usize];
        let corners = of.gather(|node| self.mesh.nodes[node as usize]);
        of.kind.natural(&corners, reference).unwrap_or(Vec3::repeat(f64::NAN))
    }

    pub fn weights(&self, point: &MaterialPoint) -> Weights {
        let element = self.element_of(point);
        Weights::new(self, element, &self.natural(element, &point.reference))
    }

    /// Deformation gradient at a point when the nodes are at `x`.
    pub fn deformation(&self, point: &MaterialPoint, x: &[Vec3]) -> Mat3 {
        let element = self.element_of(point);
        let natural = self.natural(element, &point.reference);
        let of = &self.mesh.elements[element as usize];
        let now = of.kind.jacobian(&of.gather(|node| x[node as usize]), &natural);
        let then = of.kind.jacobian(&of.gather(|node| self.mesh.nodes[node as usize]), &natural);
        now * then.try_inverse().unwrap_or(Mat3::repeat(f64::NAN))
    }
}
