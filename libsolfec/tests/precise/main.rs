//! The methods that reach high accuracy: interior point, proximal Newton, ADMM, and AUTO, which chooses.

mod bilateral;
mod contacts;
mod failures;
mod hard;
mod measure;

use solfec::dynamics::Delassus;
use solfec::math::Vec3;
use solfec::model::{Admm, CorrectedSweeps, GaussSeidel, InteriorPoint, ProximalNewton};
use solfec::solver::{
    admm, auto, corrected_sweeps, gauss_seidel, interior_point, proximal_newton, Goal, Law, Report, Status, Unknowns,
    Workspace,
};
use solfec_testing::problems::STEP;

/// The methods, all from `R = 0` in these tests.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Method {
    InteriorPoint,
    ProximalNewton,
    CorrectedSweeps,
    Admm,
    Auto,
}

const METHODS: [Method; 5] =
    [Method::InteriorPoint, Method::ProximalNewton, Method::CorrectedSweeps, Method::Admm, Method::Auto];

/// Those whose convergence is quadratic in the end, and AUTO.
const SHARP: [Method; 4] = [Method::InteriorPoint, Method::ProximalNewton, Method::CorrectedSweeps, Method::Auto];

struct Solution {
    r: Vec<Vec3>,
    u: Vec<Vec3>,
    report: Report,
}

fn run<D: Delassus>(method: Method, op: &mut D, laws: &[Law], goal: Goal) -> Solution {
    let n = op.len();
    let (mut r, mut u, mut parts) = (vec![Vec3::zeros(); n], vec![Vec3::zeros(); n], vec![0.0; n]);
    let unknowns = Unknowns { r: &mut r, u: &mut u, merit: &mut parts };
    let report = match method {
        Method::InteriorPoint => interior_point(op, laws, &InteriorPoint::default(), goal, STEP, unknowns),
        Method::ProximalNewton => proximal_newton(op, laws, &ProximalNewton::default(), goal, STEP, unknowns),
        Method::CorrectedSweeps => corrected_sweeps(op, laws, &CorrectedSweeps::default(), goal, STEP, unknowns),
        Method::Admm => admm(op, laws, &Admm::default(), goal, STEP, unknowns),
        Method::Auto => auto(op, laws, goal, STEP, unknowns),
    };
    Solution { r, u, report }
}

/// Solves to merit `g`, which must be reached.
fn solve<D: Delassus>(method: Method, op: &mut D, laws: &[Law], g: f64) -> Solution {
    let solution = run(method, op, laws, Goal::Merit(g));
    let report = &solution.report;
    assert_eq!(report.status, Status::Converged, "{method:?}: {report:?}");
    assert!(report.merit <= 1.01 * g + 1e-26, "{method:?}: {report:?}");
    solution
}

/// Merit that Gauss–Seidel reaches in so many sweeps.
fn gauss_seidel_merit<D: Delassus>(op: &mut D, laws: &[Law], sweeps: u32) -> f64 {
    let n = op.len();
    let (mut r, mut u, mut parts) = (vec![Vec3::zeros(); n], vec![Vec3::zeros(); n], vec![0.0; n]);
    let unknowns = Unknowns { r: &mut r, u: &mut u, merit: &mut parts };
    let settings = GaussSeidel { diagepsilon: 1e-14, ..GaussSeidel::new(f64::MIN_POSITIVE, sweeps) };
    gauss_seidel(&mut Workspace::new(), op, laws, &settings, STEP, unknowns).merit
}
