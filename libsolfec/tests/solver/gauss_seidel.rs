//! Gauss–Seidel on small problems with known iterates.

use solfec_testing::ball::Ball;
use solfec_testing::near::near;
use solfec_testing::near::near as close;
use solfec_testing::problems::*;

use crate::problems::{assembled, chain};
use solfec::body::{Inertia, Twist};
use solfec::dynamics::{Assembled, BlockSparse, Delassus, End};
use solfec::math::{local_base, Mat3, Vec3};
use solfec::model::{BlockSolver, GaussSeidel};
use solfec::solver::{reference, unsatisfied, Law, Link, Status};

#[test]
fn one_contact_takes_two_sweeps() {
    let law = [coulomb(0.3)];
    for solver in SOLVERS {
        let mut op = single(example(), SLIDING);
        let first = solve(&mut op, &law, &settings(1e-3, 100, solver));
        assert_eq!(first.report.iterations, 2);
        assert_eq!(first.error_history[0], 1.0);
        assert!(first.error_history[1] <= 1e-12);
        assert_eq!(first.report.status, Status::Converged);
        let warm = solve_from(&mut op, &law, &settings(1e-3, 100, solver), &first.r);
        assert_eq!(warm.report.iterations, 1);
    }
}

#[test]
fn iterates_of_a_column() {
    let laws = [coulomb(0.0); 2];
    for diagsolver in SOLVERS {
        for k in 1..=10 {
            let few = GaussSeidel { diagsolver, ..GaussSeidel::new(1e-3, k) };
            let solution = solve(&mut column(1.0, 1.0), &laws, &few);
            let left = 0.5_f64.powi(k as i32);
            near(solution.r[0].z, 20.0 * (1.0 - left), 1e-12);
            near(solution.r[1].z, 10.0 * (1.0 - left), 1e-12);
            near(solution.report.error, 1.0 / (1.0 / left - 1.0), 1e-12);
        }
    }
    let report = solve(&mut column(1.0, 1.0), &laws, &GaussSeidel::new(1e-3, 100)).report;
    assert_eq!((report.iterations, report.status), (10, Status::Converged));
    near(report.error, 9.775171e-4, 1e-9);

    let missing = |k| 100.0 - solve(&mut column(9.0, 1.0), &laws, &GaussSeidel::new(1e-12, k)).r[0].z;
    near(missing(20) / missing(19), 0.9, 1e-12);
}

#[test]
fn a_sliding_block_on_two_contacts() {
    let (mut bodies, mut assembled) = sliding_block();
    let block = |i, j| {
        let w = assembled.matrix().get(i, j).unwrap();
        [w.m11, w.m13, w.m31, w.m33]
    };
    for (found, expected) in
        [(block(0, 0), [0.025, 0.015, 0.015, 0.025]), (block(0, 1), [0.025, -0.015, 0.015, -0.005])]
    {
        found.iter().zip(expected).for_each(|(a, b)| near(*a, b, 1e-16));
    }
    close(&assembled.free()[1], &Vec3::new(1.0, 0.0, -0.1), 1e-16);
    let laws = [coulomb(0.5); 2];
    for solver in SOLVERS {
        let fine = |maxiter| settings(1e-8, maxiter, solver);
        let first = solve(&mut assembled, &laws, &fine(1));
        close(&first.r[0], &Vec3::new(-2.857142857, 0.0, 5.714285714), 1e-9);
        close(&first.r[1], &Vec3::new(-1.318681319, 0.0, 2.637362637), 1e-9);
        let forward = solve(&mut assembled, &laws, &fine(100));
        assert_eq!(forward.report.iterations, 8);
        let reverse = GaussSeidel { reverse: true, ..fine(100) };
        let reverse = solve(&mut assembled, &laws, &reverse);
        assert_eq!(reverse.report.iterations, 8);
        let matrix_free = solve(&mut bodies, &laws, &fine(100));
        assert_eq!(matrix_free.report.iterations, 8);
        for solution in [forward, reverse, matrix_free] {
            close(&solution.r[0], &Vec3::new(-3.75, 0.0, 7.5), 1e-6);
            close(&solution.r[1], &Vec3::new(-1.25, 0.0, 2.5), 1e-6);
        }
    }
}

