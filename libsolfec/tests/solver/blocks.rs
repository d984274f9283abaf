//! One contact by every block solver, against known solutions.

use solfec_testing::near::near;
use solfec_testing::near::near as close;
use solfec_testing::problems::*;

use solfec::math::{Mat3, Vec3};
use solfec::model::{BlockSolver, GaussSeidel};
use solfec::solver::map::{jacobian, residual};
use solfec::solver::{project, Block, BlockError, Contact, Law, Method};

#[test]
fn a_sticking_contact() {
    for solver in SOLVERS {
        let (r, u) = one(example(), Vec3::new(0.1, 0.05, -2.0), coulomb(0.8), solver);
        close(&r, &Vec3::new(-0.621820809249, -0.078757225434, 2.318786127168), 1e-11);
        close(&u, &Vec3::zeros(), 1e-14);
        near(r.xy().norm() / (0.8 * r.z), 0.337886, 1e-6);
    }
}

#[test]
fn a_slipping_contact() {
    for solver in SOLVERS {
        let (r, u) = one(example(), SLIDING, coulomb(0.3), solver);
        close(&r, &sliding_reaction(), 1e-11);
        close(&u, &Vec3::new(0.778258641686, 0.217888670299, 0.0), 1e-11);
        near(r.xy().norm(), 0.3 * r.z, 1e-12);
        near(-u.x / r.x, 1.1415148665, 1e-10);
        near(-u.y / r.y, 1.1415148665, 1e-10);
    }
}

#[test]
fn an_opening_contact() {
    for solver in SOLVERS {
        let b = Vec3::new(1.0, 0.5, 0.25);
        assert_eq!(one(example(), b, coulomb(0.3), solver), (Vec3::zeros(), b));
    }
}

#[test]
fn a_rod_that_jams() {
    let w = Mat3::new(3.4, 0.0, -1.2, 0.0, 1.0, 0.0, -1.2, 0.0, 1.6);
    for solver in SOLVERS {
        let check = |b: f64, mu: f64, r: Vec3, u: f64| {
            let (found, velocity) = one(w, Vec3::new(b, 0.0, -0.5), coulomb(mu), solver);
            close(&found, &r, 1e-12);
            close(&velocity, &Vec3::new(u, 0.0, 0.0), 1e-12);
        };
        check(-1.0, 1.0, Vec3::new(0.55, 0.0, 0.725), 0.0);
        check(-10.0, 1.0, Vec3::new(1.25, 0.0, 1.25), -7.25);
        check(-10.0, 2.0, Vec3::new(4.15, 0.0, 3.425), 0.0);
    }
}

#[test]
fn zero_data_give_no_nan() {
    for solver in SOLVERS {
        let (r, u) = one(example(), Vec3::zeros(), coulomb(0.5), solver);
        assert_eq!((r, u), (Vec3::zeros(), Vec3::zeros()));
        let (r, _) = one(example(), Vec3::new(0.3, 0.2, -1.5), coulomb(0.0), solver);
        close(&r, &Vec3::new(0.0, 0.0, 1.5), 1e-15);
        let (r, _) = one(example(), Vec3::new(0.3, 0.2, 1.5), coulomb(0.0), solver);
        assert_eq!(r, Vec3::zeros());
        let (r, _) = one(example(), -Vec3::z(), coulomb(0.01), solver);
        assert!(r.iter().all(|x| x.is_finite()) && r.z > 0.0);
    }
}

#[test]
fn restitution_shifts_the_normal_velocity() {
    let law = Law::Coulomb { friction: 0.3, restitution: 0.5, cohesion: 0.0, closing: 0.0 };
    for solver in SOLVERS {
        let approach = Vec3::new(0.0, 0.0, -2.0);
        let mut op = single_with(Mat3::identity(), approach, approach);
        let solution = solve(&mut op, &[law], &settings(1e-12, 20, solver));
        close(&solution.r[0], &Vec3::new(0.0, 0.0, 3.0), 1e-14);
        near(solution.u[0].z, 1.0, 1e-14);
        assert!(solution.report.merit < 1e-24);
    }
}

/// Iterations of one block solver alone, from R = 0, to this tolerance.
fn iterations(b: Vec3, friction: f64, solver: BlockSolver, epsilon: f64) -> u32 {
    let w = example();
    let contact = Contact { w: &w, b, friction, rho: Block::new(&w).rho };
    let found = contact.iterate(&Vec3::zeros(), &Method { solver, epsilon, limit: 1000 }).unwrap();
    let exact = contact.iterate(&Vec3::zeros(), &Method { solver, epsilon: 1e-15, limit: 1000 }).unwrap();
    close(&found.reaction, &exact.reaction, 10.0 * epsilon);
    found.iterations
}

/// Iteration counts for sticking, sliding and open contact, without trivial answers before the iteration.
#[test]
fn iterations_of_the_block_solvers() {
    let cases = [(Vec3::new(0.1, 0.05, -2.0), 0.8), (SLIDING, 0.3), (Vec3::new(1.0, 0.5, 0.25), 0.3)];
    let count = |solver, epsilon| cases.map(|(b, mu)| iterations(b, mu, solver, epsilon));
    assert_eq!(count(BlockSolver::SemismoothNewton, 1e-12), [5, 5, 1]);
    // With the scale λ = 1/ρ; `projected_newton_with_whole_steps` counts those of the original formula.
    assert_eq!(count(BlockSolver::ProjectedNewton, 1e-12), [1, 4, 0]);
    for solver in [BlockSolver::ProjectedGradient, BlockSolver::DeSaxceFeng] {
        let [stick, slip, open] = count(solver, 1e-15);
        assert!((75..=110).contains(&stick) && (75..=110).contains(&slip) && open == 1, "{stick} {slip} {open}");
    }
}

