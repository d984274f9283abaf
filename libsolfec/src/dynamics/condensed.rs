//! Bodies in condensed form: velocities at the body's own constraint points, and the dense matrix `h H A⁻¹ Hᵀ` between
//! them, where `A` is the matrix of the body's equations of motion.
//!
//! A force at one point changes the velocities at all points, so one change of a reaction costs as much as the body has
//! points, and constraints of one body cannot be solved side by side. A sweep therefore goes in tiles: constraints of a
//! tile are solved one after another, with the velocities at the points of the tile up to date; then all other points
//! receive the changes of the tile, in parallel. As each velocity receives the same changes in the same order, the
//! bits are those of a sequential sweep, whatever the tiles and the threads.

use std::ops::Range;

use rayon::prelude::*;

use crate::body::{Condensed, MaterialPoint, SparseInertia};
use crate::math::{Mat3, Vec3};

/// Points whose velocities one task brings up to date.
const CHUNK: usize = 128;

/// Products of blocks under which a tile is not worth splitting among threads.
const LEAST_PARALLEL: usize = 4096;

/// One body; points are numbered in the order of a forward sweep.
#[derive(Debug, Clone, Default)]
pub(super) struct CondensedBody {
    points: Vec<MaterialPoint>,
    /// Velocities with no reactions, at the start of the step, and with the present reactions [m/s]; spatial.
    free: Vec<Vec3>,
    previous: Vec<Vec3>,
    velocity: Vec<Vec3>,
    /// `h H A⁻¹ Hᵀ` [m/s/N]: block `(a, b)` at `a n + b`; symmetric bit for bit.
    matrix: Vec<Mat3>,
    /// The sparse matrices behind it, where the body shows them.
    sparse: Option<SparseInertia>,
    /// Changes of forces that only the points of the tile have received: point and force [N].
    pending: Vec<(usize, Vec3)>,
}

impl CondensedBody {
    /// Forgets the points.
    pub fn clear(&mut self) {
        self.points.clear();
    }

    /// Adds a point; returns its number.
    pub fn add_point(&mut self, point: MaterialPoint) -> u32 {
        self.points.push(point);
        self.points.len() as u32 - 1
    }

    /// Asks the body about its points, for a step of length `h` [s].
    pub fn fill(&mut self, h: f64, body: &dyn Condensed) {
        let n = self.points.len();
        self.free.resize(n, Vec3::zeros());
        self.previous.resize(n, Vec3::zeros());
        self.matrix.resize(n * n, Mat3::zeros());
        body.free(&self.points, &mut self.free);
        body.previous(&self.points, &mut self.previous);
        body.compliance(&self.points, &mut self.matrix);
        self.sparse = body.sparse(&self.points);
        self.matrix.par_iter_mut().with_min_len(LEAST_PARALLEL).for_each(|block| *block *= h);
        self.velocity.resize(n, Vec3::zeros());
        self.reset();
    }

    /// Present velocity at a point [m/s].
    pub fn velocity(&self, point: usize) -> Vec3 {
        self.velocity[point]
    }

    /// Velocity at a point at the start of the step [m/s].
    pub fn previous(&self, point: usize) -> Vec3 {
        self.previous[point]
    }

    /// Velocity at point `a` for a unit force at point `b` [m/s/N].
    pub fn coupling(&self, a: usize, b: usize) -> &Mat3 {
        &self.matrix[a * self.points.len() + b]
    }

    /// The matrix of the equations of motion and the interpolation, where the body shows them.
    pub fn sparse(&self) -> Option<&SparseInertia> {
        self.sparse.as_ref()
    }

    /// No velocity at any point.
    pub fn stop(&mut self) {
        self.velocity.fill(Vec3::zeros());
        self.pending.clear();
    }

    /// Velocities of the body without reactions.
    pub fn reset(&mut self) {
        self.velocity.copy_from_slice(&self.free);
        self.pending.clear();
    }

    /// Changes the force at `point` of the tile; the other points of the tile feel it at once, those outside after
    /// [`CondensedBody::flush`].
    pub fn push(&mut self, tile: &Range<usize>, point: usize, force: &Vec3) {
        let row = &self.matrix[point * self.points.len()..][tile.clone()];
        add(&mut self.velocity[tile.clone()], row, force);
        self.pending.push((point, *force));
    }

    /// Brings the points outside the tile up to date.
    pub fn flush(&mut self, tile: Range<usize>) {
        let n = self.points.len();
        let (matrix, pending) = (&self.matrix, &self.pending);
        let chunk = |(k, velocity): (usize, &mut [Vec3])| {
            let points = k * CHUNK..k * CHUNK + velocity.len();
            let before = points.start..points.end.min(tile.start).max(points.start);
            let after = points.start.max(tile.end).min(points.end)..points.end;
            for part in [before, after] {
                let velocity = &mut velocity[part.start - points.start..][..part.len()];
                for (point, force) in pending {
                    add(velocity, &matrix[point * n..][part.clone()], force);
                }
            }
        };
        if n * pending.len() < LEAST_PARALLEL {
            self.velocity.chunks_mut(CHUNK).enumerate().for_each(chunk);
        } else {
            self.velocity.par_chunks_mut(CHUNK).enumerate().for_each(chunk);
        }
        self.pending.clear();
    }
}

/// Adds what a force does to velocities; `row` are the blocks of the force, to be transposed.
fn add(velocity: &mut [Vec3], row: &[Mat3], force: &Vec3) {
    velocity.iter_mut().zip(row).for_each(|(velocity, block)| *velocity += block.tr_mul(force));
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
            body.add_point(MaterialPoint {
                body: BodyIndex(0),
                object: ObjectIndex::NONE,
                element: NO_ELEMENT,
                reference: Vec3::x() * k as f64,
            });
        }
        body.fill(0.01, &Line);
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
                for point in points {
                    let change = force(point, &body.velocity(point));
                    body.push(&tile, point, &change);
                }
                body.flush(tile);
            }
        }
        body.velocity
    }

    #[test]
    fn tiles_and_threads_give_the_bits_of_a_sequential_sweep() {
        let n = 700;
        let sequential = swept(n, n);
        for threads in [1, 2, 4] {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().expect("threads");
            for tile in [1, 64, 100] {
                assert!(pool.install(|| swept(n, tile)) == sequential, "{threads} threads, tiles of {tile}");
            }
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
        let n = 300;
        let mut body = body(n);
        let forces: Vec<Vec3> = (0..n).map(|k| force(k, &Vec3::zeros())).collect();
        forces.iter().enumerate().for_each(|(k, force)| body.push(&(0..0), k, force));
        body.flush(0..0);
        for a in [0, 17, 299] {
            let sum = (0..n).fold(body.free[a], |sum, b| sum + body.coupling(a, b) * forces[b]);
            assert!((sum - body.velocity(a)).norm() < 1e-13);
        }
        body.reset();
        assert_eq!(body.velocity, body.free);
    }
}
