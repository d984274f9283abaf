//! Factors of the whole matrix, the same on every rank: for problems small enough that each rank can hold them all.

use crate::dynamics::factors::{Factors, Kept};
use crate::dynamics::sparse::Pattern;
use crate::dynamics::{BlockSparse, FactorCost};
use crate::math::{Mat3, Vec3};

/// Most rows of all ranks whose matrix is factored.
pub const MOST_ROWS: usize = 4096;

/// The whole matrix of a step and its factors.
pub struct Replica {
    matrix: BlockSparse,
    factors: Factors,
}

impl Replica {
    /// Order and pattern of the factors of this matrix; `kept` ones are taken if they are of the same pattern.
    pub fn new(matrix: BlockSparse, kept: &mut Kept) -> Replica {
        let pattern = Pattern { row_offset: matrix.row_offset.clone(), column: matrix.column.clone() };
        Replica { factors: Factors::of(&pattern, kept), matrix }
    }

    /// Gives what can be used again to `kept`.
    pub fn keep(self, kept: &mut Kept) {
        self.factors.keep(kept);
    }

    /// What the factors cost; `None` when they do not fit in memory.
    pub fn cost(&self) -> Option<FactorCost> {
        self.factors.cost()
    }

    /// Factors `diag(x) W + diag(y)`, with the blocks of all ranks; false when it is singular.
    pub fn factor(&mut self, x: &[[f64; 9]], y: &[[f64; 9]]) -> bool {
        let [x, y] = [x, y].map(|blocks| blocks.iter().map(|n| Mat3::from_column_slice(n)).collect::<Vec<_>>());
        self.factors.factor(&self.matrix, &x, &y)
    }

    /// The part of the solution that begins at row `first`, for the right sides of all ranks.
    pub fn solve(&mut self, all: &[[f64; 3]], first: usize, own: &mut [Vec3]) {
        let mut b: Vec<Vec3> = all.iter().map(|n| Vec3::from(*n)).collect();
        self.factors.solve(&mut b);
        own.copy_from_slice(&b[first..first + own.len()]);
    }
}
