//! Recorded models: each domain is its program, played on it.

use std::path::{Path, PathBuf};

use crate::cli::{write_stdout, CliError, Exit, Record};
use crate::siconos::OnDemand;
use serde_json::{json, Value};
use solfec::load::{Call, NoFunctions, UserFunctions};
use solfec::model::{Model, Op};
use solfec::simulation::{Outside, Simulation};
use solfec::solver::External;
use solfec_formats::checkpoint::{self, Checkpoint};
use solfec_formats::model::ModelFile;
use solfec_formats::results::{self, Condition, Reader, Results};

use super::adapt::{adapt, check_found};
use super::difference::difference;
use super::job::Job;
use super::options::Options;
use super::orders::{heads_of, Order, Orders};
use super::process::Process;
use super::running::{Halt, Over, Running};
use super::status;

/// Results directory of a model that names none.
const DEFAULT_OUTPUT: &str = "sf-out";

/// Runs the whole model. The first process does, and tells the others to play it with it.
pub fn run(mut file: ModelFile, options: &Options, process: &mut Process, record: &Record) -> Result<(), CliError> {
    let mut found = vec![0; options.set_param.len()];
    file.domains.iter_mut().try_for_each(|domain| adapt(domain, options, &mut found))?;
    check_found(options, &found)?;
    let mut told = Vec::new();
    let result = group_by_directory(file, options).into_iter().try_for_each(|(directory, part)| {
        match process.supervisor.ending.get() {
            None => begin(directory, part, options, process, record, &mut told),
            Some(_) => Ok(()),
        }
    });
    process.finish()?;
    let ended = process.supervisor.ending.get();
    let result = result.and(ended.map_or(Ok(()), |ending| Err(CliError::quiet(ending.exit()))));
    let exit = result.as_ref().map_or_else(|error| error.code, |()| Exit::Success);
    if result.as_ref().err().is_none_or(|error| error.text.is_empty()) {
        Orders::new(&process.ranks).give(|| Ok(Order::Leave { exit }))?;
    }
    if options.common.json {
        write_stdout(format!("{}\n", summary(&result, &told)).as_bytes())?;
    }
    result
}

/// What `--json` tells at the end.
pub fn summary(result: &Result<(), CliError>, told: &[Value]) -> Value {
    let exit = result.as_ref().map_or_else(|e| e.code, |()| Exit::Success).code();
    let mut document = json!({"schema": "sf-run/1", "exit": exit, "domains": told});
    if let Some(error) = result.as_ref().err().filter(|e| !e.text.is_empty()) {
        document["error"] = json!({"code": error.name, "exit": exit, "text": error.text});
    }
    document
}

/// Results directories in order of first use, each with its domains: one for all with `-o`, else the models' own paths.
fn group_by_directory(file: ModelFile, options: &Options) -> Vec<(PathBuf, ModelFile)> {
    let ModelFile { domains, provenance } = file;
    let mut groups: Vec<(PathBuf, ModelFile)> = Vec::new();
    for domain in domains {
        let own = if domain.output_path.is_empty() { DEFAULT_OUTPUT } else { &domain.output_path };
        let directory = options.directory().unwrap_or_else(|| options.in_subdir(own.into()));
        match groups.iter_mut().find(|(d, _)| *d == directory) {
            Some((_, part)) => part.domains.push(domain),
            None => groups.push((directory, ModelFile { domains: vec![domain], provenance: provenance.clone() })),
        }
    }
    groups
}

/// Domains of one directory.
pub struct Part {
    pub directory: PathBuf,
    /// The first process has the models, others the heads of them.
    pub file: ModelFile,
    /// Results that are there go on: from this checkpoint, if they have one.
    pub goes_on: bool,
    pub from: Option<Checkpoint>,
}

/// Looks what there is to do for the domains of one directory, and does it.
fn begin(
    directory: PathBuf,
    mut file: ModelFile,
    options: &Options,
    process: &mut Process,
    record: &Record,
    told: &mut Vec<Value>,
) -> Result<(), CliError> {
    let (goes_on, mut from) = (options.go_on && results::exists(&directory), None);
    if options.go_on && !goes_on {
        process.note(&format!("{}: holds no results to go on with; the run begins", directory.display()));
    }
    if !file.domains.iter().flat_map(|d| &d.program).any(|op| matches!(op, Op::Run { .. })) {
        process.note("the model has no RUN: nothing is computed");
    }
    if goes_on {
        from = checkpoint_of(&directory, &mut file, process)?;
        if from.as_ref().is_some_and(|c| finished(&directory, &file, c, options)) {
            process.note(&nothing_to_do(&directory));
            status::tell_done(&directory);
            return Ok(());
        }
    }
    let number = from.as_ref().map(Checkpoint::number);
    let order = || Ok(Order::Play { directory: directory.clone(), heads: heads_of(&file)?, goes_on, from: number });
    Orders::new(&process.ranks).give(order)?;
    play(Part { directory, file, goes_on, from }, options, process, record, told)
}

