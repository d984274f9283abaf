//! Kernels of dense factors: products, triangular solves and the LU factors of a diagonal block, all row by row.
//!
//! Every number undergoes the same operations in the same order whatever registers a machine has, and products are not
//! fused with sums, so that results do not depend on the machine.

use pulp::{Arch, Simd, WithSimd};

/// Rows that are worked on in registers; blocks of 3×3 numbers in pairs, as those of a rigid body.
const ROWS: usize = 6;
/// Most terms of a sum between two stores.
const TERMS: usize = 128;
/// Columns under which the diagonal block is factored column by column.
const LEAF: usize = 6;
/// Rows up to which a diagonal block is factored row by row, in a copy whose rows begin with whole registers.
const SMALL: usize = 48;

/// Numbers of a matrix: `(i, j)` at `i * down + j * right`.
#[derive(Debug, Clone, Copy)]
pub struct View<'a> {
    pub data: &'a [f64],
    pub down: usize,
    pub right: usize,
}

impl<'a> View<'a> {
    fn at(&self, i: usize, j: usize) -> f64 {
        self.data[i * self.down + j * self.right]
    }

    /// From row `i` and column `j` on.
    fn from(&self, i: usize, j: usize) -> View<'a> {
        View { data: &self.data[i * self.down + j * self.right..], ..*self }
    }
}

/// Kernels for the registers of this machine, with their memory.
#[derive(Debug, Clone)]
pub struct Dense {
    arch: Arch,
    /// Rows of the left factor, as a product reads them.
    packed: Vec<[f64; ROWS]>,
    /// A copy of the left factor where it shares rows with the result.
    left: Vec<f64>,
    /// Columns of the diagonal block.
    panel: Vec<f64>,
}

impl Default for Dense {
    fn default() -> Self {
        Dense { arch: Arch::new(), packed: vec![[0.0; ROWS]; TERMS], left: Vec::new(), panel: Vec::new() }
    }
}

impl Dense {
    /// `c −= a b` of `(rows, terms, columns)`; `b` and `c` row by row with rows of lengths `of_b` and `of_c`.
    pub fn subtract(&mut self, a: View, (b, of_b): (&[f64], usize), (c, of_c): (&mut [f64], usize), size: Size) {
        if size.terms > 0 && size.columns > 0 {
            self.arch.dispatch(Subtract { a, b, of_b, c, of_c, size, packed: &mut self.packed });
        }
    }

    /// Solves `t x = x` in place for the first `columns` of the rows `x`, which are `of_x` long; `t` is lower
    /// triangular. `inverse` are those of its diagonal; without, that is 1.
    pub fn solve_rows(&mut self, t: View, inverse: Option<&[f64]>, (x, of_x): (&mut [f64], usize), columns: usize) {
        let n = x.len().div_ceil(of_x.max(1));
        if columns == 0 || n == 0 {
            return;
        }
        if n <= ROWS {
            self.arch.dispatch(SolveRows { t, inverse, x, of_x, columns });
            return;
        }
        let half = (n / 2).next_multiple_of(ROWS);
        let (first, second) = x.split_at_mut(half * of_x);
        self.solve_rows(t, inverse.map(|d| &d[..half]), (first, of_x), columns);
        let size = Size { rows: n - half, terms: half, columns };
        self.subtract(t.from(half, 0), (first, of_x), (second, of_x), size);
        self.solve_rows(t.from(half, half), inverse.map(|d| &d[half..]), (second, of_x), columns);
    }

    /// LU factors of the square matrix `d` in place, with `inverse` those of the pivots and the row that was exchanged
    /// with each row; false when it is singular.
    pub fn factor(&mut self, d: &mut [f64], inverse: &mut [f64], exchange: &mut [u32]) -> bool {
        if exchange.len() <= SMALL {
            return self.arch.dispatch(FactorSmall { d, inverse, exchange, copy: &mut self.panel });
        }
        self.factor_columns(d, 0, exchange.len(), inverse, exchange)
    }

