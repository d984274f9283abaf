//! Bodies in condensed form: velocities that forces at the body's own constraint points bring to the nodes behind these
//! points, by the dense matrix `h N` between the nodes (`H A⁻¹ Hᵀ = R G N Gᵀ Rᵀ`, where `A` is the matrix of the body's
//! equations of motion). Where a body names no nodes, its points are its nodes.
//!
//! A force changes the velocities of all nodes, so constraints of one body cannot be solved side by side. A sweep
//! therefore goes in tiles: constraints of a tile are solved one after another, with the velocities of the nodes of the
//! tile up to date; then all other nodes receive what the forces of the tile come to, in parallel. Bits depend on the
//! tiles, which follow from the constraints, but not on the threads. Bodies of few nodes need no tiles: what a force at a
//! point brings to all nodes, `h N Gᵀ`, is found once a step.

use std::ops::Range;
use std::sync::Arc;

use rayon::prelude::*;

use super::symmetric;
use crate::body::{Axes, Condensed, MaterialPoint, NodalResponse, NodeMatrix, Numbers, SparseInertia};
use crate::math::{Mat3, Vec3};

/// Numbers of nodes' velocities that one task brings up to date.
const CHUNK: usize = 384;

/// Products of blocks under which a tile is not worth splitting among threads.
const LEAST_PARALLEL: usize = 4096;

/// Nodes up to which all velocities of a body are brought up to date at every change.
const FEW: usize = 64;

/// Nodes between two of a tile up to which they belong to it as well: numbers side by side take less time.
const GAP: usize = 6;

/// One body; points are numbered in the order of a forward sweep.
#[derive(Debug, Default)]
pub(super) struct CondensedBody {
    points: Vec<MaterialPoint>,
    axes: Vec<Axes>,
    /// Velocities with no reactions, and at the start of the step [m/s]; spatial.
    free: Vec<Vec3>,
    previous: Vec<Vec3>,
    response: NodalResponse,
    /// The matrix of bodies without nodes.
    own: Arc<NodeMatrix>,
    blocks: Vec<Mat3>,
    /// Where there are few nodes: the rows of `G N` of each point, three for the numbers of all nodes.
    answers: Vec<f64>,
    /// Length of the step [s].
    h: f64,
    /// Whether velocities are counted from those without reactions; else from rest.
    moving: bool,
    /// Changes of velocity of the nodes by forces [m/s], in the frame of `N`.
    change: Vec<f64>,
    /// Impulses on nodes that only those of the tile have received [N s], and the nodes on which they act.
    pending: Vec<f64>,
    waiting: Vec<u32>,
    waits: Vec<bool>,
    /// Runs of nodes that the tile has, in ascending order, and their velocities while the others are brought up to date.
    tile: Vec<Range<usize>>,
    in_tile: Vec<bool>,
    saved: Vec<f64>,
    /// The sparse matrices behind it, where the body shows them.
    sparse: Option<SparseInertia>,
    /// Couplings of all points, by rows of blocks, where they were asked for; and room for parts of a product.
    couplings: Vec<Mat3>,
    rows: Vec<f64>,
}

impl CondensedBody {
    /// Forgets the points.
    pub fn clear(&mut self) {
        self.points.clear();
        self.axes.clear();
    }

    /// Adds a point where these axes matter; returns its number.
    pub fn add_point(&mut self, point: MaterialPoint, axes: Axes) -> u32 {
        self.points.push(point);
        self.axes.push(axes);
        self.points.len() as u32 - 1
    }

    /// Asks the body about its points, for a step of length `h` [s]; about the sparse matrices if `factors`.
    pub fn fill(&mut self, h: f64, body: &dyn Condensed, factors: bool) {
        let n = self.points.len();
        self.h = h;
        self.free.resize(n, Vec3::zeros());
        self.previous.resize(n, Vec3::zeros());
        body.free(&self.points, &mut self.free);
        body.previous(&self.points, &mut self.previous);
        if !body.nodal(&self.points, &self.axes, &mut self.response) {
            self.fill_by_points(body);
        }
        self.sparse = if factors { body.sparse(&self.points) } else { None };
        let nodes = self.nodes();
        for numbers in [&mut self.change, &mut self.pending] {
            numbers.clear();
            numbers.resize(self.response.numbers.count(), 0.0);
        }
        for marks in [&mut self.waits, &mut self.in_tile] {
            marks.clear();
            marks.resize(nodes, false);
        }
        self.waiting.clear();
        self.tile.clear();
        self.couplings.clear();
        self.answers.clear();
        if self.has_matrix() && nodes <= FEW {
            self.find_answers();
        }
        self.reset();
    }

