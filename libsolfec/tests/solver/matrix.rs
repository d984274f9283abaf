//! All solvers on all problems against the reference. To add a solver, add a row to [`table`].

use crate::problems::{all, Problem};
use solfec_testing::problems::*;

use solfec::dynamics::Delassus;
use solfec::math::Vec3;
use solfec::model::{
    Admm, Auto, CorrectedSweeps, GaussSeidel, InteriorPoint, LinearVariant, Newton, ProximalNewton, SolverSettings,
};
use solfec::solver::{self, reference, NoExternal, Report, Status, Unknowns, Workspace};

/// Velocities are compared to ten times this fraction of the largest free one.
const TOLERANCE: f64 = 1e-7;

/// The merit asked for: the square of the tolerance, and a reserve for soft directions.
const MERIT: f64 = 1e-4 * TOLERANCE * TOLERANCE;

/// Not run: a local method without a fall-back where friction is so strong that sliding is impossible; a Jacobi-like
/// one that takes most of a million iterations.
const EXCEPTIONS: [(&str, &str); 2] = [("proximal Newton", "4.6 rod of Painlevé"), ("PQN2", "chain 1:1000")];

fn table() -> Vec<(String, SolverSettings)> {
    let mut rows = Vec::new();
    for diagsolver in SOLVERS {
        let fine = GaussSeidel { meritval: MERIT, ..settings(1e-11, 2_000_000, diagsolver) };
        rows.push((format!("Gauss-Seidel {diagsolver:?}"), SolverSettings::GaussSeidel(fine)));
    }
    let newton = Newton { meritval: MERIT, ..Newton::default() };
    let unassembled = Newton { locdyn: false, ..newton.clone() };
    let diagonal = Newton { linver: LinearVariant::Diag, maxiter: 100_000, maxmatvec: 100_000, ..newton.clone() };
    rows.push(("PQN1".into(), SolverSettings::Newton(newton)));
    rows.push(("PQN1, locdyn OFF".into(), SolverSettings::Newton(unassembled)));
    rows.push(("PQN2".into(), SolverSettings::Newton(diagonal)));
    let interior = InteriorPoint { meritval: MERIT, ..InteriorPoint::default() };
    rows.push(("interior point".into(), SolverSettings::InteriorPoint(interior)));
    let proximal = ProximalNewton { meritval: MERIT, ..ProximalNewton::default() };
    rows.push(("proximal Newton".into(), SolverSettings::ProximalNewton(proximal)));
    let corrected = CorrectedSweeps { meritval: MERIT, ..CorrectedSweeps::default() };
    rows.push(("corrected sweeps".into(), SolverSettings::CorrectedSweeps(corrected)));
    rows.push(("ADMM".into(), SolverSettings::Admm(Admm { meritval: MERIT, maxiter: 1_000_000, ..Admm::default() })));
    rows.push(("AUTO".into(), SolverSettings::Auto(Auto { meritval: MERIT })));
    rows
}

/// Solves a problem from zero: reactions, velocities, report.
fn run(problem: &mut Problem, settings: &SolverSettings) -> (Vec<Vec3>, Vec<Vec3>, Report) {
    let n = problem.op.len();
    let (mut r, mut u, mut parts) = (vec![Vec3::zeros(); n], vec![Vec3::zeros(); n], vec![0.0; n]);
    let unknowns = Unknowns { r: &mut r, u: &mut u, merit: &mut parts };
    let (op, laws) = (&mut problem.op, &problem.laws);
    let report = solver::solve(&mut Workspace::new(), op, laws, settings, STEP, unknowns, &mut NoExternal).unwrap();
    (r, u, report)
}

fn largest(x: &[Vec3]) -> f64 {
    x.iter().map(Vec3::norm).fold(f64::MIN_POSITIVE, f64::max)
}

/// What is wrong with a solution, if anything.
fn compare(problem: &mut Problem, settings: &SolverSettings, exact: &solver::Reference) -> Result<Report, String> {
    let (r, u, report) = run(problem, settings);
    if report.status != Status::Converged || report.merit > MERIT {
        return Err(format!("{report:?}"));
    }
    let speed = largest(problem.op.free());
    let far = |(u, exact): (&Vec3, &Vec3)| (u - exact).norm() > 10.0 * TOLERANCE * speed;
    if let Some(i) = u.iter().zip(&exact.u).position(far) {
        return Err(format!("U[{i}] = {:?}, not {:?}", u[i], exact.u[i]));
    }
    let force = largest(&exact.r);
    let far = |(r, exact): (&Vec3, &Vec3)| (r - exact).norm() > 1e-6 * force;
    match r.iter().zip(&exact.r).position(far).filter(|_| problem.isostatic) {
        Some(i) => Err(format!("R[{i}] = {:?}, not {:?}", r[i], exact.r[i])),
        None => Ok(report),
    }
}

#[test]
fn matrix() {
    let mut failures = Vec::new();
    for mut problem in all() {
        let exact = reference(&problem.op, &problem.laws, 1e-13).unwrap_or_else(|e| panic!("{}: {e}", problem.name));
        for (name, settings) in table() {
            let start = std::time::Instant::now();
            if EXCEPTIONS.iter().any(|(solver, on)| *solver == name && *on == problem.name) {
                continue;
            }
            match compare(&mut problem, &settings, &exact) {
                Ok(report) => println!(
                    "{}, {name}: {:?}, {} iterations, {} retries, merit {:.1e}",
                    problem.name,
                    start.elapsed(),
                    report.iterations,
                    report.retries,
                    report.merit
                ),
                Err(error) => failures.push(format!("{}, {name}: {error}", problem.name)),
            }
        }
    }
    assert!(failures.is_empty(), "{}", failures.join("\n"));
}
