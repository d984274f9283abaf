//! Numbers of a step that are not finite: which body, the likely cause, and what helps.

use super::failure::status_name;
use super::Simulation;
use crate::comm;
use crate::ids::BodyIndex;
use crate::math::Vec3;
use crate::model::SolverSettings;
use crate::solver::{Report, Status};
use crate::{Error, Result};

/// Speeds and accelerations above this are no physical data [m/s, m/s²]: their squares times masses leave the numbers.
const ABSURD: f64 = 1e100;

/// The fastest body at the start of a step.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Fastest {
    pub body: BodyIndex,
    /// Of its mass centre [m/s].
    pub speed: f64,
}

/// Length of a vector whose square may be beyond the numbers.
pub(super) fn length(v: &Vec3) -> f64 {
    let (length, most) = (v.norm(), v.amax());
    if length.is_infinite() && most.is_finite() {
        most * (v / most).norm()
    } else {
        length
    }
}

impl Simulation {
    /// Errors of states and energies that are not finite, before the first step.
    pub(super) fn check_start(&mut self) -> Result<()> {
        self.work.fastest = self.fastest();
        self.check_finite(None)
    }

    /// Errors of states and energies that are not finite, after the step with this solve.
    pub(super) fn check_finite(&self, solve: Option<(&SolverSettings, &Report)>) -> Result<()> {
        if comm::any(&*self.comm, !self.bodies.is_sound()) {
            return self.find_not_finite(solve);
        }
        Ok(())
    }

    /// Which body it is, or that it is their sum.
    fn find_not_finite(&self, solve: Option<(&SolverSettings, &Report)>) -> Result<()> {
        let solved = || {
            let Some((solver, Report { status, iterations, error, .. })) = solve else { return String::new() };
            let status = status_name(*status);
            format!("{}: {status}, error {error:.3e} after {iterations} iterations; ", solver.name())
        };
        let at = |body: BodyIndex, what: &str| {
            let (name, time) = (self.name(body), self.clock.now());
            let (cause, advice) = (self.fastest_text(), self.advice(solve.map(|(_, report)| report.status)));
            Err(Error::NotFinite(format!("{name} {what} at time {time:.6e} s; {cause}{}{advice}", solved())))
        };
        let outcome = match (self.bodies.first_not_finite(), self.bodies.first_inverted()) {
            (Some(body), _) => at(body, "has a state that is not finite"),
            (None, Some(body)) => at(body, "is turned inside out"),
            (None, None) => Ok(()),
        };
        comm::agree(&*self.comm, outcome)?;
        let energies = comm::sum(&*self.comm, self.bodies.energy_of_motion());
        if energies.iter().all(|energy| energy.is_finite()) {
            return Ok(());
        }
        let infinite = |body: &BodyIndex| !self.bodies.energies(*body).iter().all(|energy| energy.is_finite());
        let found = self.bodies.by_id().iter().map(|(_, body)| *body).find(infinite);
        let outcome = found.map_or(Ok(()), |body| at(body, "has an energy that is not finite"));
        comm::agree(&*self.comm, outcome)?;
        let time = self.clock.now();
        Err(Error::NotFinite(format!("the energies of all bodies have no finite sum at time {time:.6e} s")))
    }

    /// The error of shapes that cannot be moved to the bodies of this step, with its likely cause.
    pub(super) fn not_placed(&mut self, error: Error) -> Error {
        match error {
            Error::NotFinite(text) => {
                self.work.fastest = self.fastest();
                let time = self.clock.now();
                let (cause, advice) = (self.fastest_text(), self.advice(None));
                Error::NotFinite(format!("{text}, in the step from time {time:.6e} s; {cause}{advice}"))
            }
            Error::Input(_) | Error::Solver(_) | Error::Penetration(_) => error,
        }
    }

    fn fastest(&self) -> Option<Fastest> {
        let all = self.bodies.by_id().iter().map(|&(_, body)| body);
        let of = |body| Fastest { body, speed: length(&self.bodies.mean_twist(body).linear) };
        all.map(of).reduce(|a, b| if b.speed > a.speed { b } else { a })
    }

    fn fastest_text(&self) -> String {
        let text =
            |Fastest { body, speed }| format!("largest velocity before: {speed:.3e} m/s of {}; ", self.name(body));
        self.work.fastest.map_or(String::new(), text)
    }

    /// What most likely helps. `solved`: how the solve ended, if there was one.
    fn advice(&self, solved: Option<Status>) -> &'static str {
        let gravity = self.gravity(self.clock.h()).norm();
        if self.work.fastest.is_some_and(|fastest| fastest.speed > ABSURD) {
            "no body moves like that: correct its velocity"
        } else if gravity.is_nan() || gravity > ABSURD {
            "no body falls like that: correct GRAVITY"
        } else if self.work.overlapped.is_some_and(|step| self.steps <= step + 1) {
            "bodies overlap at the start: move them apart"
        } else if solved.is_some_and(|status| status != Status::Converged) {
            "the solve failed: see whether constraints contradict each other, try a smaller step or another solver"
        } else {
            "try a smaller step, and see whether loads and stiffness are of the right size"
        }
    }
}
