//! What the program of a model says about its past, kept up to date because every operation asks.

use super::{Op, StoredOp};

/// A summary of the first `read` operations of a program.
#[derive(Debug, Clone, Default)]
pub(super) struct History {
    read: usize,
    /// There is a RUN among them.
    started: bool,
    /// First row of the bodies that were inserted since the last RUN.
    inserted: Option<u32>,
}

/// Two models are equal if their programs are, whatever has been read of them.
impl PartialEq for History {
    fn eq(&self, _: &History) -> bool {
        true
    }
}

impl History {
    /// Reads what has been added to the program; the last operation that was read may have grown since.
    pub fn follow(&mut self, program: &[StoredOp]) {
        if self.read > program.len() {
            *self = History::default();
        }
        for op in &program[self.read..] {
            if let Op::Run { .. } = op {
                (self.started, self.inserted) = (true, None);
            } else if let Some(rows) = op.bodies() {
                self.inserted = self.inserted.or(Some(rows.start));
            }
        }
        self.read = program.len();
    }

    /// Whether the program runs.
    pub fn started(&self, program: &[StoredOp]) -> bool {
        let runs = |ops: &[StoredOp]| ops.iter().any(|op| matches!(op, Op::Run { .. }));
        program.get(self.read..).map_or_else(|| runs(program), |unread| self.started || runs(unread))
    }

    /// Whether no RUN has seen the body of this row; the program must have been followed.
    pub fn fresh(&self, row: usize) -> bool {
        !self.started || self.inserted.is_some_and(|first| row >= first as usize)
    }
}
