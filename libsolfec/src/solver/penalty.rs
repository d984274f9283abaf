//! Penalty solver: every contact by its own spring, dashpot and friction, in one pass (constraints-solvers-parallel.md 7).

use rayon::prelude::*;

use super::compliant::Standing;
use super::law::Form;
use super::merit::{worst, Measure};
use super::{Conditions, Law, Report, Status, Unknowns, Workspace, GRAIN};
use crate::dynamics::Delassus;
use crate::math::Vec3;
use crate::model::{Penalty, PenaltyVariant};

/// Reactions of one step, in one pass; `unknowns.r` supplies the old tangential reactions. Each contact sees only its own
/// block. All laws should be compliant: contacts of this solver take spring and dashpot of their material whatever its
/// model, and a Signorini–Coulomb law, which has neither, gets no reaction. `u` is the product `B + W R`.
pub fn penalty<D: Delassus>(
    work: &mut Workspace,
    op: &mut D,
    laws: &[Law],
    settings: &Penalty,
    conditions: Conditions,
    unknowns: Unknowns,
) -> Report {
    let Unknowns { r, u, merit: parts } = unknowns;
    if op.is_empty() {
        return Report::default();
    }
    work.prepare(op);
    let (diagonal, free, previous) = (op.diagonal(), op.free(), op.previous());
    let solve = |(i, r): (usize, &mut Vec3)| {
        let at = Standing { conditions, w: &diagonal[i], b: free[i], v: previous[i].z };
        let found = match laws[i].form(at.v) {
            Form::Compliant(law) => law.reaction(&at, r, settings.variant),
            _ => Some(Vec3::zeros()),
        };
        *r = found.unwrap_or_else(Vec3::zeros);
        u32::from(found.is_none())
    };
    let failed_blocks = r.par_iter_mut().enumerate().with_min_len(GRAIN).map(solve).sum();
    let critical_step = match settings.variant {
        PenaltyVariant::Implicit => None,
        PenaltyVariant::Explicit => {
            let step = |i: usize| match laws[i].form(0.0) {
                Form::Compliant(law) => law.critical_step(conditions, &diagonal[i]),
                _ => f64::INFINITY,
            };
            Some((0..laws.len()).map(step).fold(f64::INFINITY, f64::min))
        }
    };
    op.apply(r, u);
    let measure = Measure { laws, blocks: &work.blocks, conditions, variant: settings.variant };
    let merit = measure.merit(op, r, u, parts);
    Report {
        status: match (merit.finite, failed_blocks) {
            (false, _) => Status::NotFinite,
            (true, 0) => Status::Converged,
            (true, _) => Status::BlockFailure,
        },
        iterations: 1,
        merit: merit.value,
        residual: merit.residual,
        failed_blocks,
        singular_blocks: work.singular_blocks(),
        worst: worst(parts),
        active_blocks: r.iter().filter(|r| r.z > 0.0).count() as u64,
        critical_step,
        ..Report::default()
    }
}
