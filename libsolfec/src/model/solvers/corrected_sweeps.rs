//! CORRECTED_SWEEPS_SOLVER: Gauss–Seidel sweeps with Newton corrections.

use serde::{Deserialize, Serialize};

use crate::json::real;

/// CORRECTED_SWEEPS_SOLVER: Gauss–Seidel sweeps with Newton corrections.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct CorrectedSweeps {
    /// Merit that ends the solve.
    #[serde(with = "real")]
    pub meritval: f64,
    /// Bound of corrections, each of which factorises.
    pub maxiter: u32,
    /// Least number of sweeps after a correction.
    pub sweeps: u32,
}

impl Default for CorrectedSweeps {
    fn default() -> Self {
        CorrectedSweeps { meritval: 1e-8, maxiter: 200, sweeps: 8 }
    }
}
