//! Running simulations: changes between steps, failures, moving obstacles, quasi-statics, conservation.

mod arch;
mod closed_forms;
mod conservation;
mod contact_life;
mod critical_step;
mod determinism;
mod doubts;
mod faces;
mod failures;
mod halving;
mod heap;
mod memory;
mod obstacles;
mod quasi_static;
mod rest;
mod shaken;
mod step_recovery;

use solfec::frame::{Event, EventKind};
use solfec::math::Vec3;
use solfec::model::{BodyKind, Op, Rows};
use solfec::simulation::Simulation;
use solfec_testing::named::near as assert_near;
use solfec_testing::run::{ball, center, gauss_seidel, launch, steps, velocity};
use solfec_testing::world::{block, World};

/// A cube of density 1000 in the explicit scheme; with ν = 0 its fastest mode has ω² = 12 E / (ρ side²).
fn soft_cube(world: &mut World, low: [f64; 3], side: f64) -> u64 {
    let shape = block(low, low.map(|x| x + side), [1, 1, 1]);
    world.body(BodyKind::PseudoRigid, &[shape], 1000.0)
}

/// Lets the bodies come into being that the model has got since the simulation began.
fn insert(simulation: &mut Simulation, world: &World, rows: std::ops::Range<usize>) {
    let rows = Rows::from(rows.start as u32..rows.end as u32);
    let bodies = world.model.bodies_at(rows).expect("the rows are there");
    simulation.apply(&Op::InsertBodies(bodies)).expect("new bodies");
}

fn extents(simulation: &mut Simulation, bounds: [f64; 6]) {
    simulation.apply(&Op::Extents { bounds }).expect("extents");
}

/// Events since the last frame.
fn events(simulation: &mut Simulation) -> Vec<Event> {
    simulation.take_frame().events
}