/// A block beyond μ = 1 tips: its rear contact opens.
#[test]
fn a_block_of_large_friction_tips() {
    for (mu, tips) in [(0.99, false), (1.01, true)] {
        let fine = settings(1e-12, 10_000, BlockSolver::SemismoothNewton);
        let solution = solve(&mut sliding_block().1, &[coulomb(mu); 2], &fine);
        assert_eq!(solution.u[1].z > 1e-9, tips, "μ = {mu}: {:?}", solution.u);
    }
}

#[test]
fn stops_on_merit_or_at_the_limit() {
    let laws = [coulomb(0.0); 2];
    let by_merit = GaussSeidel { meritval: 1e-10, ..GaussSeidel::new(1.0, 1000) };
    let solution = solve(&mut column(1.0, 1.0), &laws, &by_merit);
    let report = solution.report;
    // g = 4^-k: the first k with 4^-k ≤ 1e-10 is 17.
    assert_eq!((report.iterations, report.status), (17, Status::Converged));
    assert_eq!(solution.merit_history.len(), 17);
    let short = solve(&mut column(1.0, 1.0), &laws, &GaussSeidel::new(1e-3, 1));
    assert_eq!(short.report.status, Status::IterationLimit);
    near(short.r[0].z, 10.0, 1e-13);
    near(short.r[1].z, 5.0, 1e-13);
    // The last permitted sweep may be the one that converges.
    let last = solve(&mut column(1.0, 1.0), &laws, &GaussSeidel::new(1e-3, 10));
    assert_eq!(last.report.status, Status::Converged);
}

/// A body pinned at a point, linked to a mass, linked to a mass on the floor: the dense equations of all constraints,
/// which hold while the contact sticks, by Newton's method.
#[test]
fn a_chain_with_a_contact_meets_the_dense_solution() {
    let reach = 0.5 * STEP.h;
    let fall = -10.0 * STEP.h * Vec3::z();
    let pinned = Inertia::Rigid {
        inverse_mass: 0.5,
        inverse_inertia: Mat3::from_diagonal(&Vec3::new(3.0, 2.0, 1.0)),
        free: Twist { linear: Vec3::new(0.3, -0.1, 0.2), angular: Vec3::new(0.5, 1.0, -0.4) },
        previous: Twist { linear: Vec3::zeros(), angular: Vec3::zeros() },
    };
    let bodies = [pinned, particle(1.0, fall + 0.2 * Vec3::x()), particle(3.0, fall)];
    let toward = Vec3::new(1.0, 0.3, -0.5).normalize();
    let rows = [
        row((0, 1), Mat3::identity(), body(0, Vec3::new(-0.5, 0.2, 0.4)), Some(End::Fixed)),
        row((1, 2), local_base(&toward), body(1, Vec3::zeros()), Some(body(0, Vec3::new(0.5, 0.0, -0.3)))),
        row((2, 3), local_base(&-Vec3::z()), body(2, Vec3::zeros()), Some(body(1, Vec3::zeros()))),
        row((3, 4), local_base(&Vec3::z()), body(2, -0.2 * Vec3::z()), Some(End::Fixed)),
    ];
    let links = [(1.2, 1.201), (0.8, 0.8)].map(|(length, distance)| Link { length, distance, reach });
    let target = Vec3::new(0.01, 0.02, -0.01);
    let laws = [Law::Velocity3 { target }, Law::Link(links[0]), Law::Link(links[1]), coulomb(0.6)];
    let mut op = assembled(&bodies, &rows);

    // Components of the local vectors that carry a reaction: three of the pin, one of each link, three of the contact.
    let kept = [0, 1, 2, 5, 8, 9, 10, 11];
    let w = |i: usize, j: usize| op.matrix().get(i / 3, j / 3).map_or(0.0, |block| block[(i % 3, j % 3)]);
    let full = nalgebra::DMatrix::from_fn(12, 8, |i, j| w(i, kept[j]));
    let mut x = nalgebra::DVector::zeros(8);
    let free = nalgebra::DVector::from_fn(12, |i, _| op.free()[i / 3][i % 3]);
    for _ in 0..20 {
        let u = &free + &full * &x;
        let mut c = nalgebra::DVector::from_fn(8, |k, _| u[kept[k]]);
        let mut jacobian = nalgebra::DMatrix::from_fn(8, 8, |k, j| full[(kept[k], j)]);
        (0..3).for_each(|k| c[k] -= target[k]);
        for (k, link) in links.iter().enumerate() {
            let at = 3 * (k + 1);
            let end = Vec3::new(reach * u[at], reach * u[at + 1], link.distance + reach * u[at + 2]);
            c[3 + k] = (end.norm_squared() - link.length * link.length) / (2.0 * reach);
            let row = full.rows(at, 3).tr_mul(&end).transpose();
            jacobian.set_row(3 + k, &row);
        }
        x -= jacobian.lu().solve(&c).unwrap();
    }
    let exact = [Vec3::new(x[0], x[1], x[2]), Vec3::z() * x[3], Vec3::z() * x[4], Vec3::new(x[5], x[6], x[7])];
    assert!(exact[3].xy().norm() < 0.6 * exact[3].z, "the contact sticks: {:?}", exact[3]);

    let size = exact.iter().map(Vec3::norm).fold(0.0, f64::max);
    for solver in SOLVERS {
        let solution = solve(&mut op, &laws, &settings(1e-13, 10_000, solver));
        assert_eq!(solution.report.status, Status::Converged);
        solution.r.iter().zip(&exact).for_each(|(r, exact)| close(r, exact, 1e-8 * size));
        assert!(solution.report.merit < 1e-20);
    }
    let check = reference(&op, &laws, 1e-13).unwrap();
    check.r.iter().zip(&exact).for_each(|(r, exact)| close(r, exact, 1e-10 * size));
}

