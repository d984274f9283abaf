//! Factors of `diag(x) W + diag(y)` in the space of velocities, without `W = h H A⁻¹ Hᵀ`.
//!
//! With the velocity change `v = h A⁻¹ Hᵀ r`, the system `(diag(x) W + diag(y)) r = b` is the saddle-point system
//!
//! ```text
//! [ A/h        −Hᵀ     ] [ v ]   [ 0 ]
//! [ diag(x) H  diag(y) ] [ r ] = [ b ]
//! ```
//!
//! Without `r`, which belongs to one constraint each, it is `(A/h + Hᵀ diag(y⁻¹ x) H) v = Hᵀ diag(y⁻¹) b`. This matrix
//! is as sparse as the graph of bodies, where `W` couples all constraints of a body. Where `y` is small, digits are
//! lost that iterative refinement on the saddle-point system brings back; where it is singular, the factors are those
//! of `y + ε x W_αα`.

use super::block_lu::{BlockLu, MOST_ENTRIES};
use super::sparse::Pattern;
use super::FactorCost;
use crate::body::Entry;
use crate::math::{Mat3, Vec3};

/// Largest `|y⁻¹ x W_αα|` of a row, beyond which `ε x W_αα` is added to its `y`; and `ε`.
const STIFFEST: f64 = 1e10;
const SOFTENING: f64 = 1e-10;
/// Most corrections of a solution, and the size relative to the solution of one that is the last.
const CORRECTIONS: usize = 8;
const EXACT: f64 = 1e-14;

/// The system of one step and its factors.
#[derive(Debug, Clone)]
pub(super) struct VelocitySpace {
    /// `A/h`, and the place of each entry in `block`.
    mass: Vec<Entry>,
    mass_place: Vec<u32>,
    /// `H` by rows: of row `i` at `start[i] .. start[i + 1]`, columns and blocks.
    start: Vec<usize>,
    column: Vec<u32>,
    gather: Vec<Mat3>,
    /// Places in `block` of `Hᵢᵀ … Hᵢ`, row by row.
    place: Vec<u32>,
    pattern: Pattern,
    /// The matrix in `v`.
    block: Vec<Mat3>,
    lu: BlockLu,
    /// Of the last factors; `inverse` of `y`.
    x: Vec<Mat3>,
    y: Vec<Mat3>,
    inverse: Vec<Mat3>,
    /// Solution, residuals and correction of velocities; solution and residuals of rows.
    v: Vec<Vec3>,
    side_v: Vec<Vec3>,
    r: Vec<Vec3>,
    side_r: Vec<Vec3>,
}

impl VelocitySpace {
    /// The system of `velocities` blocks of velocities: entries of `A/h` [kg/s], both triangles, and `H` by rows.
    /// `None` when its factors do not fit in memory.
    pub fn new(velocities: usize, mass: Vec<Entry>, rows: &[Vec<(u32, Mat3)>]) -> Option<Self> {
        let pattern = pattern(velocities, &mass, rows)?;
        let lu = BlockLu::new(&pattern.row_offset, &pattern.column)?;
        let entries = || rows.iter().flatten();
        let mut start = vec![0];
        start.extend(rows.iter().scan(0, |end, row| {
            *end += row.len();
            Some(*end)
        }));
        let pairs = |row: &Vec<(u32, Mat3)>| -> Vec<u32> {
            row.iter().flat_map(|(i, _)| row.iter().map(|(j, _)| pattern.place(*i, *j))).collect()
        };
        Some(VelocitySpace {
            mass_place: mass.iter().map(|(i, j, _)| pattern.place(*i, *j)).collect(),
            mass,
            start,
            column: entries().map(|(column, _)| *column).collect(),
            gather: entries().map(|(_, block)| *block).collect(),
            place: rows.iter().flat_map(pairs).collect(),
            block: vec![Mat3::zeros(); pattern.column.len()],
            pattern,
            lu,
            x: Vec::new(),
            y: Vec::new(),
            inverse: Vec::new(),
            v: vec![Vec3::zeros(); velocities],
            side_v: vec![Vec3::zeros(); velocities],
            r: vec![Vec3::zeros(); rows.len()],
            side_r: vec![Vec3::zeros(); rows.len()],
        })
    }

    /// What the factors cost. A product with `W` reads `H` twice.
    pub fn cost(&self) -> FactorCost {
        let products = self.lu.products() + self.place.len() + self.gather.len();
        FactorCost { blocks: 2.0 * self.gather.len() as f64, products: products as f64 }
    }

