//! Which solver, with which settings, and its run until the error is small enough.

use std::time::Instant;

use serde_json::Value;
use solfec::dynamics::WholeMatrix;
use solfec::math::Vec3;
use solfec::model::{
    Admm, Auto, CorrectedSweeps, GaussSeidel, InteriorPoint, Newton, Penalty, PenaltyVariant, ProximalNewton, Siconos,
    SolverSettings,
};
use solfec::solver::{
    admm, auto, corrected_sweeps, interior_point, proximal_newton, siconos_error_of, solve, Conditions, Goal, Law,
    Report, Status, Unknowns, Workspace,
};

use crate::cli::CliError;
use crate::siconos::OnDemand;

/// The solver when none is named.
pub const DEFAULT: &str = "AUTO";

/// Sweeps of Gauss–Seidel between two looks at the error, at least, after a first look at what one sweep did.
const BATCH: u32 = 10;
/// Part of the sweeps done that a further batch may have: looking stays cheap.
const GROWTH: u32 = 10;
/// What the merit asked for is multiplied by when the error is too large still. The merit goes with the square of the
/// error, and so its first value is the square of the error that is wanted.
const TIGHTEN: f64 = 1e-2;
/// Merits below this are roundoff.
const LEAST_MERIT: f64 = 1e-28;

/// A solver as it was asked for.
#[derive(Debug, Clone, PartialEq)]
pub struct Method {
    pub settings: SolverSettings,
    /// Run once with these very settings; else until the error is small enough.
    pub exact: bool,
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

    /// Solves from zero, with at most `limit` iterations; `r` gets the reactions of all rows.
    pub fn run<D: WholeMatrix>(
        &self,
        op: &mut D,
        laws: &[Law],
        conditions: Conditions,
        goal: Goal,
        limit: u32,
        r: &mut [Vec3],
    ) -> Result<Outcome, CliError> {
        if matches!(self.settings, SolverSettings::Penalty(_)) {
            let text = "PENALTY_SOLVER needs springs and gaps, which FCLIB problems do not have; use another solver";
            return Err(CliError::usage(text));
        }
        let mut outside = OnDemand::as_it_is();
        outside.prepare(&self.settings)?;
        let mut run = Run { op, laws, conditions, outside, work: Workspace::new(), u: vec![Vec3::zeros(); r.len()] };
        let start = Instant::now();
        let report = match &self.settings {
            settings if self.exact => run.once(settings, r)?,
            SolverSettings::GaussSeidel(_) => run.sweeps(goal, limit, r)?,
            settings => match run.aimed(settings, goal, limit, r) {
                Some(report) => report,
                None => run.tightened(settings, goal, limit, r)?,
            },
        };
        Ok(Outcome { report, time: start.elapsed().as_secs_f64() })
    }
}

/// A problem being solved.
struct Run<'a, D> {
    op: &'a mut D,
    laws: &'a [Law],
    conditions: Conditions,
    outside: OnDemand,
    work: Workspace,
    u: Vec<Vec3>,
}

