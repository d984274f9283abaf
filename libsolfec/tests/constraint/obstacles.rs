//! Obstacles that constraints of their own move: others see their velocity of the end of the step.

use super::*;
use solfec::ids::BodyIndex;
use solfec::math::Mat3;
use solfec::model::Analysis;
use solfec::simulation::{Warning, WarningKind};
use solfec_testing::affine::motion;

/// A floor with its surface at z = 0 and its mass centre at z = −1.
fn floor(world: &mut World) -> u64 {
    world.obstacle(block([-5.0, -5.0, -2.0], [5.0, 5.0, 0.0], [1, 1, 1]))
}

/// A floor that speeds up carries a block by friction, without lag, as long as friction is enough.
#[test]
fn a_driven_floor_carries_a_block() {
    for (speeding, sticks) in [(2.0, true), (8.0, false)] {
        let h = 1e-2;
        let mut world = World::new(h).gravity([0.0, 0.0, -10.0]).surface(|s| s.friction = 0.5);
        let floor = floor(&mut world);
        let body = world.rigid(block([-0.5, -0.5, 0.0], [0.5, 0.5, 0.1], [2, 2, 1]), 10.0);
        let ramp = series(&mut world, &[[0.0, 0.0], [1.0, speeding]]);
        let row = hold(&mut world, drive(Prescribed::Velocity, [2.0, 0.0, 0.0], ramp), floor, [0.0, 0.0, -1.0]);
        let mut simulation = world.simulation();
        steps(&mut simulation, &gauss_seidel(1e-14), 50, |s, report| {
            let v = speeding * report.time;
            assert_near(velocity(s, floor).x, v, 1e-13, "floor");
            assert_near(velocity(s, body).x, if sticks { v } else { 5.0 * report.time }, 1e-9, "block");
            assert_near(tie(s, row).u.z, v, 1e-13, "U of the drive");
            assert_near(tie(s, row).r.z, speeding * 10.0 * 10.0 * 2.0, 1e-8, "what moves the floor");
            assert!(report.warnings.is_empty(), "{:?}", report.warnings);
        });
    }
}

/// A hinge of two fixed points leaves an obstacle its spin; redundant constraints do no harm.
#[test]
fn a_hinged_obstacle_goes_on_spinning() {
    let mut world = World::new(1e-2);
    let table = floor(&mut world);
    for z in [-2.0, -1.0, 0.0] {
        hold(&mut world, fixed(), table, [2.0, 0.0, z]);
    }
    let mut simulation = world.simulation();
    launch(&mut simulation, table, [0.0, -2.0, 0.0], [0.0, 0.0, 1.0]);
    steps(&mut simulation, &gauss_seidel(1e-12), 200, |s, report| {
        assert!(report.warnings.is_empty(), "{:?}", report.warnings);
        let motion = motion(s.bodies(), BodyIndex(0));
        // h²/8 of the centripetal acceleration, 2 m/s²; at mid-steps it holds, but for the first.
        assert!((motion.point(&Vec3::new(2.0, 0.0, -1.0)) - Vec3::new(2.0, 0.0, -1.0)).norm() < 2.6e-5);
        assert!(s.steps() == 1 || s.constraints().iter().all(|constraint| constraint.moved.norm() < 1e-9));
        assert_near(s.bodies().velocity(BodyIndex(0))[2], 1.0, 1e-3, "spin");
    });
}

/// An obstacle on a link to a place in space moves on a sphere.
#[test]
fn an_obstacle_swings_on_a_link() {
    let mut world = World::new(1e-2);
    let ball = world.obstacle(ball([1.0, 0.0, 0.0], 0.1));
    let row = join(&mut world, link(), ball, None, [[1.0, 0.0, 0.0], [0.0; 3]]);
    let mut simulation = world.simulation();
    launch(&mut simulation, ball, [0.0, 1.0, 0.0], [0.0; 3]);
    steps(&mut simulation, &gauss_seidel(1e-12), 300, |s, _| {
        assert_near(center(s, ball).norm(), 1.0, 1e-12, "distance");
        assert_near(velocity(s, ball).norm(), 1.0, 1e-12, "speed");
        assert!(tie(s, row).r.z < 0.0, "tension");
    });
}

