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

use super::block_lu::BlockLu;
use super::elimination::MOST_ENTRIES;
use super::factors::Kept;
use super::sparse::Pattern;
use super::FactorCost;
use crate::body::Entry;
use crate::math::{Mat3, Vec3};

/// Largest `|y⁻¹ x W_αα|` of a row, beyond which `ε x W_αα` is added to its `y`; and `ε`.
const STIFFEST: f64 = 1e10;
const SOFTENING: f64 = 1e-10;
/// Most corrections of a solution.
const CORRECTIONS: usize = 8;

/// `H` by rows.
#[derive(Debug, Clone, Default)]
pub(super) struct Gather {
    /// Of row `i` at `end[i - 1] .. end[i]`, columns and blocks.
    end: Vec<u32>,
    column: Vec<u32>,
    block: Vec<Mat3>,
}

impl Gather {
    pub fn clear(&mut self) {
        self.end.clear();
        self.column.clear();
        self.block.clear();
    }

    /// Adds a block to the row that is being made.
    pub fn put(&mut self, column: u32, block: Mat3) {
        self.column.push(column);
        self.block.push(block);
    }

    /// Ends the row.
    pub fn end_row(&mut self) {
        self.end.push(self.column.len() as u32);
    }

    fn rows(&self) -> usize {
        self.end.len()
    }

    fn range(&self, i: usize) -> std::ops::Range<usize> {
        let start = if i == 0 { 0 } else { self.end[i - 1] };
        start as usize..self.end[i] as usize
    }

    fn columns(&self, i: usize) -> &[u32] {
        &self.column[self.range(i)]
    }

    /// Whether row `i` has the columns of the row before it, as those of contacts between the same bodies have.
    fn repeats(&self, i: usize) -> bool {
        i > 0 && self.columns(i) == self.columns(i - 1)
    }

    /// Row `i` of `H v`.
    fn product(&self, i: usize, v: &[Vec3]) -> Vec3 {
        self.range(i).fold(Vec3::zeros(), |sum, at| sum + self.block[at] * v[self.column[at] as usize])
    }

    /// `out += Hᵢᵀ force`.
    fn scatter(&self, i: usize, force: &Vec3, out: &mut [Vec3]) {
        for at in self.range(i) {
            out[self.column[at] as usize] += self.block[at].tr_mul(force);
        }
    }
}

/// The system of one step and its factors; memory is kept from step to step.
#[derive(Debug, Clone, Default)]
pub(super) struct VelocitySpace {
    /// `A/h`, and the place of each entry in the pattern of the matrix.
    mass: Vec<Entry>,
    mass_place: Vec<u32>,
    gather: Gather,
    /// Places in the pattern of `Hᵢᵀ … Hᵢ`, row by row.
    place: Vec<u32>,
    /// Those of the matrix in `v`, and of earlier ones.
    lu: Option<Box<BlockLu>>,
    kept: Kept,
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
    /// Memory for the rows of `H` of the next step.
    pub fn take_gather(&mut self) -> Gather {
        let mut gather = std::mem::take(&mut self.gather);
        gather.clear();
        gather
    }

    /// Takes the system of `velocities` blocks of velocities: entries of `A/h` [kg/s], both triangles, and `H`. False
    /// when its factors do not fit in memory.
    pub fn fill(&mut self, velocities: usize, mass: Vec<Entry>, gather: Gather) -> bool {
        (self.mass, self.gather) = (mass, gather);
        if let Some(lu) = self.lu.take() {
            self.kept.put(lu);
        }
        let Some(pattern) = pattern(velocities, &self.mass, &self.gather) else { return false };
        self.mass_place.clear();
        self.mass_place.extend(self.mass.iter().map(|(i, j, _)| pattern.place(*i, *j)));
        self.place.clear();
        for i in 0..self.gather.rows() {
            let columns = self.gather.columns(i);
            if self.gather.repeats(i) {
                self.place.extend_from_within(self.place.len() - columns.len().pow(2)..);
            } else {
                let pairs = columns.iter().flat_map(|a| columns.iter().map(|b| pattern.place(*a, *b)));
                self.place.extend(pairs);
            }
        }
        for (column, length) in [
            (&mut self.v, velocities),
            (&mut self.side_v, velocities),
            (&mut self.r, self.gather.rows()),
            (&mut self.side_r, self.gather.rows()),
        ] {
            column.clear();
            column.resize(length, Vec3::zeros());
        }
        self.lu = self.kept.take(&pattern);
        self.lu.is_some()
    }