/// Projected Newton as the original has it: λ = 1, ω = 1e-12, whole steps.
#[test]
fn projected_newton_with_whole_steps() {
    let cases = [(Vec3::new(0.1, 0.05, -2.0), 0.8, 1), (SLIDING, 0.3, 3), (Vec3::new(1.0, 0.5, 0.25), 0.3, 0)];
    for (b, mu, expected) in cases {
        let (w, mut r, mut steps) = (example(), Vec3::zeros(), 0);
        loop {
            let u = b + w * r;
            let c = residual(&u, &r, mu, 1.0, 1e-12);
            if c.norm() <= 1e-11 {
                break;
            }
            let (x, y) = jacobian(&u, &r, mu, 1.0, 1e-12);
            r = project(&(r - (x * w + y).lu().solve(&c).unwrap()), mu);
            steps += 1;
        }
        assert_eq!(steps, expected);
    }
}

/// On random problems all block solvers satisfy the velocity map, with few or no retries, and agree where the solution
/// is unique.
#[test]
fn block_solvers_agree() {
    let random = &mut Random(11);
    let mut sliding = 0;
    let mut retries = [0; 5];
    for k in 0..2000 {
        let a = random.matrix();
        let w = a * a.transpose() + Mat3::from_diagonal_element(0.05);
        let b = random.vector();
        let mu = [0.0, 0.3, 1.0, 2.0][k % 4];
        let found = SOLVERS.map(|solver| {
            let solution = solve(&mut single(w, b), &[coulomb(mu)], &settings(1e-12, 50, solver));
            assert_eq!(solution.report.failed_blocks, 0);
            let merit = solution.report.merit;
            assert!(merit < 1e-20, "{solver:?}: merit {merit} at {k}");
            (solution.r[0], solution.report.retries)
        });
        let exact = found[1].0;
        sliding += usize::from(mu > 0.0 && exact.z > 0.0 && exact.xy().norm() > 0.999999 * mu * exact.z);
        let coupling = (w.m13 * w.m13 + w.m23 * w.m23).sqrt();
        for (i, (r, retried)) in found.iter().enumerate() {
            retries[i] += u32::from(*retried > 0);
            if mu * coupling < 0.5 * w.m33 {
                close(r, &exact, 1e-8 * exact.norm().max(1.0));
            }
        }
    }
    assert!(sliding > 200, "only {sliding} sliding contacts");
    assert!(retries[1] == 0 && retries.iter().all(|&r| r < 60), "retries {retries:?}");
}

/// Forces in other units, by 1e6, and velocities, by 1e-3: the same reactions after the same iterations.
#[test]
fn block_solvers_do_not_depend_on_units() {
    let random = &mut Random(12);
    for k in 0..200 {
        let a = random.matrix();
        let w = a * a.transpose() + Mat3::from_diagonal_element(0.2);
        let b = random.vector() - Vec3::z();
        let mu = [0.3, 0.6][k % 2];
        let (force, velocity) = (1e6, 1e-3);
        for solver in SOLVERS {
            let run = |w: Mat3, b| solve(&mut single(w, b), &[coulomb(mu)], &settings(1e-12, 50, solver));
            let (one, other) = (run(w, b), run(w * (velocity / force), b * velocity));
            close(&(other.r[0] / force), &one.r[0], 1e-10 * one.r[0].norm().max(1.0));
            assert_eq!(one.report.iterations, other.report.iterations);
        }
    }
}

/// A block solver that fails hands over to the exact one, which counts as a retry.
#[test]
fn a_failed_block_is_retried() {
    for diagsolver in SOLVERS.into_iter().filter(|&solver| solver != BlockSolver::Enumerative) {
        let hurried = GaussSeidel { diagsolver, diagmaxiter: 1, ..GaussSeidel::new(1e-12, 1) };
        let solution = solve(&mut single(example(), SLIDING), &[coulomb(0.3)], &hurried);
        assert_eq!((solution.report.retries, solution.report.failed_blocks), (1, 0), "{diagsolver:?}");
        close(&solution.r[0], &sliding_reaction(), 1e-11);
    }
}

/// Why a block solver alone gives up.
#[test]
fn block_solvers_say_why_they_fail() {
    let w = example();
    let block = Block::new(&w);
    let why = |b: Vec3, solver, limit| {
        let contact = Contact { w: &w, b, friction: 0.3, rho: block.rho };
        contact.iterate(&Vec3::zeros(), &Method { solver, epsilon: 1e-15, limit }).err()
    };
    for solver in SOLVERS {
        let bad = Vec3::new(f64::NAN, 1.0, -1.0);
        assert_eq!(why(bad, solver, 100), Some(BlockError::Failed), "{solver:?}");
        let expected = (solver != BlockSolver::Enumerative).then_some(BlockError::Diverged);
        assert_eq!(why(SLIDING, solver, 1), expected, "{solver:?}");
    }
}
