//! The first rank has the rows of a model; the others get theirs from it.

use std::sync::Arc;

use super::distributed::{balls, difference, mechanism, on_ranks, own_states, seen_by, sweeps, States};
use solfec::comm::{Communicator, Counted};
use solfec::math::Vec3;
use solfec::model::{ConstraintRow, Joint, LoadKind, LoadRow, Op, Rows, SpringAxis, SpringLaw};
use solfec::shape::{Geometry, Shape, Sphere};
use solfec::simulation::Simulation;
use solfec::Error;
use solfec_testing::world::{block, World};

/// Bytes that the first of so many ranks sends to make the simulation, and the bodies of each rank.
fn dealt(world: &World, ranks: usize) -> (u64, Vec<usize>) {
    let model = world.model.clone();
    let heard = on_ranks(ranks, move |comm| {
        let comm = Arc::new(Counted::new(Arc::new(comm)));
        let kinds = solfec::body::kinds();
        let model = seen_by(comm.rank(), &model);
        let simulation = Simulation::on_rank(&model, kinds, Arc::clone(&comm) as Arc<dyn Communicator>);
        (comm.sent()[1], simulation.expect("a simulation").bodies().len())
    });
    (heard[0].0, heard.into_iter().map(|(_, bodies)| bodies).collect())
}

#[test]
fn a_body_goes_to_its_rank_alone() {
    let world = balls([20, 20, 10]);
    let [(two, _), (eight, bodies)] = [2, 8].map(|ranks| dealt(&world, ranks));
    // Of eight ranks seven get their part, of two one.
    let ratio = two as f64 / 4.0 / (eight as f64 / 7.0);
    assert!((ratio - 1.0).abs() < 0.1, "{two} bytes for one of two, {eight} for seven of eight");
    assert_eq!(bodies.iter().sum::<usize>(), world.model.bodies.len());
    assert!(bodies.iter().all(|own| (499..=503).contains(own)), "{bodies:?}");
}

#[test]
fn a_geometry_goes_to_a_rank_once() {
    let shape = block([0.0; 3], [1.0; 3], [8, 8, 8]);
    let row = |bodies: u32| {
        let mut world = World::new(1e-3);
        for k in 0..bodies {
            let at = Shape { shift: Vec3::new(2.0 * f64::from(k), 0.0, 0.0), ..shape.clone() };
            world.rigid(at, 1.0);
        }
        world.model.library.truncate(1);
        world.model.shapes.iter_mut().for_each(|shape| shape.geometry = 0);
        dealt(&world, 2).0
    };
    let [few, many] = [row(2), row(2002)];
    let body = (many - few) as f64 / 1000.0;
    // A mesh of 512 elements against a row of the table.
    assert!(few > 20_000 && body < 600.0, "{few} bytes with one body, {body} for each more");
}

/// A model whose program brings in balls, a spring between two of them and a force, and pulls the force's ball on.
fn growing() -> World {
    let mut world = mechanism();
    let mut rows = [world.model.bodies.len(), world.model.constraints.len(), world.model.loads.len()];
    let ids: Vec<u64> = (0..5).map(|k| world.rigid(ball(Vec3::new(2.0 * f64::from(k), 0.0, 3.0)), 10.0)).collect();
    let (law, axis) = (SpringLaw::Linear { stiffness: 20.0, damping: 0.1 }, SpringAxis::Follow);
    let joint = Joint::Spring { law, axis, limits: [f64::NEG_INFINITY, f64::INFINITY] };
    let points = [0.0, 8.0].map(|x| Vec3::new(x, 0.0, 3.0));
    world.model.constraints.push(ConstraintRow { joint, master: ids[0], slave: Some(ids[4]), points, line: 0 });
    let kind = LoadKind::Force { convected: false, point: points[1], direction: Vec3::x(), value: 0 };
    world.model.loads.push(LoadRow { kind, body: ids[4], line: 0 });
    let mut next = |table: usize, end: usize| {
        let first = std::mem::replace(&mut rows[table], end);
        Rows::from(first as u32..end as u32)
    };
    world.model.program = vec![
        Op::InsertBodies(next(0, world.model.bodies.len())),
        Op::InsertConstraints(next(1, world.model.constraints.len())),
        Op::InsertLoads(next(2, world.model.loads.len())),
        Op::InitialVelocity { body: ids[4], linear: [1.0, 0.0, 0.0], angular: [0.0; 3] },
    ];
    world
}

/// States after the program has acted and some steps.
fn played(ranks: usize) -> States {
    let world = growing();
    let heard = on_ranks(ranks, move |comm| {
        let model = seen_by(comm.rank(), &world.model);
        let simulation = Simulation::on_rank(&model, solfec::body::kinds(), Arc::new(comm));
        let mut simulation = simulation.expect("a simulation");
        for op in &model.program {
            simulation.play(&model, op).expect("the operation acts");
        }
        for _ in 0..20 {
            simulation.step(&sweeps(1e-24)).expect("a step");
        }
        own_states(&simulation)
    });
    heard.into_iter().flatten().collect()
}

#[test]
fn operations_insert_what_the_first_rank_has() {
    let alone = played(1);
    assert_eq!(alone.len(), growing().model.bodies.len());
    for ranks in [2, 5] {
        let far = difference(&alone, &played(ranks));
        assert!(far < 1e-10, "{ranks} ranks: {far:e}");
    }
}

#[test]
fn a_body_that_cannot_be_made_is_an_error_of_all_ranks() {
    let mut world = balls([8, 2, 1]);
    let last = world.model.bodies.last_mut().expect("a body");
    (last.label, last.chars.mass) = ("HOLLOW".into(), 0.0);
    let heard = on_ranks(4, move |comm| {
        let model = seen_by(comm.rank(), &world.model);
        Simulation::on_rank(&model, solfec::body::kinds(), Arc::new(comm)).map(|_| ())
    });
    assert!(matches!(&heard[0], Err(Error::Input(text)) if text.contains("HOLLOW")), "{heard:?}");
    assert!(heard.iter().all(|one| *one == heard[0]), "{heard:?}");
}

fn ball(center: Vec3) -> Shape {
    Shape::new(Geometry::Sphere(Sphere::new(center, 0.3, 1, 1).expect("a ball")))
}
