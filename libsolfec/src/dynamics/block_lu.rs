//! Sparse LU factors of matrices of 3×3 blocks with a symmetric pattern, front by front (the multifrontal method).
//!
//! The rows of a front are assembled from the matrix and from what its children in the tree of fronts have left; its
//! own rows are eliminated, with pivots among themselves, and the remainder is left to its parent. Pivots within fronts
//! are enough here: the matrices are positive definite up to the non-symmetry of friction, and line searches check the
//! steps made with them.

use super::elimination::{Elimination, Front};
use super::sparse::Pattern;
use crate::math::{Mat3, Vec3};

/// Where a block is among the numbers of the factors.
#[derive(Debug, Clone, Copy)]
struct Place {
    at: usize,
    stride: usize,
}

/// Where the numbers of a front are. `upper`: its own rows, with the columns of all. `lower`: its other rows, with its
/// own columns. Both row by row.
#[derive(Debug, Clone, Copy)]
struct Numbers {
    upper: usize,
    lower: usize,
}

/// The factors of matrices of one pattern.
#[derive(Debug, Clone)]
pub(super) struct BlockLu {
    pattern: Pattern,
    elimination: Elimination,
    /// Of the entries of the pattern.
    entry: Vec<Place>,
    front: Vec<Numbers>,
    value: Vec<f64>,
    /// Row that was exchanged with each row of the factors, within its front.
    exchange: Vec<u32>,
    /// Remainders that wait for their parents, the fronts that left them, and the remainder in the making.
    waiting: Vec<f64>,
    pending: Vec<u32>,
    remainder: Vec<f64>,
    y: Vec<f64>,
    others: Vec<f64>,
}

impl BlockLu {
    /// Order and pattern of the factors of matrices of this pattern; `None` when they would take gigabytes.
    pub fn new(pattern: &Pattern) -> Option<Self> {
        let elimination = Elimination::new(&pattern.row_offset, &pattern.column)?;
        let n = elimination.order.len();
        let (mut front, mut end) = (Vec::new(), 0);
        for f in &elimination.fronts {
            let (own, others) = (3 * f.own as usize, 3 * f.others.len());
            let upper = end;
            let lower = upper + own * (own + others);
            front.push(Numbers { upper, lower });
            end = lower + others * own;
        }
        let most_others = elimination.fronts.iter().map(|f| 3 * f.others.len()).max().unwrap_or(0);
        let mut lu = BlockLu {
            pattern: pattern.clone(),
            entry: Vec::new(),
            front,
            value: vec![0.0; end],
            exchange: vec![0; 3 * n],
            waiting: Vec::new(),
            pending: Vec::new(),
            remainder: vec![0.0; most_others * most_others],
            y: vec![0.0; 3 * n],
            others: vec![0.0; most_others],
            elimination,
        };
        lu.place_entries();
        Some(lu)
    }

    fn place_entries(&mut self) {
        let Elimination { place, fronts, .. } = &self.elimination;
        let owner = self.elimination.owners();
        for i in 0..place.len() {
            for &j in self.pattern.row(i) {
                let (a, b) = (place[i], place[j as usize]);
                let k = owner[a.min(b) as usize] as usize;
                let (front, at) = (&fronts[k], self.front[k]);
                let (row, column) = (front.position(a), front.position(b));
                let own = front.own as usize;
                self.entry.push(if row < own {
                    let stride = 3 * front.size();
                    Place { at: at.upper + 3 * (row * stride + column), stride }
                } else {
                    Place { at: at.lower + 3 * ((row - own) * 3 * own + column), stride: 3 * own }
                });
            }
        }
    }

    /// The pattern of the matrices.
    pub fn pattern(&self) -> &Pattern {
        &self.pattern
    }

    /// Products of blocks that one factorisation takes.
    pub fn products(&self) -> usize {
        let degrees = |front: &Front| {
            let size = front.size();
            (0..front.own as usize).map(move |k| (size - k - 1) * (size - k + 1)).sum::<usize>()
        };
        self.elimination.fronts.iter().map(degrees).sum()
    }

    /// Begins a matrix: all zeros.
    pub fn clear(&mut self) {
        self.value.fill(0.0);
    }

    /// Adds `block` to the entry of this place in the pattern.
    #[inline(always)]
    pub fn add(&mut self, entry: usize, block: &Mat3) {
        let Place { at, stride } = self.entry[entry];
        for i in 0..3 {
            let row = &mut self.value[at + i * stride..at + i * stride + 3];
            row[0] += block[(i, 0)];
            row[1] += block[(i, 1)];
            row[2] += block[(i, 2)];
        }
    }

