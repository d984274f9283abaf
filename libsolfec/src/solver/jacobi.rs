//! Block Jacobi iterations by products with `W` alone, accelerated (docs/solvers.md 9).
//!
//! Every block is solved for itself with `σ W_αα` in place of `W_αα`. Where `σ D − W` is positive semidefinite, `D` the
//! diagonal blocks of `W`, this minimises a majorant of the energy, so that the energy falls from one iteration to the
//! next; Anderson's acceleration makes up for the shorter steps. The least such σ is the largest Rayleigh quotient of
//! `W` over `D`; the iterations themselves show which quotients there are.

use std::sync::atomic::{AtomicUsize, Ordering};

use super::anderson::Anderson;
use super::contact::Method;
use super::gauss_seidel::blocks_status;
use super::kernel::{Item, Items, Kernel};
use super::merit::{worst, Measure};
use super::precise::Patience;
use super::{Block, Conditions, Law, Report, Status, Unknowns, Workspace, GRAIN};
use crate::dynamics::{BlockKernel, Delassus, Sweep};
use crate::math::{each, Mat3, Vec3};
use crate::model::{BlockSolver, PenaltyVariant};

/// Blocks are solved to the last digits that matter to the next iteration.
const METHOD: Method = Method { solver: BlockSolver::SemismoothNewton, epsilon: 1e-12, limit: 100 };

/// Iterations at most, and those in which the merit must halve.
const LIMIT: u32 = 2000;
const PATIENCE: u32 = 200;

/// Growth of the residual beyond which earlier iterates are forgotten.
const GROWTH: f64 = 2.0;

/// Room above the largest quotient that was seen.
const ROOM: f64 = 1.05;

/// Solves for the reactions of one step, from `unknowns.r`, until the merit is at most `meritval`, in at least one
/// iteration: forces of springs must not lag behind. The iterate of least merit is the result, or the last one if that
/// reaches the goal.
pub fn jacobi<D: Delassus>(
    work: &mut Workspace,
    op: &mut D,
    laws: &[Law],
    meritval: f64,
    conditions: Conditions,
    unknowns: Unknowns,
) -> Report {
    let Unknowns { r, u, merit: parts } = unknowns;
    let mut report = Report { method: "JACOBI", ..Report::default() };
    if op.rows() == 0 {
        return report;
    }
    work.prepare(op);
    let measure = Measure::new(op, laws, &work.blocks, conditions, PenaltyVariant::Implicit);
    each(r, GRAIN, |i, r| *r = laws[i].clip(r));
    op.apply(r, u);
    let first = first_quotient(op, r, u);
    let mut blocks = Blocks::new(op, laws, &work.blocks, first);
    let mut anderson = Anderson::<5>::default();
    anderson.begin(r, GROWTH);
    let mut patience = Patience::new(f64::INFINITY, PATIENCE);
    let (mut old_r, mut old_u) = (r.to_vec(), u.to_vec());
    let mut least = f64::INFINITY;
    let (mut swept, mut broken) = (Sweep::default(), 0);
    loop {
        let merit = measure.merit(op, r, u, parts);
        if report.iterations > 0 {
            work.error_history.push(report.error);
            work.merit_history.push(merit.value);
        }
        let reached = merit.value <= meritval;
        if merit.value < least || least.is_infinite() || reached {
            least = merit.value;
            work.best.clear();
            work.best.extend_from_slice(r);
        }
        report.status = Status::IterationLimit;
        if (reached && report.iterations > 0) || !merit.finite || report.iterations == LIMIT {
            break;
        }
        report.status = Status::Stagnation;
        if patience.ends(merit.value, report.iterations) {
            break;
        }
        old_r.copy_from_slice(r);
        old_u.copy_from_slice(u);
        let kernel = Kernel::new(&blocks.items, METHOD, conditions);
        swept = blocks.solve(op, &kernel, r, u);
        let (retries, failed) = kernel.take_counts(op);
        broken = failed;
        report.iterations += 1;
        report.retries = report.retries.saturating_add(retries);
        report.failed_blocks = report.failed_blocks.saturating_add(swept.failed as u32);
        report.active_blocks += swept.active as u64;
        anderson.next(op, laws, &work.blocks, r);
        op.apply(r, u);
        let [change, size] = op.sum(|i| [(r[i] - old_r[i]).norm_squared(), r[i].norm_squared()]);
        report.error = change.sqrt() / if size > 0.0 { size.sqrt() } else { 1.0 };
        let seen = quotient(op, |i| (r[i] - old_r[i], u[i] - old_u[i]));
        if seen > blocks.sigma {
            blocks = Blocks::new(op, laws, &work.blocks, seen);
            anderson.begin(r, GROWTH);
        }
    }
    r.copy_from_slice(&work.best);
    op.apply(r, u);
    let merit = measure.merit(op, r, u, parts);
    (report.merit, report.residual) = (merit.value, merit.residual);
    if !merit.finite {
        report.status = Status::NotFinite;
    } else if merit.value <= meritval {
        report.status = blocks_status(&swept, broken);
    }
    report.singular_blocks = work.singular_blocks(op, laws);
    report.worst = worst(op, parts);
    report
}

/// `x·Wx / x·Dx` of `x` and `W x`, given for each constraint; 0 for `x = 0`. Collective.
fn quotient<D: Delassus>(op: &D, of: impl Fn(usize) -> (Vec3, Vec3) + Sync) -> f64 {
    let diagonal = op.diagonal();
    let [above, below] = op.sum(|i| {
        let (x, image) = of(i);
        [x.dot(&image), x.dot(&(diagonal[i] * x))]
    });
    if below > 0.0 {
        above / below
    } else {
        0.0
    }
}

