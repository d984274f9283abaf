//! Runs whose bits do not depend on the number of ranks.

use super::distributed::{balls, heap, mechanism, own_states, sweeps, wall};
use super::finite::{array, reduced};
use super::restart::advance_with;
use solfec::model::{Auto, Formulation, GaussSeidel, Newton, Penalty, PenaltyVariant, Scheme, SolverSettings};
use solfec::simulation::{Simulation, State};
use solfec_testing::arch::arch;
use solfec_testing::run::launch;
use solfec_testing::size::large;
use solfec_testing::skip::not_here;
use solfec_testing::world::World;

fn advance(world: &World, ranks: usize, from: Option<&State>, steps: usize, solver: &SolverSettings) -> State {
    advance_with(world, ranks, from, steps, solver, Simulation::reproduce)
}

pub fn assert_same(a: &State, b: &State, what: &str) {
    let parts = [
        ("bodies", a.rigid == b.rigid && a.pseudo == b.pseudo && a.general == b.general),
        ("contacts", a.contacts == b.contacts),
        ("constraints", a.constraints == b.constraints),
        ("statistics", a.statistics == b.statistics),
        ("memory", a.memory == b.memory),
        ("warnings", a.warnings == b.warnings),
        ("events", a.events == b.events),
    ];
    let names: Vec<&str> = parts.iter().filter(|(_, same)| !same).map(|(name, _)| *name).collect();
    let rest = |state: &State| State { cuts: None, ..state.head() };
    assert!(names.is_empty() && rest(a) == rest(b), "{what}: different {}", names.join(", "));
}

fn same_on_any_number(world: &World, steps: usize, solver: &SolverSettings) {
    let alone = advance(world, 1, None, steps, solver);
    for ranks in [2, 3, 4, 8] {
        let found = advance(world, ranks, None, steps, solver);
        assert_same(&found, &alone, &format!("{ranks} ranks, {}", solver.name()));
    }
}

#[test]
fn an_arch_has_the_same_bits_on_any_number_of_ranks() {
    same_on_any_number(&arch(0.12, 27), 20, &SolverSettings::Auto(Auto { meritval: 1e-12 }));
}

#[test]
fn balls_a_wall_and_a_mechanism_have_the_same_bits_on_any_number_of_ranks() {
    for world in [heap(), wall(), mechanism()] {
        same_on_any_number(&world, 60, &sweeps(1e-10));
    }
}

/// Where no body is of finite elements, these are the bits of a run of one process as it is.
#[test]
fn they_are_those_of_one_rank_where_bodies_have_few_velocities() {
    for world in [heap(), wall(), mechanism()] {
        for solver in [sweeps(1e-10), SolverSettings::Auto(Auto { meritval: 1e-12 })] {
            let plain = advance_with(&world, 1, None, 20, &solver, |_| {});
            assert_same(&advance(&world, 3, None, 20, &solver), &plain, solver.name());
        }
    }
}

#[test]
fn every_method_has_the_same_bits_on_any_number_of_ranks() {
    let newton = SolverSettings::Newton(Newton { meritval: 1e-8, ..Newton::default() });
    for solver in [SolverSettings::Auto(Auto { meritval: 1e-12 }), newton] {
        same_on_any_number(&wall(), 10, &solver);
    }
    let mut springy = heap();
    let surface = &mut springy.model.surface[0];
    (surface.spring, surface.dashpot) = (1e4, 10.0);
    springy.model.step = 1e-4;
    same_on_any_number(&springy, 60, &SolverSettings::Penalty(Penalty { variant: PenaltyVariant::Implicit }));
}

#[test]
fn blocks_of_elements_have_the_same_bits_on_any_number_of_ranks() {
    for form in [Formulation::TotalLagrangian, Formulation::Corotational] {
        for scheme in [Scheme::DefExp, Scheme::DefLim] {
            same_on_any_number(&array(form, scheme, 9), 10, &SolverSettings::Auto(Auto { meritval: 1e-12 }));
        }
    }
    same_on_any_number(&reduced(Formulation::Modal, 9), 10, &SolverSettings::Auto(Auto { meritval: 1e-12 }));
}

#[test]
fn a_solve_that_fails_names_the_worst_constraints_of_all_ranks() {
    let solver = SolverSettings::GaussSeidel(GaussSeidel::new(1e-12, 2));
    same_on_any_number(&wall(), 1, &solver);
    let told = advance(&wall(), 4, None, 1, &solver).warnings.text.join("\n");
    assert!(told.contains("; worst between body") && told.contains(" more; allow more iterations"), "{told}");
}

#[test]
fn four_ranks_stop_and_seven_go_on_with_the_same_bits() {
    for world in [heap(), wall(), mechanism()] {
        let solver = sweeps(1e-10);
        let through = advance(&world, 1, None, 60, &solver);
        let stopped = advance(&world, 4, None, 50, &solver);
        assert_same(&advance(&world, 7, Some(&stopped), 10, &solver), &through, "4 and 7 ranks");
    }
}

#[test]
fn a_thousand_balls_have_the_same_bits_on_any_number_of_ranks() {
    if !large() {
        return not_here("a thousand balls, 100 steps");
    }
    same_on_any_number(&balls([10, 10, 10]), 100, &sweeps(1e-6));
}

/// A body with too many nodes in contact for the matrix that such runs need ends the run; bodies are where they were.
#[test]
fn a_step_that_cannot_be_reproduced_is_not_begun() {
    let mut simulation = array(Formulation::Corotational, Scheme::DefLim, 4).simulation();
    simulation.set_dense_nodes(0);
    simulation.reproduce();
    let solver = SolverSettings::Auto(Auto { meritval: 1e-12 });
    let bodies = simulation.bodies();
    let moving: Vec<u64> = bodies.own().filter(|(_, body)| !bodies.is_obstacle(*body)).map(|(id, _)| id.0).collect();
    moving.iter().for_each(|id| launch(&mut simulation, *id, [0.1, 0.0, 0.0], [0.0; 3]));
    let mut before = own_states(&simulation);
    let error = loop {
        match simulation.step(&solver) {
            Ok(_) => before = own_states(&simulation),
            Err(error) => break error,
        }
    };
    assert!(error.to_string().contains("too many nodes in contact"), "{error}");
    assert_eq!(own_states(&simulation), before);
}
