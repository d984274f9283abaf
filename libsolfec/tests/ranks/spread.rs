//! Who has what: bodies, contacts and copies of ranks; what steps tell of it, and the local dynamics of all.

use solfec_testing::size::large;
use std::sync::Arc;

use super::distributed::{distributed, mechanism, on_ranks, sweeps, wall};
use solfec::comm::Counted;
use solfec::dynamics::BlockSparse;
use solfec::math::Vec3;
use solfec::model::{BodyKind, GaussSeidel, SolverSettings};
use solfec::shape::{Geometry, Shape, Sphere};
use solfec::simulation::Simulation;
use solfec::solver::LocalDynamics;
use solfec_testing::skip::not_here;
use solfec_testing::world::{block, World};

fn ball(center: [f64; 3], radius: f64) -> Shape {
    Shape::new(Geometry::Sphere(Sphere::new(Vec3::from(center), radius, 1, 1).expect("a ball")))
}

/// Bodies a to e with contacts (a, b), (b, c), (b, d), (d, e); ranks are to have c, then d and e, then a and b.
fn five() -> World {
    let mut world = World::new(1e-3);
    let close = 0.9999;
    let slant = [-0.5, 0.75_f64.sqrt(), 0.0];
    let [b, d] = [[10.0, 0.0, 0.0], std::array::from_fn(|k| [10.0, 0.0, 0.0][k] + 5.5 * close * slant[k])];
    world.rigid(ball([10.0 + 5.5 * close, 0.0, 0.0], 0.5), 1.0);
    world.rigid(ball(b, 5.0), 1.0);
    // Of twice as many velocities, it weighs as much as the third of a rank.
    world.body(BodyKind::PseudoRigid, &[ball([10.0 - 5.5 * close, 0.0, 0.0], 0.5)], 1.0);
    world.rigid(ball(d, 0.5), 1.0);
    world.rigid(ball([d[0], d[1] + close, 0.0], 0.5), 1.0);
    world
}

#[test]
fn a_contact_belongs_to_the_rank_of_its_body_of_smaller_id() {
    let heard = on_ranks(3, |comm| {
        let mut simulation = distributed(&five(), comm);
        simulation.step(&sweeps(1e-6)).expect("a step");
        let bodies = simulation.bodies();
        let own: Vec<u64> = bodies.own().map(|(id, _)| id.0).collect();
        let copies: Vec<u64> = bodies.indices().filter(|i| bodies.is_copy(*i)).map(|i| bodies.id(i).0).collect();
        let contacts: Vec<[u64; 2]> = simulation.contacts().iter().map(|c| c.key.bodies.map(|id| id.0)).collect();
        (own, contacts, copies)
    });
    let own: Vec<&[u64]> = heard.iter().map(|(own, ..)| &own[..]).collect();
    assert_eq!(own, [&[3][..], &[4, 5], &[1, 2]]);
    let contacts: Vec<&[[u64; 2]]> = heard.iter().map(|(_, contacts, _)| &contacts[..]).collect();
    assert_eq!(contacts, [&[][..], &[[4, 5]], &[[1, 2], [2, 3], [2, 4]]]);
    assert!(heard[2].2.contains(&3) && heard[2].2.contains(&4), "{heard:?}");
    assert!(heard.iter().all(|(own, _, copies)| copies.iter().all(|id| !own.contains(id))));
}

/// Cubes in a grid that touch their neighbours.
fn grid(n: usize) -> World {
    let mut world = World::new(1e-3);
    for k in 0..n * n * n {
        let low: [f64; 3] = [k % n, k / n % n, k / n / n].map(|place| 0.9999 * place as f64);
        world.rigid(block(low, low.map(|x| x + 1.0), [1, 1, 1]), 1.0);
    }
    world
}

/// The most bodies that a rank has in a step, copies included, over those that are its share.
fn crowding(n: usize, ranks: usize) -> f64 {
    let world = Arc::new(grid(n));
    let most = on_ranks(ranks, move |comm| {
        let mut simulation = distributed(&world, comm);
        simulation.step(&SolverSettings::GaussSeidel(GaussSeidel::new(1.0, 1))).expect("a step");
        simulation.bodies().len()
    });
    most.into_iter().max().unwrap_or_default() as f64 * ranks as f64 / (n * n * n) as f64
}

#[test]
fn a_rank_of_a_grid_has_copies_of_its_surroundings_only() {
    let found = crowding(16, 8);
    assert!(found <= 2.5 && found > 1.0, "{found}");
    if !large() {
        return not_here("100 000 cubes on 64 ranks");
    }
    let found = crowding(46, 64);
    assert!(found <= 2.5 && found > 1.0, "{found}");
}

