//! Live decks: the deck runs in its Python, and each RUN of it here (commands-and-results.md G.3).

use std::collections::BTreeMap;
use std::io::Write;
use std::path::{Path, PathBuf};

use serde_json::{json, Value};
use solfec::load::{Call, NoFunctions, UserFunctions};
use solfec::model::{Model, Op};
use solfec::query::Frame;
use solfec::simulation::{Moment, Outside, Run, Simulation};
use solfec::solver::External;
use solfec_formats::model::{ModelFile, Provenance};
use solfec_formats::results;
use solfec_tools::cli::{write_stdout, CliError, Exit, Progress, Record, Warnings};
use solfec_tools::deck::engine::{Engine, Opening, Outcome, Pause, Start};
use solfec_tools::deck::stored::Stored;
use solfec_tools::deck::{self, Deck, Environment, Fault, FaultKind, Language, Session};
use solfec_tools::siconos::OnDemand;

use crate::job::{adapt, timers, Job, TIMERS};
use crate::options::Options;

/// Runs a deck.
pub fn run(path: &Path, options: &Options, threads: usize) -> Result<(), CliError> {
    let text = std::fs::read(path).map_err(|e| CliError::file(path, "read", &e))?;
    let deck = Deck {
        path: path.into(),
        root: options.root.clone(),
        python2: options.python2,
        set: options.set.clone(),
        stdout_taken: options.common.json,
    };
    let environment = Environment {
        args: options.args.clone(),
        subdir: options.subdir.as_ref().map(|s| s.to_string_lossy().into_owned()),
        compat: options.common.compat.clone(),
        allow_live: true,
        force_read: options.force_read,
    };
    let live = Live::new(options, String::from_utf8_lossy(&text).into_owned(), threads);
    let mut session = Session::with_engine(environment, Box::new(live));
    let mut warnings = Warnings::new("sf-run");
    let mut hear = |kind: &str, text: &str| match kind {
        "note" if options.common.quiet => {}
        "note" => {
            let _ = writeln!(std::io::stderr(), "sf-run: note: {}: {text}", path.display());
        }
        "geometry" => warnings.warn("geometry", text),
        _ => warnings.warn("ignored", text),
    };
    let ended = deck::run(&deck, &Language::standard(), &mut session, &mut hear);
    warnings.summary();
    let exit = ended.as_ref().map_or_else(|e| e.code, |_| Exit::Success);
    let finished = session.finish(exit);
    ended.map(|_| ()).and(finished)
}

/// One SOLFEC object.
struct Domain {
    name: String,
    /// As the deck named it, and where it is.
    path: String,
    directory: PathBuf,
    /// From the first RUN on.
    running: Option<Running>,
    /// Results have been written here and are complete: they were opened again, or the deck has no more use for them.
    settled: bool,
    /// What `--json` tells of it, once it has been given back.
    told: Option<Value>,
}

struct Running {
    job: Job,
    simulation: Simulation,
    run: Option<Run>,
    /// A RUN is over and its segments are not merged yet: the state at the end of the last RUN may follow.
    unmerged: bool,
    progress: Progress,
    solver: Option<usize>,
    /// The state at the end of a RUN for which no frame was due: stored if that was the last RUN.
    last: Option<Frame>,
    /// The state is no longer finite.
    lost: bool,
    /// Seconds in each phase since the last frame.
    since_frame: [f64; TIMERS.len()],
}

struct Live {
    options: Options,
    deck: String,
    record: Record,
    domains: Vec<Domain>,
    outcomes: BTreeMap<usize, Outcome>,
    warnings: Warnings,
    siconos: OnDemand,
}

/// A recorded model has solvers outside, and no functions.
#[derive(Default)]
pub struct Nobody(pub OnDemand);

impl UserFunctions for Nobody {
    fn values(&mut self, calls: &[Call]) -> solfec::Result<Vec<Vec<f64>>> {
        NoFunctions.values(calls)
    }
}

