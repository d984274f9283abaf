//! What performs the runs of a live deck, and what reads results. A [`super::Session`] without an engine records; with
//! a [`Runner`], every operation that follows the first RUN of an object is handed on at once, and RUN runs; with a
//! [`Reader`] nothing runs.

use solfec::frame::Frame;
use solfec::load::UserFunctions;
use solfec::model::{Model, Op, Solver, StoredOp};
use solfec::solver::Report;

use super::continuation::Continuation;
use super::fault::Fault;
use super::query::{Answer, Query};
use super::stored::Stored;
use crate::cli::{CliError, Exit};

/// A RUN as the deck asked for it.
#[derive(Debug, Clone, PartialEq)]
pub struct Start {
    /// The SOLFEC object.
    pub domain: usize,
    pub solver: Solver,
    pub duration: f64,
    /// The solver object, to which the outcome belongs; none for 'AUTO'.
    pub object: Option<usize>,
    /// This is the RUN that was in progress at the checkpoint, which has been restored: it goes on where it was.
    pub resume: bool,
}

/// Why a run comes back to the deck.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Pause {
    /// This user function is due; 0 ends the run.
    Callback(u32),
    /// A solve failed; this user function says whether to go on.
    SolverFailed(u32),
    Done,
}

/// What solves left behind for the members of a solver object.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Outcome {
    pub report: Report,
    /// Histories of the last solve.
    pub errors: Vec<f64>,
    pub merits: Vec<f64>,
    pub products: Vec<u32>,
    /// Iterations of every solve since recording was switched on.
    pub iterations: Option<Vec<u32>>,
}

/// What opening a SOLFEC object decides.
pub enum Opening {
    /// Results will be written.
    Write,
    /// Results are there: they are read.
    Read(Box<Stored>),
    /// Results are there and go on: what the deck does up to the checkpoint has been done.
    Continue(Box<Continuation>),
}

/// Reads: all SOLFEC objects show the same results.
pub trait Reader {
    /// A SOLFEC object has been made.
    ///
    /// # Errors
    /// The results are damaged.
    fn open(&mut self) -> Result<Stored, Fault>;
}

/// Whoever looks at bodies while a run goes on.
pub trait Samples {
    /// Ids of the bodies; they do not change until the run comes back to the deck.
    fn bodies(&self) -> Vec<u64>;

    /// Whether a look is due at this time [s]; asked once for each.
    fn due(&mut self, time: f64) -> bool;

    /// What was due. The frame shows those of the bodies that exist.
    fn take(&mut self, frame: &Frame);
}

/// What runs, by its interface.
pub type Engine = dyn Runner;

/// Runs. SOLFEC objects are numbered in order of creation.
pub trait Runner {
    /// A SOLFEC object has been made. Results of the same path that this process has written are completed first, and
    /// read.
    ///
    /// # Errors
    /// Its results can neither be written nor read where it wants them.
    fn open(&mut self, domain: usize, model: &Model) -> Result<Opening, Fault>;

    /// The state of the checkpoint comes back (after [`Opening::Continue`]). `program` are the operations that acted
    /// before it, as the results have them; numbers of functions, in it and in the model, are those of this
    /// process.
    fn restore(&mut self, domain: usize, model: &Model, program: &[StoredOp]) -> Result<(), Fault>;

    /// The deck has no more use for an object: its results are completed and what was kept for it is given back. With
    /// `cleanup` a directory to which nothing was written goes, if it is empty.
    fn release(&mut self, domain: usize, cleanup: bool) -> Result<(), Fault>;

    /// An operation that was recorded after the first RUN acts.
    fn apply(&mut self, domain: usize, op: Op) -> Result<(), Fault>;

    /// An operation of the deck as it is stored, with what the command line changes of it.
    ///
    /// # Errors
    /// The command line has a value that does not fit.
    fn as_stored(&self, op: StoredOp) -> Result<StoredOp, Fault>;

    /// A run begins; its operation is the last of the program.
    fn begin(&mut self, model: &Model, start: &Start) -> Result<(), Fault>;

    /// Goes on until the deck is needed, or the run is over. `samples` is asked before the first step and after each.
    fn advance(
        &mut self,
        domain: usize,
        functions: &mut dyn UserFunctions,
        samples: &mut dyn Samples,
    ) -> Result<Pause, Fault>;

    /// The run makes no further step.
    fn stop(&mut self, domain: usize) -> Result<(), Fault>;

    /// A function of the deck raised an exception: the run is over, and its state is stored.
    fn abandon(&mut self, domain: usize) -> Result<(), Fault>;

    /// The run goes on in spite of a failed solve.
    fn go_on(&mut self, domain: usize) -> Result<(), Fault>;

    /// Whether an object has begun to run: from then on it answers.
    fn has_begun(&self, domain: usize) -> bool;

    /// Answers a question about the present state of an object that has begun to run.
    ///
    /// # Errors
    /// A body that does not exist (any more); an object that has not begun.
    fn ask(&self, domain: usize, query: &Query) -> Result<Answer, Fault>;

    /// What the solves with a solver object left behind.
    fn outcome(&self, solver: usize) -> Outcome;

    /// Iterations of every solve with a solver object are recorded from now on.
    fn record_iterations(&mut self, solver: usize);

    /// The deck has ended, with this exit code: results are completed.
    fn finish(&mut self, exit: Exit) -> Result<(), CliError>;
}
