//! One RUN: which steps to make and what is due after each. The caller loops over [`Run::next`] and does what the moments
//! say; it alone writes, prints and decides to stop.

use super::{Simulation, StepReport};
use crate::model::SolverSettings;
use crate::{Error, Result};

/// What happened, or what is due now.
#[derive(Debug, Clone, PartialEq)]
pub enum Moment {
    /// A step was made.
    Stepped(Box<StepReport>),
    /// A frame is due: show the simulation and store it.
    Frame,
    /// The duration is over.
    Done,
}

/// The progress of one RUN.
#[derive(Debug, Clone, PartialEq)]
pub struct Run {
    solver: SolverSettings,
    end: f64,
    frame_due: bool,
    /// What ends this run after the frame of the step that failed.
    failure: Option<Error>,
}

impl Run {
    /// RUN(duration) from the present time. The very first run of a simulation begins with frame 0.
    pub fn new(simulation: &mut Simulation, solver: SolverSettings, duration: f64) -> Self {
        let frame_due = simulation.begin_run();
        Run { solver, end: simulation.time() + duration, frame_due, failure: None }
    }

    /// Time at which this run ends [s].
    pub fn end(&self) -> f64 {
        self.end
    }

    /// Makes a step, unless something is due or the run is over.
    ///
    /// # Errors
    /// Those of [`Simulation::step`]; and after the moments of a step whose solve failed, [`Error::Solver`] when the
    /// failure action is EXIT or CALLBACK (there is no callback to ask, so the answer is the one that ends the run). The
    /// simulation then shows the last complete step, unless the error is [`Error::NotFinite`].
    pub fn next(&mut self, simulation: &mut Simulation) -> Result<Moment> {
        self.next_until(simulation, false)
    }

    /// The same, but with `enough` no further step is made: what is due comes, then [`Moment::Done`].
    ///
    /// # Errors
    /// As [`Run::next`].
    pub fn next_until(&mut self, simulation: &mut Simulation, enough: bool) -> Result<Moment> {
        if std::mem::take(&mut self.frame_due) {
            return Ok(Moment::Frame);
        }
        if let Some(error) = self.failure.take() {
            return Err(error);
        }
        if enough || simulation.clock.reached(self.end) {
            return Ok(Moment::Done);
        }
        let report = simulation.step(&self.solver)?;
        self.frame_due = simulation.output_due();
        self.failure.clone_from(&report.failure);
        Ok(Moment::Stepped(Box::new(report)))
    }
}
