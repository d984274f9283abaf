//! Obstacles that move: contacts see them move, they feel nothing.

use super::*;
use solfec::ids::BodyId;
use solfec_testing::affine::motion;

/// A block at rest is put on a floor that moves at 1 m/s: friction brings it to the speed of the floor in 0.2 s, over
/// 0.1 m. What friction takes in the frame of the floor, ½ m v², it gives in that of the ground.
#[test]
fn a_floor_carries_a_block() {
    let mut world = World::new(1e-3).gravity([0.0, 0.0, -10.0]).surface(|s| s.friction = 0.5);
    let floor = world.obstacle(block([-5.0, -5.0, -1.0], [5.0, 5.0, 0.0], [1, 1, 1]));
    let body = world.rigid(block([-0.5, -0.5, 0.0], [0.5, 0.5, 0.1], [2, 2, 1]), 10.0);
    let mut simulation = world.simulation();
    launch(&mut simulation, floor, [1.0, 0.0, 0.0], [0.0; 3]);
    steps(&mut simulation, &gauss_seidel(1e-12), 400, |s, report| {
        let speed = (5.0 * report.time).min(1.0);
        assert_near(velocity(s, body).x, speed, 1e-8, "speed");
        let slip: Vec3 = s.contacts().iter().map(|c| c.base * c.u).sum::<Vec3>() / 4.0;
        assert_near(slip.x.abs(), 1.0 - speed, 1e-8, "slip");
    });
    assert_near(center(&simulation, body).x, 0.1 + 0.2, 1e-6, "way");
    assert_near(velocity(&simulation, floor).x, 1.0, 0.0, "speed of the floor");
    let energy = simulation.bodies().energy_total();
    assert_near(energy[0], 0.5, 1e-8, "kinetic energy");
    assert_near(energy[2], 0.5, 1e-8, "external work");
    assert_near(energy[4], -0.5, 1e-8, "friction work");
}

/// A block that turns with a table stays on it, turned as the table is. Contacts are at mid-step and velocities at the
/// end of the step, so that each step is one of Euler's: the radius grows by the factor √(1 + h²ω²), hence by ½ h ω² t.
#[test]
fn a_turntable_carries_a_block() {
    let (h, omega, turn) = (1e-3, 1.0, 1.0);
    let mut world = World::new(h).gravity([0.0, 0.0, -10.0]).surface(|s| s.friction = 0.5);
    let table = world.obstacle(block([-2.0, -2.0, -1.0], [2.0, 2.0, 0.0], [1, 1, 1]));
    let body = world.rigid(block([0.75, -0.25, 0.0], [1.25, 0.25, 0.1], [2, 2, 1]), 10.0);
    let mut simulation = world.simulation();
    launch(&mut simulation, table, [0.0; 3], [0.0, 0.0, omega]);
    launch(&mut simulation, body, [0.0, omega, 0.0], [0.0, 0.0, omega]);
    let n = (turn / (h * omega)) as usize;
    steps(&mut simulation, &gauss_seidel(1e-12), n, |s, _| {
        let slip = s.contacts().iter().map(|c| c.u.norm()).fold(0.0, f64::max);
        assert!(slip < 1e-6, "the block slips by {slip}");
    });
    let place = center(&simulation, body);
    assert_near(place.xy().norm() - 1.0, 0.5 * h * omega * turn, 0.1 * h, "growth of the radius");
    let matrices = [table, body].map(|id| {
        let index = simulation.bodies().index(BodyId(id)).expect("a body");
        motion(simulation.bodies(), index).f
    });
    assert!((matrices[0] - matrices[1]).amax() < 1e-6, "the block has turned with the table");
}
