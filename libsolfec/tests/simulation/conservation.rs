//! Momentum and energy: what each scheme promises in free flight, and elastic contact without friction.

use super::*;
use solfec::body::{INTERNAL, KINETIC};
use solfec::math::{from_rows, Mat3, Vec9};
use solfec::model::Scheme;
use solfec_testing::affine::motion;

/// Linear momentum, and angular momentum about the origin.
fn momenta(simulation: &Simulation, world: &World) -> (Vec3, Vec3) {
    let bodies = simulation.bodies();
    let each = bodies.indices().map(|i| {
        let row = &world.model.bodies[bodies.row(i).index()];
        let chars = &row.chars;
        let (motion, velo) = (motion(bodies, i), bodies.velocity(i));
        let (rate, v) = velo.split_at(velo.len() - 3);
        let p = chars.mass * Vec3::from_column_slice(v);
        let spin = match row.kind {
            BodyKind::PseudoRigid => {
                let moment: Mat3 = motion.f * chars.tensor * from_rows(&Vec9::from_column_slice(rate)).transpose();
                let axial = moment - moment.transpose();
                Vec3::new(axial.m23, axial.m31, axial.m12)
            }
            _ => motion.f * (chars.tensor * Vec3::from_column_slice(rate)),
        };
        (p, spin + motion.x.cross(&p))
    });
    each.fold((Vec3::zeros(), Vec3::zeros()), |sum, one| (sum.0 + one.0, sum.1 + one.1))
}

/// A tumbling block, rigid or soft, for one second: greatest relative changes on the way.
struct Flight {
    linear: f64,
    angular: f64,
    energy: f64,
}

fn fly(kind: BodyKind, scheme: Scheme, h: f64) -> Flight {
    let mut world = World::new(h);
    world.model.bulk[0].young = 1e6;
    let id = world.body(kind, &[block([0.0; 3], [1.0, 2.0, 3.0], [1, 1, 1])], 1000.0);
    world.model.bodies[0].scheme = scheme;
    let mut simulation = world.simulation();
    launch(&mut simulation, id, [1.0, 2.0, 3.0], [1.0, 4.0, 2.0]);
    let energy = |s: &Simulation| {
        let all = s.bodies().energy_total();
        all[KINETIC] + all[INTERNAL]
    };
    let (start, whole) = (momenta(&simulation, &world), energy(&simulation));
    let mut flight = Flight { linear: 0.0, angular: 0.0, energy: 0.0 };
    steps(&mut simulation, &gauss_seidel(1e-6), (1.0 / h).round() as usize, |s, report| {
        assert_eq!(report.h, h, "the step is below every critical one");
        let now = momenta(s, &world);
        flight.linear = flight.linear.max((now.0 - start.0).norm() / start.0.norm());
        flight.angular = flight.angular.max((now.1 - start.1).norm() / start.1.norm());
        flight.energy = flight.energy.max((energy(s) / whole - 1.0).abs());
    });
    flight
}

/// All schemes keep linear momentum exactly and energy to second order in the step; RIG_NEG and RIG_IMP keep angular
/// momentum exactly. (The slow drift of energies is `a_free_asymmetric_top`.)
#[test]
fn rigid_flight_keeps_what_its_scheme_promises() {
    for scheme in [Scheme::RigPos, Scheme::RigNeg, Scheme::RigImp] {
        let [coarse, fine] = [2e-3, 1e-3].map(|h| fly(BodyKind::Rigid, scheme, h));
        for flight in [&coarse, &fine] {
            assert!(flight.linear < 1e-12, "{scheme:?}: linear momentum {}", flight.linear);
            let exact = scheme != Scheme::RigPos;
            assert_eq!(flight.angular < 1e-11, exact, "{scheme:?}: angular momentum {}", flight.angular);
        }
        assert!(second_order(coarse.energy, fine.energy), "{scheme:?}: energy {} {}", coarse.energy, fine.energy);
    }
}

/// Whether halving the step has quartered the error.
fn second_order(coarse: f64, fine: f64) -> bool {
    (3.5..4.5).contains(&(coarse / fine))
}

