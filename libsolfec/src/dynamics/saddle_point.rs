//! Factors of `diag(x) W + diag(y)` by the saddle-point system of `M` and `H`, without `W = h H M⁻¹ Hᵀ`.
//!
//! With the velocity change `v = h M⁻¹ Hᵀ r`, the system `(diag(x) W + diag(y)) r = b` reads
//!
//! ```text
//! [ M/h       −Hᵀ     ] [ v ]   [ 0 ]
//! [ diag(x) H  diag(y) ] [ r ] = [ b ]
//! ```
//!
//! Its matrix is as sparse as `M` and `H`, where `W` couples all constraints of a body. It is factored with partial
//! pivoting, as `diag(y)` may be singular.

use faer::linalg::solvers::Solve;
use faer::sparse::linalg::solvers::{Lu, SymbolicLu};
use faer::sparse::{SparseColMat, Triplet};

use super::block_lu::BlockLu;
use super::{BlockSparse, FactorCost};
use crate::math::{Mat3, Vec3};

/// A block at a row and a column, both in blocks of three.
pub type Entry = (u32, u32, Mat3);

/// The system of one step and its factors.
pub struct SaddlePoint {
    velocities: usize,
    /// `M/h` and `H`, whose columns are velocities.
    mass: Vec<Entry>,
    gather: Vec<Entry>,
    cost: FactorCost,
    symbolic: Option<SymbolicLu<usize>>,
    factors: Option<Lu<usize, f64>>,
    side: faer::Col<f64>,
}

impl SaddlePoint {
    /// The system of `velocities` blocks of velocities and `rows` constraints for a step of length `h` [s]: entries of
    /// the symmetric mass matrix `M` [kg], both triangles, and of `H`. `None` when its factors do not fit in memory.
    pub fn new(h: f64, velocities: usize, rows: usize, mass: &[Entry], gather: &[Entry]) -> Option<Self> {
        let cost = cost(velocities, rows, mass, gather)?;
        let mass = mass.iter().map(|&(i, j, block)| (i, j, block / h)).collect();
        let side = faer::Col::zeros(3 * (velocities + rows));
        Some(SaddlePoint { velocities, mass, gather: gather.to_vec(), cost, symbolic: None, factors: None, side })
    }

    /// What the factors cost, pivoting not counted: to be compared with those of an assembled `W`.
    pub fn cost(&self) -> FactorCost {
        self.cost
    }

    /// Factors `diag(x) W + diag(y)`; false when it is singular.
    pub fn factor(&mut self, x: &[Mat3], y: &[Mat3]) -> bool {
        let mut triplets = Vec::with_capacity(9 * (self.mass.len() + 2 * self.gather.len() + y.len()));
        let mut put = |i: usize, j: usize, block: &Mat3| {
            for (k, value) in block.iter().enumerate() {
                triplets.push(Triplet::new(3 * i + k % 3, 3 * j + k / 3, *value));
            }
        };
        self.mass.iter().for_each(|(i, j, block)| put(*i as usize, *j as usize, block));
        for (row, column, block) in &self.gather {
            let (row, column) = (*row as usize, *column as usize);
            put(column, self.velocities + row, &-block.transpose());
            put(self.velocities + row, column, &(x[row] * block));
        }
        y.iter().enumerate().for_each(|(i, y)| put(self.velocities + i, self.velocities + i, y));
        self.factors = self.factored(&triplets);
        // The pivots of a singular matrix are zeros: nothing that is solved with them is finite.
        let mut trial = vec![Vec3::repeat(1.0); y.len()];
        self.solve(&mut trial);
        trial.iter().all(|x| x.iter().all(|x| x.is_finite()))
    }

    fn factored(&mut self, triplets: &[Triplet<usize, usize, f64>]) -> Option<Lu<usize, f64>> {
        if !triplets.iter().all(|triplet| triplet.val.is_finite()) {
            return None;
        }
        let n = self.side.nrows();
        let matrix = SparseColMat::<usize, f64>::try_new_from_triplets(n, n, triplets).ok()?;
        let symbolic = match self.symbolic.take() {
            Some(symbolic) => symbolic,
            None => SymbolicLu::try_new(matrix.symbolic()).ok()?,
        };
        let factors = Lu::try_new_with_symbolic(symbolic.clone(), matrix.as_ref()).ok();
        self.symbolic = Some(symbolic);
        factors
    }

