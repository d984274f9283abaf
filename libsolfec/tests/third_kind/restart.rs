//! State to columns and back.

use std::sync::Arc;

use super::*;
use solfec::comm::Alone;
use solfec::simulation::State;

/// Contacts, joints and springs in one model.
fn scene() -> World {
    let mut world = world(1e-3, GRAVITY).surface(|s| s.friction = 0.3);
    world.obstacle(block([-1.0, -1.0, -0.5], [2.0, 2.0, 0.0], [1, 1, 1]));
    let one = chain(&mut world, block([0.0; 3], [0.5; 3], [1, 1, 1]), DAMPED);
    let two = chain(&mut world, block([0.0, 0.0, 0.52], [0.5, 0.5, 1.02], [1, 1, 2]), 0.0);
    world.rigid(block([0.6, 0.0, 0.0], [1.1, 0.5, 0.5], [1, 1, 1]), DENSITY);
    world.model.bodies[1].velo = [0.5, 0.1, 0.0].repeat(8);
    let link = Joint::RigidLink { strength: f64::INFINITY };
    join(&mut world, link, one, Some(two), [[0.2, 0.2, 0.3], [0.2, 0.3, 0.9]]);
    world
}

/// A simulation that is restored from its columns goes on bit for bit.
#[test]
fn a_restored_simulation_goes_on_bit_for_bit() {
    let world = scene();
    let solver = gauss_seidel(1e-8);
    let mut simulation = simulate(&world);
    steps(&mut simulation, &solver, 40, |_, _| {});
    let state: State = simulation.state();
    assert_eq!(state.general.bodies.id, [2, 3]);
    let mut again = Simulation::restore_on_rank(&world.model, &[], &state, chain::kinds(), Arc::new(Alone))
        .expect("the state is of this model");
    assert_eq!(again.state(), state);
    steps(&mut simulation, &solver, 40, |_, _| {});
    steps(&mut again, &solver, 40, |_, _| {});
    assert!(!simulation.contacts().is_empty(), "it touches the floor");
    assert_eq!(again.view(), simulation.view());
    assert_eq!(again.state(), simulation.state());
}

/// A library without the formulation says so.
#[test]
fn a_kind_that_is_not_there_is_an_error() {
    let mut kinds = solfec::body::kinds();
    kinds.truncate(2);
    let error = Simulation::with_kinds(&scene().model, kinds).err().expect("there is no such kind").to_string();
    assert!(error.contains("body 2") && error.contains("not available"), "{error}");
}
