//! How the RUNs of an object begin: where its results go, its first RUN, results that go on, and what is complete.

use std::path::{Path, PathBuf};

use solfec::model::{Model, Op};
use solfec::simulation::Simulation;
use solfec_formats::checkpoint;
use solfec_formats::results::{self, Results};

use super::adapt::adapt_solver;
use super::job::Job;
use super::live::{fault, same, Live};
use super::object::{Domain, Started};
use super::ranks::Ranks;
use super::recorded;
use super::running::Running;
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

    /// The first RUN of an object: results begin, and what the deck did so far acts.
    pub(super) fn start(&mut self, model: &Model, domain: usize) -> Result<Started, CliError> {
        let file = self.file(model)?;
        let directory = self.domains[domain].directory.clone();
        let other =
            |(k, other): (usize, &Domain)| k != domain && other.started.is_some() && same(&other.directory, &directory);
        if results::exists(&directory) && self.domains.iter().enumerate().any(other) {
            let text = format!("{}: another SOLFEC object of this deck has written here", directory.display());
            return Err(CliError::exists(text));
        }
        let mut job = if self.domains[domain].goes_on {
            Job::reopen(&directory, &file, None, &self.options, &Ranks::alone())?
        } else {
            Job::start(&directory, &file, &self.options, &Ranks::alone())?
        };
        job.keep_deck(&self.deck)?;
        let model = &file.domains[0];
        let mut simulation = Simulation::new(model)?;
        for op in &model.program[..model.program.len().saturating_sub(1)] {
            job.act(0, &mut simulation, &model.whole(op)?)?;
        }
        job.keep_model(file);
        let running = Running::new(0, simulation, &self.options);
        Ok(Started::new(job, running))
    }

    /// How far the results in `directory` have come.
    pub(super) fn continuation(&mut self, domain: usize) -> Result<Continuation, Fault> {
        let directory = self.domains[domain].directory.clone();
        let reader = Results::open_partial(&directory).map_err(|e| fault(recorded::damaged(&directory, &e)))?;
        recorded::require_run(&directory, &reader).map_err(fault)?;
        let stored = Stored::open(&directory, 0)?;
        let (from, told) = checkpoint::latest(&directory).map_err(|e| fault(e.into()))?;
        told.iter().for_each(|text| self.process.warnings.warn("checkpoint", text));
        if from.is_none() {
            self.process.note(&format!("{}: has no checkpoint; the run begins again at time 0", directory.display()));
        }
        let (runs, done, program) = from.as_ref().map_or((0, false, 0), |c| (c.runs, c.done, c.program));
        self.domains[domain].goes_on = true;
        self.domains[domain].from = from;
        Ok(Continuation { stored, runs, done, program, renamed: Vec::new() })
    }

    /// Completes what this process has written for an object; whether it has written anything.
    pub(super) fn settle(&mut self, k: usize) -> Result<bool, CliError> {
        let Domain { started: Some(started), .. } = &self.domains[k] else {
            // Results of a job that goes on and had no more to do are as good as written by it.
            let of = &self.domains[k];
            return Ok(of.settled || of.goes_on && of.from.as_ref().is_some_and(|from| from.done));
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
        let mut settings = start.settings.clone();
        adapt_solver(&mut settings, &self.options, &mut self.found)?;
        self.siconos.prepare(&settings)?;
        let run = Op::Run { duration: start.duration, solver: settings.clone() };
        let stored = Op::Run { duration: start.duration, solver: settings.clone() };
        match self.started(domain) {
            None => {
                let started = self.start(model, domain)?;
                self.domains[domain].started = Some(started);
            }
            // The model was restored with the RUN that goes on.
            Some(_) if start.resume => {}
            Some(started) => started.job.grow(0, run)?,
        }
        let Domain { from, stored_duration, .. } = &self.domains[domain];
        // A deck may ask for another duration than the RUN had.
        let longer = start.duration - stored_duration;
        let resumed = from.as_ref().map(|from| from.run_end + longer);
        let Some(started) = self.started(domain) else { return Ok(()) };
        let Started { job, running, .. } = started;
        if started.lost {
            let text = format!("the state of this SOLFEC object was lost at time {:.6e} s", running.simulation.time());
            return Err(CliError::bad_input(text).named("E_DECK_RUNTIME"));
        }
        if running.runs() {
            let text = "this SOLFEC object runs already; RUN cannot be called from its own callback";
            return Err(CliError::bad_input(text).named("E_DECK_RUNTIME"));
        }
        if started.cut {
            return Ok(());
        }
        started.last = None;
        if let (true, Some(end)) = (start.resume, resumed) {
            if longer != 0.0 {
                job.replace_run(0, &stored)?;
            }
            running.resume(job, settings, end, false);
            started.unmerged = None;
            started.last = None;
            started.solver = start.solver;
            return Ok(());
        }
        if let Some(reason) = started.unmerged.take() {
            job.end_run(0, &reason)?;
        }
        job.record(0, &stored, running.simulation.steps())?;
        running.begin(job, settings, start.duration, false);
        started.solver = start.solver;
        Ok(())
    }
}
