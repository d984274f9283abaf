//! What is done when a solve does not converge, for every solver, and steps that are repeated with half their length.

use super::*;
use solfec::load::Series;
use solfec::model::{
    Admm, Analysis, Auto, CorrectedSweeps, Failure, GaussSeidel, InteriorPoint, LoadKind, Newton, ProximalNewton,
    Solver, SolverSettings,
};
use solfec::simulation::{Moment, OnFailure, Run, WarningKind};
use solfec::solver::{Report, Status};
use solfec::Error;

/// One sweep: a solve with a contact does not converge, one without does.
fn one_sweep() -> SolverSettings {
    SolverSettings::GaussSeidel(GaussSeidel::new(1e-12, 1))
}

/// A ball that falls at 1 m/s, 4 mm above the floor: it meets the floor by the middle of a step of 10 ms, not of 5 ms.
fn falling(h: f64) -> (World, Simulation) {
    let mut world = World::new(h).gravity([0.0, 0.0, -10.0]);
    world.obstacle(block([-2.0, -2.0, -1.0], [2.0, 2.0, 0.0], [1, 1, 1]));
    let body = world.rigid(ball([0.0, 0.0, 0.504], 0.5), 1.0);
    let mut simulation = world.simulation();
    launch(&mut simulation, body, [0.1, 0.0, -1.0], [0.0, 3.0, 0.0]);
    (world, simulation)
}

/// The step is made with half its length, as if nothing had been tried before; the next one has the whole length again.
#[test]
fn a_step_that_fails_is_made_with_half_its_length() {
    let (_, mut half) = falling(5e-3);
    half.step(&one_sweep()).expect("a step");
    let (_, mut simulation) = falling(1e-2);
    simulation.set_on_failure(OnFailure::HalveStep);
    let report = simulation.step(&one_sweep()).expect("half a step");
    assert_eq!((report.h, report.step, &report.failure), (5e-3, 1, &None));
    let halved = report.warnings.iter().find(|warning| warning.kind == WarningKind::Halved).expect("it is told");
    assert!(halved.text.contains("5.0000e-3 s") && halved.text.contains("did not converge"), "{halved:?}");
    assert_eq!((simulation.time(), simulation.step_length()), (5e-3, 1e-2));
    let (expected, mut state) = (half.state(), simulation.state());
    (state.clock, state.warnings) = (expected.clock, expected.warnings.clone());
    assert_eq!(state, expected);
}

/// A force that leaves the numbers in the middle of a step, not in that of its first half.
#[test]
fn a_state_that_is_not_finite_is_made_with_half_the_step() {
    let pushed = |h: f64| {
        let mut world = World::new(h);
        let body = world.rigid(ball([0.0; 3], 0.5), 1.0);
        let value = world.series(Series::new("", vec![4e-3, 5e-3, 6e-3], vec![0.0, 1e300, 0.0]).expect("a series"));
        let (point, direction) = (Vec3::zeros(), Vec3::x());
        world.load(body, LoadKind::Force { convected: false, point, direction, value });
        let mut simulation = world.simulation();
        launch(&mut simulation, body, [0.1, 0.0, -1.0], [0.0, 3.0, 0.0]);
        simulation
    };
    let solver = gauss_seidel(1e-10);
    assert!(matches!(pushed(1e-2).step(&solver), Err(Error::NotFinite(_))));
    let mut half = pushed(5e-3);
    half.step(&solver).expect("a step");
    let mut simulation = pushed(1e-2);
    simulation.set_on_failure(OnFailure::HalveStep);
    let report = simulation.step(&solver).expect("half a step");
    assert_eq!((report.h, report.step, &report.failure), (5e-3, 1, &None));
    let halved = report.warnings.iter().find(|warning| warning.kind == WarningKind::Halved).expect("it is told");
    assert!(halved.text.contains("not finite"), "{halved:?}");
    let (expected, mut state) = (half.state(), simulation.state());
    (state.clock, state.warnings) = (expected.clock, expected.warnings.clone());
    assert_eq!(state, expected);
    assert_eq!(simulation.step(&solver).expect("a whole step").h, 1e-2);
}

/// What no halving makes finite ends the run.
#[test]
fn a_state_that_stays_not_finite_ends_the_run() {
    let mut world = World::new(1e-2);
    let body = world.rigid(ball([0.0; 3], 0.5), 1.0);
    let mut simulation = world.simulation();
    simulation.set_on_failure(OnFailure::HalveStep);
    launch(&mut simulation, body, [1e300, 0.0, 0.0], [0.0; 3]);
    let end = simulation.step(&gauss_seidel(1e-10));
    assert!(matches!(&end, Err(Error::NotFinite(text)) if text.contains("energy")), "{end:?}");
}

/// After four halvings the run ends; the last attempt is kept.
#[test]
fn a_step_is_halved_four_times_at_most() {
    let (_, mut simulation) = falling(1e-2);
    simulation.set_on_failure(OnFailure::HalveStep);
    simulation.step(&one_sweep()).expect("half a step");
    let report = simulation.step(&one_sweep()).expect("a sixteenth of a step");
    assert_eq!(report.h, 1e-2 / 16.0);
    assert!(matches!(&report.failure, Some(Error::Solver(text)) if text.contains("did not converge")), "{report:?}");
    assert_eq!(simulation.warnings().kind, ["halved", "no-surface-material"]);
}