/// Bodies glued and linked to a driven obstacle move with it in the same step.
#[test]
fn bodies_follow_a_driven_obstacle() {
    let mut world = World::new(1e-2);
    let floor = floor(&mut world);
    let [glued, linked] = [-1.0, 1.0].map(|y| cube(&mut world, [0.0, y, 2.0], 0.5, 1.0));
    let ramp = series(&mut world, &[[0.0, 0.0], [1.0, 3.0]]);
    hold(&mut world, drive(Prescribed::Velocity, [0.0, 0.0, 1.0], ramp), floor, [0.0, 0.0, -1.0]);
    join(&mut world, link(), glued, Some(floor), [[0.0, -1.0, 2.0], [0.0, -1.0, 2.0]]);
    join(&mut world, link(), floor, Some(linked), [[0.0, 1.0, -1.0], [0.0, 1.0, 2.0]]);
    let mut simulation = world.simulation();
    assert_eq!([1, 2].map(|row| tie(&simulation, row).kind()), [1, 5]);
    steps(&mut simulation, &gauss_seidel(1e-14), 50, |s, report| {
        for body in [glued, linked] {
            assert_near(velocity(s, body).z, 3.0 * report.time, 1e-10, "velocity");
        }
    });
}

/// The velocity of an obstacle is made to suit its new constraints, once; what a hinge leaves it goes on.
#[test]
fn moving_obstacles_are_made_to_suit() {
    let mut world = World::new(1e-2);
    let table = floor(&mut world);
    hold(&mut world, fixed(), table, [0.0, 0.0, -1.0]);
    let mut simulation = world.simulation();
    launch(&mut simulation, table, [1.0, 0.0, 0.0], [0.0, 0.0, 0.5]);
    steps(&mut simulation, &gauss_seidel(1e-12), 50, |s, report| {
        assert_eq!(report.warnings.len(), usize::from(report.step == 1), "{:?}", report.warnings);
        if report.step == 1 {
            let text = &report.warnings[0].text;
            assert!(text.contains("largest change 1.000e0 m/s at FIX_POINT of body 1"), "{text}");
        }
        assert!(velocity(s, table).norm() < 1e-13, "velocity");
        assert_near(s.bodies().velocity(BodyIndex(0))[2], 0.5, 1e-13, "spin");
        assert!((center(s, table) + Vec3::z()).norm() < 1e-14, "place");
    });
}

/// Prescribed motions that no velocity satisfies are reported once.
#[test]
fn contradictions_are_told() {
    let mut world = World::new(1e-2);
    let floor = floor(&mut world);
    for v in [1.0, 2.0] {
        let constant = series(&mut world, &[[0.0, v], [1.0, v]]);
        hold(&mut world, drive(Prescribed::Velocity, [1.0, 0.0, 0.0], constant), floor, [0.0, 0.0, -1.0]);
    }
    let mut simulation = world.simulation();
    let mut told = 0;
    steps(&mut simulation, &gauss_seidel(1e-12), 5, |_, report| {
        told += report.warnings.len();
        for Warning { kind, text } in &report.warnings {
            assert!(*kind == WarningKind::Constraints && text.contains("SET_VELOCITY of body 1"), "{text}");
        }
    });
    assert_eq!(told, 1);
}

/// In quasi-statics displacements move obstacles, velocities are refused.
#[test]
fn quasi_static_obstacles_are_displaced() {
    let mut world = World::new(0.1).gravity([0.0, 0.0, -10.0]);
    world.model.analysis = Analysis::QuasiStatic;
    let floor = floor(&mut world);
    let body = world.rigid(ball([0.0, 0.0, 1.0], 1.0), 1.0);
    let ramp = series(&mut world, &[[0.0, 0.0], [1.0, 0.5]]);
    let up = Joint::Drive3 { what: Prescribed::Displacement, base: Mat3::identity(), series: [0; 3] };
    let zero = series(&mut world, &[[0.0, 0.0], [1.0, 0.0]]);
    let up = match up {
        Joint::Drive3 { what, base, .. } => Joint::Drive3 { what, base, series: [zero, zero, ramp] },
        other => other,
    };
    hold(&mut world, up, floor, [0.0, 0.0, -1.0]);
    let mut simulation = world.simulation();
    steps(&mut simulation, &gauss_seidel(1e-14), 10, |s, report| {
        assert_near(center(s, floor).z, -1.0 + 0.5 * report.time, 1e-14, "floor");
        assert_near(center(s, body).z, 1.0 + 0.5 * report.time, 1e-12, "ball");
    });
    world.model.constraints[0].joint = drive(Prescribed::Velocity, [0.0, 0.0, 1.0], ramp);
    let error = Simulation::new(&world.model).err().expect("an obstacle");
    assert!(error.to_string().contains("use SET_DISPLACEMENT, or a RIGID body"), "{error}");
}