    /// `G N` of all points.
    fn find_answers(&mut self) {
        let CondensedBody { points, response, answers, .. } = self;
        let width = response.numbers.count();
        answers.resize(3 * width * points.len(), 0.0);
        let of_points = answers.chunks_exact_mut(3 * width.max(1));
        of_points.enumerate().for_each(|(point, rows)| add_rows(response, point, rows));
    }

    /// Whether what a force at a point brings to all nodes is at hand.
    fn has_answers(&self) -> bool {
        !self.answers.is_empty()
    }

    /// Points as nodes.
    fn fill_by_points(&mut self, body: &dyn Condensed) {
        let n = self.points.len();
        self.blocks.resize(n * n, Mat3::zeros());
        body.compliance(&self.points, &mut self.blocks);
        self.response.clear();
        (0..n as u32).for_each(|k| self.response.put(std::iter::once((k, 1.0))));
        self.response.rotation = Mat3::identity();
        self.response.numbers = Numbers::of_all_axes(n);
        // What the last step read is of no use any more.
        self.response.matrix = Arc::default();
        if self.own.room() < 3 * n || Arc::get_mut(&mut self.own).is_none() {
            self.own = Arc::new(NodeMatrix::with_room(3 * n));
        }
        if let Some(matrix) = Arc::get_mut(&mut self.own) {
            matrix.set_count(3 * n);
            let length = matrix.room();
            let rows = matrix.all_rows().chunks_exact_mut(3 * length.max(1));
            for (rows, blocks) in rows.zip(self.blocks.chunks_exact(n.max(1))) {
                for (j, block) in blocks.iter().enumerate() {
                    (0..9).for_each(|k| rows[k / 3 * length + 3 * j + k % 3] = block[(k / 3, k % 3)]);
                }
            }
        }
        self.response.matrix = Arc::clone(&self.own);
    }

    /// Present velocity at a point [m/s].
    pub fn velocity(&self, point: usize) -> Vec3 {
        let (response, mut sum) = (&self.response, Vec3::zeros());
        if response.numbers.have_all_axes() {
            for (node, weight) in response.entries(point) {
                sum += Vec3::from_column_slice(&self.change[3 * node..][..3]) * weight;
            }
        } else {
            for (node, weight) in response.entries(point) {
                sum += response.numbers.vector(node, &self.change) * weight;
            }
        }
        let change = self.response.rotation * sum;
        if self.moving {
            self.free[point] + change
        } else {
            change
        }
    }

    /// Whether the response along some axes is left out at a point.
    pub fn answers_in_part(&self, point: usize) -> bool {
        self.response.entries(point).any(|(node, _)| self.response.numbers.of(node).1 != Axes::All)
    }

    /// Velocity at a point at the start of the step [m/s].
    pub fn previous(&self, point: usize) -> Vec3 {
        self.previous[point]
    }

    /// Velocity at point `a` for a unit force at point `b` [m/s/N].
    pub fn coupling(&self, a: usize, b: usize) -> Mat3 {
        if let Some(known) = self.couplings.get(a * self.points.len() + b) {
            return *known;
        }
        if !self.has_answers() {
            return self.response.block(a, b) * self.h;
        }
        let width = self.change.len();
        let block = at_point(&self.response, &self.answers[3 * width * a..][..3 * width], b);
        self.response.rotation * block * self.response.rotation.transpose() * self.h
    }

