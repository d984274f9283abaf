//! Stiffness matrices of a mesh: blocks of three for pairs of nodes that share an element, lower triangle, column by
//! column.

use std::sync::Arc;

use super::grid::{Grid, NODES};
use super::kernels::{tangent, Geometric};
use super::laws::Laws;
use crate::math::{Mat3, Vec3};

/// Which blocks there are.
#[derive(Debug, Clone, PartialEq)]
pub struct Pattern {
    /// First block of each column, and the end.
    pub offset: Vec<u32>,
    /// Rows of the blocks of a column, ascending, the diagonal first.
    pub row: Vec<u32>,
}

/// A symmetric matrix.
#[derive(Debug, Clone)]
pub struct Stiffness {
    pub pattern: Arc<Pattern>,
    pub block: Vec<Mat3>,
    /// Of each element for each pair of its nodes a ≤ b: the block of their larger and smaller node.
    place: Vec<u32>,
    /// Where the pairs of each element begin.
    first: Vec<u32>,
}

impl Pattern {
    /// Of all nodes, and the pairs of nodes that share an element.
    fn new(grid: &Grid) -> Pattern {
        let mut pairs: Vec<(u32, u32)> = (0..grid.nodes() as u32).map(|node| (node, node)).collect();
        for nodes in (0..grid.count()).map(|e| grid.nodes_of(e)) {
            for &column in nodes {
                pairs.extend(nodes.iter().filter(|row| **row >= column).map(|row| (column, *row)));
            }
        }
        pairs.sort_unstable();
        pairs.dedup();
        let mut offset = vec![0; grid.nodes() + 1];
        pairs.iter().for_each(|(column, _)| offset[*column as usize + 1] += 1);
        (0..grid.nodes()).for_each(|k| offset[k + 1] += offset[k]);
        Pattern { offset, row: pairs.into_iter().map(|(_, row)| row).collect() }
    }

    /// Columns, each as its number and the range of its blocks.
    pub fn columns(&self) -> impl Iterator<Item = (usize, std::ops::Range<usize>)> + '_ {
        let range = |w: &[u32]| w[0] as usize..w[1] as usize;
        self.offset.windows(2).map(range).enumerate()
    }

    fn find(&self, a: u32, b: u32) -> u32 {
        let (row, column) = (a.max(b), a.min(b) as usize);
        let start = self.offset[column];
        let rows = &self.row[start as usize..self.offset[column + 1] as usize];
        start + rows.partition_point(|&other| other < row) as u32
    }
}

impl Stiffness {
    /// A matrix of zeros.
    pub fn new(grid: &Grid) -> Stiffness {
        let pattern = Pattern::new(grid);
        let (mut place, mut first) = (Vec::new(), Vec::new());
        for nodes in (0..grid.count()).map(|e| grid.nodes_of(e)) {
            first.push(place.len() as u32);
            for (k, &a) in nodes.iter().enumerate() {
                place.extend(nodes[k..].iter().map(|&b| pattern.find(a, b)));
            }
        }
        Stiffness { block: vec![Mat3::zeros(); pattern.row.len()], pattern: Arc::new(pattern), place, first }
    }

    /// Assembles the tangent at places `x` [N/m].
    pub fn assemble(&mut self, grid: &Grid, laws: &Laws, x: &[Vec3], geometric: Geometric) {
        self.block.fill(Mat3::zeros());
        self.add_tangents(grid, laws, 0..grid.count(), x, geometric);
    }

    /// Adds the tangents of some elements.
    pub fn add_tangents(
        &mut self,
        grid: &Grid,
        laws: &Laws,
        elements: impl Iterator<Item = usize>,
        x: &[Vec3],
        geometric: Geometric,
    ) {
        let mut blocks = [Mat3::zeros(); NODES * NODES];
        for e in elements {
            let cell = grid.cell(e);
            tangent(grid, laws.of(grid, e), cell, x, geometric, &mut blocks);
            self.add_element(e, cell.nodes, |a, b| blocks[a * cell.nodes.len() + b]);
        }
    }

    /// Adds the blocks of an element with these nodes, those of a ≤ b.
    pub fn add_element(&mut self, e: usize, nodes: &[u32], block: impl Fn(usize, usize) -> Mat3) {
        let mut places = self.place[self.first[e] as usize..].iter();
        for a in 0..nodes.len() {
            for b in a..nodes.len() {
                let Some(&place) = places.next() else { return };
                // The block of row a and column b, or its transpose in the lower triangle.
                let (block, lower) = (block(a, b), nodes[a] >= nodes[b]);
                self.block[place as usize] += if lower { block } else { block.transpose() };
            }
        }
    }

