//! Local dynamics `U = B + W R`, `W = h H M⁻¹ Hᵀ`: a sum over bodies, each in the cheaper of two forms.
//!
//! *Velocity form* (rigid, affine): the body keeps its velocity; `H` gathers from it, `h M⁻¹ Hᵀ` scatters into it.
//! *Condensed form*: dense blocks between the body's own constraints. The operator owns order
//! (colour, then key), threads and, later, exchange between ranks. Solvers see the trait [`Delassus`] and nothing else.
//! Two operators live here: [`BodyOperator`], matrix-free on bodies, and [`Assembled`], on a given matrix.

mod assembled;
mod colour;
mod operator;
mod packed;
mod row;
mod sparse;
mod sweep;

pub use assembled::Assembled;
use colour::TAIL;
pub use colour::{Colouring, Pair};
pub use operator::{BodyOperator, Reactions};
pub use row::{End, Row};
pub use sparse::BlockSparse;

use crate::math::{Mat3, Vec3};

/// Items under which a loop is not worth splitting among threads.
const GRAIN: usize = 512;

/// A block law called inside a sweep; it must be a pure function of its arguments.
pub trait BlockKernel: Sync {
    /// New reaction of the constraint at `place` of [`Delassus::order`], given its diagonal block `w`, the velocity `b` it
    /// would have with no reaction of its own, and its present reaction. The `bool` is false when the block solver
    /// failed and `r` was kept.
    fn solve(&self, place: usize, w: &Mat3, b: &Vec3, r: &Vec3) -> (Vec3, bool);
    /// Whether the constraint at `place` keeps its reaction and is not counted.
    #[inline(always)]
    fn skips(&self, _place: usize) -> bool {
        false
    }
}

/// What a sweep did.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Sweep {
    /// Σ |ΔR|² and Σ |R|² over constraints, in a fixed order.
    pub change: f64,
    pub size: f64,
    /// Block solves that failed.
    pub failed: usize,
    /// Block solves with `R_N > 0` after them.
    pub active: usize,
}

impl Sweep {
    /// Books one block solve.
    #[inline(always)]
    fn count(&mut self, old: &Vec3, new: &Vec3, solved: bool) {
        self.change += (new - old).norm_squared();
        self.size += new.norm_squared();
        self.failed += usize::from(!solved);
        self.active += usize::from(new.z > 0.0);
    }

    /// Adds the account of a later part of the sweep.
    fn add(&mut self, part: &Sweep) {
        self.change += part.change;
        self.size += part.size;
        self.failed += part.failed;
        self.active += part.active;
    }
}

/// The operator `U = B + W R` of one step. Reactions are in key order, local components (T1, T2, N).
pub trait Delassus: Sync {
    /// Number of constraints.
    fn len(&self) -> usize;
    fn is_empty(&self) -> bool {
        self.len() == 0
    }
    /// Diagonal blocks `W_αα` [m/s/N].
    fn diagonal(&self) -> &[Mat3];
    /// Free velocities `B` [m/s].
    fn free(&self) -> &[Vec3];
    /// Velocities `V` at the start of the step [m/s].
    fn previous(&self) -> &[Vec3];
    /// Constraints in the order of a forward sweep. Kernels are called by place in this order, so that what they keep
    /// of constraints can lie in memory as it is met.
    fn order(&self) -> &[u32];
    /// `U = B + W R`; leaves the operator's body velocities in line with `r`, as [`Delassus::start`] does.
    fn apply(&mut self, r: &[Vec3], u: &mut [Vec3]);
    /// Every block once with the newest reactions, in the operator's coloured order or (`backward`) its reverse.
    /// The first sweep of a solve must follow `start(r)` or `apply(r, ..)`.
    fn sweep<K: BlockKernel>(&mut self, r: &mut [Vec3], kernel: &K, backward: bool) -> Sweep;
    /// Brings the operator's body velocities in line with `r`.
    fn start(&mut self, r: &[Vec3]);
    /// Sums over constraints (and ranks) in a fixed tree.
    fn sum<const N: usize>(&self, part: impl Fn(usize) -> [f64; N] + Sync) -> [f64; N] {
        crate::math::tree_sum(self.len(), part)
    }
    /// Largest of `part` over constraints (and ranks).
    fn largest(&self, part: impl Fn(usize) -> f64) -> f64 {
        (0..self.len()).map(part).fold(f64::NEG_INFINITY, f64::max)
    }
    /// The assembled matrix, for methods that factorise. Calls are counted: rigid runs never make one.
    fn assemble(&self) -> BlockSparse;
}
