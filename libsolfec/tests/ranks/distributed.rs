//! Simulations that are distributed over ranks against the same on one rank.

use std::collections::BTreeMap;
use std::sync::{mpsc, Arc};

use super::DEADLOCK;
use solfec::comm::{Communicator, InProcess};
use solfec::math::Vec3;
use solfec::model::{
    Auto, BodyKind, ConstraintRow, GaussSeidel, Joint, Model, Penalty, PenaltyVariant, Prescribed, SolverSettings,
    SpringAxis, SpringLaw, Variant,
};
use solfec::shape::{Geometry, Shape, Sphere};
use solfec::simulation::Simulation;
use solfec::solver::Status;
use solfec_testing::arch::arch;
use solfec_testing::problems::Random;
use solfec_testing::size::large;
use solfec_testing::world::{block, World};

/// Configuration, then velocity of each body, by id.
pub type States = BTreeMap<u64, Vec<f64>>;

/// Runs `rank` on each rank of a world; fails when one of them waits for ever.
pub fn on_ranks<T: Send + 'static>(ranks: usize, rank: impl Fn(InProcess) -> T + Clone + Send + 'static) -> Vec<T> {
    let channels: Vec<_> = InProcess::world(ranks)
        .into_iter()
        .map(|comm| {
            let (send, receive) = mpsc::channel();
            let rank = rank.clone();
            // The other end is closed only when the test has failed already.
            std::thread::spawn(move || {
                // Threads of its own, as a step waits for the other ranks within them.
                let threads = rayon::ThreadPoolBuilder::new().num_threads(1).build().expect("threads of a rank");
                drop(send.send(threads.install(move || rank(comm))))
            });
            receive
        })
        .collect();
    channels.iter().map(|end| end.recv_timeout(DEADLOCK).expect("no rank waits for ever or panics")).collect()
}

/// The part of a simulation of this rank.
pub fn distributed(world: &World, comm: InProcess) -> Simulation {
    let model = seen_by(comm.rank(), &world.model);
    Simulation::on_rank(&model, solfec::body::kinds(), Arc::new(comm)).expect("the model can be simulated")
}

/// What a rank has of a model: the first one all, others what can be sent.
pub fn seen_by(rank: usize, model: &Model) -> Model {
    if rank == 0 {
        return model.clone();
    }
    let sent = postcard::to_stdvec(model).expect("bytes");
    let mut head: Model = postcard::from_bytes(&sent).expect("a model");
    head.program.clone_from(&model.program);
    assert!(head.bodies.is_empty() && head.shapes.is_empty() && head.library.is_empty() && head.constraints.is_empty());
    head
}

/// States of the bodies that are no copies.
pub fn own_states(simulation: &Simulation) -> States {
    let bodies = simulation.bodies();
    let state = |body| [bodies.configuration(body), bodies.velocity(body)].concat();
    bodies.own().map(|(id, body)| (id.0, state(body))).collect()
}

pub fn sweeps(meritval: f64) -> SolverSettings {
    SolverSettings::GaussSeidel(GaussSeidel { meritval, ..GaussSeidel::new(1.0, 5000) })
}

/// What all ranks have after some steps, and how often bodies changed their rank.
#[derive(Debug)]
pub struct Outcome {
    pub states: States,
    pub contacts: usize,
    energies: [f64; 6],
    pub moves: usize,
}

pub fn run(world: &World, ranks: usize, steps: usize, solver: &SolverSettings) -> Outcome {
    run_with(world, ranks, steps, solver, |_| {})
}

/// The same of simulations that `set` has changed before the first step.
pub fn run_with(
    world: &World,
    ranks: usize,
    steps: usize,
    solver: &SolverSettings,
    set: impl Fn(&mut Simulation) + Clone + Send + Sync + 'static,
) -> Outcome {
    let (model, solver) = (world.model.clone(), solver.clone());
    let heard = on_ranks(ranks, move |comm| {
        let mut simulation = distributed(&World { model: model.clone() }, comm);
        set(&mut simulation);
        let mut owned: Vec<Vec<u64>> = Vec::new();
        for _ in 0..steps {
            let report = simulation.step(&solver).expect("a step");
            assert_eq!(report.solver.status, Status::Converged, "{:?}", report.solver);
            owned.push(simulation.bodies().own().map(|(id, _)| id.0).collect());
        }
        let came: usize = owned.windows(2).map(|pair| pair[1].iter().filter(|id| !pair[0].contains(id)).count()).sum();
        (own_states(&simulation), simulation.contacts().len(), simulation.energies(), came)
    });
    let mut all = Outcome { states: States::new(), contacts: 0, energies: heard[0].2, moves: 0 };
    for (states, contacts, energies, came) in heard {
        assert!(energies.map(f64::to_bits) == all.energies.map(f64::to_bits), "ranks differ");
        all.contacts += contacts;
        all.moves += came;
        for (id, state) in states {
            assert!(all.states.insert(id, state).is_none(), "body {id} has two owners");
        }
    }
    all
}

