//! One RUN: which steps to make and what is due after each. The caller loops over [`Run::next`] and does what the
//! moments say; it alone writes, prints and decides to stop.

use super::{Nothing, Outside, Simulation, StepReport};
use crate::model::Solver;
use crate::{Error, Result};

/// What happened, or what is due now.
#[derive(Debug, Clone, PartialEq)]
pub enum Moment {
    /// A step was made.
    Stepped(Box<StepReport>),
    /// A frame is due: show the simulation and store it.
    Frame,
    /// This user function is due. It may change the simulation by operations; if it returns 0, call [`Run::stop`].
    Callback(u32),
    /// The solve of the step failed, and this user function is to say what then: if it returns other than 0, call
    /// [`Run::go_on`], else the run ends with the error of the solver.
    SolverFailed(u32),
    /// The duration is over.
    Done,
}

/// The progress of one RUN.
#[derive(Debug, Clone, PartialEq)]
pub struct Run {
    solver: Solver,
    end: f64,
    frame_due: bool,
    callback_due: Option<u32>,
    /// Whom to ask before `failure` ends the run.
    question: Option<u32>,
    stopped: bool,
    /// What ends this run after the frame of the step that failed.
    failure: Option<Error>,
    /// It has ended with an error.
    broken: bool,
}

impl Run {
    /// RUN(duration) from the present time. The very first run of a simulation begins with frame 0.
    pub fn new(simulation: &mut Simulation, solver: impl Into<Solver>, duration: f64) -> Self {
        let frame_due = simulation.begin_run();
        let end = simulation.time() + duration;
        Run { frame_due, ..Run::resume(solver, end) }
    }

    /// A run that goes on after a restart until `end` [s]: no frame 0, and no new run is counted.
    pub fn resume(solver: impl Into<Solver>, end: f64) -> Self {
        Run {
            solver: solver.into(),
            end,
            frame_due: false,
            callback_due: None,
            question: None,
            stopped: false,
            failure: None,
            broken: false,
        }
    }

    /// Nothing is due and nothing failed: between two steps, where a checkpoint may be taken.
    pub fn at_rest(&self) -> bool {
        let due = self.frame_due || self.callback_due.is_some() || self.question.is_some();
        !due && self.failure.is_none() && !self.broken
    }

    /// Time at which this run ends [s].
    pub fn end(&self) -> f64 {
        self.end
    }

    /// No further step: what is due comes, then [`Moment::Done`].
    pub fn stop(&mut self) {
        self.stopped = true;
    }

    /// The failed solve does not end the run.
    pub fn go_on(&mut self) {
        self.failure = None;
    }

    /// Makes a step of a model that needs nothing from outside, unless something is due or the run is over.
    ///
    /// # Errors
    /// As [`Run::advance`].
    pub fn next(&mut self, simulation: &mut Simulation) -> Result<Moment> {
        self.advance(simulation, &mut Nothing::default())
    }

    /// Makes a step, unless something is due or the run is over.
    ///
    /// # Errors
    /// Those of [`Simulation::step_with`]; [`Error::NotFinite`] in place of a frame 0 that is not finite; and after the
    /// moments of a step whose solve failed, [`Error::Solver`] when the failure action is EXIT, or CALLBACK and
    /// nobody called [`Run::go_on`]. The simulation then shows the last complete step, unless the error is
    /// [`Error::NotFinite`].
    pub fn advance(&mut self, simulation: &mut Simulation, outside: &mut dyn Outside) -> Result<Moment> {
        if std::mem::take(&mut self.frame_due) {
            if simulation.steps() == 0 {
                let right = simulation.check_start();
                self.broken = right.is_err();
                right?;
            }
            return Ok(Moment::Frame);
        }
        if let Some(function) = self.question.take() {
            return Ok(Moment::SolverFailed(function));
        }
        if let Some(error) = self.failure.take() {
            self.broken = true;
            return Err(error);
        }
        if let Some(function) = self.callback_due.take() {
            return Ok(Moment::Callback(function));
        }
        if self.stopped || simulation.clock.reached(self.end) {
            return Ok(Moment::Done);
        }
        let stepped = simulation.step_with(&self.solver, outside);
        self.broken = stepped.is_err();
        let report = stepped?;
        self.frame_due = simulation.output_due();
        self.callback_due = simulation.callback_due();
        self.failure.clone_from(&report.failure);
        let (_, asked) = simulation.failure_action(&self.solver);
        self.question = asked.filter(|_| self.failure.is_some());
        Ok(Moment::Stepped(report))
    }
}
