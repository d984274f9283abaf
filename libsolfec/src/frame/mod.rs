//! What is shown of a simulation at one instant, as plain tables. A running simulation shows itself as a [`Frame`],
//! stored results are read into the same [`Frame`]: live, stored and exported values are one code.

mod bodies;
mod constraints;
mod log;
mod parts;

pub use bodies::{CharsRow, CharsRows, LawRows, NodalRows, NodeRows, PseudoRows, RigidRows};
pub use constraints::{ConstraintRows, CONTACT, NO_BODY, NO_ROW};
pub use log::{Event, EventKind, EventRows, FrameRow, FrameRows, StepRow, StepRows, WarningRow, WarningRows};

/// Solver statistics of the last step before the frame; NaN in frame 0.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct SolverStatistics {
    pub iterations: f64,
    pub merit: f64,
    pub error: f64,
}

/// The state of a simulation at one instant, as it is shown and stored.
#[derive(Debug, Clone, PartialEq)]
pub struct Frame {
    /// From 0, over all runs.
    pub index: u64,
    /// End of its step [s].
    pub time: f64,
    pub step_count: u64,
    /// Step [s] that ended here.
    pub h: f64,
    pub statistics: SolverStatistics,
    /// Number of the RUN, from 0.
    pub run: u32,
    pub rigid: RigidRows,
    pub pseudo: PseudoRows,
    /// Bodies that are shown by their nodes.
    pub nodal: NodalRows,
    /// Nodes of the bodies of `nodal`, one body after another.
    pub nodes: NodeRows,
    /// Elements of them whose material has changed.
    pub laws: LawRows,
    /// Bodies of `rigid` and `pseudo` whose characteristics are not those of the model.
    pub chars: CharsRows,
    pub constraints: ConstraintRows,
    /// Since the previous frame.
    pub events: Vec<Event>,
}

impl Frame {
    /// A frame without rows.
    pub fn empty(row: FrameRow) -> Self {
        Frame {
            index: row.index,
            time: row.time,
            step_count: row.step_count,
            h: row.h,
            statistics: SolverStatistics { iterations: row.iterations, merit: row.merit, error: row.error },
            run: row.run,
            rigid: RigidRows::default(),
            pseudo: PseudoRows::default(),
            nodal: NodalRows::default(),
            nodes: NodeRows::default(),
            laws: LawRows::default(),
            chars: CharsRows::default(),
            constraints: ConstraintRows::default(),
            events: Vec::new(),
        }
    }

    /// Its row in the index of frames.
    pub fn row(&self) -> FrameRow {
        FrameRow {
            index: self.index,
            time: self.time,
            step_count: self.step_count,
            h: self.h,
            run: self.run,
            iterations: self.statistics.iterations,
            merit: self.statistics.merit,
            error: self.statistics.error,
        }
    }

    /// Catalogue rows of its bodies, table after table.
    pub fn bodies(&self) -> impl Iterator<Item = u32> + '_ {
        self.rigid.body.iter().chain(&self.pseudo.body).chain(&self.nodal.body).copied()
    }
}