/// Largest difference of a number of the states.
pub fn difference(a: &States, b: &States) -> f64 {
    assert!(a.keys().eq(b.keys()), "bodies are lost");
    let far = |(a, b): (&Vec<f64>, &Vec<f64>)| a.iter().zip(b).map(|(x, y)| (x - y).abs()).fold(0.0, f64::max);
    a.values().zip(b.values()).map(far).fold(0.0, f64::max)
}

fn ball(center: Vec3, radius: f64) -> Shape {
    Shape::new(Geometry::Sphere(Sphere::new(center, radius, 1, 1).expect("a ball")))
}

pub fn brick(low: [f64; 3], size: [f64; 3]) -> Shape {
    block(low, std::array::from_fn(|k| low[k] + size[k]), [1, 1, 1])
}

/// Balls that fall on the floor of a box and roll there.
pub fn heap() -> World {
    balls([4, 4, 3])
}

/// The same with so many balls along, across and upwards.
pub fn balls([along, across, up]: [u32; 3]) -> World {
    let [length, width, height] = [along, across, along].map(f64::from);
    let mut world = World::new(2e-3).gravity([2.0, 0.0, -10.0]).surface(|surface| {
        surface.friction = 0.3;
        surface.restitution = 0.2;
    });
    world.obstacle(brick([-1.0, -1.0, -1.0], [length + 4.0, width + 2.0, 1.0]));
    world.obstacle(brick([length + 1.5, -1.0, 0.0], [1.0, width + 2.0, height + 2.0]));
    let mut random = Random(7);
    for k in 0..along * across * up {
        let place = [k % along, k / along % across, k / (along * across)].map(f64::from);
        let place = Vec3::from(place) + 0.5 * Vec3::z();
        let id = world.rigid(ball(place + 0.02 * random.vector(), 0.45), 1.0);
        let velocity = random.vector();
        world.model.bodies[id as usize - 1].velo = vec![0.0, 0.0, 0.0, velocity.x, velocity.y, -2.0 + velocity.z];
    }
    world
}

/// A wall of bricks that slides down a slope.
pub fn wall() -> World {
    let mut world = World::new(1e-3).gravity([4.0, 1.0, -10.0]).surface(|surface| surface.friction = 0.2);
    world.model.settings.contact_points = 4;
    world.obstacle(brick([-1.0, -1.0, -1.0], [10.0, 3.0, 1.0]));
    for course in 0..4 {
        for place in 0..5 {
            let shift = if course % 2 == 0 { 0.0 } else { 0.5 };
            let low = [f64::from(place) + shift, 0.0, 0.5 * f64::from(course)];
            world.rigid(brick(low, [1.0, 0.5, 0.5]), 1.0);
        }
    }
    world
}

/// A chain of rigid and pseudo-rigid bars that swings from a support that is driven, with a spring at its end.
pub fn mechanism() -> World {
    let mut world = World::new(1e-3).gravity([0.0, 0.0, -10.0]);
    (world.model.bulk[0].young, world.model.bulk[0].poisson) = (1e5, 0.2);
    let support = world.obstacle(brick([-0.5, -0.5, 0.0], [0.5, 1.0, 1.0]));
    let wall = world.obstacle(brick([9.0, -0.5, 0.0], [0.5, 1.0, 1.0]));
    let row = world.model.series.len() as u32;
    world.model.series.push(solfec::load::Series::constant(0.2));
    let joint = |world: &mut World, joint: Joint, master: u64, slave: Option<u64>, points: [Vec3; 2]| {
        world.model.constraints.push(ConstraintRow { joint, master, slave, points, line: 0 });
    };
    let up = Vec3::new(0.0, 0.0, 1.0);
    let drive = Joint::Drive { what: Prescribed::Velocity, direction: up, series: row };
    joint(&mut world, drive, support, None, [Vec3::new(-0.25, 0.0, 0.5); 2]);
    let strength = f64::INFINITY;
    let mut last = support;
    for k in 0..8 {
        let kind = if k % 3 == 2 { BodyKind::PseudoRigid } else { BodyKind::Rigid };
        let bar = world.body(kind, &[brick([f64::from(k) + 0.05, -0.1, 0.4], [0.9, 0.2, 0.2])], 10.0);
        let at = Vec3::new(f64::from(k), 0.0, 0.5);
        joint(&mut world, Joint::RigidLink { strength }, bar, Some(last), [at, at]);
        last = bar;
    }
    let ends = [Vec3::new(8.0, 0.0, 0.5), Vec3::new(9.0, 0.0, 0.5)];
    let law = SpringLaw::Linear { stiffness: 50.0, damping: 0.5 };
    let limits = [f64::NEG_INFINITY, f64::INFINITY];
    joint(&mut world, Joint::Spring { law, axis: SpringAxis::Follow, limits }, last, Some(wall), ends);
    world
}

