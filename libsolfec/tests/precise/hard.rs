//! Ill-conditioned problems, where Gauss–Seidel stalls.

use solfec::math::Vec3;
use solfec::solver::{auto_with, Goal, Law, Memory, Status, Unknowns};

use crate::{gauss_seidel_merit, solve, Method, METHODS, SHARP};
use solfec_testing::problems::{coulomb, STEP};
use solfec_testing::scene::{interface, stack, wall, Scene};

/// All bodies are in equilibrium, and no contact moves.
fn at_rest(scene: &Scene, r: &[Vec3], u: &[Vec3], tolerance: f64) {
    let total: f64 = (0..scene.bodies.len()).map(|k| scene.weight(k).norm()).sum();
    for (k, force) in scene.forces(r).iter().enumerate() {
        assert!((force + scene.weight(k)).norm() <= tolerance * total, "body {k}: {force}");
    }
    let moving = u.iter().map(|u| u.norm()).fold(0.0, f64::max);
    assert!(moving <= tolerance * 0.1, "{moving}");
}

#[test]
fn heavy_on_light() {
    let scene = stack(20);
    let laws: Vec<Law> = vec![coulomb(0.5); scene.points.len()];
    assert!(gauss_seidel_merit(&mut scene.problem(), &laws, 1000) > 1e-16);
    for method in SHARP {
        let found = solve(method, &mut scene.problem(), &laws, 1e-20);
        at_rest(&scene, &found.r, &found.u, 1e-8);
    }
    let found = solve(Method::Admm, &mut scene.problem(), &laws, 1e-10);
    at_rest(&scene, &found.r, &found.u, 1e-4);
}

/// The wall stands; its reactions are far from unique.
#[test]
fn hyperstatic_wall() {
    let scene = wall(4, 8);
    let laws: Vec<Law> = vec![coulomb(0.7); scene.points.len()];
    assert!(gauss_seidel_merit(&mut scene.problem(), &laws, 300) > 1e-16);
    for method in SHARP {
        let found = solve(method, &mut scene.problem(), &laws, 1e-20);
        at_rest(&scene, &found.r, &found.u, 1e-8);
    }
    let found = solve(Method::Admm, &mut scene.problem(), &laws, 1e-10);
    at_rest(&scene, &found.r, &found.u, 1e-4);
}

/// A heavy block slides over a stack of light ones and drags it.
#[test]
fn mass_ratios() {
    let cases = [
        (Method::InteriorPoint, 1e5),
        (Method::ProximalNewton, 1e3),
        (Method::Admm, 10.0),
        (Method::Auto, 10.0),
        (Method::Auto, 1e4),
        (Method::Auto, 1e6),
    ];
    for (method, ratio) in cases {
        let mut scene = stack(6);
        let press = scene.body(ratio, 1.0, Vec3::new(0.0, 0.0, 6.0));
        interface(&mut scene, press, Some(5), [-0.5, 0.5], [-0.5, 0.5], 5.5);
        scene.bodies[press].velocity = Vec3::new(0.3, 0.1, 0.0);
        let laws: Vec<Law> = vec![coulomb(0.2); scene.points.len()];
        solve(method, &mut scene.problem(), &laws, 1e-18);
    }
}

/// The methods agree on velocities where reactions are not unique: without friction velocities are.
#[test]
fn velocities_agree() {
    let mut scene = wall(3, 4);
    for body in &mut scene.bodies {
        body.velocity = Vec3::new(0.2 * body.centre.z, 0.1, 0.0);
    }
    let laws: Vec<Law> = vec![coulomb(0.0); scene.points.len()];
    let exact = solve(Method::InteriorPoint, &mut scene.problem(), &laws, 1e-20).u;
    for method in METHODS {
        let g = if method == Method::Admm { 1e-14 } else { 1e-20 };
        let found = solve(method, &mut scene.problem(), &laws, g);
        let miss = found.u.iter().zip(&exact).map(|(a, b)| (a - b).norm()).fold(0.0, f64::max);
        assert!(miss < 1e-5, "{method:?}: {miss:e}");
    }
}

/// However a solve is told to begin, the methods that AUTO did not begin with reach what the first one did not.
#[test]
fn a_remembered_opening_that_fails_is_no_obstacle() {
    let mut scene = stack(6);
    let press = scene.body(1e6, 1.0, Vec3::new(0.0, 0.0, 6.0));
    interface(&mut scene, press, Some(5), [-0.5, 0.5], [-0.5, 0.5], 5.5);
    scene.bodies[press].velocity = Vec3::new(0.3, 0.1, 0.0);
    let laws: Vec<Law> = vec![coulomb(0.2); scene.points.len()];
    let mut methods = Vec::new();
    for best in 0..3 {
        let mut numbers = [9.0, 9.0, 9.0, 0.0, 0.0, 8.0, 0.0, 0.0, 0.0];
        numbers[best] = 1.0;
        let (mut memory, mut op) = (Memory::of(numbers), scene.problem());
        let n = laws.len();
        let (mut r, mut u, mut parts) = (vec![Vec3::zeros(); n], vec![Vec3::zeros(); n], vec![0.0; n]);
        let unknowns = Unknowns { r: &mut r, u: &mut u, merit: &mut parts };
        let report = auto_with(&mut memory, &mut op, &laws, Goal::Merit(1e-18), STEP, unknowns);
        assert_eq!(report.status, Status::Converged, "begun by {best}: {report:?}");
        assert!(memory.numbers()[best] > 1.0, "the cost is remembered: {memory:?}");
        methods.push(report.method);
    }
    assert_ne!(methods[0], "GAUSS_SEIDEL", "sweeps fail here");
}

/// A stack that slides and rocks, and once more with other velocities: around the reactions of the first the path of
/// interior points needs less than half of the steps.
#[test]
fn the_path_around_a_guess_is_shorter_than_one_from_the_middle() {
    let moved = |factor: f64| {
        let mut scene = stack(12);
        for (k, body) in scene.bodies.iter_mut().enumerate() {
            body.velocity = factor * Vec3::new(0.2 * body.centre.z, 0.1 * (k % 3) as f64, -0.1);
        }
        scene
    };
    let along_the_path = |scene: &Scene, r: &mut [Vec3]| {
        let n = scene.points.len();
        let (mut memory, mut op) = (Memory::of([9.0, 9.0, 1.0, 0.0, 0.0, 8.0, 0.0, 0.0, 0.0]), scene.problem());
        let (mut u, mut parts) = (vec![Vec3::zeros(); n], vec![0.0; n]);
        let unknowns = Unknowns { r, u: &mut u, merit: &mut parts };
        let laws: Vec<Law> = vec![coulomb(0.5); n];
        let report = auto_with(&mut memory, &mut op, &laws, Goal::Merit(1e-16), STEP, unknowns);
        assert_eq!((report.status, report.method), (Status::Converged, "CORRECTED_SWEEPS"), "{report:?}");
        report.iterations
    };
    let mut r = vec![Vec3::zeros(); moved(1.0).points.len()];
    let first = along_the_path(&moved(1.0), &mut r);
    let mut cold = vec![Vec3::zeros(); r.len()];
    let (again, anew) = (along_the_path(&moved(1.02), &mut r), along_the_path(&moved(1.02), &mut cold));
    println!("{first} factorisations, then {again} around the reactions, {anew} without them");
    assert!(2 * again < anew, "{again} around the guess, {anew} without it");
}
