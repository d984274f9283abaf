//! User constraints in running simulations, against known solutions (docs/theory.md 8).

mod chains;
mod joints;
mod messages;
mod obstacles;
mod pinned_bodies;
mod springs;
mod stability;
mod step_changes;

use solfec::constraint::Constraint;
use solfec::load::Series;
use solfec::math::Vec3;
use solfec::model::{ConstraintRow, Joint, Prescribed, SolverSettings};
use solfec::simulation::Simulation;
use solfec_testing::named::near as assert_near;
use solfec_testing::run::{ball, center, gauss_seidel, launch, steps, velocity};
use solfec_testing::world::{block, World};

/// A cube of side 2a and mass `m` about a point.
fn cube(world: &mut World, at: [f64; 3], a: f64, m: f64) -> u64 {
    let shape = block(at.map(|x| x - a), at.map(|x| x + a), [1, 1, 1]);
    world.rigid(shape, m / (8.0 * a * a * a))
}

/// Adds a constraint with these points; returns its row.
fn join(world: &mut World, joint: Joint, master: u64, slave: Option<u64>, points: [[f64; 3]; 2]) -> u32 {
    let points = points.map(Vec3::from);
    world.model.constraints.push(ConstraintRow { joint, master, slave, points, line: 0 });
    world.model.constraints.len() as u32 - 1
}

/// A constraint on one body at one point.
fn hold(world: &mut World, joint: Joint, body: u64, point: [f64; 3]) -> u32 {
    join(world, joint, body, None, [point, point])
}

fn fixed() -> Joint {
    Joint::FixPoint { strength: f64::INFINITY }
}

fn link() -> Joint {
    Joint::RigidLink { strength: f64::INFINITY }
}

/// A series through these points; returns its row.
fn series(world: &mut World, points: &[[f64; 2]]) -> u32 {
    let (times, values) = points.iter().map(|p| (p[0], p[1])).unzip();
    world.model.series.push(Series::new("", times, values).unwrap());
    world.model.series.len() as u32 - 1
}

fn drive(what: Prescribed, direction: [f64; 3], series: u32) -> Joint {
    Joint::Drive { what, direction: Vec3::from(direction), series }
}

/// The tie of a row of the model.
fn tie(simulation: &Simulation, row: u32) -> &Constraint {
    simulation.constraints().iter().find(|tie| tie.row == row).expect("the constraint exists")
}

fn total_energy(simulation: &Simulation) -> [f64; 6] {
    simulation.bodies().energy_total()
}