    /// The columns from `start` to `end`, those before being done.
    fn factor_columns(
        &mut self,
        d: &mut [f64],
        start: usize,
        end: usize,
        inverse: &mut [f64],
        exchange: &mut [u32],
    ) -> bool {
        let n = exchange.len();
        if end - start <= LEAF {
            return self.arch.dispatch(FactorLeaf { d, start, end, inverse, exchange, panel: &mut self.panel });
        }
        let half = start + ((end - start) / 2).next_multiple_of(LEAF);
        if !self.factor_columns(d, start, half, inverse, exchange) {
            return false;
        }
        // The rows of the first half, and what they take away from the others.
        let mut left = std::mem::take(&mut self.left);
        left.clear();
        d[start * n..].chunks_exact(n).for_each(|row| left.extend_from_slice(&row[start..half]));
        let a = View { data: &left, down: half - start, right: 1 };
        let (top, low) = d.split_at_mut(half * n);
        let top = &mut top[start * n + half..];
        self.solve_rows(a, None, (top, n), end - half);
        let size = Size { rows: n - half, terms: half - start, columns: end - half };
        if size.rows > 0 {
            self.subtract(a.from(half - start, 0), (top, n), (&mut low[half..], n), size);
        }
        self.left = left;
        self.factor_columns(d, half, end, inverse, exchange)
    }
}

/// The extents of a product.
#[derive(Debug, Clone, Copy)]
pub struct Size {
    pub rows: usize,
    pub terms: usize,
    pub columns: usize,
}

struct Subtract<'a> {
    a: View<'a>,
    b: &'a [f64],
    of_b: usize,
    c: &'a mut [f64],
    of_c: usize,
    size: Size,
    packed: &'a mut [[f64; ROWS]],
}

impl WithSimd for Subtract<'_> {
    type Output = ();

    #[inline(always)]
    fn with_simd<S: Simd>(self, simd: S) {
        let Subtract { a, b, of_b, c, of_c, size: Size { rows, terms, columns }, packed } = self;
        for first in (0..terms).step_by(TERMS) {
            let terms = TERMS.min(terms - first);
            let b = &b[first * of_b..];
            for i in (0..rows).step_by(ROWS) {
                let count = ROWS.min(rows - i);
                let a = a.from(i, first);
                for (p, packed) in packed[..terms].iter_mut().enumerate() {
                    for (k, x) in packed[..count].iter_mut().enumerate() {
                        *x = a.at(k, p);
                    }
                }
                let (packed, c) = (&packed[..terms], &mut c[i * of_c..]);
                match count {
                    ROWS => strip::<S, ROWS>(simd, packed, (b, of_b), (c, of_c), columns),
                    3 => strip::<S, 3>(simd, packed, (b, of_b), (c, of_c), columns),
                    _ => (0..count).for_each(|k| {
                        let c = &mut c[k * of_c..][..columns];
                        for (a, b) in packed.iter().zip(b.chunks(of_b)) {
                            c.iter_mut().zip(b).for_each(|(c, b)| *c -= a[k] * b);
                        }
                    }),
                }
            }
        }
    }
}

/// `R` rows of a product: two registers of columns at a time, then one, then what is left.
#[inline(always)]
fn strip<S: Simd, const R: usize>(
    simd: S,
    a: &[[f64; ROWS]],
    (b, of_b): (&[f64], usize),
    (c, of_c): (&mut [f64], usize),
    columns: usize,
) {
    let lanes = S::F64_LANES;
    let mut j = 0;
    while j + 2 * lanes <= columns {
        tile::<S, R, 2>(simd, a, (&b[j..], of_b), (&mut c[j..], of_c), lanes);
        j += 2 * lanes;
    }
    while j < columns {
        let width = lanes.min(columns - j);
        tile::<S, R, 1>(simd, a, (&b[j..], of_b), (&mut c[j..], of_c), width);
        j += width;
    }
}

