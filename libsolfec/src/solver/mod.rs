//! Solvers of `C(U, R) = 0` for any Delassus operator and list of laws, and the merit function. Knows no bodies.
//!
//! The operator owns order, threads and exchange; the solver ([`gauss_seidel`], [`penalty`]) the iteration; the [`Law`]
//! one block: its solution (in `kernel`) and its part of the merit. A new kind of constraint is a variant of [`Law`]
//! and touches no solver.

mod anderson;
mod bilateral;
mod block;
mod block_solvers;
mod cohesion;
mod compliant;
mod cone;
mod contact;
mod enumerative;
mod external;
mod fixed_point;
mod gauss_seidel;
mod impulses;
mod jacobi;
mod kernel;
mod law;
mod local;
pub mod map;
mod measure;
mod merit;
mod newton;
mod penalty;
mod precise;
mod projected_newton;
mod reference;
mod schur;
mod semismooth;

use anderson::Anderson;
pub use bilateral::{Elastic, Link};
pub use block::Block;
pub use cohesion::decohesion;
pub use compliant::Compliance;
pub use cone::{project, velocity_map};
pub use contact::{BlockError, Contact, Found, Method};
pub use external::{external, ContactProblem, ContactSolution, External, NoExternal};
pub use gauss_seidel::gauss_seidel;
pub use impulses::impulses;
use jacobi::jacobi;
use kernel::{Item, Items};
pub use law::Law;
pub use local::{LocalDynamics, LocalRow};
pub use measure::{siconos_error, siconos_error_of, SiconosError};
pub use merit::{merit, unsatisfied, Merit};
pub use newton::newton;
pub use penalty::penalty;
pub use precise::{admm, auto, auto_with, corrected_sweeps, interior_point, proximal_newton, Goal, Memory};
pub use reference::{reference, Reference};
pub use schur::{Elimination, Part};

use crate::dynamics::{Delassus, WholeMatrix};
use crate::math::{each_of_two, same_bits, Mat3, Vec3};
use crate::model::{Analysis, Newton, SolverSettings};
use crate::Result;

/// How a solve ended, in rising severity.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default)]
pub enum Status {
    #[default]
    Converged,
    /// The solver came to its goal, but not the laws of springs that are corrected between solves.
    Springs,
    IterationLimit,
    /// The limit of products with W.
    ProductLimit,
    /// Further iterations do not change the reactions, or do not bring them nearer to the goal.
    Stagnation,
    /// No step lowers the merit, however short it is and however much it is damped.
    LineSearch,
    /// The factors that the method needs do not fit in memory.
    NoFactors,
    /// In the last sweep the block solvers came to their limit of iterations at some contact: DIAGONAL_DIVERGED.
    BlockDivergence,
    /// In the last sweep a block could not be solved otherwise: DIAGONAL_FAILED.
    BlockFailure,
    NotFinite,
}

/// The structured report of a solve.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Report {
    pub status: Status,
    pub iterations: u32,
    /// Relative change of reactions in the last sweep.
    pub error: f64,
    /// Merit g(R).
    pub merit: f64,
    /// Largest natural-map residual [m/s].
    pub residual: f64,
    /// Block solves that the named block solver failed and another one did, over all sweeps.
    pub retries: u32,
    /// Block solves that all block solvers failed, over all sweeps.
    pub failed_blocks: u32,
    /// Diagonal blocks with a null direction, which is left free of force.
    pub singular_blocks: u32,
    /// Constraint of this process with the largest part of the merit; `None` where another process has a larger one.
    pub worst: Option<u32>,
    /// Block solves with R_N > 0 after them: the unit of the benchmarks.
    pub active_blocks: u64,
    /// Explicit penalty: the least step [s] at which a contact becomes unstable.
    pub critical_step: Option<f64>,
    /// Operations that AUTO counted, in those of its costs.
    pub operations: f64,
    /// The method that reached the result, where the solver has several; else empty.
    pub method: &'static str,
    /// The named method failed, and the result is that of a fall-back.
    pub fallback: bool,
    /// Some contact has a friction above 1, under which the projected quasi-Newton method may fail to converge.
    pub steep_friction: bool,
}

/// Unknowns of a solve, in key order.
pub struct Unknowns<'a> {
    /// In: the guess. Out: the solution.
    pub r: &'a mut [Vec3],
    /// Out: `B + W R` of the solution.
    pub u: &'a mut [Vec3],
    /// Parts of the merit; they sum to g.
    pub merit: &'a mut [f64],
}

