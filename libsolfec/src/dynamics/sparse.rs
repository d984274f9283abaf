//! Symmetric block-sparse matrices.

use crate::math::{Mat3, Vec3};

/// A symmetric matrix of 3×3 blocks, by rows, columns ascending; one block for each pair of constraints.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct BlockSparse {
    pub row_offset: Vec<usize>,
    pub column: Vec<u32>,
    pub block: Vec<Mat3>,
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
        self.row(i).fold(Vec3::zeros(), |sum, (j, w)| sum + w * x[j])
    }

    /// The matrix whose upper triangle, diagonal included, is given row by row with columns ascending; the lower
    /// triangle is its transpose bit for bit, and the lower half of diagonal blocks is that of the upper half.
    pub fn from_upper(upper: &[Vec<(u32, Mat3)>]) -> Self {
        let n = upper.len();
        let mut length = vec![0; n];
        for (i, row) in upper.iter().enumerate() {
            length[i] += row.len();
            for &(j, _) in row.iter().filter(|(j, _)| *j as usize != i) {
                length[j as usize] += 1;
            }
        }
        let mut row_offset = vec![0; n + 1];
        for i in 0..n {
            row_offset[i + 1] = row_offset[i] + length[i];
        }
        let mut next = row_offset.clone();
        let mut column = vec![0; row_offset[n]];
        let mut block = vec![Mat3::zeros(); row_offset[n]];
        let mut put = |i: usize, j: usize, w: Mat3| {
            column[next[i]] = j as u32;
            block[next[i]] = w;
            next[i] += 1;
        };
        for (i, row) in upper.iter().enumerate() {
            for &(j, w) in row {
                let j = j as usize;
                if i == j {
                    put(i, i, symmetric(&w));
                } else {
                    put(i, j, w);
                    put(j, i, w.transpose());
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
