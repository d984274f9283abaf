//! Quasi-static steps: velocity is pseudo-velocity, laws hold at the end of the step (docs/theory.md 1.7).

use super::*;
use solfec::material::SurfaceModel;
use solfec::model::{Analysis, Penalty, PenaltyVariant, SolverSettings};

fn at_rest_on_a_floor(h: f64) -> (World, u64) {
    let mut world = World::new(h).gravity([0.0, 0.0, -10.0]);
    world.model.analysis = Analysis::QuasiStatic;
    world.obstacle(block([-5.0, -5.0, -1.0], [5.0, 5.0, 0.0], [1, 1, 1]));
    let body = world.rigid(ball([0.0, 0.0, 1.0], 1.0), 0.75 / std::f64::consts::PI);
    (world, body)
}

/// A ball of 1 kg on a spring: the distance from the static place, m g / k deep, shrinks by 1 / (1 + h² k / m) a step.
#[test]
fn a_ball_sinks_into_its_spring() {
    let (h, k) = (0.1, 1e4);
    let penalty = SolverSettings::Penalty(Penalty { variant: PenaltyVariant::Implicit });
    for solver in [gauss_seidel(1e-14), penalty] {
        let (mut world, body) = at_rest_on_a_floor(h);
        (world.model.surface[0].model, world.model.surface[0].spring) = (SurfaceModel::SpringDashpot, k);
        let mut simulation = world.simulation();
        let mut distance = 10.0 / k;
        steps(&mut simulation, &solver, 6, |s, _| {
            distance /= 1.0 + h * h * k;
            assert_near(center(s, body).z, 1.0 - 10.0 / k + distance, 1e-13, "height");
            let contact = &s.contacts()[0];
            assert_near(contact.r.z, 10.0 - k * distance, 1e-8, "reaction");
            assert_eq!(contact.v, Vec3::zeros());
        });
    }
}

/// On a hard floor it stays where it is, and pushes with its weight.
#[test]
fn a_ball_rests() {
    let (world, body) = at_rest_on_a_floor(0.1);
    let mut simulation = world.simulation();
    steps(&mut simulation, &gauss_seidel(1e-14), 5, |s, _| {
        assert_near(s.contacts()[0].r.z, 10.0, 1e-12, "reaction");
        assert_near(center(s, body).z, 1.0, 1e-14, "height");
    });
    assert_eq!(simulation.bodies().energy_total(), [0.0; 6]);
}
