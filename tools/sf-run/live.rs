//! Live decks: the deck runs in its Python, and each RUN of it here (commands-and-results.md G.3).

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::rc::Rc;

use crate::cli::{write_stdout, CliError, Exit, Record};
use crate::deck::continuation::Continuation;
use crate::deck::engine::{Engine, Opening, Outcome, Pause, Start};
use crate::deck::stored::Stored;
use crate::deck::{self, Deck, Environment, Fault, FaultKind, Language, Session};
use crate::siconos::OnDemand;
use serde_json::Value;
use solfec::frame::Frame;
use solfec::load::{Call, UserFunctions};
use solfec::model::{Model, Op, StoredOp};
use solfec::simulation::{Outside, Simulation};
use solfec::solver::External;
use solfec_formats::checkpoint::{self, Checkpoint};
use solfec_formats::model::{ModelFile, Provenance};
use solfec_formats::results::{self, Reader};

use super::adapt::{adapt, adapt_op, adapt_solver, check_found};
use super::job::Job;
use super::options::Options;
use super::process::Process;
use super::recorded::{self, summary};
use super::running::{Halt, Over, Running};
use super::supervisor::Ending;
use super::timers::TIMERS;

/// A deck that has been told to stop may ask for so many RUNs that make no step.
const EMPTY_RUNS: usize = 1000;

/// Runs a deck. `text` is what it holds.
pub fn run(
    deck: &Deck,
    text: String,
    environment: Environment,
    options: &Options,
    process: Process,
    record: Record,
) -> Result<(), CliError> {
    let (ending, signals) = (process.supervisor.ending.clone(), process.supervisor.signals.clone());
    let error = Rc::new(RefCell::new(None));
    let live = Live {
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
        error: Rc::clone(&error),
    };
    let mut session = Session::with_engine(environment, Box::new(live));
    let mut warnings = crate::cli::Warnings::new("sf-run");
    let mut hear = |kind: &str, text: &str| match kind {
        "note" if options.common.quiet => {}
        "note" => {
            let _ = writeln!(std::io::stderr(), "sf-run: note: {}: {text}", deck.path.display());
        }
        "geometry" => warnings.warn("geometry", text),
        _ => warnings.warn("ignored", text),
    };
    let ended = deck::run(deck, &Language::standard(), &mut session, &mut hear).map(|_| ());
    warnings.summary();
    // A deck may have caught the exception that tells of a signal.
    if let (None, Some(signal)) = (ending.get(), signals.end()) {
        ending.set(Some(Ending::of_signal(signal, options.requeue)));
    }
    let ended = match ending.get().filter(|ending| !ending.spares_the_deck()) {
        Some(ending) => Err(CliError::quiet(ending.exit())),
        None => ended,
    };
    let exit = ended.as_ref().map_or_else(|e| e.code, |()| Exit::Success);
    error.replace(ended.as_ref().err().cloned());
    let finished = session.finish(exit);
    ended.and(finished)
}

/// One SOLFEC object.
struct Domain {
    name: String,
    /// Where the deck wants its results.
    wanted: String,
    directory: PathBuf,
    /// From the first RUN on.
    started: Option<Started>,
    /// Results that are there go on: from this checkpoint, if they have one.
    goes_on: bool,
    from: Option<Checkpoint>,
    /// Duration of its RUN, as it is stored.
    stored_duration: f64,
    /// Results have been written here and are complete: they were opened again, or the deck has no more use for them.
    settled: bool,
    /// What `--json` tells of it, once it has been given back.
    told: Option<Value>,
}

struct Started {
    job: Job,
    running: Running,
    /// The solver object of the RUN.
    solver: Option<usize>,
    /// A RUN is over and its segments are not merged yet: the state at the end of the last RUN may follow.
    unmerged: Option<String>,
    /// The state at the end of a RUN for which no frame was due: stored if that was the last RUN.
    last: Option<Frame>,
    /// `--until` or `--steps` has been reached: further RUNs make no step.
    cut: bool,
    /// The state is no longer finite.
    lost: bool,
}

impl Started {
    fn new(job: Job, running: Running) -> Started {
        Started { job, running, solver: None, unmerged: None, last: None, cut: false, lost: false }
    }
}

struct Live {
    options: Options,
    deck: String,
    record: Record,
    domains: Vec<Domain>,
    outcomes: BTreeMap<usize, Outcome>,
    process: Process,
    siconos: OnDemand,
    /// How many RUNs had each `--set-param`, and how many there were.
    found: Vec<usize>,
    runs: usize,
    empty_runs: usize,
    /// A callback has ended a RUN, and `--strict-stop` counts that.
    strictly_stopped: bool,
    /// What programs are told of the last failure of a step.
    failure: Option<CliError>,
    /// How the deck ended, for `--json`.
    error: Rc<RefCell<Option<CliError>>>,
}

/// What a step gets from outside.
struct Around<'a> {
    functions: &'a mut dyn UserFunctions,
    siconos: &'a mut OnDemand,
}