/// That of the guess `r`, or of equal reactions where there is none; `u = B + W r`. Collective.
fn first_quotient<D: Delassus>(op: &mut D, r: &[Vec3], u: &[Vec3]) -> f64 {
    let free = op.free();
    let guessed = quotient(op, |i| (r[i], u[i] - free[i]));
    if guessed > 0.0 {
        return guessed;
    }
    let equal = vec![Vec3::z(); op.len()];
    let mut image = equal.clone();
    op.apply(&equal, &mut image);
    let free = op.free();
    quotient(op, |i| (equal[i], image[i] - free[i]))
}

/// The blocks `σ W_αα`.
struct Blocks {
    sigma: f64,
    diagonal: Vec<Mat3>,
    items: Items,
}

impl Blocks {
    /// `seen`: the largest quotient so far; `blocks` are those of `W`.
    fn new<D: Delassus>(op: &D, laws: &[Law], blocks: &[Block], seen: f64) -> Blocks {
        let sigma = (ROOM * seen).max(1.0);
        let diagonal = op.diagonal();
        let item = |i: usize| {
            let (block, v) = (blocks[i], op.previous()[i].z);
            let form = laws[i].form_at(&diagonal[i], &block, v);
            Item { form, block: Block { inverse: block.inverse / sigma, rho: block.rho / sigma, ..block }, v }
        };
        let items = (0..op.len()).map(item).collect::<Vec<Item>>().into();
        Blocks { sigma, diagonal: diagonal.iter().map(|w| w * sigma).collect(), items }
    }

    /// Solves every block once, with the velocities `u` of the reactions `r`. Collective.
    fn solve<D: Delassus>(&self, op: &D, kernel: &Kernel, r: &mut [Vec3], u: &[Vec3]) -> Sweep {
        let failed = AtomicUsize::new(0);
        each(r, GRAIN, |i, r| {
            let w = &self.diagonal[i];
            let (new, solved) = kernel.solve(i, w, &(u[i] - w * *r), r);
            *r = new;
            if !solved {
                failed.fetch_add(1, Ordering::Relaxed);
            }
        });
        let active = r.iter().filter(|r| r.z > 0.0).count();
        let [failed, active] = op.total([failed.into_inner(), active].map(|n| n as f64)).map(|n| n as usize);
        Sweep { failed, active, ..Sweep::default() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dynamics::{Assembled, BlockSparse};
    use crate::model::Analysis;

    /// A row of contacts of which each feels the others as through an elastic body, pressed down unevenly and pushed
    /// along: some slide, some stick, some open.
    fn row(n: usize) -> (Assembled, Vec<Law>) {
        let entry = |i: usize, j: usize| {
            let near = (-0.2 * (i as f64 - j as f64).abs()).exp();
            (j as u32, Mat3::from_diagonal(&Vec3::new(1.0, 1.2, 0.9)) * near)
        };
        let upper: Vec<Vec<(u32, Mat3)>> = (0..n).map(|i| (i..n).map(|j| entry(i, j)).collect()).collect();
        let free = (0..n).map(|i| {
            let x = i as f64 / n as f64;
            Vec3::new(0.4 * x, 0.1, 0.3 - (6.0 * x).sin().abs())
        });
        let op = Assembled::new(BlockSparse::from_upper(&upper), free.collect(), vec![Vec3::zeros(); n]);
        let law = Law::Coulomb { friction: 0.4, restitution: 0.0, cohesion: 0.0, closing: 0.0 };
        (op.expect("an operator"), vec![law; n])
    }

    fn solved(n: usize, meritval: f64, guess: &[Vec3]) -> (Report, Vec<Vec3>) {
        let (mut op, laws) = row(n);
        let conditions = Conditions { h: 1e-3, analysis: Analysis::Dynamic, energy: 1.0 };
        let (mut r, mut u, mut merit) = (guess.to_vec(), vec![Vec3::zeros(); n], vec![0.0; n]);
        let unknowns = Unknowns { r: &mut r, u: &mut u, merit: &mut merit };
        let report = jacobi(&mut Workspace::new(), &mut op, &laws, meritval, conditions, unknowns);
        (report, r)
    }

    /// Fifty contacts, of which a row of `W` sums to ten times its diagonal, are solved to a merit of 1e-20 within
    /// 250 iterations, to the same reactions from any guess.
    #[test]
    fn coupled_contacts_are_solved_from_any_guess() {
        let n = 50;
        let (report, cold) = solved(n, 1e-20, &vec![Vec3::zeros(); n]);
        assert_eq!((report.status, report.method), (Status::Converged, "JACOBI"));
        assert!(report.iterations < 250 && report.merit <= 1e-20, "{report:?}");
        let opened = cold.iter().filter(|r| r.z == 0.0).count();
        let slides = |r: &&Vec3| r.z > 0.0 && r.xy().norm() > 0.4 * r.z * (1.0 - 1e-9);
        let slid = cold.iter().filter(slides).count();
        assert!(opened > 5 && slid > 5 && n - opened - slid > 5, "{opened} open, {slid} slide of {n}");
        let guess: Vec<Vec3> = (0..n).map(|i| Vec3::new(3.0, -1.0, (i as f64).cos())).collect();
        let (_, warm) = solved(n, 1e-20, &guess);
        let off = cold.iter().zip(&warm).map(|(a, b)| (a - b).norm()).fold(0.0, f64::max);
        assert!(off < 1e-8, "{off:e}");
    }

    /// What is asked for cannot be had: the iterate of least merit is the result.
    #[test]
    fn a_merit_out_of_reach_ends_as_stagnation() {
        let n = 20;
        let (report, _) = solved(n, 1e-300, &vec![Vec3::zeros(); n]);
        assert_eq!(report.status, Status::Stagnation);
        assert!(report.merit < 1e-25, "{report:?}");
    }
}
