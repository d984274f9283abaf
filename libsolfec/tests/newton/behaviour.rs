//! Options, failures, and what is not finite.

use super::*;
use solfec::math::local_base;
use solfec::model::Delta;
use solfec::solver::Status;
use solfec_testing::problems::{filled, random_system, single_with};
use solfec_testing::threads::with_threads;

fn finite(solution: &Solution) -> bool {
    solution.r.iter().all(|r| r.iter().all(|x| x.is_finite()))
}

/// Reactions stay finite whatever comes in.
#[test]
fn nan_does_not_leave_the_solver() {
    let start = [Vec3::new(0.0, 0.0, 1.0)];
    for linver in [LinearVariant::Gmres, LinearVariant::Diag] {
        for gsflag in [true, false] {
            let settings = Newton { linver, gsflag, ..Newton::default() };
            for bad in [f64::NAN, f64::INFINITY] {
                let mut op = single_with(Mat3::identity(), Vec3::new(0.0, bad, -1.0), Vec3::zeros());
                let solution = solve_from(&mut op, &[coulomb(0.3)], &settings, STEP, &start);
                assert!(finite(&solution) && solution.report.status == Status::NotFinite, "{:?}", solution.report);
                let mut op = single_with(Mat3::repeat(bad), Vec3::new(0.0, 0.0, -1.0), Vec3::zeros());
                let solution = solve_from(&mut op, &[coulomb(0.3)], &settings, STEP, &start);
                assert!(finite(&solution) && solution.report.status == Status::NotFinite, "{:?}", solution.report);
            }
            let mut op = single_with(Mat3::identity(), Vec3::new(0.1, 0.0, -1.0), Vec3::zeros());
            let guess = [Vec3::new(f64::NAN, 0.0, 1.0)];
            let solution = solve_from(&mut op, &[coulomb(0.3)], &settings, STEP, &guess);
            assert!(finite(&solution) && solution.report.status == Status::Converged);
        }
    }
}

/// One body, two different velocities at one point: the end is a report, and the reactions are finite.
#[test]
fn contradictory_constraints_are_reported() {
    for linver in [LinearVariant::Gmres, LinearVariant::Diag] {
        for gsflag in [true, false] {
            let settings = Newton { linver, gsflag, ..Newton::default() };
            let rows = [1.0, -1.0].map(|_| row((1, 2), Mat3::identity(), body(0, Vec3::zeros()), None));
            let mut op = BodyOperator::new();
            op.fill(STEP.h, [particle(1.0, Vec3::x())], &rows);
            let laws = [1.0, -1.0].map(|x| Law::Velocity3 { target: Vec3::new(0.0, x, 0.0) });
            let solution = solve(&mut op, &laws, &settings);
            let stopped = [Status::IterationLimit, Status::Stagnation, Status::LineSearch];
            assert!(stopped.contains(&solution.report.status), "{:?}", solution.report);
            assert!(finite(&solution) && solution.report.merit > 0.1 && solution.report.residual > 0.9);
            assert!(solution.report.worst.is_some());
        }
    }
}

/// A report tells why the iteration stopped: limits of iterations and of products, or steps that do not help.
#[test]
fn the_reason_of_a_stop_is_reported() {
    let (bodies, rows) = random_system(40, 120, 8);
    let laws = vec![coulomb(0.9); rows.len()];
    let status = |settings: Newton| solve(&mut filled(&bodies, &rows), &laws, &settings).report.status;
    let settings = Newton { gsflag: false, ..Newton::default() };
    assert_eq!(status(Newton { maxiter: 2, ..settings }), Status::IterationLimit);
    assert_eq!(status(Newton { maxmatvec: 20, ..settings }), Status::ProductLimit);
    let stuck = status(Newton { meritval: 1e-300, maxiter: 100_000, maxmatvec: 1_000_000, ..settings });
    assert!([Status::LineSearch, Status::Stagnation].contains(&stuck), "{stuck:?}");
    // A fall-back that does no better does not change the reason.
    assert_eq!(status(Newton { maxmatvec: 20, meritval: 1e-300, gsflag: true, ..settings }), Status::ProductLimit);
}

