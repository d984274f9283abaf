//! Which solver, with which settings, and its run until the error is small enough.

use std::time::Instant;

use serde_json::Value;
use solfec::dynamics::Delassus;
use solfec::math::Vec3;
use solfec::model::{
    Admm, Auto, GaussSeidel, InteriorPoint, Newton, Penalty, PenaltyVariant, ProximalNewton, Siconos, SolverSettings,
};
use solfec::solver::{self, siconos_error, solve, Conditions, Law, Report, Status, Unknowns, Workspace};

use super::args::Measure;
use crate::cli::CliError;
use crate::siconos::OnDemand;

/// The solver when none is named.
pub const DEFAULT: &str = "AUTO";

/// Sweeps of Gauss–Seidel between two looks at the error, at least.
const BATCH: u32 = 10;
/// Part of the sweeps done that a further batch may have: looking stays cheap.
const GROWTH: u32 = 10;
/// The merit goes with the square of the error: where to begin for an error of 1.
const FIRST_MERIT: f64 = 1e-4;
/// What the merit asked for is multiplied by when the error is too large still.
const TIGHTEN: f64 = 1e-3;
/// Merits below this are roundoff.
const LEAST_MERIT: f64 = 1e-28;

/// A solver as it was asked for.
#[derive(Debug, Clone, PartialEq)]
pub struct Method {
    pub settings: SolverSettings,
    /// Run once with these very settings; else until the error is small enough.
    pub exact: bool,
}

/// What is wanted.
#[derive(Debug, Clone, Copy)]
pub struct Goal {
    pub measure: Measure,
    pub tolerance: f64,
    pub iterations: u32,
}

/// What a run of the solver did.
#[derive(Debug, Clone, Copy)]
pub struct Outcome {
    /// Of the last solve; iterations of all.
    pub report: Report,
    /// Clock time [s].
    pub time: f64,
}

impl Method {
    /// Of the option: a name as in decks, `_SOLVER` and case do not matter, or a JSON object with `kind`.
    pub fn of(text: &str) -> Result<Self, CliError> {
        if text.trim_start().starts_with('{') {
            return Ok(Method { settings: json(text)?, exact: true });
        }
        let upper = text.trim().to_uppercase();
        let kind = upper.strip_suffix("_SOLVER").unwrap_or(&upper);
        let settings = defaults(kind).ok_or_else(|| unknown(text))?;
        Ok(Method { settings, exact: false })
    }

    /// Solves from zero; `r` gets the reactions of all rows.
    pub fn run<D: Delassus>(
        &self,
        op: &mut D,
        laws: &[Law],
        conditions: Conditions,
        goal: Goal,
        r: &mut [Vec3],
    ) -> Result<Outcome, CliError> {
        if matches!(self.settings, SolverSettings::Penalty(_)) {
            let text = "PENALTY_SOLVER needs springs and gaps, which FCLIB problems do not have; use another solver";
            return Err(CliError::usage(text));
        }
        let mut siconos = OnDemand::as_it_is();
        siconos.prepare(&self.settings)?;
        let mut run = Run { op, laws, conditions, siconos, work: Workspace::new(), u: vec![Vec3::zeros(); r.len()] };
        let start = Instant::now();
        let report = match &self.settings {
            settings if self.exact => run.once(settings, r)?,
            SolverSettings::GaussSeidel(_) => run.sweeps(goal, r)?,
            SolverSettings::InteriorPoint(_)
            | SolverSettings::ProximalNewton(_)
            | SolverSettings::Admm(_)
            | SolverSettings::Auto(_) => run.precise(&self.settings, goal, r),
            settings => run.tightened(settings, goal, r)?,
        };
        Ok(Outcome { report, time: start.elapsed().as_secs_f64() })
    }
}

/// A problem being solved.
struct Run<'a, D> {
    op: &'a mut D,
    laws: &'a [Law],
    conditions: Conditions,
    siconos: OnDemand,
    work: Workspace,
    u: Vec<Vec3>,
}

