//! Mechanics of whole simulations against closed forms: one paragraph of physics, a ten-line model, a named tolerance.

use super::*;

const TIGHT: f64 = 1e-12;

/// Free fall is exact for any step.
#[test]
fn free_fall_is_exact_for_any_step() {
    for h in [0.01, 0.05] {
        let mut world = World::new(h).gravity([0.0, 0.0, -10.0]);
        let body = world.rigid(ball([0.0; 3], 1.0), 1.0);
        let mut simulation = world.simulation();
        steps(&mut simulation, &gauss_seidel(1e-6), (1.0 / h).round() as usize, |_, _| {});
        assert_near(velocity(&simulation, body).z, -10.0, 10.0 * TIGHT, "velocity");
        assert_near(center(&simulation, body).z, -5.0, 5.0 * TIGHT, "place");
    }
}

/// A ball of 2 kg at rest on a fixed plane: R = (0, 0, 19.62) and U = 0 every step, whatever the step.
#[test]
fn a_resting_ball_keeps_its_reaction() {
    for h in [1e-4, 1e-3, 1e-2, 1e-1] {
        let mut world = World::new(h).gravity([0.0, 0.0, -9.81]);
        world.obstacle(block([-5.0, -5.0, -1.0], [5.0, 5.0, 0.0], [1, 1, 1]));
        let density = 2.0 / (4.0 / 3.0 * std::f64::consts::PI);
        let body = world.rigid(ball([0.0, 0.0, 1.0], 1.0), density);
        let mut simulation = world.simulation();
        steps(&mut simulation, &gauss_seidel(1e-12), 100, |s, _| {
            let contact = &s.contacts()[0];
            assert_near(contact.r.z, 19.62, 1e-9, "normal reaction");
            assert_near(contact.r.xy().norm(), 0.0, 1e-9, "tangential reaction");
            assert_near(contact.u.norm(), 0.0, 1e-12, "velocity");
        });
        assert_near(center(&simulation, body).z, 1.0, 1e-12, "place");
    }
}

/// Quasi-static creep of a free rigid body: h² f / m per step.
#[test]
fn quasi_static_creep_of_a_free_body() {
    let mut world = World::new(0.1).gravity([0.0, 0.0, -10.0]);
    world.model.analysis = solfec::model::Analysis::QuasiStatic;
    let body = world.rigid(ball([0.0; 3], 1.0), 1.0);
    let mut simulation = world.simulation();
    steps(&mut simulation, &gauss_seidel(1e-6), 5, |_, _| {});
    assert_near(center(&simulation, body).z, -0.5, 1e-14, "place");
}

/// Head-on impact with restitution: one step, momentum kept, energy as Newton's law says.
#[test]
fn head_on_impact_with_restitution() {
    for (e, v1, v2, energy) in [(0.5, 0.0, 1.5, 2.25), (1.0, -1.0, 2.0, 4.5), (0.0, 1.0, 1.0, 1.5)] {
        let h = 1e-3;
        let mut world = World::new(h).surface(|s| s.restitution = e);
        let unit = 1.0 / (4.0 / 3.0 * std::f64::consts::PI);
        let a = world.rigid(ball([0.0; 3], 1.0), unit);
        let b = world.rigid(ball([2.0 + 1e-3, 0.0, 0.0], 1.0), 2.0 * unit);
        let mut simulation = world.simulation();
        launch(&mut simulation, a, [3.0, 0.0, 0.0], [0.0; 3]);
        let mut largest: f64 = 0.0;
        steps(&mut simulation, &gauss_seidel(1e-12), 10, |s, _| {
            largest = s.contacts().iter().map(|c| c.r.z).fold(largest, f64::max);
        });
        assert_near(velocity(&simulation, a).x, v1, 1e-10, "first ball");
        assert_near(velocity(&simulation, b).x, v2, 1e-10, "second ball");
        assert_near(largest, (1.0 + e) * (2.0 / 3.0) * 3.0 / h, 1e-6, "reaction");
        assert_near(simulation.bodies().energy_total()[0], energy, 1e-9, "kinetic energy");
    }
}