/// `R` rows and `V` registers of columns, the last of which has `width` columns.
#[inline(always)]
fn tile<S: Simd, const R: usize, const V: usize>(
    simd: S,
    a: &[[f64; ROWS]],
    (b, of_b): (&[f64], usize),
    (c, of_c): (&mut [f64], usize),
    width: usize,
) {
    let lanes = S::F64_LANES;
    let whole = (V - 1) * lanes + width;
    let mut sum = [[simd.splat_f64s(0.0); V]; R];
    for (i, sum) in sum.iter_mut().enumerate() {
        *sum = load(simd, &c[i * of_c..][..whole], width);
    }
    for (p, a) in a.iter().enumerate() {
        let b: [S::f64s; V] = load(simd, &b[p * of_b..][..whole], width);
        for i in 0..R {
            let factor = simd.splat_f64s(a[i]);
            for v in 0..V {
                sum[i][v] = simd.sub_f64s(sum[i][v], simd.mul_f64s(factor, b[v]));
            }
        }
    }
    for (i, sum) in sum.iter().enumerate() {
        store(simd, &mut c[i * of_c..][..whole], sum, width);
    }
}

#[inline(always)]
fn load<S: Simd, const V: usize>(simd: S, x: &[f64], width: usize) -> [S::f64s; V] {
    let lanes = S::F64_LANES;
    let (full, _) = S::as_simd_f64s(x);
    let mut out = [simd.splat_f64s(0.0); V];
    if width == lanes {
        out.copy_from_slice(&full[..V]);
    } else {
        out[..V - 1].copy_from_slice(&full[..V - 1]);
        out[V - 1] = simd.partial_load_f64s(&x[(V - 1) * lanes..]);
    }
    out
}

#[inline(always)]
fn store<S: Simd, const V: usize>(simd: S, x: &mut [f64], values: &[S::f64s; V], width: usize) {
    let lanes = S::F64_LANES;
    if width == lanes {
        let (full, _) = S::as_mut_simd_f64s(x);
        full[..V].copy_from_slice(values);
    } else {
        let (full, _) = S::as_mut_simd_f64s(&mut x[..(V - 1) * lanes]);
        full[..V - 1].copy_from_slice(&values[..V - 1]);
        simd.partial_store_f64s(&mut x[(V - 1) * lanes..], values[V - 1]);
    }
}

/// Substitution in at most [`ROWS`] rows.
struct SolveRows<'a> {
    t: View<'a>,
    inverse: Option<&'a [f64]>,
    x: &'a mut [f64],
    of_x: usize,
    columns: usize,
}

impl WithSimd for SolveRows<'_> {
    type Output = ();

    #[inline(always)]
    fn with_simd<S: Simd>(self, simd: S) {
        let SolveRows { t, inverse, x, of_x, columns } = self;
        let n = x.len().div_ceil(of_x);
        let mut factor = [[0.0; ROWS]; ROWS];
        let mut scale = [1.0; ROWS];
        for i in 0..n {
            for (k, factor) in factor[i][..i].iter_mut().enumerate() {
                *factor = t.at(i, k);
            }
            if let Some(inverse) = inverse {
                scale[i] = inverse[i];
            }
        }
        match n {
            ROWS => substitute::<S, ROWS>(simd, &factor, &scale, (x, of_x), columns),
            3 => substitute::<S, 3>(simd, &factor, &scale, (x, of_x), columns),
            _ => {
                for i in 0..n {
                    let (before, row) = x.split_at_mut(i * of_x);
                    let row = &mut row[..columns];
                    for (factor, other) in factor[i].iter().zip(before.chunks_exact(of_x)) {
                        row.iter_mut().zip(other).for_each(|(x, other)| *x -= factor * other);
                    }
                    row.iter_mut().for_each(|x| *x *= scale[i]);
                }
            }
        }
    }
}

