//! The inverse of a matrix between the nodes that contacts have reached. A body in the co-rotational formulation keeps it
//! as long as its factor: contacts that move over the same nodes cost no further solves, and as its bits do not depend on
//! when nodes were reached, neither do those of a run that was continued. Where the factor is new in every step, all is
//! made at once, and of nodes where forces act along one axis alone that axis only: a fixed direction takes one solve in
//! place of three. Between too many nodes there is no matrix but a solver.

use std::sync::Arc;

use rayon::prelude::*;

use super::factor::Factor;
use super::half::{HalfSolved, COLUMNS, GROUP};
use super::panel::inverse_between;
use super::paths::PathSolver;
use super::selected::Selected;
use super::stiffness::Pattern;
use super::weights::Weights;
use crate::body::{Axes, NodeMatrix, Numbers};

/// Nodes that are kept beyond those in use: this many times as many, and a few.
const SPARE: usize = 4;
const FEW: usize = 64;
/// No slot.
const NONE: u32 = u32::MAX;

#[derive(Default)]
pub struct Nodal {
    /// Of each node, its place among those of the matrix, and what numbers these have.
    slot: Vec<u32>,
    numbers: Numbers,
    groups: Vec<HalfSolved>,
    matrix: Arc<NodeMatrix>,
    /// Memory of an earlier one, which somebody may still read.
    other: Arc<NodeMatrix>,
    /// Points that ask and the axes that matter there, their nodes, and later those of them that are new.
    points: Vec<(Weights, Axes)>,
    wanted: Vec<u32>,
    /// Blocks for the solver, and it.
    selected: Arc<Selected>,
    solver: Option<Arc<PathSolver>>,
}

/// How long a factor lives.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Life {
    Step,
    Long,
}

impl Nodal {
    /// The factor has changed.
    pub fn clear(&mut self) {
        self.slot.clear();
        self.groups.clear();
        self.solver = None;
        if !self.selected.is_empty() {
            self.selected = Arc::default();
        }
    }

    /// Lists the nodes of these points in the order of elimination: neighbours there share most of their paths. Returns how
    /// many there are.
    pub fn ask(&mut self, factor: &Factor, points: impl Iterator<Item = (Weights, Axes)>) -> usize {
        self.points.clear();
        self.points.extend(points);
        self.wanted.clear();
        self.wanted.extend(self.points.iter().flat_map(|(weights, _)| weights.entries().map(|(node, _)| node as u32)));
        self.wanted.sort_unstable_by_key(|node| factor.place(*node));
        self.wanted.dedup();
        self.wanted.len()
    }

    /// Makes the matrix between the nodes that were asked for, of `nodes` in all.
    pub fn reach(&mut self, factor: &Factor, nodes: usize, life: Life) {
        match life {
            Life::Long => self.reach_further(factor, nodes),
            Life::Step => {
                self.clear();
                self.number(nodes);
                let axes = self.axes();
                self.numbers = Numbers::of_axes(&axes);
                let of_node = |(node, axes): (&u32, Axes)| {
                    let node = *node;
                    axes.iter().map(move |axis| (node, u32::from(axis)))
                };
                let unknowns: Vec<(u32, u32)> = self.wanted.iter().zip(axes).flat_map(of_node).collect();
                inverse_between(factor, &unknowns, self.grown(0, unknowns.len()));
            }
        }
    }

    /// Axes that matter at the nodes, by slots.
    fn axes(&self) -> Vec<Axes> {
        let mut found: Vec<Option<Axes>> = vec![None; self.wanted.len()];
        for (weights, axes) in &self.points {
            for (node, _) in weights.entries() {
                let of_node = &mut found[self.slot[node] as usize];
                *of_node = Some(of_node.map_or(*axes, |other| other.and(*axes)));
            }
        }
        found.into_iter().map(Option::unwrap_or_default).collect()
    }

    /// Makes the solver between the nodes that were asked for.
    pub fn solver(&mut self, factor: &Arc<Factor>, pattern: &Arc<Pattern>, nodes: usize) -> Arc<PathSolver> {
        if let Some(solver) = self.solver.as_ref().filter(|solver| solver.is_of(factor, &self.wanted)) {
            return Arc::clone(solver);
        }
        (self.groups, self.matrix, self.other) = Default::default();
        self.number(nodes);
        self.numbers = Numbers::of_all_axes(self.wanted.len());
        self.solver = None;
        Arc::make_mut(&mut self.selected).reach(factor, pattern, &self.wanted);
        let solver = Arc::new(PathSolver::new(factor, pattern, &self.selected, self.wanted.clone()));
        Arc::clone(self.solver.insert(solver))
    }