impl<D: Delassus> Run<'_, D> {
    fn once(&mut self, settings: &SolverSettings, r: &mut [Vec3]) -> Result<Report, CliError> {
        let mut merit = vec![0.0; r.len()];
        let unknowns = Unknowns { r, u: &mut self.u, merit: &mut merit };
        let Run { op, laws, conditions, siconos, work, .. } = self;
        Ok(solve(work, *op, laws, settings, *conditions, unknowns, siconos)?)
    }

    /// Sweeps in batches, each from where the last one ended, until the error is small enough.
    fn sweeps(&mut self, goal: Goal, r: &mut [Vec3]) -> Result<Report, CliError> {
        let mut settings = GaussSeidel::new(f64::MIN_POSITIVE, BATCH);
        settings.diagepsilon = GaussSeidel::default_diagepsilon(goal.tolerance, 1.0);
        let mut done = 0;
        loop {
            settings.maxiter = BATCH.max(done / GROWTH).min(goal.iterations - done);
            let mut report = self.once(&SolverSettings::GaussSeidel(settings.clone()), r)?;
            done += report.iterations;
            report.iterations = done;
            // No sweep at all: there is nothing to solve.
            let stuck = report.status == Status::NotFinite || report.iterations == 0;
            if stuck || done >= goal.iterations || self.reached(&report, goal, r) || report.error == 0.0 {
                return Ok(report);
            }
        }
    }

    /// The methods that know the error of FCLIB themselves.
    fn precise(&mut self, settings: &SolverSettings, goal: Goal, r: &mut [Vec3]) -> Report {
        let mut merit = vec![0.0; r.len()];
        let unknowns = Unknowns { r, u: &mut self.u, merit: &mut merit };
        let end = match goal.measure {
            Measure::Merit => solver::Goal::Merit(goal.tolerance),
            Measure::Siconos => solver::Goal::Siconos(goal.tolerance),
        };
        let (op, laws, conditions) = (&mut *self.op, self.laws, self.conditions);
        match with_goal(settings, goal.tolerance, goal, goal.iterations) {
            SolverSettings::InteriorPoint(s) => solver::interior_point(op, laws, &s, end, conditions, unknowns),
            SolverSettings::ProximalNewton(s) => solver::proximal_newton(op, laws, &s, end, conditions, unknowns),
            SolverSettings::Admm(s) => solver::admm(op, laws, &s, end, conditions, unknowns),
            _ => solver::auto(op, laws, end, conditions, unknowns),
        }
    }

    /// Solves again with a smaller merit until the error is small enough.
    fn tightened(&mut self, settings: &SolverSettings, goal: Goal, r: &mut [Vec3]) -> Result<Report, CliError> {
        let mut merit = match goal.measure {
            Measure::Merit => goal.tolerance,
            Measure::Siconos => FIRST_MERIT * goal.tolerance * goal.tolerance,
        };
        let mut done = 0;
        loop {
            let settings = with_goal(settings, merit.max(LEAST_MERIT), goal, goal.iterations - done);
            let mut report = self.once(&settings, r)?;
            done += report.iterations;
            report.iterations = done;
            let last = done >= goal.iterations || merit <= LEAST_MERIT || report.status != Status::Converged;
            if last || self.reached(&report, goal, r) {
                return Ok(report);
            }
            merit *= TIGHTEN;
        }
    }

    fn reached(&mut self, report: &Report, goal: Goal, r: &[Vec3]) -> bool {
        match goal.measure {
            Measure::Merit => report.merit <= goal.tolerance,
            Measure::Siconos => self.error(r) <= goal.tolerance,
        }
    }

    /// The error of FCLIB and Siconos; rows of an equality part add how far they are from `u = 0`.
    fn error(&mut self, r: &[Vec3]) -> f64 {
        let friction = |law: &Law| match law {
            Law::Coulomb { friction, .. } => Some(*friction),
            _ => None,
        };
        let friction: Vec<f64> = self.laws.iter().map_while(friction).collect();
        let contacts = friction.len();
        if contacts == r.len() {
            return siconos_error(self.op, &friction, r, &mut self.u).relative;
        }
        self.op.apply(r, &mut self.u);
        let (q, u) = (&self.op.free()[..contacts], &self.u[..contacts]);
        let error = solfec::solver::siconos_error_of(q, &friction, &r[..contacts], u);
        let miss = |(law, u): (&Law, &Vec3)| match law {
            Law::Velocity3 { .. } => u.norm_squared(),
            _ => u.z * u.z,
        };
        let joints: f64 = self.laws[contacts..].iter().zip(&self.u[contacts..]).map(miss).sum();
        let absolute = error.absolute.hypot(joints.sqrt());
        match error.absolute > 0.0 {
            true => error.relative * absolute / error.absolute,
            false => absolute,
        }
    }
}

