//! Smallest eigenvalues of `B` in the complement of known vectors: block Lanczos iteration on `C = (I + s B)⁻¹` with full
//! reorthogonalisation and restarts from Ritz vectors (Golub and Underwood 1977; Wu and Simon 2000).

use nalgebra::{DMatrix, DVector};

use super::scaled::Scaled;
use crate::assembly::random::Random;

/// Vectors that are added at a time; eigenvalues of up to this multiplicity are found at once.
const BLOCK: usize = 6;
/// Blocks from one look at Ritz vectors to the next.
const BETWEEN: usize = 4;
/// Residuals cannot be smaller than this multiple of the bound of the eigenvalues.
pub const FLOOR: f64 = 4e-15;
/// Eigenvectors are locked where their eigenvalues of C are larger than others by this factor: rounding of the largest
/// would hide the smallest.
const APART: f64 = 100.0;
/// A vector lies in a space if what is left of it is smaller than this.
const DEPENDENT: f64 = 1e-10;

type Vector = DVector<f64>;

/// What is searched.
#[derive(Debug, Clone, Copy)]
pub struct Search {
    pub count: usize,
    /// Of the residual `|B y − λ y| / |λ|`.
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
struct Space {
    /// Those that are given and those found since that are locked.
    known: Vec<Vector>,
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
    let mut space = Space {
        known: known.to_vec(),
        v: Vec::new(),
        image: Vec::new(),
        h: DMatrix::zeros(0, 0),
        random: Random::new(seed),
        rank,
    };
    let mut block: Vec<Vector> = (0..BLOCK).map(|_| space.noise(op)).collect();
    let mut restarts = 0;
    let mut look = (count + BLOCK).min(space.limit(count));
    loop {
        space.extend(op, block);
        let (locked, left) = space.locked(known.len(), count);
        let finish = |op: &Scaled<'_>, vectors: Vec<Vector>, restarts: usize| {
            let all = locked.iter().cloned().chain(vectors).collect();
            Pairs { restarts, ..rayleigh_ritz(op, known, all, count, search) }
        };
        if space.v.len() == space.rank {
            return Pairs { exhausted: true, ..finish(op, space.v, restarts) };
        }
        let have = space.v.len();
        if have < look {
            block = space.image[have - BLOCK.min(have)..].to_vec();
            continue;
        }
        let (values, ritz) = descending(&space.h);
        let mut good = space.good(op, &ritz, left, search);
        let first = good.len();
        if first == left {
            let more = (left..left + BLOCK).filter(|k| *k < values.len());
            let more = more.map(|k| space.combine(&space.image, &ritz, k));
            let found = finish(op, good.iter().cloned().chain(more).collect(), restarts);
            // The last may be one of several that are equal, and mixed with those of them that are not good yet.
            if found.converged || restarts == search.restarts {
                return found;
            }
        }
        let residual = |k: usize| space.combine(&space.image, &ritz, k) - space.combine(&space.v, &ritz, k) * values[k];
        block = (first..(first + BLOCK).min(values.len())).map(residual).collect();
        let mut limit = space.limit(left);
        if space.v.len() + BLOCK > limit && limit < space.rank {
            if restarts == search.restarts {
                let vectors = (0..left).map(|k| space.combine(&space.image, &ritz, k)).collect();
                return finish(op, vectors, restarts);
            }
            restarts += 1;
            good.truncate((0..first).filter(|k| values[*k] > APART * values[first]).count());
            let left = left - good.len();
            space.restart(op, (&values, &ritz), good, left + 2 * BLOCK);
            limit = space.limit(left);
        }
        look = (space.v.len() + BETWEEN * BLOCK).min(limit - BLOCK + 1);
    }
}

impl Space {
    /// The vectors found that are locked, beside so many that were given, and how many of `count` are left to find.
    fn locked(&self, given: usize, count: usize) -> (Vec<Vector>, usize) {
        let locked = self.known[given..].to_vec();
        let left = count - locked.len();
        (locked, left)
    }

    /// Most vectors where so many are to be found.
    fn limit(&self, left: usize) -> usize {
        self.rank.min(2 * left + 8 * BLOCK)
    }

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
            while !orthonormalise(&mut vector, &[&self.known, &self.v]) {
                vector = self.noise(op);
            }
            let mut image = op.invert(&vector);
            remove(&mut image, &self.known);
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

    /// The first Ritz vectors, up to `count`, as far as they are eigenvectors. The image of a Ritz vector is smoother
    /// than itself and used in its place, without what rounding has left in it of those before.
    fn good(&self, op: &Scaled<'_>, ritz: &DMatrix<f64>, count: usize, search: Search) -> Vec<Vector> {
        let mut good: Vec<Vector> = Vec::new();
        for k in 0..count.min(ritz.ncols()) {
            let mut y = self.combine(&self.image, ritz, k);
            if !orthonormalise(&mut y, &[&self.known, &good]) {
                break;
            }
            let (value, residual) = quotient(op, &[&self.known, &good], &y);
            if residual > allowed(op, value, search.tolerance) {
                break;
            }
            good.push(y);
        }
        good
    }

    /// Locks the first Ritz vectors, which are these eigenvectors, and keeps as many as are wanted of those after them.
    /// Their images are made anew then: those so far are sums of images that are far larger, and so are their errors.
    fn restart(
        &mut self,
        op: &mut Scaled<'_>,
        (values, ritz): (&[f64], &DMatrix<f64>),
        lock: Vec<Vector>,
        keep: usize,
    ) {
        let range = lock.len()..lock.len() + keep;
        let kept: Vec<Vector> = range.clone().map(|k| self.combine(&self.v, ritz, k)).collect();
        if lock.is_empty() {
            self.image = range.clone().map(|k| self.combine(&self.image, ritz, k)).collect();
            self.h = DMatrix::from_diagonal(&DVector::from_column_slice(&values[range]));
            self.v = kept;
            return;
        }
        self.rank -= lock.len();
        self.known.extend(lock);
        (self.v, self.image, self.h) = (Vec::new(), Vec::new(), DMatrix::zeros(0, 0));
        self.extend(op, kept);
    }
}

/// Residual that is small enough for an eigenvalue.
pub fn allowed(op: &Scaled<'_>, value: f64, tolerance: f64) -> f64 {
    (tolerance * value.abs()).max(FLOOR * op.bound)
}

/// `λ = yᵀ B y` of a unit vector, and `|B y − λ y|` outside of the known vectors.
fn quotient(op: &Scaled<'_>, known: &[&[Vector]], y: &Vector) -> (f64, f64) {
    let mut product = op.apply(y);
    let value = y.dot(&product);
    product.axpy(-value, y, 1.0);
    known.iter().for_each(|known| remove(&mut product, known));
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
        let (value, residual) = quotient(op, &[known], &y);
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
