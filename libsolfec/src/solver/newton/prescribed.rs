//! Prescribed velocities of one body, solved for together: points of a finite-element body that are fixed all feel each
//! other, so that their diagonal blocks alone say little of the matrix.

use faer::dyn_stack::{MemBuffer, MemStack};
use faer::linalg::cholesky::llt::factor::{cholesky_in_place, cholesky_in_place_scratch, LltRegularization};
use faer::linalg::cholesky::llt::solve::solve_in_place;
use faer::{MatMut, MatRef, Par, Spec};

use super::rows::Row;
use crate::dynamics::Delassus;
use crate::ids::Slot;
use crate::math::Vec3;
use crate::solver::Law;

/// Unknowns up to which the factor of a body is made: beyond, it takes longer than the iterations that it saves.
const MOST: usize = 3000;

/// Least pivot, relative to the entry of the diagonal, of a matrix that counts as regular.
const REGULAR: f64 = 1e-11;

/// `W_gg + δI` of the groups g of prescribed velocities on one body each, by Cholesky factors.
#[derive(Debug, Default)]
pub struct Prescribed {
    groups: Vec<Group>,
    rows: Vec<(Slot, u32)>,
    /// The shift δ that is in the factors [m/s/N].
    delta: Option<f64>,
}

#[derive(Debug, Default)]
struct Group {
    /// Row and component of each unknown.
    unknowns: Vec<(u32, u32)>,
    /// Column by column; empty where the matrix is singular.
    factor: Vec<f64>,
    solution: Vec<f64>,
}

impl Prescribed {
    /// There are no groups.
    pub fn clear(&mut self) {
        self.groups.clear();
        self.delta = None;
    }

    /// Makes the factors for shift `delta`, unless there are factors of this solve.
    pub fn prepare<D: Delassus>(&mut self, op: &D, laws: &[Law], delta: f64) {
        if self.delta.is_some() {
            return;
        }
        self.delta = Some(delta);
        self.rows.clear();
        let prescribed = (0..).zip(laws).filter(|(_, law)| components(law).start < 3);
        self.rows.extend(prescribed.filter_map(|(row, _)| op.only_body(row as usize).map(|body| (body, row))));
        self.rows.sort_unstable();
        for rows in self.rows.chunk_by(|a, b| a.0 == b.0) {
            let of_row = |&(_, row): &(Slot, u32)| components(&laws[row as usize]).map(move |k| (row, k));
            let unknowns: Vec<_> = rows.iter().flat_map(of_row).collect();
            if rows.len() > 1 && unknowns.len() <= MOST {
                self.groups.extend(Group::new(op, unknowns, delta));
            }
        }
    }

    /// Replaces in `x`, the solution with the diagonal blocks of `rows`, that of the groups for right side `b`.
    pub fn solve(&mut self, rows: &[Row], delta: f64, b: &[Vec3], x: &mut [Vec3]) {
        if self.delta == Some(delta) {
            self.groups.iter_mut().for_each(|group| group.solve(rows, b, x));
        }
    }
}

/// Components of the velocity that a law prescribes.
fn components(law: &Law) -> std::ops::Range<u32> {
    match law {
        Law::Velocity3 { .. } => 0..3,
        Law::Velocity { .. } => 2..3,
        Law::Coulomb { .. } | Law::SpringDashpot(_) | Law::Link(_) | Law::Spring(_) => 3..3,
    }
}

impl Group {
    /// `None` if the matrix is singular.
    fn new<D: Delassus>(op: &D, unknowns: Vec<(u32, u32)>, delta: f64) -> Option<Self> {
        let n = unknowns.len();
        let mut factor = vec![0.0; n * n];
        let of_rows = |a: usize, b: usize| (unknowns[a].0 as usize, unknowns[b].0 as usize);
        let mut block = Default::default();
        for column in 0..n {
            for row in column..n {
                let (i, j) = of_rows(row, column);
                // Unknowns of a row follow one another.
                if row == column || unknowns[row].0 != unknowns[row - 1].0 {
                    block = op.block(i, j);
                }
                factor[column * n + row] = block[(unknowns[row].1 as usize, unknowns[column].1 as usize)];
            }
            factor[column * n + column] += delta;
        }
        let diagonal: Vec<f64> = factor.iter().step_by(n + 1).copied().collect();
        let matrix = MatMut::from_column_major_slice_mut(&mut factor, n, n);
        let mut memory = MemBuffer::new(cholesky_in_place_scratch::<f64>(n, Par::Seq, Spec::default()));
        let stack = MemStack::new(&mut memory);
        cholesky_in_place(matrix, LltRegularization::default(), Par::Seq, stack, Spec::default()).ok()?;
        let mut pivots = factor.iter().step_by(n + 1).zip(&diagonal);
        let regular = pivots.all(|(pivot, entry)| pivot * pivot > REGULAR * entry);
        regular.then(|| Group { unknowns, factor, solution: vec![0.0; n] })
    }

    fn solve(&mut self, rows: &[Row], b: &[Vec3], x: &mut [Vec3]) {
        let n = self.unknowns.len();
        for (to, &(row, k)) in self.solution.iter_mut().zip(&self.unknowns) {
            *to = b[row as usize][k as usize] * rows[row as usize].unit();
        }
        let factor = MatRef::from_column_major_slice(&self.factor, n, n);
        let solution = MatMut::from_column_major_slice_mut(&mut self.solution, n, 1);
        solve_in_place(factor, solution, Par::Seq, MemStack::new(&mut []));
        for (from, &(row, k)) in self.solution.iter().zip(&self.unknowns) {
            x[row as usize][k as usize] = *from;
        }
    }
}