/// DEF_EXP keeps both momenta exactly and DEF_LIM the linear one; energies oscillate at second order in the step.
#[test]
fn soft_flight_keeps_what_its_scheme_promises() {
    for scheme in [Scheme::DefExp, Scheme::DefLim] {
        let [coarse, fine] = [1e-3, 5e-4].map(|h| fly(BodyKind::PseudoRigid, scheme, h));
        for flight in [&coarse, &fine] {
            assert!(flight.linear < 1e-12, "{scheme:?}: linear momentum {}", flight.linear);
            assert!(scheme == Scheme::DefLim || flight.angular < 1e-11, "angular momentum {}", flight.angular);
        }
        assert!(second_order(coarse.energy, fine.energy), "{scheme:?}: energy {} {}", coarse.energy, fine.energy);
    }
}

/// A ball strikes a block off its centre, elastically and without friction: momenta are kept exactly, energy to second
/// order in the step, because the block tumbles afterwards.
#[test]
fn an_elastic_stroke_keeps_momenta_and_energy() {
    let error = |h: f64| {
        let mut world = World::new(h).surface(|s| s.restitution = 1.0);
        let striker = world.rigid(ball([-2.0, 0.3, 0.4], 1.0), 1.0);
        world.rigid(block([-0.95, -1.0, -1.5], [0.55, 1.0, 1.5], [1, 1, 1]), 1.0);
        world.model.bodies[1].scheme = Scheme::RigImp;
        let mut simulation = world.simulation();
        launch(&mut simulation, striker, [2.0, 0.0, 0.0], [0.0; 3]);
        let (before, energy) = (momenta(&simulation, &world), simulation.bodies().energy_total()[KINETIC]);
        let mut touched = false;
        steps(&mut simulation, &gauss_seidel(1e-14), (0.2 / h).round() as usize, |_, r| touched |= r.contacts > 0);
        assert!(touched, "they never meet");
        let after = momenta(&simulation, &world);
        assert!((after.0 - before.0).norm() < 1e-12 * before.0.norm(), "linear momentum");
        assert!((after.1 - before.1).norm() < 1e-12 * before.1.norm(), "angular momentum");
        (simulation.bodies().energy_total()[KINETIC] / energy - 1.0).abs()
    };
    let [coarse, fine] = [2e-3, 1e-3].map(error);
    assert!(coarse < 1e-7 && second_order(coarse, fine), "energy {coarse} {fine}");
}

/// A ball that bounces elastically under gravity keeps its energy exactly: with U = −V the step of the bounce turns the
/// velocity about and does not move the ball.
#[test]
fn a_bouncing_ball_keeps_its_energy() {
    let mut world = World::new(1e-3).gravity([0.0, 0.0, -10.0]).surface(|s| s.restitution = 1.0);
    world.obstacle(block([-5.0, -5.0, -1.0], [5.0, 5.0, 0.0], [1, 1, 1]));
    let body = world.rigid(ball([0.0, 0.0, 1.8], 1.0), 0.75 / std::f64::consts::PI);
    let mut simulation = world.simulation();
    let mut bounces = 0;
    steps(&mut simulation, &gauss_seidel(1e-14), 4000, |s, r| {
        bounces += u32::from(r.contacts > 0);
        let energy = s.bodies().energy_total()[KINETIC] + 10.0 * (center(s, body).z - 1.0);
        assert_near(energy, 8.0, 1e-11, "energy");
    });
    assert_eq!(bounces, 5);
}

/// Balls that collide elastically without friction keep momentum exactly and energy to the order of the step.
#[test]
fn elastic_balls_keep_momentum_and_energy() {
    let mut world = World::new(1e-4).surface(|s| s.restitution = 1.0);
    let ids: Vec<u64> =
        (0..5).map(|i| world.rigid(ball([3.0 * i as f64, 0.2 * (i % 2) as f64, 0.0], 1.0), 1.0)).collect();
    let mut simulation = world.simulation();
    launch(&mut simulation, ids[0], [10.0, 0.0, 0.0], [0.0; 3]);
    let energy = simulation.bodies().energy_total()[0];
    let momentum: Vec3 = ids.iter().map(|&b| velocity(&simulation, b)).sum();
    let mut touched = false;
    steps(&mut simulation, &gauss_seidel(1e-14), 20_000, |_, r| touched |= r.contacts > 0);
    let after: Vec3 = ids.iter().map(|&b| velocity(&simulation, b)).sum();
    assert!(touched, "the balls never met");
    assert!((after - momentum).norm() < 1e-10, "momentum {momentum} became {after}");
    let error = simulation.bodies().energy_total()[0] / energy - 1.0;
    assert!(error.abs() < 1e-10, "kinetic energy changed by {error:e}");
}