impl<D: WholeMatrix> Run<'_, D> {
    fn once(&mut self, settings: &SolverSettings, r: &mut [Vec3]) -> Result<Report, CliError> {
        let mut merit = vec![0.0; r.len()];
        let unknowns = Unknowns { r, u: &mut self.u, merit: &mut merit };
        let Run { op, laws, conditions, outside, work, .. } = self;
        Ok(solve(work, *op, laws, settings, *conditions, unknowns, outside)?)
    }

    /// The methods that can aim at the goal itself; `None` for others.
    fn aimed(&mut self, settings: &SolverSettings, goal: Goal, limit: u32, r: &mut [Vec3]) -> Option<Report> {
        let mut merit = vec![0.0; r.len()];
        let unknowns = Unknowns { r, u: &mut self.u, merit: &mut merit };
        let (op, laws, conditions) = (&mut *self.op, self.laws, self.conditions);
        Some(match limited(settings, limit) {
            SolverSettings::InteriorPoint(s) => interior_point(op, laws, &s, goal, conditions, unknowns),
            SolverSettings::ProximalNewton(s) => proximal_newton(op, laws, &s, goal, conditions, unknowns),
            SolverSettings::CorrectedSweeps(s) => corrected_sweeps(op, laws, &s, goal, conditions, unknowns),
            SolverSettings::Admm(s) => admm(op, laws, &s, goal, conditions, unknowns),
            SolverSettings::Auto(_) => auto(op, laws, goal, conditions, unknowns),
            _ => return None,
        })
    }

    /// Sweeps in batches, each from where the last one ended, until the error is small enough.
    fn sweeps(&mut self, goal: Goal, limit: u32, r: &mut [Vec3]) -> Result<Report, CliError> {
        let mut settings = GaussSeidel::new(f64::MIN_POSITIVE, BATCH);
        settings.diagepsilon = GaussSeidel::default_diagepsilon(tolerance(goal), 1.0);
        let mut done = 0;
        loop {
            let batch = if done == 0 { 1 } else { BATCH.max(done / GROWTH) };
            settings.maxiter = batch.min(limit - done);
            let mut report = self.once(&SolverSettings::GaussSeidel(settings.clone()), r)?;
            done += report.iterations;
            report.iterations = done;
            // Without a sweep there is nothing to solve; without a change no further sweep will make one.
            let idle = report.iterations == 0 || report.error == 0.0 || report.status == Status::NotFinite;
            if idle || done >= limit || self.reached(&report, goal, r) {
                return Ok(report);
            }
        }
    }

    /// Solves again with a smaller merit until the error is small enough.
    fn tightened(
        &mut self,
        settings: &SolverSettings,
        goal: Goal,
        limit: u32,
        r: &mut [Vec3],
    ) -> Result<Report, CliError> {
        let mut merit = match goal {
            Goal::Merit(tolerance) => tolerance,
            Goal::Siconos(tolerance) => tolerance * tolerance,
        };
        let mut done = 0;
        loop {
            let settings = with_merit(&limited(settings, limit - done), merit.max(LEAST_MERIT));
            let mut report = self.once(&settings, r)?;
            done += report.iterations;
            report.iterations = done;
            let last = done >= limit || merit <= LEAST_MERIT || report.status != Status::Converged;
            if last || self.reached(&report, goal, r) {
                return Ok(report);
            }
            merit *= TIGHTEN;
        }
    }

    fn reached(&mut self, report: &Report, goal: Goal, r: &[Vec3]) -> bool {
        match goal {
            Goal::Merit(tolerance) => report.merit <= tolerance,
            Goal::Siconos(tolerance) => self.error(r) <= tolerance,
        }
    }

    /// How many rows are contacts; they come first.
    fn contacts(&self) -> usize {
        self.laws.iter().take_while(|law| law.contact()).count()
    }

    /// The error of FCLIB and Siconos; rows of an equality part add how far they are from `u = 0`, as in
    /// [`solfec_formats::fclib::Raw::residual`].
    fn error(&mut self, r: &[Vec3]) -> f64 {
        let friction = |law: &Law| if let Law::Coulomb { friction, .. } = law { *friction } else { 0.0 };
        let contacts = self.contacts();
        let friction: Vec<f64> = self.laws[..contacts].iter().map(friction).collect();
        self.op.apply(r, &mut self.u);
        let error = siconos_error_of(&self.op.free()[..contacts], &friction, &r[..contacts], &self.u[..contacts]);
        let violation = |(law, u): (&Law, &Vec3)| match law {
            Law::Velocity3 { .. } => u.norm_squared(),
            Law::Coulomb { .. } | Law::SpringDashpot(_) | Law::Velocity { .. } | Law::Link(_) | Law::Spring(_) => {
                u.z * u.z
            }
        };
        let joints: f64 = self.laws[contacts..].iter().zip(&self.u[contacts..]).map(violation).sum();
        if error.absolute > 0.0 {
            error.relative * error.absolute.hypot(joints.sqrt()) / error.absolute
        } else {
            joints.sqrt()
        }
    }
}

fn tolerance(goal: Goal) -> f64 {
    match goal {
        Goal::Merit(tolerance) | Goal::Siconos(tolerance) => tolerance,
    }
}

/// With at most `limit` iterations.
fn limited(settings: &SolverSettings, limit: u32) -> SolverSettings {
    let mut settings = settings.clone();
    match &mut settings {
        SolverSettings::GaussSeidel(s) => s.maxiter = limit,
        SolverSettings::Newton(s) => s.maxiter = limit,
        SolverSettings::Siconos(s) => s.maxiter = limit,
        SolverSettings::InteriorPoint(s) => s.maxiter = limit,
        SolverSettings::ProximalNewton(s) => s.maxiter = limit,
        SolverSettings::CorrectedSweeps(s) => s.maxiter = limit,
        SolverSettings::Admm(s) => s.maxiter = limit,
        SolverSettings::Penalty(_) | SolverSettings::Auto(_) => {}
    }
    settings
}

/// Aiming at this merit; at its root where the solver knows an error only.
fn with_merit(settings: &SolverSettings, merit: f64) -> SolverSettings {
    let mut settings = settings.clone();
    match &mut settings {
        SolverSettings::GaussSeidel(s) => s.meritval = merit,
        SolverSettings::Newton(s) => s.meritval = merit,
        SolverSettings::Siconos(s) => s.epsilon = merit.sqrt(),
        SolverSettings::InteriorPoint(s) => s.meritval = merit,
        SolverSettings::ProximalNewton(s) => s.meritval = merit,
        SolverSettings::CorrectedSweeps(s) => s.meritval = merit,
        SolverSettings::Admm(s) => s.meritval = merit,
        SolverSettings::Auto(s) => s.meritval = merit,
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
        "CORRECTED_SWEEPS" => SolverSettings::CorrectedSweeps(CorrectedSweeps::default()),
        "ADMM" => SolverSettings::Admm(Admm::default()),
        "AUTO" => SolverSettings::Auto(Auto::default()),
        _ => return None,
    })
}

fn unknown(text: &str) -> CliError {
    CliError::usage(format!(
        "--solver {text}: no such solver; known are AUTO, GAUSS_SEIDEL, NEWTON, INTERIOR_POINT, PROXIMAL_NEWTON, \
         CORRECTED_SWEEPS, ADMM, SICONOS, and JSON as in model files"
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
    let settings: SolverSettings = serde_json::from_value(whole).map_err(wrong)?;
    settings.validate().map_err(|e| CliError::usage(format!("--solver: {e}")))?;
    Ok(settings)
}
