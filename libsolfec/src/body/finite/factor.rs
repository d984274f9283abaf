//! Cholesky factors `P A Pᵀ = L Lᵀ` of `A = M + s K` by supernodes (faer), in the order of nested dissection or of the
//! approximate minimum degree, whichever takes fewer operations.

use faer::dyn_stack::{MemBuffer, MemStack};
use faer::linalg::cholesky::llt::factor::LltRegularization;
use faer::perm::PermRef;
use faer::sparse::linalg::cholesky::supernodal::{SupernodalLltRef, SymbolicSupernodalCholesky};
use faer::sparse::linalg::cholesky::{
    factorize_symbolic_cholesky, CholeskySymbolicParams, LltRef, SymbolicCholesky, SymbolicCholeskyRaw,
    SymmetricOrdering,
};
use faer::sparse::linalg::SupernodalThreshold;
use faer::sparse::{SparseColMatRef, SymbolicSparseColMatRef};
use faer::{Conj, MatMut, Par, Side};

use super::half::{half_solve, Columns, HalfSolved, COLUMNS};
use super::order::nested_dissection;
use super::stiffness::Stiffness;
use crate::math::Vec3;
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

impl Factor {
    /// `places`: where the nodes are [m].
    ///
    /// # Errors
    /// The factors would not fit into memory.
    pub fn new(name: &str, stiffness: &Stiffness, places: &[Vec3]) -> Result<Factor> {
        let (offset, row) = scalar_pattern(stiffness);
        let n = offset.len() - 1;
        let pattern = SymbolicSparseColMatRef::new_checked(n, n, &offset, None, &row);
        let analyse = |order| {
            let parameters = CholeskySymbolicParams {
                supernodal_flop_ratio_threshold: SupernodalThreshold::FORCE_SUPERNODAL,
                ..CholeskySymbolicParams::default()
            };
            factorize_symbolic_cholesky(pattern, Side::Lower, order, parameters)
                .map_err(|e| Error::input(format!("{name}: its {n} unknowns cannot be factorised ({e:?})")))
        };
        let (forward, inverse) = scalar_order(&nested_dissection(places, &stiffness.pattern));
        let dissected = analyse(SymmetricOrdering::Custom(PermRef::new_checked(&forward, &inverse, n)))?;
        let greedy = analyse(SymmetricOrdering::Amd)?;
        let symbolic = if operations(&dissected) < operations(&greedy) { dissected } else { greedy };
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

    /// Where the first unknown of a node stands in the order of elimination.
    pub fn place(&self, node: u32) -> u32 {
        self.symbolic.perm().map_or(3 * node, |perm| perm.arrays().1[3 * node as usize])
    }

    /// `L⁻¹ P b` for the unit forces at at most [`GROUP`] nodes. `scratch` is zero before and after.
    pub fn half_solve(&self, nodes: &[u32], scratch: &mut Vec<Columns>) -> HalfSolved {
        let Some(symbolic) = supernodal(&self.symbolic) else { return HalfSolved::default() };
        let factor = SupernodalLltRef::new(symbolic, &self.factor);
        scratch.resize(self.owner.len(), [0.0; COLUMNS]);
        let mut path = Vec::new();
        for (k, node) in nodes.iter().enumerate() {
            for axis in 0..3 {
                let row = 3 * *node as usize + axis;
                let place = self.symbolic.perm().map_or(row, |perm| perm.arrays().1[row] as usize);
                scratch[place][3 * k + axis] = 1.0;
                // The parent in the elimination tree receives what all rows of the pattern have received.
                let mut next = Some(self.owner[place]);
                while let Some(s) = next.filter(|s| !path.contains(s)) {
                    path.push(s);
                    next = factor.supernode(s as usize).pattern().first().map(|row| self.owner[*row as usize]);
                }
            }
        }
        path.sort_unstable();
        half_solve(factor, &path, scratch)
    }
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

/// Multiplications of a factorisation.
fn operations(symbolic: &SymbolicCholesky<u32>) -> f64 {
    let Some(supernodal) = supernodal(symbolic) else { return f64::INFINITY };
    let of = |s: usize| {
        let node = supernodal.supernode(s);
        let own = supernodal.supernode_end()[s] - supernodal.supernode_begin()[s];
        let rows = f64::from(own) + node.pattern().len() as f64;
        (0..own).map(|k| (rows - f64::from(k)).powi(2)).sum::<f64>()
    };
    (0..supernodal.n_supernodes()).map(of).sum()
}

/// Unknowns in the order of their nodes, and its inverse.
fn scalar_order(nodes: &[u32]) -> (Vec<u32>, Vec<u32>) {
    let forward: Vec<u32> = nodes.iter().flat_map(|node| [3 * node, 3 * node + 1, 3 * node + 2]).collect();
    let mut inverse = vec![0; forward.len()];
    (0..).zip(&forward).for_each(|(place, unknown)| inverse[*unknown as usize] = place);
    (forward, inverse)
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

    /// Products of half-solves and full solves are those of the matrix, and do not depend on how nodes are grouped.
    #[test]
    fn half_solves_multiply_to_the_inverse() {
        let corners = [[0, 0, 0], [4, 0, 0], [4, 1, 0], [0, 1, 0], [0, 0, 1], [4, 0, 1], [4, 1, 1], [0, 1, 1]];
        let corners = corners.map(|x: [i32; 3]| Vec3::from(x.map(f64::from)));
        let mesh = Mesh::hex(&corners, [8, 3, 3], 1, &[1; 6], [None; 3]).unwrap();
        let grid = Grid::new("a bar", mesh).unwrap();
        let mass = grid.lumped("a bar", |_| 1e3).unwrap();
        let mut stiffness = Stiffness::new(&grid);
        let laws = vec![Kirchhoff::new(1e6, 0.3); grid.mesh.elements.len()].into();
        stiffness.assemble(&grid, &laws, &grid.mesh.nodes, false);
        let mut factor = Factor::new("a bar", &stiffness, &grid.mesh.nodes).unwrap();
        assert!(factor.make(&mass, &stiffness, 1e-3));
        let nodes = [0, 3, 40, 107, 50, 51, 99, 12];
        let mut scratch = Vec::new();
        let together = factor.half_solve(&nodes, &mut scratch);
        assert!(scratch.iter().flatten().all(|x| *x == 0.0));
        let inverse = together.product(&together);
        for (b, node) in nodes.into_iter().enumerate() {
            let alone = factor.half_solve(&[node], &mut scratch);
            for axis in 0..3 {
                let mut x = vec![Vec3::zeros(); grid.nodes()];
                x[node as usize][axis] = 1.0;
                let right = x.clone();
                factor.solve(&mut x);
                // A x = b.
                let mut residual = vec![Vec3::zeros(); grid.nodes()];
                for (row, column, block) in stiffness.entries(&mass, 1e-3) {
                    residual[row as usize] += block * x[column as usize];
                }
                let off: f64 = residual.iter().zip(&right).map(|(a, b)| (a - b).amax()).fold(0.0, f64::max);
                assert!(off < 1e-12, "{off:e}");
                for (a, other) in nodes.into_iter().enumerate() {
                    let found = Vec3::from(inverse[a][b].column(axis));
                    let expected = x[other as usize];
                    let size = inverse[a][b].amax().max(1e-3);
                    assert!((found - expected).amax() < 1e-12 * size, "{a} {b}: {found} {expected}");
                }
            }
            let row = alone.product(&together);
            assert_eq!(row[0], inverse[b]);
        }
    }
}