    /// Factors the matrix that was added up; false when it is singular.
    pub fn factor(&mut self) -> bool {
        self.waiting.clear();
        self.pending.clear();
        let fronts = &self.elimination.fronts;
        for (k, front) in fronts.iter().enumerate() {
            let (own, others) = (3 * front.own as usize, 3 * front.others.len());
            let size = own + others;
            let Numbers { upper, lower } = self.front[k];
            let (top, low) = self.value[upper..lower + others * own].split_at_mut(lower - upper);
            let rest = &mut self.remainder[..others * others];
            rest.fill(0.0);
            for _ in 0..front.children {
                let Some(child) = self.pending.pop().map(|child| &fronts[child as usize]) else { break };
                let from = self.waiting.len() - 9 * child.others.len().pow(2);
                take_over(&self.waiting[from..], &child.target, front, (top, low, rest));
                self.waiting.truncate(from);
            }
            let exchange = &mut self.exchange[3 * front.first as usize..][..own];
            if !eliminate(top, size, exchange) {
                return false;
            }
            for low in low.chunks_exact_mut(own) {
                divide(low, top, size);
            }
            subtract(low, rest, top, (own, size));
            self.waiting.extend_from_slice(rest);
            self.pending.push(k as u32);
        }
        self.value.iter().all(|x| x.is_finite())
    }

    /// The solution for right side `b`, in place.
    pub fn solve(&mut self, b: &mut [Vec3]) {
        let Elimination { order, fronts, .. } = &self.elimination;
        for (y, &i) in self.y.chunks_exact_mut(3).zip(order) {
            y.copy_from_slice(b[i as usize].as_slice());
        }
        for (front, at) in fronts.iter().zip(&self.front) {
            let (first, own) = (3 * front.first as usize, 3 * front.own as usize);
            let size = 3 * front.size();
            let (before, after) = self.y.split_at_mut(first + own);
            let y = &mut before[first..];
            for (i, &other) in self.exchange[first..first + own].iter().enumerate() {
                y.swap(i, other as usize);
            }
            for i in 1..own {
                y[i] -= dot(&self.value[at.upper + i * size..][..i], &y[..i]);
            }
            let lower = self.value[at.lower..][..own * 3 * front.others.len()].chunks_exact(3 * own);
            for (rows, &place) in lower.zip(&front.others) {
                let out = &mut after[3 * place as usize - first - own..][..3];
                for (out, row) in out.iter_mut().zip(rows.chunks_exact(own)) {
                    *out -= dot(row, y);
                }
            }
        }
        for (front, at) in fronts.iter().zip(&self.front).rev() {
            let (first, own) = (3 * front.first as usize, 3 * front.own as usize);
            let size = 3 * front.size();
            let others = &mut self.others[..size - own];
            for (out, &place) in others.chunks_exact_mut(3).zip(&front.others) {
                out.copy_from_slice(&self.y[3 * place as usize..][..3]);
            }
            let y = &mut self.y[first..first + own];
            for i in (0..own).rev() {
                let row = &self.value[at.upper + i * size..][..size];
                let sum = dot(&row[i + 1..own], &y[i + 1..]) + dot(&row[own..], others);
                y[i] = (y[i] - sum) / row[i];
            }
        }
        for (y, &i) in self.y.chunks_exact(3).zip(order) {
            b[i as usize].copy_from_slice(y);
        }
    }
}

/// Adds what a child left to the rows of a front.
fn take_over(left: &[f64], target: &[u32], front: &Front, (top, low, rest): (&mut [f64], &mut [f64], &mut [f64])) {
    let (own, size) = (front.own as usize, front.size());
    let width = 3 * target.len();
    for (i, &row) in target.iter().enumerate() {
        for k in 0..3 {
            let source = left[(3 * i + k) * width..][..width].chunks_exact(3);
            let row = 3 * row as usize + k;
            if row < 3 * own {
                let out = &mut top[row * 3 * size..][..3 * size];
                source.zip(target).for_each(|(x, &at)| add3(&mut out[3 * at as usize..], x));
            } else {
                let row = row - 3 * own;
                let (low, rest) = (&mut low[row * 3 * own..][..3 * own], &mut rest[row * 3 * (size - own)..]);
                for (x, &at) in source.zip(target) {
                    match (at as usize).checked_sub(own) {
                        Some(at) => add3(&mut rest[3 * at..], x),
                        None => add3(&mut low[3 * at as usize..], x),
                    }
                }
            }
        }
    }
}

#[inline(always)]
fn add3(out: &mut [f64], x: &[f64]) {
    let out = &mut out[..3];
    out[0] += x[0];
    out[1] += x[1];
    out[2] += x[2];
}