    /// The solution for right side `b`, in place; NaN without factors.
    pub fn solve(&mut self, b: &mut [Vec3]) {
        let Some(factors) = &self.factors else {
            b.fill(Vec3::repeat(f64::NAN));
            return;
        };
        let first = 3 * self.velocities;
        self.side.fill(0.0);
        let entries = b.iter().flat_map(|b| b.iter().copied()).enumerate();
        entries.for_each(|(k, value)| self.side[first + k] = value);
        factors.solve_in_place(&mut self.side);
        b.iter_mut().enumerate().for_each(|(i, b)| *b = Vec3::from_fn(|k, _| self.side[first + 3 * i + k]));
    }
}

/// Counts products of blocks on the pattern of the system.
fn cost(velocities: usize, rows: usize, mass: &[Entry], gather: &[Entry]) -> Option<FactorCost> {
    let n = velocities + rows;
    let mut upper: Vec<Vec<(u32, Mat3)>> = (0..n as u32).map(|i| vec![(i, Mat3::zeros())]).collect();
    let above = mass.iter().filter(|(i, j, _)| i < j).map(|&(i, j, _)| (i, j));
    let coupled = gather.iter().map(|&(row, column, _)| (column, velocities as u32 + row));
    above.chain(coupled).for_each(|(i, j)| upper[i as usize].push((j, Mat3::zeros())));
    for row in &mut upper {
        row.sort_by_key(|(column, _)| *column);
        row.dedup_by_key(|(column, _)| *column);
    }
    let pattern = BlockSparse::from_upper(&upper);
    let lu = BlockLu::new(&pattern)?;
    Some(FactorCost { blocks: pattern.block.len() as f64, products: lu.products() as f64 })
}

#[cfg(test)]
mod tests {
    use super::super::factors::Factors;
    use super::*;

    /// A chain of masses with implicit springs between neighbours, and a constraint at every mass.
    #[test]
    fn solutions_are_those_of_the_assembled_matrix_for_less_work() {
        let (n, h) = (24, 0.01);
        let block = |k: f64| Mat3::new(2.0, 0.3 * k, 0.0, 0.3 * k, 3.0, 0.1, 0.0, 0.1, 2.5);
        let mut mass: Vec<Entry> = (0..n).map(|i| (i, i, block((i as f64).sin()))).collect();
        let spring = Mat3::from_diagonal(&Vec3::new(-0.4, -0.2, -0.3));
        mass.extend((1..n).flat_map(|i| [(i - 1, i, spring), (i, i - 1, spring)]));
        let turn = |i: u32| *nalgebra::Rotation3::from_euler_angles(i as f64, 0.5, -0.2).matrix();
        let gather: Vec<Entry> = (0..n).map(|i| (i, i, turn(i))).collect();
        let size = 3 * n as usize;
        let dense = |entries: &[Entry]| {
            let mut m = nalgebra::DMatrix::<f64>::zeros(size, size);
            for (i, j, block) in entries {
                m.fixed_view_mut::<3, 3>(3 * *i as usize, 3 * *j as usize).copy_from(block);
            }
            m
        };
        let h_matrix = dense(&gather);
        let inverse = dense(&mass).try_inverse().expect("regular");
        let w = &h_matrix * inverse * h_matrix.transpose() * h;
        let blocks =
            |i: u32| (i..n).map(|j| (j, w.fixed_view::<3, 3>(3 * i as usize, 3 * j as usize).into())).collect();
        let assembled = BlockSparse::from_upper(&(0..n).map(blocks).collect::<Vec<_>>());
        let mut factors = Factors::default();
        let whole = factors.prepare(&assembled).expect("small");
        let mut saddle = SaddlePoint::new(h, n as usize, n as usize, &mass, &gather).expect("small");
        assert!(saddle.cost().products < 0.2 * whole.products, "{:?} {whole:?}", saddle.cost());
        // Rows that stick, that are open, and in between.
        let x: Vec<Mat3> = (0..n).map(|i| if i % 3 == 1 { Mat3::zeros() } else { block(0.2) }).collect();
        let y: Vec<Mat3> = (0..n).map(|i| if i % 3 == 0 { Mat3::zeros() } else { Mat3::identity() }).collect();
        let b: Vec<Vec3> = (0..n).map(|i| Vec3::new(1.0, i as f64, -2.0)).collect();
        assert!(factors.factor(&assembled, &x, &y) && saddle.factor(&x, &y));
        let (mut one, mut two) = (b.clone(), b);
        factors.solve(&mut one);
        saddle.solve(&mut two);
        let size = one.iter().map(Vec3::norm).fold(0.0, f64::max);
        one.iter().zip(&two).for_each(|(one, two)| assert!((one - two).norm() < 1e-12 * size, "{one} {two}"));
        assert!(!saddle.factor(&vec![Mat3::zeros(); n as usize], &vec![Mat3::zeros(); n as usize]));
    }
}
