//! A job: one results directory being filled, and what is told of it.

use std::io::IsTerminal;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use crate::cli::{print_note, CliError, Exit, Progress, Record, StepInfo, Warnings};
use serde_json::{json, Value};
use solfec::frame::{Frame, StepRow};
use solfec::model::{Model, Op, StoredOp};
use solfec::simulation::{Simulation, StepReport, Warning};
use solfec_formats::checkpoint::{self, Checkpoint};
use solfec_formats::fclib;
use solfec_formats::model::{ModelFile, Provenance};
use solfec_formats::results::{self, Writer};

use super::options::Options;
use super::orders::Orders;
use super::ranks::Ranks;
use super::status::Status;
use super::tally::Tally;
use super::timers::{self, all_timers, timers, TIMERS};

/// gzip level of the first OUTPUT that asks for one, and whether any asks for single precision.
fn storage(file: &ModelFile) -> (u8, bool) {
    let wanted = |op: &StoredOp| match op {
        Op::Output { compress, single, .. } => Some((*compress, *single)),
        _ => None,
    };
    let outputs: Vec<(u8, bool)> = file.domains.iter().flat_map(|d| &d.program).filter_map(wanted).collect();
    let level = outputs.iter().map(|(level, _)| *level).find(|&level| level > 0);
    (level.unwrap_or(0), outputs.iter().any(|(_, single)| *single))
}

/// One results directory being filled.
pub struct Job {
    directory: PathBuf,
    options: Options,
    writer: Writer,
    domains: usize,
    /// A domain was cut short: the job goes on from there, so that no checkpoint of a later domain may follow.
    pub cut: bool,
    pub tally: Tally,
    began: Instant,
    /// Seconds in each phase since the last frame.
    pub since_frame: [f64; TIMERS.len()],
    pub progress: Progress,
    pub status: Status,
    ranks: Ranks,
    /// Bodies and contacts of all processes in the last step, where there are several.
    counts: Option<[usize; 2]>,
}

impl Job {
    /// New results; those that are there are an error, or go with `-w`.
    pub fn start(directory: &Path, file: &ModelFile, options: &Options, ranks: &Ranks) -> Result<Self, CliError> {
        if ranks.first() && results::exists(directory) && !options.overwrite {
            return Err(CliError::exists(format!(
                "{}: holds results; use -c to go on with them, -w to replace them or -o for another directory",
                directory.display()
            )));
        }
        let settings = results::Options { rank: ranks.rank(), ..settings(file, options, ranks) };
        let first = |settings| -> Result<_, CliError> {
            let writer = Writer::create(directory, file, settings)?;
            let told = writer.catalogues();
            Ok((writer, told))
        };
        let others = |settings, told: Vec<u8>| {
            let mut writer = Writer::create(directory, file, settings)?;
            writer.take_catalogues(&told)?;
            Ok(writer)
        };
        let orders = Orders::new(ranks);
        let again = settings.clone();
        let writer = orders.first_then_others(|| first(settings), |told| others(again, told))?;
        Ok(Job::around(writer, directory, file, options, ranks))
    }

    /// Results that go on after a checkpoint; from their beginning without one.
    pub fn reopen(
        directory: &Path,
        file: &ModelFile,
        checkpoint: Option<&Checkpoint>,
        options: &Options,
        ranks: &Ranks,
    ) -> Result<Self, CliError> {
        let settings = results::Options { rank: ranks.rank(), ..settings(file, options, ranks) };
        let mut writer = Writer::reopen(directory, file, checkpoint, settings, &|| ranks.wait())?;
        let told = Orders::new(ranks).first_then_others(|| Ok((None, writer.catalogues())), |told| Ok(Some(told)))?;
        told.map_or(Ok(()), |told| writer.take_catalogues(&told))?;
        Ok(Job::around(writer, directory, file, options, ranks))
    }

    fn around(writer: Writer, directory: &Path, file: &ModelFile, options: &Options, ranks: &Ranks) -> Job {
        let verbose = file.domains.first().map_or("ON", |domain| &domain.verbose);
        Job {
            directory: directory.into(),
            options: options.clone(),
            writer,
            domains: file.domains.len(),
            cut: false,
            tally: Tally::default(),
            began: Instant::now(),
            since_frame: Default::default(),
            progress: Progress::of_runs("sf-run", &options.common, verbose, options.interval),
            status: Status::new(directory, options.interval, ranks),
            ranks: ranks.clone(),
            counts: None,
        }
    }

    pub fn directory(&self) -> &Path {
        &self.directory
    }

    pub fn options(&self) -> &Options {
        &self.options
    }