    /// Factors `diag(x) W + diag(y)`, with the diagonal blocks of `W`; false when it is singular.
    pub fn factor(&mut self, x: &[Mat3], y: &[Mat3], diagonal: &[Mat3]) -> bool {
        self.x.clear();
        self.x.extend_from_slice(x);
        self.y.clear();
        self.y.extend_from_slice(y);
        self.inverse.clear();
        for ((x, y), w) in x.iter().zip(y).zip(diagonal) {
            let Some(inverse) = inverse(x, y, w) else { return false };
            self.inverse.push(inverse);
        }
        self.assemble();
        let (offset, column, block) = (&self.pattern.row_offset, &self.pattern.column, &self.block);
        let entries = |i: usize| (offset[i]..offset[i + 1]).map(|at| (column[at] as usize, block[at]));
        self.lu.factor(|_| Mat3::zeros(), entries)
    }

    /// `A/h + Hᵀ diag(y⁻¹ x) H`.
    fn assemble(&mut self) {
        self.block.fill(Mat3::zeros());
        for ((_, _, mass), &at) in self.mass.iter().zip(&self.mass_place) {
            self.block[at as usize] += mass;
        }
        let mut places = self.place.iter();
        for i in 0..self.x.len() {
            let blocks = &self.gather[self.start[i]..self.start[i + 1]];
            let tangent = self.inverse[i] * self.x[i];
            for a in blocks {
                let row = a.tr_mul(&tangent);
                for (b, &at) in blocks.iter().zip(&mut places) {
                    self.block[at as usize] += row * b;
                }
            }
        }
    }

    /// The solution for right side `b`, in place.
    pub fn solve(&mut self, b: &mut [Vec3]) {
        self.v.fill(Vec3::zeros());
        self.r.fill(Vec3::zeros());
        self.side_v.fill(Vec3::zeros());
        self.side_r.copy_from_slice(b);
        let mut last = f64::INFINITY;
        for _ in 0..CORRECTIONS {
            self.correct();
            let size = norm(&self.side_r);
            if size > 0.5 * last {
                break;
            }
            self.v.iter_mut().zip(&self.side_v).for_each(|(v, change)| *v += change);
            self.r.iter_mut().zip(&self.side_r).for_each(|(r, change)| *r += change);
            if size <= EXACT * norm(&self.r) {
                break;
            }
            last = size;
            self.residual(b);
        }
        b.copy_from_slice(&self.r);
    }

    /// Replaces the residuals in `side_v`, `side_r` by the changes of `v` and `r` that they ask for.
    fn correct(&mut self) {
        for i in 0..self.r.len() {
            let force = self.inverse[i] * self.side_r[i];
            for at in self.start[i]..self.start[i + 1] {
                self.side_v[self.column[at] as usize] += self.gather[at].tr_mul(&force);
            }
        }
        self.lu.solve(&mut self.side_v);
        for i in 0..self.r.len() {
            let velocity = self.gathered(i, &self.side_v);
            self.side_r[i] = self.inverse[i] * (self.side_r[i] - self.x[i] * velocity);
        }
    }

    /// Residuals of the saddle-point system at `v` and `r`.
    fn residual(&mut self, b: &[Vec3]) {
        self.side_v.fill(Vec3::zeros());
        for (i, j, mass) in &self.mass {
            self.side_v[*i as usize] -= mass * self.v[*j as usize];
        }
        for (i, b) in b.iter().enumerate() {
            for at in self.start[i]..self.start[i + 1] {
                self.side_v[self.column[at] as usize] += self.gather[at].tr_mul(&self.r[i]);
            }
            self.side_r[i] = b - self.x[i] * self.gathered(i, &self.v) - self.y[i] * self.r[i];
        }
    }

    /// Row `i` of `H v`.
    fn gathered(&self, i: usize, v: &[Vec3]) -> Vec3 {
        let entries = self.start[i]..self.start[i + 1];
        entries.fold(Vec3::zeros(), |sum, at| sum + self.gather[at] * v[self.column[at] as usize])
    }
}

/// The inverse of `y`, or of `y + ε x w` where that is nearly singular.
fn inverse(x: &Mat3, y: &Mat3, w: &Mat3) -> Option<Mat3> {
    let finite = |inverse: &Mat3| inverse.iter().all(|x| x.is_finite());
    let mild = |inverse: &Mat3| (inverse * x * w).norm() <= STIFFEST;
    match y.try_inverse().filter(finite) {
        Some(inverse) if mild(&inverse) => Some(inverse),
        Some(_) | None => (y + x * w * SOFTENING).try_inverse().filter(finite),
    }
}

fn norm(x: &[Vec3]) -> f64 {
    x.iter().map(Vec3::norm_squared).sum::<f64>().sqrt()
}

