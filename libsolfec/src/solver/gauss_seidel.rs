//! Nonlinear block Gauss–Seidel (constraints-solvers-parallel.md 5).

use std::sync::atomic::AtomicU32;

use super::block::Method;
use super::law::Kernel;
use super::merit::{worst, Measure};
use super::{Conditions, Law, Report, Status, Unknowns, Workspace};
use crate::dynamics::{Delassus, Sweep};
use crate::model::{GaussSeidel, PenaltyVariant};

/// Solves for the reactions of one step, one law for each constraint of `op`, all in key order; starts from `unknowns.r`.
///
/// Ends when the relative change of reactions is at most `epsilon` and the merit at most `meritval`, or at `maxiter`. The
/// final `u` is one product `B + W R`, and the merit is always evaluated there. When the iteration leaves the finite
/// numbers the best iterate is restored. What a failure means is the caller's decision.
pub fn gauss_seidel<D: Delassus>(
    work: &mut Workspace,
    op: &mut D,
    laws: &[Law],
    settings: &GaussSeidel,
    conditions: Conditions,
    unknowns: Unknowns,
) -> Report {
    let Unknowns { r, u, merit: parts } = unknowns;
    let mut report = Report::default();
    if op.is_empty() {
        return report;
    }
    work.prepare(op);
    work.best.clear();
    work.best.extend(laws.iter().zip(r.iter()).map(|(law, r)| law.clip(r)));
    work.arrange(op, laws);
    let kernel = Kernel {
        items: &work.items,
        method: Method { solver: settings.diagsolver, epsilon: settings.diagepsilon, limit: settings.diagmaxiter },
        h: conditions.h,
        retries: AtomicU32::new(0),
    };
    let measure = Measure { laws, blocks: &work.blocks, conditions, variant: PenaltyVariant::Implicit };
    let merit_counts = settings.meritval < 1.0;
    let mut least = f64::INFINITY;
    op.start(r);
    report.status = Status::IterationLimit;
    while report.iterations < settings.maxiter {
        let backward = settings.reverse && report.iterations % 2 == 1;
        let sweep = op.sweep(r, &kernel, backward);
        report.iterations += 1;
        report.error = relative_change(&sweep);
        report.failed_blocks += sweep.failed as u32;
        report.active_blocks += sweep.active as u64;
        report.merit = f64::NAN;
        if merit_counts {
            op.apply(r, u);
            report.merit = measure.merit(op, r, u, parts).value;
        }
        report.error_history.push(report.error);
        report.merit_history.push(report.merit);
        if !report.error.is_finite() {
            r.copy_from_slice(&work.best);
            report.status = Status::NotFinite;
            break;
        }
        if sweep.failed == 0 && report.error <= least {
            least = report.error;
            work.best.copy_from_slice(r);
        }
        if report.error <= settings.epsilon && (!merit_counts || report.merit <= settings.meritval) {
            report.status = if sweep.failed == 0 { Status::Converged } else { Status::BlockFailure };
            break;
        }
    }
    op.apply(r, u);
    let merit = measure.merit(op, r, u, parts);
    report.merit = merit.value;
    report.residual = merit.residual;
    report.retries = kernel.retries.into_inner();
    report.singular_blocks = work.singular_blocks();
    report.worst = worst(parts);
    if !merit.finite {
        r.copy_from_slice(&work.best);
        op.apply(r, u);
        report.status = Status::NotFinite;
    }
    report
}

/// `√(Σ|ΔR|² / Σ|R|²)`, with 1 in place of a zero sum (section 5.2).
fn relative_change(sweep: &Sweep) -> f64 {
    let size = sweep.size.sqrt();
    sweep.change.sqrt() / if size == 0.0 { 1.0 } else { size }
}
