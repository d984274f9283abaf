//! INTERIOR_POINT_SOLVER: path following.

use serde::{Deserialize, Serialize};

use crate::json::real;

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
