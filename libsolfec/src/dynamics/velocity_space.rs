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

use pulp::{Arch, NullaryFnOnce};

use super::block_lu::{dot, BlockLu};
use super::dense::{Dense, Size, View};
use super::elimination::MOST_ENTRIES;
use super::factors::Kept;
use super::sparse::Pattern;
use super::FactorCost;
use crate::body::Entry;
use crate::math::{Mat3, Vec3};

/// Largest `|y⁻¹ x W_αα|` of a row, beyond which `ε x W_αα` is added to its `y`; and `ε`.
const STIFFEST: f64 = 1e10;
const SOFTENING: f64 = 1e-10;
/// Relative error of a solution without corrections for rows of stiffness 1.
const ROUNDING: f64 = 1e-14;
/// Most corrections of a solution.
const CORRECTIONS: usize = 8;

/// Rows for each two blocks of velocities from which on constraints are many.
const MANY: usize = 3;

/// Whether there are many constraints for so many blocks of velocities: elimination of the rows of `W`, those of a body
/// all coupled, takes more products than that of the velocities.
pub(super) fn outnumber(rows: usize, velocities: usize) -> bool {
    2 * rows >= MANY * velocities
}

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
}

/// Rows with the same columns, one after another.
#[derive(Debug, Clone, Default)]
struct Group {
    rows: std::ops::Range<usize>,
    columns: std::ops::Range<usize>,
    /// Where the numbers of its part of `H` begin, three rows of them for each constraint.
    first: usize,
    /// Where the places of its blocks in the pattern begin, row by row.
    place: usize,
}

impl Group {
    fn width(&self) -> usize {
        3 * self.columns.len()
    }

    /// The part of `H` of each constraint.
    fn parts<'a>(&self, numbers: &'a [f64]) -> std::slice::ChunksExact<'a, f64> {
        let size = 3 * self.width();
        numbers[self.first..self.first + self.rows.len() * size].chunks_exact(size.max(1))
    }
}

/// The system of one step and its factors; memory is kept from step to step.
#[derive(Debug, Clone, Default)]
pub(super) struct VelocitySpace {
    /// `A/h`, and the place of each entry in the pattern of the matrix.
    mass: Vec<Entry>,
    mass_place: Vec<u32>,
    gather: Gather,
    group: Vec<Group>,
    numbers: Vec<f64>,
    place: Vec<u32>,
    /// Those of the matrix in `v`, and of earlier ones.
    lu: Option<Box<BlockLu>>,
    kept: Kept,
    /// Of the last factors: `inverse` of `y`, and the largest `|y⁻¹ x W_αα|`.
    x: Vec<Mat3>,
    y: Vec<Mat3>,
    inverse: Vec<Mat3>,
    stiffest: f64,
    /// Solution, residuals and correction of velocities; solution and residuals of rows.
    v: Vec<Vec3>,
    side_v: Vec<Vec3>,
    r: Vec<Vec3>,
    side_r: Vec<Vec3>,
    /// Of a group: its part of the matrix or of velocities, and the products of tangents with `H`.
    sum: Vec<f64>,
    row: Vec<f64>,
    dense: Dense,
    arch: Arch,
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
        self.form_groups(&pattern);
        let widest = self.group.iter().map(Group::width).max().unwrap_or(0);
        self.sum.resize(widest * widest, 0.0);
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

    /// Groups of rows, their numbers and the places of their blocks.
    fn form_groups(&mut self, pattern: &Pattern) {
        self.group.clear();
        self.numbers.clear();
        self.place.clear();
        for i in 0..self.gather.rows() {
            let range = self.gather.range(i);
            match self.group.last_mut().filter(|_| self.gather.repeats(i)) {
                Some(group) => group.rows.end = i + 1,
                None => {
                    let (first, place) = (self.numbers.len(), self.place.len());
                    self.group.push(Group { rows: i..i + 1, columns: range.clone(), first, place });
                    let columns = &self.gather.column[range.clone()];
                    let pairs = columns.iter().flat_map(|a| columns.iter().map(|b| pattern.place(*a, *b)));
                    self.place.extend(pairs);
                }
            }
            for k in 0..3 {
                let row = self.gather.block[range.clone()].iter().flat_map(|block| (0..3).map(move |j| block[(k, j)]));
                self.numbers.extend(row);
            }
        }
    }

