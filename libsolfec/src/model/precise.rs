//! Settings of the solvers that reach high accuracy (docs/solvers.md).

use serde::{Deserialize, Serialize};

use super::op::real;

/// INTERIOR_POINT_SOLVER: path following with Nesterov–Todd scaling, finished by Newton steps.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct InteriorPoint {
    /// Merit that ends the solve.
    #[serde(with = "real")]
    pub meritval: f64,
    /// Bound of factorisations.
    pub maxiter: u32,
}

impl Default for InteriorPoint {
    fn default() -> Self {
        InteriorPoint { meritval: 1e-16, maxiter: 200 }
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
}

impl Default for ProximalNewton {
    fn default() -> Self {
        ProximalNewton { meritval: 1e-16, maxiter: 500, alpha: 1e-2 }
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
}

impl Default for Admm {
    fn default() -> Self {
        Admm { meritval: 1e-8, maxiter: 5000, rho: 0.05, relaxation: 1.6 }
    }
}
