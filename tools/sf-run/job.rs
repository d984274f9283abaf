//! The job: each domain of the model through its program, frames to the results, progress to the terminal.

use std::path::{Path, PathBuf};

use serde_json::{json, Value};
use solfec::model::{Failure, Model, Op, SolverSettings};
use solfec::query::{Frame, StepRow};
use solfec::simulation::{Moment, Phases, Run, Simulation, StepReport};
use solfec::solver::Status;
use solfec_formats::fclib;
use solfec_formats::model::{self, ModelFile, Provenance};
use solfec_formats::results::{self, Writer};
use solfec_tools::cli::{
    read_hdf5_stdin, require_exists, write_stdout, CliError, Exit, Progress, Record, StepInfo, Warnings,
};

use crate::live::{self, Nobody};
use crate::options::{OnNonconvergence, Options};

/// Results directory of a model that names none.
const DEFAULT_OUTPUT: &str = "sf-out";
/// Names of the timers in the results, in the order of [`timers`].
pub const TIMERS: [&str; 4] = ["TIMINT", "CONDET", "LOCDYN", "CONSOL"];

pub fn timers(phases: &Phases) -> [f64; 4] {
    [phases.integration, phases.detection, phases.local_dynamics, phases.solution]
}

/// Runs the whole model.
pub fn run(options: &Options, threads: usize) -> Result<(), CliError> {
    if let Some(path) = options.model.as_deref().filter(|p| p.extension().is_some_and(|e| e == "py")) {
        require_exists(path)?;
        return live::run(path, options, threads);
    }
    let record = Record::begin("sf-run", threads);
    if let [first, ..] = &options.args[..] {
        return Err(CliError::usage(format!("'{first}': arguments after -- are for decks, and this is a model")));
    }
    let mut file = read_model(options.model.as_deref())?;
    if file.provenance.requires_live {
        let text = "this model needs functions of its deck, which a model file does not hold; use: sf-run deck.py";
        return Err(CliError::new(Exit::NeedsLive, text));
    }
    file.domains.iter_mut().for_each(|domain| adapt(domain, options));
    let mut told = Vec::new();
    let mut warnings = Warnings::new("sf-run");
    let result = group_by_directory(&file, options).into_iter().try_for_each(|(directory, domains)| {
        let part = ModelFile {
            domains: domains.iter().map(|&k| file.domains[k].clone()).collect(),
            provenance: file.provenance.clone(),
        };
        Job::start(&directory, part, options)?.run(&record, &mut warnings, &mut told)
    });
    warnings.summary();
    if options.common.json {
        let exit = result.as_ref().map_or_else(|e| e.code, |()| Exit::Success).code();
        let document = json!({"schema": "sf-run/1", "exit": exit, "domains": told});
        write_stdout(format!("{document}\n").as_bytes())?;
    }
    result
}

/// What the command line changes of a domain.
pub fn adapt(domain: &mut Model, options: &Options) {
    for name in &options.common.compat {
        if !domain.compat.contains(name) {
            domain.compat.push(name.clone());
        }
    }
    domain.settings.step_recovery |= options.step_recovery;
    for op in &mut domain.program {
        if let Op::Run { solver, .. } = op {
            adapt_solver(solver, options);
        }
    }
}

/// What the command line changes of a solver.
pub fn adapt_solver(solver: &mut SolverSettings, options: &Options) {
    if let (SolverSettings::GaussSeidel(solver), Some(action)) = (solver, options.on_nonconvergence) {
        solver.failure = match action {
            OnNonconvergence::Warn => Failure::Continue,
            OnNonconvergence::Stop => Failure::Exit,
        };
    }
}

fn read_model(path: Option<&Path>) -> Result<ModelFile, CliError> {
    match path {
        Some(path) if path != Path::new("-") => {
            require_exists(path)?;
            if path.is_dir() {
                return Err(CliError::usage(format!(
                    "{}: is a directory; give a model file of sf-build (results hold theirs as NAME.sfm.h5)",
                    path.display()
                )));
            }
            Ok(model::read_file(path)?)
        }
        _ => Ok(model::from_bytes(read_hdf5_stdin()?, "standard input")?),
    }
}

