//! Inverse inertia and velocities of a body in a step, in one of three forms.

use std::sync::Arc;

use serde::{Deserialize, Serialize};

use super::MaterialPoint;
use crate::math::{by_rows, from_rows, Mat3, Mat9, Vec3};

/// A rigid velocity field about the current mass centre, both spatial [m/s], [rad/s].
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Twist {
    pub linear: Vec3,
    pub angular: Vec3,
}

impl Twist {
    pub fn zero() -> Self {
        Twist { linear: Vec3::zeros(), angular: Vec3::zeros() }
    }
}

/// An affine velocity field `v(X) = v + Ḟ (X − X0)` [1/s], [m/s].
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct AffineRate {
    pub fdot: Mat3,
    pub v: Vec3,
}

impl AffineRate {
    pub fn zero() -> Self {
        AffineRate { fdot: Mat3::zeros(), v: Vec3::zeros() }
    }
}

/// Inverse of the operator that acts on `Ḟ` [1/(kg m²)].
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub enum AffineInverse {
    /// Explicit schemes: each row of `F` by the inverse Euler tensor.
    Rows(Mat3),
    /// Implicit schemes: symmetric, on tensors taken row by row.
    Full(Box<Mat9>),
}

impl AffineInverse {
    /// The rate `A⁻¹ G` of a moment `G` conjugate to `Ḟ`.
    pub fn apply(&self, g: &Mat3) -> Mat3 {
        match self {
            AffineInverse::Rows(inverse) => g * inverse,
            AffineInverse::Full(inverse) => from_rows(&(**inverse * by_rows(g))),
        }
    }

    pub(super) fn set_full(&mut self, inverse: Mat9) {
        match self {
            AffineInverse::Full(place) => **place = inverse,
            AffineInverse::Rows(_) => *self = AffineInverse::Full(Box::new(inverse)),
        }
    }
}

/// How a body answers to forces in a step. `free` is the velocity of t+h without reactions, `previous` the velocity of
/// t (zero where velocities do not persist), both as fields on the configuration of detection.
#[derive(Clone, Copy)]
pub enum Inertia<'a> {
    /// Six numbers about the mass centre.
    Rigid {
        /// [1/kg]; 0 for a body that does not move in translation.
        inverse_mass: f64,
        /// Spatial `R J⁻¹ Rᵀ` [1/(kg m²)]; zero when rotation is disabled.
        inverse_inertia: Mat3,
        free: Twist,
        previous: Twist,
    },
    /// Twelve numbers about the mass centre.
    Affine { inverse_mass: f64, inverse: &'a AffineInverse, free: AffineRate, previous: AffineRate },
    /// Any number of unknowns, seen through the points where constraints act.
    Condensed(&'a dyn Condensed),
}

/// A body that answers for its own points: the unknowns stay inside.
pub trait Condensed: Sync {
    /// Spatial velocities of t+h without reactions [m/s].
    fn free(&self, points: &[MaterialPoint], out: &mut [Vec3]);
    /// Spatial velocities of t [m/s].
    fn previous(&self, points: &[MaterialPoint], out: &mut [Vec3]);
    /// The blocks of `H A⁻¹ Hᵀ`: velocity at point i of a unit impulse at point j, spatial, n×n blocks by rows [1/kg].
    /// Symmetric bit for bit.
    fn compliance(&self, points: &[MaterialPoint], out: &mut [Mat3]);
    /// The same by way of the body's nodes, where these are fewer than numbers of points or known anyway; false, and
    /// nothing in `out`, where the body has none.
    fn nodal(&self, _points: &[MaterialPoint], _out: &mut NodalResponse) -> bool {
        false
    }
    /// The sparse matrices behind the compliance, for methods that factorise in the space of velocities; `None` where
    /// the body does not show them.
    fn sparse(&self, _points: &[MaterialPoint]) -> Option<SparseInertia> {
        None
    }
}

/// What solves for `N` where that would be too large.
pub trait NodalSolver: Send + Sync {
    /// Number of nodes.
    fn nodes(&self) -> usize;
    /// Adds `N` times impulses [N s] to velocities [m/s], three numbers of each node.
    fn add_velocities(&self, impulses: &[f64], velocities: &mut [f64]);
    /// A block of `N` [1/kg]; at hand if the nodes share an element.
    fn block(&self, a: usize, b: usize) -> Mat3;
}

/// How points answer by way of nodes: `H A⁻¹ Hᵀ = R G N Gᵀ Rᵀ`.
#[derive(Clone)]
pub struct NodalResponse {
    /// `R`, from the frame of `N` to space.
    pub rotation: Mat3,
    /// `G`: nodes and weights of point i are those at `end[i - 1] .. end[i]`.
    pub end: Vec<u32>,
    pub node: Vec<u32>,
    pub weight: Vec<f64>,
    /// `N` [1/kg]; shared, as it may outlive a step.
    pub matrix: Arc<NodeMatrix>,
    /// In place of the matrix.
    pub solver: Option<Arc<dyn NodalSolver>>,
}

impl std::fmt::Debug for NodalResponse {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("NodalResponse").field("points", &self.end.len()).field("nodes", &self.nodes()).finish()
    }
}

