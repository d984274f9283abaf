//! The state of all ranks is one: any number of ranks goes on from what any number left.

use super::distributed::{brick, distributed, heap, mechanism, on_ranks, own_states, seen_by, sweeps, wall, States};
use super::reproducible::assert_same;
use solfec::comm::Communicator;
use solfec::load::Series;
use solfec::math::Vec3;
use solfec::model::{Auto, BodyKind, GaussSeidel, LoadKind, Newton, Op, Scheme, SolverSettings};
use solfec::simulation::{OnFailure, Simulation, State};
use solfec_testing::world::World;
use std::sync::Arc;

/// Makes steps on so many ranks, from the beginning or from a state; the state that they leave.
fn advance(world: &World, ranks: usize, from: Option<&State>, steps: usize, solver: &SolverSettings) -> State {
    advance_with(world, ranks, from, steps, solver, |_| {})
}

/// The same where simulations are told something before they begin.
pub fn advance_with(
    world: &World,
    ranks: usize,
    from: Option<&State>,
    steps: usize,
    solver: &SolverSettings,
    tell: fn(&mut Simulation),
) -> State {
    let (model, from, solver) = (world.model.clone(), from.cloned(), solver.clone());
    let left = on_ranks(ranks, move |comm| {
        let mut simulation = match &from {
            None => distributed(&World { model: model.clone() }, comm),
            Some(state) => {
                let model = seen_by(comm.rank(), &model);
                let state = if comm.rank() == 0 { state } else { &state.head() };
                Simulation::restore_on_rank(&model, &[], state, solfec::body::kinds(), Arc::new(comm))
                    .expect("the state is of this model")
            }
        };
        tell(&mut simulation);
        for _ in 0..steps {
            simulation.step(&solver).expect("a step");
        }
        simulation.whole_state().expect("all ranks have states")
    });
    let whole: Vec<State> = left.into_iter().flatten().collect();
    assert_eq!(whole.len(), 1, "the first rank has the state");
    whole.into_iter().next().expect("a state")
}

fn states(world: &World, state: &State) -> States {
    own_states(&Simulation::restore(&world.model, &[], state).expect("the state is of this model"))
}

fn difference(a: &States, b: &States) -> f64 {
    assert!(a.keys().eq(b.keys()), "bodies are lost");
    let far = |(a, b): (&Vec<f64>, &Vec<f64>)| a.iter().zip(b).map(|(x, y)| (x - y).abs()).fold(0.0, f64::max);
    a.values().zip(b.values()).map(far).fold(0.0, f64::max)
}

#[test]
fn a_state_is_whole_on_any_number_of_ranks() {
    for world in [heap(), wall(), mechanism()] {
        let first = advance(&world, 1, None, 30, &sweeps(1e-12));
        for ranks in [1, 2, 5, 13] {
            let found = advance(&world, ranks, Some(&first), 0, &sweeps(1e-12));
            assert!(State { cuts: None, ..found } == first, "{ranks} ranks change it");
        }
    }
}

#[test]
fn four_ranks_stop_and_seven_go_on() {
    for (world, tolerance, bound) in [(heap(), 1e-24, 1e-8), (wall(), 1e-12, 1e-3), (mechanism(), 1e-24, 1e-8)] {
        let solver = sweeps(tolerance);
        let alone = advance(&world, 1, None, 60, &solver);
        let stopped = advance(&world, 4, None, 30, &solver);
        for ranks in [7, 3, 1] {
            let found = advance(&world, ranks, Some(&stopped), 30, &solver);
            let far = difference(&states(&world, &alone), &states(&world, &found));
            assert!(far <= bound && found.contacts.id.len() == alone.contacts.id.len(), "{ranks} ranks: {far:e}");
            assert_eq!((found.steps, found.next_constraint > 0), (60, true));
        }
    }
}

