//! Local dynamics (docs/theory.md 6), levels and threads (docs/theory.md 11).

mod condensed;
mod order;
mod velocity_space;

use solfec_testing::near::near;
use solfec_testing::near::near as close;
use solfec_testing::problems::*;
use solfec_testing::threads::with_threads;

use solfec::body::{Attachment, Forces, Inertia, PointForce};
use solfec::dynamics::{Assembled, BlockKernel, BlockSparse, BodyOperator, Delassus, End, Row, WholeMatrix};
use solfec::ids::{BodyIndex, Slot};
use solfec::math::{local_base, skew, Mat3, Vec3};
use solfec::model::{BlockSolver, GaussSeidel};
use solfec::solver::{Law, Status};

fn dense(w: &BlockSparse) -> nalgebra::DMatrix<f64> {
    let n = w.rows();
    let mut full = nalgebra::DMatrix::zeros(3 * n, 3 * n);
    for i in 0..n {
        for (j, block) in w.row(i) {
            full.fixed_view_mut::<3, 3>(3 * i, 3 * j).copy_from(block);
        }
    }
    full
}

#[test]
fn two_particles() {
    let (m1, m2, h) = (2.0, 3.0, STEP.h);
    let base = local_base(&Vec3::new(1.0, 2.0, 3.0).normalize());
    let mut op = BodyOperator::new();
    let bodies = [particle(m1, Vec3::x()), particle(m2, Vec3::zeros())];
    let rows = [
        row((1, 2), base, body(0, Vec3::zeros()), Some(body(1, Vec3::zeros()))),
        row((1, 3), base, body(0, Vec3::zeros()), Some(End::Fixed)),
    ];
    op.fill(h, bodies, &rows);
    let identity = Mat3::identity();
    assert!((op.diagonal()[0] - identity * (h * (1.0 / m1 + 1.0 / m2))).amax() < 1e-17);
    assert!((op.diagonal()[1] - identity * (h / m1)).amax() < 1e-17);
    close(&op.free()[1], &base.tr_mul(&Vec3::x()), 1e-16);
    assert_eq!(op.assemblies(), 0);
    op.assemble();
    assert_eq!(op.assemblies(), 1);
}

/// Arms and forces of the reactions on each body.
fn forces_on(op: &BodyOperator, r: &[Vec3], bodies: usize) -> Vec<Vec<[Vec3; 2]>> {
    let slots: Vec<Slot> = (0..bodies as u32).map(Slot).collect();
    let reactions = op.reactions(r, &slots);
    let on = |i: u32| {
        let mut forces = Vec::new();
        reactions.on(BodyIndex(i), &mut |PointForce { at, force }| match at {
            Attachment::Arm(arm) => forces.push([*arm, *force]),
            other => panic!("{other:?}"),
        });
        forces
    };
    (0..bodies as u32).map(on).collect()
}

fn body_at_rest(m: f64, inverse_inertia: Mat3) -> Inertia<'static> {
    Inertia::Rigid {
        inverse_mass: 1.0 / m,
        inverse_inertia,
        free: translation(Vec3::zeros()),
        previous: translation(Vec3::zeros()),
    }
}

#[test]
fn a_rigid_body_off_centre() {
    let (m, h, l, theta) = (3.0, STEP.h, 0.7, 0.4_f64);
    let d = Vec3::new(theta.cos(), 0.0, theta.sin());
    let rod = body_at_rest(m, (Mat3::identity() - d * d.transpose()) * (3.0 / (m * l * l)));
    let base = Mat3::identity();
    let mut op = BodyOperator::new();
    op.fill(h, [rod], &[row((1, 2), base, body(0, l * d), Some(End::Fixed))]);
    let w = op.diagonal()[0];
    let (c, s) = (theta.cos(), theta.sin());
    near(w.m33, h / m * (1.0 + 3.0 * c * c), 1e-16);
    near(w.m11, h / m * (1.0 + 3.0 * s * s), 1e-16);
    near(w.m13, -h / m * 3.0 * s * c, 1e-16);

    let random = &mut Random(1);
    let a = random.matrix();
    let inverse = a * a.transpose();
    let r = random.vector();
    let end = body(0, r);
    op.fill(h, [body_at_rest(m, inverse)], &[row((1, 2), base, end, Some(End::Fixed))]);
    let expected = base * (h / m) + h * skew(&r).transpose() * inverse * skew(&r);
    assert!((op.diagonal()[0] - expected).amax() < 1e-16);
}