    /// Adds a block to the lower triangle, of two nodes that share an element.
    pub fn add(&mut self, row: u32, column: u32, block: &Mat3) {
        self.block[self.pattern.find(row, column) as usize] += block;
    }

    /// Adds `sign K v` to `force`.
    pub fn add_product(&self, v: &[Vec3], sign: f64, force: &mut [Vec3]) {
        for (column, range) in self.pattern.columns() {
            for k in range {
                let (row, block) = (self.pattern.row[k] as usize, &self.block[k]);
                force[row] += block * (v[column] * sign);
                if row != column {
                    force[column] += block.tr_mul(&v[row]) * sign;
                }
            }
        }
    }

    /// Blocks of `mass + scale K`: row, column and value, of both triangles.
    pub fn entries<'a>(&'a self, mass: &'a [f64], scale: f64) -> impl Iterator<Item = (u32, u32, Mat3)> + 'a {
        let diagonal = (0..).zip(mass).map(|(k, mass)| (k, k, Mat3::from_diagonal_element(*mass)));
        let stiff = self.pattern.columns().flat_map(move |(column, range)| {
            range.flat_map(move |k| {
                let (row, column, block) = (self.pattern.row[k], column as u32, self.block[k] * scale);
                let mirrored = (row != column).then(|| (column, row, block.transpose()));
                std::iter::once((row, column, block)).chain(mirrored)
            })
        });
        diagonal.chain(stiff)
    }
}

#[cfg(test)]
mod tests {
    use nalgebra::{DMatrix, DVector};

    use super::*;
    use crate::body::kirchhoff::Kirchhoff;
    use crate::shape::Mesh;

    /// A box meshed `counts` from the origin.
    fn grid(size: [f64; 3], counts: [usize; 3]) -> Grid {
        let corners = [[0, 0, 0], [1, 0, 0], [1, 1, 0], [0, 1, 0], [0, 0, 1], [1, 0, 1], [1, 1, 1], [0, 1, 1]];
        let corners = corners.map(|x: [i32; 3]| Vec3::from(x.map(f64::from)).component_mul(&Vec3::from(size)));
        Grid::new("a box", Mesh::hex(&corners, counts, 1, &[1; 6], [None; 3]).unwrap()).unwrap()
    }

    fn stiffness(grid: &Grid, young: f64, poisson: f64) -> DMatrix<f64> {
        let laws = vec![Kirchhoff::new(young, poisson); grid.mesh.elements.len()].into();
        let mut stiffness = Stiffness::new(grid);
        stiffness.assemble(grid, &laws, &grid.mesh.nodes, Geometric::WHOLE);
        let mut dense = DMatrix::zeros(3 * grid.nodes(), 3 * grid.nodes());
        for (row, column, block) in stiffness.entries(&vec![0.0; grid.nodes()], 1.0) {
            let mut place = dense.fixed_view_mut::<3, 3>(3 * row as usize, 3 * column as usize);
            place += block;
        }
        dense
    }

    /// Eigenvalues of `M⁻¹ K`, ascending.
    fn eigenvalues(grid: &Grid, young: f64, poisson: f64, density: f64) -> Vec<f64> {
        let mass = grid.lumped("a box", |_| density).unwrap();
        let k = stiffness(grid, young, poisson);
        let scaled = DMatrix::from_fn(k.nrows(), k.ncols(), |i, j| k[(i, j)] / (mass[i / 3] * mass[j / 3]).sqrt());
        let mut values: Vec<f64> = scaled.symmetric_eigenvalues().iter().copied().collect();
        values.sort_by(f64::total_cmp);
        values
    }

    fn assert_spectrum(found: &[f64], expected: &[f64], tolerance: f64) {
        for (k, (found, expected)) in found.iter().zip(expected).enumerate() {
            assert!((found - expected).abs() < tolerance, "eigenvalue {k}: {found}, not {expected}");
        }
    }

    #[test]
    fn eigenvalues_of_a_cube_are_those_of_the_element() {
        let grid = grid([1.0; 3], [1; 3]);
        let spectrum = |parts: &[(f64, usize)]| parts.iter().flat_map(|(v, n)| vec![*v; *n]).collect::<Vec<f64>>();
        let soft = spectrum(&[(0., 6), (2. / 3., 2), (8. / 9., 3), (2., 6), (8. / 3., 1), (4., 6)]);
        assert_spectrum(&eigenvalues(&grid, 1.0, 0.0, 1.0), &soft, 1e-12);
        let parts = [(0., 6), (0.512821, 2), (0.940171, 3), (1.538462, 3), (2.051282, 1), (3.076923, 8), (10., 1)];
        assert_spectrum(&eigenvalues(&grid, 1.0, 0.3, 1.0), &spectrum(&parts), 1e-6);
    }

