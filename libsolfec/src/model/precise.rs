//! Settings of the solvers that reach high accuracy, and of the one that chooses (docs/solvers.md).

use serde::{Deserialize, Serialize};

use super::op::{real, Failure};

/// INTERIOR_POINT_SOLVER: path following with Nesterov–Todd scaling, finished by Newton steps.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct InteriorPoint {
    /// Merit that ends the solve.
    #[serde(with = "real")]
    pub meritval: f64,
    /// Bound of factorisations.
    pub maxiter: u32,
    pub failure: Failure,
}

impl Default for InteriorPoint {
    fn default() -> Self {
        InteriorPoint { meritval: 1e-16, maxiter: 200, failure: Failure::Continue }
    }
}

/// PROXIMAL_NEWTON_SOLVER: semismooth Newton with a line search inside a proximal point loop.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ProximalNewton {
    /// Merit that ends the solve.
    #[serde(with = "real")]
    pub meritval: f64,
    /// Bound of factorisations.
    pub maxiter: u32,
    /// First weight of the proximal term, relative to the diagonal blocks of W.
    #[serde(with = "real")]
    pub alpha: f64,
    pub failure: Failure,
}

impl Default for ProximalNewton {
    fn default() -> Self {
        ProximalNewton { meritval: 1e-16, maxiter: 500, alpha: 1e-2, failure: Failure::Continue }
    }
}

/// ADMM_SOLVER: alternating directions with the shift of De Saxcé inside the loop.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Admm {
    /// Merit that ends the solve.
    #[serde(with = "real")]
    pub meritval: f64,
    /// Bound of iterations.
    pub maxiter: u32,
    /// First penalty, relative to the diagonal blocks of W; it is balanced between the iterations.
    #[serde(with = "real")]
    pub rho: f64,
    /// Over-relaxation, from 1 to less than 2.
    #[serde(with = "real")]
    pub relaxation: f64,
    pub failure: Failure,
}

impl Default for Admm {
    fn default() -> Self {
        Admm { meritval: 1e-8, maxiter: 5000, rho: 0.05, relaxation: 1.6, failure: Failure::Continue }
    }
}

/// AUTO_SOLVER: Gauss–Seidel as long as it promises to be the fastest, then the methods above.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Auto {
    /// Merit that ends the solve.
    #[serde(with = "real")]
    pub meritval: f64,
    pub failure: Failure,
}

impl Auto {
    pub fn new(meritval: f64) -> Self {
        Auto { meritval, failure: Failure::Continue }
    }
}
