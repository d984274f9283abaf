//! Stiffness matrices of a mesh: blocks of three for pairs of nodes that share an element, lower triangle, column by
//! column.

use super::grid::Grid;
use super::kernels::tangent;
use crate::body::kirchhoff::Kirchhoff;
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
    pub pattern: Pattern,
    pub block: Vec<Mat3>,
    /// Of each element for each pair of its nodes a ≤ b: the block of their larger and smaller node.
    place: Vec<u32>,
}

impl Pattern {
    /// Of the pairs of nodes of a mesh that share an element.
    fn new(grid: &Grid) -> Pattern {
        let mut pairs: Vec<(u32, u32)> = Vec::new();
        for element in &grid.mesh.elements {
            for &column in element.nodes() {
                pairs.extend(element.nodes().iter().filter(|row| **row >= column).map(|row| (column, *row)));
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
        let mut place = Vec::new();
        for element in &grid.mesh.elements {
            let nodes = element.nodes();
            for (k, &a) in nodes.iter().enumerate() {
                place.extend(nodes[k..].iter().map(|&b| pattern.find(a, b)));
            }
        }
        Stiffness { block: vec![Mat3::zeros(); pattern.row.len()], pattern, place }
    }

    /// Assembles the tangent at places `x` [N/m]; see [`tangent`] for `positive`.
    pub fn assemble(&mut self, grid: &Grid, laws: &[Kirchhoff], x: &[Vec3], positive: bool) {
        self.block.fill(Mat3::zeros());
        let mut places = self.place.iter();
        let mut blocks = [Mat3::zeros(); 64];
        for (cell, law) in grid.cells().zip(laws) {
            tangent(grid, law, cell, x, positive, &mut blocks);
            let n = cell.nodes.len();
            for a in 0..n {
                for b in a..n {
                    let Some(&place) = places.next() else { return };
                    // The block of row a and column b, or its transpose in the lower triangle.
                    let block = &blocks[a * n + b];
                    let lower = cell.nodes[a] >= cell.nodes[b];
                    self.block[place as usize] += if lower { *block } else { block.transpose() };
                }
            }
        }
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
