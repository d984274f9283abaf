//! Links, springs and drives at points inside of elements of a deforming body.

use super::*;
use solfec::model::{Scheme, SpringAxis, SpringLaw};
use solfec::query::{BodyView, Point, ShownBodies};
use solfec_testing::size::large;

/// Where a reference point of the body is, as the reading tools see it.
fn place(world: &World, simulation: &Simulation, id: u64, reference: [f64; 3]) -> Vec3 {
    let frame = simulation.view();
    let bodies = ShownBodies::of(&world.model, &frame);
    let ask = |body: BodyView| body.place(&Point::new(reference.into()));
    bodies.find(solfec::ids::CatalogueRow(id as u32 - 1)).map(ask).expect("the frame shows the body")
}

/// A pendulum: a rigid link from a point of an element to a point of space keeps its length, and the energy.
#[test]
fn a_rigid_link_keeps_its_length() {
    let mut world = world(1e-3, GRAVITY);
    let id = chain(&mut world, block([0.0; 3], [0.4, 0.4, 0.4], [1, 1, 1]), 1e-3);
    let (point, anchor) = ([0.3, 0.2, 0.35], [0.3, 0.2, 1.35]);
    join(&mut world, Joint::RigidLink { strength: f64::INFINITY }, id, None, [point, anchor]);
    let mut simulation = simulate(&world);
    steps(&mut simulation, &gauss_seidel(1e-12), 200, |s, _| {
        let length = (place(&world, s, id, point) - Vec3::from(anchor)).norm();
        assert_near(length, 1.0, 1e-4, "length of the link");
    });
    let e = energies(&simulation);
    assert_near(ledger(&e), 0.0, 1e-6 * e[EXTERNAL].abs().max(1.0), "energy");
}

/// Two bodies, one of each sort, glued at a point: they fall together, and the glue takes no part of their weight.
#[test]
fn glued_to_a_rigid_body_they_fall_together() {
    let mut world = world(1e-3, GRAVITY);
    let soft = chain(&mut world, block([0.0; 3], [0.5, 0.5, 0.5], [1, 1, 1]), 0.0);
    let hard = world.rigid(block([0.5, 0.0, 0.0], [1.0, 0.5, 0.5], [1, 1, 1]), DENSITY);
    world.model.settings.excluded_bodies.push([soft, hard]);
    let at = [0.5, 0.25, 0.25];
    join(&mut world, Joint::FixPoint { strength: f64::INFINITY }, soft, Some(hard), [at; 2]);
    let mut simulation = simulate(&world);
    steps(&mut simulation, &gauss_seidel(1e-12), 100, |_, _| {});
    let fallen = 0.5 * GRAVITY * 0.1 * 0.1;
    for id in [soft, hard] {
        let here = place(&world, &simulation, id, at);
        assert!((here - Vec3::new(0.5, 0.25, 0.25 - fallen)).norm() < 1e-9, "{here}");
    }
}

/// Hung by a link of no length from the end of a rigid bar that turns about the vertical: the joints hold at mid-steps,
/// the energy is that of the start.
#[test]
fn hung_from_a_turning_bar_it_swings_for_long() {
    let seconds = if large() { 300.0 } else { 1.0 };
    for (h, allowed) in [(5e-4, 1e-3), (1e-2, 0.1)] {
        swing(h, (seconds / h) as usize, allowed);
    }
}

/// Energy may be off by so much of its scale.
fn swing(h: f64, count: usize, allowed: f64) {
    let mut world = world(h, GRAVITY);
    let soft = chain(&mut world, block([0.8, -0.1, -0.2], [1.0, 0.1, 0.0], [1, 1, 1]), 0.0);
    let bar = world.rigid(block([0.0, -0.05, -0.05], [1.0, 0.05, 0.05], [1, 1, 1]), DENSITY);
    world.model.bodies[bar as usize - 1].scheme = Scheme::RigImp;
    world.model.settings.excluded_bodies.push([soft, bar]);
    let joint = Joint::FixPoint { strength: f64::INFINITY };
    join(&mut world, joint, bar, None, [[0.0; 3]; 2]);
    join(&mut world, joint, bar, Some(soft), [[0.9, 0.0, -0.05]; 2]);
    let mut simulation = simulate(&world);
    for (body, at) in [(soft, [0.9, 0.0, -0.1]), (bar, [0.5, 0.0, 0.0])] {
        launch(&mut simulation, body, Vec3::z().cross(&Vec3::from(at)).into(), [0.0, 0.0, 1.0]);
    }
    let weights = [(soft, [0.9, 0.0, -0.1], 0.008), (bar, [0.5, 0.0, 0.0], 0.01)];
    let energy = |s: &Simulation| {
        let height =
            |(id, at, volume): &(u64, [f64; 3], f64)| place(&world, s, *id, *at).z * volume * DENSITY * GRAVITY;
        let e = energies(s);
        e[KINETIC] + e[INTERNAL] + weights.iter().map(height).sum::<f64>()
    };
    let before = energy(&simulation);
    let mut worst = 0.0_f64;
    steps(&mut simulation, &gauss_seidel(1e-10), count, |s, report| {
        let held = s.constraints().iter().map(|c| c.moved.norm()).fold(0.0, f64::max);
        assert!(report.step == 1 || held < 1e-9_f64.max(1e-3 * h * h), "step {}: {held:e} at mid-step", report.step);
        worst = worst.max((energy(s) - before).abs());
    });
    // Energy of the two at their levers.
    let scale = weights.iter().map(|(_, at, volume)| at[0] * volume * DENSITY * GRAVITY).sum::<f64>();
    assert!(worst < allowed * scale, "step {h:e}: energy is off by {worst} of {scale}");
}

/// A spring between a point of an obstacle and a point of the body carries its weight at rest.
#[test]
fn a_spring_holds_the_weight() {
    let mut world = world(2e-3, GRAVITY);
    let side = 0.2;
    let id = chain(&mut world, block([0.0; 3], [side; 3], [1, 1, 1]), DAMPED);
    let (point, anchor) = ([0.1, 0.1, side], [0.1, 0.1, 1.0]);
    let (stiffness, damping) = (2e3, 300.0);
    let law = SpringLaw::Linear { stiffness, damping };
    let joint = Joint::Spring { law, axis: SpringAxis::Fixed(Vec3::z()), limits: [-1.0, 1.0] };
    let ceiling = world.obstacle(block([-1.0, -1.0, 1.0], [1.0, 1.0, 1.2], [1, 1, 1]));
    join(&mut world, joint, id, Some(ceiling), [point, anchor]);
    let mut simulation = simulate(&world);
    steps(&mut simulation, &gauss_seidel(1e-12), 1500, |_, _| {});
    let weight = DENSITY * side.powi(3) * GRAVITY;
    assert_near(force_on(&simulation, id).z, weight, 1e-3 * weight, "force of the spring");
    let sag = side - place(&world, &simulation, id, point).z;
    assert_near(sag, weight / stiffness, 1e-3 * weight / stiffness, "stroke");
}