/// A block with a null direction: the Levenberg shift of PQN2, and least residuals in PQN1.
#[test]
fn singular_blocks_are_solved() {
    let w = Mat3::from_diagonal(&Vec3::new(1.0, 0.0, 1.0));
    for settings in [exact(1e-12, 0.0), diagonal(1e-12, 0.5)] {
        let mut op = single_with(w, Vec3::new(0.1, 0.0, -1.0), Vec3::zeros());
        let solution = solve(&mut op, &[coulomb(0.3)], &settings);
        assert_eq!((solution.report.status, solution.report.singular_blocks), (Status::Converged, 1));
        assert!((solution.r[0] - Vec3::new(-0.1, 0.0, 1.0)).norm() < 1e-5, "{}", solution.r[0]);
    }
}

/// δ relative to W, a smoothing of its own choice, and a bound on products.
#[test]
fn options_act() {
    let (bodies, rows) = random_system(40, 30, 5);
    let laws = vec![coulomb(0.2); rows.len()];
    let mut op = filled(&bodies, &rows);
    let mut iterations = Vec::new();
    for reldelta in [Delta::Least, Delta::Average, Delta::Largest] {
        let settings = Newton { reldelta, ..exact(1e-16, 0.1) };
        let solution = solve(&mut op, &laws, &settings);
        assert_eq!(solution.report.status, Status::Converged);
        iterations.push(solution.report.iterations);
    }
    assert!(iterations[0] < iterations[1] && iterations[1] < iterations[2], "{iterations:?}");
    let smooth = solve(&mut op, &laws, &Newton { omega: None, ..exact(1e-8, 0.0) });
    assert_eq!(smooth.report.status, Status::Converged);
    let few = solve(&mut op, &laws, &Newton { maxmatvec: 7, gsflag: false, ..Newton::default() });
    assert!(few.report.iterations >= 1 && *few.products.last().unwrap() <= 7 + 5, "{:?}", few.products);
    let none = solve(&mut BodyOperator::new(), &[], &Newton::default());
    assert_eq!((none.report.status, none.report.iterations), (Status::Converged, 0));
}

/// Friction above 1 is reported.
#[test]
fn steep_friction_is_told() {
    for (mu, steep) in [(1.0, false), (1.1, true)] {
        let base = local_base(&Vec3::z());
        let mut op = BodyOperator::new();
        let rows = [row((1, 2), base, body(0, Vec3::zeros()), Some(End::Fixed))];
        op.fill(STEP.h, [particle(1.0, Vec3::new(1.0, 0.0, -0.1))], &rows);
        let solution = solve(&mut op, &[coulomb(mu)], &Newton::default());
        assert_eq!(solution.report.steep_friction, steep);
        assert_eq!(solution.report.status, Status::Converged);
    }
}

/// Bitwise equal results for 1 and 3 threads.
#[test]
fn threads_change_nothing() {
    let (bodies, rows) = random_system(900, 1500, 31);
    let laws = vec![coulomb(0.3); rows.len()];
    for locdyn in [true, false] {
        let settings = Newton { locdyn, maxiter: 4, gsflag: false, ..Newton::default() };
        let run = |threads| with_threads(threads, || solve(&mut filled(&bodies, &rows), &laws, &settings));
        let (one, three) = (run(1), run(3));
        assert!(one.r == three.r && one.u == three.u && one.report == three.report && one.merits == three.merits);
    }
}

#[test]
fn options_out_of_range_are_refused() {
    let good = Newton::default();
    assert!(good.validate().is_ok());
    assert!(Newton { omega: None, theta: 1.0, ..good.clone() }.validate().is_ok());
    let bad = [
        (Newton { meritval: 0.0, ..good.clone() }, "meritval must be > 0, not 0"),
        (Newton { meritval: f64::NAN, ..good.clone() }, "meritval must be > 0, not NaN"),
        (Newton { epsilon: -1.0, ..good.clone() }, "epsilon must be > 0, not -1"),
        (Newton { delta: -0.5, ..good.clone() }, "delta must be >= 0, not -0.5"),
        (Newton { theta: 0.0, ..good.clone() }, "theta must be in (0, 1], not 0"),
        (Newton { theta: 1.5, ..good.clone() }, "theta must be in (0, 1], not 1.5"),
        (Newton { omega: Some(-1.0), ..good.clone() }, "omega must be >= 0 or 'AUTO', not -1"),
        (Newton { maxiter: 0, ..good.clone() }, "maxiter must be > 0, not 0"),
        (Newton { linmaxiter: 0, ..good.clone() }, "linmaxiter must be > 0, not 0"),
        (Newton { maxmatvec: 0, ..good.clone() }, "maxmatvec must be > 0, not 0"),
    ];
    for (settings, text) in bad {
        assert_eq!(settings.validate().unwrap_err().to_string(), format!("NEWTON_SOLVER: {text}"));
    }
}