/// Substitution in `R` rows: one register of columns after another.
#[inline(always)]
fn substitute<S: Simd, const R: usize>(
    simd: S,
    factor: &[[f64; ROWS]; ROWS],
    scale: &[f64; ROWS],
    (x, of_x): (&mut [f64], usize),
    columns: usize,
) {
    let lanes = S::F64_LANES;
    let mut j = 0;
    while j < columns {
        let width = lanes.min(columns - j);
        let mut rows = [simd.splat_f64s(0.0); R];
        for i in 0..R {
            let [mut row] = load::<S, 1>(simd, &x[i * of_x + j..][..width], width);
            for k in 0..i {
                row = simd.sub_f64s(row, simd.mul_f64s(simd.splat_f64s(factor[i][k]), rows[k]));
            }
            rows[i] = simd.mul_f64s(row, simd.splat_f64s(scale[i]));
        }
        for (i, row) in rows.iter().enumerate() {
            store::<S, 1>(simd, &mut x[i * of_x + j..][..width], &[*row], width);
        }
        j += width;
    }
}

/// A few columns of the diagonal block, in a copy that has them one after another; rows are exchanged as a whole.
struct FactorLeaf<'a> {
    d: &'a mut [f64],
    start: usize,
    end: usize,
    inverse: &'a mut [f64],
    exchange: &'a mut [u32],
    panel: &'a mut Vec<f64>,
}

impl WithSimd for FactorLeaf<'_> {
    type Output = bool;

    #[inline(always)]
    fn with_simd<S: Simd>(self, _simd: S) -> bool {
        let FactorLeaf { d, start, end, inverse, exchange, panel } = self;
        let n = exchange.len();
        let (m, width) = (n - start, end - start);
        panel.clear();
        panel.resize(m * width, 0.0);
        for (i, row) in d[start * n..].chunks_exact(n).enumerate() {
            (0..width).for_each(|k| panel[k * m + i] = row[start + k]);
        }
        for p in 0..width {
            let (column, others) = panel[p * m..].split_at_mut(m);
            let mut largest = p;
            for i in p + 1..m {
                if column[i].abs() > column[largest].abs() {
                    largest = i;
                }
            }
            exchange[start + p] = (start + largest) as u32;
            if largest > p {
                let (before, after) = d.split_at_mut((start + largest) * n);
                before[(start + p) * n..][..n].swap_with_slice(&mut after[..n]);
                column.swap(p, largest);
                others.chunks_exact_mut(m).for_each(|column| column.swap(p, largest));
            }
            let pivot = column[p];
            if pivot == 0.0 || !pivot.is_finite() {
                return false;
            }
            inverse[start + p] = 1.0 / pivot;
            let column = &mut column[p + 1..];
            column.iter_mut().for_each(|x| *x *= inverse[start + p]);
            for other in others.chunks_exact_mut(m) {
                let (top, other) = other.split_at_mut(p + 1);
                let factor = top[p];
                other.iter_mut().zip(&*column).for_each(|(x, l)| *x -= factor * l);
            }
            // What is done moves with rows that are exchanged later: it is put back at once.
            for (i, l) in column.iter().enumerate() {
                d[(start + p + 1 + i) * n + start + p] = *l;
            }
            d[(start + p) * n + start + p] = pivot;
            for k in p + 1..width {
                d[(start + p) * n + start + k] = panel[k * m + p];
            }
        }
        true
    }
}

/// A small diagonal block as a whole.
struct FactorSmall<'a> {
    d: &'a mut [f64],
    inverse: &'a mut [f64],
    exchange: &'a mut [u32],
    copy: &'a mut Vec<f64>,
}

