//! Solvers outside this library. They know frictional contacts and nothing else: what else there is becomes part of `q`,
//! is eliminated before and found again afterwards, or is refused (constraints-solvers-parallel.md 9).

use super::law::Form;
use super::merit::{worst, Measure};
use super::schur::{Elimination, Part};
use super::{Conditions, Law, Report, Status, Unknowns, Workspace};
use crate::dynamics::{BlockSparse, Delassus};
use crate::math::Vec3;
use crate::model::PenaltyVariant;
use crate::{Error, Result};

/// A contact whose normal mobility falls below this part of what it was when prescribed velocities are eliminated is held
/// by them and takes no part.
const HELD: f64 = 1e-12;

/// Frictional contacts `u = W r + q`, `K ∋ r ⊥ u + μ|u_T| n ∈ K*`, components (T1, T2, N).
///
/// Velocities in m/s; reactions too: they are multiplied by a typical entry of the true `W`, rounded to a power of two, so
/// that a residual that adds reactions to velocities, as Siconos' does, means the same in all units.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct ExternalProblem {
    pub w: BlockSparse,
    pub q: Vec<Vec3>,
    pub friction: Vec<f64>,
    /// The guess.
    pub r: Vec<Vec3>,
}

/// What a solver outside makes of it.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct ExternalSolution {
    pub r: Vec<Vec3>,
    pub converged: bool,
    pub iterations: u32,
    /// By the solver's own measure.
    pub error: f64,
}

/// A solver outside this library.
pub trait External {
    /// Solves the problem of one step.
    ///
    /// # Errors
    /// Only when there is no answer at all; an iteration that ended early is an [`ExternalSolution`].
    fn contacts(&mut self, problem: &ExternalProblem) -> Result<ExternalSolution>;
}

/// Solves for the reactions of one step by `solver`, one law for each constraint of `op`; starts from `unknowns.r`. Final
/// `u` is one product `B + W R`, and the merit is evaluated there, as for all solvers.
///
/// # Errors
/// [`Error::Input`] for laws that cannot be passed on, and what the solver says.
pub fn external<D: Delassus>(
    work: &mut Workspace,
    op: &mut D,
    laws: &[Law],
    conditions: Conditions,
    unknowns: Unknowns,
    solver: &mut dyn External,
) -> Result<Report> {
    let Unknowns { r, u, merit: parts } = unknowns;
    let mut report = Report::default();
    if op.is_empty() {
        return Ok(report);
    }
    work.prepare(op);
    let roles: Vec<Role> = laws.iter().zip(op.previous()).map(|(law, v)| role(law, v)).collect::<Result<_>>()?;
    let prescribed: Vec<Part> = roles.iter().map(|role| role.part).collect();
    let elimination = Elimination::new(&op.assemble(), op.free(), &prescribed);
    let export = Export::new(&elimination, op, &roles, r);
    if export.problem.q.is_empty() {
        elimination.reactions(&vec![Vec3::zeros(); elimination.contacts.len()], r);
    } else {
        let solution = solver.contacts(&export.problem)?;
        report.iterations = solution.iterations;
        report.error = solution.error;
        if solution.r.iter().all(|r| r.iter().all(|x| x.is_finite())) {
            report.status = if solution.converged { Status::Converged } else { Status::IterationLimit };
            elimination.reactions(&export.reactions(&solution.r), r);
        } else {
            report.status = Status::NotFinite;
            r.iter_mut().zip(laws).for_each(|(r, law)| *r = law.clip(r));
        }
    }
    op.apply(r, u);
    let measure = Measure { laws, blocks: &work.blocks, conditions, variant: PenaltyVariant::Implicit };
    let merit = measure.merit(op, r, u, parts);
    (report.merit, report.residual, report.worst) = (merit.value, merit.residual, worst(parts));
    report.singular_blocks = work.singular_blocks();
    if !merit.finite {
        report.status = Status::NotFinite;
    }
    Ok(report)
}

