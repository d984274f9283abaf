//! Acceptance cases of constraints-solvers-parallel.md 5: Gauss–Seidel.

mod solvers {
    use crate::support::*;

    use solfec::dynamics::{Assembled, BlockSparse, Delassus};
    use solfec::math::{Mat3, Vec3};
    use solfec::model::{BlockSolver, GaussSeidel};
    use solfec::solver::{Law, Status};

    #[test]
    fn acc_5_1() {
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
    fn acc_5_2() {
        let laws = [coulomb(0.0); 2];
        for k in 1..=10 {
            let solution = solve(&mut column(1.0, 1.0), &laws, &GaussSeidel::new(1e-3, k));
            let left = 0.5_f64.powi(k as i32);
            near(solution.r[0].z, 20.0 * (1.0 - left), 1e-12);
            near(solution.r[1].z, 10.0 * (1.0 - left), 1e-12);
            near(solution.report.error, 1.0 / (1.0 / left - 1.0), 1e-12);
        }
        let report = solve(&mut column(1.0, 1.0), &laws, &GaussSeidel::new(1e-3, 100)).report;
        assert_eq!((report.iterations, report.status), (10, Status::Converged));
        near(report.error, 9.775171e-4, 1e-9);

        let missing = |k| 100.0 - solve(&mut column(9.0, 1.0), &laws, &GaussSeidel::new(1e-12, k)).r[0].z;
        near(missing(20) / missing(19), 0.9, 1e-12);
    }

    #[test]
    fn acc_5_3() {
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
        let fine = |maxiter| settings(1e-8, maxiter, BlockSolver::SemismoothNewton);
        let first = solve(&mut assembled, &laws, &fine(1));
        close(&first.r[0], &Vec3::new(-2.857142857, 0.0, 5.714285714), 1e-9);
        close(&first.r[1], &Vec3::new(-1.318681319, 0.0, 2.637362637), 1e-9);
        let forward = solve(&mut assembled, &laws, &fine(100));
        assert_eq!(forward.report.iterations, 8);
        let reverse = GaussSeidel { reverse: true, ..fine(100) };
        let alternating = solve(&mut assembled, &laws, &reverse);
        assert_eq!(alternating.report.iterations, 13);
        let matrix_free = solve(&mut bodies, &laws, &fine(100));
        assert_eq!(matrix_free.report.iterations, 8);
        for solution in [forward, alternating, matrix_free] {
            close(&solution.r[0], &Vec3::new(-3.75, 0.0, 7.5), 1e-6);
            close(&solution.r[1], &Vec3::new(-1.25, 0.0, 2.5), 1e-6);
        }
    }

    #[test]
    fn acc_5_4() {
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
}
