//! ADMM_SOLVER: alternating directions.

use serde::{Deserialize, Serialize};

use crate::json::real;

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
