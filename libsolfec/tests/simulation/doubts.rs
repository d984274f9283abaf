//! Numbers that cannot be right are warned of, or end the run with what helps.

use super::*;
use solfec::model::Scheme;
use solfec::simulation::{Run, Warning, WarningKind};
use solfec::Error;

/// Warnings of the next step.
fn told(simulation: &mut Simulation) -> Vec<Warning> {
    simulation.step(&gauss_seidel(1e-6)).expect("a step").warnings
}

/// A model with friction.
fn world(h: f64) -> World {
    World::new(h).surface(|material| material.friction = 0.5)
}

/// The only warning is of this kind and says these words.
fn only(told: &[Warning], kind: WarningKind, words: &[&str]) {
    assert!(told.len() == 1 && told[0].kind == kind, "{told:?}");
    assert!(words.iter().all(|word| told[0].text.contains(word)), "{told:?}");
}

/// Balls that lie in each other by half a metre and more, once; what touches or overlaps by a thousandth of a part is
/// right.
#[test]
fn overlap_at_the_start_is_told() {
    for (distance, warned) in [(1.5, true), (2.0 - 1e-3, false), (2.0, false)] {
        let mut world = world(1e-3);
        for k in 0..3 {
            world.rigid(ball([f64::from(k) * distance, 0.0, 0.0], 1.0), 1.0);
        }
        let mut simulation = world.simulation();
        let first = told(&mut simulation);
        if warned {
            only(&first, WarningKind::Overlap, &["5.000e-1 m at the start", "2 pairs", "move them apart"]);
        } else {
            assert_eq!(first, []);
        }
        assert_eq!(told(&mut simulation), []);
    }
}

/// Bodies that come later, or are put elsewhere, are looked at in their first step; the others are not told again.
#[test]
fn overlap_of_new_bodies_is_told() {
    let mut world = world(1e-3);
    world.rigid(ball([0.0; 3], 1.0), 1.0);
    world.rigid(ball([5.0, 0.0, 0.0], 1.0), 1.0);
    let mut simulation = world.simulation();
    assert_eq!(told(&mut simulation), []);
    world.rigid(ball([1.5, 0.0, 0.0], 1.0), 1.0);
    insert(&mut simulation, &world, 2..3);
    only(&told(&mut simulation), WarningKind::Overlap, &["body 3", "5.000e-1 m at the start of the step from 1.0"]);
    world.rigid(ball([50.0, 0.0, 0.0], 1.0), 1.0);
    insert(&mut simulation, &world, 3..4);
    assert_eq!(told(&mut simulation), []);
    assert_eq!(simulation.warnings().count, [1]);
    let conf = [1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0, 50.0, 0.5, 0.0].to_vec();
    simulation.apply(&Op::SetConfiguration { body: 2, conf }).expect("another place");
    let report = simulation.step(&gauss_seidel(1e-6)).expect("a step");
    assert_eq!((report.repeated, simulation.warnings().worst[0]), (vec![(WarningKind::Overlap, 1)], 1.5));
}

/// A ball that passes a thin plate, a neighbour or nothing in a step; together with the plate it passes nothing.
#[test]
fn a_body_that_may_pass_through_another_is_told() {
    for (speed, place, plate, warned) in
        [(1000.0, 0.3, 0.0, true), (10.0, 0.3, 0.0, false), (1000.0, 5.0, 0.0, false), (1000.0, 0.3, 1000.0, false)]
    {
        let mut world = world(1e-3);
        let shape = block([-1.0, -1.0, -0.1], [1.0, 1.0, 0.0], [1, 1, 1]);
        let below = world.rigid(shape, 1.0);
        let falls = world.rigid(ball([0.0, 0.0, place], 0.2), 1.0);
        let mut simulation = world.simulation();
        launch(&mut simulation, falls, [0.0, 0.0, -speed], [0.0; 3]);
        launch(&mut simulation, below, [0.0, 0.0, -plate], [0.0; 3]);
        let told = told(&mut simulation);
        if warned {
            only(&told, WarningKind::Fast, &["1.000e0 m in a step"]);
        } else {
            assert!(told.iter().all(|warning| warning.kind != WarningKind::Fast), "{told:?}");
        }
    }
}

#[test]
fn a_body_that_turns_far_in_a_step_is_told() {
    for (spin, warned) in [(600.0, true), (400.0, false)] {
        let mut world = world(1e-3);
        let body = world.rigid(ball([0.0; 3], 1.0), 1.0);
        let mut simulation = world.simulation();
        launch(&mut simulation, body, [0.0; 3], [0.0, spin, 0.0]);
        let first = told(&mut simulation);
        if warned {
            only(&first, WarningKind::Turn, &["body 1", "0.600 rad"]);
            assert_eq!(told(&mut simulation), []);
            assert_eq!(simulation.warnings().count, [2]);
        } else {
            assert_eq!(first, []);
        }
    }
}

