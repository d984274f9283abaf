//! Cholesky factors `P A Pᵀ = L Lᵀ` of `A = M + s K` by supernodes (faer), in the order of nested dissection or of the
//! approximate minimum degree, whichever takes fewer operations.

use std::sync::Arc;

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
use faer::{Conj, MatMut, MatRef, Par, Side};

use super::half::{half_solve, Columns, HalfSolved, COLUMNS};
use super::order::nested_dissection;
use super::stiffness::Stiffness;
use crate::math::Vec3;
use crate::{Error, Result};

/// The factor of matrices of one pattern.
pub struct Factor {
    shape: Arc<Shape>,
    factor: Vec<f64>,
}

/// What factors of one pattern share.
struct Shape {
    symbolic: SymbolicCholesky<u32>,
    /// Supernode of each row in the order of elimination.
    owner: Vec<u32>,
    /// The matrix by columns, lower triangle.
    offset: Vec<u32>,
    row: Vec<u32>,
}

/// Memory of factorisations and solutions: the matrix, right-hand side and solution.
pub struct Room {
    value: Vec<f64>,
    right: Vec<f64>,
    memory: MemBuffer,
}

/// The numbers of a supernode: its own rows and columns, and those of its rows that are owned by others.
pub struct Supernode<'a> {
    pub start: usize,
    pub values: MatRef<'a, f64>,
    pub pattern: &'a [u32],
}

impl Factor {
    /// `places`: where the nodes are [m].
    ///
    /// # Errors
    /// The factors would not fit into memory.
    pub fn new(name: &str, stiffness: &Stiffness, places: &[Vec3]) -> Result<(Factor, Room)> {
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
        let room = Room { value: vec![0.0; row.len()], right: Vec::new(), memory: MemBuffer::new(solve.or(make)) };
        let factor = vec![0.0; symbolic.len_val()];
        Ok((Factor { shape: Arc::new(Shape { owner, offset, row, symbolic }), factor }, room))
    }

    /// Another factor for matrices of the same pattern.
    pub fn another(&self) -> Factor {
        Factor { shape: Arc::clone(&self.shape), factor: vec![0.0; self.factor.len()] }
    }

