//! PROXIMAL_NEWTON_SOLVER: semismooth Newton in a proximal point loop.

use serde::{Deserialize, Serialize};

use crate::json::real;

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
