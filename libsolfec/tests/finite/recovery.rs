//! Recovered stresses and the estimated error of a mesh.

use solfec::frame::{NodalRows, NodeRows};
use solfec::ids::CatalogueRow;
use solfec::math::{exp_map, Mat3};
use solfec::query::{Point, ShownBodies};

use super::elements::patches;
use super::parts::bar;
use super::*;

/// What a world's first body shows when its nodes are moved by `f`, at these points: recovered stresses and those of the
/// elements, and the estimated error.
fn shown(world: &World, f: &Mat3, points: &[Vec3]) -> (Vec<[f64; 7]>, Vec<[f64; 7]>, f64) {
    let x: Vec<[f64; 3]> = nodes_of(&world.model.shape(0)).iter().map(|x| (f * x).into()).collect();
    let nodal = NodalRows { body: vec![0], nodes: vec![x.len() as u32], energy: vec![[0.0; 6]] };
    let nodes = NodeRows { v: vec![[0.0; 3]; x.len()], x };
    let (rigid, pseudo) = Default::default();
    let shown = ShownBodies::of_tables(&world.model, (&rigid, &pseudo), (&nodal, &nodes));
    let body = shown.find(CatalogueRow(0)).expect("the body");
    let points: Vec<Point> = points.iter().map(|x| Point::new(*x)).collect();
    let bulk = &world.model.bulk;
    let found = body.recovered_stresses(&points, bulk).expect("materials");
    (found, body.stresses(&points, bulk).expect("materials"), body.recovered(bulk).expect("materials").error())
}

/// A uniform stretch and turn has the same stress at all nodes, in each material, and no error.
#[test]
fn uniform_stresses_are_recovered_exactly() {
    let f = exp_map(&Vec3::new(0.3, -0.2, 0.9)) * Mat3::from_diagonal(&Vec3::new(1.02, 0.99, 1.01));
    for (name, shape) in patches() {
        let mut world = world(1e-3, YOUNG, 0.3);
        let points = nodes_of(&shape);
        finite(&mut world, shape, Formulation::TotalLagrangian, Scheme::DefExp);
        let (found, expected, error) = shown(&world, &f, &points);
        for (found, expected) in found.iter().zip(&expected) {
            assert!((0..7).all(|k| (found[k] - expected[k]).abs() < 1e-9 * expected[6]), "{name}: {found:?}");
        }
        assert!(error < 1e-9, "{name}: error {error:e}");
    }
    let mut world = world(1e-3, YOUNG, 0.3);
    bar(&mut world, Formulation::TotalLagrangian, Scheme::DefExp);
    let within = [0.2, 0.999, 1.0, 1.001, 2.5].map(|x| Vec3::new(x, 0.5, 0.5));
    let (found, expected, error) = shown(&world, &f, &within);
    for (found, expected) in found.iter().zip(&expected) {
        assert!((0..6).all(|k| (found[k] - expected[k]).abs() < 1e-9 * expected[6]), "two materials: {found:?}");
    }
    assert!(error < 1e-9, "two materials: error {error:e}");
}

/// The stress at a node inside is the mean over the eight hexahedra that meet there: exact for displacements of first
/// degree, and for those of second degree, whose stress is linear, by symmetry.
#[test]
fn the_mean_around_a_node_is_the_stress_of_a_linear_field() {
    let mut world = world(1e-3, YOUNG, 0.0);
    finite(&mut world, block([0.0; 3], [1.0; 3], [2, 2, 2]), Formulation::TotalLagrangian, Scheme::DefExp);
    let reference = nodes_of(&world.model.shape(0));
    let middle = Vec3::repeat(0.5);
    let node = reference.iter().position(|x| (x - middle).norm() < 1e-12).expect("an inner node");
    type Field = fn(&Vec3) -> Vec3;
    let linear: Field = |x| Vec3::new(3.0 * x.x, x.x - x.z, 2.0 * x.y) * 1e-6;
    let bent: Field = |x| Vec3::new(2.0 * x.x * x.x + x.x, x.y * x.y, -x.z * x.z) * 1e-6;
    // With ν = 0 the normal stresses are E ∂u/∂x, and shears half of the sum of two gradients.
    let of_linear = [3.0, 0.0, 0.0, 0.5, 0.0, 0.5];
    let of_bent = [4.0 * 0.5 + 1.0, 2.0 * 0.5, -2.0 * 0.5, 0.0, 0.0, 0.0];
    let fields = [linear, bent].map(|field| reference.iter().map(field).collect::<Vec<Vec3>>());
    for (field, wanted) in fields.iter().zip([of_linear, of_bent]) {
        let x: Vec<[f64; 3]> = reference.iter().zip(field).map(|(x, u)| (x + u).into()).collect();
        let nodal = NodalRows { body: vec![0], nodes: vec![x.len() as u32], energy: vec![[0.0; 6]] };
        let nodes = NodeRows { v: vec![[0.0; 3]; x.len()], x };
        let (rigid, pseudo) = Default::default();
        let shown = ShownBodies::of_tables(&world.model, (&rigid, &pseudo), (&nodal, &nodes));
        let body = shown.find(CatalogueRow(0)).expect("the body");
        let point = Point::node(middle, node as u32);
        let found = body.stress(&point, &world.model.bulk).expect("a material");
        // Strains of 1e-6 squared are not in the linear stress.
        (0..6).for_each(|k| assert_near(found[k], wanted[k], 3e-5, "stress"));
    }
}
