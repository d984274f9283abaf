//! How the RUNs of an object begin: where its results go, its first RUN, results that go on, and what is complete.

use std::path::{Path, PathBuf};

use solfec::model::{Model, StoredOp};
use solfec_formats::checkpoint;
use solfec_formats::model::ModelFile;
use solfec_formats::results::{self, Results};

use super::adapt::adapt_solver;
use super::live::{fault, same, Live};
use super::object::Domain;
use super::orders::{heads_of, text, Order, Restored};
use super::part::Beginning;
use super::recorded;
use crate::cli::{CliError, Exit};
use crate::deck::continuation::Continuation;
use crate::deck::engine::Start;
use crate::deck::stored::Stored;
use crate::deck::Fault;

impl Live {
    /// Where the results of a new object go: the first one to `-o DIR`, others to DIR/NAME; a path that is opened again
    /// stays what it was.
    pub(super) fn directory(&self, model: &Model) -> Result<PathBuf, Fault> {
        if self.options.input_directory {
            return self.options.output.clone().ok_or_else(|| Fault::runtime("no directory"));
        }
        let Some(output) = self.options.directory() else { return Ok(PathBuf::from(&model.output_path)) };
        let wanted = Path::new(&model.output_path);
        if let Some(other) = self.domains.iter().find(|d| same(Path::new(&d.wanted), wanted)) {
            return Ok(other.directory.clone());
        }
        let directory = if self.domains.is_empty() { output } else { output.join(&model.name) };
        if self.domains.iter().any(|d| same(&d.directory, &directory)) {
            Err(Fault::runtime(format!(
                "-o: another SOLFEC object has its results in {}; give the objects other names",
                directory.display()
            )))
        } else {
            Ok(directory)
        }
    }

    /// The first RUN of an object begins, on all processes.
    fn start(&mut self, model: &Model, domain: usize) -> Result<(), CliError> {
        let directory = &self.domains[domain].directory;
        let other =
            |(k, other): (usize, &Domain)| k != domain && other.started.is_some() && same(&other.directory, directory);
        if results::exists(directory) && self.domains.iter().enumerate().any(other) {
            let text = format!(
                "{}: another SOLFEC object of this deck has written here; give each a path of its own",
                directory.display()
            );
            return Err(CliError::exists(text));
        }
        let file = self.file(model)?;
        self.orders.give(|| Ok(Order::Start { domain, heads: heads_of(&file)? }))?;
        let started = self.start_here(domain, file);
        self.orders.outcome(started)
    }

    /// The state of a checkpoint comes back, on all processes.
    pub(super) fn restore_all(
        &mut self,
        domain: usize,
        file: ModelFile,
        program: &[StoredOp],
        done: Restored,
    ) -> Result<(), CliError> {
        self.orders.give(|| Ok(Order::Restore { domain, heads: heads_of(&file)?, program: text(program)?, done }))?;
        let restored = self.restore_here(domain, file, program, done);
        self.orders.outcome(restored)
    }

    /// How far the results of an object that goes on have come.
    pub(super) fn continuation(&mut self, of: &mut Domain) -> Result<Continuation, Fault> {
        let directory = of.directory.clone();
        let reader = Results::open_partial(&directory).map_err(|e| fault(recorded::damaged(&directory, &e)))?;
        recorded::require_run(&directory, &reader).map_err(fault)?;
        let stored = Stored::open(&directory, 0)?;
        let (from, told) = checkpoint::latest(&directory).map_err(|e| fault(e.into()))?;
        told.iter().for_each(|text| self.process.warnings.warn("checkpoint", text));
        if from.is_none() {
            self.process.note(&format!("{}: has no checkpoint; the run begins again at time 0", directory.display()));
        }
        let (runs, done, program) = from.as_ref().map_or((0, false, 0), |c| (c.runs, c.done, c.program));
        of.from = from;
        Ok(Continuation { stored, runs, done, program, renamed: Vec::new() })
    }

    /// Completes what this process has written for an object; whether it has written anything.
    pub(super) fn settle(&mut self, k: usize) -> Result<bool, CliError> {
        let Domain { started: Some(started), .. } = &self.domains[k] else {
            // Results of a job that goes on and had no more to do are as good as written by it.
            let of = &self.domains[k];
            return Ok(of.settled || of.was_finished());
        };
        if started.running.runs() {
            let text = format!("{}: a RUN is writing here", self.domains[k].directory.display());
            return Err(CliError::new(Exit::Io, text));
        }
        // A deck may have removed them.
        if !self.domains[k].settled && results::exists(&self.domains[k].directory) {
            self.complete(k, Exit::Success)?;
        }
        self.domains[k].settled = true;
        Ok(true)
    }

    /// Everything up to the first step of a RUN.
    pub(super) fn begin_run(&mut self, model: &Model, start: &Start) -> Result<(), CliError> {
        let domain = start.domain;
        if self.domains[domain].settled {
            let text = "its results were completed when the same path was opened again; RUN before that";
            return Err(CliError::bad_input(text).named("E_DECK_RUNTIME"));
        }
        self.runs += 1;
        let mut solver = start.solver.clone();
        adapt_solver(&mut solver, &self.options, &mut self.found)?;
        self.siconos.prepare(&solver.settings)?;
        let fresh = self.started(domain).is_none();
        if fresh {
            self.start(model, domain)?;
        }
        // The model was restored with the RUN that goes on, and given with the first one.
        let (duration, resume, grow) = (start.duration, start.resume, !(fresh || start.resume));
        self.orders.give(|| {
            let run = text(&StoredOp::Run { duration, solver: solver.clone() })?;
            Ok(Order::Begin { domain, run, resume, grow })
        })?;
        let begun = self.begin_here(domain, Beginning { duration, solver, resume, grow });
        self.orders.outcome(begun)?;
        if let Some(started) = self.started(domain).filter(|started| !started.cut) {
            started.object = start.object;
        }
        Ok(())
    }
}
