//! Known solutions of few contacts, and random problems.

use solfec::dynamics::{Assembled, BlockSparse, Delassus};
use solfec::math::{Mat3, Vec3};
use solfec::solver::{siconos_error, Goal, Law, Status};

use crate::{run, solve, Method, METHODS, SHARP};
use solfec_testing::near::near;
use solfec_testing::near::near as close;
use solfec_testing::problems::{column, coulomb, example, single, single_with, sliding_reaction, Random};

const EXACT: f64 = 1e-22;

/// One contact: sticking, sliding, open.
#[test]
fn one_contact() {
    for method in METHODS {
        let found = solve(method, &mut single(example(), Vec3::new(0.1, 0.05, -2.0)), &[coulomb(0.8)], EXACT);
        close(&found.r[0], &Vec3::new(-0.621820809249, -0.078757225434, 2.318786127168), 1e-10);
        close(&found.u[0], &Vec3::zeros(), 1e-10);

        let found = solve(method, &mut single(example(), Vec3::new(1.0, 0.5, -2.0)), &[coulomb(0.3)], EXACT);
        close(&found.r[0], &sliding_reaction(), 1e-10);
        close(&found.u[0], &Vec3::new(0.778258641686, 0.217888670299, 0.0), 1e-10);

        let b = Vec3::new(1.0, 0.5, 0.25);
        let found = solve(method, &mut single(example(), b), &[coulomb(0.3)], EXACT);
        close(&found.r[0], &Vec3::zeros(), 1e-12);
        close(&found.u[0], &b, 1e-12);
    }
}

/// A rod end where friction presses (Painlevé).
#[test]
fn painleve() {
    let w = Mat3::new(3.4, 0.0, -1.2, 0.0, 1.0, 0.0, -1.2, 0.0, 1.6);
    let cases = [
        (1.0, -1.0, Vec3::new(0.55, 0.0, 0.725)),
        (1.0, -10.0, Vec3::new(1.25, 0.0, 1.25)),
        (2.0, -10.0, Vec3::new(4.15, 0.0, 3.425)),
    ];
    for method in METHODS {
        for (mu, b, exact) in cases {
            let found = solve(method, &mut single(w, Vec3::new(b, 0.0, -0.5)), &[coulomb(mu)], EXACT);
            close(&found.r[0], &exact, 1e-9);
        }
    }
}

/// Newton restitution; cohesion carries a hanging contact.
#[test]
fn restitution_and_cohesion() {
    for method in METHODS {
        let law = Law::Coulomb { friction: 0.3, restitution: 0.5, cohesion: 0.0, closing: 0.0 };
        let mut op = single_with(Mat3::identity(), Vec3::new(0.0, 0.0, -2.0), Vec3::new(0.0, 0.0, -2.0));
        let found = solve(method, &mut op, &[law], EXACT);
        close(&found.r[0], &Vec3::new(0.0, 0.0, 3.0), 1e-10);
        close(&found.u[0], &Vec3::new(0.0, 0.0, 1.0), 1e-10);

        let law = Law::Coulomb { friction: 0.3, restitution: 0.0, cohesion: 11.0, closing: 0.0 };
        let found = solve(method, &mut single(Mat3::identity() * 0.01, Vec3::new(0.0, 0.0, 0.1)), &[law], EXACT);
        close(&found.r[0], &Vec3::new(0.0, 0.0, -10.0), 1e-8);
    }
}

#[test]
fn frictionless_contacts() {
    for method in METHODS {
        let found = solve(method, &mut single(example(), Vec3::new(1.0, 0.5, -2.0)), &[coulomb(0.0)], EXACT);
        close(&found.r[0], &Vec3::new(0.0, 0.0, 2.0), 1e-10);
        let found = solve(method, &mut single(example(), Vec3::zeros()), &[coulomb(0.0)], EXACT);
        close(&found.r[0], &Vec3::zeros(), 1e-12);
    }
}

/// A column of two masses, and with nine times the mass on top, where Gauss–Seidel contracts only by 0.9.
#[test]
fn two_masses() {
    for method in METHODS {
        for upper in [1.0, 9.0] {
            let found = solve(method, &mut column(upper, 1.0), &[coulomb(0.5); 2], EXACT);
            near(found.r[0].z, 10.0 * (upper + 1.0), 1e-8);
            near(found.r[1].z, 10.0 * upper, 1e-8);
        }
    }
}

