//! The product with `W`, by the assembled matrix or through the bodies.

use rayon::prelude::*;

use crate::dynamics::{BlockSparse, Delassus};
use crate::math::Vec3;
use crate::solver::GRAIN;

/// `W x` of one solve, and how often it was formed (constraints-solvers-parallel.md 8.6).
pub struct Product {
    matrix: Option<BlockSparse>,
    count: u32,
}

impl Product {
    /// `assembled`: by the matrix, which is made here, once; else by the operator, body by body.
    pub fn new<D: Delassus>(op: &D, assembled: bool) -> Self {
        Product { matrix: assembled.then(|| op.assemble()), count: 0 }
    }

    /// Products so far.
    pub fn count(&self) -> u32 {
        self.count
    }

    /// `out = W x`.
    pub fn apply<D: Delassus>(&mut self, op: &mut D, x: &[Vec3], out: &mut [Vec3]) {
        self.count += 1;
        match &self.matrix {
            Some(w) => rows(out, |i| w.row_product(i, x)),
            None => {
                op.apply(x, out);
                let free = op.free();
                out.par_iter_mut().zip(free).with_min_len(GRAIN).for_each(|(out, free)| *out -= free);
            }
        }
    }

    /// `u = B + W r`.
    pub fn velocity<D: Delassus>(&mut self, op: &mut D, r: &[Vec3], u: &mut [Vec3]) {
        self.count += 1;
        match &self.matrix {
            Some(w) => {
                let free = op.free();
                rows(u, |i| free[i] + w.row_product(i, r));
            }
            None => op.apply(r, u),
        }
    }
}

/// `out[i] = row(i)`.
pub fn rows(out: &mut [Vec3], row: impl Fn(usize) -> Vec3 + Sync) {
    out.par_iter_mut().enumerate().with_min_len(GRAIN).for_each(|(i, out)| *out = row(i));
}
