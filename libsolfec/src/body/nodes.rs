//! How bodies answer by way of nodes: `H A⁻¹ Hᵀ = R G N Gᵀ Rᵀ`, where `N` lies between the numbers of the nodes.

use std::ops::Range;
use std::sync::Arc;

use crate::math::{Mat3, Vec3};

/// Axes of space along which forces act at a point; its velocity is asked for along no others.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Axes {
    #[default]
    All,
    One(u8),
}

impl Axes {
    /// Those of forces along this direction.
    pub fn along(direction: &Vec3) -> Axes {
        let mut axes = (0..3).filter(|axis| direction[usize::from(*axis)] != 0.0);
        match (axes.next(), axes.next()) {
            (Some(axis), None) => Axes::One(axis),
            _ => Axes::All,
        }
    }

    /// Those of two points.
    pub fn and(self, other: Axes) -> Axes {
        if self == other {
            self
        } else {
            Axes::All
        }
    }

    /// The components along them.
    pub fn iter(self) -> Range<u8> {
        match self {
            Axes::All => 0..3,
            Axes::One(axis) => axis..axis + 1,
        }
    }
}

/// The numbers of nodes: three of each, or one of those whose other axes do not matter.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Numbers {
    nodes: usize,
    count: usize,
    /// The first number of each node and its axes; none if all have three.
    places: Vec<(u32, Axes)>,
}

impl Numbers {
    /// Three for each of these nodes.
    pub fn of_all_axes(nodes: usize) -> Numbers {
        Numbers { nodes, count: 3 * nodes, places: Vec::new() }
    }

    /// Those of nodes with these axes.
    pub fn of_axes(axes: &[Axes]) -> Numbers {
        let mut numbers = Numbers::of_all_axes(axes.len());
        if axes.iter().all(|axes| *axes == Axes::All) {
            return numbers;
        }
        numbers.count = 0;
        for axes in axes {
            numbers.places.push((numbers.count as u32, *axes));
            numbers.count += axes.iter().len();
        }
        numbers
    }

    /// How many nodes there are.
    pub fn nodes(&self) -> usize {
        self.nodes
    }

    /// How many numbers there are.
    pub fn count(&self) -> usize {
        self.count
    }

    /// Whether there are three for each node.
    #[inline]
    pub fn have_all_axes(&self) -> bool {
        self.places.is_empty()
    }

    /// The first number of a node, and its axes.
    #[inline]
    pub fn of(&self, node: usize) -> (usize, Axes) {
        self.places.get(node).map_or((3 * node, Axes::All), |(first, axes)| (*first as usize, *axes))
    }

    /// The numbers of nodes that follow one another.
    #[inline]
    pub fn range(&self, nodes: &Range<usize>) -> Range<usize> {
        let first = |node: usize| if node == self.nodes { self.count } else { self.of(node).0 };
        first(nodes.start)..first(nodes.end)
    }

    /// The vector of a node among `numbers`; zero along axes that do not matter.
    #[inline]
    pub fn vector(&self, node: usize, numbers: &[f64]) -> Vec3 {
        match self.of(node) {
            (first, Axes::All) => Vec3::from_column_slice(&numbers[first..first + 3]),
            (first, Axes::One(axis)) => Vec3::ith(usize::from(axis), numbers[first]),
        }
    }

    /// Adds to the numbers of a node.
    #[inline]
    pub fn add(&self, node: usize, part: &Vec3, numbers: &mut [f64]) {
        let (first, axes) = self.of(node);
        for (number, axis) in numbers[first..].iter_mut().zip(axes.iter()) {
            *number += part[usize::from(axis)];
        }
    }

    /// Sets the numbers of a node to zero.
    pub fn clear(&self, node: usize, numbers: &mut [f64]) {
        numbers[self.range(&(node..node + 1))].fill(0.0);
    }

    /// The block of a matrix between two nodes.
    pub fn block(&self, matrix: &NodeMatrix, a: usize, b: usize) -> Mat3 {
        let ((row, of_rows), (column, of_columns)) = (self.of(a), self.of(b));
        let mut block = Mat3::zeros();
        for (i, at) in (row..).zip(of_rows.iter()) {
            for (number, to) in matrix.row(i)[column..].iter().zip(of_columns.iter()) {
                block[(usize::from(at), usize::from(to))] = *number;
            }
        }
        block
    }
}

/// What solves for `N` where that would be too large; all nodes have three numbers.
pub trait NodalSolver: Send + Sync {
    /// Number of nodes.
    fn nodes(&self) -> usize;
    /// Adds `N` times impulses [N s] to velocities [m/s], three numbers of each node.
    fn add_velocities(&self, impulses: &[f64], velocities: &mut [f64]);
    /// A block of `N` [1/kg]; at hand if the nodes share an element.
    fn block(&self, a: usize, b: usize) -> Mat3;
}

