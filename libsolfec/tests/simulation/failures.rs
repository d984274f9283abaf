//! Steps that fail, and simulations with nothing in them.

use super::*;
use solfec::ids::BodyIndex;
use solfec::model::{Failure, GaussSeidel, Penalty, PenaltyVariant, Solver, SolverSettings};
use solfec::simulation::{Moment, Run};
use solfec::Error;

fn state(simulation: &Simulation) -> Vec<f64> {
    let bodies = simulation.bodies();
    (0..bodies.len())
        .flat_map(|i| [bodies.configuration(BodyIndex(i as u32)), bodies.velocity(BodyIndex(i as u32))].concat())
        .collect()
}

/// A step that fails before the solve leaves everything as it was; with the reason gone, the same step is made.
#[test]
fn a_failed_step_changes_nothing() {
    let mut world = World::new(1e-2).gravity([0.0, 0.0, -10.0]);
    world.model.settings.penetration_depth = 0.05;
    (world.model.bulk[0].young, world.model.bulk[0].poisson) = (1e5, 0.0);
    world.obstacle(block([-5.0, -5.0, -1.0], [5.0, 5.0, 0.0], [1, 1, 1]));
    let rests = world.rigid(ball([-3.0, 0.0, 1.0], 1.0), 1.0);
    let falls = world.rigid(ball([3.0, 0.0, 2.0], 1.0), 1.0);
    soft_cube(&mut world, [0.0, 3.0, 4.0], 0.5);
    let mut simulation = world.simulation();
    let solver = gauss_seidel(1e-10);
    steps(&mut simulation, &solver, 2, |_, _| {});
    launch(&mut simulation, falls, [0.0, 0.0, -300.0], [0.0; 3]);
    let (before, contacts) = (state(&simulation), simulation.contacts().to_vec());
    let error = simulation.step(&solver).expect_err("it falls too deep");
    let Error::Penetration(text) = &error else { panic!("{error:?}") };
    assert!(text.contains("body 1") && text.contains("body 3"), "{text}");
    assert_eq!(state(&simulation), before);
    assert_eq!(simulation.contacts(), contacts);
    assert_eq!((simulation.steps(), simulation.time()), (2, 0.02));
    let frame = simulation.take_frame();
    assert_eq!((frame.step_count, frame.time, frame.constraints.id.len()), (2, 0.02, 1));

    simulation.apply(&Op::UnphysicalPenetration { depth: f64::INFINITY }).expect("a depth");
    let report = simulation.step(&solver).expect("a step");
    assert_eq!((report.step, report.contacts), (3, 2));
    assert!(velocity(&simulation, falls).norm() < 1e-9 && velocity(&simulation, rests).norm() < 1e-9);
}

/// A configuration that leaves the numbers is an error that names the body, and is not kept.
#[test]
fn a_state_that_is_not_finite_is_told() {
    let mut world = World::new(10.0);
    let body = world.rigid(ball([0.0; 3], 1.0), 1.0);
    let mut simulation = world.simulation();
    launch(&mut simulation, body, [1e308, 0.0, 0.0], [0.0; 3]);
    let error = simulation.step(&gauss_seidel(1e-6)).expect_err("it is too fast");
    assert!(matches!(&error, Error::NotFinite(text) if text.contains("body 1")), "{error:?}");
    assert!(state(&simulation).iter().all(|x| x.is_finite()));
}

/// Two cubes on each other that one sweep cannot solve: CONTINUE goes on; EXIT and CALLBACK, for which nobody answers,
/// end the run with the text of a SolverError after the step, its frame included, is shown.
#[test]
fn the_failure_action_decides() {
    for failure in [Failure::Continue, Failure::Exit, Failure::Callback] {
        let mut world = World::new(1e-3).gravity([0.0, 0.0, -10.0]);
        world.obstacle(block([-2.0, -2.0, -1.0], [2.0, 2.0, 0.0], [1, 1, 1]));
        for z in [0.0, 1.0] {
            world.rigid(block([-0.5, -0.5, z], [0.5, 0.5, z + 1.0], [2, 2, 1]), 1.0);
        }
        let mut simulation = world.simulation();
        let solver = Solver { failure, ..SolverSettings::GaussSeidel(GaussSeidel::new(1e-12, 1)).into() };
        let mut run = Run::new(&mut simulation, solver, 2e-3);
        let mut told = Vec::new();
        let end = loop {
            match run.next(&mut simulation) {
                Ok(Moment::Callback(_) | Moment::SolverFailed(_)) => {}
                Ok(Moment::Done) => break None,
                Ok(Moment::Frame) => told.push(('F', simulation.take_frame().step_count)),
                Ok(Moment::Stepped(report)) => told.push(('S', report.step)),
                Err(error) => break Some(error),
            }
        };
        let first = [('F', 0), ('S', 1), ('F', 1)];
        if failure == Failure::Continue {
            assert_eq!((told[..3].to_vec(), told.len(), end), (first.to_vec(), 5, None));
            continue;
        }
        assert_eq!(told, first);
        let Some(Error::Solver(text)) = end else { panic!("{failure:?}: {end:?}") };
        assert!(text.contains("GAUSS_SEIDEL_SOLVER") && text.contains("after 1 iterations"), "{text}");
        assert!(text.contains("worst between body"), "{text}");
        assert!(simulation.shown());
    }
}

/// No bodies, only an obstacle, or no contact: a step is a step all the same.
#[test]
fn nothing_to_solve_is_solved() {
    let penalty = SolverSettings::Penalty(Penalty { variant: PenaltyVariant::Implicit });
    for solver in [gauss_seidel(1e-6), penalty] {
        let mut world = World::new(1e-2).gravity([0.0, 0.0, -10.0]);
        let check = |world: &World, bodies: usize| {
            let mut simulation = world.simulation();
            steps(&mut simulation, &solver, 2, |s, report| {
                let told = (report.step, report.bodies, report.contacts, report.solver.iterations);
                assert_eq!(told, (s.steps(), bodies, 0, 0));
                assert!(report.solver.merit == 0.0 && report.warnings.is_empty());
            });
            let frame = simulation.take_frame();
            assert_eq!((frame.step_count, frame.rigid.body.len(), frame.constraints.id.len()), (2, bodies, 0));
        };
        check(&world, 0);
        world.obstacle(block([-1.0, -1.0, -1.0], [1.0, 1.0, 0.0], [1, 1, 1]));
        check(&world, 1);
        world.rigid(ball([0.0, 0.0, 5.0], 1.0), 1.0);
        check(&world, 2);
    }
}
