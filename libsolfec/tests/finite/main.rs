//! Bodies of finite elements: elements, motion, energies, constraints and contact.

mod background;
mod contact;
mod directions;
mod elements;
mod hertz;
mod many_nodes;
mod motion;
mod parts;
mod pressure;
mod recovery;
mod reduced;
mod second_order;
mod statics;
mod whole;

use solfec::ids::BodyId;
use solfec::math::Vec3;
use solfec::model::{Analysis, BodyKind, Formulation, Scheme};
use solfec::shape::{Geometry, Mesh, Shape};
use solfec::simulation::Simulation;
use solfec_testing::named::near as assert_near;
use solfec_testing::run::{gauss_seidel, launch, steps};
use solfec_testing::world::{block, corners, World};

/// [Pa], [kg/m³]
const YOUNG: f64 = 1e6;
const DENSITY: f64 = 1e3;

/// A world whose bulk material has these constants.
fn world(h: f64, young: f64, poisson: f64) -> World {
    let mut world = World::new(h);
    (world.model.bulk[0].young, world.model.bulk[0].poisson, world.model.bulk[0].density) = (young, poisson, DENSITY);
    world
}

/// A body of finite elements; its id.
fn finite(world: &mut World, shape: Shape, form: Formulation, scheme: Scheme) -> u64 {
    let id = world.body(BodyKind::FiniteElement, &[shape], DENSITY);
    let row = &mut world.model.bodies[id as usize - 1];
    (row.form, row.scheme) = (form, scheme);
    id
}

fn nodes_of(shape: &Shape) -> Vec<Vec3> {
    shape.vertices()
}

/// Displacements of the nodes of a body.
fn displacements(simulation: &Simulation, id: u64) -> Vec<Vec3> {
    vectors(&simulation.bodies().configuration(simulation.bodies().index(BodyId(id)).expect("the body")))
}

/// Velocities of the nodes of a body.
fn velocities(simulation: &Simulation, id: u64) -> Vec<Vec3> {
    vectors(&simulation.bodies().velocity(simulation.bodies().index(BodyId(id)).expect("the body")))
}

fn vectors(flat: &[f64]) -> Vec<Vec3> {
    flat.chunks_exact(3).map(Vec3::from_column_slice).collect()
}

fn flat(vectors: &[Vec3]) -> Vec<f64> {
    vectors.iter().flat_map(|x| [x.x, x.y, x.z]).collect()
}

/// A number in [−1, 1] that follows from two others.
fn noise(i: usize, j: usize) -> f64 {
    ((i * 7919 + j * 104_729 + 13) as f64 * 12.9898).sin()
}

fn noisy(count: usize, size: f64) -> Vec<Vec3> {
    (0..count).map(|i| Vec3::new(noise(i, 0), noise(i, 1), noise(i, 2)) * size).collect()
}

fn mesh_of(shape: &Shape) -> &Mesh {
    match &*shape.geometry {
        Geometry::Mesh(mesh) => mesh,
        _ => panic!("a mesh"),
    }
}

fn quasi_static(world: &mut World) {
    world.model.analysis = Analysis::QuasiStatic;
}
