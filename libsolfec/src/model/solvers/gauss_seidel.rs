//! GAUSS_SEIDEL_SOLVER: block Gauss–Seidel sweeps.

use serde::{Deserialize, Serialize};

use crate::json::real;

/// GAUSS_SEIDEL_SOLVER with all defaults resolved.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct GaussSeidel {
    #[serde(with = "real")]
    pub epsilon: f64,
    pub maxiter: u32,
    #[serde(with = "real")]
    pub meritval: f64,
    pub diagsolver: BlockSolver,
    #[serde(with = "real")]
    pub diagepsilon: f64,
    pub diagmaxiter: u32,
    /// Kept for decks of Solfec-1.0; the order of sweeps does not depend on it (docs/theory.md 11).
    pub reverse: bool,
    /// Over-relaxation in (0, 2): `R ← R_old + w (R_new − R_old)`, then clipped to the law.
    #[serde(with = "real", default = "one")]
    pub relaxation: f64,
    /// On several ranks: how their boundary is swept, and how often each set is.
    #[serde(default)]
    pub variant: Variant,
    #[serde(default = "once")]
    pub innerloops: u32,
}

fn one() -> f64 {
    1.0
}

fn once() -> u32 {
    1
}

impl GaussSeidel {
    /// Defaults beside the two required numbers.
    pub fn new(epsilon: f64, maxiter: u32) -> Self {
        GaussSeidel {
            epsilon,
            maxiter,
            meritval: 1.0,
            diagsolver: BlockSolver::SemismoothNewton,
            diagepsilon: Self::default_diagepsilon(epsilon, 1.0),
            diagmaxiter: Self::default_diagmaxiter(maxiter),
            reverse: false,
            relaxation: 1.0,
            variant: Variant::Full,
            innerloops: 1,
        }
    }

    pub fn default_diagepsilon(epsilon: f64, meritval: f64) -> f64 {
        (0.01 * epsilon.min(meritval).min(1e-4)).max(2.2e-16)
    }

    pub fn default_diagmaxiter(maxiter: u32) -> u32 {
        (maxiter / 100).max(100)
    }
}

/// How one contact is solved inside a sweep.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
pub enum BlockSolver {
    SemismoothNewton,
    ProjectedGradient,
    DeSaxceFeng,
    ProjectedNewton,
    Enumerative,
}

/// How bodies that rows of several ranks act on are swept; without effect on one rank. `Full`: by one rank after
/// another, as on one. `MiddleJacobi`: so, but for rows between earlier and later ranks, which are swept at once.
/// `BoundaryJacobi`: by all ranks at once, with velocities of the last sweep. `MassSplitting`: the same, each rank with
/// its share of the mass.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
pub enum Variant {
    #[default]
    Full,
    MiddleJacobi,
    BoundaryJacobi,
    MassSplitting,
}
