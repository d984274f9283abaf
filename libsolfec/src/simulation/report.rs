//! What a step tells about itself.

use super::{Distribution, Warning, WarningKind};
use crate::solver::Report;
use crate::Error;

/// Seconds of the wall clock spent in the phases of a step. They decide nothing.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Phases {
    /// TIMINT: time integration.
    pub integration: f64,
    /// CONDET: moving shapes, updating and detecting contacts.
    pub detection: f64,
    /// LOCDYN: local dynamics.
    pub local_dynamics: f64,
    /// CONSOL: solution of the constraints.
    pub solution: f64,
    /// PARBAL: bodies that go to other ranks, and copies.
    pub balancing: f64,
}

/// What a step did.
#[derive(Debug, Clone, PartialEq)]
pub struct StepReport {
    /// Steps made so far, this one included.
    pub step: u64,
    /// End of the step [s].
    pub time: f64,
    /// Length of the step [s].
    pub h: f64,
    pub bodies: usize,
    pub contacts: usize,
    /// Contacts and user constraints.
    pub constraints: usize,
    /// Object pairs that reached the narrow phase.
    pub pairs: usize,
    /// New contacts dropped by sparsification.
    pub sparsified: usize,
    /// Times that W was assembled in this step; rigid runs never do.
    pub assemblies: u64,
    pub solver: Report,
    pub phases: Phases,
    /// On several ranks.
    pub distribution: Option<Distribution>,
    /// To be told: each the first of its kind about its subject.
    pub warnings: Vec<Warning>,
    /// Warnings that were told before: how many of each kind.
    pub repeated: Vec<(WarningKind, u64)>,
    /// The [`Error::Solver`] of a solve that failed when its failure action forbids to go on; the step is complete.
    pub failure: Option<Error>,
}
