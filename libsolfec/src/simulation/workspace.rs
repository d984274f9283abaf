//! What a simulation keeps between steps beside its state: memory, and what has been told.

use std::sync::Arc;

use super::corrections::Corrections;
use super::finite::Fastest;
use super::halving::Attempt;
use super::springs::Trial;
use crate::body::Energies;
use crate::comm::Communicator;
use crate::constraint::Compat;
use crate::contact::Detector;
use crate::dynamics::{RankOperator, Row};
use crate::ids::{BodyId, BodyIndex, Slot};
use crate::math::Vec3;
use crate::model::Model;
use crate::solver::{self, Law, LocalDynamics};

/// Columns that are refilled every step and keep their capacity.
#[derive(Default)]
pub(super) struct Workspace {
    pub(super) operator: RankOperator,
    /// Whether results must have the same bits on any number of ranks.
    pub(super) reproducible: bool,
    /// Rank that owns the body of each slot, and its id; empty on one rank.
    pub(super) homes: Vec<u32>,
    pub(super) ids: Vec<BodyId>,
    /// Slot of each body in the operator.
    pub(super) slot: Vec<Slot>,
    pub(super) rows: Vec<Row>,
    pub(super) laws: Vec<Law>,
    /// User constraints that the solver sees, in the order of their rows after those of contacts.
    pub(super) active: Vec<u32>,
    pub(super) compat_constraints: Compat,
    /// Contacts or constraints have gone since the local dynamics were filled.
    pub(super) stale: bool,
    /// Steps whose local dynamics are wanted, and those of the last step if it was one.
    pub(super) wanted_dumps: Vec<u64>,
    pub(super) kept_dump: Option<LocalDynamics>,
    /// Energy of the bodies before the solve [J], as in `Conditions`.
    pub(super) energy: f64,
    /// Springs whose laws are not linear.
    pub(super) trials: Vec<Trial>,
    pub(super) corrections: Corrections,
    /// Velocities and works of the start of the step of the bodies whose velocities were projected onto new
    /// constraints.
    pub(super) projected: Vec<(BodyIndex, Vec<f64>, Energies)>,
    pub(super) r: Vec<Vec3>,
    pub(super) u: Vec<Vec3>,
    pub(super) merit: Vec<f64>,
    pub(super) detector: Detector,
    pub(super) compat_sparsify: bool,
    pub(super) broken: Vec<u32>,
    pub(super) solver: solver::Workspace,
    /// The fastest body at the start of the last step that passed detection.
    pub(super) fastest: Option<Fastest>,
    /// Bodies that have been put where they are and have not made a step since; in order of ids during a step.
    pub(super) newcomers: Vec<BodyId>,
    /// Steps before the last one at whose start new bodies overlapped.
    pub(super) overlapped: Option<u64>,
    /// The attempt at the step that is being made.
    pub(super) attempt: Attempt,
    /// Stable step of the last warning that the step is lowered [s].
    pub(super) warned_step: f64,
}

impl Workspace {
    pub fn new(model: &Model, comm: &Arc<dyn Communicator>) -> Self {
        let compat = |wanted: &str| model.compat.iter().any(|name| name == wanted);
        let compat_constraints =
            Compat { constraint_drift: compat("constraint_drift"), prescribed: compat("prescribed") };
        let compat_sparsify = compat("sparsify");
        let operator = RankOperator::new(Arc::clone(comm));
        let warned_step = f64::INFINITY;
        Workspace { operator, warned_step, compat_sparsify, compat_constraints, ..Workspace::default() }
    }

    /// Gives back what is large and made anew in the next step: room for a frame or a checkpoint.
    pub fn make_room(&mut self) {
        self.rows = Vec::new();
        self.detector.make_room();
    }
}