/// No relaxation to speak of, but relaxed sweeps are not accelerated.
const PLAIN: f64 = 1.0 + 1e-15;

/// Over-relaxation comes to the same solutions, a chain of links an order of magnitude faster; acceleration is faster
/// still.
#[test]
fn over_relaxation() {
    let mut block = sliding_block().1;
    for relaxation in [0.5, 0.9, 1.2] {
        let fine = GaussSeidel { relaxation, ..settings(1e-12, 10_000, BlockSolver::SemismoothNewton) };
        let solution = solve(&mut block, &[coulomb(0.5); 2], &fine);
        assert_eq!(solution.report.status, Status::Converged);
        close(&solution.r[0], &Vec3::new(-3.75, 0.0, 7.5), 1e-9);
        for r in &solution.r {
            assert!(r.xy().norm() <= 0.5 * r.z * (1.0 + 1e-15));
        }
    }
    let mut hanging = chain(1.0);
    let mut sweeps = |relaxation| {
        let fine = GaussSeidel { relaxation, ..settings(1e-10, 100_000, BlockSolver::SemismoothNewton) };
        let solution = solve(&mut hanging.op, &hanging.laws, &fine);
        assert_eq!(solution.report.status, Status::Converged);
        near(solution.r[0].z, -200.0, 1e-5);
        solution.report.iterations
    };
    let (plain, relaxed, accelerated) = (sweeps(PLAIN), sweeps(1.85), sweeps(1.0));
    assert!(10 * relaxed < plain && 2 * accelerated < relaxed, "{plain}, {relaxed}, {accelerated} sweeps");
}

/// Two demands on one point that contradict one another: no convergence, finite numbers, and the two are named, not
/// the third constraint, which is met.
#[test]
fn contradictory_constraints_are_named() {
    let bodies = [particle(1.0, Vec3::zeros()), particle(1.0, -Vec3::z())];
    let pin = |slot: u32| row((0, u64::from(slot) + 1), Mat3::identity(), body(slot, Vec3::zeros()), Some(End::Fixed));
    let mut op = assembled(&bodies, &[pin(0), pin(0), pin(1)]);
    let laws = [0.0, 1.0, 0.0].map(|x| Law::Velocity3 { target: x * Vec3::x() });
    let solution = solve(&mut op, &laws, &GaussSeidel::new(1e-4, 1000));
    assert_eq!(solution.report.status, Status::IterationLimit);
    assert!(solution.r.iter().chain(&solution.u).all(|x| x.iter().all(|x| x.is_finite())));
    assert_eq!(unsatisfied(&solution.parts, 1e-8), [0]);
    near(solution.report.residual, 1.0, 1e-12);
}