impl Outside for Nobody {
    fn external(&mut self) -> &mut dyn External {
        &mut self.0
    }
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
    fn new(options: &Options, deck: String, threads: usize) -> Self {
        Live {
            options: options.clone(),
            deck,
            record: Record::begin("sf-run", threads),
            domains: Vec::new(),
            outcomes: BTreeMap::new(),
            warnings: Warnings::new("sf-run"),
            siconos: OnDemand::default(),
        }
    }

    /// The model as it is stored: with its deck, and what the command line changes.
    fn file(&self, model: &Model) -> ModelFile {
        let mut model = model.clone();
        adapt(&mut model, &self.options);
        let requires_live = model.requires_live();
        let provenance = Provenance { deck: self.deck.clone(), requires_live, ..Provenance::default() };
        ModelFile { domains: vec![model], provenance }
    }

    fn running(&mut self, domain: usize) -> Option<&mut Running> {
        self.domains.get_mut(domain)?.running.as_mut()
    }

    /// Where the results of a model go.
    fn directory(&self, model: &Model) -> Result<PathBuf, Fault> {
        let Some(output) = &self.options.output else { return Ok(PathBuf::from(&model.output_path)) };
        // -o is for one path, which may be opened several times.
        if self.domains.iter().any(|other| !same(Path::new(&other.path), Path::new(&model.output_path))) {
            let text = format!("-o {} is for one SOLFEC object, and this is another one", output.display());
            return Err(Fault::runtime(text));
        }
        Ok(self.options.subdir.as_ref().map_or_else(|| output.clone(), |sub| output.join(sub)))
    }

