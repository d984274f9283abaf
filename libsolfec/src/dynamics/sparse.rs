//! Symmetric block-sparse matrices.

use crate::math::{Mat3, Vec3, Wide};

/// A symmetric matrix of 3×3 blocks, by rows, columns ascending; one block for each pair of constraints.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct BlockSparse {
    pub row_offset: Vec<usize>,
    pub column: Vec<u32>,
    pub block: Vec<Mat3>,
}

/// Columns of each row of a matrix whose pattern is symmetric, ascending, the diagonal included.
#[derive(Debug, Clone, PartialEq, Default)]
pub(super) struct Pattern {
    pub row_offset: Vec<usize>,
    pub column: Vec<u32>,
}

impl Pattern {
    /// The pattern of `n` rows whose upper triangle is given, columns ascending.
    pub fn from_upper<R: Iterator<Item = u32>>(n: usize, upper: impl Fn(usize) -> R) -> Self {
        let mut row_offset = vec![0; n + 1];
        for i in 0..n {
            for j in upper(i) {
                row_offset[i + 1] += 1;
                row_offset[j as usize + 1] += usize::from(j as usize != i);
            }
        }
        for i in 0..n {
            row_offset[i + 1] += row_offset[i];
        }
        let mut next = row_offset.clone();
        let mut column = vec![0; row_offset[n]];
        let mut put = |i: usize, j: usize| {
            column[next[i]] = j as u32;
            next[i] += 1;
        };
        for i in 0..n {
            for j in upper(i) {
                put(i, j as usize);
                if j as usize != i {
                    put(j as usize, i);
                }
            }
        }
        Pattern { row_offset, column }
    }

    /// Columns of row `i`.
    pub fn row(&self, i: usize) -> &[u32] {
        &self.column[self.row_offset[i]..self.row_offset[i + 1]]
    }

    /// Place of entry `(i, j)`, which is in the pattern, among all columns.
    pub fn place(&self, i: u32, j: u32) -> u32 {
        let start = self.row_offset[i as usize];
        let columns = &self.column[start..self.row_offset[i as usize + 1]];
        (start + columns.partition_point(|&column| column < j)) as u32
    }
}

impl BlockSparse {
    /// Number of block rows.
    pub fn rows(&self) -> usize {
        self.row_offset.len().saturating_sub(1)
    }

    /// Columns and blocks of row `i`.
    pub fn row(&self, i: usize) -> impl Iterator<Item = (usize, &Mat3)> {
        let range = self.row_offset[i]..self.row_offset[i + 1];
        self.column[range.clone()].iter().map(|&j| j as usize).zip(&self.block[range])
    }

    /// Block `(i, j)`, if stored.
    pub fn get(&self, i: usize, j: usize) -> Option<&Mat3> {
        let start = self.row_offset[i];
        let columns = &self.column[start..self.row_offset[i + 1]];
        let at = columns.binary_search(&(j as u32)).ok()?;
        Some(&self.block[start + at])
    }

    /// Row `i` of the product with `x`.
    pub fn row_product(&self, i: usize, x: &[Vec3]) -> Vec3 {
        // The columns of a block follow each other: the first two begin four numbers each, and the third ends four.
        let mut sums = [Wide::ZERO; 3];
        for (j, w) in self.row(i) {
            let (w, x) = (w.as_slice(), &x[j]);
            let four = |k: usize| Wide::new([w[k], w[k + 1], w[k + 2], w[k + 3]]);
            sums[0] += four(0) * Wide::splat(x.x);
            sums[1] += four(3) * Wide::splat(x.y);
            sums[2] += four(5) * Wide::splat(x.z);
        }
        let [x, y, z, _] = (sums[0] + sums[1]).to_array();
        let [_, u, v, w] = sums[2].to_array();
        Vec3::new(x + u, y + v, z + w)
    }

    /// The matrix with its rows and columns in another order: row `k` is what row `order[k]` was.
    pub fn reordered(&self, order: &[u32]) -> Self {
        let mut place = vec![0; order.len()];
        (0..).zip(order).for_each(|(new, old)| place[*old as usize] = new);
        let (mut row_offset, mut column, mut block) = (vec![0], Vec::new(), Vec::new());
        for &old in order {
            let mut row: Vec<(u32, &Mat3)> = self.row(old as usize).map(|(j, w)| (place[j], w)).collect();
            row.sort_unstable_by_key(|(j, _)| *j);
            column.extend(row.iter().map(|(j, _)| *j));
            block.extend(row.iter().map(|(_, w)| **w));
            row_offset.push(column.len());
        }
        BlockSparse { row_offset, column, block }
    }

    /// The matrix whose upper triangle, diagonal included, is given row by row with columns ascending; the lower
    /// triangle is its transpose bit for bit, and the lower half of diagonal blocks is that of the upper half.
    pub fn from_upper(upper: &[Vec<(u32, Mat3)>]) -> Self {
        let n = upper.len();
        let Pattern { row_offset, column } = Pattern::from_upper(n, |i| upper[i].iter().map(|(j, _)| *j));
        let mut next = row_offset.clone();
        let mut block = vec![Mat3::zeros(); row_offset[n]];
        let mut put = |i: usize, w: Mat3| {
            block[next[i]] = w;
            next[i] += 1;
        };
        for (i, row) in upper.iter().enumerate() {
            for &(j, w) in row {
                let j = j as usize;
                if i == j {
                    put(i, symmetric(&w));
                } else {
                    put(i, w);
                    put(j, w.transpose());
                }
            }
        }
        BlockSparse { row_offset, column, block }
    }
}

/// `w` with its lower half replaced by its upper half.
pub(super) fn symmetric(w: &Mat3) -> Mat3 {
    Mat3::new(w.m11, w.m12, w.m13, w.m12, w.m22, w.m23, w.m13, w.m23, w.m33)
}