impl UserFunctions for Around<'_> {
    fn values(&mut self, calls: &[Call]) -> solfec::Result<Vec<Vec<f64>>> {
        self.functions.values(calls)
    }
}

impl Outside for Around<'_> {
    fn external(&mut self) -> &mut dyn External {
        self.siconos
    }
}

impl Live {
    /// The model as it is stored: with its deck, and what the command line changes.
    fn file(&self, model: &Model) -> Result<ModelFile, CliError> {
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

    fn started(&mut self, domain: usize) -> Option<&mut Started> {
        self.domains.get_mut(domain)?.started.as_mut()
    }

    /// Where the results of a new object go: the first one to `-o DIR`, others to DIR/NAME; a path that is opened again
    /// stays what it was.
    fn directory(&self, model: &Model) -> Result<PathBuf, Fault> {
        if self.options.input_directory {
            return self.options.output.clone().ok_or_else(|| Fault::runtime("no directory"));
        }
        let Some(output) = self.options.directory() else { return Ok(PathBuf::from(&model.output_path)) };
        let wanted = Path::new(&model.output_path);
        if let Some(other) = self.domains.iter().find(|d| same(Path::new(&d.wanted), wanted)) {
            return Ok(other.directory.clone());
        }
        let directory = if self.domains.is_empty() { output } else { output.join(&model.name) };
        match self.domains.iter().any(|d| same(&d.directory, &directory)) {
            false => Ok(directory),
            true => Err(Fault::runtime(format!(
                "-o: another SOLFEC object has its results in {}; give the objects other names",
                directory.display()
            ))),
        }
    }

    /// The first RUN of an object: results begin, and what the deck did so far acts.
    fn start(&mut self, model: &Model, domain: usize) -> Result<Started, CliError> {
        let file = self.file(model)?;
        let directory = self.domains[domain].directory.clone();
        let other =
            |(k, other): (usize, &Domain)| k != domain && other.started.is_some() && same(&other.directory, &directory);
        if results::exists(&directory) && self.domains.iter().enumerate().any(other) {
            let text = format!("{}: another SOLFEC object of this deck has written here", directory.display());
            return Err(CliError::exists(text));
        }
        let mut job = match self.domains[domain].goes_on {
            true => Job::reopen(&directory, &file, None, &self.options)?,
            false => Job::start(&directory, &file, &self.options)?,
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
    fn continuation(&mut self, domain: usize) -> Result<Continuation, Fault> {
        let directory = self.domains[domain].directory.clone();
        let reader = Reader::open(&directory).map_err(|e| fault(recorded::damaged(&directory, &e)))?;
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
    fn settle(&mut self, k: usize) -> Result<bool, CliError> {
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

    /// The last frame, the record of the run, segments merged.
    fn complete(&mut self, k: usize, exit: Exit) -> Result<(), CliError> {
        let Some(Started { job, running, last, unmerged, .. }) = &mut self.domains[k].started else { return Ok(()) };
        job.missed_dumps(&running.simulation, &mut self.process.warnings);
        let provenance = Provenance { deck: self.deck.clone(), ..Provenance::default() };
        let ended = (|| {
            if let Some(frame) = last.take().filter(|_| !self.options.no_final_frame) {
                job.append(0, frame)?;
            }
            job.end_run(0, unmerged.as_deref().unwrap_or("done"))
        })();
        let exit = ended.as_ref().map_or_else(|e: &CliError| e.code, |()| exit);
        ended.and(job.finish(provenance, &self.record, exit, &mut self.process.warnings))
    }

    /// Results whose last RUN was over, but which miss the state at its end.
    fn complete_restored(&mut self, k: usize) -> Result<(), CliError> {
        let Domain { directory, from: Some(from), started: None, .. } = &self.domains[k] else { return Ok(()) };
        if !from.done || self.options.no_final_frame {
            return Ok(());
        }
        let reader = Reader::open(directory)?;
        if reader.frames(0)?.step_count.last() == Some(&from.state.steps) {
            return Ok(());
        }
        let file = reader.model()?;
        let program: Vec<StoredOp> = reader.program(0)?.into_iter().take(from.program).map(|(op, _)| op).collect();
        drop(reader);
        let simulation = Simulation::restore(&file.domains[0], &program, &from.state)?;
        let job = Job::reopen(directory, &file, Some(from), &self.options)?;
        let mut started = Started::new(job, Running::new(0, simulation, &self.options));
        started.last = Some(started.running.simulation.view());
        self.domains[k].started = Some(started);
        Ok(())
    }

    /// Everything up to the first step of a RUN.
    fn begin_run(&mut self, model: &Model, start: &Start) -> Result<(), CliError> {
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

impl Engine for Live {
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
        self.domains.push(Domain {
            name: model.name.clone(),
            wanted: model.output_path.clone(),
            directory,
            started: None,
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
        let run = program.iter().rev().find_map(|op| match op {
            Op::Run { duration, .. } => Some(*duration),
            _ => None,
        });
        self.domains[domain].stored_duration = run.unwrap_or(0.0);
        let restored = (|| {
            let file = self.file(model)?;
            let Domain { directory, from: Some(from), .. } = &self.domains[domain] else {
                return Err(CliError::bad_input("there is no checkpoint"));
            };
            let simulation = Simulation::restore(&file.domains[0], program, &from.state)?;
            let mut job = Job::reopen(directory, &file, Some(from), &self.options)?;
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

    fn seconds(&mut self, domain: usize, phase: &str) -> Option<f64> {
        let phase = TIMERS.iter().position(|name| *name == phase)?;
        Some(self.started(domain)?.job.since_frame[phase])
    }

    fn apply(&mut self, domain: usize, op: Op) -> Result<(), Fault> {
        let keep_interval = self.options.output_interval.is_some() && matches!(op, Op::Output { .. });
        let compress = self.options.compress;
        let Some(started) = self.started(domain) else { return Ok(()) };
        if keep_interval {
            return Ok(());
        }
        let Started { job, running, .. } = started;
        job.act(0, &mut running.simulation, &op).map_err(fault)?;
        job.grow(0, adapt_op(op, compress)).map_err(fault)
    }

    fn begin(&mut self, model: &Model, start: &Start) -> Result<(), Fault> {
        if let Some(ending) = self.process.supervisor.ending.get() {
            self.empty_runs += 1;
            return match ending.spares_the_deck() && self.empty_runs < EMPTY_RUNS {
                true => Ok(()),
                false => Err(Fault::new(FaultKind::Stop, format!("stopped by {}", ending.reason()))),
            };
        }
        self.begin_run(model, start).map_err(fault)
    }

    fn advance(&mut self, domain: usize, functions: &mut dyn UserFunctions) -> Result<Pause, Fault> {
        let Live { domains, outcomes, process, siconos, failure, .. } = self;
        let Some(started) = domains.get_mut(domain).and_then(|d| d.started.as_mut()) else { return Ok(Pause::Done) };
        let Started { job, running, solver, unmerged, last, cut, lost } = started;
        if !running.runs() {
            return Ok(Pause::Done);
        }
        let mut around = Around { functions, siconos };
        let mut note = |simulation: &Simulation, report: &solfec::simulation::StepReport| {
            if let Some(solver) = solver {
                outcome_of(outcomes.entry(*solver).or_default(), simulation, &report.solver);
            }
        };
        let over = match running.advance(job, &mut around, process, &mut note) {
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
            _ => Ok(Pause::Done),
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

    fn simulation(&mut self, domain: usize) -> Option<&mut Simulation> {
        self.started(domain).map(|started| &mut started.running.simulation)
    }

    fn outcome(&mut self, solver: usize) -> &mut Outcome {
        self.outcomes.entry(solver).or_default()
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

impl Live {
    /// `--until` and `--duration` cut the RUNs of a deck, but do not extend them: says when the deck ended before.
    fn tell_of_the_end(&self) {
        for Domain { directory, started, from, .. } in &self.domains {
            let (time, until) = match (started, from) {
                (Some(started), _) if started.cut => continue,
                (Some(started), _) => (started.running.simulation.time(), started.running.until),
                (None, Some(from)) => (from.state.clock.now, self.options.until_from(from.state.clock.now)),
                (None, None) => continue,
            };
            // Times are sums of steps (conventions.md 10).
            if let Some(until) = until.filter(|until| *until > time + 1e-9 * until.abs()) {
                self.process.note(&format!(
                    "{}: the RUNs of the deck end at t={time:.6}, before the t={until:.6} that was asked for; a deck is \
                     not extended, give its RUN another duration",
                    directory.display()
                ));
            }
        }
    }

    /// How the job ended, when the deck ended with `exit`.
    fn verdict(&mut self, exit: Exit) -> Result<(), CliError> {
        if exit != Exit::Success {
            let error = self.error.take().unwrap_or_else(|| CliError::quiet(exit));
            let failure = self.failure.take().filter(|failure| failure.code == exit);
            return Err(failure.map_or(error.clone(), |failure| error.named(failure.name)));
        }
        if let Some(ending) = self.process.supervisor.ending.get() {
            return Err(CliError::quiet(ending.exit()));
        }
        if self.strictly_stopped {
            return Err(CliError::quiet(Exit::Stopped));
        }
        match self.runs {
            0 => Ok(()),
            _ => check_found(&self.options, &self.found),
        }
    }
}

/// Whether two paths are written differently at most.
fn same(one: &Path, other: &Path) -> bool {
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
fn fault(error: CliError) -> Fault {
    let kind = match (error.code, error.name) {
        (Exit::Io, _) => FaultKind::System,
        (_, "E_PENETRATION") => FaultKind::Penetration,
        (Exit::Numerical, _) => FaultKind::Solver,
        (_, "E_INPUT") => FaultKind::Value,
        _ => FaultKind::Runtime,
    };
    Fault::new(kind, error.text)
}