    /// Finds the couplings of all points, `h R G N Gᵀ Rᵀ`, for which there must be a matrix: by way of `G N`, that
    /// takes less than each for itself.
    pub fn couple_all(&mut self) {
        let CondensedBody { points, response, answers, couplings, rows, h, .. } = self;
        let (n, width, turn) = (points.len(), response.numbers.count(), response.rotation);
        couplings.resize(n * n, Mat3::zeros());
        for a in 0..n {
            let rows = if answers.is_empty() {
                rows.clear();
                rows.resize(3 * width, 0.0);
                add_rows(response, a, rows);
                &rows[..]
            } else {
                &answers[3 * width * a..][..3 * width]
            };
            for b in a..n {
                let block = turn * at_point(response, rows, b) * turn.transpose() * *h;
                (couplings[b * n + a], couplings[a * n + b]) = (block.transpose(), block);
            }
        }
    }

    /// Number of nodes behind the points.
    pub fn nodes(&self) -> usize {
        self.response.numbers.nodes()
    }

    /// The matrix of the equations of motion and the interpolation, where the body shows them.
    pub fn sparse(&self) -> Option<&SparseInertia> {
        self.sparse.as_ref()
    }

    /// Whether there is a matrix, so that what a force does at one node is at hand at all others.
    pub fn has_matrix(&self) -> bool {
        self.response.solver.is_none()
    }

    /// Lets go of what is shared with the body.
    pub fn release(&mut self) {
        self.response.solver = None;
    }

    /// No velocity at any point.
    pub fn stop(&mut self) {
        self.moving = false;
        self.change.fill(0.0);
        self.close();
    }

    /// Velocities of the body without reactions.
    pub fn reset(&mut self) {
        self.stop();
        self.moving = true;
    }

    /// Nothing waits, and there is no tile.
    fn close(&mut self) {
        for &node in &self.waiting {
            self.response.numbers.clear(node as usize, &mut self.pending);
            self.waits[node as usize] = false;
        }
        self.waiting.clear();
        self.tile.clear();
    }

    /// Begins a tile of these points, of which nothing is left to bring up to date.
    pub fn open(&mut self, points: Range<usize>) {
        if self.has_answers() {
            return;
        }
        for point in points {
            self.response.entries(point).for_each(|(node, _)| self.in_tile[node] = true);
        }
        for (node, marked) in self.in_tile.iter_mut().enumerate().filter(|(_, marked)| **marked) {
            *marked = false;
            match self.tile.last_mut() {
                Some(run) if node - run.end <= GAP => run.end = node + 1,
                _ => self.tile.push(node..node + 1),
            }
        }
    }

    /// Whether the tile has all nodes.
    fn whole(&self) -> bool {
        self.tile.first().is_some_and(|run| run.len() == self.response.numbers.nodes())
    }

    /// Changes the force at `point` of the tile; the other nodes of the tile feel it at once, those outside after
    /// [`CondensedBody::flush`].
    pub fn push(&mut self, point: usize, force: &Vec3) {
        let impulse = self.response.rotation.tr_mul(force) * self.h;
        if self.has_answers() {
            let width = self.change.len();
            let (x, others) = self.answers[3 * width * point..][..3 * width].split_at(width);
            let (y, z) = others.split_at(width);
            return add_three([x, y, z], &impulse, &mut self.change);
        }
        let whole = self.whole();
        for (node, weight) in self.response.entries(point) {
            let NodalResponse { numbers, matrix, .. } = &self.response;
            let part = impulse * weight;
            for run in &self.tile {
                let run = numbers.range(run);
                add_node(matrix, numbers, node, &part, run.start, &mut self.change[run]);
            }
            if whole {
                continue;
            }
            numbers.add(node, &part, &mut self.pending);
            if !std::mem::replace(&mut self.waits[node], true) {
                self.waiting.push(node as u32);
            }
        }
    }