    /// Numbers the nodes that were asked for, and no others.
    fn number(&mut self, nodes: usize) {
        self.slot.clear();
        self.slot.resize(nodes, NONE);
        (0..).zip(&self.wanted).for_each(|(slot, node)| self.slot[*node as usize] = slot);
    }

    /// Adds the nodes that were asked for and are not there yet.
    fn reach_further(&mut self, factor: &Factor, nodes: usize) {
        if self.solver.take().is_some() {
            self.clear();
        }
        if self.groups.len() * GROUP > SPARE * self.wanted.len() + FEW {
            self.clear();
        }
        self.slot.resize(nodes, NONE);
        let slot = &self.slot;
        self.wanted.retain(|node| slot[*node as usize] == NONE);
        if self.wanted.is_empty() {
            return;
        }
        let known = self.groups.len();
        for (k, group) in self.wanted.chunks(GROUP).enumerate() {
            let first = ((known + k) * GROUP) as u32;
            (first..).zip(group).for_each(|(slot, node)| self.slot[*node as usize] = slot);
        }
        let solve = |scratch: &mut Vec<_>, group: &[u32]| factor.half_solve(group, scratch);
        self.groups.par_extend(self.wanted.par_chunks(GROUP).map_init(Vec::new, solve));
        let groups = std::mem::take(&mut self.groups);
        self.numbers = Numbers::of_all_axes(groups.len() * GROUP);
        fill(self.grown(known * COLUMNS, groups.len() * COLUMNS), known, &groups);
        self.groups = groups;
    }

    /// A matrix for so many numbers that nobody else reads, with what is known of the first ones.
    fn grown(&mut self, known: usize, wanted: usize) -> &mut NodeMatrix {
        if self.matrix.room() < wanted || Arc::get_mut(&mut self.matrix).is_none() {
            // Some room, so that a contact that slides does not copy the matrix in every step.
            let room = if known == 0 { wanted } else { wanted + wanted / 4 };
            let mut next = std::mem::take(&mut self.other);
            if next.room() < wanted || Arc::get_mut(&mut next).is_none() {
                next = Arc::new(NodeMatrix::with_room(room));
            }
            if let Some(to) = Arc::get_mut(&mut next).filter(|_| known > 0) {
                let (old, length) = (&self.matrix, to.room());
                for (k, row) in to.all_rows().chunks_exact_mut(length).take(known).enumerate() {
                    row[..known].copy_from_slice(&old.row(k)[..known]);
                }
            }
            self.other = std::mem::replace(&mut self.matrix, next);
        }
        // Nobody else has it.
        let matrix = Arc::make_mut(&mut self.matrix);
        matrix.set_count(wanted);
        matrix
    }

    /// What rows of the matrix, or of vectors of the solver, stand for, by slots.
    pub fn numbers(&self) -> &Numbers {
        &self.numbers
    }

    /// The matrix between the numbers.
    pub fn matrix(&self) -> &Arc<NodeMatrix> {
        &self.matrix
    }

    /// Of each point that asked, slots of its nodes and their weights.
    pub fn points(&self) -> impl Iterator<Item = impl Iterator<Item = (u32, f64)> + '_> {
        self.points.iter().map(|(weights, _)| weights.entries().map(|(node, weight)| (self.slot[node], weight)))
    }
}

