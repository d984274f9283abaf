//! Blocks of the inverse of a factorised matrix for pairs of nodes that share an element, without the others (Takahashi,
//! Fagan and Chin 1973). From the root of the elimination tree down, with `L₁₁` and `L₂₁` the own and the other rows of a
//! supernode, `Y = L₂₁ L₁₁⁻¹` and `Z₂₂` the part of the inverse that its parent has handed down:
//!
//! ```text
//! Z₂₁ = −Z₂₂ Y,   Z₁₁ = (L₁₁ L₁₁ᵀ)⁻¹ + Yᵀ Z₂₂ Y
//! ```
//!
//! A supernode takes about twice the work of its part of the factorisation; only those on the paths of the nodes that
//! were asked for are gone through.

use faer::linalg::matmul::matmul;
use faer::linalg::triangular_solve::{solve_lower_triangular_in_place, solve_upper_triangular_in_place};
use faer::reborrow::{Reborrow, ReborrowMut};
use faer::{Accum, Mat, Par};

use super::factor::{Factor, Supernode};
use super::stiffness::Pattern;
use crate::math::Mat3;

/// The blocks of a pattern as far as they are known.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Selected {
    /// Of the blocks of the pattern, those of nodes that were reached.
    block: Vec<Mat3>,
    reached: Vec<bool>,
}

/// A part of the inverse: rows and columns by place in the order of elimination.
struct Front {
    start: usize,
    own: usize,
    others: Vec<u32>,
    inverse: Mat<f64>,
    /// Children that have not taken their part yet.
    children: usize,
}

impl Selected {
    /// Whether no block is known.
    pub fn is_empty(&self) -> bool {
        self.reached.is_empty()
    }

    /// Makes the blocks of these nodes and their neighbours, where that was not done yet.
    pub fn reach(&mut self, factor: &Factor, pattern: &Pattern, nodes: &[u32]) {
        let count = pattern.offset.len() - 1;
        self.reached.resize(count, false);
        self.block.resize(pattern.row.len(), Mat3::zeros());
        if nodes.iter().all(|node| self.reached[*node as usize]) {
            return;
        }
        // With their neighbours: contacts move on to these, and going through the supernodes again would take as long.
        nodes.iter().for_each(|node| self.reached[*node as usize] = true);
        let wanted = self.reached.clone();
        for (column, range) in pattern.columns() {
            for &row in &pattern.row[range] {
                if wanted[row as usize] || wanted[column] {
                    (self.reached[row as usize], self.reached[column]) = (true, true);
                }
            }
        }
        let all = (0..count as u32).filter(|node| self.reached[*node as usize]);
        let path = factor.paths(all);
        let mut fronts: Vec<Option<Front>> = Vec::new();
        fronts.resize_with(path.last().map_or(0, |last| *last as usize + 1), || None);
        let mut children = vec![0; fronts.len()];
        path.iter().filter_map(|s| factor.parent(*s)).for_each(|parent| children[parent as usize] += 1);
        let adjacent = Adjacent::new(pattern);
        for &s in path.iter().rev() {
            let Some(of) = factor.supernode(s) else { return };
            let parent = factor.parent(s).map(|parent| parent as usize);
            let front = Front::below(parent.and_then(|parent| fronts[parent].as_ref()), &of, children[s as usize]);
            if let Some(place) = parent {
                let last = fronts[place].as_mut().is_some_and(|parent| {
                    parent.children -= 1;
                    parent.children == 0
                });
                if last {
                    fronts[place] = None;
                }
            }
            self.take(factor, &adjacent, &front);
            if front.children > 0 {
                fronts[s as usize] = Some(front);
            }
        }
    }

    /// Takes from a front the numbers of its own rows.
    fn take(&mut self, factor: &Factor, adjacent: &Adjacent, front: &Front) {
        for row in front.start..front.start + front.own {
            let (node, axis) = split(factor.unknown(row));
            for &(k, other, is_row) in adjacent.of(node) {
                for other_axis in 0..3 {
                    let column = factor.place_of(other, other_axis) as usize;
                    let Some(at) = front.position(column).filter(|_| column >= row) else { continue };
                    let value = front.inverse[(at, row - front.start)];
                    let (i, j) = (axis as usize, other_axis as usize);
                    let block = &mut self.block[k as usize];
                    if is_row || other == node {
                        block[(i, j)] = value;
                    }
                    if !is_row || other == node {
                        block[(j, i)] = value;
                    }
                }
            }
        }
    }

