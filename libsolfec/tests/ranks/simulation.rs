//! Simulations on ranks, one of which has no bodies: steps, ids and errors are the same on all of them.

use std::sync::mpsc;

use super::{largest, operator::Ranked, owners, system, DEADLOCK};
use solfec::comm::{Communicator, InProcess};
use solfec::dynamics::{Delassus, WholeMatrix};
use solfec::load::Series;
use solfec::math::Vec3;
use solfec::model::{BodyKind, ConstraintRow, GaussSeidel, Joint, SolverSettings, SpringAxis, SpringLaw};
use solfec::shape::{Geometry, Shape, Sphere};
use solfec::simulation::Simulation;
use solfec::solver;
use solfec::Error;
use solfec_testing::world::{block, World};

/// Runs `rank` on each of three ranks; fails when one of them waits for ever.
fn on_three<T: Send + 'static>(rank: impl Fn(InProcess) -> T + Copy + Send + 'static) -> Vec<T> {
    let channels: Vec<_> = InProcess::world(3)
        .into_iter()
        .map(|comm| {
            let (send, receive) = mpsc::channel();
            // The other end is closed only when the test has failed already.
            std::thread::spawn(move || {
                // Threads of its own, as a step waits for the other ranks within them.
                let threads = rayon::ThreadPoolBuilder::new().num_threads(2).build().expect("threads of a rank");
                drop(send.send(threads.install(move || rank(comm))))
            });
            receive
        })
        .collect();
    channels.iter().map(|end| end.recv_timeout(DEADLOCK).expect("no rank waits for ever or panics")).collect()
}

fn cube(center: f64) -> Shape {
    block([center - 0.5, -0.5, -0.5], [center + 0.5, 0.5, 0.5], [1, 1, 1])
}

fn ball(height: f64) -> Shape {
    Shape::new(Geometry::Sphere(Sphere::new(Vec3::new(0.0, 0.0, height), 1.0, 1, 1).expect("a ball")))
}

/// Bodies of a rank: a soft cube that limits the step, nothing, and a ball on the ground.
fn part(rank: usize) -> World {
    let mut world = World::new(0.01).gravity([0.0, 0.0, -10.0]).surface(|surface| surface.friction = 0.3);
    (world.model.bulk[0].young, world.model.bulk[0].poisson) = (1e6, 0.0);
    match rank {
        0 => drop(world.body(BodyKind::PseudoRigid, &[cube(0.0)], 1.0)),
        2 => {
            world.obstacle(block([-5.0, -5.0, -1.0], [5.0, 5.0, 0.0], [1, 1, 1]));
            world.rigid(ball(0.999), 1.0);
            world.rigid(ball(2.998), 1.0);
        }
        _ => {}
    }
    world
}

fn simulation(world: &World, comm: InProcess) -> Simulation {
    Simulation::on_rank(&world.model, solfec::body::kinds(), Box::new(comm)).expect("the model can be simulated")
}

fn settings() -> SolverSettings {
    SolverSettings::GaussSeidel(GaussSeidel::new(1e-10, 1000))
}

#[test]
fn a_rank_without_bodies_takes_the_same_steps() {
    let mut soft = part(0).simulation();
    let own = soft.step(&settings()).expect("a step").h;
    let heard = on_three(|comm| {
        let mut simulation = simulation(&part(comm.rank()), comm);
        let report = simulation.step(&settings()).expect("a step");
        let energies = simulation.energies().map(f64::to_bits);
        let ids: Vec<u64> = simulation.contacts().iter().map(|contact| contact.id).collect();
        ((report.h, report.bodies, report.contacts, report.constraints, report.pairs, energies), ids)
    });
    let (same, _) = &heard[0];
    assert!(heard.iter().all(|(decisions, _)| decisions == same), "{heard:?}");
    assert_eq!((same.0, same.1, same.2), (own, 4, 2));
    assert_eq!([&heard[0].1[..], &heard[1].1, &heard[2].1], [&[][..], &[], &[1, 2]]);
}