/// Space is dealt out as it was. What the bits of a step come from goes on, also where it is dealt out anew after the
/// restart, at every tenth step.
#[test]
fn the_same_ranks_go_on_bit_for_bit() {
    let newton = SolverSettings::Newton(Newton::default());
    for world in [heap(), wall(), mechanism()] {
        for solver in [sweeps(1e-12), newton.clone(), SolverSettings::Auto(Auto::default())] {
            let through = advance(&world, 3, None, 45, &solver);
            for stop in [10, 17] {
                let stopped = advance(&world, 3, None, stop, &solver);
                let again = advance(&world, 3, Some(&stopped), 45 - stop, &solver);
                assert_same(&again, &through, &format!("{stop} steps, then {}: {}", 45 - stop, solver.name()));
                assert!(again.cuts == through.cuts && again.cuts.is_some());
            }
        }
    }
}

#[test]
fn a_step_that_fails_is_repeated_with_half_its_length_on_all_ranks() {
    let world = wall();
    // Too few sweeps for any step.
    let model = world.model.clone();
    let solver = SolverSettings::GaussSeidel(GaussSeidel { meritval: 1e-30, ..GaussSeidel::new(1.0, 20) });
    let reports = on_ranks(3, move |comm| {
        let mut simulation = distributed(&World { model: model.clone() }, comm);
        simulation.set_on_failure(OnFailure::HalveStep);
        let report = simulation.step(&solver).expect("a step");
        (report.h, simulation.bodies().own().count())
    });
    assert!(reports.iter().all(|(h, _)| *h == 1e-3 / 16.0), "{reports:?}");
    assert_eq!(reports.iter().map(|(_, bodies)| bodies).sum::<usize>(), 21);
}

#[test]
fn steps_are_halved_between_bodies_in_contact_on_several_ranks() {
    let world = wall();
    let solver = SolverSettings::GaussSeidel(GaussSeidel { meritval: 1e-30, ..GaussSeidel::new(1.0, 20) });
    let first = advance(&world, 1, None, 3, &sweeps(1e-12));
    assert!(!first.contacts.id.is_empty());
    for ranks in [1, 3] {
        let halves = |simulation: &mut Simulation| simulation.set_on_failure(OnFailure::HalveStep);
        let halved = advance_with(&world, ranks, Some(&first), 1, &solver, halves);
        let made = halved.clock.now - first.clock.now;
        assert!((made - 1e-3 / 16.0).abs() < 1e-12, "{ranks} ranks: a step of {made:e} s");
        assert_eq!(halved.contacts.bodies, first.contacts.bodies);
    }
}

/// Copies that the attempt left without numbers get those of their owners back.
#[test]
fn a_step_that_is_not_finite_is_repeated_on_several_ranks() {
    let mut world = wall();
    // A force that leaves the numbers in the middle of a step, not in that of its first half.
    let value = world.series(Series::new("", vec![4e-4, 5e-4, 6e-4], vec![0.0, 1e300, 0.0]).expect("a series"));
    let (point, direction) = (Vec3::new(2.5, 0.25, 0.75), Vec3::x());
    world.load(8, LoadKind::Force { convected: false, point, direction, value });
    let model = world.model.clone();
    let made = on_ranks(3, move |comm| {
        let mut simulation = distributed(&World { model: model.clone() }, comm);
        simulation.set_on_failure(OnFailure::HalveStep);
        [(); 2].map(|()| simulation.step(&sweeps(1e-12)).map(|report| report.h))
    });
    assert!(made.iter().all(|steps| *steps == [Ok(5e-4), Ok(1e-3)]), "{made:?}");
}