/// Results directories in order of first use, each with its domains: one for all with `-o`, else the models' own paths.
fn group_by_directory(file: &ModelFile, options: &Options) -> Vec<(PathBuf, Vec<usize>)> {
    let mut groups: Vec<(PathBuf, Vec<usize>)> = Vec::new();
    for (k, domain) in file.domains.iter().enumerate() {
        let own = if domain.output_path.is_empty() { DEFAULT_OUTPUT } else { &domain.output_path };
        let mut directory = options.output.clone().unwrap_or_else(|| own.into());
        if let Some(sub) = &options.subdir {
            directory.push(sub);
        }
        match groups.iter_mut().find(|(d, _)| *d == directory) {
            Some((_, domains)) => domains.push(k),
            None => groups.push((directory, vec![k])),
        }
    }
    groups
}

/// gzip level of the first OUTPUT that asks for one.
fn compression(file: &ModelFile) -> u8 {
    let level = |op: &Op| if let Op::Output { compress, .. } = op { *compress } else { 0 };
    file.domains.iter().flat_map(|d| &d.program).map(level).find(|&level| level > 0).unwrap_or(0)
}

/// One results directory being filled.
pub struct Job {
    directory: PathBuf,
    file: ModelFile,
    options: Options,
    writer: Writer,
    missed: Missed,
}

/// Steps whose solve did not converge, for the line at the end.
#[derive(Default)]
struct Missed {
    steps: u64,
    of: u64,
    worst: f64,
    worst_time: f64,
}

impl Missed {
    fn count(&mut self, report: &StepReport) {
        self.of += 1;
        if report.solver.status != Status::Converged {
            self.steps += 1;
            if report.solver.error > self.worst {
                (self.worst, self.worst_time) = (report.solver.error, report.time);
            }
        }
    }
}

impl Job {
    pub fn start(directory: &Path, file: ModelFile, options: &Options) -> Result<Self, CliError> {
        if results::exists(directory) && !options.overwrite {
            return Err(CliError::new(
                Exit::Io,
                format!("{}: holds results; use -w to replace them or -o for another directory", directory.display()),
            ));
        }
        let settings = results::Options {
            overwrite: options.overwrite,
            compress: compression(&file),
            phases: TIMERS.map(String::from).to_vec(),
            provenance: file.provenance.clone(),
        };
        let writer = Writer::create(directory, &file, settings)?;
        Ok(Job { directory: directory.into(), file, options: options.clone(), writer, missed: Missed::default() })
    }

    /// Runs all domains; what was computed before a failure is stored.
    fn run(mut self, record: &Record, warnings: &mut Warnings, told: &mut Vec<Value>) -> Result<(), CliError> {
        let domains = std::mem::take(&mut self.file.domains);
        let outcome = domains.iter().enumerate().try_for_each(|(k, domain)| {
            let mut simulation = Simulation::new(domain)?;
            let outcome = self.domain(k, domain, &mut simulation, warnings);
            self.missed_dumps(&simulation, warnings);
            told.push(self.summary(&domain.name, &simulation));
            outcome
        });
        let exit = outcome.as_ref().map_or_else(|e| e.code, |()| Exit::Success);
        let provenance = std::mem::take(&mut self.file.provenance);
        self.finish(provenance, record, exit, warnings)?;
        outcome
    }

    /// The results are complete.
    pub fn finish(
        &mut self,
        mut provenance: Provenance,
        record: &Record,
        exit: Exit,
        warnings: &mut Warnings,
    ) -> Result<(), CliError> {
        provenance.runs.push(record.json(exit));
        self.writer.finish(provenance)?;
        if self.missed.steps > 0 && !self.options.common.quiet {
            let Missed { steps, of, worst, worst_time } = self.missed;
            let text = format!(
                "{steps} of {of} steps missed the tolerance of the solver, worst {worst:.2e} at t={worst_time:.6}"
            );
            warnings.warn("convergence", &text);
        }
        Ok(())
    }

    /// Stores the text of the deck beside the results.
    pub fn keep_deck(&self, text: &str) -> Result<(), CliError> {
        let name = self.directory.file_name().unwrap_or_default().to_string_lossy().into_owned();
        let path = self.directory.join(format!("{name}.py"));
        std::fs::write(&path, text).map_err(|e| CliError::file(&path, "write", &e))
    }

