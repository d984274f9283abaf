//! The engine of live decks: the deck runs in its Python, and each RUN of it here.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use solfec::load::UserFunctions;
use solfec::model::{Model, Op, StoredOp};
use solfec_formats::checkpoint::Checkpoint;
use solfec_formats::model::{ModelFile, Provenance};
use solfec_formats::results;

use super::adapt::{adapt, adapt_output, adapt_solver};
use super::answers::answer;
use super::object::{Domain, Started};
use super::old;
use super::options::Options;
use super::orders::{Order, Orders, Restored, Sent};
use super::process::Process;
use super::recorded::{self, summary};
use super::running::{Halt, Over};
use super::timers::TIMERS;
use super::together;
use crate::cli::{write_stdout, CliError, Exit, Record};
use crate::deck::engine::{Opening, Outcome, Pause, Runner, Samples, Start};
use crate::deck::query::{Answer, Query};
use crate::deck::stored::Stored;
use crate::deck::{Fault, FaultKind};
use crate::siconos::OnDemand;

/// A deck that has been told to stop may ask for so many RUNs that make no step.
const EMPTY_RUNS: usize = 1000;

/// The engine of a live deck.
pub struct Live {
    pub(super) options: Options,
    pub(super) deck: String,
    pub(super) record: Record,
    pub(super) domains: Vec<Domain>,
    pub(super) outcomes: BTreeMap<usize, Outcome>,
    pub(super) process: Process,
    pub(super) orders: Orders,
    pub(super) siconos: OnDemand,
    /// How many RUNs had each `--set-param`, and how many there were.
    pub(super) found: Vec<usize>,
    pub(super) runs: usize,
    empty_runs: usize,
    /// A callback has ended a RUN, and `--strict-stop` counts that.
    pub(super) strictly_stopped: bool,
    /// What programs are told of the last failure of a step.
    pub(super) failure: Option<CliError>,
    /// How the deck ended, for `--json`.
    pub(super) error: Option<CliError>,
}

impl Live {
    /// The engine of a deck that holds `text`.
    pub fn new(text: String, options: &Options, process: Process, record: Record) -> Live {
        Live {
            options: options.clone(),
            deck: text,
            record,
            domains: Vec::new(),
            outcomes: BTreeMap::new(),
            orders: Orders::new(&process.ranks),
            process,
            siconos: OnDemand::default(),
            found: vec![0; options.set_param.len()],
            runs: 0,
            empty_runs: 0,
            strictly_stopped: false,
            failure: None,
            error: None,
        }
    }

    /// The model as it is stored: with its deck, and what the command line changes.
    pub(super) fn file(&self, model: &Model) -> Result<ModelFile, CliError> {
        let mut model = model.clone();
        adapt(&mut model, &self.options, &mut vec![0; self.found.len()])?;
        let provenance = Provenance {
            deck: self.deck.clone(),
            requires_live: model.requires_live(),
            runs: vec![self.record.json(Exit::Success)],
            ..Provenance::default()
        };
        Ok(ModelFile { domains: vec![model], provenance })
    }

    pub(super) fn started(&mut self, domain: usize) -> Option<&mut Started> {
        self.domains.get_mut(domain)?.started.as_mut()
    }
}