#[test]
fn a_mechanism_moves_as_on_one_rank() {
    let solver = sweeps(1e-24);
    let alone = run(&mechanism(), 1, 60, &solver);
    for ranks in [2, 3, 4, 5, 8, 13] {
        let found = run(&mechanism(), ranks, 60, &solver);
        let far = difference(&alone.states, &found.states);
        assert!(far <= 1e-8, "{ranks} ranks: {far:e}");
    }
}

/// Reactions of its rims are not unique, its motion is.
#[test]
fn an_arch_settles_as_on_one_rank() {
    let (world, solver) = (arch(0.12, 27), SolverSettings::Auto(Auto { meritval: 1e-14 }));
    let alone = run(&world, 1, 20, &solver);
    for ranks in [2, 4, 8] {
        let found = run(&world, ranks, 20, &solver);
        let far = difference(&alone.states, &found.states);
        println!("{ranks} ranks: {far:e}");
        assert!(far <= 1e-6 && found.contacts == alone.contacts, "{ranks} ranks: {far:e}");
    }
}

/// The first steps; SF_LARGE=1: twice as many, on more ranks. Where states differ by 1e-5 two corners of a brick may
/// touch some steps sooner.
#[test]
fn a_wall_slides_as_on_one_rank() {
    let solver = sweeps(1e-12);
    let (ranks, steps) = if large() { (&[2, 3, 4, 8, 17][..], 20) } else { (&[2, 3, 8][..], 10) };
    let alone = run(&wall(), 1, steps, &solver);
    for &ranks in ranks {
        let found = run(&wall(), ranks, steps, &solver);
        let far = difference(&alone.states, &found.states);
        let contacts = [found.contacts, alone.contacts];
        assert!(far <= 1e-3 && contacts[0].abs_diff(contacts[1]) <= 2, "{ranks} ranks: {far:e}, {contacts:?} contacts");
    }
}

#[test]
fn balls_that_move_from_rank_to_rank_fall_as_on_one() {
    let solver = sweeps(1e-24);
    let alone = run(&heap(), 1, 100, &solver);
    let mut moves = 0;
    for ranks in [2, 3, 4, 7, 8] {
        let found = run(&heap(), ranks, 100, &solver);
        let far = difference(&alone.states, &found.states);
        assert!(far <= 1e-8 && found.contacts == alone.contacts, "{ranks} ranks: {far:e}, {found:?}");
        moves += found.moves;
        let energy = |k: usize| (found.energies[k] - alone.energies[k]).abs();
        assert!((0..6).all(|k| energy(k) <= 1e-8), "{:?} {:?}", found.energies, alone.energies);
    }
    // Planes lie between bodies, so that few of them cross on two ranks.
    assert!(moves >= 50, "{moves} moves");
}

#[test]
fn balls_fall_by_shares_of_masses_as_by_whole_ones() {
    let solver =
        |variant| SolverSettings::GaussSeidel(GaussSeidel { variant, meritval: 1e-8, ..GaussSeidel::new(1.0, 5000) });
    let alone = run(&heap(), 1, 100, &solver(Variant::Full));
    for ranks in [2, 8] {
        let found = run(&heap(), ranks, 100, &solver(Variant::MassSplitting));
        let largest = alone.energies.iter().fold(0.0, |a: f64, b| a.max(b.abs()));
        let far = (0..6).map(|k| (found.energies[k] - alone.energies[k]).abs()).fold(0.0, f64::max);
        assert!(far <= 1e-3 * largest, "{ranks} ranks: {:?} {:?}", found.energies, alone.energies);
    }
}

#[test]
fn penalty_forces_are_those_of_one_rank() {
    let mut world = heap();
    let surface = &mut world.model.surface[0];
    (surface.spring, surface.dashpot) = (1e4, 10.0);
    world.model.step = 1e-4;
    let solver = SolverSettings::Penalty(Penalty { variant: PenaltyVariant::Implicit });
    let alone = run(&world, 1, 60, &solver);
    for ranks in [2, 5] {
        let found = run(&world, ranks, 60, &solver);
        let far = difference(&alone.states, &found.states);
        assert!(far <= 1e-10 && found.contacts == alone.contacts, "{ranks} ranks: {far:e}");
    }
}
