//! The elimination of the own rows of a front. Those of fronts with one or two own blocks, which are most of those of
//! contact problems, stay in registers; every number undergoes the operations of [`Dense`] in the same order.

use pulp::{Arch, NullaryFnOnce};

use super::dense::{Dense, Size, View};

/// The numbers of a front, row by row.
pub struct Parts<'a> {
    /// Its diagonal block, the inverse of each pivot, and the row that is exchanged with each row.
    pub diagonal: &'a mut [f64],
    pub inverse: &'a mut [f64],
    pub exchange: &'a mut [u32],
    /// Its own rows with the columns of others, and the other rows with its own columns, transposed.
    pub upper: &'a mut [f64],
    pub lower: &'a mut [f64],
    /// What is left to its parent.
    pub rest: &'a mut [f64],
    /// Columns of others: three for each block.
    pub others: usize,
}

impl Parts<'_> {
    /// False when the diagonal block is singular.
    pub fn eliminate(mut self, dense: &mut Dense, arch: Arch) -> bool {
        match self.exchange.len() {
            3 => arch.dispatch(Small::<3>(self)),
            6 => arch.dispatch(Small::<6>(self)),
            _ => self.eliminate_by(dense),
        }
    }

    fn eliminate_by(&mut self, dense: &mut Dense) -> bool {
        if !dense.factor(self.diagonal, self.inverse, self.exchange) {
            return false;
        }
        let (own, others) = (self.exchange.len(), self.others);
        if others > 0 {
            self.exchange_rows();
            let rows = View { data: self.diagonal, down: own, right: 1 };
            let columns = View { data: self.diagonal, down: 1, right: own };
            dense.solve_rows(rows, None, (self.upper, others), others);
            dense.solve_rows(columns, Some(self.inverse), (self.lower, others), others);
            let lower = View { data: self.lower, down: 1, right: others };
            let size = Size { rows: others, terms: own, columns: others };
            dense.subtract(lower, (self.upper, others), (self.rest, others), size);
        }
        true
    }

    /// Own rows go where the pivots have put them.
    #[inline(always)]
    fn exchange_rows(&mut self) {
        let n = self.others;
        for (i, other) in self.exchange.iter().map(|other| *other as usize).enumerate() {
            if other > i {
                let (before, after) = self.upper.split_at_mut(other * n);
                before[i * n..][..n].swap_with_slice(&mut after[..n]);
            }
        }
    }
}

/// A front of `OWN` own rows.
struct Small<'a, const OWN: usize>(Parts<'a>);

impl<const OWN: usize> NullaryFnOnce for Small<'_, OWN> {
    type Output = bool;

    #[inline(always)]
    fn call(mut self) -> bool {
        let mut d = [[0.0; OWN]; OWN];
        d.as_flattened_mut().copy_from_slice(self.0.diagonal);
        let regular = self.factor(&mut d);
        self.0.diagonal.copy_from_slice(d.as_flattened());
        let n = self.0.others;
        if !regular || n == 0 {
            return regular;
        }
        self.0.exchange_rows();
        let mut j = 0;
        while j < n {
            j += match n - j {
                12.. => self.columns::<12>(&d, j),
                6.. => self.columns::<6>(&d, j),
                _ => self.columns::<3>(&d, j),
            };
        }
        (0..n).for_each(|i| self.subtract_row(i));
        true
    }
}