#[test]
fn a_body_near_the_geometric_tolerance_is_told() {
    for (radius, warned) in [(1e-5, true), (1e-4, false)] {
        let mut world = world(1e-3);
        world.rigid(ball([0.0; 3], radius), 1.0);
        let told = told(&mut world.simulation());
        if warned {
            only(&told, WarningKind::Size, &["body 1", "2.000e-5 m", "GEOMETRIC_EPSILON"]);
        } else {
            assert_eq!(told, []);
        }
    }
}

#[test]
fn contacts_without_a_material_are_told() {
    for (friction, warned) in [(0.0, true), (0.1, false)] {
        let mut world = World::new(1e-3).surface(|material| material.friction = friction);
        world.obstacle(block([-1.0, -1.0, -1.0], [1.0, 1.0, 0.0], [1, 1, 1]));
        world.rigid(ball([0.0, 0.0, 0.9999], 1.0), 1.0);
        let told = told(&mut world.simulation());
        if warned {
            only(&told, WarningKind::NoSurfaceMaterial, &["SURFACE_MATERIAL"]);
        } else {
            assert_eq!(told, []);
        }
    }
}

/// The error names the body, the largest velocity, and what to correct.
#[test]
fn numbers_that_are_not_finite_end_the_run() {
    let fast = |world: &mut World| {
        let body = world.rigid(ball([0.0; 3], 1.0), 1.0);
        (body, [1e300, 0.0, 0.0])
    };
    let mut moving = world(1e-3);
    let (body, velocity) = fast(&mut moving);
    let mut simulation = moving.simulation();
    launch(&mut simulation, body, velocity, [0.0; 3]);
    let mut heavy = world(1e-3).gravity([0.0, 0.0, -1e300]);
    fast(&mut heavy);
    let words = ["1.000e300 m/s of body 1", "correct GRAVITY"];
    // The state of the start is no frame.
    let mut begun = moving.simulation();
    launch(&mut begun, body, velocity, [0.0; 3]);
    match Run::new(&mut begun, gauss_seidel(1e-6), 1e-2).next(&mut begun) {
        Err(Error::NotFinite(text)) => assert!(text.contains("at time 0.0") && text.contains(words[0]), "{text}"),
        other => panic!("{other:?}"),
    }
    assert!(!begun.shown());
    for (mut simulation, word) in [simulation, heavy.simulation()].into_iter().zip(words) {
        match simulation.step(&gauss_seidel(1e-6)) {
            Err(Error::NotFinite(text)) => {
                assert!(text.starts_with("body 1 has an energy that is not finite") && text.contains(word), "{text}");
            }
            other => panic!("{other:?}"),
        }
    }
}

/// A soft cube that is pressed to a length along x [m] and comes to rest there; implicit.
fn pressed(length: f64, h: f64) -> (World, Simulation) {
    let mut world = world(h);
    (world.model.bulk[0].young, world.model.bulk[0].poisson) = (1e6, 0.25);
    let body = soft_cube(&mut world, [0.0; 3], 1.0);
    world.model.bodies[0].scheme = Scheme::DefLim;
    let mut simulation = world.simulation();
    press(&mut simulation, body, length);
    (world, simulation)
}

fn press(simulation: &mut Simulation, body: u64, length: f64) {
    let conf = [length, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0, 0.5, 0.5, 0.5].to_vec();
    simulation.apply(&Op::SetConfiguration { body, conf }).expect("a configuration");
    simulation.apply(&Op::SetVelocity { body, velo: vec![0.0; 12] }).expect("a velocity");
}

/// An explicit step has no stiffness that could be indefinite, whatever the last implicit one found.
#[test]
fn a_stiffness_is_told_of_implicit_steps_alone() {
    let (_, mut simulation) = pressed(0.45, 5e-2);
    let told_of_stiffness = |simulation: &Simulation| {
        let rows = simulation.warnings();
        rows.kind.iter().zip(&rows.count).find(|(kind, _)| *kind == WarningKind::Stiffness.name()).map(|(_, n)| *n)
    };
    told(&mut simulation);
    assert_eq!(told_of_stiffness(&simulation), Some(1));
    press(&mut simulation, 1, 1.0);
    simulation.apply(&Op::SetScheme { body: 1, scheme: Scheme::DefExp }).expect("another scheme");
    for _ in 0..3 {
        told(&mut simulation);
    }
    assert_eq!(told_of_stiffness(&simulation), Some(1));
}

/// Warnings of a run that goes on are those of one that was not stopped.
#[test]
fn a_crushed_body_is_told_as_often_after_a_restart() {
    let (world, mut simulation) = pressed(0.6, 1e-3);
    let solver = gauss_seidel(1e-6);
    steps(&mut simulation, &solver, 10, |_, _| {});
    let mut again = Simulation::restore(&world.model, &[], &simulation.state()).expect("the state is of this model");
    for simulation in [&mut simulation, &mut again] {
        steps(simulation, &solver, 10, |_, _| {});
    }
    assert!(simulation.warnings().kind.iter().any(|kind| kind == WarningKind::Crushed.name()));
    assert_eq!(simulation.warnings(), again.warnings());
}