    /// The block of two nodes; `None` if they share no element or were not reached.
    pub fn block(&self, pattern: &Pattern, a: u32, b: u32) -> Option<Mat3> {
        let (row, column) = (a.max(b), a.min(b) as usize);
        let range = pattern.offset[column] as usize..pattern.offset[column + 1] as usize;
        let at = range.start + pattern.row[range].binary_search(&row).ok()?;
        let known = self.reached.get(a as usize) == Some(&true) && self.reached.get(b as usize) == Some(&true);
        let block = self.block[at];
        known.then(|| if a >= b { block } else { block.transpose() })
    }
}

fn split(unknown: u32) -> (u32, u32) {
    (unknown / 3, unknown % 3)
}

impl Front {
    /// The front of a supernode, from that of its parent.
    fn below(parent: Option<&Front>, of: &Supernode<'_>, children: usize) -> Front {
        let (own, n) = (of.values.ncols(), of.pattern.len());
        let (top, below) = of.values.split_at_row(own);
        let mut inverse = Mat::<f64>::zeros(own + n, own + n);
        let mut root = Mat::<f64>::identity(own, own);
        solve_lower_triangular_in_place(top, root.as_mut(), Par::Seq);
        let (mut first, mut rest) = inverse.as_mut().split_at_col_mut(own);
        matmul(first.rb_mut().subrows_mut(0, own), Accum::Replace, root.transpose(), root.as_ref(), 1.0, Par::Seq);
        if let Some(parent) = parent {
            let places: Vec<usize> = of.pattern.iter().filter_map(|row| parent.position(*row as usize)).collect();
            for (j, from) in places.iter().enumerate() {
                for (i, row) in places.iter().enumerate() {
                    rest[(own + i, j)] = parent.inverse[(*row, *from)];
                }
            }
            // Yᵀ.
            let mut y = Mat::<f64>::zeros(own, n);
            y.as_mut().copy_from(below.transpose());
            solve_upper_triangular_in_place(top.transpose(), y.as_mut(), Par::Seq);
            let handed = rest.rb().subrows(own, n);
            let (mut own_rows, mut other_rows) = first.split_at_row_mut(own);
            matmul(other_rows.rb_mut(), Accum::Replace, handed, y.transpose(), -1.0, Par::Seq);
            matmul(own_rows.rb_mut(), Accum::Add, y.as_ref(), other_rows.rb(), -1.0, Par::Seq);
            rest.rb_mut().subrows_mut(0, own).copy_from(other_rows.rb().transpose());
        }
        Front { start: of.start, own, others: of.pattern.to_vec(), inverse, children }
    }

    fn position(&self, place: usize) -> Option<usize> {
        if place < self.start + self.own {
            return place.checked_sub(self.start);
        }
        self.others.binary_search(&(place as u32)).ok().map(|k| self.own + k)
    }
}

/// Of each node, its blocks in the pattern: which, the other node, and whether this one is the row.
struct Adjacent {
    offset: Vec<u32>,
    entry: Vec<(u32, u32, bool)>,
}

impl Adjacent {
    fn new(pattern: &Pattern) -> Adjacent {
        let blocks = || {
            let columns = (0..).zip(pattern.columns());
            columns.flat_map(|(column, (_, range))| range.map(move |k| (k as u32, pattern.row[k], column)))
        };
        let both = || {
            blocks().flat_map(|(k, row, column): (u32, u32, u32)| {
                let mirrored = (row != column).then_some((column, (k, row, false)));
                std::iter::once((row, (k, column, true))).chain(mirrored)
            })
        };
        let nodes = pattern.offset.len() - 1;
        let mut offset = vec![0u32; nodes + 1];
        both().for_each(|(node, _)| offset[node as usize + 1] += 1);
        (0..nodes).for_each(|k| offset[k + 1] += offset[k]);
        let mut next = offset.clone();
        let mut entry = vec![(0, 0, false); offset[nodes] as usize];
        for (node, of) in both() {
            entry[next[node as usize] as usize] = of;
            next[node as usize] += 1;
        }
        Adjacent { offset, entry }
    }

    fn of(&self, node: u32) -> &[(u32, u32, bool)] {
        &self.entry[self.offset[node as usize] as usize..self.offset[node as usize + 1] as usize]
    }
}