impl Default for NodalResponse {
    fn default() -> Self {
        let (end, node, weight, matrix) = Default::default();
        NodalResponse { rotation: Mat3::identity(), end, node, weight, matrix, solver: None }
    }
}

impl NodalResponse {
    /// Number of nodes.
    pub fn nodes(&self) -> usize {
        self.solver.as_ref().map_or_else(|| self.matrix.nodes(), |solver| solver.nodes())
    }

    /// Forgets the points.
    pub fn clear(&mut self) {
        self.solver = None;
        self.end.clear();
        self.node.clear();
        self.weight.clear();
    }

    /// Adds a point with these nodes and weights.
    pub fn put(&mut self, entries: impl Iterator<Item = (u32, f64)>) {
        for (node, weight) in entries {
            self.node.push(node);
            self.weight.push(weight);
        }
        self.end.push(self.node.len() as u32);
    }

    /// The block of `H A⁻¹ Hᵀ` of two points.
    pub fn block(&self, a: usize, b: usize) -> Mat3 {
        let mut sum = Mat3::zeros();
        for (i, weight) in self.entries(a) {
            for (j, other) in self.entries(b) {
                let block = self.solver.as_ref().map_or_else(|| self.matrix.block(i, j), |solver| solver.block(i, j));
                sum += block * (weight * other);
            }
        }
        self.rotation * sum * self.rotation.transpose()
    }

    /// Nodes and weights of a point.
    #[inline]
    pub fn entries(&self, point: usize) -> impl Iterator<Item = (usize, f64)> + Clone + '_ {
        let start = if point == 0 { 0 } else { self.end[point - 1] as usize };
        let range = start..self.end[point] as usize;
        self.node[range.clone()].iter().zip(&self.weight[range]).map(|(node, weight)| (*node as usize, *weight))
    }
}

/// A symmetric matrix between nodes, three rows and columns of numbers for each; there is room for more of them.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct NodeMatrix {
    nodes: usize,
    room: usize,
    number: Vec<f64>,
}

impl NodeMatrix {
    /// A matrix of zeros with room for so many nodes, of which none is in use.
    pub fn with_room(room: usize) -> NodeMatrix {
        NodeMatrix { nodes: 0, room, number: vec![0.0; 9 * room * room] }
    }

    /// Number of nodes.
    pub fn nodes(&self) -> usize {
        self.nodes
    }

    /// Nodes that there is room for.
    pub fn room(&self) -> usize {
        self.room
    }

    /// Changes the number of nodes, for which there must be room.
    pub fn set_nodes(&mut self, nodes: usize) {
        assert!(nodes <= self.room);
        self.nodes = nodes;
    }

    /// The three rows of a node, one after another, each as long as [`NodeMatrix::length`] says.
    pub fn rows(&self, node: usize) -> &[f64] {
        &self.number[3 * node * self.length()..][..3 * self.length()]
    }

    /// All rows; there are those of nodes not in use at the end.
    pub fn all_rows(&mut self) -> &mut [f64] {
        &mut self.number
    }

    /// Numbers from one row to the next.
    pub fn length(&self) -> usize {
        3 * self.room
    }

    /// The block of two nodes.
    pub fn block(&self, a: usize, b: usize) -> Mat3 {
        let (rows, length) = (self.rows(a), self.length());
        Mat3::from_fn(|i, j| rows[i * length + 3 * b + j])
    }
}

/// A block at a row and a column, both in blocks of three.
pub type Entry = (u32, u32, Mat3);

/// The matrix `A` of a body's equations of motion and the interpolation `H` of its points. Entries of one place add up.
#[derive(Debug, Clone, PartialEq)]
pub struct SparseInertia {
    /// Blocks of velocities: rows and columns of `A`.
    pub velocities: u32,
    /// `A` [kg], symmetric positive definite, both triangles; shared, as it outlives a step.
    pub mass: Arc<[Entry]>,
    /// `H`: rows are points, ascending, and columns are velocities.
    pub gather: Vec<Entry>,
}