fn with_goal(settings: &SolverSettings, merit: f64, goal: Goal, iterations: u32) -> SolverSettings {
    let mut settings = settings.clone();
    match &mut settings {
        SolverSettings::GaussSeidel(s) => (s.meritval, s.maxiter) = (merit, iterations),
        SolverSettings::Newton(s) => (s.meritval, s.maxiter) = (merit, iterations),
        SolverSettings::InteriorPoint(s) => (s.meritval, s.maxiter) = (merit, iterations),
        SolverSettings::ProximalNewton(s) => (s.meritval, s.maxiter) = (merit, iterations),
        SolverSettings::Admm(s) => (s.meritval, s.maxiter) = (merit, iterations),
        SolverSettings::Auto(s) => s.meritval = merit,
        SolverSettings::Siconos(s) => (s.epsilon, s.maxiter) = (goal.tolerance, iterations),
        SolverSettings::Penalty(_) => {}
    }
    settings
}

/// Settings of a kind as the model file names it.
fn defaults(kind: &str) -> Option<SolverSettings> {
    Some(match kind {
        "GAUSS_SEIDEL" => SolverSettings::GaussSeidel(GaussSeidel::new(1e-4, 1000)),
        "PENALTY" => SolverSettings::Penalty(Penalty { variant: PenaltyVariant::Implicit }),
        "NEWTON" => SolverSettings::Newton(Newton::default()),
        "SICONOS" => SolverSettings::Siconos(Siconos::default()),
        "INTERIOR_POINT" => SolverSettings::InteriorPoint(InteriorPoint::default()),
        "PROXIMAL_NEWTON" => SolverSettings::ProximalNewton(ProximalNewton::default()),
        "ADMM" => SolverSettings::Admm(Admm::default()),
        "AUTO" => SolverSettings::Auto(Auto::default()),
        _ => return None,
    })
}

fn unknown(text: &str) -> CliError {
    CliError::usage(format!(
        "--solver {text}: no such solver; known are AUTO, GAUSS_SEIDEL, NEWTON, INTERIOR_POINT, PROXIMAL_NEWTON, ADMM, SICONOS, and JSON as in model files"
    ))
}

/// Settings from JSON; members that are left out have their defaults.
fn json(text: &str) -> Result<SolverSettings, CliError> {
    let wrong = |e: serde_json::Error| CliError::usage(format!("--solver: {e}; give a JSON object as in model files"));
    let given: Value = serde_json::from_str(text).map_err(wrong)?;
    let kind = given["kind"].as_str().ok_or_else(|| CliError::usage("--solver: the JSON object has no text 'kind'"))?;
    let settings = defaults(kind).ok_or_else(|| unknown(kind))?;
    let mut whole = serde_json::to_value(settings).map_err(wrong)?;
    if let (Some(whole), Some(given)) = (whole.as_object_mut(), given.as_object()) {
        whole.extend(given.clone());
    }
    serde_json::from_value(whole).map_err(wrong)
}
