//! Values of the merit function (docs/theory.md 9).

use solfec_testing::near::near;
use solfec_testing::near::near as close;
use solfec_testing::problems::*;

use solfec::dynamics::{Assembled, BlockSparse, Delassus, WholeMatrix};
use solfec::math::{Mat3, Vec3};
use solfec::model::{Analysis, BlockSolver, GaussSeidel};
use solfec::solver::{merit, unsatisfied, velocity_map, Conditions, Elastic, Law, Link};

fn merit_without_reaction(b: Vec3, mu: f64) -> f64 {
    let op = single(example(), b);
    merit(&op, &[coulomb(mu)], STEP, &[Vec3::zeros()], &[b], &mut [0.0]).value
}

#[test]
fn merit_of_a_single_contact() {
    let adhering = Vec3::new(0.1, 0.05, -2.0);
    near(merit_without_reaction(Vec3::new(0.0, 0.0, -2.0), 0.3), 1.0, 1e-15);
    near(merit_without_reaction(SLIDING, 0.3), 0.708049938777, 1e-12);
    near(merit_without_reaction(adhering, 0.8), 0.913761150573, 1e-12);
    assert_eq!(merit_without_reaction(Vec3::new(1.0, 0.5, 0.25), 0.3), 0.0);
    let c = velocity_map(&SLIDING, &Vec3::zeros(), 0.3, 1.0);
    close(&c, &Vec3::new(0.492345242752, 0.246172621376, -1.834862385321), 1e-12);
    near(velocity_map(&adhering, &Vec3::zeros(), 0.8, 1.0).z, -1.9105572809, 1e-10);
}

#[test]
fn merit_of_the_column_after_each_sweep() {
    let laws = [coulomb(0.0); 2];
    for k in 1..=12 {
        let solution = solve(&mut column(1.0, 1.0), &laws, &GaussSeidel::new(1e-12, k));
        let g = 0.25_f64.powi(k as i32);
        near(solution.report.merit, g, 1e-10 * g);
        near(solution.parts.iter().sum::<f64>(), solution.report.merit, 1e-14 * g);
        assert_eq!(solution.report.worst, Some(0));
        near(solution.report.residual, -solution.u[0].z, 1e-16);
    }
    for (b, mu) in [(SLIDING, 0.3), (Vec3::new(0.1, 0.05, -2.0), 0.8)] {
        for solver in SOLVERS {
            let exact = solve(&mut single(example(), b), &[coulomb(mu)], &settings(1e-14, 10, solver));
            assert!(exact.report.merit < 1e-24, "{}", exact.report.merit);
        }
    }
}

/// What 6.3 says of ranks, on one: constraints with no free energy, whole summation chunks of them before and after,
/// change nothing.
#[test]
fn idle_rows_change_no_merit() {
    let idle = |n: usize| (0..n).map(|_| (Mat3::identity(), Vec3::zeros()));
    let busy = [(example(), SLIDING), (example(), Vec3::new(0.1, 0.05, -2.0))];
    let g = |before: usize, after: usize| {
        let all: Vec<(Mat3, Vec3)> = idle(before).chain(busy).chain(idle(after)).collect();
        let matrix: Vec<_> = all.iter().enumerate().map(|(i, (w, _))| vec![(i as u32, *w)]).collect();
        let free: Vec<Vec3> = all.iter().map(|(_, b)| *b).collect();
        let n = all.len();
        let op = Assembled::new(BlockSparse::from_upper(&matrix), free.clone(), vec![Vec3::zeros(); n]).unwrap();
        merit(&op, &vec![coulomb(0.3); n], STEP, &vec![Vec3::zeros(); n], &free, &mut vec![0.0; n]).value
    };
    let alone = g(0, 0);
    assert!(alone > 0.5);
    for (before, after) in [(1024, 0), (0, 5000), (3000, 4000)] {
        near(g(before, after), alone, 1e-12);
    }
}

/// Numerator and denominator of every other kind (section 6), at R = 0 or a given reaction.
#[test]
fn merit_of_all_kinds() {
    let (w, b) = (example(), Vec3::new(0.1, -0.2, -0.3));
    let inverse = w.try_inverse().unwrap();
    let energy = |p: Vec3| p.dot(&(inverse * p));
    let g = |law: Law, r: Vec3| {
        let op = single(w, b);
        let mut parts = [0.0];
        let found = merit(&op, &[law], STEP, &[r], &[b + w * r], &mut parts);
        near(parts[0], found.value, 1e-16);
        (found.value, found.residual)
    };
    let check = |(g, residual): (f64, f64), numerator: f64, denominator: f64, miss: f64| {
        near(g, numerator / denominator, 1e-14);
        near(residual, miss, 1e-15);
    };
    let target = Vec3::new(0.3, 0.1, 0.2);
    let p = target - b;
    let none = Vec3::zeros();
    check(g(Law::Velocity3 { target }, none), energy(p), energy(b) + energy(target), p.norm());
    check(g(Law::Velocity3 { target: none }, none), 1.0, 1.0, b.norm());
    // One component: 1/W_NN, not the inverse's entry.
    let one = g(Law::Velocity { target: 0.2 }, none);
    check(one, 0.5 * 0.5 / w.m33, energy(b) + 0.2 * 0.2 / w.m33, 0.5);
    let link = Link { length: 1.0, distance: 1.001, reach: 0.005 };
    let miss = b.z - ((1.0 - 0.005_f64.powi(2) * 0.05).sqrt() - 1.001) / 0.005;
    let (value, residual) = g(Law::Link(link), none);
    near(value, miss * miss / w.m33 / energy(b), 1e-12);
    near(residual, miss.abs(), 1e-12);
    let spring = Elastic { force: 2.0, slope: -3.0, at: 0.1, lower: -10.0, upper: 10.0 };
    let r = Vec3::new(0.0, 0.0, 0.5);
    let u = b.z + w.m33 * 0.5;
    let defect: f64 = 2.0 - 3.0 * (u - 0.1) - 0.5;
    let alone = spring.reaction(w.m33, b.z);
    let least = energy(b).max(w.m33 * alone * alone);
    check(g(Law::Spring(spring), r), w.m33 * defect * defect, least, w.m33 * defect.abs());
}

