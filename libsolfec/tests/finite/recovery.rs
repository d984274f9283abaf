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