    /// An operation acts and is noted.
    pub fn act(&mut self, k: usize, model: &Model, simulation: &mut Simulation, op: &Op) -> Result<(), CliError> {
        simulation.apply(model, op)?;
        Ok(self.writer.record(k, op, simulation.steps())?)
    }

    /// The model has grown.
    pub fn grow(&mut self, file: ModelFile) -> Result<(), CliError> {
        Ok(self.writer.set_model(&file)?)
    }

    /// A RUN begins, after so many steps.
    pub fn record(&mut self, op: &Op, steps: u64) -> Result<(), CliError> {
        Ok(self.writer.record(0, op, steps)?)
    }

    /// Asks for the local dynamics of the steps that are wanted.
    pub fn want_dumps(&self, simulation: &mut Simulation) {
        simulation.keep_local_dynamics(self.options.dump_locdyn.iter().map(|(step, _)| *step).collect());
    }

    /// Writes the local dynamics of the step that was just made, if they are wanted.
    pub fn dump(&self, simulation: &mut Simulation) -> Result<(), CliError> {
        let Some(kept) = simulation.kept_local_dynamics() else { return Ok(()) };
        let wanted = self.options.dump_locdyn.iter().filter(|(step, _)| *step == simulation.steps());
        wanted.into_iter().try_for_each(|(_, path)| Ok(fclib::write(path, &kept, &[])?))
    }

    /// Dumps that no step was made for.
    pub fn missed_dumps(&self, simulation: &Simulation, warnings: &mut Warnings) {
        for (step, path) in self.options.dump_locdyn.iter().filter(|(step, _)| *step > simulation.steps()) {
            let text =
                format!("--dump-locdyn {step}:{}: the run ended after step {}", path.display(), simulation.steps());
            warnings.warn("dump", &text);
        }
    }

    /// Stores a frame that is due.
    pub fn frame(&mut self, k: usize, simulation: &mut Simulation, progress: &mut Progress) -> Result<(), CliError> {
        let frame = simulation.take_frame();
        progress.frame(frame.index, frame.time);
        Ok(self.writer.append(k, frame)?)
    }

    /// Stores a frame that was taken before.
    pub fn append(&mut self, k: usize, frame: Frame) -> Result<(), CliError> {
        Ok(self.writer.append(k, frame)?)
    }

    /// Stores the state at the end of the last RUN.
    pub fn final_frame(&mut self, k: usize, simulation: &mut Simulation) -> Result<(), CliError> {
        Ok(self.writer.append(k, simulation.take_frame())?)
    }

    /// A run broke off: its last complete step is stored.
    pub fn failed(
        &mut self,
        k: usize,
        simulation: &mut Simulation,
        error: &solfec::Error,
        progress: &mut Progress,
    ) -> Result<(), CliError> {
        progress.finish("failed", simulation.time(), CliError::from(error.clone()).code.code());
        if !matches!(error, solfec::Error::NotFinite(_)) && !simulation.shown() {
            self.writer.append(k, simulation.take_frame())?;
        }
        Ok(())
    }

    pub fn tick(&mut self) -> Result<(), CliError> {
        self.writer.tick()?;
        Ok(())
    }

    /// Everything given so far can be read.
    pub fn flush(&mut self) -> Result<(), CliError> {
        Ok(self.writer.flush()?)
    }

    /// A RUN is over, for this reason; operations that follow are not of it.
    pub fn run_over(&mut self, reason: &str) -> Result<(), CliError> {
        Ok(self.writer.run_over(0, reason)?)
    }

    /// The end of a RUN: its segments are merged.
    pub fn end_run(&mut self) -> Result<(), CliError> {
        Ok(self.writer.end_run(0, "done")?)
    }

    /// What `--json` tells of a domain.
    pub fn summary(&self, name: &str, simulation: &Simulation) -> Value {
        json!({
            "name": name,
            "results": self.directory,
            "time": simulation.time(),
            "steps": simulation.steps(),
            "bodies": simulation.bodies().len(),
            "contacts": simulation.contacts().len(),
            "missed_steps": self.missed.steps,
        })
    }

