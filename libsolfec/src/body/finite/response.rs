//! How a body answers at its points: `H A⁻¹ Hᵀ` from blocks of the inverse between the nodes of the points.

use std::sync::PoisonError;

use rayon::prelude::*;

use super::body::FiniteBody;
use super::reduced::product;
use super::weights::Weights;
use crate::body::{Condensed, Entry, MaterialPoint, SparseInertia};
use crate::math::{Mat3, Vec3};

impl Condensed for FiniteBody {
    fn free(&self, points: &[MaterialPoint], out: &mut [Vec3]) {
        out.iter_mut().zip(points).for_each(|(out, point)| *out = self.grid.weights(point).of(&self.free));
    }

    fn previous(&self, points: &[MaterialPoint], out: &mut [Vec3]) {
        for (out, point) in out.iter_mut().zip(points) {
            *out = self.grid.weights(point).entries().map(|(node, weight)| self.previous(node) * weight).sum();
        }
    }

    fn compliance(&self, points: &[MaterialPoint], out: &mut [Mat3]) {
        let n = points.len();
        let weights: Vec<Weights> = points.iter().map(|point| self.grid.weights(point)).collect();
        let rotation = self.rotation();
        let turned = |block: &Mat3| rotation * block * rotation.transpose();
        if let Some(reduced) = &self.reduced {
            let solved: Vec<_> = weights.par_iter().map(|weights| reduced.half_solve(weights)).collect();
            fill(out, n, |i, j| turned(&product(&solved[i], &solved[j])));
        } else if let Some((factor, nodal)) = self.factor() {
            let mut nodal = nodal.lock().unwrap_or_else(PoisonError::into_inner);
            nodal.reach(factor, self.grid.nodes(), &weights);
            let nodal = &*nodal;
            out.par_chunks_mut(n.max(1)).zip(&weights).enumerate().for_each_init(Vec::new, |all, (i, (row, point))| {
                nodal.responses(point, all);
                for (block, other) in row.iter_mut().zip(&weights).skip(i) {
                    *block = turned(&nodal.at(other, all));
                }
            });
            mirror(out, n);
        } else {
            fill(out, n, |i, j| Mat3::from_diagonal_element(self.lumped(&weights[i], &weights[j])));
        }
    }

    fn sparse(&self, points: &[MaterialPoint]) -> Option<SparseInertia> {
        if self.reduced.is_some() {
            return None;
        }
        let rotation = self.rotation();
        let mut gather: Vec<Entry> = Vec::new();
        for (row, point) in (0..).zip(points) {
            gather.extend(self.grid.weights(point).entries().map(|(node, w)| (row, node as u32, rotation * w)));
        }
        Some(SparseInertia { velocities: self.inertia.len() as u32, mass: self.entries(), gather })
    }
}

impl FiniteBody {
    /// The response of two points under a lumped mass, which is the same in all directions [1/kg].
    fn lumped(&self, a: &Weights, b: &Weights) -> f64 {
        let mut sum = 0.0;
        for (node, weight) in a.entries() {
            for (_, other) in b.entries().filter(|(other, _)| *other == node) {
                sum += weight * other / self.inertia[node];
            }
        }
        sum
    }
}

/// All blocks of which those of row i and column j ≥ i are given.
fn fill(out: &mut [Mat3], n: usize, of: impl Fn(usize, usize) -> Mat3 + Sync) {
    out.par_chunks_mut(n.max(1)).enumerate().for_each(|(i, row)| {
        row.iter_mut().enumerate().skip(i).for_each(|(j, block)| *block = of(i, j));
    });
    mirror(out, n);
}

/// Copies the upper triangle to the lower one.
fn mirror(out: &mut [Mat3], n: usize) {
    for i in 0..n {
        out[i * n + i] = symmetric(&out[i * n + i]);
        (0..i).for_each(|j| out[i * n + j] = out[j * n + i].transpose());
    }
}

fn symmetric(block: &Mat3) -> Mat3 {
    (block + block.transpose()) * 0.5
}
