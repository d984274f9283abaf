//! Solvers of `C(U, R) = 0` for any Delassus operator and list of laws, and the merit function. Knows no bodies.

use crate::math::Vec3;

/// The law of one constraint, with everything it needs beside `U` and `R`; user constraints add variants.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Law {
    /// Signorini–Coulomb with Newton restitution and cohesion strength `c` [N] (constraints-solvers-parallel.md 2.8).
    Coulomb {
        friction: f64,
        restitution: f64,
        cohesion: f64,
    },
    /// Compliant contact (section 7): gap [m] at mid-step, spring, dashpot (negative: critical), Hertz power.
    SpringDashpot {
        gap: f64,
        spring: f64,
        dashpot: f64,
        hpow: f64,
        friction: f64,
        cohesion: f64,
    },
}

/// How a solve ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Status {
    #[default]
    Converged,
    IterationLimit,
    BlockFailure,
    NotFinite,
}

/// The structured report of a solve (constraints-solvers-parallel.md 5.3, 12.1).
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Report {
    pub status: Status,
    pub iterations: u32,
    /// Relative change of reactions in the last sweep.
    pub error: f64,
    /// Merit g(R).
    pub merit: f64,
    /// Largest natural-map residual [m/s].
    pub residual: f64,
    pub retries: u32,
    pub failed_blocks: u32,
    /// Constraint with the largest part of the merit.
    pub worst: Option<u32>,
    /// One entry per iteration.
    pub error_history: Vec<f64>,
    pub merit_history: Vec<f64>,
    /// Block solves with R_N > 0 after them: the unit of the benchmarks.
    pub active_blocks: u64,
}

/// Unknowns of a solve, in key order.
pub struct Unknowns<'a> {
    pub r: &'a mut [Vec3],
    pub u: &'a mut [Vec3],
    /// Parts of the merit; they sum to g.
    pub merit: &'a mut [f64],
}
