//! The inverse of a factorised matrix between some unknowns, all at once: `N = Xᵀ X` with `X = L⁻¹ P B`, where the columns
//! of `B` are unit forces at the unknowns. Their nodes stand in the order of elimination, so the columns that are not zero
//! in the rows of a supernode follow one another, and products of whole blocks do the work. Bits depend on which unknowns
//! are asked for: this is for matrices that are made anew in every step.

use faer::linalg::matmul::matmul;
use faer::linalg::matmul::triangular::{matmul as triangular_product, BlockStructure};
use faer::linalg::triangular_solve::solve_lower_triangular_in_place;
use faer::reborrow::{Reborrow, ReborrowMut};
use faer::{Accum, MatMut, MatRef, Par};

use super::factor::Factor;
use crate::body::NodeMatrix;

/// The rows of `X` of one supernode, column by column.
#[derive(Clone)]
struct Panel {
    supernode: u32,
    first: usize,
    own: usize,
    /// Columns that are not zero.
    start: usize,
    end: usize,
    /// Where the numbers begin.
    at: usize,
}

/// Fills the matrix between these unknowns, nodes and axes, for which there is room; nodes are in the order of
/// elimination.
pub fn inverse_between(factor: &Factor, unknowns: &[(u32, u32)], matrix: &mut NodeMatrix) {
    matrix.set_count(unknowns.len());
    let rows: Vec<u32> = unknowns.iter().map(|(node, axis)| factor.place_of(*node, *axis)).collect();
    let (mut panels, place) = panels(factor, &rows);
    let mut end = 0;
    for panel in &mut panels {
        panel.at = end;
        end += panel.own * (panel.end - panel.start);
    }
    let mut x = vec![0.0; end];
    for (column, row) in rows.iter().enumerate() {
        let panel = &panels[place[factor.owner(*row) as usize] as usize];
        x[panel.at + (column - panel.start) * panel.own + *row as usize - panel.first] = 1.0;
    }
    let mut passed = Vec::new();
    for panel in &panels {
        let Some(of) = factor.supernode(panel.supernode) else { return };
        let (own, width) = (panel.own, panel.end - panel.start);
        let (done, after) = x.split_at_mut(panel.at + own * width);
        let mut rows = MatMut::from_column_major_slice_mut(&mut done[panel.at..], own, width);
        let (top, below) = of.values.split_at_row(own);
        solve_lower_triangular_in_place(top, rows.rb_mut(), Par::Seq);
        let others = of.pattern.len();
        if others == 0 {
            continue;
        }
        passed.resize(passed.len().max(others * width), 0.0);
        let out = MatMut::from_column_major_slice_mut(&mut passed[..others * width], others, width);
        matmul(out, Accum::Replace, below, rows.rb(), 1.0, Par::Seq);
        for (k, row) in of.pattern.iter().enumerate() {
            let to = &panels[place[factor.owner(*row) as usize] as usize];
            let first = to.at + (panel.start - to.start) * to.own + *row as usize - to.first - done.len();
            for column in 0..width {
                after[first + column * to.own] -= passed[column * others + k];
            }
        }
    }
    add_products(&panels, &x, matrix);
}

/// The panels of all supernodes on the paths of unknowns at these places, and the number of the panel of each supernode.
fn panels(factor: &Factor, rows: &[u32]) -> (Vec<Panel>, Vec<u32>) {
    let path = factor.paths_of(rows.iter().copied());
    let mut place = vec![u32::MAX; path.last().map_or(0, |last| *last as usize + 1)];
    let mut panels = Vec::with_capacity(path.len());
    for (k, &s) in (0..).zip(&path) {
        place[s as usize] = k;
        let (first, own) = factor.supernode(s).map_or((0, 0), |of| (of.start, of.values.ncols()));
        panels.push(Panel { supernode: s, first, own, start: usize::MAX, end: 0, at: 0 });
    }
    for (column, row) in rows.iter().enumerate() {
        let panel = &mut panels[place[factor.owner(*row) as usize] as usize];
        (panel.start, panel.end) = (panel.start.min(column), panel.end.max(column + 1));
    }
    for k in 0..panels.len() {
        let Panel { supernode, start, end, .. } = panels[k];
        if let Some(parent) = factor.parent(supernode) {
            let parent = &mut panels[place[parent as usize] as usize];
            (parent.start, parent.end) = (parent.start.min(start), parent.end.max(end));
        }
    }
    (panels, place)
}

/// The sum of the products of all panels with themselves.
fn add_products(panels: &[Panel], x: &[f64], matrix: &mut NodeMatrix) {
    let (n, length) = (matrix.count(), matrix.room());
    let numbers = matrix.all_rows();
    numbers.chunks_exact_mut(length.max(1)).take(n).for_each(|row| row[..n].fill(0.0));
    let mut all = MatMut::from_column_major_slice_with_stride_mut(numbers, n, n, length);
    for panel in panels {
        let width = panel.end - panel.start;
        let part = MatRef::from_column_major_slice(&x[panel.at..][..panel.own * width], panel.own, width);
        let sum = all.rb_mut().submatrix_mut(panel.start, panel.start, width, width);
        let (lower, whole) = (BlockStructure::TriangularLower, BlockStructure::Rectangular);
        triangular_product(sum, lower, Accum::Add, part.transpose(), whole, part, whole, 1.0, Par::Seq);
    }
    for i in 0..n {
        for j in 0..i {
            numbers[i * length + j] = numbers[j * length + i];
        }
    }
}
