//! A formulation that the library does not have, implemented in one file against the interface of bodies: it moves,
//! touches, is held and loaded, is solved by every solver, and is restarted and shown like any other.

mod chain;
mod contacts;
mod joints;
mod motion;
mod restart;

use solfec::body::{Energies, DISSIPATED, EXTERNAL, INTERNAL, KINETIC};
use solfec::math::Vec3;
use solfec::model::{Analysis, BodyKind, ConstraintRow, Joint, SolverSettings};
use solfec::shape::Shape;
use solfec::simulation::Simulation;
use solfec_testing::named::near as assert_near;
use solfec_testing::run::{ball, center, gauss_seidel, launch, steps, velocity};
use solfec_testing::world::{block, World};

/// Young's modulus [Pa]: the springs of a cube of side a have the stiffness `YOUNG a`.
const YOUNG: f64 = 1e6;
/// [kg/m³]
const DENSITY: f64 = 1000.0;
/// [m/s²]
const GRAVITY: f64 = 10.0;

fn world(h: f64, gravity: f64) -> World {
    let mut world = World::new(h).gravity([0.0, 0.0, -gravity]);
    world.model.bulk[0].young = YOUNG;
    world
}

/// A body of point masses and springs, with this damping [s]; its id.
fn chain(world: &mut World, shape: Shape, damping: f64) -> u64 {
    let id = world.body(BodyKind::FiniteElement, &[shape], DENSITY);
    world.model.bodies[id as usize - 1].damping = damping;
    id
}

/// Springs are slow to come to rest: this much damping is near critical for a cube of a metre.
const DAMPED: f64 = 2e-2;

fn simulate(world: &World) -> Simulation {
    Simulation::with_kinds(&world.model, chain::kinds()).expect("the model can be simulated")
}

fn join(world: &mut World, joint: Joint, master: u64, slave: Option<u64>, points: [[f64; 3]; 2]) {
    let points = points.map(Vec3::from);
    world.model.constraints.push(ConstraintRow { joint, master, slave, points, line: 0 });
}

/// Places of the nodes of a body.
fn nodes(simulation: &Simulation, id: u64) -> Vec<Vec3> {
    let body = simulation.bodies().index(solfec::ids::BodyId(id)).expect("the body exists");
    simulation.bodies().configuration(body).chunks_exact(3).map(Vec3::from_column_slice).collect()
}

/// Velocities of the nodes of a body.
fn rates(simulation: &Simulation, id: u64) -> Vec<Vec3> {
    let body = simulation.bodies().index(solfec::ids::BodyId(id)).expect("the body exists");
    simulation.bodies().velocity(body).chunks_exact(3).map(Vec3::from_column_slice).collect()
}

fn middle(points: &[Vec3]) -> Vec3 {
    points.iter().sum::<Vec3>() / points.len() as f64
}

fn energies(simulation: &Simulation) -> Energies {
    simulation.bodies().energy_total()
}

/// What must not change: energy of the state, less the work done on it, plus what was dissipated.
fn ledger(e: &Energies) -> f64 {
    e[KINETIC] + e[INTERNAL] - e[EXTERNAL] + e[DISSIPATED]
}

/// Sum of the contact reactions on the masters, and on one body whatever its side.
fn force_on(simulation: &Simulation, id: u64) -> Vec3 {
    let frame = simulation.view();
    let row = id as u32 - 1;
    let c = &frame.constraints;
    let on = |k: usize| match (c.master[k] == row, c.slave[k] == row) {
        (true, _) => Vec3::from(c.force[k]),
        (_, true) => -Vec3::from(c.force[k]),
        _ => Vec3::zeros(),
    };
    (0..c.id.len()).map(on).sum()
}