    /// The results are complete. `provenance` is that of the model.
    pub fn finish(
        &mut self,
        mut provenance: Provenance,
        record: &Record,
        exit: Exit,
        warnings: &mut Warnings,
    ) -> Result<(), CliError> {
        provenance.runs.push(record.json(exit));
        let writer = &mut self.writer;
        let written = self.ranks.others_then_first(|| Ok(writer.finish(provenance)?));
        let exit = if written.is_ok() { exit } else { Exit::Io };
        let (status, told) = match exit {
            Exit::Success => ("done", "ok"),
            Exit::Stopped | Exit::Signal(_) | Exit::Requeue => ("stopped", "stopped"),
            Exit::No
            | Exit::Usage
            | Exit::BadInput
            | Exit::Io
            | Exit::Numerical
            | Exit::NeedsLive
            | Exit::Internal
            | Exit::Memory
            | Exit::Passed(_) => ("failed", "failed"),
        };
        self.status.summary = Some(self.tally.json(self.began.elapsed()));
        self.status.write(status);
        self.progress.finish(told, self.status.time(), exit.code());
        if let Some(text) = self.tally.missed().filter(|_| !self.options.common.quiet) {
            warnings.warn("convergence", &text);
        }
        self.summarize(warnings);
        written
    }

    /// The job ends with this error as far as this process is concerned, which waits for no other.
    pub fn break_off(&mut self, exit: Exit) {
        self.status.write("failed");
        self.progress.finish("failed", self.status.time(), exit.code());
    }

    /// What the job did: on a terminal, and with `-v` elsewhere too.
    fn summarize(&self, warnings: &Warnings) {
        let common = &self.options.common;
        let wanted = common.verbose > 0 || std::io::stderr().is_terminal();
        if common.quiet || common.json || self.options.stdout_taken || !wanted {
            return;
        }
        let counts: Vec<(String, usize)> = warnings.counts().into_iter().map(|(k, n)| (k.to_string(), n)).collect();
        if let Some(text) = self.tally.text(&self.directory, self.began.elapsed(), &counts) {
            print_note("sf-run", &text);
        }
    }

    /// Stores the text of the deck beside the results.
    pub fn keep_deck(&self, text: &str) -> Result<(), CliError> {
        let name = self.directory.file_name().unwrap_or_default().to_string_lossy().into_owned();
        let path = self.directory.join(format!("{name}.py"));
        solfec_formats::replace(&path, text.as_bytes()).map_err(|e| CliError::file(&path, "write", &e))
    }

    /// An operation of the program of this model acts and is noted. On all processes; the first one has what it inserts.
    pub fn play(
        &mut self,
        k: usize,
        simulation: &mut Simulation,
        model: &Model,
        op: &StoredOp,
    ) -> Result<(), CliError> {
        simulation.play(model, op)?;
        self.record(k, op, simulation.steps())
    }

    /// An operation acts and is noted.
    pub fn act(&mut self, k: usize, simulation: &mut Simulation, op: &Op) -> Result<(), CliError> {
        simulation.apply(op)?;
        match op.stored() {
            Some(stored) => self.record(k, &stored, simulation.steps()),
            None => Ok(()),
        }
    }

    /// An operation is noted that acted after so many steps.
    pub fn record(&mut self, k: usize, op: &StoredOp, steps: u64) -> Result<(), CliError> {
        Ok(self.writer.record(k, op, steps)?)
    }

    /// The last RUN has another duration than it was noted with.
    pub fn replace_run(&mut self, k: usize, op: &StoredOp) -> Result<(), CliError> {
        Ok(self.writer.replace_run(k, op)?)
    }

    /// Keeps the model, for [`Job::grow`].
    pub fn keep_model(&mut self, file: ModelFile) {
        self.writer.keep_model(file);
    }

    /// An operation acts on the model that is kept.
    pub fn grow(&mut self, k: usize, op: Op) -> Result<(), CliError> {
        Ok(self.writer.grow(k, op)?)
    }

    /// A step was made by `now`.
    pub fn stepped(
        &mut self,
        k: usize,
        simulation: &Simulation,
        report: &StepReport,
        now: Instant,
        warnings: &mut Warnings,
    ) -> Result<(), CliError> {
        let distribution = report.distribution;
        let colours = distribution.map_or(f64::NAN, |of| f64::from(of.colours));
        let [bottom, middle, top, inner] = distribution.map_or([f64::NAN; 4], |of| of.sets.map(|rows| rows as f64));
        let row = StepRow {
            time: report.time,
            h: report.h,
            constraints: report.constraints as u64,
            bodies: report.bodies as u64,
            iterations: report.solver.iterations,
            merit: report.solver.merit,
            error: report.solver.error,
            colours,
            bottom,
            middle,
            top,
            inner,
        };
        self.writer.step(k, row, &all_timers(report), now)?;
        self.tally.step(simulation, report);
        self.counts = (self.ranks.count() > 1).then_some([report.bodies, report.contacts]);
        self.since_frame.iter_mut().zip(timers(&report.phases)).for_each(|(sum, seconds)| *sum += seconds);
        report.repeated.iter().for_each(|(kind, count)| warnings.repeat(kind.name(), *count as usize));
        if !(report.warnings.is_empty() && report.repeated.is_empty()) {
            self.warn(k, simulation, &report.warnings, warnings)?;
        }
        self.status.step(report, now);
        self.progress.step(&StepInfo {
            step: report.step,
            time: report.time,
            h: report.h,
            contacts: report.contacts as u64,
            iterations: report.solver.iterations,
            merit: report.solver.merit,
        });
        Ok(())
    }

