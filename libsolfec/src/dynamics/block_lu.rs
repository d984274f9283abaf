//! Sparse LU factors of matrices of 3×3 blocks with a symmetric pattern.
//!
//! Pivots are the diagonal blocks in an order of minimum degree (Amestoy, Davis and Duff 1996), chosen once. That is
//! enough here: the matrices are positive definite up to the non-symmetry of friction, and line searches check the
//! steps made with them.

use faer::dyn_stack::{MemBuffer, MemStack};
use faer::sparse::linalg::amd;
use faer::sparse::SymbolicSparseColMatRef;

use crate::math::{Mat3, Vec3};

/// Most blocks of each triangular factor.
pub(super) const MOST_ENTRIES: usize = 10_000_000;

/// Columns of each row of a triangular factor, ascending.
#[derive(Debug, Clone, Default)]
struct Rows {
    offset: Vec<usize>,
    column: Vec<u32>,
}

impl Rows {
    fn range(&self, row: usize) -> std::ops::Range<usize> {
        self.offset[row]..self.offset[row + 1]
    }

    fn row(&self, row: usize) -> &[u32] {
        &self.column[self.range(row)]
    }

    fn gather(rows: &[Vec<u32>]) -> Self {
        let mut offset = vec![0];
        offset.extend(rows.iter().scan(0, |end, row| {
            *end += row.len();
            Some(*end)
        }));
        Rows { offset, column: rows.concat() }
    }

    fn transposed(&self) -> Self {
        let mut rows = vec![Vec::new(); self.offset.len() - 1];
        for i in 0..rows.len() {
            for &j in self.row(i) {
                rows[j as usize].push(i as u32);
            }
        }
        Self::gather(&rows)
    }
}

/// The factors; rows and columns inside are numbered in the order of elimination.
#[derive(Debug, Clone)]
pub(super) struct BlockLu {
    /// Row of the matrix that is eliminated k-th, and its inverse.
    order: Vec<u32>,
    place: Vec<u32>,
    lower: Rows,
    upper: Rows,
    l: Vec<Mat3>,
    u: Vec<Mat3>,
    /// Inverses of the pivots.
    pivot: Vec<Mat3>,
    row: Vec<Mat3>,
    y: Vec<Vec3>,
}

impl BlockLu {
    /// Order and pattern of the factors; `None` when they would take gigabytes.
    pub fn new(row_offset: &[usize], column: &[u32]) -> Option<Self> {
        let n = row_offset.len().saturating_sub(1);
        let order = minimum_degree(row_offset, column);
        let mut place = vec![0; n];
        for (k, &i) in order.iter().enumerate() {
            place[i as usize] = k as u32;
        }
        let upper = Rows::gather(&fill(row_offset, column, &place)?);
        let lower = upper.transposed();
        let entries = upper.column.len();
        Some(BlockLu {
            order,
            place,
            lower,
            upper,
            l: vec![Mat3::zeros(); entries],
            u: vec![Mat3::zeros(); entries],
            pivot: vec![Mat3::zeros(); n],
            row: vec![Mat3::zeros(); n],
            y: vec![Vec3::zeros(); n],
        })
    }

    /// Products of blocks that one factorisation takes.
    pub fn products(&self) -> usize {
        let degree = |k: usize| self.upper.range(k).len();
        (0..self.pivot.len()).map(|k| degree(k) * (degree(k) + 2)).sum()
    }

