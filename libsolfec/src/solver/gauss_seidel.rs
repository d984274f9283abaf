//! Nonlinear block Gauss–Seidel (docs/theory.md 10; Jourdan, Alart and Jean 1998).

use super::contact::Method;
use super::kernel::{Kernel, Relaxed};
use super::merit::{worst, Measure};
use super::{Conditions, Law, Merit, Report, Status, Unknowns, Workspace, SWEEP_GRAIN};
use crate::dynamics::{Delassus, Sweep};
use crate::math::{each, Vec3};
use crate::model::{GaussSeidel, PenaltyVariant};

/// Reactions under which a copy is not worth splitting among threads.
const COPY_GRAIN: usize = 2 * SWEEP_GRAIN;

/// Sweeps before their acceleration begins: problems that are solved by then cost what the sweeps do.
const PLAIN_SWEEPS: u32 = 20;
/// Growth of the residual beyond which earlier iterates are forgotten: those from before contacts changed their status
/// mislead.
pub(super) const GROWTH: f64 = 1.0;

/// Solves for the reactions of one step, one law for each constraint of `op`, all in key order; starts from
/// `unknowns.r`.
///
/// Ends when the relative change of reactions is at most `epsilon` and the merit at most `meritval`, or at `maxiter`.
/// After [`PLAIN_SWEEPS`] the iteration is accelerated, unless it is relaxed; its result is that of a sweep.
/// The final `u` is one product `B + W R`, and the merit is always evaluated there. When the iteration leaves the
/// finite numbers the best iterate is restored. What a failure means is the caller's decision.
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
    work.error_history.clear();
    work.merit_history.clear();
    if op.rows() == 0 {
        return report;
    }
    op.choose_exchange(settings.variant, settings.innerloops);
    work.prepare_of(op.swept_diagonal());
    work.arrange(op, laws);
    work.prepare(op);
    work.best.clear();
    work.best.extend_from_slice(r);
    let method = Method { solver: settings.diagsolver, epsilon: settings.diagepsilon, limit: settings.diagmaxiter };
    let kernel = Kernel::new(&work.items, method, conditions);
    let relaxed = (settings.relaxation != 1.0).then_some(Relaxed { kernel: &kernel, weight: settings.relaxation });
    let measure = Measure::new(op, laws, &work.blocks, conditions, PenaltyVariant::Implicit);
    let merit_counts = settings.meritval < 1.0;
    let mut merit = None;
    let mut least = f64::INFINITY;
    op.start(r);
    report.status = Status::IterationLimit;
    while report.iterations < settings.maxiter {
        let sweep = match &relaxed {
            None => op.sweep(r, &kernel),
            Some(relaxed) => op.sweep(r, relaxed),
        };
        report.iterations += 1;
        report.error = relative_change(&sweep);
        report.failed_blocks = report.failed_blocks.saturating_add(sweep.failed as u32);
        let (retries, broken) = kernel.take_counts(op);
        report.retries = report.retries.saturating_add(retries);
        let blocks = blocks_status(&sweep, broken);
        report.active_blocks += sweep.active as u64;
        // The merit matters once the change of reactions allows to stop.
        let counts = merit_counts && report.error <= settings.epsilon;
        merit = counts.then(|| evaluate(op, &measure, r, u, parts));
        let value = merit.map_or(f64::NAN, |merit| merit.value);
        work.error_history.push(report.error);
        work.merit_history.push(value);
        if !report.error.is_finite() {
            restore(&work.best, laws, r);
            (merit, report.status) = (None, Status::NotFinite);
            break;
        }
        if sweep.failed == 0 && report.error <= least {
            least = report.error;
            copy(r, &mut work.best);
        }
        if report.error <= settings.epsilon && (!merit_counts || value <= settings.meritval) {
            report.status = blocks;
            break;
        }
        report.status = Status::IterationLimit.max(blocks);
        if relaxed.is_some() || report.iterations == settings.maxiter {
            continue;
        }
        if report.iterations == PLAIN_SWEEPS {
            work.anderson.begin(r, GROWTH);
        } else if report.iterations > PLAIN_SWEEPS && work.anderson.next(op, laws, &work.blocks, r) {
            op.start(r);
        }
    }
    let mut merit = merit.unwrap_or_else(|| evaluate(op, &measure, r, u, parts));
    if !merit.finite {
        restore(&work.best, laws, r);
        merit = evaluate(op, &measure, r, u, parts);
        report.status = Status::NotFinite;
    }
    report.merit = merit.value;
    report.residual = merit.residual;
    report.singular_blocks = work.singular_blocks(op, laws);
    report.worst = worst(op, parts);
    report
}

/// The merit of `r`, with `u = B + W R`.
fn evaluate<D: Delassus>(op: &mut D, measure: &Measure, r: &[Vec3], u: &mut [Vec3], parts: &mut [f64]) -> Merit {
    op.apply(r, u);
    measure.merit(op, r, u, parts)
}

/// The reactions `best`, or what the laws admit of a guess.
fn restore(best: &[Vec3], laws: &[Law], r: &mut [Vec3]) {
    each(r, SWEEP_GRAIN, |i, r| *r = laws[i].clip(&best[i]));
}

fn copy(from: &[Vec3], to: &mut [Vec3]) {
    each(to, COPY_GRAIN, |i, to| *to = from[i]);
}

/// What the block solves of a sweep mean for the whole; `broken` of the failed ones did not fail by their limit.
pub(super) fn blocks_status(sweep: &Sweep, broken: u32) -> Status {
    match (sweep.failed, broken) {
        (0, _) => Status::Converged,
        (_, 0) => Status::BlockDivergence,
        _ => Status::BlockFailure,
    }
}

/// `√(Σ|ΔR|² / Σ|R|²)`, with 1 in place of a zero sum.
pub(super) fn relative_change(sweep: &Sweep) -> f64 {
    let size = sweep.size.sqrt();
    sweep.change.sqrt() / if size == 0.0 { 1.0 } else { size }
}