    /// Axial eigenvalues of a lumped bar are [(2 c / l) sin(k π / 20)]².
    #[test]
    fn eigenvalues_of_a_free_bar() {
        let found = eigenvalues(&grid([1.0, 0.1, 0.1], [10, 1, 1]), 1e6, 0.0, 1e3);
        let expected = [518.798, 518.798, 1631.449, 3274.274, 3274.274, 6366.100, 9788.697, 10340.633];
        assert_spectrum(&found[..6], &[0.0; 6], 1e-6);
        assert_spectrum(&found[6..], &expected, 1e-3);
    }

    /// Displacements of a bar that is clamped at x = 0, under forces on the nodes at the other end.
    fn bent(mut grid: Grid, poisson: f64, enhanced: bool, force: impl Fn(&Vec3) -> Vec3) -> f64 {
        if enhanced {
            grid.enhance();
        }
        let mut k = stiffness(&grid, 1e7, poisson);
        let mut f = DVector::zeros(k.nrows());
        for (node, x) in grid.mesh.nodes.iter().enumerate() {
            for axis in 0..3 {
                if x.x < 1e-9 {
                    k.row_mut(3 * node + axis).fill(0.0);
                    k.column_mut(3 * node + axis).fill(0.0);
                    k[(3 * node + axis, 3 * node + axis)] = 1.0;
                } else if x.x > 10.0 - 1e-9 {
                    f[3 * node + axis] = force(x)[axis];
                }
            }
        }
        let u = k.cholesky().expect("a clamped bar is stiff").solve(&f);
        let tip = grid.mesh.nodes.iter().position(|x| x.x > 10.0 - 1e-9).expect("a node");
        u[3 * tip + 2]
    }

    fn bar(counts: usize) -> Grid {
        grid([10.0, 1.0, 1.0], [counts, 1, 1])
    }

    /// One layer of hexahedra of length l and height b has 1/(1 + ½ (l/b)²) of the deflection of the beam.
    #[test]
    fn a_layer_of_hexahedra_bends_as_its_locking_says() {
        let couple = |x: &Vec3| Vec3::new(if x.z > 0.5 { -0.5 } else { 0.5 }, 0.0, 0.0);
        let load = |_: &Vec3| Vec3::new(0.0, 0.0, 0.25);
        for (counts, by_couple, by_load) in
            [(10, 4.000000e-5, 2.680000e-4), (20, 5.333333e-5, 3.573333e-4), (40, 5.818182e-5, 3.898182e-4)]
        {
            let of = |force: &dyn Fn(&Vec3) -> Vec3| bent(bar(counts), 0.0, false, force);
            let (a, b) = (of(&couple), of(&load));
            assert!((a / by_couple - 1.0).abs() < 1e-6, "{counts} under a couple: {a:e}");
            assert!((b / by_load - 1.0).abs() < 1e-6, "{counts} under a load: {b:e}");
        }
    }

    /// The tip of a beam is at `M L² / 2 E I` under a couple, and at `P L³ / 3 E I + P L / G A` under a load; an element of
    /// length l carries the linear moment of the load with `(l / 2 L)²` of the first part missing.
    #[test]
    fn a_layer_of_enhanced_hexahedra_bends_as_a_beam() {
        let couple = |x: &Vec3| Vec3::new(if x.z > 0.5 { -0.5 } else { 0.5 }, 0.0, 0.0);
        let load = |_: &Vec3| Vec3::new(0.0, 0.0, 0.25);
        for counts in [2, 5, 10] {
            let a = bent(bar(counts), 0.0, true, couple);
            let b = bent(bar(counts), 0.0, true, load);
            let missing = 4e-4 * (0.5 / counts as f64).powi(2);
            assert!((a / 6e-5 - 1.0).abs() < 1e-8, "{counts} under a couple: {a:e}");
            assert!((b / (4.02e-4 - missing) - 1.0).abs() < 1e-2, "{counts} under a load: {b:e}");
        }
    }

    /// Where the material is nearly incompressible a plain layer is an order of magnitude too stiff.
    #[test]
    fn enhanced_hexahedra_do_not_lock_where_the_material_keeps_its_volume() {
        let load = |_: &Vec3| Vec3::new(0.0, 0.0, 1.0 / 9.0);
        let tip = |enhanced: bool| bent(grid([10.0, 1.0, 1.0], [20, 2, 2]), 0.4999, enhanced, load);
        let (found, plain) = (tip(true), tip(false));
        assert!((found / 4.03e-4 - 1.0).abs() < 0.05, "{found:e}");
        assert!(plain < 0.5 * found, "{plain:e}");
    }
}