/// A ball dropped from 1 m with e = 1/2 under 9.81 m/s²: places approach those of parabolas of 0.4515 s, 0.4515 s,
/// 0.2258 s, … to first order, each rebound has half of the speed, and after 1.3546 s it rests.
#[test]
fn a_bouncing_ball_comes_to_rest() {
    let (first, exact) = (4.429446918, 0.176136302);
    for (h, place, speed) in [(1e-3, 0.175494, 4.43412), (1e-4, 0.176182, 4.429215)] {
        let mut world = World::new(h).gravity([0.0, 0.0, -9.81]).surface(|s| s.restitution = 0.5);
        world.obstacle(block([-5.0, -5.0, -1.0], [5.0, 5.0, 0.0], [1, 1, 1]));
        let body = world.rigid(ball([0.0, 0.0, 2.0], 1.0), 1.0);
        let mut simulation = world.simulation();
        let (mut falling, mut impacts, mut at) = (0.0, Vec::new(), 0.0);
        steps(&mut simulation, &gauss_seidel(1e-14), (3.0 / h).round() as usize, |s, _| {
            let v = velocity(s, body).z;
            if falling < 0.0 && v > 0.0 && impacts.len() < 5 {
                assert_near(v, -0.5 * falling, 1e-9, "rebound");
                impacts.push(-falling);
            }
            falling = v;
            if (s.time() - 0.8).abs() < 0.5 * h {
                at = center(s, body).z - 1.0;
            }
        });
        assert_near(impacts[0], speed, 1e-5, "speed of the first impact");
        assert_near(impacts[0], first, 9.81 * h, "its closed form");
        assert_near(at, place, 1e-6, "place after 0.8 s");
        assert_near(at, exact, h, "its closed form");
        assert_near(center(&simulation, body).z, 1.0, 2e-6, "at rest");
    }
}

/// A block on an incline of tan a = 0.5 (gravity is tilted instead): sticks above, slides below μ = 0.5.
#[test]
fn a_block_on_an_incline_sticks_or_slides() {
    let (cosine, sine) = (2.0 / 5f64.sqrt(), 1.0 / 5f64.sqrt());
    for (mu, slides) in [(0.6, false), (0.4, true), (0.5 + 1e-6, false), (0.5 - 1e-6, true)] {
        let mut world = World::new(0.01).gravity([10.0 * sine, 0.0, -10.0 * cosine]).surface(|s| s.friction = mu);
        world.obstacle(block([-5.0, -5.0, -1.0], [20.0, 5.0, 0.0], [1, 1, 1]));
        // A low block, so that it does not tip, with a contact at its centre: rotation is of no account.
        let body = world.rigid(block([-0.5, -0.5, 0.0], [0.5, 0.5, 1.0], [1, 1, 1]), 1.0);
        let index = world.model.body_row(body).expect("it exists");
        world.model.bodies[index].disable_rotation = true;
        let mut simulation = world.simulation();
        steps(&mut simulation, &gauss_seidel(1e-12), 100, |s, _| {
            let total: Vec3 = s.contacts().iter().map(|c| c.r).sum();
            let tangential = if slides { mu * 10.0 * cosine } else { 10.0 * sine };
            assert_near(total.z, 10.0 * cosine, 1e-6, "normal reaction");
            assert_near(total.xy().norm(), tangential, 1e-6, "tangential reaction");
        });
        let acceleration = if slides { 10.0 * (sine - mu * cosine) } else { 0.0 };
        assert_near(velocity(&simulation, body).x, acceleration, 1e-9, "velocity");
        assert_near(center(&simulation, body).x, acceleration / 2.0, 1e-9, "displacement");
    }
}

/// A sliding block stops without reversing; the distance of the discrete scheme is known exactly.
#[test]
fn a_sliding_block_stops_at_the_discrete_distance() {
    let (h, mu, g) = (0.01, 0.3, 10.0);
    let mut world = World::new(h).gravity([0.0, 0.0, -g]).surface(|s| s.friction = mu);
    world.obstacle(block([-5.0, -5.0, -1.0], [5.0, 5.0, 0.0], [1, 1, 1]));
    let body = world.rigid(block([-0.5, -0.5, 0.0], [0.5, 0.5, 1.0], [1, 1, 1]), 1.0);
    let row = world.model.body_row(body).expect("it exists");
    world.model.bodies[row].disable_rotation = true;
    let mut simulation = world.simulation();
    launch(&mut simulation, body, [1.0, 0.0, 0.0], [0.0; 3]);
    steps(&mut simulation, &gauss_seidel(1e-13), 60, |s, _| {
        assert!(velocity(s, body).x >= -1e-13, "the block reverses");
    });
    assert_near(center(&simulation, body).x, 0.1667, 1e-9, "distance");
    assert_near(velocity(&simulation, body).x, 0.0, 1e-12, "final velocity");
}

