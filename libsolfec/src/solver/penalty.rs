//! Penalty solver: every contact by its own spring, dashpot and friction, in one pass; then the other constraints, with
//! the contacts' reactions on them (docs/theory.md 10).

use rayon::prelude::*;

use super::compliant::BlockState;
use super::contact::Method;
use super::gauss_seidel::{blocks_status, relative_change};
use super::kernel::{Bilateral, Kernel};
use super::law::ResidualForm;
use super::merit::{worst, Measure};
use super::{count, least, Conditions, Law, Report, Status, Unknowns, Workspace, GRAIN};
use crate::dynamics::Delassus;
use crate::math::Vec3;
use crate::model::{BlockSolver, Penalty, PenaltyVariant};

/// Relative change of the reactions of bilateral constraints that ends their sweeps, and the bound of sweeps.
const EPSILON: f64 = 1e-4;
const SWEEPS: u32 = 1000;

/// Tolerance of block solvers; the blocks of bilateral constraints are solved directly.
const BLOCK: Method = Method { solver: BlockSolver::SemismoothNewton, epsilon: 1e-9, limit: 100 };

/// Reactions of one step; `unknowns.r` supplies the old tangential reactions of contacts and the guess of the others.
///
/// Each contact sees only its own block. All contacts should be compliant: they take spring and dashpot of their
/// material whatever its model, and a Signorini–Coulomb law, which has neither, gets no reaction. The contacts then
/// stay as they are, and Gauss–Seidel solves the bilateral constraints; contacts do not feel these in the same step.
/// `u` is the product `B + W R`. The report counts the sweeps as iterations, one if there is nothing to sweep.
pub fn penalty<D: Delassus>(
    work: &mut Workspace,
    op: &mut D,
    laws: &[Law],
    settings: &Penalty,
    conditions: Conditions,
    unknowns: Unknowns,
) -> Report {
    let Unknowns { r, u, merit: parts } = unknowns;
    if op.rows() == 0 {
        return Report::default();
    }
    work.prepare(op);
    let failed_contacts = push_contacts(work, op, laws, settings.variant, conditions, r);
    let bilateral = solve_bilateral(work, op, laws, conditions, r);
    op.apply(r, u);
    let measure = Measure::new(op, laws, &work.blocks, conditions, settings.variant);
    let merit = measure.merit(op, r, u, parts);
    let contacts = if failed_contacts == 0 { Status::Converged } else { Status::BlockFailure };
    let finite = if merit.finite { Status::Converged } else { Status::NotFinite };
    Report {
        status: contacts.max(bilateral.status).max(finite),
        merit: merit.value,
        residual: merit.residual,
        failed_blocks: failed_contacts + bilateral.failed_blocks,
        singular_blocks: work.singular_blocks(op, laws),
        worst: worst(op, parts),
        active_blocks: count(op, r.iter().filter(|r| r.z > 0.0).count()),
        critical_step: critical_step(op, laws, settings.variant, conditions),
        ..bilateral
    }
}

/// The pass over contacts; how many have no reaction.
fn push_contacts<D: Delassus>(
    work: &Workspace,
    op: &D,
    laws: &[Law],
    variant: PenaltyVariant,
    conditions: Conditions,
    r: &mut [Vec3],
) -> u32 {
    let (diagonal, free, previous) = (op.diagonal(), op.free(), op.previous());
    let push = |(i, r): (usize, &mut Vec3)| {
        let at = BlockState { conditions, w: &diagonal[i], b: free[i], v: previous[i].z };
        let found = match laws[i].form_at(at.w, &work.blocks[i], at.v) {
            ResidualForm::Compliant(law) => law.reaction(&at, r, variant),
            ResidualForm::Cone { .. } | ResidualForm::Null => Some(Vec3::zeros()),
            ResidualForm::Velocity3(_)
            | ResidualForm::Velocity(_)
            | ResidualForm::Link(_)
            | ResidualForm::Spring(_) => return 0,
        };
        *r = found.unwrap_or_else(Vec3::zeros);
        u32::from(found.is_none())
    };
    let own: u32 = r.par_iter_mut().enumerate().with_min_len(GRAIN).map(push).sum();
    count(op, own as usize) as u32
}

/// Sweeps the constraints that are no contacts.
fn solve_bilateral<D: Delassus>(
    work: &mut Workspace,
    op: &mut D,
    laws: &[Law],
    conditions: Conditions,
    r: &mut [Vec3],
) -> Report {
    let mut report = Report { iterations: 1, ..Report::default() };
    if op.all(laws.iter().all(Law::contact)) {
        return report;
    }
    let others = r.iter_mut().zip(laws).filter(|(_, law)| !law.contact());
    others.for_each(|(r, law)| *r = law.clip(r));
    work.arrange(op, laws);
    let kernel = Kernel::new(&work.items, BLOCK, conditions);
    op.start(r);
    for iterations in 1..=SWEEPS {
        let sweep = op.sweep(r, &Bilateral(&kernel));
        let (_, broken) = kernel.take_counts(op);
        let blocks = blocks_status(&sweep, broken);
        let error = relative_change(&sweep);
        let failed_blocks = report.failed_blocks + sweep.failed as u32;
        let converged = error <= EPSILON;
        let status = if converged { blocks } else { blocks.max(Status::IterationLimit) };
        report = Report { status, iterations, error, failed_blocks, ..report };
        if converged || !error.is_finite() {
            break;
        }
    }
    report
}

/// The least step at which an explicit contact becomes unstable.
fn critical_step<D: Delassus>(op: &D, laws: &[Law], variant: PenaltyVariant, conditions: Conditions) -> Option<f64> {
    if variant == PenaltyVariant::Implicit {
        return None;
    }
    let step = |(law, w)| match law {
        &Law::SpringDashpot(law) => law.critical_step(conditions, w),
        Law::Coulomb { .. } | Law::Velocity3 { .. } | Law::Velocity { .. } | Law::Link(_) | Law::Spring(_) => {
            f64::INFINITY
        }
    };
    Some(least(op, laws.iter().zip(op.diagonal()).map(step)))
}
