//! The interface between operators and solvers.

use super::{BlockSparse, Sweep};
use crate::ids::Slot;
use crate::math::{sum_of_each, tree_sum, Mat3, Vec3, Wide, WideMat, WideVec};
use crate::model::Variant;

/// A block law called inside a sweep; it must be a pure function of its arguments.
pub trait BlockKernel: Sync {
    /// New reaction of the constraint at `place` of [`Delassus::order`], given its diagonal block `w`, the velocity `b`
    /// it would have with no reaction of its own, and its present reaction. The `bool` is false when the block solver
    /// failed and `r` was kept.
    fn solve(&self, place: usize, w: &Mat3, b: &Vec3, r: &Vec3) -> (Vec3, bool);
    /// Whether the law at `place` has a reaction along the third axis alone, and reads nothing but `w.m33` and `b.z`.
    #[inline(always)]
    fn is_scalar(&self, _place: usize) -> bool {
        false
    }
    /// Whether the constraint at `place` keeps its reaction and is not counted.
    #[inline(always)]
    fn skips(&self, _place: usize) -> bool {
        false
    }
    /// Asks for the memory of four constraints that will be solved soon.
    #[inline(always)]
    fn fetch_four(&self, _number: usize) {}
    /// [`BlockKernel::solve`] of four places in a row, with the same bits; these are the four of this number of
    /// [`Delassus::fours`].
    #[inline(always)]
    fn solve_four(&self, _number: usize, place: usize, w: &WideMat, b: &WideVec, r: &WideVec) -> (WideVec, [bool; 4]) {
        let [i, j, k, l] = [0, 1, 2, 3].map(|k| self.solve(place + k, &w.item(k), &b.item(k), &r.item(k)));
        (WideVec::gather([&i.0, &j.0, &k.0, &l.0]), [i.1, j.1, k.1, l.1])
    }
}

/// What the factors of `diag(x) W + diag(y)` cost.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct FactorCost {
    /// 3×3 blocks that one product with `W` reads.
    pub blocks: f64,
    /// Products of 3×3 blocks in one factorisation.
    pub products: f64,
    /// Whether constraints outnumber the velocities that they act on so far that reactions are hardly unique.
    pub redundant: bool,
}

/// The operator `U = B + W R` of one step, `W = h H M⁻¹ Hᵀ`. Reactions are in key order, local components (T1, T2, N).
///
/// Constraints may be distributed over several processes. Slices then hold those of this process, possibly none.
/// Methods marked *collective* must be called by all processes in the same order and give the same answer to all of
/// them, so solvers base every decision on those answers, never on the constraints of this process alone. The
/// default implementations are those of a single process.
pub trait Delassus: Sync {
    /// Number of constraints of this process: the length of all slices.
    fn len(&self) -> usize;
    /// Whether this process has no constraints; solvers take part in collective calls all the same.
    fn is_empty(&self) -> bool {
        self.len() == 0
    }
    /// Number of constraints of all processes.
    fn rows(&self) -> usize {
        self.len()
    }

    /// Diagonal blocks `W_αα` [m/s/N].
    fn diagonal(&self) -> &[Mat3];
    /// Free velocities `B` [m/s].
    fn free(&self) -> &[Vec3];
    /// Velocities `V` at the start of the step [m/s].
    fn previous(&self) -> &[Vec3];
    /// Constraints in the order of a sweep. Kernels are called by place in this order, so that what they keep
    /// of constraints can lie in memory in the order of use.
    fn order(&self) -> &[u32];
    /// Places where four constraints in a row begin that kernels are given together.
    fn fours(&self) -> &[u32] {
        &[]
    }

