//! Factors of `diag(x) W + diag(y)` by the assembled matrix.

use rayon::prelude::*;

use super::block_lu::BlockLu;
use super::sparse::Pattern;
use super::{BlockSparse, FactorCost, GRAIN};
use crate::math::{Mat3, Vec3};

/// Factors of an earlier step: they serve again for matrices of the same pattern, with the same bits as new ones.
#[derive(Debug, Clone, Default)]
pub(super) struct Kept(Option<Box<BlockLu>>);

impl Kept {
    /// Factors for matrices of this pattern; `None` when they do not fit in memory.
    pub fn take(&mut self, pattern: &Pattern) -> Option<Box<BlockLu>> {
        match self.0.take().filter(|lu| lu.pattern() == pattern) {
            Some(lu) => Some(lu),
            None => BlockLu::new(pattern).map(Box::new),
        }
    }

    /// Keeps these.
    pub fn put(&mut self, lu: Box<BlockLu>) {
        self.0 = Some(lu);
    }
}

/// The factors of one matrix `W`, which stays with the caller.
#[derive(Debug, Clone, Default)]
pub(super) enum Factors {
    #[default]
    None,
    /// The pattern of the factors, and their values after `factor`.
    Ready(Box<BlockLu>),
    TooLarge,
}

impl Factors {
    /// Order and pattern of the factors of a matrix of this pattern; `kept` ones are taken if they are of the same.
    pub fn of(pattern: &Pattern, kept: &mut Kept) -> Self {
        match kept.take(pattern) {
            Some(lu) => Factors::Ready(lu),
            None => Factors::TooLarge,
        }
    }

    /// Gives what can be used again to `kept`.
    pub fn keep(self, kept: &mut Kept) {
        match self {
            Factors::Ready(lu) => kept.put(lu),
            Factors::None | Factors::TooLarge => {}
        }
    }

    /// What the factors cost; `None` when they do not fit in memory.
    pub fn cost(&self) -> Option<FactorCost> {
        match self {
            Factors::Ready(lu) => {
                let blocks = lu.pattern().column.len() as f64;
                Some(FactorCost { blocks, products: lu.products() as f64, redundant: false })
            }
            Factors::None | Factors::TooLarge => None,
        }
    }

    /// Factors `diag(x) W + diag(y)`; false when it is singular or nothing was prepared.
    pub fn factor(&mut self, w: &BlockSparse, x: &[Mat3], y: &[Mat3]) -> bool {
        match self {
            Factors::Ready(lu) => {
                lu.clear();
                for i in 0..w.rows() {
                    for (entry, (j, block)) in (w.row_offset[i]..).zip(w.row(i)) {
                        let block = x[i] * block;
                        lu.add(entry, &if j == i { block + y[i] } else { block });
                    }
                }
                lu.factor()
            }
            Factors::None | Factors::TooLarge => false,
        }
    }

    /// The solution for right side `b`, in place.
    pub fn solve(&mut self, b: &mut [Vec3]) {
        match self {
            Factors::Ready(lu) => lu.solve(b),
            Factors::None | Factors::TooLarge => b.fill(Vec3::repeat(f64::NAN)),
        }
    }
}

/// `out = W x`.
pub(super) fn product(w: &BlockSparse, x: &[Vec3], out: &mut [Vec3]) {
    out.par_iter_mut().enumerate().with_min_len(GRAIN).for_each(|(i, out)| *out = w.row_product(i, x));
}
