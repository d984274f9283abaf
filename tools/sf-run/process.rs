//! What there is one of in a process: who is asked before steps, the warnings, the trace.

use std::path::Path;
use std::sync::atomic::AtomicU32;
use std::sync::Arc;

use crate::cli::{print_note, CliError, Exit, Warnings};

use super::options::Options;
use super::ranks::Ranks;
use super::signals::Signals;
use super::supervisor::Supervisor;
use super::trace::Trace;

pub struct Process {
    /// The processes that run together.
    pub ranks: Ranks,
    pub supervisor: Supervisor,
    pub warnings: Warnings,
    pub trace: Option<Trace>,
    quiet: bool,
}

impl Process {
    /// Listens to signals from now on. `child` is the process of a deck's Python.
    pub fn new(options: &Options, child: Arc<AtomicU32>, ranks: &Ranks) -> Result<Process, CliError> {
        let signals = Signals::listen(child, options.requeue)
            .map_err(|e| CliError::new(Exit::Memory, format!("no memory for a thread that listens to signals: {e}")))?;
        let wanted = options.trace_steps.as_ref().filter(|_| ranks.first());
        let trace = wanted.map(|path| Trace::open(path, options.go_on)).transpose()?;
        Ok(Process {
            ranks: ranks.clone(),
            supervisor: Supervisor::new(options, signals),
            warnings: Warnings::new("sf-run"),
            trace,
            quiet: options.common.quiet || !ranks.first(),
        })
    }

    /// A line for people.
    pub fn note(&self, text: &str) {
        if !self.quiet {
            print_note("sf-run", text);
        }
    }

    /// Says why the job ended early, and how to go on.
    pub fn tell_ending(&self, directory: &Path, time: f64) {
        if let Some(ending) = self.supervisor.ending.get() {
            let (reason, place) = (ending.reason(), directory.display());
            self.note(&format!("{place}: stopped by {reason} at t={time:.6}; go on with -c"));
        }
    }

    /// The last words, of the first process.
    pub fn finish(&mut self) -> Result<(), CliError> {
        if self.ranks.first() {
            self.warnings.summary();
        }
        self.trace.as_mut().map_or(Ok(()), Trace::finish)
    }
}