    /// Completes what this process has written for an object; whether it has written anything.
    fn settle(&mut self, k: usize) -> Result<bool, CliError> {
        let Some(running) = &self.domains[k].running else { return Ok(self.domains[k].settled) };
        if running.run.is_some() {
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
        let Some(Running { job, simulation, last, .. }) = &mut self.domains[k].running else { return Ok(()) };
        job.missed_dumps(simulation, &mut self.warnings);
        let provenance = Provenance { deck: self.deck.clone(), ..Provenance::default() };
        if let Some(frame) = last.take().filter(|_| !self.options.no_final_frame) {
            job.append(0, frame)?;
        }
        job.end_run()?;
        job.finish(provenance, &self.record, exit, &mut self.warnings)
    }

    /// The first RUN of an object: results begin, and what the deck did so far acts.
    fn start(&mut self, model: &Model, domain: usize) -> Result<Running, CliError> {
        let file = self.file(model);
        let adapted = file.domains[0].clone();
        let directory = self.domains[domain].directory.clone();
        let other =
            |(k, other): (usize, &Domain)| k != domain && other.running.is_some() && same(&other.directory, &directory);
        if results::exists(&directory) && self.domains.iter().enumerate().any(other) {
            let text = format!("{}: another SOLFEC object of this deck has written here", directory.display());
            return Err(CliError::new(Exit::Io, text));
        }
        let mut job = Job::start(&directory, file, &self.options)?;
        job.keep_deck(&self.deck)?;
        let mut simulation = Simulation::new(&adapted)?;
        let before = &adapted.program[..adapted.program.len().saturating_sub(1)];
        for op in before {
            job.act(0, &adapted, &mut simulation, op)?;
        }
        if let Some(interval) = self.options.output_interval {
            simulation.apply(&adapted, &Op::Output { interval, compress: 0 })?;
        }
        let progress = Progress::new("sf-run", &self.options.common, 0.0, 0.0);
        Ok(Running {
            job,
            simulation,
            run: None,
            unmerged: false,
            progress,
            solver: None,
            last: None,
            lost: false,
            since_frame: Default::default(),
        })
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
        // -w is for results of earlier runs, not for those of this one.
        let read = results::exists(&directory) && (own || !self.options.overwrite);
        let opening = if read { Opening::Read(Box::new(Stored::open(&directory, 0)?)) } else { Opening::Write };
        let (name, path) = (model.name.clone(), model.output_path.clone());
        self.domains.push(Domain { name, path, directory, running: None, settled: false, told: None });
        Ok(opening)
    }

    fn restore(&mut self, _domain: usize, _model: &Model, _program: &[Op]) -> Result<(), Fault> {
        Err(Fault::runtime("results cannot be continued in this version"))
    }

    fn release(&mut self, domain: usize, cleanup: bool) -> Result<(), Fault> {
        let written = self.settle(domain).map_err(fault)?;
        let of = &mut self.domains[domain];
        if let Some(running) = of.running.take() {
            of.told = Some(running.job.summary(&of.name, &running.simulation));
        }
        if cleanup && !written {
            // What is not empty stays.
            let _ = std::fs::remove_dir(&of.directory);
        }
        Ok(())
    }

    fn seconds(&mut self, domain: usize, phase: &str) -> Option<f64> {
        let phase = TIMERS.iter().position(|name| *name == phase)?;
        Some(self.running(domain)?.since_frame[phase])
    }

    fn apply(&mut self, domain: usize, model: &Model, op: &Op) -> Result<(), Fault> {
        let keep_interval = self.options.output_interval.is_some() && matches!(op, Op::Output { .. });
        let inserts = matches!(op, Op::InsertBodies { .. } | Op::InsertConstraints { .. } | Op::InsertLoads { .. });
        let file = inserts.then(|| self.file(model));
        let Some(running) = self.running(domain) else { return Ok(()) };
        if keep_interval {
            return Ok(());
        }
        if let Some(file) = file {
            running.job.grow(file).map_err(fault)?;
        }
        running.job.act(0, model, &mut running.simulation, op).map_err(fault)
    }

    fn begin(&mut self, model: &Model, start: &Start) -> Result<(), Fault> {
        let domain = start.domain;
        self.siconos.prepare(&start.settings).map_err(|error| Fault::runtime(error.text))?;
        if self.running(domain).is_none() {
            let running = self.start(model, domain).map_err(fault)?;
            self.domains[domain].running = Some(running);
        }
        let mut settings = start.settings.clone();
        crate::job::adapt_solver(&mut settings, &self.options);
        let until = self.options.until;
        let common = self.options.common.clone();
        let file = self.file(model);
        if self.domains[domain].settled {
            let text = "its results were completed when the same path was opened again; RUN the object before that";
            return Err(Fault::runtime(text));
        }
        let Some(running) = self.running(domain) else { return Ok(()) };
        if running.lost {
            let time = running.simulation.time();
            return Err(Fault::runtime(format!("the state of this SOLFEC object was lost at time {time:.6e} s")));
        }
        running.last = None;
        if running.run.is_some() {
            return Err(Fault::runtime("this SOLFEC object runs already; RUN cannot be called from its own callback"));
        }
        if std::mem::take(&mut running.unmerged) {
            running.job.end_run().map_err(fault)?;
            running.job.grow(file).map_err(fault)?;
        }
        let now = running.simulation.time();
        let duration = until.map_or(start.duration, |until| start.duration.min(until - now));
        let op = Op::Run { duration: start.duration, solver: settings.clone() };
        running.job.record(&op, running.simulation.steps()).map_err(fault)?;
        running.progress = Progress::new("sf-run", &common, now, now + duration);
        running.job.want_dumps(&mut running.simulation);
        running.run = Some(Run::new(&mut running.simulation, settings, duration));
        running.solver = start.solver;
        Ok(())
    }

    fn advance(&mut self, domain: usize, functions: &mut dyn UserFunctions) -> Result<Pause, Fault> {
        let Live { domains, outcomes, warnings, siconos, options, .. } = self;
        let Some(running) = domains.get_mut(domain).and_then(|d| d.running.as_mut()) else { return Ok(Pause::Done) };
        let Running { job, simulation, run, unmerged, progress, solver, last, lost, since_frame } = running;
        let Some(active) = run else { return Ok(Pause::Done) };
        let mut around = Around { functions, siconos };
        loop {
            if options.steps.is_some_and(|n| simulation.steps() >= n) {
                active.stop();
            }
            match active.advance(simulation, &mut around) {
                Ok(Moment::Stepped(report)) => {
                    if let Some(solver) = solver {
                        note(outcomes.entry(*solver).or_default(), simulation, &report.solver);
                    }
                    since_frame.iter_mut().zip(timers(&report.phases)).for_each(|(sum, s)| *sum += s);
                    job.stepped(0, &report, progress, warnings).map_err(fault)?;
                    job.dump(simulation).map_err(fault)?;
                }
                Ok(Moment::Frame) => {
                    since_frame.fill(0.0);
                    job.frame(0, simulation, progress).map_err(fault)?;
                }
                Ok(Moment::Callback(function)) => return Ok(Pause::Callback(function)),
                Ok(Moment::SolverFailed(function)) => return Ok(Pause::SolverFailed(function)),
                Ok(Moment::Done) => {
                    (*run, *unmerged) = (None, true);
                    *last = (!simulation.shown()).then(|| simulation.view());
                    progress.finish("ok", simulation.time(), Exit::Success.code());
                    job.run_over("done").map_err(fault)?;
                    job.flush().map_err(fault)?;
                    return Ok(Pause::Done);
                }
                Err(error) => {
                    (*run, *unmerged) = (None, true);
                    *lost = matches!(error, solfec::Error::NotFinite(_));
                    job.failed(0, simulation, &error, progress).map_err(fault)?;
                    job.run_over("failed").map_err(fault)?;
                    job.flush().map_err(fault)?;
                    return Err(error.into());
                }
            }
            job.tick().map_err(fault)?;
        }
    }

    fn stop(&mut self, domain: usize) {
        if let Some(run) = self.running(domain).and_then(|r| r.run.as_mut()) {
            run.stop();
        }
    }

    fn abandon(&mut self, domain: usize) -> Result<(), Fault> {
        let Some(running) = self.running(domain) else { return Ok(()) };
        let Running { job, simulation, run, unmerged, progress, .. } = running;
        (*run, *unmerged) = (None, true);
        progress.finish("failed", simulation.time(), Exit::BadInput.code());
        if !simulation.shown() {
            job.final_frame(0, simulation).map_err(fault)?;
        }
        job.run_over("failed").map_err(fault)?;
        job.flush().map_err(fault)
    }

    fn go_on(&mut self, domain: usize) {
        if let Some(run) = self.running(domain).and_then(|r| r.run.as_mut()) {
            run.go_on();
        }
    }

    fn simulation(&mut self, domain: usize) -> Option<&mut Simulation> {
        self.running(domain).map(|running| &mut running.simulation)
    }

    fn outcome(&mut self, solver: usize) -> &mut Outcome {
        self.outcomes.entry(solver).or_default()
    }

    fn finish(&mut self, exit: Exit) -> Result<(), CliError> {
        let mut told = Vec::new();
        let mut outcome = Ok(());
        for k in 0..self.domains.len() {
            let domain = &self.domains[k];
            let running = domain.running.as_ref();
            told.extend(domain.told.clone().or(running.map(|r| r.job.summary(&domain.name, &r.simulation))));
            if !domain.settled {
                outcome = outcome.and(self.complete(k, exit));
            }
        }
        self.warnings.summary();
        if self.options.common.json {
            let document = json!({"schema": "sf-run/1", "exit": exit.code(), "domains": told});
            write_stdout(format!("{document}\n").as_bytes())?;
        }
        outcome
    }
}

/// Whether two paths are written differently at most.
fn same(one: &Path, other: &Path) -> bool {
    let full = |path: &Path| std::path::absolute(path).map(|path| path.components().collect::<PathBuf>()).ok();
    full(one) == full(other)
}

/// What the members of a solver object will show.
fn note(outcome: &mut Outcome, simulation: &Simulation, report: &solfec::solver::Report) {
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
    let kind = match error.code {
        Exit::Io => FaultKind::System,
        Exit::Numerical => FaultKind::Solver,
        _ => FaultKind::Runtime,
    };
    Fault::new(kind, error.text)
}
