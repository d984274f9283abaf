//! What cannot be solved ends with a report, never with a panic or a number that is none.

use solfec::dynamics::{Assembled, BlockSparse};
use solfec::math::{Mat3, Vec3};
use solfec::solver::{Goal, Law, Status};

use crate::{run, METHODS};
use solfec_testing::problems::{coulomb, single};
use solfec_testing::scene::Scene;

/// How methods end where there is no solution.
const NO_SOLUTION: [Status; 2] = [Status::IterationLimit, Status::Stagnation];

/// Two joints of one point that ask for different velocities.
#[test]
fn contradictory_joints() {
    let mut scene = Scene::default();
    let body = scene.body(1.0, 0.0, Vec3::zeros());
    scene.point(body, None, Vec3::zeros(), Vec3::z());
    scene.point(body, None, Vec3::zeros(), Vec3::z());
    let laws = [0.0, 1.0].map(|x| Law::Velocity3 { target: Vec3::new(x, 0.0, 0.0) });
    for method in METHODS {
        let found = run(method, &mut scene.problem(), &laws, Goal::Merit(1e-12));
        assert!(NO_SOLUTION.contains(&found.report.status), "{method:?} {:?}", found.report);
        assert!(found.r.iter().chain(&found.u).all(|x| x.iter().all(|x| x.is_finite())));
        assert!(found.report.merit.is_finite() && found.report.worst.is_some());
    }
}

/// A body pressed between two walls that approach each other.
#[test]
fn contacts_without_solution() {
    let w = Mat3::identity();
    let matrix = BlockSparse::from_upper(&[vec![(0, w), (1, -w)], vec![(1, w)]]);
    let free = vec![Vec3::new(0.0, 0.0, -1.0), Vec3::new(0.0, 0.0, -1.0)];
    let mut op = Assembled::new(matrix, free, vec![Vec3::zeros(); 2]).unwrap();
    for method in METHODS {
        let found = run(method, &mut op, &[coulomb(0.3); 2], Goal::Merit(1e-12));
        assert!(NO_SOLUTION.contains(&found.report.status), "{method:?} {:?}", found.report);
        assert!(found.r.iter().chain(&found.u).all(|x| x.iter().all(|x| x.is_finite())));
    }
}

#[test]
fn numbers_that_are_none() {
    for method in METHODS {
        let mut op = single(Mat3::identity(), Vec3::new(f64::NAN, 0.0, -1.0));
        let found = run(method, &mut op, &[coulomb(0.3)], Goal::Merit(1e-12));
        assert_eq!(found.report.status, Status::NotFinite, "{method:?}");
        assert!(found.r[0].iter().all(|x| x.is_finite()));
    }
}

/// A block that nothing can move, beside one that moves.
#[test]
fn blocks_of_nothing() {
    let matrix = BlockSparse::from_upper(&[vec![(0, Mat3::zeros())], vec![(1, Mat3::identity())]]);
    let free = vec![Vec3::new(0.0, 0.0, 1.0), Vec3::new(0.0, 0.0, -1.0)];
    let mut op = Assembled::new(matrix, free, vec![Vec3::zeros(); 2]).unwrap();
    for method in METHODS {
        let found = run(method, &mut op, &[coulomb(0.3); 2], Goal::Merit(1e-20));
        assert_eq!(found.r[0], Vec3::zeros());
        assert!((found.r[1] - Vec3::z()).norm() < 1e-9, "{method:?}: {}", found.r[1]);
        assert_eq!(found.report.singular_blocks, 1);
    }
}

#[test]
fn no_constraints() {
    let matrix = BlockSparse { row_offset: vec![0], column: vec![], block: vec![] };
    let mut op = Assembled::new(matrix, vec![], vec![]).unwrap();
    for method in METHODS {
        let found = run(method, &mut op, &[], Goal::Merit(1e-12));
        assert_eq!((found.report.status, found.report.iterations), (Status::Converged, 0), "{method:?}");
    }
}

/// The same input gives the same bits.
#[test]
fn results_are_reproducible() {
    let mut scene = Scene::default();
    for i in 0..5 {
        let body = scene.body(1.0 + i as f64, 1.0, Vec3::new(0.0, 0.0, i as f64));
        solfec_testing::scene::interface(
            &mut scene,
            body,
            body.checked_sub(1),
            [-0.5, 0.5],
            [-0.5, 0.5],
            i as f64 - 0.5,
        );
        scene.bodies[body].velocity = Vec3::new(0.1 * i as f64, 0.05, 0.0);
    }
    let laws = vec![coulomb(0.3); scene.points.len()];
    for method in METHODS {
        let solve = || run(method, &mut scene.problem(), &laws, Goal::Merit(1e-12)).r;
        assert_eq!(solve(), solve(), "{method:?}");
    }
}

/// A goal below rounding ends, reached or not: a step from an exact solution gains nothing.
#[test]
fn goals_out_of_reach_end() {
    for method in METHODS {
        for goal in [Goal::Merit(1e-60), Goal::Siconos(1e-30), Goal::Siconos(0.0)] {
            let mut op = single(Mat3::identity(), Vec3::new(0.1, 0.0, -1.0));
            let found = run(method, &mut op, &[coulomb(0.5)], goal);
            assert!((found.r[0] - Vec3::new(-0.1, 0.0, 1.0)).norm() < 1e-9, "{method:?}: {}", found.r[0]);
        }
    }
}

/// With huge friction a velocity into the obstacle lies close to the dual cone: it is no solution for that.
#[test]
fn huge_friction_does_not_pass_for_rest() {
    for method in METHODS {
        for friction in [1e2, 1e4, 1e6] {
            let mut op = single(Mat3::identity(), Vec3::new(0.5, 0.2, -1.0));
            let found = run(method, &mut op, &[coulomb(friction)], Goal::Merit(1e-10));
            let stick = Vec3::new(-0.5, -0.2, 1.0);
            let solved = found.report.status == Status::Converged;
            assert!(!solved || (found.r[0] - stick).norm() < 1e-3, "{method:?} {friction}: {}", found.r[0]);
        }
    }
}