/// A restart after a halved step goes on bit for bit.
#[test]
fn a_restart_after_a_halved_step_goes_on_as_it_was() {
    let (world, mut simulation) = falling(1e-2);
    simulation.set_on_failure(OnFailure::HalveStep);
    simulation.step(&one_sweep()).expect("half a step");
    let mut restored = Simulation::restore(&world.model, &[], &simulation.state()).expect("its state");
    restored.set_on_failure(OnFailure::HalveStep);
    for one in [&mut simulation, &mut restored] {
        steps(one, &gauss_seidel(1e-10), 3, |_, report| assert_eq!(report.h, 1e-2));
    }
    assert_eq!(simulation.state(), restored.state());
    assert_near(simulation.time(), 0.035, 1e-15, "time");
}

/// What a solver is to do when it fails holds for every solver; what the user of the run chooses goes before it.
#[test]
fn every_solver_obeys_its_action_and_that_of_the_user() {
    let meritval = 1e-300;
    let solvers = [
        one_sweep(),
        SolverSettings::Newton(Newton { meritval, maxiter: 1, gsflag: false, ..Newton::default() }),
        SolverSettings::InteriorPoint(InteriorPoint { meritval, maxiter: 1 }),
        SolverSettings::ProximalNewton(ProximalNewton { meritval, maxiter: 1, ..ProximalNewton::default() }),
        SolverSettings::CorrectedSweeps(CorrectedSweeps { meritval, maxiter: 1, ..CorrectedSweeps::default() }),
        SolverSettings::Admm(Admm { meritval, maxiter: 1, ..Admm::default() }),
        SolverSettings::Auto(Auto { meritval }),
    ];
    let plain = (Failure::Continue, None);
    let asked = (Failure::Callback, Some(3));
    let cases = [
        (plain, OnFailure::AsSolver, false),
        (plain, OnFailure::Warn, false),
        (plain, OnFailure::Stop, true),
        ((Failure::Exit, None), OnFailure::AsSolver, true),
        (asked, OnFailure::AsSolver, true),
        (asked, OnFailure::Warn, false),
        (asked, OnFailure::Stop, true),
    ];
    for settings in solvers {
        for ((failure, callback), action, ends) in cases {
            let solver = Solver { settings: settings.clone(), failure, callback };
            let mut world = World::new(1e-3).gravity([0.0, 0.0, -10.0]).surface(|material| material.friction = 0.3);
            world.obstacle(block([-2.0, -2.0, -1.0], [2.0, 2.0, 0.0], [1, 1, 1]));
            for z in [0.0, 1.0] {
                world.rigid(block([-0.5, -0.5, z], [0.5, 0.5, z + 1.0], [2, 2, 1]), 1.0);
            }
            let mut simulation = world.simulation();
            simulation.set_on_failure(action);
            launch(&mut simulation, 2, [1.0, 0.3, 0.0], [0.1, 0.2, 0.3]);
            let mut run = Run::new(&mut simulation, solver.clone(), 1e-2);
            let (mut missed, mut questions) = (false, 0);
            let end = loop {
                match run.next(&mut simulation) {
                    Ok(Moment::Done) => break None,
                    Ok(Moment::Stepped(report)) => {
                        let Report { status, merit, error, .. } = report.solver;
                        let reached = if matches!(settings, SolverSettings::GaussSeidel(_)) {
                            error <= 1e-12
                        } else {
                            merit <= meritval
                        };
                        assert_eq!(status == Status::Converged, reached, "{} {report:?}", settings.name());
                        missed |= !reached;
                    }
                    // The first time the answer is to go on.
                    Ok(Moment::SolverFailed(function)) => {
                        assert_eq!(function, 3);
                        questions += 1;
                        if questions == 1 {
                            run.go_on();
                        }
                    }
                    Ok(_) => {}
                    Err(error) => break Some(error),
                }
            };
            let case = format!("{} {failure:?} {action:?}", settings.name());
            assert!(missed, "{case}: a merit of 0 in every step");
            assert_eq!(matches!(end, Some(Error::Solver(_))), ends, "{case}: {end:?}");
            let asks = failure == Failure::Callback && action == OnFailure::AsSolver;
            assert_eq!(questions, if asks { 2 } else { 0 }, "{case}");
        }
    }
}

/// Step recovery is of dynamics: a step of quasi-statics that was halved is whole again.
#[test]
fn a_halved_step_of_quasi_statics_is_followed_by_a_whole_one() {
    for recovery in [false, true] {
        let mut world = World::new(1e-2);
        world.model.analysis = Analysis::QuasiStatic;
        world.model.settings.step_recovery = recovery;
        (world.model.bulk[0].young, world.model.bulk[0].poisson) = (1e6, 0.0);
        let body = soft_cube(&mut world, [0.0; 3], 1.0);
        let value = world.series(Series::new("", vec![9e-3, 1e-2, 1.1e-2], vec![0.0, 1e304, 0.0]).expect("a series"));
        let (point, direction) = (Vec3::repeat(1.0), Vec3::x());
        world.load(body, LoadKind::Force { convected: false, point, direction, value });
        let mut simulation = world.simulation();
        simulation.set_on_failure(OnFailure::HalveStep);
        let lengths = [0, 1, 2].map(|_| simulation.step(&gauss_seidel(1e-10)).expect("a step").h);
        assert_eq!(lengths, [5e-3, 1e-2, 1e-2]);
    }
}
