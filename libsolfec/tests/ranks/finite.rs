//! Bodies of finite elements on which constraints of several ranks act.

use std::sync::Arc;

use super::distributed::{brick, difference, run, run_with, sweeps, wall};
use solfec::body::Pencil;
use solfec::math::Vec3;
use solfec::modal::{modes, Wanted};
use solfec::model::{
    Auto, Base, BodyKind, BodyRow, ConstraintRow, Formulation, GaussSeidel, Joint, Scheme, SolverSettings, Variant,
};
use solfec::simulation::{OnFailure, Simulation};
use solfec_testing::size::large;
use solfec_testing::world::{block, World};

/// Blocks of elements on a floor, three in a row, with rigid blocks between them, pushed together; of nine the last two
/// are linked. There is no friction, so that velocities are unique.
pub fn array(form: Formulation, scheme: Scheme, count: u8) -> World {
    let mut world = World::new(5e-4).gravity([1.0, 0.5, -10.0]).surface(|surface| surface.friction = 0.0);
    (world.model.bulk[0].young, world.model.bulk[0].poisson) = (1e6, 0.2);
    world.obstacle(brick([-1.0, -1.0, -1.0], [8.0, 6.0, 1.0]));
    for k in 0..count {
        let (x, y) = (f64::from(k % 3), f64::from(k / 3));
        let (low, high) = ([x, y, 0.0], [x + 1.0, y + 1.0, 0.5]);
        if k % 4 == 1 {
            world.rigid(block(low, high, [1, 1, 1]), 1000.0);
            continue;
        }
        let id = world.body(BodyKind::FiniteElement, &[block(low, high, [2, 2, 1])], 1000.0);
        let row = &mut world.model.bodies[id as usize - 1];
        (row.form, row.scheme, row.damping) = (form, scheme, 1e-4);
        row.velo = vec![0.0, 0.0, 0.0, 0.3 - 0.3 * x, 0.2 - 0.2 * y, 0.0];
    }
    if count == 9 {
        let points = [Vec3::new(3.0, 2.0, 0.5); 2];
        let joint = Joint::RigidLink { strength: f64::INFINITY };
        world.model.constraints.push(ConstraintRow { joint, master: 10, slave: Some(7), points, line: 0 });
    }
    world
}

/// The same of reduced bodies, confined to their first 18 modes.
pub fn reduced(form: Formulation, count: u8) -> World {
    let mut world = array(Formulation::Corotational, Scheme::DefLim, count);
    let finite = |row: &&BodyRow| row.kind == BodyKind::FiniteElement;
    let ids: Vec<u64> = world.model.bodies.iter().filter(finite).map(|row| row.id).collect();
    for id in ids {
        let pencil = Pencil::of(&world.model, id, &[]).expect("a body");
        let found = modes(&pencil, &Wanted { count: 18, tolerance: 1e-12, restarts: 100 }).expect("modes");
        let vectors = found.vectors.iter().flatten().flat_map(|x| [x.x, x.y, x.z]).collect();
        let base = Base::new("", found.values, vectors).expect("a base");
        let row = &mut world.model.bodies[id as usize - 1];
        (row.form, row.base) = (form, Some(Arc::new(base)));
    }
    world
}

/// Runs it on one rank and on several, SF_LARGE=1: on more; differences of numbers of the states stay below `bound`.
fn moves_as_on_one_rank(world: &World, solver: &SolverSettings, (steps, bound): (usize, f64)) {
    let alone = run(world, 1, steps, solver);
    for &ranks in if large() { &[2, 3, 4, 5, 8, 11][..] } else { &[2, 5] } {
        let found = run(world, ranks, steps, solver);
        let far = difference(&alone.states, &found.states);
        assert!(far <= bound && found.contacts == alone.contacts, "{ranks} ranks: {far:e}");
    }
}

/// Sweeps that hand on the forces at all points of a body.
#[test]
fn blocks_of_elements_move_as_on_one_rank() {
    for form in [Formulation::TotalLagrangian, Formulation::Corotational] {
        for scheme in [Scheme::DefExp, Scheme::DefLim] {
            moves_as_on_one_rank(&array(form, scheme, 3), &sweeps(1e-12), (10, 1e-6));
        }
    }
}

/// An array whose deformable blocks are held along axes of space at two points each.
fn held(count: u8) -> World {
    let mut world = array(Formulation::TotalLagrangian, Scheme::DefLim, count);
    let finite = |row: &&BodyRow| row.kind == BodyKind::FiniteElement;
    let corner = |row: &BodyRow| world.model.shape(row.shapes.start).bounds().low;
    let bodies: Vec<(u64, Vec3)> = world.model.bodies.iter().filter(finite).map(|row| (row.id, corner(row))).collect();
    for (k, (body, corner)) in bodies.into_iter().enumerate() {
        let joint = Joint::FixDirection { direction: Vec3::ith(k % 2, 1.0) };
        for along in [0.0, 0.5] {
            let points = [corner + Vec3::new(along, along, 0.5); 2];
            world.model.constraints.push(ConstraintRow { joint, master: body, slave: None, points, line: 0 });
        }
    }
    world
}