/// Eliminates the own rows of a front, of `size` columns each, with exchanges of rows; false when they are singular.
fn eliminate(top: &mut [f64], size: usize, exchange: &mut [u32]) -> bool {
    let own = exchange.len();
    for p in 0..own {
        let largest = (p..own).fold(p, |best, i| {
            let entry = |i: usize| top[i * size + p].abs();
            if entry(i) > entry(best) {
                i
            } else {
                best
            }
        });
        exchange[p] = largest as u32;
        let (before, after) = top.split_at_mut((p + 1) * size);
        if largest > p {
            before[p * size..].swap_with_slice(&mut after[(largest - p - 1) * size..][..size]);
        }
        let pivot = &before[p * size..];
        if pivot[p] == 0.0 || !pivot[p].is_finite() {
            return false;
        }
        for row in after.chunks_exact_mut(size) {
            let factor = row[p] / pivot[p];
            row[p] = factor;
            if factor != 0.0 {
                row[p + 1..].iter_mut().zip(&pivot[p + 1..]).for_each(|(x, p)| *x -= factor * p);
            }
        }
    }
    true
}

/// The own columns `low` of another row of a front, divided by the pivots.
fn divide(low: &mut [f64], top: &[f64], size: usize) {
    let own = low.len();
    for p in 0..own {
        let pivot = &top[p * size..][..own];
        low[p] /= pivot[p];
        let factor = low[p];
        if factor != 0.0 {
            low[p + 1..].iter_mut().zip(&pivot[p + 1..]).for_each(|(x, p)| *x -= factor * p);
        }
    }
}

/// `rest -= low × top`, with the columns of `top` after its own ones: three rows and three pivots at a time, which are
/// those of a block each.
fn subtract(low: &[f64], rest: &mut [f64], top: &[f64], (own, size): (usize, usize)) {
    let n = size - own;
    if n == 0 {
        return;
    }
    for (low, rest) in low.chunks_exact(3 * own).zip(rest.chunks_exact_mut(3 * n)) {
        let (x, rest) = rest.split_at_mut(n);
        let (y, z) = rest.split_at_mut(n);
        let z = &mut z[..n];
        for p in (0..own).step_by(3) {
            let [a, b, c] = [p, p + 1, p + 2].map(|p| &top[p * size + own..][..n]);
            let [l, m, k] = [0, 1, 2].map(|i| [low[i * own + p], low[i * own + p + 1], low[i * own + p + 2]]);
            // Rows of open contacts have nothing to take away.
            if [l, m, k] == [[0.0; 3]; 3] {
                continue;
            }
            for j in 0..n {
                let (a, b, c) = (a[j], b[j], c[j]);
                x[j] -= l[0] * a + l[1] * b + l[2] * c;
                y[j] -= m[0] * a + m[1] * b + m[2] * c;
                z[j] -= k[0] * a + k[1] * b + k[2] * c;
            }
        }
    }
}

/// The scalar product, in four interleaved sums.
fn dot(a: &[f64], b: &[f64]) -> f64 {
    let mut sums = [0.0; 4];
    let (x, y) = (a.chunks_exact(4), b[..a.len()].chunks_exact(4));
    let tail: f64 = x.remainder().iter().zip(y.remainder()).map(|(x, y)| x * y).sum();
    for (x, y) in x.zip(y) {
        for k in 0..4 {
            sums[k] += x[k] * y[k];
        }
    }
    (sums[0] + sums[1]) + (sums[2] + sums[3]) + tail
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dynamics::BlockSparse;

    /// A chain of blocks with two long-range couplings against the residual of the solution.
    #[test]
    fn solves_a_sparse_system() {
        let block = |k: f64| Mat3::new(0.3, 0.1 * k, -0.2, 0.0, 0.4, 0.1, 0.2, -0.1 * k, 0.5) * (0.1 * k).cos();
        let n = 12;
        let mut upper: Vec<Vec<(u32, Mat3)>> = (0..n).map(|i| vec![(i as u32, block(i as f64))]).collect();
        for (i, row) in upper.iter_mut().take(n - 1).enumerate() {
            row.push((i as u32 + 1, block(0.5 * i as f64)));
        }
        upper[0].push((7, block(3.0)));
        upper[2].push((11, block(2.0)));
        let w = BlockSparse::from_upper(&upper);
        let x: Vec<Mat3> = (0..n).map(|i| Mat3::identity() * (1.0 + 0.1 * i as f64)).collect();
        let y: Vec<Mat3> = (0..n).map(|i| Mat3::identity() * 2.0 + block(0.3 * i as f64)).collect();
        let b: Vec<Vec3> = (0..n).map(|i| Vec3::new(1.0, i as f64, -0.5 * i as f64)).collect();
        let pattern = Pattern { row_offset: w.row_offset.clone(), column: w.column.clone() };
        let mut lu = BlockLu::new(&pattern).unwrap();
        for i in 0..n {
            for (entry, (j, block)) in (w.row_offset[i]..).zip(w.row(i)) {
                lu.add(entry, &(x[i] * block));
                if j == i {
                    lu.add(entry, &y[i]);
                }
            }
        }
        assert!(lu.factor());
        let mut s = b.clone();
        lu.solve(&mut s);
        for i in 0..n {
            let left = x[i] * w.row_product(i, &s) + y[i] * s[i];
            assert!((left - b[i]).norm() < 1e-12, "row {i}: {left} {}", b[i]);
        }
    }
}
