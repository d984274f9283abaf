//! What all ranks of a simulation decide together: steps, ids, errors.

use std::collections::BTreeMap;

use super::distributed::{distributed, on_ranks, own_states, wall, States};
use super::{largest, operator::Ranked, owners, system};
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

fn cube(center: f64) -> Shape {
    block([center - 0.5, -0.5, -0.5], [center + 0.5, 0.5, 0.5], [1, 1, 1])
}

fn ball(height: f64) -> Shape {
    Shape::new(Geometry::Sphere(Sphere::new(Vec3::new(0.0, 0.0, height), 1.0, 1, 1).expect("a ball")))
}

/// A soft cube that limits the step, and two balls on the ground.
fn world() -> World {
    let mut world = World::new(0.01).gravity([0.0, 0.0, -10.0]).surface(|surface| surface.friction = 0.3);
    (world.model.bulk[0].young, world.model.bulk[0].poisson) = (1e6, 0.0);
    world.body(BodyKind::PseudoRigid, &[cube(20.0)], 1.0);
    world.obstacle(block([-5.0, -5.0, -1.0], [5.0, 5.0, 0.0], [1, 1, 1]));
    world.rigid(ball(0.999), 1.0);
    world.rigid(ball(2.998), 1.0);
    world
}

fn settings() -> SolverSettings {
    SolverSettings::GaussSeidel(GaussSeidel::new(1e-10, 1000))
}

#[test]
fn ranks_without_bodies_take_the_same_steps() {
    let mut alone = world().simulation();
    let own = alone.step(&settings()).expect("a step");
    let heard = on_ranks(7, |comm| {
        let mut simulation = distributed(&world(), comm);
        let report = simulation.step(&settings()).expect("a step");
        let energies = simulation.energies().map(f64::to_bits);
        let ids: Vec<u64> = simulation.contacts().iter().map(|contact| contact.id).collect();
        ((report.h, report.bodies, report.contacts, report.constraints, report.pairs, energies), ids)
    });
    let (same, _) = &heard[0];
    assert!(heard.iter().all(|(decisions, _)| decisions == same), "{heard:?}");
    assert_eq!((same.0, same.1, same.2), (own.h, 4, 2));
    let mut ids: Vec<u64> = heard.into_iter().flat_map(|(_, ids)| ids).collect();
    ids.sort_unstable();
    assert_eq!(ids, [1, 2]);
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
        own_states(&simulation)
    };
    let heard = on_ranks(3, move |comm| run(distributed(&sprung(), comm)));
    assert_eq!(heard.into_iter().flatten().collect::<BTreeMap<_, _>>(), run(sprung().simulation()));
}

#[test]
fn a_penetration_on_one_rank_reverts_all() {
    let heard = on_ranks(3, |comm| {
        let mut world = world();
        world.model.settings.penetration_depth = 1e-4;
        let mut simulation = distributed(&world, comm);
        let before = own_states(&simulation);
        let error = simulation.step(&settings()).expect_err("bodies overlap too deeply");
        (error, before, own_states(&simulation))
    });
    let (first, ..) = &heard[0];
    assert!(matches!(first, Error::Penetration(_)), "{first}");
    let all = |of: fn(&(Error, States, States)) -> &States| heard.iter().flat_map(of).collect::<Vec<_>>().len();
    assert!(heard.iter().all(|(error, ..)| error == first));
    assert_eq!((all(|heard| &heard.1), all(|heard| &heard.2)), (4, 4));
    let [before, after]: [States; 2] =
        [|heard: &(Error, States, States)| heard.1.clone(), |heard: &(Error, States, States)| heard.2.clone()]
            .map(|of| heard.iter().flat_map(of).collect());
    assert_eq!(before, after);
}

/// Contact points of a body may belong to several ranks; that it has a single one is told once, by the first.
#[test]
fn bodies_on_one_point_are_told_by_the_first_rank() {
    let told = |ranks: usize| {
        let mut heard = on_ranks(ranks, |comm| {
            let mut world = wall();
            world.model.settings.contact_points = 1;
            let mut simulation = distributed(&world, comm);
            simulation.step(&settings()).expect("a step");
            let told = simulation.warn_of_footing().expect("warnings");
            told.into_iter().map(|warning| warning.text).collect::<Vec<_>>()
        });
        assert!(heard[1..].iter().all(Vec::is_empty), "{heard:?}");
        heard.swap_remove(0)
    };
    let alone = told(1);
    // The bricks of the lowest course and one end of each other stand on one face, all others on two.
    let expected = [2, 3, 4, 5, 6, 11, 12, 21].map(|body| format!("body {body} rests"));
    assert!(alone.len() == 8 && alone.iter().zip(&expected).all(|(text, body)| text.starts_with(body)), "{alone:?}");
    for ranks in [2, 3, 5] {
        assert_eq!(told(ranks), alone, "{ranks} ranks");
    }
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
    let heard = on_ranks(3, move |comm| problem(comm.rank(), Some(comm)));
    for found in &heard {
        assert_eq!(found, &heard[0]);
        let far = found.iter().zip(&exact).map(|(a, b)| (a - b).norm()).fold(0.0, f64::max);
        assert!(far <= 1e-9 * largest(&exact), "{far:e} of {:e}", largest(&exact));
    }
}