    /// What the factors cost. A product with `W` reads `H` twice.
    pub fn cost(&self) -> FactorCost {
        let assembly: usize = self.group.iter().map(|group| group.rows.len() * group.columns.len().pow(2)).sum();
        let products = self.lu.as_ref().map_or(0, |lu| lu.products()) + assembly + self.gather.block.len();
        FactorCost {
            blocks: 2.0 * self.gather.block.len() as f64,
            products: products as f64,
            redundant: outnumber(self.gather.rows(), self.v.len()),
        }
    }

    /// Factors `diag(x) W + diag(y)`, with the diagonal blocks of `W`; false when it is singular.
    pub fn factor(&mut self, x: &[Mat3], y: &[Mat3], diagonal: &[Mat3]) -> bool {
        self.x.clear();
        self.x.extend_from_slice(x);
        self.y.clear();
        self.y.extend_from_slice(y);
        self.inverse.clear();
        self.stiffest = 0.0;
        for ((x, y), w) in x.iter().zip(y).zip(diagonal) {
            let Some((inverse, stiffness)) = inverse(x, y, w) else { return false };
            self.inverse.push(inverse);
            self.stiffest = self.stiffest.max(stiffness);
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
        for group in &self.group {
            // Open contacts have no part in it.
            if group.rows.clone().all(|i| self.x[i] == Mat3::zeros()) {
                continue;
            }
            let n = group.width();
            self.row.resize(3 * n * group.rows.len(), 0.0);
            let tangents = group.rows.clone().map(|i| self.inverse[i] * self.x[i]);
            let (parts, rows) = (group.parts(&self.numbers), &mut self.row);
            self.arch.dispatch(Tangents { tangents, parts, n, rows });
            let sum = &mut self.sum[..n * n];
            sum.fill(0.0);
            let part = View { data: &self.numbers[group.first..], down: 1, right: n };
            let size = Size { rows: n, terms: 3 * group.rows.len(), columns: n };
            self.dense.subtract(part, (&self.row, n), (sum, n), size);
            let count = group.columns.len();
            for (a, places) in self.place[group.place..][..count * count].chunks_exact(count.max(1)).enumerate() {
                for (b, &at) in places.iter().enumerate() {
                    lu.add_rows(at as usize, &sum[3 * (a * n + b)..], n);
                }
            }
        }
    }

    /// The solution for right side `b`, in place; a correction that is smaller than `accuracy`, relative to the
    /// solution, is the last. None is made where the rows are too soft for so large an error.
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
            if size <= accuracy * norm(&self.r) || ROUNDING * self.stiffest <= accuracy {
                break;
            }
            last = size;
            self.with_registers(|space| space.residual(b));
        }
        b.copy_from_slice(&self.r);
    }

    /// Replaces the residuals in `side_v`, `side_r` by the changes of `v` and `r` that they ask for.
    fn correct(&mut self) {
        self.with_registers(Self::add_row_residuals);
        if let Some(lu) = &mut self.lu {
            lu.solve(&mut self.side_v);
        }
        self.with_registers(Self::solve_rows);
    }

    /// Runs a part of a solution, which must be inlined, with the registers of the machine.
    fn with_registers(&mut self, part: impl FnOnce(&mut Self)) {
        self.arch.dispatch(WithRegisters(self, part));
    }

    /// Adds what the residuals of rows come to, `Hᵀ diag(y⁻¹)` times them, to those of velocities.
    #[inline(always)]
    fn add_row_residuals(&mut self) {
        for group in &self.group {
            let columns = &self.gather.column[group.columns.clone()];
            let sum = &mut self.sum[..group.width()];
            sum.fill(0.0);
            for (i, part) in group.rows.clone().zip(group.parts(&self.numbers)) {
                add_transposed(part, &(self.inverse[i] * self.side_r[i]), sum);
            }
            scatter(sum, columns, &mut self.side_v);
        }
    }

    /// The changes of rows that go with those of velocities.
    #[inline(always)]
    fn solve_rows(&mut self) {
        for group in &self.group {
            let columns = &self.gather.column[group.columns.clone()];
            let v = &mut self.sum[..group.width()];
            collect(&self.side_v, columns, v);
            for (i, part) in group.rows.clone().zip(group.parts(&self.numbers)) {
                self.side_r[i] = self.inverse[i] * (self.side_r[i] - self.x[i] * product(part, v));
            }
        }
    }

    /// Residuals of the saddle-point system at `v` and `r`.
    #[inline(always)]
    fn residual(&mut self, b: &[Vec3]) {
        self.side_v.fill(Vec3::zeros());
        for (i, j, mass) in &self.mass {
            self.side_v[*i as usize] -= mass * self.v[*j as usize];
        }
        for group in &self.group {
            let columns = &self.gather.column[group.columns.clone()];
            self.row.resize(group.width(), 0.0);
            let (sum, v) = (&mut self.sum[..group.width()], &mut self.row);
            sum.fill(0.0);
            collect(&self.v, columns, v);
            for (i, part) in group.rows.clone().zip(group.parts(&self.numbers)) {
                add_transposed(part, &self.r[i], sum);
                self.side_r[i] = b[i] - self.x[i] * product(part, v) - self.y[i] * self.r[i];
            }
            scatter(sum, columns, &mut self.side_v);
        }
    }
}