#[test]
fn a_state_of_another_model_is_refused_by_all_ranks() {
    let states = [heap(), wall()].map(|world| advance(&world, 1, None, 2, &sweeps(1e-12)));
    let mut unknown_end = states[1].clone();
    unknown_end.contacts.bodies[0][1] = 1000;
    let mut cut = states[1].clone();
    cut.rigid.x.pop();
    let mut soft = wall().model;
    soft.bodies[9].kind = BodyKind::PseudoRigid;
    for (state, model, wanted) in [
        (&states[0], wall().model, "bodies or constraints that the model has not"),
        (&unknown_end, wall().model, "not both are there"),
        (&cut, wall().model, "differ in length"),
        (&states[1], soft, "of another kind than in the model"),
    ] {
        let state = state.clone();
        let errors = on_ranks(3, move |comm| {
            let (model, state) = match comm.rank() {
                0 => (model.clone(), state.clone()),
                rank => (seen_by(rank, &model), state.head()),
            };
            let restored = Simulation::restore_on_rank(&model, &[], &state, solfec::body::kinds(), Arc::new(comm));
            restored.err().map(|error| error.to_string())
        });
        assert!(errors.iter().all(|text| *text == errors[0]), "{errors:?}");
        assert!(errors[0].as_ref().is_some_and(|text| text.contains(wanted)), "{errors:?}");
    }
}

/// Two bricks that push one another leave the extents one after the other: no rank keeps a contact with one that is
/// gone.
#[test]
fn bodies_that_leave_are_gone_from_all_ranks() {
    let mut world = World::new(1e-3).gravity([1.0, 0.0, 0.0]);
    let at = |x: f64| brick([x, 0.0, 0.0], [1.0, 1.0, 1.0]);
    let bricks = [world.rigid(at(0.0), 2.0), world.rigid(at(1.0), 1.0)];
    assert_eq!(bricks, [1, 2]);
    let value = world.series(Series::constant(10.0));
    let (point, direction) = (Vec3::new(0.5, 0.5, 0.5), Vec3::x());
    world.load(bricks[0], LoadKind::Force { convected: false, point, direction, value });
    world.model.settings.extents = Some([-9.0, -9.0, -9.0, 1.25, 9.0, 9.0]);
    for ranks in [1, 2, 3] {
        let states = states_of_steps(&world, ranks, 400);
        let leaves = states.iter().position(|state| state.rigid.id.len() == 1).expect("one leaves before the other");
        for state in [&states[leaves - 1], &states[leaves]] {
            Simulation::restore(&world.model, &[], state).expect("a state of bodies that are there");
        }
        assert!(!states[leaves - 1].contacts.id.is_empty() && states[leaves].contacts.id.is_empty());
    }
}

/// The whole state after each of these steps on so many ranks.
fn states_of_steps(world: &World, ranks: usize, steps: usize) -> Vec<State> {
    let model = world.model.clone();
    let of_ranks = on_ranks(ranks, move |comm| {
        let mut simulation = distributed(&World { model: model.clone() }, comm);
        let step = |_| {
            simulation.step(&sweeps(1e-12)).expect("a step");
            simulation.whole_state().expect("all ranks have states")
        };
        (0..steps).filter_map(step).collect::<Vec<_>>()
    });
    of_ranks.into_iter().flatten().collect()
}

/// A body that would be turned inside out in the first half of a step makes a part of it, on any number of ranks.
#[test]
fn steps_that_invert_a_body_are_halved_on_several_ranks() {
    let mut world = World::new(2e-2);
    (world.model.bulk[0].young, world.model.bulk[0].poisson) = (1e6, 0.0);
    let body = world.body(BodyKind::PseudoRigid, &[brick([0.0; 3], [1.0; 3])], 1e3);
    world.model.bodies[0].scheme = Scheme::DefLim;
    world.rigid(brick([9.0, 0.0, 0.0], [1.0; 3]), 1e3);
    for ranks in [1, 2, 3] {
        let model = world.model.clone();
        let lengths = on_ranks(ranks, move |comm| {
            let mut simulation = distributed(&World { model: model.clone() }, comm);
            let velo = [-110.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0].to_vec();
            simulation.apply(&Op::SetVelocity { body, velo }).expect("a velocity");
            simulation.set_on_failure(OnFailure::HalveStep);
            simulation.step(&sweeps(1e-12)).expect("a part of the step").h
        });
        assert_eq!(lengths, vec![1e-2; ranks]);
    }
}