#[test]
fn a_random_system_is_symmetric_and_positive() {
    let (bodies, rows) = random_system(50, 105, 7);
    assert!(rows.len() >= 190, "{} constraints", rows.len());
    let mut op = filled(&bodies, &rows);
    let sparse = op.assemble();
    let w = dense(&sparse);
    assert!(w == w.transpose(), "W is not symmetric bit for bit");
    let size = w.norm();
    let least = w.clone().symmetric_eigen().eigenvalues.min();
    assert!(least >= -1e-12 * size, "least eigenvalue {least}, norm {size}");

    let n = rows.len();
    let random = &mut Random(8);
    let r: Vec<Vec3> = (0..n).map(|_| random.vector()).collect();
    let mut u = vec![Vec3::zeros(); n];
    op.apply(&r, &mut u);
    let scale = u.iter().map(Vec3::norm).fold(0.0, f64::max);
    for (i, u) in u.iter().enumerate() {
        let assembled = op.free()[i] + sparse.row_product(i, &r);
        assert!((assembled - u).norm() <= 1e-13 * scale);
        assert_eq!(sparse.get(i, i), Some(&op.diagonal()[i]));
    }

    let reversed: Vec<Body> = bodies.iter().rev().cloned().collect();
    let last = bodies.len() as u32 - 1;
    let renumber = |end: End| match end {
        End::Body { slot, arm } => body(last - slot.0, arm),
        End::Point { .. } => end,
        End::Fixed => End::Fixed,
    };
    let permute = |row: &Row| Row { master: renumber(row.master), slave: row.slave.map(renumber), ..*row };
    let permuted: Vec<Row> = rows.iter().map(permute).collect();
    let other = filled(&reversed, &permuted).assemble();
    assert!((dense(&other) - w).norm() <= 1e-14 * size);
}

/// Power of reactions on the free velocities: by constraints and by forces on bodies.
#[test]
fn forces_are_conjugate_to_velocities() {
    let (bodies, rows) = random_system(20, 40, 3);
    let op = filled(&bodies, &rows);
    let random = &mut Random(4);
    let r: Vec<Vec3> = rows.iter().map(|_| random.vector()).collect();
    let forces = forces_on(&op, &r, bodies.len());
    let rows_power: f64 = (0..rows.len()).map(|i| (op.free()[i] - rows[i].drift).dot(&r[i])).sum();
    let power = |(body, forces): (&Body, &Vec<[Vec3; 2]>)| -> f64 {
        let velocity = |arm: &Vec3| match body {
            Body::Rigid(_, _, [free, _]) => free.linear + free.angular.cross(arm),
            Body::Affine(_, _, [free, _]) => free.v + free.fdot * arm,
        };
        forces.iter().map(|[arm, force]| velocity(arm).dot(force)).sum()
    };
    near(rows_power, bodies.iter().zip(&forces).map(power).sum(), 1e-12);
}

#[test]
fn obstacles_couple_nothing() {
    let n = 10_000;
    let random = &mut Random(5);
    let bodies: Vec<Inertia> = (0..n).map(|_| particle(1.0, Vec3::zeros())).collect();
    let mut contact = |i: u64| {
        let base = local_base(&random.vector().normalize());
        row((0, i + 1), base, body(i as u32, random.vector()), Some(End::Fixed))
    };
    let rows: Vec<Row> = (0..n).map(&mut contact).collect();
    let mut op = BodyOperator::new();
    op.fill(STEP.h, bodies, &rows);
    assert_eq!(op.assemble().block.len() as u64, n);
    assert_eq!(op.levels(), 1);
}

#[test]
fn inconsistent_local_dynamics_are_refused() {
    let matrix = BlockSparse::from_upper(&[vec![(0, example())]]);
    let error = Assembled::new(matrix, vec![], vec![]).unwrap_err().to_string();
    assert!(error.contains("1 block rows") && error.contains("B has 0"), "{error}");
    let bare = BlockSparse { row_offset: vec![0, 0], ..BlockSparse::default() };
    let error = Assembled::new(bare, vec![Vec3::zeros()], vec![Vec3::zeros()]).unwrap_err();
    assert!(error.to_string().contains("no diagonal block"), "{error}");
}