/// A part of a solution, which runs with the registers of the machine.
struct WithRegisters<'a, F>(&'a mut VelocitySpace, F);

impl<F: FnOnce(&mut VelocitySpace)> NullaryFnOnce for WithRegisters<'_, F> {
    type Output = ();

    #[inline(always)]
    fn call(self) {
        (self.1)(self.0);
    }
}

/// The rows of `−tangent part` of each constraint, of `n` columns.
struct Tangents<'a, T> {
    tangents: T,
    parts: std::slice::ChunksExact<'a, f64>,
    n: usize,
    rows: &'a mut [f64],
}

impl<T: Iterator<Item = Mat3>> NullaryFnOnce for Tangents<'_, T> {
    type Output = ();

    #[inline(always)]
    fn call(self) {
        let Tangents { tangents, parts, n, rows } = self;
        if n == 0 {
            return;
        }
        for ((tangent, part), rows) in tangents.zip(parts).zip(rows.chunks_exact_mut(3 * n)) {
            let (a, b) = part.split_at(n);
            let (b, c) = b.split_at(n);
            for (k, row) in rows.chunks_exact_mut(n).enumerate() {
                let (p, q, s) = (tangent[(k, 0)], tangent[(k, 1)], tangent[(k, 2)]);
                for (((out, a), b), c) in row.iter_mut().zip(a).zip(b).zip(c) {
                    *out = -(p * a + q * b + s * c);
                }
            }
        }
    }
}

/// `part v`.
#[inline(always)]
fn product(part: &[f64], v: &[f64]) -> Vec3 {
    let n = v.len();
    Vec3::new(dot(&part[..n], v), dot(&part[n..2 * n], v), dot(&part[2 * n..], v))
}

/// `sum += partᵀ force`.
#[inline(always)]
fn add_transposed(part: &[f64], force: &Vec3, sum: &mut [f64]) {
    let n = sum.len();
    let (a, others) = part.split_at(n);
    let (b, c) = others.split_at(n);
    for (((sum, a), b), c) in sum.iter_mut().zip(a).zip(b).zip(c) {
        *sum += a * force.x + b * force.y + c * force.z;
    }
}

/// Velocities of some columns, one after another.
fn collect(v: &[Vec3], columns: &[u32], out: &mut [f64]) {
    for (out, &column) in out.chunks_exact_mut(3).zip(columns) {
        out.copy_from_slice(v[column as usize].as_slice());
    }
}

/// Adds to the forces of some columns.
fn scatter(sum: &[f64], columns: &[u32], out: &mut [Vec3]) {
    for (sum, &column) in sum.chunks_exact(3).zip(columns) {
        out[column as usize] += Vec3::new(sum[0], sum[1], sum[2]);
    }
}

/// The inverse of `y`, or of `y + ε x w` where that is nearly singular, and `|y⁻¹ x w|` with it.
fn inverse(x: &Mat3, y: &Mat3, w: &Mat3) -> Option<(Mat3, f64)> {
    let finite = |inverse: &Mat3| inverse.iter().all(|x| x.is_finite());
    let stiffness = |inverse: Mat3| (inverse, (inverse * x * w).norm());
    let plain = y.try_inverse().filter(finite).map(stiffness).filter(|(_, stiffness)| *stiffness <= STIFFEST);
    plain.or_else(|| (y + x * w * SOFTENING).try_inverse().filter(finite).map(stiffness))
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