    /// Brings the nodes outside the tile up to date, with the help of other threads if `split`, and ends the tile.
    pub fn flush(&mut self, split: bool) {
        if self.has_answers() {
            return;
        }
        let CondensedBody { change, pending, waiting, tile, saved, response, rows, .. } = self;
        let numbers = &response.numbers;
        saved.clear();
        tile.iter().for_each(|run| saved.extend_from_slice(&change[numbers.range(run)]));
        if let Some(solver) = &response.solver {
            solver.add_velocities(pending, change);
            self.close();
            return;
        }
        let matrix = &*response.matrix;
        let split = split && numbers.nodes() * waiting.len() >= LEAST_PARALLEL;
        let chunk = |(k, change): (usize, &mut [f64])| {
            for &node in &*waiting {
                let part = numbers.vector(node as usize, pending);
                add_node(matrix, numbers, node as usize, &part, k * CHUNK, change);
            }
        };
        if 2 * waiting.len() > numbers.nodes() {
            symmetric::add_product(matrix, pending, change, rows, split);
        } else if split {
            change.par_chunks_mut(CHUNK).enumerate().for_each(chunk);
        } else {
            change.chunks_mut(CHUNK).enumerate().for_each(chunk);
        }
        let mut saved = &saved[..];
        for run in tile {
            let run = numbers.range(run);
            let (own, others) = saved.split_at(run.len());
            change[run].copy_from_slice(own);
            saved = others;
        }
        self.close();
    }
}

/// Adds the velocities that an impulse on a node brings to those from number `first` on.
#[inline]
fn add_node(matrix: &NodeMatrix, numbers: &Numbers, node: usize, impulse: &Vec3, first: usize, velocity: &mut [f64]) {
    let (row, axes) = numbers.of(node);
    let n = velocity.len();
    let part = |row: usize| &matrix.row(row)[first..][..n];
    match axes {
        Axes::All => add_three([part(row), part(row + 1), part(row + 2)], impulse, velocity),
        Axes::One(axis) => {
            let impulse = impulse[usize::from(axis)];
            velocity.iter_mut().zip(part(row)).for_each(|(velocity, x)| *velocity += x * impulse);
        }
    }
}

/// Adds rows times the components of an impulse.
#[inline]
fn add_three([x, y, z]: [&[f64]; 3], impulse: &Vec3, velocity: &mut [f64]) {
    let n = velocity.len();
    let (x, y, z) = (&x[..n], &y[..n], &z[..n]);
    for k in 0..n {
        velocity[k] += x[k] * impulse.x + y[k] * impulse.y + z[k] * impulse.z;
    }
}

/// Adds the three rows of `G N` of a point.
fn add_rows(response: &NodalResponse, point: usize, rows: &mut [f64]) {
    let width = rows.len() / 3;
    for (node, weight) in response.entries(point) {
        let (first, axes) = response.numbers.of(node);
        for (number, axis) in (first..).zip(axes.iter()) {
            let row = &mut rows[usize::from(axis) * width..][..width];
            row.iter_mut().zip(response.matrix.row(number)).for_each(|(sum, x)| *sum += weight * x);
        }
    }
}

