//! Results that go on where their newest checkpoint left them.

use solfec::model::StoredOp;

use super::stored::Stored;

/// How far they have come. Without a checkpoint nothing has been done: `runs` is 0, and the results begin again.
pub struct Continuation {
    pub stored: Stored,
    /// RUNs begun by then, and whether the last of them was over.
    pub runs: u32,
    pub done: bool,
    /// Operations recorded by then: rows of the program of the results.
    pub program: usize,
    /// They, with the numbers that functions have in this process; empty until the session has matched them.
    pub renamed: Vec<StoredOp>,
}