impl Runner for Live {
    fn open(&mut self, domain: usize, model: &Model) -> Result<Opening, Fault> {
        let directory = self.directory(model)?;
        let mut own = false;
        for k in 0..domain {
            if same(&self.domains[k].directory, &directory) {
                own |= self.settle(k).map_err(fault)?;
            }
        }
        let there = results::exists(&directory);
        if self.options.read && !there {
            let text = format!("{}: holds no results to read", directory.display());
            return Err(Fault::new(FaultKind::System, text));
        }
        // -w and -c are for results of earlier runs, not for those of this one.
        let read = there && (own || !(self.options.overwrite || self.options.go_on));
        let replaced = |fault: Fault| Fault { text: format!("{}; -w replaces these results", fault.text), ..fault };
        let mut stored = if read { Some(Stored::open(&directory, 0).map_err(replaced)?) } else { None };
        stored.iter_mut().for_each(|stored| stored.of_this_deck = own);
        if let Some(stored) = stored.as_ref().filter(|_| !own) {
            if let Some(text) = old::told(&stored.results, &self.deck, self.options.read) {
                self.process.note(&format!("{}: {text}", directory.display()));
            }
            if !self.options.dump_locdyn.is_empty() {
                self.process
                    .warnings
                    .warn("dump", "--dump-locdyn: no step is made where results are read; -w runs again");
            }
        }
        let mut opened = Domain::new(model.name.clone(), directory);
        (opened.wanted, opened.reads) = (model.output_path.clone(), stored.is_some());
        opened.goes_on = there && self.options.go_on && stored.is_none();
        let opening = match stored {
            Some(stored) => Opening::Read(Box::new(stored)),
            None if opened.goes_on => Opening::Continue(Box::new(self.continuation(&mut opened)?)),
            None => Opening::Write,
        };
        let Domain { name, directory, goes_on, .. } = &opened;
        let (name, directory, goes_on) = (name.clone(), directory.clone(), *goes_on);
        let from = opened.from.as_ref().map(Checkpoint::number);
        self.orders.give(|| Ok(Order::Open { domain, name, directory, goes_on, from })).map_err(fault)?;
        self.domains.push(opened);
        self.orders.outcome(Ok(opening)).map_err(fault).inspect_err(|_| drop(self.domains.pop()))
    }

    fn restore(&mut self, domain: usize, model: &Model, program: &[StoredOp]) -> Result<(), Fault> {
        let done = Restored::GoesOn;
        let restored = self.file(model).and_then(|file| self.restore_all(domain, file, program, done));
        restored.map_err(fault)
    }

    fn release(&mut self, domain: usize, cleanup: bool) -> Result<(), Fault> {
        let written = self.settle(domain).map_err(fault)?;
        self.orders.give(|| Ok(Order::Release { domain })).map_err(fault)?;
        self.release_here(domain);
        let of = &self.domains[domain];
        if cleanup && !written {
            // What is not empty stays.
            let _ = std::fs::remove_dir(&of.directory);
        }
        Ok(())
    }

    fn apply(&mut self, domain: usize, op: Op) -> Result<(), Fault> {
        if self.started(domain).is_none() {
            return Ok(());
        }
        self.orders.give(|| Ok(Order::Apply { domain, op: Sent::of(&op)? })).map_err(fault)?;
        let applied = self.apply_here(domain, op);
        self.orders.outcome(applied).map_err(fault)
    }

    fn as_stored(&self, mut op: StoredOp) -> Result<StoredOp, Fault> {
        if let (Op::Output { interval, .. }, Some(wanted)) = (&mut op, self.options.output_interval) {
            *interval = wanted;
        }
        adapt_output(&mut op, &self.options);
        if let Op::Run { solver, .. } = &mut op {
            adapt_solver(solver, &self.options, &mut vec![0; self.found.len()]).map_err(fault)?;
        }
        Ok(op)
    }

    fn begin(&mut self, model: &Model, start: &Start) -> Result<(), Fault> {
        if let Some(ending) = self.process.supervisor.ending.get() {
            self.empty_runs += 1;
            return if ending.spares_the_deck() && self.empty_runs < EMPTY_RUNS {
                Ok(())
            } else {
                Err(Fault::new(FaultKind::Stop, format!("stopped by {}", ending.reason())))
            };
        }
        self.begin_run(model, start).map_err(fault)
    }

    fn advance(
        &mut self,
        domain: usize,
        functions: &mut dyn UserFunctions,
        samples: &mut dyn Samples,
    ) -> Result<Pause, Fault> {
        if !self.started(domain).is_some_and(|started| started.running.runs()) {
            return Ok(Pause::Done);
        }
        self.orders.give(|| Ok(Order::Advance { domain, looks: samples.bodies() })).map_err(fault)?;
        let advanced = self.advance_here(domain, functions, samples);
        match self.orders.outcome(advanced).map_err(fault)? {
            Halt::Callback(function) => Ok(Pause::Callback(function)),
            Halt::SolverFailed(function) => Ok(Pause::SolverFailed(function)),
            Halt::Over(Over::Ended(ending)) if !ending.spares_the_deck() => {
                Err(Fault::new(FaultKind::Stop, format!("stopped by {}", ending.reason())))
            }
            Halt::Over(Over::Done | Over::Cut | Over::Ended(_)) => Ok(Pause::Done),
        }
    }

