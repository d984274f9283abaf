//! Factors of `diag(x) W + diag(y)` by the assembled matrix.

use rayon::prelude::*;

use super::block_lu::BlockLu;
use super::{BlockSparse, FactorCost, GRAIN};
use crate::math::{Mat3, Vec3};

/// The factors of one matrix `W`, which stays with the caller.
#[derive(Debug, Clone, Default)]
pub(super) enum Factors {
    #[default]
    None,
    /// The pattern of the factors, and their values after `factor`; blocks of `W`.
    Ready(Box<BlockLu>, usize),
    TooLarge,
}

impl Factors {
    /// Order and pattern of the factors of a matrix with these columns in each row.
    pub fn of(row_offset: &[usize], column: &[u32]) -> Self {
        match BlockLu::new(row_offset, column) {
            Some(lu) => Factors::Ready(Box::new(lu), column.len()),
            None => Factors::TooLarge,
        }
    }

    /// What the factors cost; `None` when they do not fit in memory.
    pub fn cost(&self) -> Option<FactorCost> {
        match self {
            Factors::Ready(lu, blocks) => Some(FactorCost { blocks: *blocks as f64, products: lu.products() as f64 }),
            Factors::None | Factors::TooLarge => None,
        }
    }

    /// Factors `diag(x) W + diag(y)`; false when it is singular or nothing was prepared.
    pub fn factor(&mut self, w: &BlockSparse, x: &[Mat3], y: &[Mat3]) -> bool {
        match self {
            Factors::Ready(lu, _) => lu.factor(|i| y[i], |i| w.row(i).map(move |(j, block)| (j, x[i] * block))),
            Factors::None | Factors::TooLarge => false,
        }
    }

    /// The solution for right side `b`, in place.
    pub fn solve(&mut self, b: &mut [Vec3]) {
        match self {
            Factors::Ready(lu, _) => lu.solve(b),
            Factors::None | Factors::TooLarge => b.fill(Vec3::repeat(f64::NAN)),
        }
    }
}

/// `out = W x`.
pub(super) fn product(w: &BlockSparse, x: &[Vec3], out: &mut [Vec3]) {
    out.par_iter_mut().enumerate().with_min_len(GRAIN).for_each(|(i, out)| *out = w.row_product(i, x));
}