/// What a solve must know of its step.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Conditions {
    /// Step length [s].
    pub h: f64,
    /// Quasi-static laws use no velocity of the start of the step (docs/theory.md, (1.7)).
    pub analysis: Analysis,
    /// Kinetic energy of all bodies [J], in quasi-statics the one that is stored in them: a scale of the merit
    /// (docs/theory.md 9).
    pub energy: f64,
}

/// Memory that solves keep from step to step; but for `memory`, its content does not influence results.
#[derive(Debug, Default)]
pub struct Workspace {
    blocks: Vec<Block>,
    /// The diagonal blocks that `blocks` are of.
    of: Vec<Mat3>,
    items: Items,
    best: Vec<Vec3>,
    anderson: Anderson<3>,
    error_history: Vec<f64>,
    merit_history: Vec<f64>,
    product_history: Vec<u32>,
    newton: newton::Memory,
    /// What solvers have learnt of earlier solves.
    pub memory: Memory,
}

impl Workspace {
    pub fn new() -> Self {
        Self::default()
    }

    /// Relative changes of the last Gauss–Seidel solve, one for each iteration.
    pub fn error_history(&self) -> &[f64] {
        &self.error_history
    }

    /// Merits of the last Gauss–Seidel or Newton solve, one for each iteration; NaN where it was not evaluated: by
    /// Gauss–Seidel with `meritval ≥ 1`, and while the change of reactions exceeds `epsilon`.
    pub fn merit_history(&self) -> &[f64] {
        &self.merit_history
    }

    /// Products with `W` of the last Newton solve, up to each iteration.
    pub fn product_history(&self) -> &[u32] {
        &self.product_history
    }

    /// Inverses of the diagonal blocks of `op`; those that are as in the last solve are there already.
    fn prepare<D: Delassus>(&mut self, op: &D) {
        self.prepare_of(op.diagonal());
    }

    /// The same of these diagonal blocks.
    fn prepare_of(&mut self, diagonal: &[Mat3]) {
        self.blocks.resize(diagonal.len(), Block::default());
        self.of.resize(diagonal.len(), Mat3::repeat(NO_NUMBER));
        each_of_two(&mut self.blocks, &mut self.of, GRAIN, |i, block, of| {
            if !same_bits(of, &diagonal[i]) {
                (*block, *of) = (Block::new(&diagonal[i]), diagonal[i]);
            }
        });
    }

    /// Laws and blocks in the order of sweeps; the blocks must be those of the swept diagonal.
    fn arrange<D: Delassus>(&mut self, op: &D, laws: &[Law]) {
        let (blocks, diagonal, previous) = (&self.blocks, op.swept_diagonal(), op.previous());
        self.items.arrange(op, |row| {
            let (block, v) = (blocks[row], previous[row].z);
            Item { form: laws[row].form_at(&diagonal[row], &block, v), block, v }
        });
    }

    /// Constraints with a direction that no reaction can move. Collective.
    fn singular_blocks<D: Delassus>(&self, op: &D, laws: &[Law]) -> u32 {
        singular_blocks(op, laws, &self.blocks)
    }
}

/// Constraints of all processes with a direction that no reaction can move.
fn singular_blocks<D: Delassus>(op: &D, laws: &[Law], blocks: &[Block]) -> u32 {
    let rows = laws.iter().zip(op.diagonal()).zip(blocks);
    count(op, rows.filter(|((law, w), block)| law.singular(w, block)).count()) as u32
}

/// The sum of `own` over all processes.
fn count<D: Delassus>(op: &D, own: usize) -> u64 {
    let [sum] = op.total([own as f64]);
    sum as u64
}

/// The least of numbers of all processes, ∞ without any.
fn least<D: Delassus>(op: &D, own: impl Iterator<Item = f64>) -> f64 {
    -op.greatest(-own.fold(f64::INFINITY, f64::min))
}

