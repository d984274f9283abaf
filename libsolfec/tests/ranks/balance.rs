//! When bodies are dealt out anew, and by which weights.

use super::distributed::{distributed, on_ranks, sweeps};
use solfec::domain::Balance;
use solfec::math::Vec3;
use solfec::shape::{Geometry, Shape, Sphere};
use solfec_testing::world::World;

/// A row of balls of radius 0.5 about these places, all with one speed along the row.
fn row(places: impl Iterator<Item = f64>, speed: f64) -> World {
    let mut world = World::new(0.01);
    for x in places {
        let ball = Sphere::new(Vec3::new(x, 0.0, 0.0), 0.5, 1, 1).expect("a ball");
        let id = world.rigid(Shape::new(Geometry::Sphere(ball)), 1.0);
        world.model.bodies[id as usize - 1].velo = vec![0.0, 0.0, 0.0, speed, 0.0, 0.0];
    }
    world
}

/// How many bodies each of two ranks owns after some steps.
fn owned(mut world: World, balance: Balance, steps: usize) -> Vec<usize> {
    world.model.settings.balance = balance;
    let model = world.model;
    on_ranks(2, move |comm| {
        let mut simulation = distributed(&World { model: model.clone() }, comm);
        (0..steps).for_each(|_| drop(simulation.step(&sweeps(1e-6)).expect("a step")));
        simulation.bodies().own().count()
    })
}

#[test]
fn space_is_cut_anew_when_the_tolerance_is_exceeded_at_a_look() {
    let balls = || row((0..8).map(|k| 2.0 * f64::from(k)), 100.0);
    let plain = Balance::default();
    assert_eq!(owned(balls(), Balance { tolerance: f64::INFINITY, ..plain }, 16), [0, 8]);
    assert_eq!(owned(balls(), Balance { tolerance: 2.0, ..plain }, 16), [0, 8], "the mean is half of all");
    assert_eq!(owned(balls(), Balance { tolerance: 1.99, updatefreq: 15, ..plain }, 16), [4, 4]);
    assert_eq!(owned(balls(), Balance { updatefreq: 17, ..plain }, 16), [0, 8]);
}

#[test]
fn contacts_weigh_the_more_the_more_their_bodies_have() {
    // Six balls that touch, and twelve apart: what five contacts weigh moves the cut.
    let places = || (0..6).map(|k| 0.9999 * f64::from(k)).chain((0..12).map(|k| 10.0 + 2.0 * f64::from(k)));
    let balance = Balance { tolerance: 1.0, updatefreq: 1, weightfactor: 0.0 };
    assert_eq!(owned(row(places(), 0.0), balance, 2), [5, 13]);
    assert_eq!(owned(row(places(), 0.0), Balance { weightfactor: 1.0, ..balance }, 2), [4, 14]);
}
