//! Solvers outside this library. They take frictional contacts only: all other constraints become part of `q`,
//! is eliminated before and found again afterwards, or is refused (docs/theory.md, (10.5)).

use super::law::ResidualForm;
use super::merit::{worst, Measure};
use super::schur::{Elimination, Part};
use super::{Conditions, Law, Report, Status, Unknowns, Workspace};
use crate::dynamics::{BlockSparse, WholeMatrix};
use crate::math::Vec3;
use crate::model::{PenaltyVariant, Siconos};
use crate::{Error, Result};

/// A contact whose normal mobility falls below this part of what it was when prescribed velocities are eliminated is
/// held by them and takes no part.
const HELD: f64 = 1e-12;

/// A problem of Signorini–Coulomb contacts alone, local components (T1, T2, N): `U = W R + q`, `U_N ≥ 0 ⊥ R_N ≥ 0`,
/// `|R_T| ≤ μ R_N`. Restitution, cohesion and other constraints are already in `w` and `q`.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct ContactProblem {
    pub w: BlockSparse,
    pub q: Vec<Vec3>,
    pub friction: Vec<f64>,
    /// The guess.
    pub r: Vec<Vec3>,
}

/// What came back.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct ContactSolution {
    pub r: Vec<Vec3>,
    pub iterations: u32,
    /// Its own measure of error.
    pub error: f64,
    pub converged: bool,
}

/// A solver of contact problems outside of this library.
pub trait External {
    /// Where constraints are distributed over processes, all of them call with the same problem and must get the same
    /// answer, errors included.
    ///
    /// # Errors
    /// The solver is not installed, or it died. An iteration that ended early is a [`ContactSolution`].
    fn solve(&mut self, problem: &ContactProblem, settings: &Siconos) -> Result<ContactSolution>;
}

/// No solver: every call fails.
#[derive(Default)]
pub struct NoExternal;

impl External for NoExternal {
    fn solve(&mut self, _: &ContactProblem, _: &Siconos) -> Result<ContactSolution> {
        Err(Error::input("SICONOS_SOLVER: not available in this program; use sf-run"))
    }
}

