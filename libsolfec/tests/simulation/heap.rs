//! Balls that settle in a box: slide and roll, with factorisations that cost much more than sweeps.

use super::*;
use solfec::model::{GaussSeidel, SolverSettings};
use solfec::shape::{Geometry, Shape, Sphere};
use solfec_testing::problems::Random;

const MERIT: f64 = 1e-8;
const STEPS: usize = 150;

/// Balls of several sizes in loose layers of 6 × 6 over the floor of a box.
fn balls() -> World {
    let mut world = World::new(1e-3).gravity([0.0, 0.0, -9.81]).surface(|s| s.friction = 0.4);
    let (a, t, h) = (0.36, 0.05, 1.0);
    for (low, high) in [
        ([-a - t, -a - t, -t], [a + t, a + t, 0.0]),
        ([-a - t, -a - t, 0.0], [-a, a + t, h]),
        ([a, -a - t, 0.0], [a + t, a + t, h]),
        ([-a, -a - t, 0.0], [a, -a, h]),
        ([-a, a, 0.0], [a, a + t, h]),
    ] {
        world.obstacle(block(low, high, [1, 1, 1]));
    }
    let mut random = Random(5);
    for k in 0..216 {
        let place = Vec3::new(f64::from(k % 6) - 2.5, f64::from(k / 6 % 6) - 2.5, f64::from(k / 36) + 0.5);
        let center = 0.105 * place + 0.01 * random.vector();
        let radius = 0.044 + 0.004 * random.vector().x;
        let sphere = Sphere::new(center, radius, 1, 1).expect("a ball");
        let id = world.rigid(Shape::new(Geometry::Sphere(sphere)), 2500.0);
        world.model.bodies[id as usize - 1].velo = vec![0.0, 0.0, 0.0, 0.0, 0.0, -1.0];
    }
    world
}

/// Sweeps of the steps together.
fn sweeps(relaxation: f64) -> u32 {
    let solver = GaussSeidel { meritval: MERIT, relaxation, ..GaussSeidel::new(1.0, 5000) };
    let solver = SolverSettings::GaussSeidel(solver);
    let mut simulation = balls().simulation();
    let mut sum = 0;
    for k in 0..STEPS {
        let report = simulation.step(&solver).expect("a step");
        assert!(report.solver.merit <= MERIT, "step {k}: merit {:e}", report.solver.merit);
        sum += report.solver.iterations;
    }
    sum
}

/// Relaxed sweeps are not accelerated; so little relaxation changes nothing else.
#[test]
fn a_heap_settles_in_half_the_sweeps_when_they_are_accelerated() {
    let (plain, accelerated) = (sweeps(1.0 + 1e-9), sweeps(1.0));
    assert!(plain > 3000, "the heap is too easy: {plain} sweeps");
    assert!(2 * accelerated < plain, "{accelerated} sweeps for {plain}");
}