/// The pattern of `A/h + HᵀH`; `None` when it does not fit in memory.
fn pattern(velocities: usize, mass: &[Entry], rows: &[Vec<(u32, Mat3)>]) -> Option<Pattern> {
    let mut upper: Vec<Vec<u32>> = (0..velocities as u32).map(|i| vec![i]).collect();
    mass.iter().filter(|(i, j, _)| i < j).for_each(|(i, j, _)| upper[*i as usize].push(*j));
    for row in rows {
        for (i, _) in row {
            upper[*i as usize].extend(row.iter().map(|(j, _)| *j).filter(|j| i < j));
        }
    }
    let mut entries = 0;
    for columns in &mut upper {
        columns.sort_unstable();
        columns.dedup();
        entries += columns.len();
    }
    (entries <= MOST_ENTRIES).then(|| Pattern::from_upper(velocities, |i| upper[i].iter().copied()))
}

#[cfg(test)]
mod tests {
    use super::super::factors::Factors;
    use super::super::BlockSparse;
    use super::*;

    /// A chain of masses with implicit springs between neighbours, and a constraint at every mass.
    #[test]
    fn solutions_are_those_of_the_assembled_matrix_for_less_work() {
        let (n, h) = (24_u32, 0.01);
        let block = |k: f64| Mat3::new(2.0, 0.3 * k, 0.0, 0.3 * k, 3.0, 0.1, 0.0, 0.1, 2.5);
        let mut mass: Vec<Entry> = (0..n).map(|i| (i, i, block((i as f64).sin()) / h)).collect();
        let spring = Mat3::from_diagonal(&Vec3::new(-0.4, -0.2, -0.3)) / h;
        mass.extend((1..n).flat_map(|i| [(i - 1, i, spring), (i, i - 1, spring)]));
        let turn = |i: u32| *nalgebra::Rotation3::from_euler_angles(i as f64, 0.5, -0.2).matrix();
        let gather: Vec<Vec<(u32, Mat3)>> = (0..n).map(|i| vec![(i, turn(i))]).collect();
        let size = 3 * n as usize;
        let dense = |entries: &[Entry]| {
            let mut m = nalgebra::DMatrix::<f64>::zeros(size, size);
            for (i, j, block) in entries {
                m.fixed_view_mut::<3, 3>(3 * *i as usize, 3 * *j as usize).copy_from(block);
            }
            m
        };
        let h_matrix = dense(&(0..n).map(|i| (i, i, turn(i))).collect::<Vec<_>>());
        let inverse = dense(&mass).try_inverse().expect("regular");
        let w = &h_matrix * inverse * h_matrix.transpose();
        let blocks =
            |i: u32| (i..n).map(|j| (j, w.fixed_view::<3, 3>(3 * i as usize, 3 * j as usize).into())).collect();
        let assembled = BlockSparse::from_upper(&(0..n).map(blocks).collect::<Vec<_>>());
        let diagonal: Vec<Mat3> = (0..n as usize).map(|i| *assembled.get(i, i).expect("full")).collect();
        let mut factors = Factors::of(&assembled.row_offset, &assembled.column);
        let whole = factors.cost().expect("small");
        let mut sparse = VelocitySpace::new(n as usize, mass, &gather).expect("small");
        assert!(sparse.cost().products < 0.2 * whole.products, "{:?} {whole:?}", sparse.cost());
        // Rows that stick, softly or not at all, that are open, and in between.
        let x: Vec<Mat3> = (0..n).map(|i| if i % 4 == 1 { Mat3::zeros() } else { block(0.2) }).collect();
        let soft =
            |i: u32| [0.0, 1.0, 1e-9, 1.0][i as usize % 4] * if i % 4 == 2 { diagonal[i as usize].norm() } else { 1.0 };
        let y: Vec<Mat3> = (0..n).map(|i| Mat3::from_diagonal_element(soft(i))).collect();
        let b: Vec<Vec3> = (0..n).map(|i| Vec3::new(1.0, i as f64, -2.0)).collect();
        assert!(factors.factor(&assembled, &x, &y) && sparse.factor(&x, &y, &diagonal));
        let (mut one, mut two) = (b.clone(), b);
        factors.solve(&mut one);
        sparse.solve(&mut two);
        let size = norm(&one);
        one.iter().zip(&two).for_each(|(one, two)| assert!((one - two).norm() < 1e-12 * size, "{one} {two}"));
        let zeros = vec![Mat3::zeros(); n as usize];
        assert!(!sparse.factor(&zeros, &zeros, &diagonal));
    }
}
