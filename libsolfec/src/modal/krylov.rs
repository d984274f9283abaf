//! Smallest eigenvalues of `B` in the complement of known vectors: block Lanczos iteration on `C = (I + s B)⁻¹` with full
//! reorthogonalisation and restarts from Ritz vectors (Golub and Underwood 1977; Wu and Simon 2000).

use nalgebra::{DMatrix, DVector};

use super::scaled::Scaled;
use crate::assembly::random::Random;

/// Vectors that are added at a time; eigenvalues of up to this multiplicity are found at once.
const BLOCK: usize = 6;
/// Residuals cannot be smaller than this multiple of the bound of the eigenvalues.
pub const FLOOR: f64 = 4e-15;
/// A vector lies in a space if what is left of it is smaller than this.
const DEPENDENT: f64 = 1e-10;

type Vector = DVector<f64>;

/// What is searched.
#[derive(Debug, Clone, Copy)]
pub struct Search {
    pub count: usize,
    /// Of the residual `|B y − λ y| / λ`.
    pub tolerance: f64,
    pub restarts: usize,
}

/// Orthonormal vectors with their eigenvalues, ascending.
#[derive(Debug, Clone, Default)]
pub struct Pairs {
    pub values: Vec<f64>,
    pub vectors: Vec<Vector>,
    /// `|B y − λ y|` [1/s²]
    pub residuals: Vec<f64>,
    /// Whether the residuals are as small as was asked for.
    pub converged: bool,
    /// Whether the whole complement of the known vectors has been searched.
    pub exhausted: bool,
    pub restarts: usize,
}

/// The vectors so far, their images under C, and C in them.
struct Space<'a> {
    known: &'a [Vector],
    v: Vec<Vector>,
    image: Vec<Vector>,
    h: DMatrix<f64>,
    random: Random,
    /// Dimension of the complement of the known vectors.
    rank: usize,
}

/// The smallest pairs in the complement of `known`, which is orthonormal and invariant.
pub fn smallest(op: &mut Scaled<'_>, known: &[Vector], search: Search, seed: u64) -> Pairs {
    let rank = op.rank().saturating_sub(known.len());
    let count = search.count.min(rank);
    let limit = rank.min((2 * count + 2 * BLOCK).max(count + 6 * BLOCK));
    let mut space =
        Space { known, v: Vec::new(), image: Vec::new(), h: DMatrix::zeros(0, 0), random: Random::new(seed), rank };
    let mut block: Vec<Vector> = (0..BLOCK).map(|_| space.noise(op)).collect();
    let mut restarts = 0;
    loop {
        space.extend(op, block);
        if space.v.len() == rank {
            return Pairs { exhausted: true, restarts, ..rayleigh_ritz(op, known, space.v, count, search) };
        }
        let (values, ritz) = descending(&space.h);
        let first = (0..count).find(|&k| k >= values.len() || !space.good(op, &ritz.column(k).into_owned(), search));
        let Some(first) = first else {
            let vectors =
                (0..count + BLOCK).filter(|k| *k < values.len()).map(|k| space.combine(&space.image, &ritz, k));
            let pairs = rayleigh_ritz(op, known, vectors.collect(), count, search);
            return Pairs { restarts, ..pairs };
        };
        let residual = |k: usize| space.combine(&space.image, &ritz, k) - space.combine(&space.v, &ritz, k) * values[k];
        block = (first..(first + BLOCK).min(values.len())).map(residual).collect();
        if space.v.len() + BLOCK > limit && limit < rank {
            if restarts == search.restarts {
                let vectors = (0..count).map(|k| space.combine(&space.image, &ritz, k)).collect();
                return Pairs { restarts, ..rayleigh_ritz(op, known, vectors, count, search) };
            }
            restarts += 1;
            space.restart(&values, &ritz, limit - (limit - count) / 2 - BLOCK / 2);
        }
    }
}