    /// Factors the matrix whose row `i` is the sum of `diagonal(i)` and the columns and blocks `row(i)`; false when a
    /// pivot is singular.
    pub fn factor<R: Iterator<Item = (usize, Mat3)>>(
        &mut self,
        diagonal: impl Fn(usize) -> Mat3,
        row: impl Fn(usize) -> R,
    ) -> bool {
        for k in 0..self.order.len() {
            let i = self.order[k] as usize;
            let (lower, upper) = (self.lower.range(k), self.upper.range(k));
            for &j in self.lower.row(k).iter().chain(self.upper.row(k)) {
                self.row[j as usize] = Mat3::zeros();
            }
            self.row[k] = diagonal(i);
            for (j, block) in row(i) {
                self.row[self.place[j] as usize] += block;
            }
            for at in lower {
                let j = self.lower.column[at] as usize;
                let l = self.row[j] * self.pivot[j];
                self.l[at] = l;
                if l != Mat3::zeros() {
                    for c in self.upper.range(j) {
                        self.row[self.upper.column[c] as usize] -= l * self.u[c];
                    }
                }
            }
            match self.row[k].try_inverse() {
                Some(inverse) if inverse.iter().all(|x| x.is_finite()) => self.pivot[k] = inverse,
                _ => return false,
            }
            for at in upper {
                self.u[at] = self.row[self.upper.column[at] as usize];
            }
        }
        true
    }

    /// The solution for right side `b`, in place.
    pub fn solve(&mut self, b: &mut [Vec3]) {
        let n = self.order.len();
        for k in 0..n {
            let mut sum = b[self.order[k] as usize];
            for at in self.lower.range(k) {
                sum -= self.l[at] * self.y[self.lower.column[at] as usize];
            }
            self.y[k] = sum;
        }
        for k in (0..n).rev() {
            let mut sum = self.y[k];
            for at in self.upper.range(k) {
                sum -= self.u[at] * self.y[self.upper.column[at] as usize];
            }
            self.y[k] = self.pivot[k] * sum;
            b[self.order[k] as usize] = self.y[k];
        }
    }
}

/// An order of elimination with little fill.
fn minimum_degree(row_offset: &[usize], column: &[u32]) -> Vec<u32> {
    let n = row_offset.len().saturating_sub(1);
    let offset: Vec<u32> = row_offset.iter().map(|&o| o as u32).collect();
    let natural = || (0..n as u32).collect();
    if n == 0 {
        return natural();
    }
    let pattern = SymbolicSparseColMatRef::new_checked(n, n, &offset, None, column);
    let Ok(mut memory) = MemBuffer::try_new(amd::order_scratch::<u32>(n, column.len())) else { return natural() };
    let (mut order, mut place) = (vec![0; n], vec![0; n]);
    let stack = MemStack::new(&mut memory);
    match amd::order(&mut order, &mut place, pattern, amd::Control::default(), stack) {
        Ok(_) => order,
        Err(_) => natural(),
    }
}

/// Columns right of the diagonal of each row of the upper factor: those of the matrix and of the rows' children in the
/// elimination tree.
fn fill(row_offset: &[usize], column: &[u32], place: &[u32]) -> Option<Vec<Vec<u32>>> {
    let n = place.len();
    let mut rows: Vec<Vec<u32>> = vec![Vec::new(); n];
    for (i, &k) in place.iter().enumerate() {
        for &j in &column[row_offset[i]..row_offset[i + 1]] {
            let (a, b) = (k.min(place[j as usize]), k.max(place[j as usize]));
            if a != b {
                rows[a as usize].push(b);
            }
        }
    }
    let mut entries = 0;
    for k in 0..n {
        rows[k].sort_unstable();
        rows[k].dedup();
        entries += rows[k].len();
        if entries > MOST_ENTRIES {
            return None;
        }
        if let Some(&parent) = rows[k].first() {
            let inherited = rows[k][1..].to_vec();
            rows[parent as usize].extend(inherited);
        }
    }
    Some(rows)
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
        let mut lu = BlockLu::new(&w.row_offset, &w.column).unwrap();
        let row = |i: usize| {
            let x = x[i];
            w.row(i).map(move |(j, block)| (j, x * block))
        };
        assert!(lu.factor(|i| y[i], row));
        let mut s = b.clone();
        lu.solve(&mut s);
        for i in 0..n {
            let left = x[i] * w.row_product(i, &s) + y[i] * s[i];
            assert!((left - b[i]).norm() < 1e-12, "row {i}: {left} {}", b[i]);
        }
    }
}
