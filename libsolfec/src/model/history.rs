//! What the program of a model says about its past, kept up to date because every operation asks.

use super::{Op, StoredOp};

/// A summary of the first `read` operations of a program.
#[derive(Debug, Clone, Default)]
pub(super) struct History {
    read: usize,
    /// There is a RUN among them.
    started: bool,
}

/// Two models are equal if their programs are, whatever has been read of them.
impl PartialEq for History {
    fn eq(&self, _: &History) -> bool {
        true
    }
}

impl History {
    /// Reads what has been added to the program.
    pub fn follow(&mut self, program: &[StoredOp]) {
        self.started = self.started(program);
        self.read = program.len();
    }

    /// Whether the program runs.
    pub fn started(&self, program: &[StoredOp]) -> bool {
        let runs = |ops: &[StoredOp]| ops.iter().any(|op| matches!(op, Op::Run { .. }));
        program.get(self.read..).map_or_else(|| runs(program), |unread| self.started || runs(unread))
    }
}