impl Space<'_> {
    fn noise(&mut self, op: &Scaled<'_>) -> Vector {
        let numbers = DVector::from_fn(op.len(), |_, _| 2.0 * self.random.unit() - 1.0);
        // Nodes without mass stay out.
        let x = op.unscale(&numbers);
        op.scale(&x)
    }

    /// Adds what is new in these vectors, and noise for those in which nothing is.
    fn extend(&mut self, op: &mut Scaled<'_>, block: Vec<Vector>) {
        for mut vector in block {
            if self.v.len() == self.rank {
                return;
            }
            while !orthonormalise(&mut vector, &[self.known, &self.v]) {
                vector = self.noise(op);
            }
            let mut image = op.invert(&vector);
            remove(&mut image, self.known);
            self.v.push(vector);
            let k = self.v.len();
            let column: Vec<f64> = self.v.iter().map(|v| v.dot(&image)).collect();
            self.image.push(image);
            self.h = self.h.clone().resize(k, k, 0.0);
            for (i, x) in column.into_iter().enumerate() {
                (self.h[(i, k - 1)], self.h[(k - 1, i)]) = (x, x);
            }
        }
    }

    fn combine(&self, vectors: &[Vector], ritz: &DMatrix<f64>, k: usize) -> Vector {
        let mut sum = DVector::zeros(vectors[0].len());
        vectors.iter().zip(ritz.column(k).iter()).for_each(|(vector, share)| sum.axpy(*share, vector, 1.0));
        sum
    }

    /// Whether a Ritz vector is an eigenvector. Its image is smoother than itself and used in its place.
    fn good(&self, op: &Scaled<'_>, ritz: &Vector, search: Search) -> bool {
        let mut y = self.combine(&self.image, &DMatrix::from_column_slice(ritz.len(), 1, ritz.as_slice()), 0);
        y.unscale_mut(y.norm());
        let (value, residual) = quotient(op, self.known, &y);
        residual <= allowed(op, value, search.tolerance)
    }

    /// Keeps the first Ritz vectors.
    fn restart(&mut self, values: &[f64], ritz: &DMatrix<f64>, keep: usize) {
        let v = (0..keep).map(|k| self.combine(&self.v, ritz, k)).collect();
        let image = (0..keep).map(|k| self.combine(&self.image, ritz, k)).collect();
        (self.v, self.image) = (v, image);
        self.h = DMatrix::from_diagonal(&DVector::from_column_slice(&values[..keep]));
    }
}

/// Residual that is small enough for an eigenvalue.
pub fn allowed(op: &Scaled<'_>, value: f64, tolerance: f64) -> f64 {
    (tolerance * value).max(FLOOR * op.bound)
}

/// `λ = yᵀ B y` of a unit vector, and `|B y − λ y|` outside of the known vectors.
fn quotient(op: &Scaled<'_>, known: &[Vector], y: &Vector) -> (f64, f64) {
    let mut product = op.apply(y);
    let value = y.dot(&product);
    product.axpy(-value, y, 1.0);
    remove(&mut product, known);
    (value, product.norm())
}

/// The first pairs of B in the span of these vectors.
fn rayleigh_ritz(op: &Scaled<'_>, known: &[Vector], vectors: Vec<Vector>, count: usize, search: Search) -> Pairs {
    let mut basis: Vec<Vector> = Vec::new();
    for mut vector in vectors {
        if orthonormalise(&mut vector, &[known, &basis]) {
            basis.push(vector);
        }
    }
    let images: Vec<Vector> = basis.iter().map(|y| op.apply(y)).collect();
    let n = basis.len();
    let b = DMatrix::from_fn(n, n, |i, j| 0.5 * (basis[i].dot(&images[j]) + basis[j].dot(&images[i])));
    let (_, ritz) = descending(&-b);
    let mut pairs = Pairs { converged: n >= count, ..Pairs::default() };
    for k in 0..count.min(n) {
        let mut y = DVector::zeros(op.len());
        basis.iter().zip(ritz.column(k).iter()).for_each(|(vector, share)| y.axpy(*share, vector, 1.0));
        y.unscale_mut(y.norm());
        let (value, residual) = quotient(op, known, &y);
        pairs.converged &= residual <= allowed(op, value, search.tolerance);
        pairs.values.push(value);
        pairs.vectors.push(y);
        pairs.residuals.push(residual);
    }
    pairs
}

/// Eigenvalues and eigenvectors of a symmetric matrix, the largest first.
fn descending(matrix: &DMatrix<f64>) -> (Vec<f64>, DMatrix<f64>) {
    let eigen = matrix.clone().symmetric_eigen();
    let mut order: Vec<usize> = (0..matrix.nrows()).collect();
    order.sort_by(|a, b| eigen.eigenvalues[*b].total_cmp(&eigen.eigenvalues[*a]));
    let values = order.iter().map(|k| eigen.eigenvalues[*k]).collect();
    (values, DMatrix::from_fn(matrix.nrows(), order.len(), |i, k| eigen.eigenvectors[(i, order[k])]))
}

fn remove(vector: &mut Vector, from: &[Vector]) {
    for other in from {
        let share = other.dot(vector);
        vector.axpy(-share, other, 1.0);
    }
}

/// Makes a vector orthogonal to others and unit; false if it lies in their span.
fn orthonormalise(vector: &mut Vector, others: &[&[Vector]]) -> bool {
    let whole = vector.norm();
    if !(whole > 0.0 && whole.is_finite()) {
        return false;
    }
    vector.unscale_mut(whole);
    for _ in 0..3 {
        others.iter().for_each(|others| remove(vector, others));
        let left = vector.norm();
        if left < DEPENDENT {
            return false;
        }
        vector.unscale_mut(left);
    }
    true
}
