//! Half-solves `L⁻¹ P b` of unit forces at nodes, eight nodes at a time, and products of two of them: blocks of the
//! inverse. A column passes through the same operations in the same order whatever stands beside it, so no result
//! depends on how nodes are grouped.

use std::cmp::Ordering;

use faer::sparse::linalg::cholesky::supernodal::SupernodalLltRef;
use faer::MatRef;
use pulp::{Arch, NullaryFnOnce};

/// Nodes of a group.
pub const GROUP: usize = 8;
pub const COLUMNS: usize = 3 * GROUP;
/// Rows and columns of which sums are kept in registers.
const TALL: usize = 4;
const WIDE: usize = 12;

/// One row of all right-hand sides of a group.
pub type Columns = [f64; COLUMNS];

/// The inverse between two groups of nodes.
pub type Tile = [Columns; COLUMNS];

/// `L⁻¹ P b` of a group: rows of the supernodes on its paths to the root.
#[derive(Debug, Clone, Default)]
pub struct HalfSolved {
    /// Supernodes, ascending, and the first of their rows in `rows`.
    supernodes: Vec<(u32, u32)>,
    rows: Vec<Columns>,
}

/// Solves for right-hand sides in `scratch`, which is zero afterwards. `path`: all supernodes in which they have rows, with
/// all that depend on these, ascending.
pub fn half_solve(factor: SupernodalLltRef<'_, u32, f64>, path: &[u32], scratch: &mut [Columns]) -> HalfSolved {
    let arch = Arch::new();
    let mut solved = HalfSolved::default();
    for &s in path {
        let node = factor.supernode(s as usize);
        let (values, start) = (node.val(), node.start());
        let own = values.ncols();
        let (before, after) = scratch.split_at_mut(start + own);
        arch.dispatch(Pass { values, pattern: node.pattern(), x: &mut before[start..], after, base: start + own });
        solved.supernodes.push((s, solved.rows.len() as u32));
        solved.rows.extend(&scratch[start..start + own]);
        scratch[start..start + own].fill([0.0; COLUMNS]);
    }
    solved
}

/// What one supernode does to the right-hand sides.
struct Pass<'a> {
    values: MatRef<'a, f64>,
    pattern: &'a [u32],
    /// Its own rows.
    x: &'a mut [Columns],
    /// Rows `base` and following.
    after: &'a mut [Columns],
    base: usize,
}

impl NullaryFnOnce for Pass<'_> {
    type Output = ();

    #[inline(always)]
    fn call(self) {
        forward(self.values, self.x);
        eliminate(self.values, self.x, self.pattern, self.after, self.base);
    }
}

/// Solves with the triangle on top of a supernode.
#[inline(always)]
fn forward(values: MatRef<'_, f64>, x: &mut [Columns]) {
    let own = x.len();
    for first in (0..own).step_by(TALL) {
        let (known, rest) = x.split_at_mut(first);
        let height = TALL.min(own - first);
        if height == TALL {
            subtract::<TALL>(values, first, known, [0, 1, 2, 3], rest);
        } else {
            (0..height).for_each(|i| subtract(values, first + i, known, [i], rest));
        }
        for i in 0..height {
            let (known, rest) = rest.split_at_mut(i);
            for (j, known) in known.iter().enumerate() {
                let l = values[(first + i, first + j)];
                rest[0].iter_mut().zip(known).for_each(|(x, known)| *x -= l * known);
            }
            let l = values[(first + i, first + i)];
            rest[0].iter_mut().for_each(|x| *x /= l);
        }
    }
}

/// Passes on to the rows of the pattern, of which `after` holds those from `base` on.
#[inline(always)]
fn eliminate(values: MatRef<'_, f64>, x: &[Columns], pattern: &[u32], after: &mut [Columns], base: usize) {
    let own = x.len();
    let (whole, rest) = pattern.as_chunks::<TALL>();
    for (k, rows) in whole.iter().enumerate() {
        subtract(values, own + k * TALL, x, rows.map(|row| row as usize - base), after);
    }
    for (k, row) in rest.iter().enumerate() {
        subtract(values, own + whole.len() * TALL + k, x, [*row as usize - base], after);
    }
}

/// Subtracts the product of `H` rows of the supernode, from `first` on, with `x` from the rows at `place` of `to`.
#[inline(always)]
fn subtract<const H: usize>(
    values: MatRef<'_, f64>,
    first: usize,
    x: &[Columns],
    place: [usize; H],
    to: &mut [Columns],
) {
    for left in (0..COLUMNS).step_by(WIDE) {
        let mut sum = [[0.0; WIDE]; H];
        for (sum, place) in sum.iter_mut().zip(place) {
            sum.copy_from_slice(&to[place][left..left + WIDE]);
        }
        for (j, x) in x.iter().enumerate() {
            let x = &x[left..left + WIDE];
            for (i, sum) in sum.iter_mut().enumerate() {
                let l = values[(first + i, j)];
                sum.iter_mut().zip(x).for_each(|(sum, x)| *sum -= l * x);
            }
        }
        for (sum, place) in sum.iter().zip(place) {
            to[place][left..left + WIDE].copy_from_slice(sum);
        }
    }
}

impl HalfSolved {
    /// `aᵀ b`: the response of the nodes of `a`, by rows, to unit forces at those of `b`.
    pub fn product(&self, b: &HalfSolved) -> Tile {
        let arch = Arch::new();
        let mut sum = [[0.0; COLUMNS]; COLUMNS];
        let (mut i, mut j) = (0, 0);
        while i < self.supernodes.len() && j < b.supernodes.len() {
            match self.supernodes[i].0.cmp(&b.supernodes[j].0) {
                Ordering::Less => i += 1,
                Ordering::Greater => j += 1,
                Ordering::Equal => {
                    arch.dispatch(Product { x: self.rows_of(i), y: b.rows_of(j), sum: &mut sum });
                    (i, j) = (i + 1, j + 1);
                }
            }
        }
        sum
    }

    fn rows_of(&self, k: usize) -> &[Columns] {
        let end = self.supernodes.get(k + 1).map_or(self.rows.len(), |(_, first)| *first as usize);
        &self.rows[self.supernodes[k].1 as usize..end]
    }
}

/// Adds `xᵀ y`.
struct Product<'a> {
    x: &'a [Columns],
    y: &'a [Columns],
    sum: &'a mut [Columns; COLUMNS],
}

impl NullaryFnOnce for Product<'_> {
    type Output = ();

    #[inline(always)]
    fn call(self) {
        add_product(self.x, self.y, self.sum);
    }
}

#[inline(always)]
fn add_product(x: &[Columns], y: &[Columns], sum: &mut [Columns; COLUMNS]) {
    for top in (0..COLUMNS).step_by(TALL) {
        for left in (0..COLUMNS).step_by(WIDE) {
            let mut tile = [[0.0; WIDE]; TALL];
            for (tile, sum) in tile.iter_mut().zip(&sum[top..]) {
                tile.copy_from_slice(&sum[left..left + WIDE]);
            }
            for (x, y) in x.iter().zip(y) {
                for (tile, x) in tile.iter_mut().zip(&x[top..top + TALL]) {
                    tile.iter_mut().zip(&y[left..left + WIDE]).for_each(|(tile, y)| *tile += x * y);
                }
            }
            for (tile, sum) in tile.iter().zip(&mut sum[top..]) {
                sum[left..left + WIDE].copy_from_slice(tile);
            }
        }
    }
}