/// Bodies at rest that nothing but a spring pushes have no free energy: the merit is relative to what the spring brings
/// in, not to nothing.
#[test]
fn merit_of_a_spring_at_rest_is_relative_to_its_force() {
    let w = example();
    let spring = Elastic { force: 2.0, slope: -3.0, at: 0.0, lower: -10.0, upper: 10.0 };
    let r = Vec3::new(0.0, 0.0, spring.reaction(w.m33, 0.0));
    let g = |r: Vec3| {
        let found = merit(&single(w, Vec3::zeros()), &[Law::Spring(spring)], STEP, &[r], &[w * r], &mut [0.0]);
        found.value
    };
    assert!(g(r) < 1e-30);
    near(g(Vec3::zeros()), (1.0 - spring.slope * w.m33).powi(2), 1e-12);
}

#[test]
fn unsatisfied_are_named_by_size() {
    let parts = [1e-9, 0.5, 0.0, -f64::NAN, 1e-3, 0.5];
    assert_eq!(unsatisfied(&parts, 1e-6), [3, 1, 5, 4]);
    assert!(unsatisfied(&parts[2..3], 0.0).is_empty());
}

/// The same problem in other units.
#[test]
fn merit_does_not_depend_on_units() {
    let random = &mut Random(21);
    let (bodies, rows) = random_system(20, 60, 22);
    let op = filled(&bodies, &rows);
    let laws: Vec<Law> = rows.iter().map(|_| coulomb(0.2 + 0.2 * random.number().abs())).collect();
    let sparse = op.assemble();
    let merit_in = |length: f64, force: f64| {
        let mut w = sparse.clone();
        w.block.iter_mut().for_each(|block| *block *= length / force);
        let free = op.free().iter().map(|b| b * length).collect();
        let previous = op.previous().iter().map(|v| v * length).collect();
        let mut op = Assembled::new(w, free, previous).unwrap();
        solve(&mut op, &laws, &settings(1e-12, 3, BlockSolver::Enumerative)).report.merit
    };
    let si = merit_in(1.0, 1.0);
    assert!(si > 1e-6 && si < 1.0, "{si}");
    // Millimetre, tonne, second: the force unit stays the newton. Then also in kilonewtons.
    near(merit_in(1e3, 1.0), si, 1e-12);
    near(merit_in(1e3, 1e-3), si, 1e-12);
}

/// The guard of the free energy: without free velocities nothing is divided by zero.
#[test]
fn merit_is_finite_without_free_energy() {
    let op = single(example(), Vec3::zeros());
    let r = [Vec3::new(0.0, 0.0, 1e-9)];
    let u = [example() * r[0]];
    let moving = Conditions { energy: 1.0, ..STEP };
    let found = merit(&op, &[coulomb(0.3)], moving, &r, &u, &mut [0.0]);
    assert!(found.finite && found.value > 0.0 && found.value < 1.0, "{found:?}");
}

/// In quasi-statics the merit is relative to the stored energy, at most to the free one and at least to 1e-6 of it. The
/// free energy [J/s] is ½⟨W⁻¹B, B⟩, the stored one [J] is divided by the step.
#[test]
fn quasi_static_merits_are_relative_to_the_stored_energy() {
    let free = Vec3::new(0.0, 0.0, -1.0);
    let op = single(example(), free);
    let r = [Vec3::new(0.0, 0.0, 0.1)];
    let u = [free + example() * r[0]];
    let free_energy = 0.5 * free.dot(&(example().try_inverse().expect("regular") * free));
    let merit_at = |analysis: Analysis, share: f64| {
        let conditions = Conditions { analysis, energy: share * STEP.h * free_energy, ..STEP };
        merit(&op, &[coulomb(0.3)], conditions, &r, &u, &mut [0.0]).value
    };
    let dynamic = merit_at(Analysis::Dynamic, 1e-3);
    assert!(dynamic > 1e-3, "{dynamic}");
    for (share, factor) in [(0.0, 1.0), (10.0, 1.0), (1e-3, 1e3), (1e-9, 1e6)] {
        near(merit_at(Analysis::QuasiStatic, share), factor * dynamic, 1e-12 * factor);
    }
}
