//! Local dynamics `U = B + W R`, `W = h H M⁻¹ Hᵀ`: a sum over bodies, each in the form that is cheapest for it.
//!
//! *Rigid and affine form*: the body keeps its velocity; `H` gathers from it, `h M⁻¹ Hᵀ` scatters into it. *Condensed
//! form*: dense blocks between the body's own constraint points. The operator owns the order of sweeps, threads, sums
//! over processes and factorisation; solvers see the trait [`Delassus`] and nothing else. Two operators live here:
//! [`BodyOperator`], matrix-free on bodies, and [`Assembled`], on a given matrix.

mod assembled;
mod block_lu;
mod condensed;
mod delassus;
mod dense;
mod elimination;
mod factors;
mod front;
mod levels;
mod operator;
mod ordering;
mod packed;
mod ranked;
mod row;
mod shares;
mod sparse;
mod sweep;
mod symmetric;
mod velocity_space;
mod visits;

pub use assembled::Assembled;
pub use delassus::{BlockKernel, Delassus, FactorCost, WholeMatrix};
pub use operator::{BodyOperator, Reactions};
pub(crate) use packed::fetch_item;
pub use ranked::{Copies, ExchangeTimes, RankOperator};
pub use row::{End, Row};
pub use sparse::BlockSparse;

use crate::math::{Number, Vec3, Wide, WideVec};

/// Items under which a loop is not worth splitting among threads.
const GRAIN: usize = 512;
/// The same for loops of every sweep: what threads pass on to each other takes longer than a few thousand items.
const SWEEP_GRAIN: usize = 4096;

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
    /// Records one block solve.
    #[inline(always)]
    fn count(&mut self, old: &Vec3, new: &Vec3, solved: bool) {
        self.change += (new - old).norm_squared();
        self.size += new.norm_squared();
        self.failed += usize::from(!solved);
        self.active += usize::from(new.z > 0.0);
    }

    /// Records four block solves in turn.
    #[inline(always)]
    fn count_four(&mut self, old: &WideVec, new: &WideVec, solved: [bool; 4]) {
        for change in (*new - *old).norm_squared().to_array() {
            self.change += change;
        }
        for size in new.norm_squared().to_array() {
            self.size += size;
        }
        self.failed += solved.iter().filter(|solved| !**solved).count();
        self.active += Wide::ZERO.below(new.z).to_bitmask().count_ones() as usize;
    }

    /// Adds the account of a later part of the sweep.
    fn add(&mut self, part: &Sweep) {
        self.change += part.change;
        self.size += part.size;
        self.failed += part.failed;
        self.active += part.active;
    }
}
