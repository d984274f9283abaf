//! Cholesky factors `P A Pᵀ = L Lᵀ` of `A = M + s K` by supernodes (faer), and half-solves `L⁻¹ P b` of sparse right-hand
//! sides along the paths of the elimination tree.

use std::cmp::Ordering;
use std::collections::BTreeSet;

use faer::dyn_stack::{MemBuffer, MemStack};
use faer::linalg::cholesky::llt::factor::LltRegularization;
use faer::sparse::linalg::cholesky::supernodal::{SupernodalLltRef, SymbolicSupernodalCholesky};
use faer::sparse::linalg::cholesky::{
    factorize_symbolic_cholesky, CholeskySymbolicParams, LltRef, SymbolicCholesky, SymbolicCholeskyRaw,
    SymmetricOrdering,
};
use faer::sparse::linalg::SupernodalThreshold;
use faer::sparse::{SparseColMatRef, SymbolicSparseColMatRef};
use faer::{Conj, MatMut, Par, Side};

use super::stiffness::Stiffness;
use crate::math::{Mat3, Vec3};
use crate::{Error, Result};

/// The factor of matrices of one pattern.
pub struct Factor {
    symbolic: SymbolicCholesky<u32>,
    /// Supernode of each row in the order of elimination.
    owner: Vec<u32>,
    /// The matrix by columns, lower triangle.
    offset: Vec<u32>,
    row: Vec<u32>,
    value: Vec<f64>,
    factor: Vec<f64>,
    /// Right-hand side and solution.
    right: Vec<f64>,
    memory: MemBuffer,
}

/// `L⁻¹ P b` of three right-hand sides: the rows of the supernodes on their paths to the root.
#[derive(Debug, Clone, Default)]
pub struct HalfSolved {
    /// Supernodes, ascending, and the first of their rows in `rows`.
    supernodes: Vec<(u32, u32)>,
    rows: Vec<[f64; 3]>,
}

impl Factor {
    /// # Errors
    /// The factors would not fit into memory.
    pub fn new(name: &str, stiffness: &Stiffness) -> Result<Factor> {
        let (offset, row) = scalar_pattern(stiffness);
        let n = offset.len() - 1;
        let pattern = SymbolicSparseColMatRef::new_checked(n, n, &offset, None, &row);
        let parameters = CholeskySymbolicParams {
            supernodal_flop_ratio_threshold: SupernodalThreshold::FORCE_SUPERNODAL,
            ..CholeskySymbolicParams::default()
        };
        let symbolic = factorize_symbolic_cholesky(pattern, Side::Lower, SymmetricOrdering::Amd, parameters)
            .map_err(|e| Error::input(format!("{name}: its {n} unknowns cannot be factorised ({e:?})")))?;
        let owner = owners(&symbolic);
        let solve = symbolic.solve_in_place_scratch::<f64>(1, Par::Seq);
        let make = symbolic.factorize_numeric_llt_scratch::<f64>(Par::Seq, faer::Spec::default());
        let (value, factor) = (vec![0.0; row.len()], vec![0.0; symbolic.len_val()]);
        let memory = MemBuffer::new(solve.or(make));
        Ok(Factor { owner, offset, row, value, factor, right: Vec::new(), memory, symbolic })
    }

    /// Factorises `mass + scale K`; false if it is not positive definite.
    pub fn make(&mut self, mass: &[f64], stiffness: &Stiffness, scale: f64) -> bool {
        fill(&mut self.value, mass, stiffness, scale);
        let n = self.offset.len() - 1;
        let pattern = SymbolicSparseColMatRef::new_checked(n, n, &self.offset, None, &self.row);
        let matrix = SparseColMatRef::new(pattern, &self.value);
        let stack = MemStack::new(&mut self.memory);
        let made = self.symbolic.factorize_numeric_llt(
            &mut self.factor,
            matrix,
            Side::Lower,
            LltRegularization::default(),
            Par::Seq,
            stack,
            faer::Spec::default(),
        );
        made.is_ok()
    }