/// What cannot be moved gets no force and is counted: a body held in a direction in which it has no freedom, and a
/// contact that nothing can open.
#[test]
fn null_directions_are_free_of_force() {
    let flat = Mat3::from_diagonal(&Vec3::new(1.0, 1.0, 0.0));
    let b = Vec3::new(0.3, -0.2, -1.0);
    let laws = [
        (coulomb(0.5), Vec3::zeros()),
        (coulomb(0.0), Vec3::zeros()),
        (Law::Velocity { target: 1.0 }, Vec3::zeros()),
        (Law::Velocity3 { target: Vec3::zeros() }, Vec3::new(-0.3, 0.2, 0.0)),
        (Law::Link(Link { length: 1.0, distance: 1.0, reach: 0.005 }), Vec3::zeros()),
        (Law::SpringDashpot(Ball::new(0.01).compliance(-1e-3)), Vec3::zeros()),
    ];
    for (law, expected) in laws {
        for solver in SOLVERS {
            let solution = solve(&mut single(flat, b), &[law], &settings(1e-8, 10, solver));
            let report = solution.report;
            assert_eq!((report.status, report.singular_blocks), (Status::Converged, 1), "{law:?}");
            close(&solution.r[0], &expected, 1e-15);
            assert!(report.merit.is_finite() && report.residual.is_finite(), "{law:?}: {report:?}");
        }
    }
    // A body that can only move along the normal: the tangents of a one-component law do not matter to it.
    let rail = Mat3::from_diagonal(&Vec3::new(0.0, 0.0, 2.0));
    let solution = solve(&mut single(rail, b), &[Law::Velocity { target: 0.0 }], &GaussSeidel::new(1e-8, 10));
    assert_eq!((solution.report.singular_blocks, solution.r[0].z), (0, 0.5));
    // No mobility at all.
    let solution = solve(&mut single(Mat3::zeros(), b), &[coulomb(0.5)], &GaussSeidel::new(1e-8, 10));
    assert_eq!((solution.report.singular_blocks, solution.r[0]), (1, Vec3::zeros()));
    assert!(solution.report.merit.is_finite());
}

/// A block that no solver can do keeps its reaction, and the report says how it failed.
#[test]
fn failed_blocks_are_reported() {
    let w = Mat3::from_diagonal(&Vec3::new(0.0, 0.0, 1.0));
    let law = [Law::SpringDashpot(Ball::new(0.01).compliance(-1e-3))];
    let solution = solve(&mut single(w, -Vec3::z()), &law, &GaussSeidel::new(1e-3, 10));
    assert_eq!((solution.report.status, solution.report.failed_blocks), (Status::BlockFailure, 1));
    assert_eq!(solution.r[0], Vec3::zeros());
    assert!(Status::BlockFailure > Status::BlockDivergence && Status::BlockDivergence > Status::IterationLimit);
}

#[test]
fn no_constraints_no_iterations() {
    let mut op = Assembled::new(BlockSparse::from_upper(&[]), vec![], vec![]).unwrap();
    let report = solve(&mut op, &[], &GaussSeidel::new(1e-3, 10)).report;
    assert_eq!((report.iterations, report.status), (0, Status::Converged));
    assert!(report.worst.is_none());
}

#[test]
fn not_finite_is_reported_and_the_guess_made_admissible() {
    let mut op = single(example(), Vec3::new(f64::NAN, 0.0, -1.0));
    let start = [Vec3::new(5.0, 0.0, 1.0)];
    let solution = solve_from(&mut op, &[coulomb(0.5)], &GaussSeidel::new(1e-3, 10), &start);
    assert_eq!(solution.report.status, Status::NotFinite);
    let r = solution.r[0];
    assert!(r.z >= 0.0 && r.xy().norm() <= 0.5 * r.z * (1.0 + 1e-15), "{r:?}");
}