    /// The program of one domain.
    fn domain(
        &mut self,
        k: usize,
        model: &Model,
        simulation: &mut Simulation,
        warnings: &mut Warnings,
    ) -> Result<(), CliError> {
        if let Some(interval) = self.options.output_interval {
            simulation.apply(model, &Op::Output { interval, compress: 0 })?;
        }
        let last_run = model.program.iter().rposition(|op| matches!(op, Op::Run { .. }));
        let mut progress = Progress::new("sf-run", &self.options.common, 0.0, self.end_of(model));
        for (i, op) in model.program.iter().enumerate() {
            let keep_interval = self.options.output_interval.is_some() && matches!(op, Op::Output { .. });
            match op {
                Op::Run { duration, solver } => {
                    let last = Some(i) == last_run;
                    let duration = self.duration(*duration, simulation.time(), last);
                    self.writer.record(k, op, simulation.steps())?;
                    self.advance(k, simulation, solver, duration, &mut progress, warnings)?;
                    if last && !self.options.no_final_frame && !simulation.shown() {
                        self.writer.append(k, simulation.take_frame())?;
                    }
                    self.writer.end_run(k, "done")?;
                }
                _ if keep_interval => {}
                op => self.act(k, model, simulation, op)?,
            }
        }
        progress.finish("ok", simulation.time(), Exit::Success.code());
        Ok(())
    }

    /// Time at which the program ends, for the estimate of the time left.
    fn end_of(&self, model: &Model) -> f64 {
        let recorded: f64 =
            model.program.iter().map(|op| if let Op::Run { duration, .. } = op { *duration } else { 0.0 }).sum();
        let end = self.options.until.unwrap_or(recorded);
        self.options.steps.map_or(end, |n| end.min(n as f64 * model.step))
    }

    /// `--until` cuts every run short at its time and extends the last one to it.
    fn duration(&self, recorded: f64, now: f64, last: bool) -> f64 {
        match self.options.until {
            Some(until) if last => until - now,
            Some(until) => recorded.min(until - now),
            None => recorded,
        }
    }

    /// One RUN.
    fn advance(
        &mut self,
        k: usize,
        simulation: &mut Simulation,
        solver: &SolverSettings,
        duration: f64,
        progress: &mut Progress,
        warnings: &mut Warnings,
    ) -> Result<(), CliError> {
        self.want_dumps(simulation);
        let mut run = Run::new(simulation, solver.clone(), duration);
        let mut outside = Nobody::default();
        outside.0.prepare(solver)?;
        loop {
            let enough = self.options.steps.is_some_and(|n| simulation.steps() >= n);
            if enough {
                run.stop();
            }
            match run.advance(simulation, &mut outside) {
                Ok(Moment::Stepped(report)) => {
                    self.stepped(k, &report, progress, warnings)?;
                    self.dump(simulation)?;
                }
                Ok(Moment::Frame) => self.frame(k, simulation, progress)?,
                Ok(Moment::Callback(_) | Moment::SolverFailed(_)) => {}
                Ok(Moment::Done) => return Ok(()),
                Err(error) => {
                    self.failed(k, simulation, &error, progress)?;
                    return Err(error.into());
                }
            }
            self.writer.tick()?;
        }
    }

    pub fn stepped(
        &mut self,
        k: usize,
        report: &StepReport,
        progress: &mut Progress,
        warnings: &mut Warnings,
    ) -> Result<(), CliError> {
        let row = StepRow {
            time: report.time,
            h: report.h,
            constraints: report.constraints as u64,
            bodies: report.bodies as u64,
            iterations: report.solver.iterations,
            merit: report.solver.merit,
            error: report.solver.error,
        };
        self.writer.step(k, row, &timers(&report.phases))?;
        self.missed.count(report);
        for (kind, text) in &report.warnings {
            progress.clear();
            progress.warning(kind, report.time);
            warnings.warn(kind, text);
        }
        progress.step(&StepInfo {
            step: report.step,
            time: report.time,
            h: report.h,
            contacts: report.contacts as u64,
            iterations: report.solver.iterations,
            merit: report.solver.merit,
        });
        Ok(())
    }
}
