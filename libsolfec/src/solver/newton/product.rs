//! The product with `W`, in the operator's assembled form or through the bodies.

use rayon::prelude::*;

use crate::dynamics::Delassus;
use crate::math::Vec3;
use crate::solver::GRAIN;

/// `W x` of one solve, and how often it was formed.
pub struct Product {
    assembled: bool,
    count: u32,
}

impl Product {
    /// `assembled`: in the form in which the operator factorises, or in that of `W`; else body by body.
    pub fn new(assembled: bool) -> Self {
        Product { assembled, count: 0 }
    }

    /// Products so far.
    pub fn count(&self) -> u32 {
        self.count
    }

    /// `out = W x`.
    pub fn apply<D: Delassus>(&mut self, op: &mut D, x: &[Vec3], out: &mut [Vec3]) {
        self.count += 1;
        if self.assembled {
            op.product(x, out);
        } else {
            op.apply(x, out);
            let free = op.free();
            out.par_iter_mut().zip(free).with_min_len(GRAIN).for_each(|(out, free)| *out -= free);
        }
    }

    /// `u = B + W r`.
    pub fn velocity<D: Delassus>(&mut self, op: &mut D, r: &[Vec3], u: &mut [Vec3]) {
        self.count += 1;
        if self.assembled {
            op.product(r, u);
            let free = op.free();
            u.par_iter_mut().zip(free).with_min_len(GRAIN).for_each(|(u, free)| *u += free);
        } else {
            op.apply(r, u);
        }
    }
}

/// `out[i] = row(i)`.
pub fn rows(out: &mut [Vec3], row: impl Fn(usize) -> Vec3 + Sync) {
    out.par_iter_mut().enumerate().with_min_len(GRAIN).for_each(|(i, out)| *out = row(i));
}
