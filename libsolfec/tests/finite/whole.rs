//! What a shown state says of the body as a whole: mass centre, rotation, angular velocity, momentum.

use solfec::frame::{NodalRows, NodeRows};
use solfec::ids::CatalogueRow;
use solfec::math::exp_map;
use solfec::query::{NodalMasses, ShownBodies};

use super::*;

/// A block of mass 3 t, turned by 1.9 rad, moved, stretched along its axes, that moves and spins. The masses of its nodes
/// are symmetric to its centre; a stretched block turns with the angular velocity of its nodes too.
#[test]
fn nodes_that_move_rigidly_have_the_motion_of_the_whole() {
    let mut world = world(1e-3, YOUNG, 0.3);
    let shape = block([0.0; 3], [1.0, 1.5, 2.0], [2, 2, 3]);
    let reference = nodes_of(&shape);
    let mesh = mesh_of(&shape).clone();
    finite(&mut world, shape, Formulation::TotalLagrangian, Scheme::DefExp);
    let middle = Vec3::new(0.5, 0.75, 1.0);
    let (center, turn) = (Vec3::new(3.0, -1.0, 2.0), exp_map(&(Vec3::new(2.0, -1.0, 2.0) / 3.0 * 1.9)));
    let (linear, spin) = (Vec3::new(1.0, 2.0, -3.0), Vec3::new(0.3, -2.0, 5.0));
    let stretch = Vec3::new(1.1, 0.9, 1.05);
    let place = |x: &Vec3| center + turn * (x - middle).component_mul(&stretch);
    let x: Vec<Vec3> = reference.iter().map(place).collect();
    let v: Vec<Vec3> = x.iter().map(|x| linear + spin.cross(&(x - center))).collect();
    let columns = |of: &[Vec3]| of.iter().map(|x| <[f64; 3]>::from(*x)).collect::<Vec<_>>();
    let nodes = NodeRows { x: columns(&x), v: columns(&v) };
    let nodal = NodalRows { body: vec![0], nodes: vec![x.len() as u32], energy: vec![[0.0; 6]] };
    let (rigid, pseudo) = Default::default();
    let shown = ShownBodies::of_tables(&world.model, (&rigid, &pseudo), (&nodal, &nodes));
    let body = shown.find(CatalogueRow(0)).expect("the body");
    let mut masses = NodalMasses::default();
    let near = |a: Vec3, b: Vec3, what: &str| assert_near((a - b).norm() / b.norm(), 0.0, 1e-12, what);
    near(body.center(&mut masses).expect("a centre"), center, "mass centre");
    let rotation = body.rotation(&mut masses).expect("a rotation");
    assert_near((rotation - turn).norm(), 0.0, 1e-12, "rotation");
    near(body.angular_velocity(&mut masses).expect("an angular velocity"), spin, "angular velocity");
    let momentum = body.momentum(&mut masses).expect("a momentum");
    near(momentum.linear, linear * 3.0 * DENSITY, "momentum");
    // Each of the 12 equal hexahedra gives an eighth of its mass to each of its nodes.
    let share = 3.0 * DENSITY / 12.0 / 8.0;
    let corners = mesh.elements.iter().flat_map(|e| e.nodes()).map(|&node| node as usize);
    near(momentum.angular, corners.map(|k| x[k].cross(&v[k]) * share).sum(), "angular momentum");
    // Tables without the nodes.
    let nothing = NodeRows::default();
    let shown = ShownBodies::of_tables(&world.model, (&rigid, &pseudo), (&nodal, &nothing));
    assert!(shown.find(CatalogueRow(0)).expect("the body").center(&mut masses).is_none());
}
