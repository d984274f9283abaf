//! AUTO_SOLVER: the method is chosen by the problem.

use serde::{Deserialize, Serialize};

use crate::json::real;

/// AUTO_SOLVER: the method is chosen by what the problem turns out to be.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Auto {
    #[serde(with = "real")]
    pub meritval: f64,
}

impl Default for Auto {
    fn default() -> Self {
        Auto { meritval: 1e-8 }
    }
}
