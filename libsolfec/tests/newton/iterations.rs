//! Iteration counts and accuracy of PQN1 and PQN2 on small problems (docs/solvers.md 7).

use super::*;
use solfec::model::{BlockSolver, GaussSeidel};
use solfec::solver::Status;
use solfec_testing::near::near;
use solfec_testing::near::near as close;
use solfec_testing::problems::{
    column, example, filled, random_system, settings, single, solve as sweep, solve_from as sweep_from, Random,
};

const STICKING: (Vec3, f64) = (Vec3::new(0.1, 0.05, -2.0), 0.8);
const SLIDING: (Vec3, f64) = (Vec3::new(1.0, 0.5, -2.0), 0.3);

fn one((b, mu): (Vec3, f64), settings: &Newton) -> Solution {
    let solution = solve(&mut single(example(), b), &[coulomb(mu)], settings);
    assert_eq!(solution.report.status, Status::Converged);
    solution
}

#[test]
fn iterations_of_single_contacts() {
    let stick = one(STICKING, &exact(1e-20, 0.0));
    assert_eq!((stick.report.iterations, stick.report.method), (1, "PQN1"));
    // The smoothing ω = 1e-10 moves the solution by as much.
    close(&stick.r[0], &Vec3::new(-0.621820809249, -0.078757225434, 2.318786127168), 2e-10);
    let slip = one(SLIDING, &exact(1e-20, 0.0));
    assert_eq!(slip.report.iterations, 3);
    let reaction = Vec3::new(-0.681777053061, -0.190876769720, 2.359976203502);
    close(&slip.r[0], &reaction, 1e-9);
    for (theta, iterations) in [(1.0, 2), (0.5, 14), (0.25, 21)] {
        let slip = one(SLIDING, &diagonal(1e-8, theta));
        assert_eq!(slip.report.method, "PQN2");
        near(f64::from(slip.report.iterations), f64::from(iterations), 2.0);
        close(&slip.r[0], &reaction, 1e-3);
    }
}

#[test]
fn iterations_of_the_column() {
    let laws = [coulomb(0.5); 2];
    let solution = solve(&mut column(1.0, 1.0), &laws, &exact(1e-24, 0.0));
    assert_eq!((solution.report.iterations, solution.report.status), (2, Status::Converged));
    [20.0, 10.0].iter().zip(&solution.r).for_each(|(n, r)| close(r, &Vec3::new(0.0, 0.0, *n), 1e-12));
    for (theta, iterations) in [(1.0, 27), (0.25, 56)] {
        let solution = solve(&mut column(1.0, 1.0), &laws, &diagonal(1e-8, theta));
        assert_eq!((solution.report.iterations, solution.report.status), (iterations, Status::Converged));
        if theta == 1.0 {
            (1..).zip(&solution.merits).for_each(|(k, g)| near(g * 2.0_f64.powi(k), 1.0, 1e-6));
        }
    }
}

#[test]
fn iterations_of_the_sliding_block() {
    let laws = [coulomb(0.5); 2];
    let force = [Vec3::new(-3.75, 0.0, 7.5), Vec3::new(-1.25, 0.0, 2.5)];
    let error = |solution: &Solution| {
        let miss = |(r, exact): (&Vec3, &Vec3)| (r - exact).norm_squared();
        (solution.r.iter().zip(&force).map(miss).sum::<f64>() / force.map(|f| f.norm_squared()).iter().sum::<f64>())
            .sqrt()
    };
    let cases = [
        (exact(1e-20, 0.0), 1, 5e-10),
        (exact(1e-9, 1e-3), 3, 3e-4),
        (diagonal(1e-8, 0.25), 76, 7e-4),
        (exact(1e-20, 1e-3), 8, 1e-8),
        (diagonal(1e-20, 0.25), 261, 1e-8),
    ];
    for (settings, iterations, expected) in cases {
        let solution = solve(&mut sliding_block(), &laws, &settings);
        assert_eq!((solution.report.iterations, solution.report.status), (iterations, Status::Converged));
        let error = error(&solution);
        assert!(error <= 1.1 * expected, "{error:e} instead of {expected:e}");
    }
}