    /// Tells warnings of the present time, and notes how many there have been.
    pub fn warn(
        &mut self,
        k: usize,
        simulation: &Simulation,
        told: &[Warning],
        warnings: &mut Warnings,
    ) -> Result<(), CliError> {
        for Warning { kind, text } in told {
            self.progress.clear();
            self.progress.warning(kind.name(), simulation.time(), text);
            warnings.warn(kind.name(), text);
        }
        Ok(self.writer.set_warnings(k, simulation.warnings().clone())?)
    }

    /// Stores the present state as a frame.
    pub fn frame(&mut self, k: usize, simulation: &mut Simulation) -> Result<(), CliError> {
        self.tally.weigh(simulation);
        self.append(k, simulation.take_frame())
    }

    /// Stores a frame.
    pub fn append(&mut self, k: usize, frame: Frame) -> Result<(), CliError> {
        self.progress.frame(frame.index, frame.time);
        self.status.frame();
        self.since_frame = Default::default();
        Ok(self.writer.append(k, frame)?)
    }

    /// Stores the state of domain `k` of all processes, whose present RUN ends at `run_end` or is `done`; how long that
    /// took.
    pub fn checkpoint(
        &mut self,
        k: usize,
        simulation: &mut Simulation,
        run_end: f64,
        done: bool,
    ) -> Result<Duration, CliError> {
        let begun = Instant::now();
        if self.cut {
            return Ok(Duration::ZERO);
        }
        // The state of all processes comes to the first one after they have committed their parts of the frames.
        self.writer.flush()?;
        let Some(state) = simulation.whole_state()? else { return Ok(begun.elapsed()) };
        let counts: Vec<_> = (0..self.domains).map(|k| self.writer.counts(k)).collect();
        let checkpoint = Checkpoint {
            domain: k,
            runs: state.runs,
            run_end,
            done,
            program: counts[k].2,
            frames: counts.iter().map(|c| c.0).collect(),
            steps: counts.iter().map(|c| c.1).collect(),
            state,
        };
        checkpoint::write(&self.directory, &checkpoint, self.options.keep)?;
        self.progress.checkpoint(simulation.time());
        self.status.checkpoint(simulation.time());
        Ok(begun.elapsed())
    }

    /// Commits what waits if it is time to.
    pub fn tick(&mut self, now: Instant) -> Result<(), CliError> {
        self.writer.tick(now)?;
        Ok(())
    }

    /// Everything given so far can be read.
    pub fn flush(&mut self) -> Result<(), CliError> {
        Ok(self.writer.flush()?)
    }

    /// A RUN is over; operations may follow before [`Job::end_run`].
    pub fn run_over(&mut self, k: usize, reason: &str) -> Result<(), CliError> {
        Ok(self.writer.run_over(k, reason)?)
    }

    /// The end of a RUN: its segments are merged.
    pub fn end_run(&mut self, k: usize, reason: &str) -> Result<(), CliError> {
        Ok(self.writer.end_run(k, reason)?)
    }

    /// The same of the last RUN, before [`Job::finish`].
    pub fn end_last_run(&mut self, k: usize, reason: &str) -> Result<(), CliError> {
        Ok(self.writer.end_last_run(k, reason)?)
    }

    /// Asks for the local dynamics of the steps that are wanted.
    pub fn want_dumps(&self, simulation: &mut Simulation) {
        simulation.keep_local_dynamics(self.options.dump_locdyn.iter().map(|(step, _)| *step).collect());
    }

    /// Writes the local dynamics of the step that was just made, if they are wanted.
    pub fn dump(&self, simulation: &mut Simulation) -> Result<(), CliError> {
        let Some(kept) = simulation.kept_local_dynamics().filter(|_| self.ranks.first()) else { return Ok(()) };
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

    /// What `--json` tells of a domain.
    pub fn summary(&self, name: &str, simulation: &Simulation) -> Value {
        let here = || [simulation.bodies().len(), simulation.contacts().len()];
        let [bodies, contacts] = self.counts.unwrap_or_else(here);
        json!({
            "name": name,
            "results": self.directory,
            "time": simulation.time(),
            "steps": simulation.steps(),
            "bodies": bodies,
            "contacts": contacts,
            "missed_steps": self.tally.missed,
        })
    }
}

fn settings(file: &ModelFile, options: &Options, ranks: &Ranks) -> results::Options {
    let (compress, single) = storage(file);
    results::Options {
        overwrite: options.overwrite,
        compress: options.compress.unwrap_or(compress),
        single: options.single || single,
        phases: timers::names(ranks.count()),
        provenance: file.provenance.clone(),
        ..results::Options::default()
    }
}