/// A constraint as the problem outside sees it; friction and shifts mean something for contacts only.
#[derive(Debug, Clone, Copy)]
struct Role {
    part: Part,
    friction: f64,
    /// Added to `q_N`.
    bounce: f64,
    /// Added to `R_N`.
    cohesion: f64,
}

/// `v` is the velocity at the start of the step.
fn role(law: &Law, v: &Vec3) -> Result<Role> {
    match law.form(v.z) {
        Form::Cone { friction, bounce, cohesion } => Ok(Role { part: Part::Contact, friction, bounce, cohesion }),
        Form::Compliant(_) => Err(Error::input(
            "SICONOS_SOLVER: takes no contacts of model SPRING_DASHPOT; use GAUSS_SEIDEL_SOLVER or PENALTY_SOLVER",
        )),
    }
}

/// The problem that leaves the library.
struct Export {
    problem: ExternalProblem,
    /// Which of the contacts of the elimination it has, and their cohesion.
    contacts: Vec<(usize, f64)>,
    /// Reactions outside by reactions here [m/s/N].
    scale: f64,
    all: usize,
}

impl Export {
    fn new<D: Delassus>(elimination: &Elimination, op: &D, roles: &[Role], guess: &[Vec3]) -> Self {
        let Elimination { contacts: rows, w, q, .. } = elimination;
        let mobile = |k: &usize| w.get(*k, *k).is_some_and(|w| w.m33 > HELD * op.diagonal()[rows[*k]].m33);
        let kept: Vec<usize> = (0..rows.len()).filter(mobile).collect();
        let mut problem = ExternalProblem { w: submatrix(w, &kept), ..ExternalProblem::default() };
        let role = |k: usize| &roles[rows[kept[k]]];
        let lifted = |k: usize| Vec3::new(0.0, 0.0, role(k).cohesion);
        let scale = typical_size(&problem.w);
        for k in 0..kept.len() {
            let of_cohesion = problem.w.row(k).fold(Vec3::zeros(), |sum, (j, w)| sum + w * lifted(j));
            problem.q.push(q[kept[k]] - of_cohesion + Vec3::new(0.0, 0.0, role(k).bounce));
            problem.friction.push(role(k).friction);
            problem.r.push(scale * (guess[rows[kept[k]]] + lifted(k)));
        }
        problem.w.block.iter_mut().for_each(|w| *w /= scale);
        let contacts = (0..kept.len()).map(|k| (kept[k], role(k).cohesion)).collect();
        Export { problem, contacts, scale, all: rows.len() }
    }

    /// The reactions of all contacts of the elimination.
    fn reactions(&self, outside: &[Vec3]) -> Vec<Vec3> {
        let mut r = vec![Vec3::zeros(); self.all];
        for (&(k, cohesion), outside) in self.contacts.iter().zip(outside) {
            r[k] = outside / self.scale - Vec3::new(0.0, 0.0, cohesion);
        }
        r
    }
}

/// Rows and columns `kept`, ascending, of `w`.
fn submatrix(w: &BlockSparse, kept: &[usize]) -> BlockSparse {
    let mut matrix = BlockSparse { row_offset: vec![0], ..BlockSparse::default() };
    for &i in kept {
        for (j, block) in w.row(i) {
            if let Ok(j) = kept.binary_search(&j) {
                matrix.column.push(j as u32);
                matrix.block.push(*block);
            }
        }
        matrix.row_offset.push(matrix.column.len());
    }
    matrix
}

/// The power of two nearest to the mean of the diagonal of `w`; 1 where there is none.
fn typical_size(w: &BlockSparse) -> f64 {
    let trace: f64 = (0..w.rows()).filter_map(|i| w.get(i, i)).map(|w| w.trace()).sum();
    let size = (trace / (3.0 * w.rows() as f64)).log2().round().exp2();
    if size.is_finite() && size > 0.0 {
        size
    } else {
        1.0
    }
}