/// Solves with whatever solver is asked for.
///
/// # Errors
/// A solver that is not here, or that refuses a law of the problem. Failure to converge is no error: see [`Report`].
pub fn solve<D: WholeMatrix>(
    work: &mut Workspace,
    op: &mut D,
    laws: &[Law],
    settings: &SolverSettings,
    conditions: Conditions,
    unknowns: Unknowns,
    outside: &mut dyn External,
) -> Result<Report> {
    work.error_history.clear();
    work.merit_history.clear();
    if let Some(meritval) = without_sweeps(op, settings) {
        return Ok(by_products(work, op, laws, meritval, conditions, unknowns));
    }
    let report = match settings {
        SolverSettings::GaussSeidel(settings) => Ok(gauss_seidel(work, op, laws, settings, conditions, unknowns)),
        SolverSettings::Penalty(settings) => Ok(penalty(work, op, laws, settings, conditions, unknowns)),
        SolverSettings::Newton(settings) => Ok(newton_or_jacobi(work, op, laws, settings, conditions, unknowns)),
        SolverSettings::Siconos(settings) => external(work, op, laws, settings, conditions, unknowns, outside),
        SolverSettings::InteriorPoint(settings) => {
            let goal = Goal::Merit(settings.meritval);
            Ok(interior_point(op, laws, settings, goal, conditions, unknowns))
        }
        SolverSettings::ProximalNewton(settings) => {
            let goal = Goal::Merit(settings.meritval);
            Ok(proximal_newton(op, laws, settings, goal, conditions, unknowns))
        }
        SolverSettings::CorrectedSweeps(settings) => {
            let goal = Goal::Merit(settings.meritval);
            Ok(precise::corrected_sweeps_with(&mut work.memory, op, laws, settings, goal, conditions, unknowns))
        }
        SolverSettings::Admm(settings) => {
            let goal = Goal::Merit(settings.meritval);
            Ok(admm(op, laws, settings, goal, conditions, unknowns))
        }
        SolverSettings::Auto(settings) => {
            let goal = Goal::Merit(settings.meritval);
            Ok(auto_with(&mut work.memory, op, laws, goal, conditions, unknowns))
        }
    }?;
    // Methods that keep no history have their last merit.
    if work.merit_history.is_empty() && report.iterations > 0 {
        work.merit_history.push(report.merit);
    }
    Ok(report)
}

/// The merit to be reached by products with `W` alone, in place of a solver that needs more of the operator than it can
/// give: sweeps, `W` or factors.
fn without_sweeps<D: Delassus>(op: &mut D, settings: &SolverSettings) -> Option<f64> {
    if op.can_sweep() {
        return None;
    }
    let mut unless_factored = |meritval| if op.prepare_factors().is_some() { None } else { Some(meritval) };
    match settings {
        SolverSettings::Newton(_) => None,
        SolverSettings::GaussSeidel(settings) => Some(settings.meritval.min(FINE)),
        SolverSettings::Penalty(_) | SolverSettings::Siconos(_) => Some(FINE),
        SolverSettings::CorrectedSweeps(settings) => Some(settings.meritval),
        SolverSettings::Auto(settings) => Some(settings.meritval),
        SolverSettings::InteriorPoint(settings) => unless_factored(settings.meritval),
        SolverSettings::ProximalNewton(settings) => unless_factored(settings.meritval),
        SolverSettings::Admm(settings) => unless_factored(settings.meritval),
    }
}

/// Merit in place of a tolerance that is no merit.
const FINE: f64 = 1e-8;

/// Block Jacobi iterations, and where they do not reach the merit Newton's method from their best iterate.
fn by_products<D: Delassus>(
    work: &mut Workspace,
    op: &mut D,
    laws: &[Law],
    meritval: f64,
    conditions: Conditions,
    unknowns: Unknowns,
) -> Report {
    let Unknowns { r, u, merit } = unknowns;
    let report = jacobi(work, op, laws, meritval, conditions, Unknowns { r, u, merit });
    if report.status == Status::Converged || report.status == Status::NotFinite {
        return report;
    }
    let settings = Newton { meritval, ..Newton::default() }.by_products();
    let more = newton(work, op, laws, &settings, conditions, Unknowns { r, u, merit });
    Report { iterations: report.iterations + more.iterations, ..more }
}

/// Newton's method, and with `gsflag` where sweeps cannot be its fall-back block Jacobi iterations from its best iterate.
fn newton_or_jacobi<D: Delassus>(
    work: &mut Workspace,
    op: &mut D,
    laws: &[Law],
    settings: &Newton,
    conditions: Conditions,
    unknowns: Unknowns,
) -> Report {
    if op.can_sweep() {
        return newton(work, op, laws, settings, conditions, unknowns);
    }
    let Unknowns { r, u, merit } = unknowns;
    let settings = settings.clone().by_products();
    let report = newton(work, op, laws, &settings, conditions, Unknowns { r, u, merit });
    if report.status == Status::Converged || !settings.gsflag || !report.merit.is_finite() {
        return report;
    }
    let found = jacobi(work, op, laws, settings.meritval, conditions, Unknowns { r, u, merit });
    Report { iterations: report.iterations, fallback: true, ..found }
}

/// No entry of a matrix: arithmetic makes other NaNs.
const NO_NUMBER: f64 = f64::from_bits(u64::MAX);

/// Constraints under which a loop is not worth splitting among threads.
const GRAIN: usize = 512;
/// The same for loops of every sweep: what threads pass on to each other takes longer than a few thousand constraints.
const SWEEP_GRAIN: usize = 4096;