    /// What the factors cost. A product with `W` reads `H` twice.
    pub fn cost(&self) -> FactorCost {
        let products = self.lu.as_ref().map_or(0, |lu| lu.products()) + self.place.len() + self.gather.block.len();
        FactorCost { blocks: 2.0 * self.gather.block.len() as f64, products: products as f64 }
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
        self.lu.as_mut().is_some_and(|lu| lu.factor())
    }

    /// `A/h + Hᵀ diag(y⁻¹ x) H`.
    fn assemble(&mut self) {
        let Some(lu) = &mut self.lu else { return };
        lu.clear();
        for ((_, _, mass), &at) in self.mass.iter().zip(&self.mass_place) {
            lu.add(at as usize, mass);
        }
        let mut first = 0;
        for i in 0..self.x.len() {
            let blocks = &self.gather.block[self.gather.range(i)];
            let places = &self.place[first..first + blocks.len().pow(2)];
            first += places.len();
            // Open contacts have no part in it.
            if self.x[i] == Mat3::zeros() {
                continue;
            }
            let tangent = self.inverse[i] * self.x[i];
            for (a, places) in blocks.iter().zip(places.chunks_exact(blocks.len())) {
                let row = a.tr_mul(&tangent);
                for (b, &at) in blocks.iter().zip(places) {
                    lu.add(at as usize, &(row * b));
                }
            }
        }
    }

    /// The solution for right side `b`, in place; a correction that is smaller than `accuracy`, relative to the
    /// solution, is the last.
    pub fn solve(&mut self, b: &mut [Vec3], accuracy: f64) {
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
            if size <= accuracy * norm(&self.r) {
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
            self.gather.scatter(i, &(self.inverse[i] * self.side_r[i]), &mut self.side_v);
        }
        if let Some(lu) = &mut self.lu {
            lu.solve(&mut self.side_v);
        }
        for i in 0..self.r.len() {
            let velocity = self.gather.product(i, &self.side_v);
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
            self.gather.scatter(i, &self.r[i], &mut self.side_v);
            self.side_r[i] = b - self.x[i] * self.gather.product(i, &self.v) - self.y[i] * self.r[i];
        }
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
fn pattern(velocities: usize, mass: &[Entry], gather: &Gather) -> Option<Pattern> {
    let mut upper: Vec<Vec<u32>> = (0..velocities as u32).map(|i| vec![i]).collect();
    mass.iter().filter(|(i, j, _)| i < j).for_each(|(i, j, _)| upper[*i as usize].push(*j));
    for row in (0..gather.rows()).filter(|&i| !gather.repeats(i)) {
        let columns = gather.columns(row);
        for i in columns {
            upper[*i as usize].extend(columns.iter().filter(|j| i < *j));
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
        let mut gather = Gather::default();
        for i in 0..n {
            gather.put(i, turn(i));
            gather.end_row();
        }
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
        let pattern = Pattern { row_offset: assembled.row_offset.clone(), column: assembled.column.clone() };
        let mut factors = Factors::of(&pattern, &mut Kept::default());
        let whole = factors.cost().expect("small");
        let mut sparse = VelocitySpace::default();
        assert!(sparse.fill(n as usize, mass, gather));
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
        sparse.solve(&mut two, 1e-14);
        let size = norm(&one);
        one.iter().zip(&two).for_each(|(one, two)| assert!((one - two).norm() < 1e-12 * size, "{one} {two}"));
        let zeros = vec![Mat3::zeros(); n as usize];
        assert!(!sparse.factor(&zeros, &zeros, &diagonal));
    }
}
