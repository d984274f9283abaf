//! The operator of a given matrix: tests, and problems that come from files.

use super::factors::{product, Factors, Kept};
use super::sparse::Pattern;
use super::{BlockKernel, BlockSparse, Delassus, FactorCost, Sweep, WholeMatrix};
use crate::math::{Mat3, Vec3};
use crate::{Error, Result};

/// `U = B + W R` with an assembled `W`. Sweeps go in natural order, row after row, one after another.
#[derive(Debug, Clone)]
pub struct Assembled {
    matrix: BlockSparse,
    diagonal: Vec<Mat3>,
    free: Vec<Vec3>,
    previous: Vec<Vec3>,
    order: Vec<u32>,
    factors: Factors,
}

impl Assembled {
    /// The problem of matrix `matrix` [m/s/N], free velocities `free` and velocities `previous` at the start of the
    /// step [m/s], all of one length. Fails when lengths differ, a column is out of range or out of order, or a
    /// diagonal block is missing.
    pub fn new(matrix: BlockSparse, free: Vec<Vec3>, previous: Vec<Vec3>) -> Result<Self> {
        let n = matrix.rows();
        if free.len() != n || previous.len() != n {
            return Err(Error::input(format!(
                "local dynamics: W has {n} block rows, B has {} and V {} entries; make them equal",
                free.len(),
                previous.len()
            )));
        }
        let mut diagonal = Vec::with_capacity(n);
        for i in 0..n {
            let columns = &matrix.column[matrix.row_offset[i]..matrix.row_offset[i + 1]];
            if columns.windows(2).any(|c| c[0] >= c[1]) || columns.iter().any(|&c| c as usize >= n) {
                return Err(Error::input(format!(
                    "local dynamics: columns of block row {i} must ascend and be less than {n}"
                )));
            }
            let block = matrix.get(i, i).ok_or_else(|| {
                Error::input(format!("local dynamics: block row {i} of W has no diagonal block; add it"))
            })?;
            diagonal.push(*block);
        }
        let order = (0..n as u32).collect();
        Ok(Assembled { matrix, diagonal, free, previous, order, factors: Factors::default() })
    }

    /// The matrix `W`.
    pub fn matrix(&self) -> &BlockSparse {
        &self.matrix
    }
}

impl Delassus for Assembled {
    fn len(&self) -> usize {
        self.free.len()
    }

    fn diagonal(&self) -> &[Mat3] {
        &self.diagonal
    }

    fn free(&self) -> &[Vec3] {
        &self.free
    }

    fn previous(&self) -> &[Vec3] {
        &self.previous
    }

    fn order(&self) -> &[u32] {
        &self.order
    }

    fn apply(&mut self, r: &[Vec3], u: &mut [Vec3]) {
        for (i, u) in u.iter_mut().enumerate() {
            *u = self.free[i] + self.matrix.row_product(i, r);
        }
    }

    fn sweep<K: BlockKernel>(&mut self, r: &mut [Vec3], kernel: &K) -> Sweep {
        let mut sweep = Sweep::default();
        for i in 0..self.len() {
            if kernel.skips(i) {
                continue;
            }
            let others = self.matrix.row(i).filter(|(j, _)| *j != i);
            let b = others.fold(self.free[i], |sum, (j, w)| sum + w * r[j]);
            let (new, solved) = kernel.solve(i, &self.diagonal[i], &b, &r[i]);
            sweep.count(&r[i], &new, solved);
            r[i] = new;
        }
        sweep
    }

    fn start(&mut self, _r: &[Vec3]) {}

    fn prepare_factors(&mut self) -> Option<FactorCost> {
        if matches!(self.factors, Factors::None) {
            let BlockSparse { row_offset, column, .. } = &self.matrix;
            let pattern = Pattern { row_offset: row_offset.clone(), column: column.clone() };
            self.factors = Factors::of(&pattern, &mut Kept::default());
        }
        self.factors.cost()
    }

    fn factor(&mut self, x: &[Mat3], y: &[Mat3]) -> bool {
        self.factors.factor(&self.matrix, x, y)
    }

    fn solve(&mut self, b: &mut [Vec3]) {
        self.factors.solve(b);
    }

    fn product(&mut self, x: &[Vec3], out: &mut [Vec3]) {
        product(&self.matrix, x, out);
    }
}

impl WholeMatrix for Assembled {
    fn assemble(&self) -> BlockSparse {
        self.matrix.clone()
    }
}