/// Ranks tell one another along which axes bodies answer at their points.
#[test]
fn blocks_held_along_axes_move_as_on_one_rank() {
    moves_as_on_one_rank(&held(3), &sweeps(1e-12), (10, 1e-6));
    moves_as_on_one_rank(&held(9), &SolverSettings::Auto(Auto { meritval: 1e-20 }), (10, 1e-7));
}

#[test]
fn reduced_bodies_move_as_on_one_rank() {
    for form in [Formulation::Modal, Formulation::Reduced] {
        // Few velocities for many contacts: sweeps converge slowly.
        let settings = GaussSeidel { meritval: 1e-16, ..GaussSeidel::new(1.0, 50_000) };
        moves_as_on_one_rank(&reduced(form, 3), &SolverSettings::GaussSeidel(settings), (3, 1e-6));
        moves_as_on_one_rank(&reduced(form, 9), &SolverSettings::Auto(Auto { meritval: 1e-20 }), (10, 1e-7));
    }
}

/// A body in condensed form has no velocity that ranks could put together: they sweep one after another.
#[test]
fn variants_sweep_blocks_of_elements_one_rank_after_another() {
    let world = array(Formulation::TotalLagrangian, Scheme::DefExp, 3);
    let in_turn = run(&world, 3, 5, &sweeps(1e-12));
    for variant in [Variant::MiddleJacobi, Variant::BoundaryJacobi, Variant::MassSplitting] {
        let SolverSettings::GaussSeidel(settings) = sweeps(1e-12) else { panic!("sweeps") };
        let settings = SolverSettings::GaussSeidel(GaussSeidel { variant, ..settings });
        assert_eq!(in_turn.states, run(&world, 3, 5, &settings).states, "{variant:?}");
    }
}

/// No dense matrix between nodes, so no sweeps: block Jacobi iterations by products, on one rank and on several.
#[test]
fn products_alone_move_blocks_of_elements_as_on_one_rank() {
    for form in [Formulation::TotalLagrangian, Formulation::Corotational] {
        let world = array(form, Scheme::DefLim, 9);
        let products = |ranks: usize| {
            let auto = SolverSettings::Auto(Auto { meritval: 1e-16 });
            run_with(&world, ranks, 5, &auto, |simulation| simulation.set_dense_nodes(0))
        };
        let swept = run(&world, 1, 5, &SolverSettings::Auto(Auto { meritval: 1e-20 }));
        for ranks in [1, 2, 5] {
            let found = products(ranks);
            let far = difference(&swept.states, &found.states);
            assert!(far <= 1e-6 && found.contacts == swept.contacts, "{form:?}, {ranks} ranks: {far:e}");
        }
    }
}

/// Factors of the whole matrix on each rank.
#[test]
fn auto_meets_tight_tolerances_on_ranks() {
    let auto = |meritval: f64| SolverSettings::Auto(Auto { meritval });
    for form in [Formulation::TotalLagrangian, Formulation::Corotational] {
        for scheme in [Scheme::DefExp, Scheme::DefLim] {
            moves_as_on_one_rank(&array(form, scheme, 9), &auto(1e-20), (10, 1e-7));
        }
    }
    // Velocities are not unique: there is friction, and reactions are redundant.
    moves_as_on_one_rank(&wall(), &auto(1e-16), (10, 1e-3));
}

/// A cube that swells while it flies to another rank takes its strain there, which decides how long steps may be.
#[test]
fn steps_follow_the_strain_of_a_body_that_changes_its_rank() {
    let mut world = World::new(5e-3);
    (world.model.bulk[0].young, world.model.bulk[0].poisson) = (1e6, 0.3);
    world.model.settings.step_recovery = true;
    world.rigid(brick([5.0, 0.0, 0.0], [1.0, 1.0, 1.0]), 1000.0);
    let shape = block([0.0; 3], [1.0; 3], [2; 3]);
    let velocity = |x: &Vec3| Vec3::new(60.0, 0.0, 10.0) + x * 12.0;
    let velo = shape.vertices().iter().map(velocity).flat_map(|v| [v.x, v.y, v.z]).collect();
    let id = world.body(BodyKind::FiniteElement, &[shape], 1000.0);
    let row = &mut world.model.bodies[id as usize - 1];
    (row.form, row.scheme, row.velo) = (Formulation::TotalLagrangian, Scheme::DefExp, velo);
    // Bodies move to their ranks before the length of the step is chosen, where that may be halved.
    let halving = |simulation: &mut Simulation| simulation.set_on_failure(OnFailure::HalveStep);
    for steps in 1..30 {
        let [alone, found] = [1, 2].map(|ranks| run_with(&world, ranks, steps, &sweeps(1e-12), halving));
        let far = difference(&alone.states, &found.states);
        assert!(far == 0.0, "{steps} steps: {far:e}");
        assert!(steps < 29 || found.moves > 0, "it has not changed its rank");
    }
}
