//! SICONOS_SOLVER: a solver of the Siconos library, outside of this program.

use serde::{Deserialize, Serialize};

use crate::json::real;

/// SICONOS_SOLVER.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Siconos {
    #[serde(with = "real")]
    pub epsilon: f64,
    pub maxiter: u32,
    pub verbose: bool,
}

impl Default for Siconos {
    fn default() -> Self {
        Siconos { epsilon: 1e-4, maxiter: 1000, verbose: false }
    }
}
