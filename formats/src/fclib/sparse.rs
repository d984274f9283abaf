//! Scalar sparse matrices by rows.

/// A matrix by rows, columns ascending, each entry once.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Sparse {
    pub rows: usize,
    pub columns: usize,
    /// `rows + 1` offsets into `column` and `value`.
    pub offset: Vec<usize>,
    pub column: Vec<usize>,
    pub value: Vec<f64>,
}

impl Sparse {
    /// The matrix of entries `(row, column, value)`, which must lie inside; equal places are summed in their order.
    pub fn new(rows: usize, columns: usize, mut entries: Vec<(usize, usize, f64)>) -> Self {
        entries.sort_by_key(|&(i, j, _)| (i, j));
        let mut offset = vec![0; rows + 1];
        let (mut column, mut value) = (Vec::with_capacity(entries.len()), Vec::<f64>::with_capacity(entries.len()));
        let mut last = None;
        for (i, j, x) in entries {
            match value.last_mut() {
                Some(sum) if last == Some((i, j)) => *sum += x,
                _ => {
                    column.push(j);
                    value.push(x);
                    offset[i + 1] += 1;
                }
            }
            last = Some((i, j));
        }
        for i in 0..rows {
            offset[i + 1] += offset[i];
        }
        Sparse { rows, columns, offset, column, value }
    }

    /// Columns and values of row `i`.
    pub fn row(&self, i: usize) -> impl Iterator<Item = (usize, f64)> + '_ {
        let range = self.offset[i]..self.offset[i + 1];
        self.column[range.clone()].iter().copied().zip(self.value[range].iter().copied())
    }

    /// All entries, row by row.
    pub fn entries(&self) -> impl Iterator<Item = (usize, usize, f64)> + '_ {
        (0..self.rows).flat_map(|i| self.row(i).map(move |(j, x)| (i, j, x)))
    }

    /// `y += A x`.
    pub fn add_product(&self, x: &[f64], y: &mut [f64]) {
        for (i, y) in y.iter_mut().enumerate() {
            *y += self.row(i).map(|(j, a)| a * x[j]).sum::<f64>();
        }
    }

    /// `y += Aᵀ x`.
    pub fn add_transposed_product(&self, x: &[f64], y: &mut [f64]) {
        for (i, j, a) in self.entries() {
            y[j] += a * x[i];
        }
    }

    /// The same matrix with row `i` at `row(i)` and column `j` at `column(j)`, which must be permutations.
    pub fn permuted(&self, row: impl Fn(usize) -> usize, column: impl Fn(usize) -> usize) -> Self {
        Sparse::new(self.rows, self.columns, self.entries().map(|(i, j, x)| (row(i), column(j), x)).collect())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn duplicates_are_summed_and_signs_of_zero_kept() {
        let a = Sparse::new(2, 3, vec![(1, 2, 1.0), (0, 1, -0.0), (1, 0, 3.0), (1, 2, 2.0)]);
        assert_eq!(a.entries().collect::<Vec<_>>(), [(0, 1, 0.0), (1, 0, 3.0), (1, 2, 3.0)]);
        assert!(a.value[0].is_sign_negative());
        let (mut y, mut z) = (vec![1.0; 2], vec![0.0; 3]);
        a.add_product(&[1.0, 1.0, 2.0], &mut y);
        a.add_transposed_product(&[1.0, 2.0], &mut z);
        assert_eq!((y, z), (vec![1.0, 10.0], vec![6.0, 0.0, 6.0]));
    }
}