/// Solves for the reactions of one step by `solver`, one law for each constraint of `op`; starts from `unknowns.r`.
/// Final `u` is one product `B + W R`, and the merit is evaluated there, as for all solvers.
///
/// # Errors
/// [`Error::Input`] for laws that cannot be passed on, and what the solver says.
pub fn external<D: WholeMatrix>(
    work: &mut Workspace,
    op: &mut D,
    laws: &[Law],
    settings: &Siconos,
    conditions: Conditions,
    unknowns: Unknowns,
    solver: &mut dyn External,
) -> Result<Report> {
    let Unknowns { r, u, merit: parts } = unknowns;
    let mut report = Report::default();
    if op.rows() == 0 {
        return Ok(report);
    }
    work.prepare(op);
    let roles = op.gather(|i| Role::encode(&laws[i], &op.previous()[i]));
    let roles: Vec<Role> = roles.into_iter().map(Role::decode).collect::<Result<_>>()?;
    let prescribed: Vec<Part> = roles.iter().map(|role| role.part).collect();
    let vectors = |own: &[Vec3]| -> Vec<Vec3> { op.gather(|i| own[i].into()).into_iter().map(Vec3::from).collect() };
    let (w, free, guess) = (op.assemble(), vectors(op.free()), vectors(r));
    let elimination = Elimination::new(&w, &free, &prescribed);
    let export = Export::new(&elimination, &w, &roles, &guess);
    let mut reactions = vec![Vec3::zeros(); roles.len()];
    let mut finite = true;
    if export.problem.q.is_empty() {
        elimination.reactions(&vec![Vec3::zeros(); elimination.contacts.len()], &mut reactions);
    } else {
        let solution = solver.solve(&export.problem, settings)?;
        report.iterations = solution.iterations;
        report.error = solution.error;
        finite = solution.r.iter().all(|r| r.iter().all(|x| x.is_finite()));
        if finite {
            report.status = if solution.converged { Status::Converged } else { Status::IterationLimit };
            elimination.reactions(&export.reactions(&solution.r), &mut reactions);
        }
    }
    if finite {
        r.iter_mut().enumerate().for_each(|(i, r)| *r = reactions[op.row_in_matrix(i)]);
    } else {
        report.status = Status::NotFinite;
        r.iter_mut().zip(laws).for_each(|(r, law)| *r = law.clip(r));
    }
    op.apply(r, u);
    let measure = Measure::new(op, laws, &work.blocks, conditions, PenaltyVariant::Implicit);
    let merit = measure.merit(op, r, u, parts);
    (report.merit, report.residual, report.worst) = (merit.value, merit.residual, worst(op, parts));
    report.singular_blocks = work.singular_blocks(op, laws);
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

impl Role {
    /// Seven numbers that [`Role::decode`] reads; `v` is the velocity at the start of the step.
    fn encode(law: &Law, v: &Vec3) -> [f64; 7] {
        let (kind, target, [friction, bounce, cohesion]) = match law.form(v.z) {
            ResidualForm::Cone { friction, bounce, cohesion } => (0, Vec3::zeros(), [friction, bounce, cohesion]),
            ResidualForm::Velocity3(target) => (1, target, [0.0; 3]),
            ResidualForm::Velocity(target) => (2, Vec3::new(0.0, 0.0, target), [0.0; 3]),
            ResidualForm::Link(_) => (3, Vec3::zeros(), [0.0; 3]),
            ResidualForm::Spring(_) => (4, Vec3::zeros(), [0.0; 3]),
            ResidualForm::Compliant(_) => (5, Vec3::zeros(), [0.0; 3]),
            ResidualForm::Null => unreachable!("a law without its block is never null"),
        };
        [f64::from(kind), target.x, target.y, target.z, friction, bounce, cohesion]
    }

    /// # Errors
    /// A law that cannot be passed on.
    fn decode(numbers: [f64; 7]) -> Result<Self> {
        let [kind, x, y, z, friction, bounce, cohesion] = numbers;
        let part = match kind as u8 {
            0 => Part::Contact,
            1 => Part::Velocity(Vec3::new(x, y, z)),
            2 => Part::NormalVelocity(z),
            3 => return refused("rigid links (PUT_RIGID_LINK)"),
            4 => return refused("springs (PUT_SPRING)"),
            _ => return refused("contacts of model SPRING_DASHPOT"),
        };
        Ok(Role { part, friction, bounce, cohesion })
    }
}

fn refused<T>(what: &str) -> Result<T> {
    Err(Error::input(format!("SICONOS_SOLVER: takes no {what}; use another solver, such as GAUSS_SEIDEL_SOLVER")))
}

/// The problem that leaves the library.
struct Export {
    problem: ContactProblem,
    /// Which of the contacts of the elimination it has, and their cohesion.
    contacts: Vec<(usize, f64)>,
    all: usize,
}

impl Export {
    /// `whole` is the matrix before the elimination.
    fn new(elimination: &Elimination, whole: &BlockSparse, roles: &[Role], guess: &[Vec3]) -> Self {
        let Elimination { contacts: rows, w, q, .. } = elimination;
        let normal = |w: &BlockSparse, k: usize| w.get(k, k).map_or(0.0, |w| w.m33);
        let mobile = |k: &usize| w.get(*k, *k).is_some_and(|w| w.m33 > HELD * normal(whole, rows[*k]));
        let kept: Vec<usize> = (0..rows.len()).filter(mobile).collect();
        let mut problem = ContactProblem { w: submatrix(w, &kept), ..ContactProblem::default() };
        let role = |k: usize| &roles[rows[kept[k]]];
        let lifted = |k: usize| Vec3::new(0.0, 0.0, role(k).cohesion);
        for k in 0..kept.len() {
            let of_cohesion = problem.w.row(k).fold(Vec3::zeros(), |sum, (j, w)| sum + w * lifted(j));
            problem.q.push(q[kept[k]] - of_cohesion + Vec3::new(0.0, 0.0, role(k).bounce));
            problem.friction.push(role(k).friction);
            problem.r.push(guess[rows[kept[k]]] + lifted(k));
        }
        let contacts = (0..kept.len()).map(|k| (kept[k], role(k).cohesion)).collect();
        Export { problem, contacts, all: rows.len() }
    }

    /// The reactions of all contacts of the elimination.
    fn reactions(&self, outside: &[Vec3]) -> Vec<Vec3> {
        let mut r = vec![Vec3::zeros(); self.all];
        for (&(k, cohesion), outside) in self.contacts.iter().zip(outside) {
            r[k] = outside - Vec3::new(0.0, 0.0, cohesion);
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