#[test]
fn a_hub_of_many_neighbours_is_solved() {
    let n = 100;
    let mut bodies = vec![particle(1000.0, Vec3::zeros())];
    bodies.extend((0..n).map(|_| particle(1.0, Vec3::new(0.0, 0.0, -0.1))));
    let rows: Vec<Row> = (1..=n)
        .map(|i| {
            let master = body(i as u32, Vec3::zeros());
            row((1, 1 + i), local_base(&Vec3::z()), master, Some(body(0, Vec3::zeros())))
        })
        .collect();
    let mut op = BodyOperator::new();
    op.fill(STEP.h, bodies, &rows);
    assert_eq!(op.levels(), 100);
    let laws = vec![coulomb(0.3); n as usize];
    let solution = solve(&mut op, &laws, &settings(1e-12, 1000, BlockSolver::SemismoothNewton));
    assert_eq!(solution.report.status, Status::Converged);
    // All move together: 100 kg at -0.1 m/s push 1000 kg.
    let common = -0.1 * 100.0 / 1100.0;
    solution.r.iter().for_each(|r| near(r.z, (common + 0.1) / STEP.h, 1e-8));
    assert_eq!(op.assemblies(), 0);
}

/// Velocities and reactions of one sweep row by row in order of keys, on the velocities of all rows.
fn swept_in_order(w: &BlockSparse, free: &[Vec3], r: &mut [Vec3], friction: f64) {
    let project = |r: &Vec3| solfec::solver::project(r, friction);
    for i in 0..r.len() {
        let block = w.get(i, i).expect("a diagonal block");
        let b = free[i] + w.row_product(i, r) - block * r[i];
        r[i] = project(&(r[i] - 0.5 / block.trace() * (b + block * r[i])));
    }
}

/// A kernel that makes one step of projected gradients.
struct Descent(f64);

impl BlockKernel for Descent {
    fn solve(&self, _place: usize, w: &Mat3, b: &Vec3, r: &Vec3) -> (Vec3, bool) {
        (solfec::solver::project(&(r - 0.5 / w.trace() * (b + w * r)), self.0), true)
    }
}

#[test]
fn sweeps_by_levels_are_those_in_order_of_keys() {
    for seed in 60..64 {
        let (bodies, rows) = random_system(60, 150, seed);
        let mut op = filled(&bodies, &rows);
        assert!(op.levels() > 3 && op.levels() < 100, "{} levels", op.levels());
        let (w, free) = (op.assemble(), op.free().to_vec());
        let mut expected = vec![Vec3::zeros(); rows.len()];
        let mut r = expected.clone();
        op.start(&r);
        for _ in 0..5 {
            swept_in_order(&w, &free, &mut expected, 0.3);
            op.sweep(&mut r, &Descent(0.3));
        }
        let size = expected.iter().map(Vec3::norm).fold(0.0, f64::max);
        assert!(size > 0.0);
        r.iter().zip(&expected).for_each(|(r, expected)| close(r, expected, 1e-10 * size));
    }
}

/// Bitwise equal results for 1, 2 and 4 threads.
#[test]
fn a_sweep_is_the_same_on_any_number_of_threads() {
    let (bodies, rows) = random_system(3000, 7000, 31);
    let random = &mut Random(32);
    let laws: Vec<Law> = rows.iter().map(|_| coulomb(0.5 * random.number().abs())).collect();
    let run = |threads| {
        with_threads(threads, || {
            let mut op = filled(&bodies, &rows);
            let sweeps = GaussSeidel { meritval: 1e-12, ..GaussSeidel::new(1e-6, 12) };
            let solution = solve(&mut op, &laws, &sweeps);
            let forces = forces_on(&op, &solution.r, bodies.len());
            (solution.r, solution.u, solution.parts, solution.report, forces)
        })
    };
    let one = run(1);
    assert!(one.3.error.is_finite() && one.3.merit < 1e-1, "{:?}", one.3);
    for threads in [2, 4] {
        assert!(one == run(threads), "{threads} threads differ from one");
    }
}

/// Matrix-free and assembled solves of one problem find the same velocities.
#[test]
fn operators_agree_on_solutions() {
    let (bodies, rows) = random_system(30, 40, 41);
    let mut op = filled(&bodies, &rows);
    let laws = vec![coulomb(0.2); rows.len()];
    let mut assembled = Assembled::new(op.assemble(), op.free().to_vec(), op.previous().to_vec()).unwrap();
    let fine = settings(1e-12, 100_000, BlockSolver::Enumerative);
    let (a, b) = (solve(&mut op, &laws, &fine), solve(&mut assembled, &laws, &fine));
    for report in [&a.report, &b.report] {
        assert_eq!(report.status, Status::Converged);
        assert!(report.merit < 1e-16, "{}", report.merit);
    }
    a.u.iter().zip(&b.u).for_each(|(a, b)| close(a, b, 1e-8));
}