/// The block of `G N Gᵀ` between the point with these `rows` of `G N` and `point`.
fn at_point(response: &NodalResponse, rows: &[f64], point: usize) -> Mat3 {
    let width = rows.len() / 3;
    let mut sum = Mat3::zeros();
    for (node, weight) in response.entries(point) {
        let (first, axes) = response.numbers.of(node);
        for (number, axis) in (first..).zip(axes.iter()) {
            (0..3).for_each(|i| sum[(i, usize::from(axis))] += rows[i * width + number] * weight);
        }
    }
    sum
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::body::NO_ELEMENT;
    use crate::ids::{BodyIndex, ObjectIndex};

    /// Points on a line that feel one another the less the farther apart they are, each direction differently; the
    /// reference place counts them.
    struct Line;

    fn place(point: &MaterialPoint) -> f64 {
        point.reference.x
    }

    impl Condensed for Line {
        fn free(&self, points: &[MaterialPoint], out: &mut [Vec3]) {
            let free = |point: &MaterialPoint| Vec3::new(place(point).sin(), (0.3 * place(point)).cos(), -1.0);
            out.iter_mut().zip(points).for_each(|(out, point)| *out = free(point));
        }

        fn previous(&self, _points: &[MaterialPoint], out: &mut [Vec3]) {
            out.fill(Vec3::zeros());
        }

        fn compliance(&self, points: &[MaterialPoint], out: &mut [Mat3]) {
            let n = points.len();
            let turn = Mat3::new(0.0, 0.1, -0.2, 0.05, 0.0, 0.1, 0.2, -0.1, 0.0);
            for (k, block) in out.iter_mut().enumerate() {
                let (a, b) = (place(&points[k / n]), place(&points[k % n]));
                let (near, far) = (1.0 / (1.0 + (a - b).abs()), a.max(b) - a.min(b));
                let twist = turn * (far.sin() * near / n as f64);
                let twist = if a > b { twist.transpose() } else { twist };
                *block = Mat3::from_diagonal(&Vec3::new(2.0, 1.0, 3.0)) * (near * near) + twist;
            }
        }
    }

    fn body(n: usize) -> CondensedBody {
        let mut body = CondensedBody::default();
        for k in 0..n {
            let point = MaterialPoint {
                body: BodyIndex(0),
                object: ObjectIndex::NONE,
                element: NO_ELEMENT,
                reference: Vec3::x() * k as f64,
            };
            body.add_point(point, Axes::All);
        }
        body.fill(0.01, &Line, true);
        body
    }

    fn force(point: usize, velocity: &Vec3) -> Vec3 {
        Vec3::new(0.1, -0.2, 0.3 * (point as f64).cos()) - 0.5 * velocity
    }

    /// A sweep that solves all points in tiles of this size, forward and back.
    fn swept(n: usize, tile: usize) -> Vec<Vec3> {
        let mut body = body(n);
        for backward in [false, true] {
            let mut starts: Vec<usize> = (0..n).step_by(tile).collect();
            if backward {
                starts.reverse();
            }
            for start in starts {
                let tile = start..(start + tile).min(n);
                let mut points: Vec<usize> = tile.clone().collect();
                if backward {
                    points.reverse();
                }
                body.open(tile);
                for point in points {
                    let change = force(point, &body.velocity(point));
                    body.push(point, &change);
                }
                body.flush(true);
            }
        }
        (0..n).map(|point| body.velocity(point)).collect()
    }

    #[test]
    fn threads_change_no_bits_and_tiles_none_but_the_last() {
        let n = 700;
        let sequential = swept(n, n);
        for tile in [1, 64, 100] {
            let [one, two, four] = [1, 2, 4].map(|threads| {
                let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().expect("threads");
                pool.install(|| swept(n, tile))
            });
            assert!(one == two && one == four, "tiles of {tile}");
            let off = one.iter().zip(&sequential).map(|(a, b)| (a - b).amax()).fold(0.0, f64::max);
            assert!(off < 1e-12, "tiles of {tile}: {off:e}");
        }
    }

    #[test]
    fn the_matrix_is_symmetric_and_positive() {
        let n = 40;
        let body = body(n);
        let dense = nalgebra::DMatrix::from_fn(3 * n, 3 * n, |i, j| body.coupling(i / 3, j / 3)[(i % 3, j % 3)]);
        assert_eq!(dense, dense.transpose());
        assert!(dense.symmetric_eigenvalues().min() > 0.0);
    }

    #[test]
    fn forces_at_all_points_add_up() {
        for n in [30, 300] {
            let mut body = body(n);
            let forces: Vec<Vec3> = (0..n).map(|k| force(k, &Vec3::zeros())).collect();
            forces.iter().enumerate().for_each(|(k, force)| body.push(k, force));
            body.flush(true);
            for a in [0, 17, n - 1] {
                let sum = (0..n).fold(body.free[a], |sum, b| sum + body.coupling(a, b) * forces[b]);
                assert!((sum - body.velocity(a)).norm() < 1e-13);
            }
            body.reset();
            (0..n).for_each(|k| assert_eq!(body.velocity(k), body.free[k]));
        }
    }

    #[test]
    fn couplings_found_together_are_those_found_apart() {
        for n in [20, 80] {
            let mut body = body(n);
            let apart: Vec<Mat3> = (0..n * n).map(|k| body.response.block(k / n, k % n) * body.h).collect();
            let assert_same = |body: &CondensedBody| {
                for (k, block) in apart.iter().enumerate() {
                    assert!((block - body.coupling(k / n, k % n)).amax() < 1e-15, "{} {}", k / n, k % n);
                }
            };
            assert_same(&body);
            body.couple_all();
            assert_same(&body);
        }
    }
}
