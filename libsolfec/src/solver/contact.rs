//! One frictional contact: `U = b + W R`, `0 ≤ U_N ⊥ R_N ≥ 0`, `|R_T| ≤ μ R_N`, sliding opposite to `U_T`. Restitution
//! and cohesion are shifted out before (docs/theory.md, (7.4)), so no block solver sees them.

use crate::math::{Mat3, Vec3};
use crate::model::BlockSolver;

/// The contact problem of one block solve.
#[derive(Debug, Clone, Copy)]
pub struct Contact<'a> {
    pub w: &'a Mat3,
    pub b: Vec3,
    pub friction: f64,
    /// `1/λ_max(W)` [N s/m].
    pub rho: f64,
}

/// How a block is solved.
#[derive(Debug, Clone, Copy)]
pub struct Method {
    pub solver: BlockSolver,
    /// `|ΔR| ≤ epsilon max(|R|, ρ|b|)` ends an iteration, `|C| ≤ epsilon |b|` the projected Newton one.
    pub epsilon: f64,
    pub limit: u32,
}

/// What a block solver found, after how many iterations.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Found {
    pub reaction: Vec3,
    pub iterations: u32,
}

/// Why a block solver found nothing.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum BlockError {
    /// The limit of iterations, or no progress: DIAGONAL_DIVERGED.
    Diverged,
    /// A singular or not finite step: DIAGONAL_FAILED.
    Failed,
}
