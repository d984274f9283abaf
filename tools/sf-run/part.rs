//! What every process does with its part of the SOLFEC objects of a deck. The first one does it because the deck says
//! so, the others because the first one tells them ([`super::follow`]).

use solfec::load::{Call, UserFunctions};
use solfec::model::{Op, Solver, StoredOp};
use solfec::simulation::{Outside, Simulation};
use solfec::solver::External;
use solfec_formats::model::ModelFile;

use super::adapt::adapt_output;
use super::job::Job;
use super::live::Live;
use super::object::{Domain, Started};
use super::orders::Restored;
use super::running::{Halt, Over, Running};
use super::together::look;
use crate::cli::CliError;
use crate::deck::engine::{Outcome, Samples};
use crate::siconos::OnDemand;

/// A RUN that begins.
pub struct Beginning {
    pub duration: f64,
    pub solver: Solver,
    /// It goes on after a restart.
    pub resume: bool,
    /// The model that is kept does not have it yet.
    pub grow: bool,
}

impl Live {
    /// The first RUN is about to begin: results begin, and what the deck did so far acts.
    pub(super) fn start_here(&mut self, domain: usize, file: ModelFile) -> Result<(), CliError> {
        let Domain { directory, goes_on, .. } = &self.domains[domain];
        let ranks = &self.process.ranks;
        let job = if *goes_on {
            Job::reopen(directory, &file, None, &self.options, ranks)
        } else {
            Job::start(directory, &file, &self.options, ranks)
        };
        let keep = |job: Job| if ranks.first() { job.keep_deck(&self.deck).map(|()| job) } else { Ok(job) };
        let mut job = self.orders.outcome(job.and_then(keep))?;
        let model = &file.domains[0];
        let mut simulation = Simulation::on_rank(model, solfec::body::kinds(), ranks.comm())?;
        for op in &model.program[..model.program.len().saturating_sub(1)] {
            job.play(0, &mut simulation, model, op)?;
        }
        job.keep_model(file);
        let running = Running::new(0, simulation, &self.options);
        self.domains[domain].started = Some(Started::new(job, running));
        Ok(())
    }

    /// The state of the checkpoint comes back.
    pub(super) fn restore_here(
        &mut self,
        domain: usize,
        file: ModelFile,
        program: &[StoredOp],
        done: Restored,
    ) -> Result<(), CliError> {
        let of = &mut self.domains[domain];
        let duration = |op: &StoredOp| if let Op::Run { duration, .. } = op { Some(*duration) } else { None };
        of.stored_duration = program.iter().rev().find_map(duration).unwrap_or(0.0);
        let Some(from) = &of.from else { return Err(CliError::bad_input("there is no checkpoint")) };
        let (kinds, ranks) = (solfec::body::kinds(), &self.process.ranks);
        let simulation = Simulation::restore_on_rank(&file.domains[0], program, &from.state, kinds, ranks.comm())?;
        let mut job = Job::reopen(&of.directory, &file, Some(from), &self.options, ranks)?;
        if done == Restored::GoesOn {
            job.keep_model(file);
        }
        let mut started = Started::new(job, Running::new(0, simulation, &self.options));
        let shown = match done {
            Restored::Ends { last } => !last,
            Restored::GoesOn if from.done => {
                started.unmerged = Some("done".into());
                started.running.simulation.shown()
            }
            Restored::GoesOn => true,
        };
        started.last = (!shown).then(|| started.running.simulation.view());
        of.started = Some(started);
        // The simulation has them.
        of.from.iter_mut().for_each(|from| from.state.drop_rows());
        Ok(())
    }

    /// An operation acts.
    pub(super) fn apply_here(&mut self, domain: usize, mut op: Op) -> Result<(), CliError> {
        let keep_interval = self.options.output_interval.is_some() && matches!(op, Op::Output { .. });
        let Some(started) = self.started(domain) else { return Ok(()) };
        if keep_interval {
            return Ok(());
        }
        let Started { job, running, .. } = started;
        job.act(0, &mut running.simulation, &op)?;
        adapt_output(&mut op, job.options());
        job.grow(0, op)
    }