/// The part without finite elements.
#[test]
fn assembled_and_matrix_free_agree() {
    let (bodies, rows) = random_system(40, 30, 5);
    let random = &mut Random(6);
    let laws: Vec<Law> = rows.iter().map(|_| coulomb(0.4 * random.number().abs())).collect();
    let off = |settings: &Newton| Newton { locdyn: false, ..settings.clone() };
    for on in [exact(1e-20, 0.0), Newton { maxiter: 3000, ..diagonal(1e-20, 0.25) }] {
        let mut op = filled(&bodies, &rows);
        let b = solve(&mut op, &laws, &off(&on));
        assert_eq!(op.assemblies(), 0);
        let a = solve(&mut op, &laws, &on);
        assert_eq!(op.assemblies(), 1);
        assert_eq!([a.report.status, b.report.status], [Status::Converged; 2], "{:?} {:?}", a.report, b.report);
        let size = a.r.iter().map(Vec3::norm).fold(0.0, f64::max);
        assert!(a.r.iter().zip(&b.r).all(|(a, b)| (a - b).norm() <= 1e-9 * size));
    }
}

/// A hyperstatic system, far from done after one step.
#[test]
fn a_single_iteration_ends_as_asked() {
    let (bodies, rows) = random_system(40, 120, 8);
    let laws = vec![coulomb(0.9); rows.len()];
    let hasty = Newton { maxiter: 1, gsflag: true, ..Newton::default() };
    let mut op = filled(&bodies, &rows);
    let fallen = solve(&mut op, &laws, &hasty);
    assert!(fallen.report.fallback && fallen.report.method == "GAUSS_SEIDEL");
    assert_eq!((fallen.report.iterations, fallen.report.status), (1, Status::Converged));
    let sweeps = GaussSeidel { meritval: 1e-8, diagepsilon: 1e-9, ..GaussSeidel::new(1.0, 1000) };
    let swept = sweep(&mut op, &laws, &sweeps);
    assert!(swept.r == fallen.r && swept.u == fallen.u && swept.report.merit == fallen.report.merit);

    let best = solve(&mut op, &laws, &Newton { gsflag: false, ..hasty });
    assert_eq!((best.report.iterations, best.report.status), (1, Status::IterationLimit));
    assert!(!best.report.fallback && best.report.method == "PQN1");
    assert!(best.report.merit.is_finite() && best.report.merit < 1.0 && best.report.merit > 1e-8);
    assert!(best.r.iter().all(|r| r.iter().all(|x| x.is_finite())));
}

#[test]
fn large_delta_gives_small_steps_of_steepest_descent() {
    let delta = 1e7;
    let settings = Newton { maxiter: 1, ..exact(1e-20, delta) };
    let mut op = single(example(), SLIDING.0);
    let start = [Vec3::new(-0.3, 0.1, 2.0)];
    let solution = solve_from(&mut op, &[coulomb(SLIDING.1)], &settings, STEP, &start);
    // Inside the cone C = F(U) + m(S) is evaluated by hand: S leaves K on its slope.
    let u = SLIDING.0 + example() * start[0];
    let c = solfec::solver::velocity_map(&u, &start[0], SLIDING.1, 1.0);
    let step = solution.r[0] - start[0];
    assert!((step + c / delta).norm() <= 1e-6 * c.norm() / delta, "{step} {c}");
}

/// A warm start at the solution costs no iteration.
#[test]
fn a_solution_is_left_alone() {
    let laws = [coulomb(0.5); 2];
    let mut op = sliding_block();
    let found = sweep(&mut op, &laws, &settings(1e-14, 200, BlockSolver::Enumerative));
    let again = solve_from(&mut op, &laws, &exact(1e-20, 0.0), STEP, &found.r);
    assert_eq!((again.report.iterations, again.report.status), (0, Status::Converged));
    assert!(again.r == found.r);
    let swept = sweep_from(&mut op, &laws, &settings(1e-3, 10, BlockSolver::Enumerative), &found.r);
    assert_eq!(swept.report.iterations, 1);
}