/// How points answer by way of nodes.
#[derive(Clone)]
pub struct NodalResponse {
    /// `R`, from the frame of `N` to space; the unit matrix if axes of nodes are left out.
    pub rotation: Mat3,
    /// `G`: nodes and weights of point i are those at `end[i - 1] .. end[i]`.
    pub end: Vec<u32>,
    pub node: Vec<u32>,
    pub weight: Vec<f64>,
    /// What rows and columns of `N` stand for.
    pub numbers: Numbers,
    /// `N` [1/kg]; shared, as it may outlive a step.
    pub matrix: Arc<NodeMatrix>,
    /// In place of the matrix.
    pub solver: Option<Arc<dyn NodalSolver>>,
}

impl std::fmt::Debug for NodalResponse {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("NodalResponse").field("points", &self.end.len()).field("numbers", &self.numbers).finish()
    }
}

impl Default for NodalResponse {
    fn default() -> Self {
        let (end, node, weight, numbers, matrix) = Default::default();
        NodalResponse { rotation: Mat3::identity(), end, node, weight, numbers, matrix, solver: None }
    }
}

impl NodalResponse {
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
                let block = match &self.solver {
                    Some(solver) => solver.block(i, j),
                    None => self.numbers.block(&self.matrix, i, j),
                };
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

/// A symmetric matrix between numbers of nodes; there is room for more of them.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct NodeMatrix {
    count: usize,
    room: usize,
    number: Vec<f64>,
}

impl NodeMatrix {
    /// A matrix of zeros with room for so many numbers of nodes, of which none is in use.
    pub fn with_room(room: usize) -> NodeMatrix {
        NodeMatrix { count: 0, room, number: vec![0.0; room * room] }
    }

    /// Rows in use.
    pub fn count(&self) -> usize {
        self.count
    }

    /// Rows that there is room for, which is also the length of each.
    pub fn room(&self) -> usize {
        self.room
    }

    /// Changes the number of rows in use, for which there must be room.
    pub fn set_count(&mut self, count: usize) {
        assert!(count <= self.room);
        self.count = count;
    }

    /// A row, with what is not in use at its end.
    pub fn row(&self, k: usize) -> &[f64] {
        &self.number[k * self.room..][..self.room]
    }

    /// All rows; there are those not in use at the end.
    pub fn all_rows(&mut self) -> &mut [f64] {
        &mut self.number
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nodes_have_three_numbers_or_the_one_that_matters() {
        let axes = [Axes::All, Axes::One(1), Axes::One(2), Axes::All];
        let numbers = Numbers::of_axes(&axes);
        assert_eq!((numbers.nodes(), numbers.count()), (4, 8));
        assert_eq!(numbers.range(&(1..3)), 3..5);
        assert_eq!(numbers.range(&(2..4)), 4..8);
        let mut values = vec![0.0; 8];
        (0..4).for_each(|node| numbers.add(node, &Vec3::new(1.0, 2.0, 3.0), &mut values));
        assert_eq!(values, [1.0, 2.0, 3.0, 2.0, 3.0, 1.0, 2.0, 3.0]);
        assert_eq!(numbers.vector(1, &values), Vec3::new(0.0, 2.0, 0.0));
        assert_eq!(numbers.vector(3, &values), Vec3::new(1.0, 2.0, 3.0));
        numbers.clear(3, &mut values);
        assert_eq!(values[5..], [0.0; 3]);
        let mut matrix = NodeMatrix::with_room(9);
        matrix.all_rows().iter_mut().enumerate().for_each(|(k, number)| *number = k as f64);
        let block = numbers.block(&matrix, 2, 3);
        assert_eq!(block, Mat3::new(0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 41.0, 42.0, 43.0));
        assert_eq!(Numbers::of_axes(&[Axes::All; 5]), Numbers::of_all_axes(5));
    }

    #[test]
    fn a_direction_has_one_axis_only_along_that() {
        assert_eq!(Axes::along(&Vec3::new(0.0, -1.0, 0.0)), Axes::One(1));
        assert_eq!(Axes::along(&Vec3::new(0.0, -1.0, 1e-300)), Axes::All);
        assert_eq!(Axes::along(&Vec3::repeat(f64::NAN)), Axes::All);
        assert_eq!(Axes::One(1).and(Axes::One(1)), Axes::One(1));
        assert_eq!(Axes::One(1).and(Axes::One(2)), Axes::All);
    }
}