#[test]
fn contacts_of_different_ranks_have_different_ids() {
    let heard = on_three(|comm| {
        let mut simulation = simulation(&part(if comm.rank() == 1 { 1 } else { 2 }), comm);
        simulation.step(&settings()).expect("a step");
        simulation.contacts().iter().map(|contact| contact.id).collect::<Vec<_>>()
    });
    assert_eq!(heard, [vec![1, 2], vec![], vec![3, 4]]);
}

/// A cube on a spring that needs several solves a step.
fn sprung() -> World {
    let mut world = World::new(0.01);
    let wall = world.obstacle(cube(-3.0));
    let body = world.rigid(cube(0.0), 1.0);
    let force = Series::new("", vec![-1.0, 0.0, 1.0], vec![8.0, 0.5, -8.0]).expect("a series");
    world.model.series.push(force);
    let law = SpringLaw::Table { series: world.model.series.len() as u32 - 1 };
    world.model.constraints.push(ConstraintRow {
        master: wall,
        slave: Some(body),
        points: [Vec3::new(-2.5, 0.0, 0.0), Vec3::zeros()],
        joint: Joint::Spring { law, axis: SpringAxis::Follow, limits: [f64::NEG_INFINITY, f64::INFINITY] },
        line: 0,
    });
    world
}

#[test]
fn springs_settle_on_all_ranks_together() {
    let run = |mut simulation: Simulation| {
        (0..5).for_each(|_| assert!(simulation.step(&settings()).expect("a step").warnings.is_empty()));
        let bodies = simulation.bodies();
        bodies.indices().map(|body| bodies.configuration(body)).collect::<Vec<_>>()
    };
    let heard = on_three(move |comm| {
        let world = if comm.rank() == 2 { sprung() } else { World::new(0.01) };
        run(simulation(&world, comm))
    });
    assert_eq!(heard, [vec![], vec![], run(sprung().simulation())]);
}

#[test]
fn a_penetration_on_one_rank_reverts_all() {
    let heard = on_three(|comm| {
        let mut world = part(comm.rank());
        world.model.settings.penetration_depth = 1e-4;
        let mut simulation = simulation(&world, comm);
        let state = simulation.state();
        let error = simulation.step(&settings()).expect_err("bodies overlap too deeply");
        let after = simulation.state();
        (error, (after.rigid, after.pseudo) == (state.rigid, state.pseudo))
    });
    let (first, _) = &heard[0];
    assert!(matches!(first, Error::Penetration(_)), "{first}");
    assert!(heard.iter().all(|(error, reverted)| error == first && *reverted));
}

/// Conjugate gradients stop after the same iteration on all ranks.
#[test]
fn impulses_are_those_of_a_serial_run() {
    let problem = |rank: usize, comm: Option<InProcess>| {
        let (bodies, rows) = system(9);
        let scalar: Vec<bool> = (0..rows.len()).map(|i| i % 3 == 0).collect();
        let wrong = |i: usize| Vec3::new(if scalar[i] { 0.0 } else { 0.3 }, 0.0, 1.0 + i as f64);
        let mut whole = super::filled(&bodies, &rows);
        let Some(comm) = comm else {
            return solver::impulses(&mut whole, &scalar, (0..rows.len()).map(wrong).collect());
        };
        let owner = owners(3, rows.len());
        let own: Vec<usize> = (0..rows.len()).filter(|&i| owner[i] == rank).collect();
        let mut op = Ranked::new(whole, comm, owner);
        assert_eq!(op.len(), own.len());
        let scalar: Vec<bool> = own.iter().map(|&i| scalar[i]).collect();
        let found = solver::impulses(&mut op, &scalar, own.iter().map(|&i| wrong(i)).collect());
        op.gather(|i| found[i].into()).into_iter().map(Vec3::from).collect()
    };
    let exact = problem(0, None);
    let heard = on_three(move |comm| problem(comm.rank(), Some(comm)));
    for found in &heard {
        assert_eq!(found, &heard[0]);
        let far = found.iter().zip(&exact).map(|(a, b)| (a - b).norm()).fold(0.0, f64::max);
        assert!(far <= 1e-9 * largest(&exact), "{far:e} of {:e}", largest(&exact));
    }
}
