//! A bound of the highest frequency of a mesh, for the explicit scheme.
//!
//! By Rayleigh's quotient, `ω² ≤ maxₑ λₑ`, the largest eigenvalue of the pencil of element stiffness and element mass
//! (Irons and Treharne 1971). At rest λₑ is computed; away from rest it is bounded. With `F = R U`, the elastic part of
//! the stiffness works on `sym(U ∇v)` instead of `sym(∇v)`, and the geometric part is `S : ∇vᵀ∇v`, hence
//!
//! ```text
//! λₑ(F) ≤ (√λₑ(I) + √(c γₑ) |U − I|)² + γₑ |S|,   γₑ = λmax(∫ ∂Nᵀ∂N dV / M),   c = max(3λ + 2μ, 2μ)
//! ```
//!
//! with `|S| ≤ c |E|` and the largest strain E of the body.

use nalgebra::DMatrix;

use super::grid::{Grid, NODES};
use super::kernels::{tangent, Geometric};
use super::laws::{Law, Laws};
use crate::body::kirchhoff::Kirchhoff;
use crate::math::Mat3;

/// What bounds the frequencies of a mesh; the largest over its elements.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct FrequencyBound {
    /// `√λₑ(I)` [1/s].
    rest: f64,
    /// `√(c γₑ)` [1/s].
    gradient: f64,
}

impl FrequencyBound {
    pub fn new(grid: &Grid, laws: &Laws, density: impl Fn(usize) -> f64) -> FrequencyBound {
        let mut bound = FrequencyBound { rest: 0.0, gradient: 0.0 };
        let mut known: Option<(Fingerprint, [f64; 2])> = None;
        for e in 0..laws.elements().len() {
            let law = laws.of(grid, e);
            let fingerprint = Fingerprint::new(grid, e, law, density(e));
            // Neighbours of a regular mesh are congruent, but no two elements are cut alike.
            let values = match &known {
                Some((same, values)) if *same == fingerprint && !grid.is_cut(e) => *values,
                Some(_) | None => of_element(grid, law, e, density(e)),
            };
            known = (!grid.is_cut(e)).then_some((fingerprint, values));
            bound.rest = bound.rest.max(values[0]);
            bound.gradient = bound.gradient.max(values[1]);
        }
        bound
    }

    /// A bound of the frequencies [1/s] while no strain is larger than this.
    pub fn at(&self, strain: f64) -> f64 {
        let stretch = if strain < 0.5 { 1.0 - (1.0 - 2.0 * strain).sqrt() } else { 2.0 * strain };
        let elastic = self.rest + self.gradient * stretch;
        (elastic * elastic + self.gradient * self.gradient * strain).sqrt()
    }
}

/// What the frequencies of a whole element follow from, rounded.
#[derive(PartialEq)]
struct Fingerprint {
    edges: Vec<[f32; 3]>,
    /// Of the nodes in the volume: they follow from the edges unless the density varies within the element.
    shares: [f32; NODES],
    law: Vec<Kirchhoff>,
    density: f64,
}

impl Fingerprint {
    fn new(grid: &Grid, e: usize, law: Law<'_>, density: f64) -> Fingerprint {
        let nodes = grid.cell(e).nodes;
        let at = |node: u32| grid.mesh.nodes[node as usize];
        let edges = nodes.iter().map(|node| (at(*node) - at(nodes[0])).map(|x| x as f32).into()).collect();
        let shares = grid.shares(e).map(|share| share as f32);
        Fingerprint { edges, shares, law: law.all().collect(), density }
    }
}

/// `√λₑ` and `√(c γₑ)` of an element [1/s].
fn of_element(grid: &Grid, law: Law<'_>, e: usize, density: f64) -> [f64; 2] {
    let cell = grid.cell(e);
    let n = cell.nodes.len();
    let mass: Vec<f64> = grid.shares(e)[..n].iter().map(|share| share * density).collect();
    let mut blocks = [Mat3::zeros(); NODES * NODES];
    tangent(grid, law, cell, &grid.mesh.nodes, Geometric::WHOLE, &mut blocks);
    let stiffness = DMatrix::from_fn(3 * n, 3 * n, |i, j| {
        let (a, b) = (i / 3, j / 3);
        blocks[a * n + b][(i % 3, j % 3)] / (mass[a] * mass[b]).sqrt()
    });
    let mut laplace = DMatrix::zeros(n, n);
    for (volume, gradients) in cell.points() {
        for a in 0..n {
            for b in 0..n {
                laplace[(a, b)] += volume * gradients[a].dot(&gradients[b]) / (mass[a] * mass[b]).sqrt();
            }
        }
    }
    let modulus = |law: Kirchhoff| (3.0 * law.lambda + 2.0 * law.mu).max(2.0 * law.mu);
    let modulus = law.all().map(modulus).fold(0.0, f64::max);
    let largest = |matrix: DMatrix<f64>| matrix.symmetric_eigenvalues().max().max(0.0);
    [largest(stiffness).sqrt(), (modulus * largest(laplace)).sqrt()]
}
