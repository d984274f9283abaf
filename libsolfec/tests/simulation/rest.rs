//! What rests stays where it is.

use super::*;
use solfec::model::{Newton, SolverSettings};
use solfec_testing::size::large;

/// A cube at rest for many steps neither drifts nor jitters.
#[test]
fn a_cube_rests() {
    let mut world = World::new(1e-3).gravity([0.0, 0.0, -9.81]).surface(|s| s.friction = 0.5);
    world.obstacle(block([-2.0, -2.0, -1.0], [2.0, 2.0, 0.0], [1, 1, 1]));
    let cube = world.rigid(block([-0.5, -0.5, 0.0], [0.5, 0.5, 1.0], [2, 2, 1]), 1000.0);
    let mut simulation = world.simulation();
    steps(&mut simulation, &gauss_seidel(1e-6), 100_000, |s, r| {
        assert_eq!(r.contacts, 4, "contacts at step {}", s.steps());
    });
    let moved = (center(&simulation, cube) - Vec3::new(0.0, 0.0, 0.5)).norm();
    assert!(moved < 1e-9, "the cube moved by {moved:e}");
    assert!(velocity(&simulation, cube).norm() < 1e-9);
}

/// A block a hundred times as heavy as the one below it.
#[test]
fn a_heavy_block_on_a_light_one_rests() {
    let mut world = World::new(1e-3).gravity([0.0, 0.0, -9.81]).surface(|s| s.friction = 0.5);
    world.obstacle(block([-2.0, -2.0, -1.0], [2.0, 2.0, 0.0], [1, 1, 1]));
    world.rigid(block([-0.5, -0.5, 0.0], [0.5, 0.5, 1.0], [2, 2, 1]), 10.0);
    let heavy = world.rigid(block([-0.5, -0.5, 1.0], [0.5, 0.5, 2.0], [2, 2, 1]), 1000.0);
    let mut simulation = world.simulation();
    steps(&mut simulation, &gauss_seidel(1e-6), 2000, |s, r| {
        assert_eq!(r.contacts, 8, "contacts at step {}", s.steps());
    });
    let moved = (center(&simulation, heavy) - Vec3::new(0.0, 0.0, 1.5)).norm();
    assert!(moved < 1e-6, "the block moved by {moved:e}");
}

/// A block of cubes on a floor, held by NEWTON_SOLVER at its usual tolerance: a solution is swept once more, so that what
/// is left of the velocities dies out. At full size 64 cubes for 5 s: one sweep a step is not enough there to take all
/// that a solve leaves. Its merit of what all cubes fall in a step may be the energy of one of them, and this is how far
/// that one may go. How much is left at the end is up to rounding: gravity that differs by 1e-12 changes it a
/// hundredfold, so that no tighter bound would be met each time.
#[test]
fn cubes_come_to_rest_under_newton() {
    let Newton { meritval, .. } = Newton::default();
    let (h, gravity, mass) = (1e-3, 10.0, 2e3_f64);
    let (n, end) = if large() { (4, 5000) } else { (2, 700) };
    let mut world = World::new(h).gravity([0.0, 0.0, -gravity]).surface(|s| s.friction = 0.3);
    let side = f64::from(n);
    world.obstacle(block([0.0, 0.0, -1.0], [side, side, 0.0], [1, 1, 1]));
    let places: Vec<[f64; 3]> = (0..n * n * n).map(|k| [k % n, k / n % n, k / (n * n)].map(f64::from)).collect();
    let cubes: Vec<u64> = places
        .iter()
        .map(|&[x, y, z]| world.rigid(block([x, y, z], [x + 1.0, y + 1.0, z + 1.0], [2, 2, 2]), mass))
        .collect();
    let mut simulation = world.simulation();
    let centers = |s: &Simulation| -> Vec<Vec3> { cubes.iter().map(|&cube| center(s, cube)).collect() };
    let mut kinetic = 0.0_f64;
    let mut late = Vec::new();
    steps(&mut simulation, &SolverSettings::Newton(Newton::default()), end, |s, report| {
        if report.step + 100 > end as u64 {
            kinetic = cubes.iter().map(|&c| 0.5 * mass * velocity(s, c).norm_squared()).fold(kinetic, f64::max);
        }
        if report.step == end as u64 * 4 / 5 {
            late = centers(s);
        }
    });
    let count = cubes.len() as f64;
    let most = if large() { count * meritval } else { 1e-20 } * 0.5 * mass * (gravity * h).powi(2);
    assert!(kinetic < most, "{kinetic:e} J of a cube in the last steps");
    let allowed = (count * meritval).sqrt() * gravity * h * (end as f64 * h);
    let at_last = if large() { allowed / 5.0 } else { 1e-7 };
    for ((now, late), [x, y, z]) in centers(&simulation).iter().zip(&late).zip(places) {
        let moved = (now - Vec3::new(x + 0.5, y + 0.5, z + 0.5)).norm();
        assert!(moved < allowed, "a cube moved by {moved:e} m, {allowed:e} m are allowed");
        let lately = (now - late).norm();
        assert!(lately < at_last, "a cube moved by {lately:e} m in the last fifth");
    }
}

/// A pyramid of cubes, each resting on two: no drift, no jitter.
#[test]
fn a_pyramid_rests() {
    let mut world = World::new(1e-3).gravity([0.0, 0.0, -9.81]).surface(|s| s.friction = 0.5);
    world.obstacle(block([-5.0, -2.0, -1.0], [5.0, 2.0, 0.0], [1, 1, 1]));
    let rows = 5;
    let mut cubes = Vec::new();
    for level in 0..rows {
        for i in 0..rows - level {
            let x = i as f64 * 1.02 + level as f64 * 0.51 - 2.5;
            let z = level as f64;
            cubes.push((world.rigid(block([x, -0.5, z], [x + 1.0, 0.5, z + 1.0], [2, 2, 1]), 1000.0), x, z));
        }
    }
    let mut simulation = world.simulation();
    steps(&mut simulation, &gauss_seidel(1e-6), 2000, |_, r| assert_eq!(r.assemblies, 0, "W was assembled"));
    for (cube, x, z) in cubes {
        let moved = (center(&simulation, cube) - Vec3::new(x + 0.5, 0.0, z + 0.5)).norm();
        assert!(moved < 1e-6, "cube {cube} moved by {moved:e}");
    }
}
