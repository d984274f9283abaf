//! A simulation as it runs: the one loop over steps, for recorded models and for decks.

use std::time::{Duration, Instant};

use crate::cli::{CliError, Exit};
use solfec::math::awake;
use solfec::model::Solver;
use solfec::simulation::{Moment, OnFailure, Outside, Run, Simulation, StepReport, Warning};

use super::job::Job;
use super::options::Options;
use super::process::Process;
use super::supervisor::{Ending, Order};

/// Contacts for which another thread is kept awake from one parallel loop to the next, and for how long at once.
const MANY: usize = 128;
const WHILE: Duration = Duration::from_millis(20);

/// Why the loop comes back.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Halt {
    /// This function of the deck is due.
    Callback(u32),
    /// A solve failed; this function says whether to go on.
    SolverFailed(u32),
    /// The RUN is over.
    Over(Over),
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Over {
    /// Its duration has passed, or a callback ended it.
    Done,
    /// `--until` or `--steps` ended it.
    Cut,
    Ended(Ending),
}

impl Over {
    /// For `runs/reason` of the results.
    pub fn reason(self) -> String {
        match self {
            Over::Done => "done".into(),
            Over::Cut => "cut short".into(),
            Over::Ended(ending) => ending.reason(),
        }
    }
}

/// One domain of a job.
pub struct Running {
    /// Which.
    pub domain: usize,
    pub simulation: Simulation,
    /// Time that `--until` or `--duration` names [s].
    pub until: Option<f64>,
    run: Option<Active>,
}

/// A RUN under way.
struct Active {
    run: Run,
    /// Time at which it ends if nothing cuts it short [s].
    end: f64,
    /// `--until` cuts it short.
    cut: bool,
    /// A callback has ended it.
    stopped: bool,
}

impl Running {
    pub fn new(domain: usize, mut simulation: Simulation, options: &Options) -> Running {
        if options.deterministic {
            simulation.reproduce();
        }
        let until = options.until_from(simulation.time());
        Running { domain, simulation, until, run: None }
    }

    /// Whether a RUN is under way.
    pub fn runs(&self) -> bool {
        self.run.is_some()
    }

    /// RUN(duration) from now on. `last`: `--until` extends it too.
    pub fn begin(&mut self, job: &mut Job, solver: Solver, duration: f64, last: bool) {
        let now = self.simulation.time();
        let full = now + duration;
        let (duration, end) = match self.until {
            Some(until) if last => (until - now, until.max(full)),
            Some(until) => (duration.min(until - now), full),
            None => (duration, full),
        };
        let run = Run::new(&mut self.simulation, solver, duration);
        self.take_up(job, run, end);
    }

    /// A RUN goes on until `end` [s] after a restart.
    pub fn resume(&mut self, job: &mut Job, solver: Solver, end: f64, last: bool) {
        let (now_end, end) = match self.until {
            Some(until) if last => (until, until.max(end)),
            Some(until) => (end.min(until), end),
            None => (end, end),
        };
        self.take_up(job, Run::resume(solver, now_end), end);
    }

    fn take_up(&mut self, job: &mut Job, run: Run, end: f64) {
        job.want_dumps(&mut self.simulation);
        self.simulation.set_on_failure(job.options().on_nonconvergence.map_or(OnFailure::AsSolver, OnFailure::from));
        let now = self.simulation.time();
        let limit = job.options().steps.map_or(f64::INFINITY, |n| {
            now + n.saturating_sub(self.simulation.steps()) as f64 * self.simulation.step_length()
        });
        job.tally.begin(&self.simulation);
        job.progress.begin(now, run.end().min(limit));
        job.status.begin(now, run.end().min(limit));
        let cut = run.end() < end - 1e-9 * self.simulation.step_length();
        self.run = Some(Active { run, end, cut, stopped: false });
    }

    /// Makes steps until somebody else has to do something. `note` is told of every step.
    ///
    /// # Errors
    /// The RUN is over then: of the step, or of what cannot be written.
    pub fn advance(
        &mut self,
        job: &mut Job,
        outside: &mut dyn Outside,
        process: &mut Process,
        note: &mut dyn FnMut(&Simulation, &StepReport),
    ) -> Result<Halt, CliError> {
        process.supervisor.at_work(true);
        let halt = self.steps(job, outside, process, note);
        // A signal that comes while the deck's function is called is seen before the next step.
        if !matches!(halt, Ok(Halt::Callback(_) | Halt::SolverFailed(_))) {
            process.supervisor.at_work(false);
            self.run = None;
            // An error may be of this process alone, and energies are summed over all.
            if halt.is_ok() || process.ranks.count() == 1 {
                job.tally.weigh(&self.simulation);
            }
            job.progress.end();
        }
        halt
    }

