//! How a body answers at its points: `H A⁻¹ Hᵀ` from the inverse between the nodes of the points.

use std::sync::{Arc, PoisonError};

use rayon::prelude::*;

use super::body::FiniteBody;
use super::nodal::Life;
use super::reduced::product;
use super::weights::Weights;
use crate::body::{Axes, Condensed, Entry, MaterialPoint, NodalResponse, SparseInertia};
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
        } else if self.factor().is_some() {
            let mut response = NodalResponse::default();
            self.nodal(points, &vec![Axes::All; n], &mut response);
            fill(out, n, |i, j| response.block(i, j));
        } else {
            fill(out, n, |i, j| Mat3::from_diagonal_element(self.lumped(&weights[i], &weights[j])));
        }
    }

    fn nodal(&self, points: &[MaterialPoint], axes: &[Axes], out: &mut NodalResponse) -> bool {
        out.clear();
        let Some((factor, nodal)) = self.factor().filter(|_| self.reduced.is_none()) else { return false };
        let mut nodal = nodal.lock().unwrap_or_else(PoisonError::into_inner);
        let nodes = self.grid.nodes();
        let weights = points.iter().zip(axes).map(|(point, axes)| (self.grid.weights(point), *axes));
        if nodal.ask(factor, weights) > self.dense_nodes {
            let Some(pattern) = self.pattern() else { return false };
            out.matrix = Arc::default();
            out.solver = Some(nodal.solver(factor, pattern, nodes));
        } else {
            nodal.reach(factor, nodes, if self.linear.is_some() { Life::Long } else { Life::Step });
            out.matrix = Arc::clone(nodal.matrix());
        }
        out.numbers.clone_from(nodal.numbers());
        nodal.points().for_each(|entries| out.put(entries));
        out.rotation = self.rotation();
        true
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
