//! The engine of live decks: the deck runs in its Python, and each RUN of it here.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use solfec::load::{Call, UserFunctions};
use solfec::model::{Model, Op, StoredOp};
use solfec::simulation::{Outside, Simulation};
use solfec::solver::External;
use solfec_formats::model::{ModelFile, Provenance};
use solfec_formats::results;

use super::adapt::{adapt, adapt_output, adapt_solver};
use super::answers::answer;
use super::job::Job;
use super::object::{Domain, Started};
use super::old;
use super::options::Options;
use super::process::Process;
use super::ranks::Ranks;
use super::recorded::summary;
use super::running::{Halt, Over, Running};
use super::timers::TIMERS;
use crate::cli::{write_stdout, CliError, Exit, Record};
use crate::deck::engine::{Opening, Outcome, Pause, Runner, Start};
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
    outcomes: BTreeMap<usize, Outcome>,
    pub(super) process: Process,
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
        let stored = if read { Some(Stored::open(&directory, 0)?) } else { None };
        if let Some(stored) = stored.as_ref().filter(|_| !own) {
            if let Some(text) = old::told(&stored.results, &self.deck, self.options.read) {
                self.process.note(&format!("{}: {text}", directory.display()));
            }
        }
        self.domains.push(Domain {
            name: model.name.clone(),
            wanted: model.output_path.clone(),
            directory,
            started: None,
            reads: stored.is_some(),
            goes_on: false,
            from: None,
            stored_duration: 0.0,
            settled: false,
            told: None,
        });
        if let Some(stored) = stored {
            return Ok(Opening::Read(Box::new(stored)));
        }
        if there && self.options.go_on {
            let from = self.continuation(domain).inspect_err(|_| drop(self.domains.pop()))?;
            return Ok(Opening::Continue(Box::new(from)));
        }
        Ok(Opening::Write)
    }

    fn restore(&mut self, domain: usize, model: &Model, program: &[StoredOp]) -> Result<(), Fault> {
        let duration = |op: &StoredOp| if let Op::Run { duration, .. } = op { Some(*duration) } else { None };
        let run = program.iter().rev().find_map(duration);
        self.domains[domain].stored_duration = run.unwrap_or(0.0);
        let restored = (|| {
            let file = self.file(model)?;
            let Domain { directory, from: Some(from), .. } = &self.domains[domain] else {
                return Err(CliError::bad_input("there is no checkpoint"));
            };
            let simulation = Simulation::restore(&file.domains[0], program, &from.state)?;
            let mut job = Job::reopen(directory, &file, Some(from), &self.options, &Ranks::alone())?;
            job.keep_model(file);
            Ok(Started::new(job, Running::new(0, simulation, &self.options)))
        })();
        let mut started = restored.map_err(fault)?;
        if self.domains[domain].from.as_ref().is_some_and(|from| from.done) {
            started.unmerged = Some("done".into());
            started.last = (!started.running.simulation.shown()).then(|| started.running.simulation.view());
        }
        self.domains[domain].started = Some(started);
        Ok(())
    }

    fn release(&mut self, domain: usize, cleanup: bool) -> Result<(), Fault> {
        let written = self.settle(domain).map_err(fault)?;
        let of = &mut self.domains[domain];
        if let Some(started) = of.started.take() {
            of.told = Some(started.job.summary(&of.name, &started.running.simulation));
        }
        if cleanup && !written {
            // What is not empty stays.
            let _ = std::fs::remove_dir(&of.directory);
        }
        Ok(())
    }

    fn apply(&mut self, domain: usize, mut op: Op) -> Result<(), Fault> {
        let keep_interval = self.options.output_interval.is_some() && matches!(op, Op::Output { .. });
        let compress = self.options.compress;
        let Some(started) = self.started(domain) else { return Ok(()) };
        if keep_interval {
            return Ok(());
        }
        let Started { job, running, .. } = started;
        job.act(0, &mut running.simulation, &op).map_err(fault)?;
        adapt_output(&mut op, compress);
        job.grow(0, op).map_err(fault)
    }

    fn as_stored(&self, mut op: StoredOp) -> Result<StoredOp, Fault> {
        if let (Op::Output { interval, .. }, Some(wanted)) = (&mut op, self.options.output_interval) {
            *interval = wanted;
        }
        adapt_output(&mut op, self.options.compress);
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
        samples: &mut dyn FnMut(&Simulation),
    ) -> Result<Pause, Fault> {
        let Live { domains, outcomes, process, siconos, failure, .. } = self;
        let Some(started) = domains.get_mut(domain).and_then(|d| d.started.as_mut()) else { return Ok(Pause::Done) };
        let Started { job, running, solver, unmerged, last, cut, lost } = started;
        if !running.runs() {
            return Ok(Pause::Done);
        }
        let mut outside = StepOutside { functions, siconos };
        samples(&running.simulation);
        let mut note = |simulation: &Simulation, report: &solfec::simulation::StepReport| {
            samples(simulation);
            if let Some(solver) = solver {
                outcome_of(outcomes.entry(*solver).or_default(), simulation, &report.solver);
            }
        };
        let over = match running.advance(job, &mut outside, process, &mut note) {
            Ok(Halt::Callback(function)) => return Ok(Pause::Callback(function)),
            Ok(Halt::SolverFailed(function)) => return Ok(Pause::SolverFailed(function)),
            Ok(Halt::Over(over)) => over,
            Err(error) => {
                *unmerged = Some("failed".into());
                *lost = error.name == "E_NOT_FINITE";
                *failure = Some(error.clone());
                // What cannot be stored now is told at the end of the deck; the failure comes first.
                let _ = job.flush();
                return Err(fault(error));
            }
        };
        job.run_over(0, &over.reason()).map_err(fault)?;
        *last = (!running.simulation.shown()).then(|| running.simulation.view());
        *unmerged = Some(over.reason());
        *cut = over == Over::Cut;
        job.flush().map_err(fault)?;
        match over {
            Over::Ended(ending) if !ending.spares_the_deck() => {
                Err(Fault::new(FaultKind::Stop, format!("stopped by {}", ending.reason())))
            }
            Over::Done | Over::Cut | Over::Ended(_) => Ok(Pause::Done),
        }
    }

    fn stop(&mut self, domain: usize) {
        self.strictly_stopped |= self.options.strict_stop;
        if let Some(started) = self.started(domain) {
            started.running.stop();
        }
    }

    fn abandon(&mut self, domain: usize) -> Result<(), Fault> {
        let Some(Started { job, running, unmerged, .. }) = self.started(domain) else { return Ok(()) };
        *unmerged = Some("failed".into());
        running.abandon(job).map_err(fault)
    }

    fn go_on(&mut self, domain: usize) {
        if let Some(started) = self.started(domain) {
            started.running.go_on();
        }
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
        answer(&running.simulation, query)
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
            if let Some(started) = self.started(k) {
                let (directory, time) = (started.job.directory().to_path_buf(), started.job.status.time());
                self.process.tell_ending(&directory, time);
            }
        }
        if verdict.is_ok() {
            self.tell_of_the_end();
        }
        outcome = outcome.and(self.process.finish());
        let result = verdict.and(outcome);
        if self.options.common.json {
            write_stdout(format!("{}\n", summary(&result, &told)).as_bytes())?;
        }
        result
    }
}

