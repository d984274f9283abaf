//! How a body answers at its points: `H A⁻¹ Hᵀ` by half-solves, `(L⁻¹ P Hᵀ)ᵀ (L⁻¹ P Hᵀ)`, symmetric by construction.

use std::cmp::Ordering;

use rayon::prelude::*;

use super::body::FiniteBody;
use super::factor::HalfSolved;
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
        // Row and column of a pair of points give the same sums in the same order.
        let fill = |out: &mut [Mat3], of: &(dyn Fn(usize, usize) -> Mat3 + Sync)| {
            out.par_chunks_mut(n.max(1)).enumerate().for_each(|(i, row)| {
                for (j, block) in row.iter_mut().enumerate() {
                    *block = match i.cmp(&j) {
                        Ordering::Less => of(i, j),
                        Ordering::Equal => symmetric(&of(i, i)),
                        Ordering::Greater => of(j, i).transpose(),
                    };
                }
            });
        };
        let half_solve = |scratch: &mut Vec<[f64; 3]>, weights: &Weights| match (&self.reduced, self.factor()) {
            (Some(reduced), _) => Some(reduced.half_solve(weights)),
            (None, Some(factor)) => Some(factor.half_solve(weights.entries(), scratch)),
            (None, None) => None,
        };
        let solved: Option<Vec<HalfSolved>> = weights.par_iter().map_init(Vec::new, half_solve).collect();
        let Some(solved) = solved else {
            fill(out, &|i, j| Mat3::from_diagonal_element(self.lumped(&weights[i], &weights[j])));
            return;
        };
        let rotation = self.rotation();
        fill(out, &|i, j| rotation * solved[i].product(&solved[j]) * rotation.transpose());
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

fn symmetric(block: &Mat3) -> Mat3 {
    (block + block.transpose()) * 0.5
}