    /// `u = B + W r`; leaves the operator's body velocities in line with `r`, as [`Delassus::start`] does. Collective.
    fn apply(&mut self, r: &[Vec3], u: &mut [Vec3]);
    /// Solves every block once with the newest reactions, in the operator's order;
    /// the account is that of all processes. The first sweep of a solve must follow `start(r)` or `apply(r, ..)`.
    /// Collective.
    fn sweep<K: BlockKernel>(&mut self, r: &mut [Vec3], kernel: &K) -> Sweep;
    /// How processes bring bodies together that several of them sweep, and how often each sweeps before they do; the
    /// next sweep must follow `start` or `apply`. One process has nothing to choose. Collective.
    fn choose_exchange(&mut self, _variant: Variant, _innerloops: u32) {}
    /// Diagonal blocks that kernels are given, which differ from [`Delassus::diagonal`] where masses are split.
    fn swept_diagonal(&self) -> &[Mat3] {
        self.diagonal()
    }
    /// Whether [`Delassus::sweep`] can be called: what a reaction does at other constraints is at hand. Collective.
    fn can_sweep(&self) -> bool {
        true
    }
    /// The body in condensed form on which a constraint acts and no other does, if what its force does at all points of
    /// the body is at hand.
    fn only_body(&self, _constraint: usize) -> Option<Slot> {
        None
    }
    /// The block of `W` of two constraints that [`Delassus::only_body`] knows [m/s/N].
    fn block(&self, _i: usize, _j: usize) -> Mat3 {
        Mat3::repeat(f64::NAN)
    }
    /// Whether [`Delassus::product`] takes less than [`Delassus::apply`]. Collective.
    fn has_small_matrix(&self) -> bool {
        false
    }
    /// Brings the operator's body velocities in line with `r`. Collective.
    fn start(&mut self, r: &[Vec3]);

    /// Prepares [`Delassus::factor`] for this step: the cost of its factors, or `None` when they do not fit in memory.
    /// Collective.
    fn prepare_factors(&mut self) -> Option<FactorCost>;
    /// Factors `diag(x) W + diag(y)`; false when it is singular. `prepare_factors` must have succeeded. Whether the
    /// factors are those of the assembled matrix or of the system in the space of velocities is the operator's choice.
    /// Collective.
    fn factor(&mut self, x: &[Mat3], y: &[Mat3]) -> bool;
    /// Solves with the factors of the last successful [`Delassus::factor`]; `b` is the right side, then the solution.
    /// Collective.
    fn solve(&mut self, b: &mut [Vec3]);
    /// The same to six digits or more, for less work where factors need refinement. Collective.
    fn solve_roughly(&mut self, b: &mut [Vec3]) {
        self.solve(b);
    }
    /// `out = W x` in the representation that is factored. The next sweep must follow `start` or `apply`. Collective.
    fn product(&mut self, x: &[Vec3], out: &mut [Vec3]);

    /// Sums of one number of each process, in a fixed tree. Collective.
    fn total<const N: usize>(&self, own: [f64; N]) -> [f64; N] {
        own
    }
    /// Largest of one number of each process. Collective.
    fn greatest(&self, own: f64) -> f64 {
        own
    }
    /// Sums of `part` over constraints in a fixed tree. Collective.
    fn sum<const N: usize>(&self, part: impl Fn(usize) -> [f64; N] + Sync) -> [f64; N] {
        self.total(tree_sum(self.len(), part))
    }
    /// The same of the first three lanes of `part` of items of the constraints, which it may change. Collective.
    fn sum_of_each<T: Send, const N: usize>(
        &self,
        items: &mut [T],
        part: impl Fn(usize, &mut T) -> [Wide; N] + Sync,
    ) -> [f64; N] {
        self.total(sum_of_each(items, part))
    }
    /// Largest of `part` over constraints, −∞ without any. Collective.
    fn largest(&self, part: impl Fn(usize) -> f64) -> f64 {
        self.greatest((0..self.len()).map(part).fold(f64::NEG_INFINITY, f64::max))
    }
    /// Whether `own` is true on any process. Collective.
    fn any(&self, own: bool) -> bool {
        self.greatest(f64::from(own)) > 0.0
    }
    /// Whether `own` is true on all processes. Collective.
    fn all(&self, own: bool) -> bool {
        !self.any(!own)
    }
}

/// An operator whose whole matrix can be brought together, for solvers outside this library. All methods are
/// collective.
pub trait WholeMatrix: Delassus {
    /// `W` of the constraints of all processes, on each of them. Calls are counted by operators that do not store it.
    fn assemble(&self) -> BlockSparse;
    /// `own(i)` of the constraints of all processes in the order of the rows of the matrix.
    fn gather<const N: usize>(&self, own: impl Fn(usize) -> [f64; N]) -> Vec<[f64; N]> {
        (0..self.len()).map(own).collect()
    }
    /// Row of the matrix of constraint `i` of this process.
    fn row_in_matrix(&self, i: usize) -> usize {
        i
    }
}