/// Plays the domains of one directory, on all processes; what was computed before a failure is stored.
pub fn play(
    part: Part,
    options: &Options,
    process: &mut Process,
    record: &Record,
    told: &mut Vec<Value>,
) -> Result<(), CliError> {
    let Part { directory, mut file, goes_on, mut from } = part;
    let (ranks, directory) = (process.ranks.clone(), directory.as_path());
    let mut job = match goes_on {
        true => Job::reopen(directory, &file, from.as_ref(), options, &ranks)?,
        false => Job::start(directory, &file, options, &ranks)?,
    };
    let first = from.as_ref().map_or(0, |c| c.domain);
    let outcome = file.domains.iter_mut().enumerate().skip(first).try_for_each(|(k, domain)| {
        if ranks.of_first(process.supervisor.ending.get().is_some().into()) > 0 {
            return Ok(());
        }
        let running = match &mut from {
            Some(checkpoint) if checkpoint.domain == k => {
                let acted = &domain.program[..acted_at(domain, checkpoint, directory)?];
                let (kinds, comm) = (solfec::body::kinds(), ranks.comm());
                let simulation = Simulation::restore_on_rank(domain, acted, &checkpoint.state, kinds, comm)?;
                checkpoint.state.drop_rows();
                Running::new(k, simulation, options)
            }
            _ => Running::new(k, Simulation::on_rank(domain, solfec::body::kinds(), ranks.comm())?, options),
        };
        // The simulation has what began with it.
        domain.keep_what_comes_later();
        let mut player = Player { job: &mut job, model: domain, running, outside: Nobody::default() };
        let outcome = player.play(process, from.as_ref().filter(|c| c.domain == k));
        let simulation = player.running.simulation;
        job.missed_dumps(&simulation, &mut process.warnings);
        told.push(job.summary(&domain.name, &simulation));
        outcome
    });
    let ended = process.supervisor.ending.get().map(|ending| ending.exit());
    let exit = outcome.as_ref().map_or_else(|e| e.code, |()| ended.unwrap_or(Exit::Success));
    if exit == Exit::Io && ranks.count() > 1 {
        // What cannot be written may be a matter of this process alone: the others are not waited for.
        job.break_off(exit);
        return outcome;
    }
    let finished = job.finish(std::mem::take(&mut file.provenance), record, exit, &mut process.warnings);
    if ended.is_some() && outcome.is_ok() {
        process.tell_ending(directory, job.status.time());
    }
    outcome.and(finished)
}

/// The checkpoint to go on from, after the models have been compared; `None`: from the beginning. The provenance goes
/// on too.
fn checkpoint_of(
    directory: &Path,
    file: &mut ModelFile,
    process: &mut Process,
) -> Result<Option<Checkpoint>, CliError> {
    let place = directory.display();
    let reader = Results::open_partial(directory).map_err(|e| damaged(directory, &e))?;
    require_run(directory, &reader)?;
    let stored = reader.model().map_err(|e| damaged(directory, &e))?;
    if stored.domains.len() > file.domains.len() {
        let text = format!("{place}: has {} domains, the model {}", stored.domains.len(), file.domains.len());
        return Err(CliError::bad_input(text).named("E_MODEL_DIFFERS"));
    }
    for (old, new) in stored.domains.iter().zip(&file.domains) {
        if let Some(what) = difference(old, new) {
            let text = format!(
                "{place}: its model is not the one given: '{}': {what}; use the same model and options as before, or -w to \
                 begin again",
                old.name
            );
            return Err(CliError::bad_input(text).named("E_MODEL_DIFFERS"));
        }
    }
    file.provenance = reader.provenance().map_err(|e| damaged(directory, &e))?;
    let (found, told) = checkpoint::latest(directory)?;
    told.iter().for_each(|text| process.warnings.warn("checkpoint", text));
    if found.is_none() {
        process.note(&format!("{place}: has no checkpoint; the run begins again at time 0"));
    }
    if let Some(checkpoint) = &found {
        let domain = file.domains.get(checkpoint.domain).ok_or_else(|| foreign(directory))?;
        acted_at(domain, checkpoint, directory)?;
    }
    Ok(found)
}

/// Operations of the program of a model that had acted at a checkpoint in `directory`: those up to the RUN it is in.
/// The checkpoint counts rows of the results instead, and a deck that ran live has left a row for every command there,
/// where the program joins insertions, and the tables take in what describes a body before its first RUN.
fn acted_at(model: &Model, checkpoint: &Checkpoint, directory: &Path) -> Result<usize, CliError> {
    let mut runs = model.program.iter().enumerate().filter(|(_, op)| matches!(op, Op::Run { .. }));
    match checkpoint.runs.checked_sub(1) {
        None => Ok(0),
        Some(before) => runs.nth(before as usize).map(|(at, _)| at + 1).ok_or_else(|| foreign(directory)),
    }
}

fn foreign(directory: &Path) -> CliError {
    let text = format!("{}: its checkpoint is not of this model; use -w to begin again", directory.display());
    CliError::bad_input(text).named("E_MODEL_DIFFERS")
}