impl<const OWN: usize> Small<'_, OWN> {
    /// LU factors of the diagonal block, with pivots.
    #[inline(always)]
    fn factor(&mut self, d: &mut [[f64; OWN]; OWN]) -> bool {
        for p in 0..OWN {
            let mut largest = p;
            for i in p + 1..OWN {
                if d[i][p].abs() > d[largest][p].abs() {
                    largest = i;
                }
            }
            self.0.exchange[p] = largest as u32;
            d.swap(p, largest);
            let pivot = d[p][p];
            if pivot == 0.0 || !pivot.is_finite() {
                return false;
            }
            self.0.inverse[p] = 1.0 / pivot;
            let (top, low) = d.split_at_mut(p + 1);
            for row in low {
                let factor = row[p] * self.0.inverse[p];
                take_away(&mut row[p + 1..], factor, &top[p][p + 1..]);
                row[p] = factor;
            }
        }
        true
    }

    /// `W` columns of both factors beside the diagonal block, from `j` on; their number.
    #[inline(always)]
    fn columns<const W: usize>(&mut self, d: &[[f64; OWN]; OWN], j: usize) -> usize {
        let Parts { upper, lower, inverse, others: n, .. } = &mut self.0;
        let n = *n;
        let mut x = [[0.0; W]; OWN];
        for i in 0..OWN {
            let (before, row) = x.split_at_mut(i);
            row[0].copy_from_slice(&upper[i * n + j..][..W]);
            (0..i).for_each(|p| take_away(&mut row[0], d[i][p], &before[p]));
            upper[i * n + j..][..W].copy_from_slice(&row[0]);
        }
        for i in 0..OWN {
            let (before, row) = x.split_at_mut(i);
            row[0].copy_from_slice(&lower[i * n + j..][..W]);
            (0..i).for_each(|p| take_away(&mut row[0], d[p][i], &before[p]));
            row[0].iter_mut().for_each(|x| *x *= inverse[i]);
            lower[i * n + j..][..W].copy_from_slice(&row[0]);
        }
        W
    }

    /// Row `i` of what is left.
    #[inline(always)]
    fn subtract_row(&mut self, i: usize) {
        let Parts { upper, lower, rest, others: n, .. } = &mut self.0;
        let n = *n;
        let factor: [f64; OWN] = std::array::from_fn(|p| lower[p * n + i]);
        let rest = &mut rest[i * n..][..n];
        let mut j = 0;
        while j < n {
            j += match n - j {
                12.. => subtract::<OWN, 12>(&factor, upper, rest, j),
                6.. => subtract::<OWN, 6>(&factor, upper, rest, j),
                _ => subtract::<OWN, 3>(&factor, upper, rest, j),
            };
        }
    }
}

/// `W` numbers of a row of what is left, from `j` on; their number.
#[inline(always)]
fn subtract<const OWN: usize, const W: usize>(factor: &[f64; OWN], upper: &[f64], rest: &mut [f64], j: usize) -> usize {
    let n = rest.len();
    let mut x = [0.0; W];
    x.copy_from_slice(&rest[j..][..W]);
    for (p, factor) in factor.iter().enumerate() {
        take_away(&mut x, *factor, &upper[p * n + j..][..W]);
    }
    rest[j..][..W].copy_from_slice(&x);
    W
}

/// `x −= factor y`.
#[inline(always)]
fn take_away(x: &mut [f64], factor: f64, y: &[f64]) {
    x.iter_mut().zip(y).for_each(|(x, y)| *x -= factor * y);
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Diagonal block, upper, lower, what is left.
    fn numbers(own: usize, others: usize) -> [Vec<f64>; 4] {
        let mut seed = 7 + others as u64;
        [own * own, own * others, own * others, others * others].map(|length| {
            let mut number = || {
                seed = seed.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
                (seed >> 11) as f64 / (1_u64 << 52) as f64 - 1.0
            };
            (0..length).map(|_| number()).collect()
        })
    }

    #[test]
    fn small_fronts_have_the_bits_of_dense_kernels() {
        for (own, others) in [3, 6].into_iter().flat_map(|own| (0..40).step_by(3).map(move |others| (own, others))) {
            let done = [false, true].map(|small| {
                let [mut diagonal, mut upper, mut lower, mut rest] = numbers(own, others);
                let (mut inverse, mut exchange) = (vec![0.0; own], vec![0; own]);
                let mut parts = Parts {
                    diagonal: &mut diagonal,
                    inverse: &mut inverse,
                    exchange: &mut exchange,
                    upper: &mut upper,
                    lower: &mut lower,
                    rest: &mut rest,
                    others,
                };
                let dense = &mut Dense::default();
                assert!(if small { parts.eliminate(dense, Arch::new()) } else { parts.eliminate_by(dense) });
                (diagonal, inverse, exchange, upper, lower, rest)
            });
            assert!(done[0] == done[1], "{own} own rows, {others} others");
        }
    }

    #[test]
    fn a_singular_block_is_refused() {
        let (mut diagonal, mut inverse, mut exchange) = (vec![1.0; 9], vec![0.0; 3], vec![0; 3]);
        let (diagonal, inverse, exchange) = (&mut diagonal[..], &mut inverse[..], &mut exchange[..]);
        let none = || -> &mut [f64] { &mut [] };
        let parts = Parts { diagonal, inverse, exchange, upper: none(), lower: none(), rest: none(), others: 0 };
        assert!(!parts.eliminate(&mut Dense::default(), Arch::new()));
    }
}