    fn stop(&mut self, domain: usize) -> Result<(), Fault> {
        self.strictly_stopped |= self.options.strict_stop;
        self.orders.give(|| Ok(Order::Stop { domain })).map_err(fault)?;
        self.stop_here(domain);
        Ok(())
    }

    fn abandon(&mut self, domain: usize) -> Result<(), Fault> {
        self.orders.give(|| Ok(Order::Abandon { domain })).map_err(fault)?;
        let abandoned = self.abandon_here(domain);
        self.orders.outcome(abandoned).map_err(fault)
    }

    fn go_on(&mut self, domain: usize) -> Result<(), Fault> {
        self.orders.give(|| Ok(Order::GoOn { domain })).map_err(fault)?;
        self.go_on_here(domain);
        Ok(())
    }

    fn has_begun(&self, domain: usize) -> bool {
        self.domains.get(domain).is_some_and(|domain| domain.started.is_some())
    }

    fn ask(&self, domain: usize, query: &Query) -> Result<Answer, Fault> {
        let started = self.domains.get(domain).and_then(|domain| domain.started.as_ref());
        let Started { job, running, .. } = started.ok_or_else(|| Fault::runtime("has not begun to run"))?;
        if let Query::Seconds(phase) = query {
            let phase = TIMERS.iter().position(|name| name == phase);
            return Ok(Answer::Seconds(phase.map(|phase| job.since_frame[phase])));
        }
        if self.orders.alone() || *query == Query::Clock {
            return answer(&running.simulation, query);
        }
        self.orders.give(|| Ok(Order::Ask { domain, query: query.clone() })).map_err(fault)?;
        together::answer(&running.simulation, query, &self.process.ranks)
    }

    fn outcome(&self, solver: usize) -> Outcome {
        self.outcomes.get(&solver).cloned().unwrap_or_default()
    }

    fn record_iterations(&mut self, solver: usize) {
        self.outcomes.entry(solver).or_default().iterations = Some(Vec::new());
    }

    fn finish(&mut self, exit: Exit) -> Result<(), CliError> {
        self.process.supervisor.at_work(true);
        let verdict = self.verdict(exit);
        let exit = verdict.as_ref().map_or_else(|e| e.code, |()| Exit::Success);
        let mut told = Vec::new();
        let mut outcome = Ok(());
        for k in 0..self.domains.len() {
            if exit == Exit::Success {
                outcome = outcome.and(self.complete_restored(k));
            }
            let domain = &self.domains[k];
            let summary = |s: &Started| s.job.summary(&domain.name, &s.running.simulation);
            told.extend(domain.told.clone().or(domain.started.as_ref().map(summary)));
            if !domain.settled {
                outcome = outcome.and(self.complete(k, exit));
            }
            if exit == Exit::Success && self.domains[k].was_finished() {
                self.process.note(&recorded::nothing_to_do(&self.domains[k].directory));
            }
            if let Some(started) = self.started(k) {
                let (directory, time) = (started.job.directory().to_path_buf(), started.job.status.time());
                self.process.tell_ending(&directory, time);
            }
        }
        if verdict.is_ok() {
            self.tell_of_the_end();
        }
        outcome = outcome.and(self.process.finish());
        let mut result = verdict.and(outcome);
        if self.options.common.json {
            let shown = write_stdout(format!("{}\n", summary(&result, &told)).as_bytes());
            result = shown.and(result);
        }
        let exit = result.as_ref().map_or_else(|error| error.code, |()| Exit::Success);
        self.orders.give(|| Ok(Order::Leave { exit }))?;
        result
    }
}

/// Whether two paths are written differently at most.
pub(super) fn same(one: &Path, other: &Path) -> bool {
    let full = |path: &Path| std::path::absolute(path).map(|path| path.components().collect::<PathBuf>()).ok();
    full(one) == full(other)
}

/// An error of a tool as the deck sees it.
pub(super) fn fault(error: CliError) -> Fault {
    let kind = match (error.code, error.name) {
        (Exit::Io, _) => FaultKind::System,
        (_, "E_PENETRATION") => FaultKind::Penetration,
        (Exit::Numerical, _) => FaultKind::Solver,
        (_, "E_INPUT") => FaultKind::Value,
        _ => FaultKind::Runtime,
    };
    Fault::new(kind, error.text)
}