/// Only the results of a run go on: those of `--pack` and SOLFEC_EXPORT have no state to go on from and would be lost.
pub fn require_run(directory: &Path, results: &Results) -> Result<(), CliError> {
    let domains = 0..results.domains().len();
    let untouched = || results.provenance().is_ok_and(|p| p.runs.is_empty());
    let idle = |k| results.program(k).is_ok_and(|program| program.is_empty());
    let shows = |k| results.frames(k).is_ok_and(|frames| !frames.is_empty());
    if results.is_packed() || (domains.clone().any(shows) && domains.clone().all(idle) && untouched()) {
        let text = format!(
            "{}: holds packed or exported results, which cannot go on; use -c where the run wrote, or -o for another \
             directory",
            directory.display()
        );
        return Err(CliError::exists(text));
    }
    Ok(())
}

/// Results that cannot be read are never taken for absent (C.1).
pub fn damaged(directory: &Path, error: &solfec_formats::Error) -> CliError {
    let text = format!("{error}; the results in {} are damaged; use -w to replace them", directory.display());
    CliError::new(Exit::Io, text).named("E_IO_DAMAGED")
}

/// What `-c` says of results that are complete.
pub fn nothing_to_do(directory: &Path) -> String {
    format!("{}: is finished; nothing to do", directory.display())
}

/// Whether nothing is left to do after the checkpoint.
fn finished(directory: &Path, file: &ModelFile, checkpoint: &Checkpoint, options: &Options) -> bool {
    let last = checkpoint.domain + 1 == file.domains.len();
    let domain = &file.domains[checkpoint.domain];
    let all_acted = acted_at(domain, checkpoint, directory).is_ok_and(|count| count == domain.program.len());
    let over = checkpoint.done && all_acted;
    let further = options.until_from(checkpoint.state.clock.now).is_some_and(|until| until > checkpoint.run_end);
    let whole = || {
        let reader = Reader::open(directory).ok()?;
        let shown = reader.frames(checkpoint.domain).ok()?.step_count.last() == Some(&checkpoint.state.steps);
        Some(shown || options.no_final_frame)
    };
    let completed = || matches!(results::condition_of(directory), Ok(Condition::Finished));
    last && over && !further && completed() && whole() == Some(true)
}

/// A domain under way.
struct Player<'a> {
    job: &'a mut Job,
    model: &'a Model,
    running: Running,
    outside: Nobody,
}

impl Player<'_> {
    /// Plays the program from its beginning, or from a checkpoint.
    fn play(&mut self, process: &mut Process, from: Option<&Checkpoint>) -> Result<(), CliError> {
        let program = &self.model.program;
        let last_run = program.iter().rposition(|op| matches!(op, Op::Run { .. }));
        let mut next = 0;
        if let Some(checkpoint) = from {
            next = acted_at(self.model, checkpoint, self.job.directory())?;
            let begun = program[..next].iter().rposition(|op| matches!(op, Op::Run { .. }));
            let further = begun == last_run && self.running.until.is_some_and(|u| u > checkpoint.run_end);
            if let (Some(at), true) = (begun, !checkpoint.done || further) {
                let Op::Run { solver, .. } = &program[at] else { return Ok(()) };
                self.outside.0.prepare(&solver.settings)?;
                self.running.resume(self.job, solver.clone(), checkpoint.run_end, begun == last_run);
                if self.run(process, begun == last_run)? != Over::Done {
                    return Ok(());
                }
            } else if begun.is_some() {
                self.end(Over::Done, begun == last_run)?;
            }
        }
        for (i, op) in program.iter().enumerate().skip(next) {
            let Op::Run { duration, solver } = op else {
                self.job.play(self.running.domain, &mut self.running.simulation, self.model, op)?;
                continue;
            };
            let last = Some(i) == last_run;
            self.outside.0.prepare(&solver.settings)?;
            self.job.record(self.running.domain, op, self.running.simulation.steps())?;
            self.running.begin(self.job, solver.clone(), *duration, last);
            if self.run(process, last)? != Over::Done {
                break;
            }
        }
        Ok(())
    }

    /// One RUN to its end.
    fn run(&mut self, process: &mut Process, last: bool) -> Result<Over, CliError> {
        loop {
            let halt = self.running.advance(self.job, &mut self.outside, process, &mut |_, _| ());
            let Halt::Over(over) = halt.inspect_err(|_| drop(self.job.end_run(self.running.domain, "failed")))? else {
                continue;
            };
            self.job.cut |= over == Over::Cut;
            self.end(over, last)?;
            return Ok(over);
        }
    }

    /// The last RUN of a job leaves its state.
    fn end(&mut self, over: Over, last: bool) -> Result<(), CliError> {
        let k = self.running.domain;
        let wanted = (last || over != Over::Done) && !self.job.options().no_final_frame;
        if wanted && !self.running.simulation.shown() {
            self.job.frame(k, &mut self.running.simulation)?;
        }
        self.job.end_run(k, &over.reason())
    }
}

/// A recorded model has solvers outside, and no functions.
#[derive(Default)]
struct Nobody(OnDemand);

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
