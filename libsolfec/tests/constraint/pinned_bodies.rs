//! Motions of bodies held by constraints, with known solutions.

use super::*;
use solfec::ids::BodyIndex;
use solfec::math::exp_map;
use solfec::model::Scheme;
use solfec_testing::affine::motion;

const RIGID_SCHEMES: [Scheme; 3] = [Scheme::RigPos, Scheme::RigNeg, Scheme::RigImp];

/// Period of a pendulum on a rigid link, released horizontal.
#[test]
fn period_of_a_pendulum_on_a_link() {
    let h = 1e-3;
    for scheme in RIGID_SCHEMES {
        let mut world = World::new(h).gravity([0.0, 0.0, -std::f64::consts::PI.powi(2)]);
        let bob = world.rigid(ball([1.0, 0.0, 0.0], 0.1), 1.0);
        world.model.bodies[0].scheme = scheme;
        join(&mut world, link(), bob, None, [[1.0, 0.0, 0.0], [0.0; 3]]);
        let mut simulation = world.simulation();
        let (mut crossings, mut before) = (Vec::new(), 1.0);
        steps(&mut simulation, &gauss_seidel(1e-14), 3000, |s, report| {
            let x = center(s, bob);
            // Exact at mid-steps; at the ends of steps shorter by h²/8 of the centripetal acceleration, 2π² at most.
            assert_near(tie(s, 0).moved.z, 0.0, 1e-12, "length of the link at mid-step");
            assert_near(x.norm(), 1.0, 2.5e-6, "length of the link");
            if before * x.x < 0.0 {
                crossings.push(h * (report.step as f64 - 1.0 + before / (before - x.x)));
            }
            before = x.x;
        });
        assert_near(2.0 * (crossings[1] - crossings[0]), 2.3606812, 1e-3, "period");
    }
}

/// A pinned bar: its rate at the bottom.
#[test]
fn rate_of_a_pinned_bar() {
    let h = 1e-3;
    let exact = (2.0 * 9.8 * 0.25 * (1.0 - 30f64.to_radians().cos()) / (1.01 / 12.0 + 1.0 / 16.0)).sqrt();
    assert_near(exact, 2.11565, 5e-6, "exact rate");
    for scheme in RIGID_SCHEMES {
        let mut world = World::new(h).gravity([0.0, 0.0, -9.8]);
        let bar = world.rigid(block([-0.05, -0.05, -0.5], [0.05, 0.05, 0.5], [1, 1, 1]), 100.0);
        let turn = exp_map(&(Vec3::y() * 30f64.to_radians()));
        world.model.bodies[0].scheme = scheme;
        world.model.bodies[0].conf = turn.iter().copied().chain([0.0; 3]).collect();
        hold(&mut world, fixed(), bar, [0.0, 0.0, 0.25]);
        let mut simulation = world.simulation();
        let place = turn * Vec3::new(0.0, 0.0, 0.25);
        let mut rates = Vec::new();
        steps(&mut simulation, &gauss_seidel(1e-14), 700, |s, _| {
            let motion = motion(s.bodies(), BodyIndex(0));
            assert!((motion.point(&Vec3::new(0.0, 0.0, 0.25)) - place).norm() < 1e-6, "the pin holds");
            let axis = motion.f * Vec3::z();
            rates.push((axis.x.atan2(axis.z), s.bodies().velocity(BodyIndex(0))[1].abs()));
        });
        let k = rates.iter().position(|(angle, _)| *angle <= 0.0).expect("it passes the bottom");
        let [(a, u), (b, v)] = [rates[k - 1], rates[k]];
        assert_near(u + (v - u) * a / (a - b), exact, 1e-4, "rate at the bottom");
    }
}

/// A torque on a body that does not turn: the reaction of a constraint beside the mass centre.
#[test]
fn a_body_without_rotation_bears_a_torque() {
    for scheme in RIGID_SCHEMES {
        let mut world = World::new(0.01);
        let body = cube(&mut world, [0.0; 3], 0.5, 2.0);
        world.model.bodies[0].scheme = scheme;
        world.model.bodies[0].disable_rotation = true;
        let push = series(&mut world, &[[0.0, 0.0], [0.1, 1.0]]);
        let row = hold(&mut world, drive(Prescribed::Velocity, [0.0, 0.0, 1.0], push), body, [0.5, 0.5, 0.5]);
        let mut simulation = world.simulation();
        steps(&mut simulation, &gauss_seidel(1e-14), 10, |s, _| {
            assert_eq!(motion(s.bodies(), BodyIndex(0)).f, solfec::math::Mat3::identity());
            assert_eq!(s.bodies().velocity(BodyIndex(0))[..3], [0.0; 3]);
            // The force that speeds up 2 kg by 10 m/s²: W_NN = h/m, whatever the arm.
            assert_near(tie(s, row).r.z, 20.0, 1e-12, "reaction");
        });
        assert_near(velocity(&simulation, body).z, 1.0, 1e-14, "velocity");
    }
}