/// Fills the rows and columns of all groups from `known` on.
fn fill(matrix: &mut NodeMatrix, known: usize, groups: &[HalfSolved]) {
    let length = matrix.room();
    let rows = matrix.all_rows().par_chunks_mut(COLUMNS * length).enumerate().take(groups.len()).skip(known);
    rows.for_each(|(g, rows)| {
        for (h, other) in groups[..=g].iter().enumerate() {
            let tile = groups[g].product(other);
            for (row, part) in rows.chunks_exact_mut(length).zip(&tile) {
                row[h * COLUMNS..(h + 1) * COLUMNS].copy_from_slice(part);
            }
        }
    });
    let all = matrix.all_rows();
    for g in known..groups.len() {
        for h in 0..g {
            for i in 0..COLUMNS {
                for j in 0..COLUMNS {
                    all[(h * COLUMNS + j) * length + g * COLUMNS + i] =
                        all[(g * COLUMNS + i) * length + h * COLUMNS + j];
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
    use crate::body::finite::stiffness::Stiffness;
    use crate::body::kirchhoff::Kirchhoff;
    use crate::body::NodalSolver;
    use crate::math::{Mat3, Vec3};
    use crate::shape::Mesh;

    /// All at once, the blocks within elements alone, and along paths, against half-solves node by node.
    #[test]
    fn all_ways_to_the_inverse_agree() {
        let corners = [[0, 0, 0], [4, 0, 0], [4, 1, 0], [0, 1, 0], [0, 0, 1], [4, 0, 1], [4, 1, 1], [0, 1, 1]];
        let corners = corners.map(|x: [i32; 3]| Vec3::from(x.map(f64::from)));
        let mesh = Mesh::hex(&corners, [12, 4, 3], 1, &[1; 6], [None; 3]).unwrap();
        let grid = Grid::new("a bar", mesh).unwrap();
        let mass = grid.lumped("a bar", |_| 1e3).unwrap();
        let mut stiffness = Stiffness::new(&grid);
        let laws = vec![Kirchhoff::new(1e6, 0.3); grid.mesh.elements.len()].into();
        stiffness.assemble(&grid, &laws, &grid.mesh.nodes, Geometric::WHOLE);
        let (mut factor, mut room) = Factor::new("a bar", &stiffness, &grid.mesh.nodes).unwrap();
        assert!(factor.make(&mass, &stiffness, 1e-3, &mut room));
        let factor = Arc::new(factor);
        // The lower face.
        let mut nodes: Vec<u32> = (0..).zip(&grid.mesh.nodes).filter(|(_, x)| x.z == 0.0).map(|(k, _)| k).collect();
        nodes.sort_unstable_by_key(|node| factor.place(*node));
        // Along all axes, and at some nodes along one.
        let some: Vec<Axes> = (0..nodes.len()).map(|k| [Axes::All, Axes::One((k % 3) as u8)][k % 2]).collect();
        let numbers = [vec![Axes::All; nodes.len()], some].map(|axes| Numbers::of_axes(&axes));
        let matrices = numbers.each_ref().map(|numbers| {
            let axes = nodes.iter().enumerate().flat_map(|(k, node)| numbers.of(k).1.iter().map(|a| (*node, a.into())));
            let mut matrix = NodeMatrix::with_room(numbers.count() + 2);
            inverse_between(&factor, &axes.collect::<Vec<_>>(), &mut matrix);
            matrix
        });
        let mut selected = Selected::default();
        selected.reach(&factor, &stiffness.pattern, &nodes);
        let solver = PathSolver::new(&factor, &stiffness.pattern, &Arc::new(selected), nodes.clone());
        let mut scratch = Vec::new();
        let halves: Vec<_> = nodes.iter().map(|node| factor.half_solve(&[*node], &mut scratch)).collect();
        let scale = numbers[0].block(&matrices[0], 0, 0).norm();
        for (b, half) in halves.iter().enumerate() {
            let mut impulses = vec![0.0; 3 * nodes.len()];
            impulses[3 * b + 1] = 1.0;
            let mut velocities = vec![0.0; 3 * nodes.len()];
            solver.add_velocities(&impulses, &mut velocities);
            for (a, other) in halves.iter().enumerate() {
                let product = other.product(half);
                let exact = Mat3::from_fn(|i, j| product[i][j]);
                assert!((numbers[0].block(&matrices[0], a, b) - exact).norm() < 1e-12 * scale, "{a} {b}");
                assert!((solver.block(a, b) - exact).norm() < 1e-12 * scale, "{a} {b}");
                let found = Vec3::from_column_slice(&velocities[3 * a..3 * a + 3]);
                assert!((found - exact.column(1)).norm() < 1e-12 * scale, "{a} {b}");
                let matters = |node: usize, axis: usize| numbers[1].of(node).1.iter().contains(&(axis as u8));
                let part = Mat3::from_fn(|i, j| if matters(a, i) && matters(b, j) { exact[(i, j)] } else { 0.0 });
                assert!((numbers[1].block(&matrices[1], a, b) - part).norm() < 1e-12 * scale, "{a} {b}");
            }
        }
    }
}
