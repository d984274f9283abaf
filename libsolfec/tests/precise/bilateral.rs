//! Joints, links, springs and compliant contacts in the same systems.

use solfec::dynamics::{Assembled, Delassus};
use solfec::math::Vec3;
use solfec::solver::{Compliance, Elastic, Law, Link};

use crate::{gauss_seidel_merit, solve, METHODS, SHARP};
use solfec_testing::near::near;
use solfec_testing::problems::{coulomb, single, STEP};
use solfec_testing::scene::{interface, Scene, GRAVITY};

const EXACT: f64 = 1e-22;

const LINK: Law = Law::Link(Link { length: 1.0, distance: 1.0, reach: 0.5 * STEP.h });

/// Particles of mass 1 on 20 links below each other, a tip of mass `ratio`; the first link hangs on the ground.
fn chain(ratio: f64) -> (Scene, Vec<f64>) {
    let mut scene = Scene::default();
    let masses: Vec<f64> = (0..20).map(|i| if i == 19 { ratio } else { 1.0 }).collect();
    for (i, &mass) in masses.iter().enumerate() {
        let at = Vec3::new(0.0, 0.0, -1.0 - i as f64);
        let body = scene.body(mass, 0.0, at);
        scene.point(body, body.checked_sub(1), at, -Vec3::z());
    }
    (scene, masses)
}

/// The tension of a link is the weight below it.
#[test]
fn hanging_chain() {
    for ratio in [1.0, 1000.0] {
        let (scene, masses) = chain(ratio);
        let laws = vec![LINK; 20];
        for method in METHODS {
            let found = solve(method, &mut scene.problem(), &laws, EXACT);
            for (i, r) in found.r.iter().enumerate() {
                let weight = GRAVITY * masses[i..].iter().sum::<f64>();
                near(-r.z, weight, 1e-8 * weight);
                assert!(r.x == 0.0 && r.y == 0.0, "{method:?}");
            }
        }
    }
    let (scene, _) = chain(1000.0);
    assert!(gauss_seidel_merit(&mut scene.problem(), &[LINK; 20], 20) > 1e-6);
}

/// A swinging particle: the length of the link is kept by the nonlinear equation.
#[test]
fn link_of_a_moving_particle() {
    for method in METHODS {
        let mut op = single(solfec::math::Mat3::identity() * STEP.h, Vec3::new(2.0, 1.0, 0.0));
        let found = solve(method, &mut op, &[LINK], EXACT);
        let end = Vec3::new(0.0, 0.0, 1.0) + found.u[0] * 0.5 * STEP.h;
        near(end.norm(), 1.0, 1e-13);
    }
}

/// A block fixed at two points, twice over: its reactions are not unique, its velocity is.
#[test]
fn redundant_joints() {
    let mut scene = Scene::default();
    let block = scene.body(2.0, 1.0, Vec3::zeros());
    for x in [-0.5, 0.5, 0.5] {
        scene.point(block, None, Vec3::new(x, 0.0, 0.0), Vec3::z());
    }
    interface(&mut scene, block, None, [-0.5, 0.5], [-0.5, 0.5], -0.5);
    let mut laws = vec![Law::Velocity3 { target: Vec3::zeros() }; 3];
    laws.extend([coulomb(0.5); 4]);
    for method in METHODS {
        let found = solve(method, &mut scene.problem(), &laws, 1e-20);
        assert!(found.u.iter().all(|u| u.norm() < 1e-9), "{method:?}: {:?}", found.u);
        assert!((scene.forces(&found.r)[block] + scene.weight(block)).norm() < 1e-6);
    }
}

/// One direction is prescribed and the others are free; a stack stands on the block that is driven.
#[test]
fn driven_block() {
    let mut scene = Scene::default();
    let block = scene.body(2.0, 1.0, Vec3::zeros());
    let top = scene.body(1.0, 1.0, Vec3::new(0.0, 0.0, 1.0));
    interface(&mut scene, block, None, [-0.5, 0.5], [-0.5, 0.5], -0.5);
    interface(&mut scene, top, Some(block), [-0.5, 0.5], [-0.5, 0.5], 0.5);
    scene.point(block, None, Vec3::zeros(), Vec3::x());
    let mut laws = vec![coulomb(0.5); 8];
    laws.push(Law::Velocity { target: 0.02 });
    for method in METHODS {
        let found = solve(method, &mut scene.problem(), &laws, 1e-18);
        near(found.u[8].z, 0.02, 1e-9);
        assert!(found.r[8].x == 0.0 && found.r[8].y == 0.0);
        // 0.02 m/s in 0.01 s is 2 m/s²: the top sticks, the floor slides with 15 N against it.
        near(found.r[8].z, 0.5 * 30.0 + 3.0 * 2.0, 1e-6);
    }
}

/// A spring law with a slope, and the same against its stop.
#[test]
fn springs() {
    let spring = Elastic { force: 3.0, slope: -20.0, at: 0.1, lower: f64::NEG_INFINITY, upper: f64::INFINITY };
    let w = solfec::math::Mat3::identity() * 0.01;
    for method in METHODS {
        let found = solve(method, &mut single(w, Vec3::new(0.3, 0.0, -0.2)), &[Law::Spring(spring)], EXACT);
        near(found.r[0].z, 3.0 - 20.0 * (found.u[0].z - 0.1), 1e-9);
        let stopped = Elastic { upper: -0.15, ..spring };
        let found = solve(method, &mut single(w, Vec3::new(0.3, 0.0, -0.2)), &[Law::Spring(stopped)], EXACT);
        near(found.u[0].z, -0.15, 1e-11);
    }
}

/// Compliant contacts under a column: the springs carry the weight above them, as Gauss–Seidel finds.
#[test]
fn compliant_contacts() {
    let compliance = Compliance { gap: -1e-3, spring: 1e4, dashpot: 5.0, hpow: 1.0, friction: 0.5, cohesion: 0.0 };
    let laws = [Law::SpringDashpot(compliance), coulomb(0.5)];
    let mut op: Assembled = solfec_testing::problems::column(2.0, 1.0);
    assert_eq!(op.len(), 2);
    let exact = {
        let solution = solfec_testing::problems::solve(
            &mut op,
            &laws,
            &solfec_testing::problems::settings(1e-14, 10_000, solfec::model::BlockSolver::SemismoothNewton),
        );
        solution.r
    };
    for method in SHARP {
        let found = solve(method, &mut op, &laws, 1e-18);
        for (r, exact) in found.r.iter().zip(&exact) {
            assert!((r - exact).norm() < 1e-6 * exact.norm(), "{method:?}: {r} {exact}");
        }
    }
}