    /// Replaces `x` by `A⁻¹ x`.
    pub fn solve(&mut self, x: &mut [Vec3]) {
        self.right.clear();
        self.right.extend(x.iter().flat_map(|x| [x.x, x.y, x.z]));
        let right = MatMut::from_column_major_slice_mut(&mut self.right, 3 * x.len(), 1);
        let stack = MemStack::new(&mut self.memory);
        LltRef::new(&self.symbolic, &self.factor).solve_in_place_with_conj(Conj::No, right, Par::Seq, stack);
        x.iter_mut().zip(self.right.chunks_exact(3)).for_each(|(x, part)| *x = Vec3::from_column_slice(part));
    }

    /// `L⁻¹ P b` for the three unit forces at nodes with these weights. `scratch` holds three numbers for each unknown
    /// and is zero before and after.
    pub fn half_solve(&self, weights: impl Iterator<Item = (usize, f64)>, scratch: &mut Vec<[f64; 3]>) -> HalfSolved {
        let Some(symbolic) = supernodal(&self.symbolic) else { return HalfSolved::default() };
        scratch.resize(self.owner.len(), [0.0; 3]);
        let mut path = BTreeSet::new();
        let place = |row: usize| self.symbolic.perm().map_or(row, |perm| perm.arrays().1[row] as usize);
        for (node, weight) in weights {
            for (axis, row) in (3 * node..3 * node + 3).map(place).enumerate() {
                scratch[row][axis] += weight;
                path.insert(self.owner[row]);
            }
        }
        let factor = SupernodalLltRef::new(symbolic, &self.factor);
        let mut solved = HalfSolved::default();
        while let Some(s) = path.pop_first() {
            let node = factor.supernode(s as usize);
            let (values, start) = (node.val(), node.start());
            let own = values.ncols();
            for j in 0..own {
                let column = values.col(j);
                let x = scratch[start + j].map(|x| x / column[j]);
                scratch[start + j] = x;
                for i in j + 1..own {
                    subtract(&mut scratch[start + i], column[i], &x);
                }
                for (i, row) in node.pattern().iter().enumerate() {
                    subtract(&mut scratch[*row as usize], column[own + i], &x);
                }
            }
            solved.supernodes.push((s, solved.rows.len() as u32));
            solved.rows.extend(&scratch[start..start + own]);
            scratch[start..start + own].fill([0.0; 3]);
            // The parent in the elimination tree passes on what all rows of the pattern have received.
            path.extend(node.pattern().first().map(|row| self.owner[*row as usize]));
        }
        solved
    }
}

impl HalfSolved {
    /// All rows of a dense factor.
    pub fn dense(rows: Vec<[f64; 3]>) -> HalfSolved {
        HalfSolved { supernodes: vec![(0, 0)], rows }
    }

    /// `aᵀ b`: the response at the point of `a` to unit forces at that of `b`.
    pub fn product(&self, b: &HalfSolved) -> Mat3 {
        let mut sum = Mat3::zeros();
        let (mut i, mut j) = (0, 0);
        while i < self.supernodes.len() && j < b.supernodes.len() {
            match self.supernodes[i].0.cmp(&b.supernodes[j].0) {
                Ordering::Less => i += 1,
                Ordering::Greater => j += 1,
                Ordering::Equal => {
                    for (x, y) in self.rows_of(i).iter().zip(b.rows_of(j)) {
                        for (row, x) in x.iter().enumerate() {
                            for (column, y) in y.iter().enumerate() {
                                sum[(row, column)] += x * y;
                            }
                        }
                    }
                    (i, j) = (i + 1, j + 1);
                }
            }
        }
        sum
    }

    fn rows_of(&self, k: usize) -> &[[f64; 3]] {
        let end = self.supernodes.get(k + 1).map_or(self.rows.len(), |(_, first)| *first as usize);
        &self.rows[self.supernodes[k].1 as usize..end]
    }
}

fn subtract(from: &mut [f64; 3], factor: f64, x: &[f64; 3]) {
    from.iter_mut().zip(x).for_each(|(from, x)| *from -= factor * x);
}

fn supernodal(symbolic: &SymbolicCholesky<u32>) -> Option<&SymbolicSupernodalCholesky<u32>> {
    match symbolic.raw() {
        SymbolicCholeskyRaw::Supernodal(supernodal) => Some(supernodal),
        SymbolicCholeskyRaw::Simplicial(_) => None,
    }
}

