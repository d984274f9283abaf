//! The solver that chooses.

use super::judge::over;
use super::Goal;
use super::{admm, interior, newton, BlockLu, Judge, Local};
use crate::dynamics::Delassus;
use crate::math::Vec3;
use crate::model::Auto;
use crate::model::BlockSolver;
use crate::model::PenaltyVariant;
use crate::solver::contact::Method;
use crate::solver::kernel::{Item, Kernel};
use crate::solver::merit::Measure;
use crate::solver::{Block, Conditions, Law, Report, Status, Unknowns};
use std::sync::atomic::AtomicU32;
pub fn auto<D: Delassus>(
    op: &mut D,
    laws: &[Law],
    settings: &Auto,
    goal: Goal,
    conditions: Conditions,
    unknowns: Unknowns,
) -> Report {
    let Unknowns { r, u, merit: parts } = unknowns;
    let blocks: Vec<Block> = op.diagonal().iter().map(Block::new).collect();
    let items: Vec<Item> = op
        .order()
        .iter()
        .map(|&row| {
            let v = op.previous()[row as usize].z;
            Item { form: laws[row as usize].form(v), block: blocks[row as usize], v }
        })
        .collect();
    let kernel =
        Kernel::new(&items, Method { solver: BlockSolver::SemismoothNewton, epsilon: 1e-14, limit: 100 }, conditions);
    let merit = Measure { laws, blocks: &blocks, conditions, variant: PenaltyVariant::Implicit };
    op.start(r);
    let mut report = Report { status: Status::IterationLimit, method: "GS", ..Default::default() };
    let mut next = 2;
    while report.iterations < 10000 {
        op.sweep(r, &kernel, false);
        report.iterations += 1;
        if report.iterations == next {
            op.apply(r, u);
            let m = goal.measure(op, &merit, r, u, parts);
            if m <= goal.tolerance() {
                report.status = Status::Converged;
                break;
            }
            next = (next + 1).max((next as f64 * 1.2) as u32);
        }
    }
    report
}