    /// Everything from the first RUN on, up to the first step of this one.
    pub(super) fn begin_here(&mut self, domain: usize, run: Beginning) -> Result<(), CliError> {
        let Beginning { duration, solver, resume, grow } = run;
        self.siconos.prepare(&solver.settings)?;
        let Domain { from, stored_duration, .. } = &self.domains[domain];
        // A deck may ask for another duration than the RUN had.
        let longer = duration - stored_duration;
        let resumed = from.as_ref().map(|from| from.run_end + longer);
        let Some(started) = self.started(domain) else { return Ok(()) };
        let Started { job, running, .. } = started;
        if grow {
            job.grow(0, Op::Run { duration, solver: solver.clone() })?;
        }
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
        let stored = Op::Run { duration, solver: solver.clone() };
        if let (true, Some(end)) = (resume, resumed) {
            if longer != 0.0 {
                job.replace_run(0, &stored)?;
            }
            running.resume(job, solver, end, false);
            started.unmerged = None;
            return Ok(());
        }
        if let Some(reason) = started.unmerged.take() {
            job.end_run(0, &reason)?;
        }
        job.record(0, &stored, running.simulation.steps())?;
        running.begin(job, solver, duration, false);
        Ok(())
    }

    /// Makes steps until the deck is needed, or the RUN is over.
    pub(super) fn advance_here(
        &mut self,
        domain: usize,
        functions: &mut dyn UserFunctions,
        looks: &mut dyn Samples,
    ) -> Result<Halt, CliError> {
        let Live { domains, outcomes, process, siconos, failure, .. } = self;
        let (bodies, ranks) = (looks.bodies(), process.ranks.clone());
        let mut samples = |simulation: &Simulation| look(simulation, &bodies, looks, &ranks);
        let started = domains.get_mut(domain).and_then(|domain| domain.started.as_mut());
        let Some(started) = started else { return Ok(Halt::Over(Over::Done)) };
        let Started { job, running, object, unmerged, last, cut, lost } = started;
        let mut outside = StepOutside { functions, siconos };
        samples(&running.simulation);
        let mut note = |simulation: &Simulation, report: &solfec::simulation::StepReport| {
            samples(simulation);
            if let Some(object) = object {
                outcome_of(outcomes.entry(*object).or_default(), simulation, &report.solver);
            }
        };
        let over = match running.advance(job, &mut outside, process, &mut note) {
            Ok(Halt::Over(over)) => over,
            Ok(halt) => return Ok(halt),
            Err(error) => {
                *unmerged = Some("failed".into());
                *lost = error.name == "E_NOT_FINITE";
                *failure = Some(error.clone());
                // What cannot be stored now is told at the end of the deck; the failure comes first.
                let _ = job.flush();
                return Err(error);
            }
        };
        job.run_over(0, &over.reason())?;
        *last = (!running.simulation.shown()).then(|| running.simulation.view());
        *unmerged = Some(over.reason());
        *cut = over == Over::Cut;
        job.flush()?;
        Ok(Halt::Over(over))
    }

    pub(super) fn stop_here(&mut self, domain: usize) {
        if let Some(started) = self.started(domain) {
            started.running.stop();
        }
    }

    pub(super) fn go_on_here(&mut self, domain: usize) {
        if let Some(started) = self.started(domain) {
            started.running.go_on();
        }
    }

    pub(super) fn abandon_here(&mut self, domain: usize) -> Result<(), CliError> {
        self.process.supervisor.at_work(false);
        let Some(Started { job, running, unmerged, .. }) = self.started(domain) else { return Ok(()) };
        *unmerged = Some("failed".into());
        running.abandon(job)
    }

    /// The object has been given back; its results are complete.
    pub(super) fn release_here(&mut self, domain: usize) {
        let of = &mut self.domains[domain];
        if let Some(started) = of.started.take() {
            of.told = Some(started.job.summary(&of.name, &started.running.simulation));
        }
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
