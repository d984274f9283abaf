//! What AUTO remembers from step to step.

use super::*;
use solfec::model::{Auto, SolverSettings};
use solfec::solver::Memory;

const MERIT: f64 = 1e-8;

fn auto() -> SolverSettings {
    SolverSettings::Auto(Auto { meritval: MERIT })
}

/// A wall of bricks in running bond on a base that is tilted in its plane, so that it leans and its bricks slide.
fn wall() -> World {
    let (l, w, t) = (0.25, 0.12, 0.065);
    let mut world = World::new(1e-3).gravity([4.0, 0.0, -9.0]).surface(|s| s.friction = 0.5);
    world.obstacle(block([-0.5, -0.5, -0.2], [3.0, 0.5, 0.0], [1, 1, 1]));
    for course in 0..6 {
        for k in 0..4 {
            let x = k as f64 * l + (course % 2) as f64 * 0.5 * l;
            let z = course as f64 * t;
            world.body(BodyKind::Rigid, &[block([x, -0.5 * w, z], [x + l, 0.5 * w, z + t], [2, 2, 1])], 1800.0);
        }
    }
    world
}

/// Configurations and velocities after so many steps, and the operations of the solver.
fn run(simulation: &mut Simulation, count: usize) -> (Vec<u64>, f64) {
    let mut operations = 0.0;
    for _ in 0..count {
        let report = simulation.step(&auto()).expect("a step");
        assert!(report.solver.merit <= MERIT, "merit {}", report.solver.merit);
        operations += report.solver.operations;
    }
    (bits(simulation), operations)
}

fn bits(simulation: &Simulation) -> Vec<u64> {
    let bodies = simulation.bodies();
    let numbers = bodies.indices().flat_map(|i| [bodies.configuration(i), bodies.velocity(i)].concat());
    numbers.map(f64::to_bits).collect()
}

#[test]
fn remembering_costs_fewer_operations_than_beginning_anew() {
    let world = wall();
    let mut simulation = world.simulation();
    let (_, learnt) = run(&mut simulation, 200);
    let (mut anew, mut simulation) = (0.0, world.simulation());
    for _ in 0..200 {
        let mut state = simulation.state();
        state.memory = Memory::default();
        simulation = Simulation::restore(&world.model, &[], &state).expect("the same model");
        anew += run(&mut simulation, 1).1;
    }
    assert!(learnt < anew, "{learnt:e} operations with memory, {anew:e} without");
}

#[test]
fn a_run_with_memory_goes_on_bit_for_bit_on_any_number_of_threads() {
    let world = wall();
    let whole = |threads: usize| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().expect("threads");
        pool.install(|| run(&mut world.simulation(), 60).0)
    };
    let one = whole(1);
    assert!(one == whole(2));
    let mut first = world.simulation();
    run(&mut first, 37);
    let mut second = Simulation::restore(&world.model, &[], &first.state()).expect("the same model");
    assert!(run(&mut second, 23).0 == one, "the memory did not go over the restart");
}

#[test]
fn simulations_do_not_share_memory() {
    let world = wall();
    let alone = run(&mut world.simulation(), 30).0;
    let (mut one, mut other) = (world.simulation(), world.simulation());
    run(&mut other, 7);
    for _ in 0..30 {
        run(&mut one, 1);
        run(&mut other, 1);
    }
    assert!(bits(&one) == alone);
}