/// What a step gets from outside.
struct StepOutside<'a> {
    functions: &'a mut dyn UserFunctions,
    siconos: &'a mut OnDemand,
}

impl UserFunctions for StepOutside<'_> {
    fn values(&mut self, calls: &[Call]) -> solfec::Result<Vec<Vec<f64>>> {
        self.functions.values(calls)
    }
}

impl Outside for StepOutside<'_> {
    fn external(&mut self) -> &mut dyn External {
        self.siconos
    }
}

/// Whether two paths are written differently at most.
pub(super) fn same(one: &Path, other: &Path) -> bool {
    let full = |path: &Path| std::path::absolute(path).map(|path| path.components().collect::<PathBuf>()).ok();
    full(one) == full(other)
}

/// What the members of a solver object will show.
fn outcome_of(outcome: &mut Outcome, simulation: &Simulation, report: &solfec::solver::Report) {
    let solver = simulation.solver();
    outcome.report = *report;
    outcome.errors.clear();
    outcome.errors.extend_from_slice(solver.error_history());
    outcome.merits.clear();
    outcome.merits.extend_from_slice(solver.merit_history());
    outcome.products.clear();
    outcome.products.extend_from_slice(solver.product_history());
    if let Some(iterations) = &mut outcome.iterations {
        iterations.push(report.iterations);
    }
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