/// A cohesive block hangs as long as its strength exceeds its weight.
#[test]
fn a_cohesive_block_hangs_until_its_strength() {
    let h = 1e-3;
    for (cohesion, holds) in [(1100.0, true), (900.0, false)] {
        let mut world = World::new(h).gravity([0.0, 0.0, -10.0]).surface(|s| {
            s.cohesion = cohesion;
            s.friction = 0.5;
        });
        world.obstacle(block([-1.0, -1.0, 0.0], [1.0, 1.0, 1.0], [1, 1, 1]));
        let body = world.rigid(block([-0.05, -0.05, -1.0], [0.05, 0.05, 0.0], [1, 1, 1]), 100.0);
        let mut simulation = world.simulation();
        let solver = gauss_seidel(1e-12);
        let mut first = None;
        steps(&mut simulation, &solver, 20, |s, _| {
            first.get_or_insert(s.contacts().first().map(|c| (c.r.z, c.u.z)));
        });
        let (r, u) = first.flatten().expect("the contact of the first step");
        if holds {
            assert_near(r, -10.0, 1e-8, "reaction");
            assert_near(center(&simulation, body).z, -0.5, 1e-10, "place");
        } else {
            assert_near(r, -9.0, 1e-8, "reaction of the first step");
            assert_near(u, h, 1e-10, "opening velocity");
            // Pulled by 1 N in the first step, falling freely in the 19 others.
            assert_near(velocity(&simulation, body).z, -(h + 19.0 * 10.0 * h), 1e-9, "velocity");
        }
    }
}

/// A ball of 1 kg dropped from 1 m onto an obstacle without restitution: the contact takes the fall energy.
#[test]
fn contact_takes_the_energy_of_a_falling_ball() {
    let h = 1e-4;
    let mut world = World::new(h).gravity([0.0, 0.0, -10.0]);
    world.obstacle(block([-5.0, -5.0, -1.0], [5.0, 5.0, 0.0], [1, 1, 1]));
    let density = 1.0 / (4.0 / 3.0 * std::f64::consts::PI);
    world.rigid(ball([0.0, 0.0, 2.0], 1.0), density);
    let mut simulation = world.simulation();
    steps(&mut simulation, &gauss_seidel(1e-10), 6000, |_, _| {});
    let energy = simulation.bodies().energy_total();
    assert!(energy[0] < 1e-10, "kinetic energy at rest: {:e}", energy[0]);
    // The ball overlaps by at most the way of one step, v h = 4.5e-4 m, and so gains m g v h.
    assert_near(energy[2], 0.0, 5e-3, "external work");
    assert_near(energy[3], -10.0, 5e-3, "contact work");
}

/// A block slides on an obstacle until friction has taken its kinetic energy: -½ m v² at t = 0.2, x = 0.1.
#[test]
fn friction_takes_the_energy_of_a_sliding_block() {
    let mut world = World::new(1e-3).gravity([0.0, 0.0, -10.0]).surface(|s| s.friction = 0.5);
    world.obstacle(block([-5.0, -5.0, -1.0], [5.0, 5.0, 0.0], [1, 1, 1]));
    let body = world.rigid(block([-0.5, -0.5, 0.0], [0.5, 0.5, 0.1], [2, 2, 1]), 10.0);
    let mut simulation = world.simulation();
    launch(&mut simulation, body, [1.0, 0.0, 0.0], [0.0; 3]);
    let mut stopped = None;
    steps(&mut simulation, &gauss_seidel(1e-10), 300, |s, r| {
        if velocity(s, body).norm() < 1e-9 {
            stopped.get_or_insert(r.time);
        }
    });
    assert_near(stopped.expect("it stops"), 0.2, 1.5e-3, "time of stopping");
    assert_near(center(&simulation, body).x, 0.1, 1e-3, "distance");
    assert_near(simulation.bodies().energy_total()[4], -0.5, 5e-3, "friction work");
}

/// Two free blocks rub against each other without gravity or obstacle: friction takes what kinetic energy is lost.
#[test]
fn friction_between_free_blocks_takes_what_they_lose() {
    let mut world = World::new(1e-3).gravity([0.0, 0.0, -10.0]).surface(|s| s.friction = 0.4);
    world.obstacle(block([-5.0, -5.0, -1.0], [5.0, 5.0, 0.0], [1, 1, 1]));
    let lower = world.rigid(block([-1.0, -0.5, 0.0], [1.0, 0.5, 0.2], [2, 2, 1]), 10.0);
    let upper = world.rigid(block([-0.25, -0.25, 0.2], [0.25, 0.25, 0.3], [2, 2, 1]), 10.0);
    let mut simulation = world.simulation();
    launch(&mut simulation, upper, [1.0, 0.0, 0.0], [0.0; 3]);
    let before = 0.5 * 10.0 * 0.025;
    steps(&mut simulation, &gauss_seidel(1e-10), 400, |_, _| {});
    let energy = simulation.bodies().energy_total();
    let lost = before - energy[0];
    assert_near(-energy[4], lost, 0.01 * lost, "friction work of the pair");
    assert!(velocity(&simulation, lower).x.abs() < 1e-8 && velocity(&simulation, upper).x.abs() < 1e-8);
}