fn owners(symbolic: &SymbolicCholesky<u32>) -> Vec<u32> {
    let Some(supernodal) = supernodal(symbolic) else { return Vec::new() };
    let ends = (0..).zip(supernodal.supernode_begin().iter().zip(supernodal.supernode_end()));
    ends.flat_map(|(s, (begin, end))| std::iter::repeat_n(s, (end - begin) as usize)).collect()
}

/// Columns of the lower triangle in single numbers.
fn scalar_pattern(stiffness: &Stiffness) -> (Vec<u32>, Vec<u32>) {
    let (mut offset, mut rows) = (vec![0], Vec::new());
    for (column, range) in stiffness.pattern.columns() {
        for axis in 0..3 {
            for &row in &stiffness.pattern.row[range.clone()] {
                let first = if row as usize == column { axis } else { 0 };
                rows.extend((first..3).map(|i| 3 * row + i));
            }
            offset.push(rows.len() as u32);
        }
    }
    (offset, rows)
}

fn fill(value: &mut [f64], mass: &[f64], stiffness: &Stiffness, scale: f64) {
    let mut next = value.iter_mut();
    for (column, range) in stiffness.pattern.columns() {
        for axis in 0..3 {
            for k in range.clone() {
                let diagonal = stiffness.pattern.row[k] as usize == column;
                for i in if diagonal { axis } else { 0 }..3 {
                    let Some(place) = next.next() else { return };
                    let mass = if diagonal && i == axis { mass[column] } else { 0.0 };
                    *place = mass + scale * stiffness.block[k][(i, axis)];
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::body::finite::grid::Grid;
    use crate::body::kirchhoff::Kirchhoff;
    use crate::shape::Mesh;

    /// Products of half-solves and full solves are those of the matrix.
    #[test]
    fn half_solves_multiply_to_the_inverse() {
        let corners = [[0, 0, 0], [4, 0, 0], [4, 1, 0], [0, 1, 0], [0, 0, 1], [4, 0, 1], [4, 1, 1], [0, 1, 1]];
        let corners = corners.map(|x: [i32; 3]| Vec3::from(x.map(f64::from)));
        let mesh = Mesh::hex(&corners, [8, 2, 3], 1, &[1; 6], [None; 3]).unwrap();
        let grid = Grid::new("a bar", mesh).unwrap();
        let mass = grid.lumped("a bar", |_| 1e3).unwrap();
        let mut stiffness = Stiffness::new(&grid);
        let laws = vec![Kirchhoff::new(1e6, 0.3); grid.mesh.elements.len()];
        stiffness.assemble(&grid, &laws, &grid.mesh.nodes, false);
        let mut factor = Factor::new("a bar", &stiffness).unwrap();
        assert!(factor.make(&mass, &stiffness, 1e-3));
        let points: [&[(usize, f64)]; 4] =
            [&[(0, 1.0)], &[(3, 0.5), (40, 0.5)], &[(107, 1.0)], &[(50, 0.3), (51, 0.7)]];
        let mut scratch = Vec::new();
        let half: Vec<HalfSolved> =
            points.iter().map(|point| factor.half_solve(point.iter().copied(), &mut scratch)).collect();
        assert!(scratch.iter().flatten().all(|x| *x == 0.0));
        for (b, point) in points.iter().enumerate() {
            for axis in 0..3 {
                let mut x = vec![Vec3::zeros(); grid.nodes()];
                point.iter().for_each(|(node, weight)| x[*node][axis] += weight);
                let right = x.clone();
                factor.solve(&mut x);
                // A x = b.
                let mut residual = vec![Vec3::zeros(); grid.nodes()];
                for (row, column, block) in stiffness.entries(&mass, 1e-3) {
                    residual[row as usize] += block * x[column as usize];
                }
                let off: f64 = residual.iter().zip(&right).map(|(a, b)| (a - b).amax()).fold(0.0, f64::max);
                assert!(off < 1e-12, "{off:e}");
                for (a, other) in points.iter().enumerate() {
                    let expected: Vec3 = other.iter().map(|(node, weight)| x[*node] * *weight).sum();
                    let product: Mat3 = half[a].product(&half[b]);
                    let found = Vec3::from(product.column(axis));
                    assert!(
                        (found - expected).amax() < 1e-12 * product.amax().max(1e-3),
                        "{a} {b}: {found} {expected}"
                    );
                }
            }
        }
    }
}
