//! What the command line says to a deck, and to its recording.

/// What the command line says to a deck.
#[derive(Debug, Clone, Default)]
pub struct Environment {
    /// Arguments after `--`.
    pub args: Vec<String>,
    /// Sub-directory of all outputs (`-s`).
    pub subdir: Option<String>,
    /// Legacy switches, stored in every model.
    pub compat: Vec<String>,
    /// Models may be recorded that need functions of their deck.
    pub allow_live: bool,
    /// Number of processes that run the deck together; `None`: one, or it is recorded.
    pub processes: Option<usize>,
    /// Results are read although the deck makes another model.
    pub force_read: bool,
}

/// What becomes of functions in a model that is recorded.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Recording {
    /// Those of CALLBACK and of solvers that fail are left out.
    pub drop_callbacks: bool,
    /// Those of PUT_SPRING become tables of so many points.
    pub tabulate_springs: Option<u32>,
}