/// A block that slides on two contacts.
#[test]
fn sliding_block() {
    let plane = |tt: f64, tn: f64, nt: f64, nn: f64| Mat3::new(tt, 0.0, tn, 0.0, 0.01, 0.0, nt, 0.0, nn);
    let matrix = BlockSparse::from_upper(&[
        vec![(0, plane(0.025, 0.015, 0.015, 0.025)), (1, plane(0.025, -0.015, 0.015, -0.005))],
        vec![(1, plane(0.025, -0.015, -0.015, 0.025))],
    ]);
    let free = vec![Vec3::new(1.0, 0.0, -0.1); 2];
    let mut op = Assembled::new(matrix, free, vec![Vec3::zeros(); 2]).unwrap();
    for method in METHODS {
        let found = solve(method, &mut op, &[coulomb(0.5); 2], EXACT);
        let (front, rear) = (&found.r[0], &found.r[1]);
        // T2 of the contacts is redundant: the sum of it vanishes.
        near(front.x, -3.75, 1e-7);
        near(front.z, 7.5, 1e-7);
        near(rear.x, -1.25, 1e-7);
        near(rear.z, 2.5, 1e-7);
        near(front.y + rear.y, 0.0, 1e-7);
    }
}

/// `W = H Hᵀ` of low rank, friction from none to steep, to the error of FCLIB and to our merit; AUTO solves them all,
/// each method nearly all.
#[test]
fn random_problems() {
    let mut random = Random(17);
    let mut failures = [0; METHODS.len()];
    let trials = 60;
    for trial in 0..trials {
        let (mut op, friction) = random_problem(&mut random, 4 + trial % 20);
        let laws: Vec<Law> = friction.iter().map(|&mu| coulomb(mu)).collect();
        for (method, failures) in METHODS.into_iter().zip(&mut failures) {
            let found = run(method, &mut op, &laws, Goal::Siconos(1e-9));
            let error = siconos_error(&mut op, &friction, &found.r, &mut vec![Vec3::zeros(); friction.len()]);
            let reached = found.report.status == Status::Converged;
            assert_eq!(reached, error.relative <= 1.001e-9, "{method:?}: {error:?}");
            *failures += usize::from(!reached);
            if method == Method::Auto {
                assert!(reached, "AUTO, trial {trial}: {error:?}");
            }
        }
    }
    assert!(failures[..3].iter().all(|&f| f <= trials / 10), "{failures:?} of {trials}");
}

/// `n` contacts on about `n/2` bodies of six unknowns.
fn random_problem(random: &mut Random, n: usize) -> (Assembled, Vec<f64>) {
    let bodies = n / 2;
    let maps: Vec<_> = (0..n)
        .map(|i| {
            let (a, b) = (i % bodies, random.below(bodies as u64) as usize);
            (a, random.matrix(), random.matrix(), b, random.matrix(), random.matrix())
        })
        .collect();
    let share = |x: &(usize, Mat3, Mat3, usize, Mat3, Mat3), y: &(usize, Mat3, Mat3, usize, Mat3, Mat3)| {
        let mut block = Mat3::zeros();
        for (i, p, q, s) in [(x.0, x.1, x.2, 1.0), (x.3, x.4, x.5, -1.0)] {
            for (j, v, w, t) in [(y.0, y.1, y.2, 1.0), (y.3, y.4, y.5, -1.0)] {
                if i == j {
                    block += (p * v.transpose() + q * w.transpose()) * (s * t);
                }
            }
        }
        block
    };
    let rows: Vec<Vec<(u32, Mat3)>> =
        (0..n).map(|i| (i..n).map(|j| (j as u32, share(&maps[i], &maps[j]))).collect()).collect();
    let velocity: Vec<[Vec3; 2]> = (0..bodies).map(|_| [random.vector(), random.vector()]).collect();
    let free = maps
        .iter()
        .map(|(a, p, q, b, v, w)| {
            let (x, y) = (&velocity[*a], &velocity[*b]);
            p * x[0] + q * x[1] - v * y[0] - w * y[1]
        })
        .collect();
    let friction = (0..n).map(|_| [0.0, 0.1, 0.4, 0.8][random.below(4) as usize]).collect();
    (Assembled::new(BlockSparse::from_upper(&rows), free, vec![Vec3::zeros(); n]).unwrap(), friction)
}

/// A non-symmetric matrix of another code.
#[test]
fn a_matrix_that_is_not_symmetric() {
    let w = Mat3::new(2.0, 0.3, 0.5, 0.1, 2.0, 0.2, 0.4, 0.1, 1.0);
    let matrix = BlockSparse { row_offset: vec![0, 1], column: vec![0], block: vec![w] };
    let b = Vec3::new(1.0, 0.5, -2.0);
    let mut op = Assembled::new(matrix, vec![b], vec![Vec3::zeros()]).unwrap();
    for method in SHARP {
        let found = run(method, &mut op, &[coulomb(0.3)], Goal::Siconos(1e-12));
        assert_eq!(found.report.status, Status::Converged, "{method:?}");
        let (r, u) = (&found.r[0], &found.u[0]);
        near(r.xy().norm(), 0.3 * r.z, 1e-11);
        near(u.z, 0.0, 1e-11);
        close(&(b + w * r), u, 1e-14);
    }
    assert_eq!(op.len(), 1);
}
