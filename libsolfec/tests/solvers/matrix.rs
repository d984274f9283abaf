//! All solvers on all problems against the reference (constraints-solvers-parallel.md 12.6). A further solver is a row of
//! [`table`].

mod solvers {
    use crate::problems::{all, Problem};
    use crate::support::*;

    use solfec::dynamics::Delassus;
    use solfec::math::Vec3;
    use solfec::model::{BlockSolver, GaussSeidel};
    use solfec::solver::{reference, Report, Status};

    /// Velocities are asked for to this fraction of the largest free one; the merit to its square.
    const TOLERANCE: f64 = 1e-8;

    /// Solves a problem from zero: reactions, velocities, report.
    type Solver = Box<dyn Fn(&mut Problem) -> (Vec<Vec3>, Vec<Vec3>, Report)>;

    fn table() -> Vec<(String, Solver)> {
        SOLVERS.into_iter().map(|solver| (format!("Gauss–Seidel {solver:?}"), by_gauss_seidel(solver))).collect()
    }

    fn by_gauss_seidel(solver: BlockSolver) -> Solver {
        Box::new(move |problem| {
            let fine = GaussSeidel { meritval: TOLERANCE * TOLERANCE, ..settings(1e-11, 2_000_000, solver) };
            let solution = solve(&mut problem.op, &problem.laws, &fine);
            (solution.r, solution.u, solution.report)
        })
    }

    fn largest(x: &[Vec3]) -> f64 {
        x.iter().map(Vec3::norm).fold(f64::MIN_POSITIVE, f64::max)
    }

    #[test]
    fn matrix() {
        for mut problem in all() {
            let exact =
                reference(&problem.op, &problem.laws, 1e-13).unwrap_or_else(|e| panic!("{}: {e}", problem.name));
            let speed = largest(problem.op.free());
            for (name, solver) in table() {
                let start = std::time::Instant::now();
                let (r, u, report) = solver(&mut problem);
                println!(
                    "{name}, {}: {:?}, {} iterations, {} retries, merit {:.1e} {:.1e}",
                    problem.name,
                    start.elapsed(),
                    report.iterations,
                    report.retries,
                    report.merit,
                    report.error
                );
                let what = format!("{name}, {}: {report:?}", problem.name);
                assert_eq!(report.status, Status::Converged, "{what}");
                assert!(report.merit <= TOLERANCE * TOLERANCE, "{what}");
                for (u, exact) in u.iter().zip(&exact.u) {
                    assert!((u - exact).norm() <= 10.0 * TOLERANCE * speed, "{what}: U = {u:?}, not {exact:?}");
                }
                let force = largest(&exact.r);
                for (r, exact) in r.iter().zip(&exact.r).filter(|_| problem.isostatic) {
                    assert!((r - exact).norm() <= 1e-6 * force, "{what}: R = {r:?}, not {exact:?}");
                }
            }
        }
    }
}