    fn steps(
        &mut self,
        job: &mut Job,
        outside: &mut dyn Outside,
        process: &mut Process,
        note: &mut dyn FnMut(&Simulation, &StepReport),
    ) -> Result<Halt, CliError> {
        loop {
            let others = self.simulation.contacts().len() / MANY;
            if let Some(halt) = awake(others, || self.some_steps(job, outside, process, note))? {
                return Ok(halt);
            }
        }
    }

    /// Steps of a while; `None` if nothing has ended them.
    fn some_steps(
        &mut self,
        job: &mut Job,
        outside: &mut dyn Outside,
        process: &mut Process,
        note: &mut dyn FnMut(&Simulation, &StepReport),
    ) -> Result<Option<Halt>, CliError> {
        let Running { domain, simulation, run, .. } = self;
        let Some(active) = run else { return Ok(Some(Halt::Over(Over::Done))) };
        let limit = job.options().steps;
        let mut now = Instant::now();
        let begin = now;
        while now - begin < WHILE {
            if active.run.at_rest() {
                let enough = limit.is_some_and(|n| simulation.steps() >= n);
                let order = process.supervisor.order(job.directory(), now, &process.ranks)?;
                match order {
                    _ if enough && !matches!(order, Order::End(_)) => {
                        save(job, *domain, simulation, active.end, process)?;
                        return Ok(Some(Halt::Over(Over::Cut)));
                    }
                    Order::GoOn => {}
                    Order::Frame if simulation.shown() => {}
                    Order::Frame => job.frame(*domain, simulation)?,
                    Order::Checkpoint => save(job, *domain, simulation, active.end, process)?,
                    Order::End(ending) => {
                        save(job, *domain, simulation, active.end, process)?;
                        return Ok(Some(Halt::Over(Over::Ended(ending))));
                    }
                }
            }
            let moment = active.run.advance(simulation, outside);
            now = Instant::now();
            match moment {
                Ok(Moment::Stepped(report)) => {
                    note(simulation, &report);
                    job.stepped(*domain, simulation, &report, now, &mut process.warnings)?;
                    if let Some(trace) = &mut process.trace {
                        trace.step(job.directory(), *domain, &report)?;
                    }
                    job.dump(simulation)?;
                    // The first process tells the warnings of all.
                    let warnings = report.warnings.len() as u32;
                    if job.options().strict && process.ranks.of_first(warnings) > 0 {
                        if !simulation.shown() {
                            job.frame(*domain, simulation)?;
                        }
                        let elsewhere = || CliError::quiet(Exit::BadInput);
                        return Err(report.warnings.first().map_or_else(elsewhere, strict));
                    }
                }
                Ok(Moment::Frame) => job.frame(*domain, simulation)?,
                Ok(Moment::Callback(function)) => return Ok(Some(Halt::Callback(function))),
                Ok(Moment::SolverFailed(function)) => return Ok(Some(Halt::SolverFailed(function))),
                Ok(Moment::Done) => {
                    let over = if active.cut && !active.stopped { Over::Cut } else { Over::Done };
                    if over == Over::Done {
                        let told = simulation.warn_of_footing()?;
                        job.warn(*domain, simulation, &told, &mut process.warnings)?;
                        job.run_over(*domain, "done")?;
                    }
                    let cost = job.checkpoint(*domain, simulation, active.end, over == Over::Done)?;
                    process.supervisor.saved(cost);
                    return Ok(Some(Halt::Over(over)));
                }
                Err(error) => {
                    if !matches!(error, solfec::Error::NotFinite(_)) && !simulation.shown() {
                        job.frame(*domain, simulation)?;
                    }
                    return Err(error.into());
                }
            }
            job.tick(now)?;
        }
        Ok(None)
    }

    /// The RUN makes no further step.
    pub fn stop(&mut self) {
        if let Some(active) = &mut self.run {
            active.run.stop();
            active.stopped = true;
        }
    }

    /// The RUN goes on in spite of a failed solve.
    pub fn go_on(&mut self) {
        if let Some(active) = &mut self.run {
            active.run.go_on();
        }
    }

    /// The RUN is over because a function of the deck failed.
    pub fn abandon(&mut self, job: &mut Job) -> Result<(), CliError> {
        self.run = None;
        job.progress.end();
        if !self.simulation.shown() {
            job.frame(self.domain, &mut self.simulation)?;
        }
        job.flush()
    }
}

/// The error that `--strict` makes of a warning.
fn strict(warning: &Warning) -> CliError {
    let kind = warning.kind.name();
    CliError::bad_input(format!("{}; --strict makes this warning ('{kind}') an error", warning.text)).named("E_WARNING")
}

/// A checkpoint in the middle of a RUN that ends at `end`.
fn save(
    job: &mut Job,
    domain: usize,
    simulation: &mut Simulation,
    end: f64,
    process: &mut Process,
) -> Result<(), CliError> {
    let cost = job.checkpoint(domain, simulation, end, false)?;
    process.supervisor.saved(cost);
    Ok(())
}
