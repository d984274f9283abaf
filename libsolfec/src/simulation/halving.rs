//! What becomes of a step whose solve did not converge, and the repetition of such a step with half its length
//! (docs/theory.md 13).

use super::warnings::Warnings;
use super::{Outside, Simulation, StepReport, WarningKind};
use crate::model::{Failure, Solver};
use crate::{Error, Result};

/// How often a step is halved at most.
const HALVINGS: u32 = 4;

/// What a simulation does when a solve does not converge, for every solver.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum OnFailure {
    /// What the solver of the run says.
    #[default]
    AsSolver,
    Warn,
    Stop,
    /// Repeat the step with half its length, also when the state is not finite; stop after four halvings.
    HalveStep,
}

impl Simulation {
    /// What is to be done from now on when a solve does not converge.
    pub fn set_on_failure(&mut self, action: OnFailure) {
        self.on_failure = action;
    }

    /// Most nodes in contact of a body of finite elements between which the inverse of its matrix is kept as a dense matrix.
    /// With more, every product with `W` solves with the factor of the body, and block Jacobi iterations take the place of
    /// solvers that sweep. To be called between steps.
    pub fn set_dense_nodes(&mut self, most: usize) {
        self.bodies.set_dense_nodes(most);
    }

    /// The action when a solve does not converge, and the user function to ask first.
    pub(super) fn failure_action(&self, solver: &Solver) -> (Failure, Option<u32>) {
        match self.on_failure {
            OnFailure::AsSolver => (solver.failure, solver.callback),
            OnFailure::Warn => (Failure::Continue, None),
            OnFailure::Stop | OnFailure::HalveStep => (Failure::Exit, None),
        }
    }

    /// Makes a step, if need be of a fraction of its length. The next one has the whole length again, or grows back to
    /// it where step recovery is on.
    pub(super) fn make_part_of_step(
        &mut self,
        solver: &Solver,
        outside: &mut dyn Outside,
        warnings: &mut Warnings,
    ) -> Result<Box<StepReport>> {
        let made = self.make_attempts(solver, outside, warnings);
        self.work.attempt = Attempt::default();
        made
    }

    fn make_attempts(
        &mut self,
        solver: &Solver,
        outside: &mut dyn Outside,
        warnings: &mut Warnings,
    ) -> Result<Box<StepReport>> {
        self.settle_bodies()?;
        let (state, homes, told) = (self.state(), self.homes_of_contacts(), warnings.clone());
        let mut reason = String::new();
        for halvings in 0..HALVINGS {
            self.work.attempt = Attempt { fraction: fraction(halvings), refuses: true };
            let made = self.pass_phases(solver, outside, warnings);
            match made {
                Err(Error::Solver(text) | Error::NotFinite(text)) => reason = text,
                made => return self.settle(halvings, &reason, made, warnings),
            }
            self.take(&state, homes.clone(), fraction(HALVINGS))?;
            warnings.clone_from(&told);
        }
        self.work.attempt = Attempt { fraction: fraction(HALVINGS), refuses: false };
        let made = self.pass_phases(solver, outside, warnings);
        self.settle(HALVINGS, &reason, made, warnings)
    }

    /// Bodies move to the ranks where they stay while the step is repeated: by the longest part of it that can be made.
    fn settle_bodies(&mut self) -> Result<()> {
        let mut moved = Ok(());
        for halvings in 0..=HALVINGS {
            moved = self.exchange_bodies(fraction(halvings) * self.clock.h());
            if !matches!(moved, Err(Error::NotFinite(_))) {
                break;
            }
        }
        moved
    }

    /// The step was made, or failed for another reason.
    fn settle(
        &mut self,
        halvings: u32,
        reason: &str,
        made: Result<Box<StepReport>>,
        warnings: &mut Warnings,
    ) -> Result<Box<StepReport>> {
        let Attempt { fraction, .. } = self.work.attempt;
        let mut report = made?;
        if halvings > 0 {
            let h = report.h;
            warnings.note(WarningKind::Halved, 0, f64::from(halvings), || {
                format!("a step was repeated with a length of {h:.4e} s, because of: {reason}")
            });
            self.share_warnings(warnings)?;
            warnings.hand_over(&mut report);
            // Only steps of dynamics grow back by themselves.
            if !(self.settings.step_recovery && self.stepping.inertial) {
                self.clock.set_h(h / fraction);
            }
        }
        Ok(report)
    }
}

/// What is left of a step after so many halvings.
fn fraction(halvings: u32) -> f64 {
    0.5_f64.powi(halvings as i32)
}

/// One of several attempts at a step.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Attempt {
    /// Part of its length.
    pub fraction: f64,
    /// A solve that does not converge is an error, after which the step is repeated.
    pub refuses: bool,
}

impl Default for Attempt {
    fn default() -> Self {
        Attempt { fraction: 1.0, refuses: false }
    }
}
