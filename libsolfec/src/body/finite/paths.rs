//! Velocities that impulses on some nodes bring to the same nodes, by solving with the factor: forward and back along the
//! paths of the nodes to the root of the elimination tree, as what other nodes receive is not asked for. For bodies with
//! so many nodes in contact that the dense matrix between them would not fit in memory.

use std::sync::{Arc, Mutex, PoisonError};

use super::factor::Factor;
use super::selected::Selected;
use super::stiffness::Pattern;
use crate::body::NodalSolver;
use crate::math::Mat3;

pub struct PathSolver {
    factor: Arc<Factor>,
    /// Nodes by number, and the supernodes on their paths, ascending.
    nodes: Vec<u32>,
    path: Vec<u32>,
    pattern: Arc<Pattern>,
    blocks: Arc<Selected>,
    room: Mutex<Room>,
}

/// Right-hand side and solution, zero outside of the paths, and what the rows of others of a supernode are.
#[derive(Default)]
struct Room {
    x: Vec<f64>,
    others: Vec<f64>,
}

impl PathSolver {
    /// Between these nodes.
    pub fn new(factor: &Arc<Factor>, pattern: &Arc<Pattern>, blocks: &Arc<Selected>, nodes: Vec<u32>) -> PathSolver {
        let path = factor.paths(nodes.iter().copied());
        let room = Mutex::new(Room { x: vec![0.0; factor.unknowns()], others: Vec::new() });
        let (factor, pattern, blocks) = (Arc::clone(factor), Arc::clone(pattern), Arc::clone(blocks));
        PathSolver { factor, nodes, path, pattern, blocks, room }
    }

    /// Whether this is the solver of these.
    pub fn is_of(&self, factor: &Arc<Factor>, nodes: &[u32]) -> bool {
        Arc::ptr_eq(&self.factor, factor) && self.nodes == nodes
    }

    fn forward(&self, room: &mut Room) {
        for of in self.path.iter().filter_map(|s| self.factor.supernode(*s)) {
            let own = of.values.ncols();
            room.others.clear();
            room.others.resize(of.pattern.len(), 0.0);
            let x = &mut room.x[of.start..of.start + own];
            for j in 0..own {
                let Some(column) = of.values.col(j).try_as_col_major().map(|column| column.as_slice()) else { return };
                x[j] /= column[j];
                let value = x[j];
                x[j + 1..].iter_mut().zip(&column[j + 1..own]).for_each(|(x, l)| *x -= l * value);
                room.others.iter_mut().zip(&column[own..]).for_each(|(x, l)| *x += l * value);
            }
            of.pattern.iter().zip(&room.others).for_each(|(row, sum)| room.x[*row as usize] -= sum);
        }
    }

    fn backward(&self, room: &mut Room) {
        for of in self.path.iter().rev().filter_map(|s| self.factor.supernode(*s)) {
            let own = of.values.ncols();
            room.others.clear();
            room.others.extend(of.pattern.iter().map(|row| room.x[*row as usize]));
            let x = &mut room.x[of.start..of.start + own];
            for j in (0..own).rev() {
                let Some(column) = of.values.col(j).try_as_col_major().map(|column| column.as_slice()) else { return };
                let sum = dot(&column[j + 1..own], &x[j + 1..]) + dot(&column[own..], &room.others);
                x[j] = (x[j] - sum) / column[j];
            }
        }
    }
}

impl NodalSolver for PathSolver {
    fn nodes(&self) -> usize {
        self.nodes.len()
    }

    fn add_velocities(&self, impulses: &[f64], velocities: &mut [f64]) {
        let mut room = self.room.lock().unwrap_or_else(PoisonError::into_inner);
        let places =
            || self.nodes.iter().flat_map(|node| (0..3).map(|axis| self.factor.place_of(*node, axis) as usize));
        places().zip(impulses).for_each(|(place, impulse)| room.x[place] = *impulse);
        self.forward(&mut room);
        self.backward(&mut room);
        places().zip(velocities).for_each(|(place, velocity)| *velocity += room.x[place]);
        for of in self.path.iter().filter_map(|s| self.factor.supernode(*s)) {
            room.x[of.start..of.start + of.values.ncols()].fill(0.0);
        }
    }

    fn block(&self, a: usize, b: usize) -> Mat3 {
        if let Some(block) = self.blocks.block(&self.pattern, self.nodes[a], self.nodes[b]) {
            return block;
        }
        let mut block = Mat3::zeros();
        for axis in 0..3 {
            let [mut impulses, mut velocities] = [(); 2].map(|()| vec![0.0; 3 * self.nodes.len()]);
            impulses[3 * b + axis] = 1.0;
            self.add_velocities(&impulses, &mut velocities);
            (0..3).for_each(|i| block[(i, axis)] = velocities[3 * a + i]);
        }
        block
    }
}

/// The scalar product, in eight interleaved sums.
fn dot(a: &[f64], b: &[f64]) -> f64 {
    let mut sums = [0.0; 8];
    let (x, y) = (a.chunks_exact(8), b.chunks_exact(8));
    let tail: f64 = x.remainder().iter().zip(y.remainder()).map(|(x, y)| x * y).sum();
    for (x, y) in x.zip(y) {
        (0..8).for_each(|k| sums[k] += x[k] * y[k]);
    }
    sums.iter().sum::<f64>() + tail
}
