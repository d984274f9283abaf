//! PENALTY_SOLVER: springs and dashpots of the contacts, implicit or explicit.

use serde::{Deserialize, Serialize};

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
pub enum PenaltyVariant {
    Implicit,
    Explicit,
}

/// PENALTY_SOLVER.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Penalty {
    pub variant: PenaltyVariant,
}