impl WithSimd for FactorSmall<'_> {
    type Output = bool;

    #[inline(always)]
    fn with_simd<S: Simd>(self, simd: S) -> bool {
        let FactorSmall { d, inverse, exchange, copy } = self;
        let (n, lanes) = (exchange.len(), S::F64_LANES);
        let width = n.next_multiple_of(lanes);
        copy.clear();
        copy.resize((n + 1) * width, 0.0);
        // The last row is that of the pivot with zeros where it is done, so that others are changed by whole registers.
        let (rows, pivots) = copy.split_at_mut(n * width);
        for (row, from) in rows.chunks_exact_mut(width).zip(d.chunks_exact(n)) {
            row[..n].copy_from_slice(from);
        }
        for p in 0..n {
            let mut largest = p;
            for i in p + 1..n {
                if rows[i * width + p].abs() > rows[largest * width + p].abs() {
                    largest = i;
                }
            }
            exchange[p] = largest as u32;
            let (top, low) = rows.split_at_mut((p + 1) * width);
            let top = &mut top[p * width..];
            if largest > p {
                top.swap_with_slice(&mut low[(largest - p - 1) * width..][..width]);
            }
            let pivot = top[p];
            if pivot == 0.0 || !pivot.is_finite() {
                return false;
            }
            inverse[p] = 1.0 / pivot;
            pivots[..=p].fill(0.0);
            pivots[p + 1..].copy_from_slice(&top[p + 1..]);
            let first = (p + 1) / lanes;
            let (pivots, _) = S::as_simd_f64s(pivots);
            for row in low.chunks_exact_mut(width) {
                let factor = row[p] * inverse[p];
                let spread = simd.splat_f64s(factor);
                let (out, _) = S::as_mut_simd_f64s(row);
                for (out, pivot) in out[first..].iter_mut().zip(&pivots[first..]) {
                    *out = simd.sub_f64s(*out, simd.mul_f64s(spread, *pivot));
                }
                row[p] = factor;
            }
        }
        for (row, to) in rows.chunks_exact(width).zip(d.chunks_exact_mut(n)) {
            to.copy_from_slice(&row[..n]);
        }
        true
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use nalgebra::DMatrix;

    /// `P⁻¹ L U` of the factors, and the solution of triangular systems, against products.
    #[test]
    fn factors_multiply_to_the_matrix_and_triangles_are_solved() {
        let mut seed = 1_u64;
        let mut number = move || {
            seed = seed.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
            (seed >> 11) as f64 / (1_u64 << 52) as f64 - 1.0
        };
        let mut dense = Dense::default();
        for (n, columns) in [(1, 1), (3, 2), (6, 6), (7, 5), (9, 12), (36, 50), (75, 3), (279, 41)] {
            let whole = DMatrix::from_fn(n, n, |_, _| number());
            let mut d: Vec<f64> = whole.transpose().as_slice().to_vec();
            let (mut inverse, mut exchange) = (vec![0.0; n], vec![0; n]);
            assert!(dense.factor(&mut d, &mut inverse, &mut exchange));
            let factors = DMatrix::from_row_slice(n, n, &d);
            let lower = DMatrix::from_fn(n, n, |i, j| if i > j { factors[(i, j)] } else { f64::from(i == j) });
            let upper = factors.upper_triangle();
            let mut rows = whole.clone();
            exchange.iter().enumerate().for_each(|(i, &j)| rows.swap_rows(i, j as usize));
            let error = (&lower * &upper - rows).amax();
            assert!(error < 1e-11, "{n} rows: {error}");
            let b = DMatrix::from_fn(n, columns, |_, _| number());
            let solve = |dense: &mut Dense, view: View, inverse: Option<&[f64]>| {
                let mut x: Vec<f64> = b.transpose().as_slice().to_vec();
                dense.solve_rows(view, inverse, (&mut x, columns), columns);
                DMatrix::from_row_slice(n, columns, &x)
            };
            let unit = solve(&mut dense, View { data: &d, down: n, right: 1 }, None);
            assert!((&lower * &unit - &b).amax() < 1e-12 * (1.0 + unit.amax()) * n as f64);
            let other = solve(&mut dense, View { data: &d, down: 1, right: n }, Some(&inverse));
            assert!((upper.transpose() * &other - &b).amax() < 1e-12 * (1.0 + other.amax()) * n as f64);
        }
        assert!(!dense.factor(&mut [1.0, 2.0, 2.0, 4.0], &mut [0.0; 2], &mut [0; 2]));
    }
}