    /// Factorises `mass + scale K`; false if it is not positive definite.
    pub fn make(&mut self, mass: &[f64], stiffness: &Stiffness, scale: f64, room: &mut Room) -> bool {
        let Shape { symbolic, offset, row, .. } = &*self.shape;
        fill(&mut room.value, mass, stiffness, scale);
        let n = offset.len() - 1;
        let pattern = SymbolicSparseColMatRef::new_checked(n, n, offset, None, row);
        let matrix = SparseColMatRef::new(pattern, &room.value);
        let stack = MemStack::new(&mut room.memory);
        let made = symbolic.factorize_numeric_llt(
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
    pub fn solve(&self, x: &mut [Vec3], room: &mut Room) {
        let right = &mut room.right;
        right.clear();
        right.extend(x.iter().flat_map(|x| [x.x, x.y, x.z]));
        let right = MatMut::from_column_major_slice_mut(right, 3 * x.len(), 1);
        let stack = MemStack::new(&mut room.memory);
        LltRef::new(&self.shape.symbolic, &self.factor).solve_in_place_with_conj(Conj::No, right, Par::Seq, stack);
        x.iter_mut().zip(room.right.chunks_exact(3)).for_each(|(x, part)| *x = Vec3::from_column_slice(part));
    }

    /// Where the first unknown of a node stands in the order of elimination.
    pub fn place(&self, node: u32) -> u32 {
        self.place_of(node, 0)
    }

    /// The same of any of its unknowns.
    pub fn place_of(&self, node: u32, axis: u32) -> u32 {
        let row = 3 * node + axis;
        self.shape.symbolic.perm().map_or(row, |perm| perm.arrays().1[row as usize])
    }

    /// The unknown that stands at a place.
    pub fn unknown(&self, place: usize) -> u32 {
        self.shape.symbolic.perm().map_or(place as u32, |perm| perm.arrays().0[place])
    }

    /// Number of unknowns.
    pub fn unknowns(&self) -> usize {
        self.shape.owner.len()
    }

    /// Supernode that owns a place.
    pub fn owner(&self, place: u32) -> u32 {
        self.shape.owner[place as usize]
    }

    /// A supernode; none where there are none.
    pub fn supernode(&self, s: u32) -> Option<Supernode<'_>> {
        let of = SupernodalLltRef::new(supernodal(&self.shape.symbolic)?, &self.factor).supernode(s as usize);
        Some(Supernode { start: of.start(), values: of.val(), pattern: of.pattern() })
    }

    /// The supernode that receives what the rows of this one have received.
    pub fn parent(&self, s: u32) -> Option<u32> {
        self.supernode(s)?.pattern.first().map(|row| self.owner(*row))
    }

    /// Supernodes of these nodes, with all that depend on them, ascending.
    pub fn paths(&self, nodes: impl Iterator<Item = u32>) -> Vec<u32> {
        self.paths_of(nodes.flat_map(|node| (0..3).map(move |axis| self.place_of(node, axis))))
    }

    /// The same of unknowns at these places.
    pub fn paths_of(&self, places: impl Iterator<Item = u32>) -> Vec<u32> {
        let mut on = vec![false; self.shape.owner.last().map_or(0, |last| *last as usize + 1)];
        for place in places {
            let mut next = Some(self.owner(place));
            while let Some(s) = next.filter(|s| !std::mem::replace(&mut on[*s as usize], true)) {
                next = self.parent(s);
            }
        }
        (0..).zip(on).filter(|(_, on)| *on).map(|(s, _)| s).collect()
    }

    /// `L⁻¹ P b` for the unit forces at at most [`GROUP`] nodes. `scratch` is zero before and after.
    pub fn half_solve(&self, nodes: &[u32], scratch: &mut Vec<Columns>) -> HalfSolved {
        let Some(symbolic) = supernodal(&self.shape.symbolic) else { return HalfSolved::default() };
        let factor = SupernodalLltRef::new(symbolic, &self.factor);
        scratch.resize(self.unknowns(), [0.0; COLUMNS]);
        let mut path = Vec::new();
        for (k, node) in nodes.iter().enumerate() {
            for axis in 0..3 {
                let place = self.place_of(*node, axis as u32);
                scratch[place as usize][3 * k + axis] = 1.0;
                let mut next = Some(self.owner(place));
                while let Some(s) = next.filter(|s| !path.contains(s)) {
                    path.push(s);
                    next = self.parent(s);
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
    use crate::body::finite::kernels::Geometric;
    use crate::body::kirchhoff::Kirchhoff;
    use crate::math::Mat3;
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
        stiffness.assemble(&grid, &laws, &grid.mesh.nodes, Geometric::WHOLE);
        let (mut factor, mut room) = Factor::new("a bar", &stiffness, &grid.mesh.nodes).unwrap();
        assert!(factor.make(&mass, &stiffness, 1e-3, &mut room));
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
                factor.solve(&mut x, &mut room);
                // A x = b.
                let mut residual = vec![Vec3::zeros(); grid.nodes()];
                for (row, column, block) in stiffness.entries(&mass, 1e-3) {
                    residual[row as usize] += block * x[column as usize];
                }
                let off: f64 = residual.iter().zip(&right).map(|(a, b)| (a - b).amax()).fold(0.0, f64::max);
                assert!(off < 1e-12, "{off:e}");
                for (a, other) in nodes.into_iter().enumerate() {
                    let block = |a: usize, b: usize| Mat3::from_fn(|i, j| inverse[3 * a + i][3 * b + j]);
                    let found = Vec3::from(block(a, b).column(axis));
                    let expected = x[other as usize];
                    let size = block(a, b).amax().max(1e-3);
                    assert!((found - expected).amax() < 1e-12 * size, "{a} {b}: {found} {expected}");
                }
            }
            let row = alone.product(&together);
            assert_eq!(row[..3], inverse[3 * b..3 * b + 3]);
        }
    }
}