#[test]
fn a_step_tells_how_it_was_distributed() {
    const RANKS: usize = 5;
    let heard = on_ranks(RANKS, |comm| {
        let comm = Arc::new(Counted::new(Arc::new(comm)));
        let kinds = solfec::body::kinds();
        let mut simulation = Simulation::on_rank(&wall().model, kinds, comm.clone()).expect("a model");
        (0..8).for_each(|_| drop(simulation.step(&sweeps(1e-6)).expect("a step")));
        let [_, before] = comm.sent();
        let report = simulation.step(&sweeps(1e-6)).expect("a step");
        let [_, after] = comm.sent();
        let rows = simulation.contacts().len();
        (report.distribution.expect("several ranks"), after - before, report.bodies, rows)
    });
    let of = heard[0].0;
    for (other, ..) in &heard {
        let mut other = *other;
        other.times = of.times;
        assert_eq!(other, of, "ranks differ");
    }
    let rows = |pick: fn(f64, f64) -> f64| heard.iter().map(|(.., rows)| *rows as f64).reduce(pick).unwrap_or(f64::NAN);
    let all: usize = heard.iter().map(|(.., rows)| rows).sum();
    assert_eq!(of.bodies.sum, heard[0].2 as f64);
    assert_eq!(
        (of.constraints.sum, of.constraints.least, of.constraints.largest),
        (all as f64, rows(f64::min), rows(f64::max))
    );
    assert!(of.boxes.sum > of.bodies.sum && of.boxes.largest <= wall().model.bodies.len() as f64, "{of:?}");
    let [bottom, middle, top, inner] = of.sets;
    assert_eq!(bottom + middle + top + inner, all as u64);
    assert_eq!(of.external.sum, (bottom + middle + top) as f64);
    assert!(bottom > 0 && top > 0 && of.colours >= 2 && of.colours as usize <= RANKS, "{of:?}");
    // What is sent after the count is not in it: the sums of the step.
    let sent: u64 = heard.iter().map(|(_, sent, ..)| sent).sum();
    assert!(of.sent.sum <= sent as f64 && of.sent.sum >= 0.9 * sent as f64, "{} of {sent}", of.sent.sum);
    assert!(of.weight.least > 0.0 && of.weight.largest < of.weight.sum);
    assert!(of.times.setup > 0.0 && of.times.exchange > 0.0);
    assert_eq!(wall().simulation().step(&sweeps(1e-6)).expect("a step").distribution, None);
}

/// Local dynamics of the first step.
fn first_step(world: &World, ranks: usize) -> Vec<LocalDynamics> {
    let model = world.model.clone();
    on_ranks(ranks, move |comm| {
        let mut simulation = distributed(&World { model: model.clone() }, comm);
        simulation.step(&sweeps(1e-12)).expect("a step");
        simulation.local_dynamics().expect("a step was made")
    })
}

fn far(a: &[Vec3], b: &[Vec3]) -> f64 {
    a.iter().zip(b).map(|(a, b)| (a - b).norm()).fold(0.0, f64::max)
}

fn largest(w: &BlockSparse) -> f64 {
    w.block.iter().map(|block| block.norm()).fold(0.0, f64::max)
}

#[test]
fn local_dynamics_of_ranks_are_those_of_one() {
    for world in [wall(), mechanism()] {
        let one = &first_step(&world, 1)[0];
        assert!(one.rows.len() > 5);
        for ranks in [2, 5] {
            let found = first_step(&world, ranks);
            for other in &found {
                assert_eq!(other, &found[0], "ranks differ");
            }
            let other = &found[0];
            other.check().expect("well formed");
            let who =
                |of: &LocalDynamics| of.rows.iter().map(|row| (row.kind, row.master, row.slave)).collect::<Vec<_>>();
            assert_eq!(who(other), who(one));
            assert!(
                far(&other.free, &one.free) <= 1e-12 * (1.0 + far(&one.free, &vec![Vec3::zeros(); one.free.len()]))
            );
            assert_eq!((&other.w.row_offset, &other.w.column), (&one.w.row_offset, &one.w.column));
            let blocks = one.w.block.iter().zip(&other.w.block).map(|(a, b)| (a - b).norm()).fold(0.0, f64::max);
            assert!(blocks <= 1e-12 * largest(&one.w), "{blocks:e}");
        }
    }
}
