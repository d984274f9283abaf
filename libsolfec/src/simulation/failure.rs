//! What a solve that did not converge means, and which constraints it left unmet.

use super::warnings::Warnings;
use super::{Simulation, WarningKind};
use crate::comm;
use crate::model::{Failure, Solver, SolverSettings};
use crate::solver::{Law, Report, Status};
use crate::Error;

/// Constraints that the text of a failed solve names.
const NAMED: usize = 5;

/// Share of the merit from which on a user constraint counts as one that cannot be met, and the part of its length by
/// which a link misses it. Reactions of contradictory constraints grow without bound, so that their relative change may
/// converge.
const UNMET: f64 = 0.01;

impl Simulation {
    /// What a solve that did not converge means: the end of the run to the user who chose EXIT or CALLBACK, else a
    /// warning, the first time.
    pub(super) fn solver_failure(&self, solver: &Solver, report: &Report, warnings: &mut Warnings) -> Option<Error> {
        if report.status == Status::Converged {
            self.warn_of_contradictions(warnings);
            return None;
        }
        let text = || self.failure_text(&solver.settings, report, self.clock.now());
        let (failure, _) = self.failure_action(solver);
        if failure != Failure::Continue {
            return Some(Error::Solver(text()));
        }
        warnings.note(WarningKind::Solver, report.status as u64, report.error, text);
        None
    }

    /// What a solve that did not converge left, in the step that ends at `time` [s]. Collective.
    pub(super) fn failure_text(&self, solver: &SolverSettings, report: &Report, time: f64) -> String {
        let unmet = self.work.merit.get(self.contacts.len()..).is_some_and(|merit| merit.iter().any(|m| *m > UNMET));
        let contradicted = comm::any(&*self.comm, unmet);
        format!(
            "{}: {} at time {time:.6e} s: error {:.3e}, merit {:.3e} after {} iterations{}{}{}",
            solver.name(),
            status_name(report.status),
            report.error,
            report.merit,
            report.iterations,
            if report.fallback { " and a fall-back to Gauss–Seidel" } else { "" },
            self.unmet(solver, report),
            match (contradicted, solver) {
                (true, SolverSettings::Auto(_)) => "; do these contradict each other?".into(),
                (true, _) => format!("{}; or do these contradict each other?", remedy(solver, report.status)),
                (false, _) => remedy(solver, report.status).to_string(),
            }
        )
    }

    /// Names, once in a run, the user constraints that a solve left unmet although its reactions converged.
    fn warn_of_contradictions(&self, warnings: &mut Warnings) {
        let first = self.contacts.len();
        let unmet = |&k: &usize| match &self.work.laws[k] {
            Law::Link(link) => link.excess(&self.work.u[k]).abs() > UNMET * link.length,
            Law::Coulomb { .. }
            | Law::SpringDashpot(_)
            | Law::Velocity3 { .. }
            | Law::Velocity { .. }
            | Law::Spring(_) => self.work.merit[k] > UNMET,
        };
        let rows: Vec<usize> = (first..self.work.laws.len()).filter(unmet).collect();
        let Some(worst) = rows.iter().map(|&k| self.work.merit[k]).reduce(f64::max) else { return };
        warnings.note(WarningKind::Constraints, 0, worst, || {
            let named: Vec<String> = rows.iter().take(NAMED).map(|&k| self.name_of_row(k)).collect();
            format!(
                "constraints cannot be met at time {:.6e} s: {}; do they contradict others, or is a length out of reach?",
                self.clock.now(),
                named.join(", ")
            )
        });
    }

    /// The constraints that a failed solve leaves furthest from their laws: those whose share of the merit exceeds what
    /// the solver was asked for, or the worst one; of all ranks. Collective.
    fn unmet(&self, solver: &SolverSettings, report: &Report) -> String {
        let merit = &self.work.merit;
        let bound = bound_of_merit(solver);
        let mut rows: Vec<usize> = (0..merit.len()).filter(|&i| merit[i] > bound).collect();
        let [_, above] = comm::count(&*self.comm, rows.len());
        if above == 0 {
            rows.extend(report.worst.map(|i| i as usize).filter(|&i| i < merit.len()));
        }
        rows.sort_by(|&a, &b| merit[b].total_cmp(&merit[a]).then(a.cmp(&b)));
        let own: Vec<(f64, String)> = rows.iter().take(NAMED).map(|&i| (merit[i], self.name_of_row(i))).collect();
        // Without what the others would have named there is less to say, and the solve has failed all the same.
        let mut worst = self.of_all(&own).unwrap_or(own);
        worst.sort_by(|a, b| b.0.total_cmp(&a.0));
        worst.truncate(above.clamp(1, NAMED));
        if worst.is_empty() {
            return String::new();
        }
        let rest = match above.saturating_sub(worst.len()) {
            0 => String::new(),
            more => format!(" and {more} more"),
        };
        let named: Vec<String> = worst.into_iter().map(|(_, name)| name).collect();
        format!("; worst {}{rest}", named.join(", "))
    }

    /// What a row of the local dynamics is: a contact or a user constraint.
    fn name_of_row(&self, row: usize) -> String {
        match self.contacts.get(row) {
            Some(c) => {
                let [master, slave] = [&c.master, &c.slave].map(|side| self.name(side.body));
                format!("between {master} and {slave}")
            }
            None => self.name_of_constraint(&self.constraints[self.work.active[row - self.contacts.len()] as usize]),
        }
    }
}

/// The merit that a solver was asked for.
fn bound_of_merit(solver: &SolverSettings) -> f64 {
    match solver {
        SolverSettings::GaussSeidel(s) if s.meritval < 1.0 => s.meritval,
        SolverSettings::GaussSeidel(s) => s.epsilon * s.epsilon,
        SolverSettings::Newton(s) => s.meritval,
        SolverSettings::InteriorPoint(s) => s.meritval,
        SolverSettings::ProximalNewton(s) => s.meritval,
        SolverSettings::CorrectedSweeps(s) => s.meritval,
        SolverSettings::Admm(s) => s.meritval,
        SolverSettings::Auto(s) => s.meritval,
        SolverSettings::Siconos(s) => s.epsilon * s.epsilon,
        SolverSettings::Penalty(_) => f64::INFINITY,
    }
}

/// What helps where a solve came to a limit.
fn remedy(solver: &SolverSettings, status: Status) -> &'static str {
    match (status, solver) {
        (Status::IterationLimit | Status::Stagnation | Status::LineSearch, SolverSettings::Auto(_)) => {
            "; a smaller step or a larger tolerance helps"
        }
        (Status::IterationLimit, _) => "; allow more iterations, loosen the tolerance, or use 'AUTO'",
        (Status::Stagnation | Status::LineSearch, _) => "; loosen the tolerance, or use 'AUTO'",
        _ => "",
    }
}

pub(super) fn status_name(status: Status) -> &'static str {
    match status {
        Status::Converged => "converged",
        Status::Springs => "did not converge (springs: their forces do not agree with their functions)",
        Status::IterationLimit => "did not converge (iteration limit)",
        Status::ProductLimit => "did not converge (limit of products with W)",
        Status::Stagnation => "did not converge (stagnation: iterations bring no progress)",
        Status::LineSearch => "did not converge (line search: no step lowers the merit)",
        Status::NoFactors => "did not converge (the factors of the method do not fit in memory)",
        Status::BlockDivergence => "did not converge (a contact could not be solved)",
        Status::BlockFailure => "failed (a block could not be solved)",
        Status::NotFinite => "failed (numbers that are not finite)",
    }
}
