//! Contact and constraints of bodies of finite elements.

use solfec::model::{GaussSeidel, Newton, SolverSettings};
use solfec::solver::Status;

use super::*;

/// A block of elements rests on a plane: the reactions bear its weight, whatever the scheme and formulation.
#[test]
fn a_block_at_rest_is_borne() {
    for form in [Formulation::TotalLagrangian, Formulation::Corotational] {
        for scheme in [Scheme::DefExp, Scheme::DefLim] {
            let mut world = world(1e-3, YOUNG, 0.2).gravity([0.0, 0.0, -10.0]).surface(|s| s.friction = 0.3);
            world.obstacle(block([-5.0, -5.0, -1.0], [5.0, 5.0, 0.0], [1, 1, 1]));
            let body = finite(&mut world, block([0.0; 3], [1.0, 1.0, 0.5], [1, 1, 1]), form, scheme);
            world.model.bodies[body as usize - 1].damping = 0.02;
            let mut simulation = world.simulation();
            let mut force = 0.0;
            let vertical = |s: &Simulation| s.contacts().iter().map(|c| (c.base * c.r).z).sum();
            steps(&mut simulation, &gauss_seidel(1e-8), 1500, |s, _| force = vertical(s));
            assert_near(force, 500.0 * 10.0, 1e-2, "weight");
            let speed = velocities(&simulation, body).iter().map(|v| v.norm()).fold(0.0, f64::max);
            assert!(speed < 1e-4, "{form:?} {scheme:?}: {speed:e}");
        }
    }
}

/// Bodies of few nodes, of which NEWTON_SOLVER assembles W: a leaning stack of single elements moves as by sweeps.
#[test]
fn stacks_of_single_elements_move_alike_by_either_solver() {
    let newton = SolverSettings::Newton(Newton { meritval: 1e-16, ..Newton::default() });
    let sweeps = SolverSettings::GaussSeidel(GaussSeidel { meritval: 1e-16, ..GaussSeidel::new(1.0, 5000) });
    for form in [Formulation::TotalLagrangian, Formulation::Corotational] {
        let moved = [&newton, &sweeps].map(|solver| {
            let mut world = world(1e-3, YOUNG, 0.2).gravity([0.0, 0.0, -10.0]).surface(|s| s.friction = 0.3);
            world.obstacle(block([-5.0, -5.0, -1.0], [5.0, 5.0, 0.0], [1, 1, 1]));
            let bodies = [0.0, 1.0, 2.0].map(|z| {
                let shape = block([0.1 * z, 0.05 * z, z], [1.0 + 0.1 * z, 1.0 + 0.05 * z, z + 1.0], [1, 1, 1]);
                finite(&mut world, shape, form, Scheme::DefLim)
            });
            world.model.bodies[bodies[2] as usize - 1].velo = vec![0.0, 0.0, 0.0, 0.5, 0.2, 0.0];
            let mut simulation = world.simulation();
            for _ in 0..5 {
                let report = simulation.step(solver).expect("a step");
                assert_eq!(report.solver.status, Status::Converged);
                assert!(report.contacts >= 6, "{} contacts", report.contacts);
            }
            bodies.map(|body| displacements(&simulation, body)).concat()
        });
        let apart = moved[0].iter().zip(&moved[1]).map(|(a, b)| (a - b).norm()).fold(0.0, f64::max);
        assert!(apart < 1e-9, "{form:?}: {apart:e}");
    }
}

/// Parts of a deformable body that never touch are numbered by elements, as those of a rigid one.
#[test]
fn excluded_parts_are_elements() {
    for (excluded, open) in [(3, 3.0..4.0), (1, 1.0..2.0)] {
        let mut world = world(1e-3, YOUNG, 0.2).gravity([0.0, 0.0, -10.0]);
        let floor = world.obstacle(block([-1.0, -1.0, -1.0], [5.0, 2.0, 0.0], [1, 1, 1]));
        let form = Formulation::TotalLagrangian;
        let bar = finite(&mut world, block([0.0; 3], [4.0, 1.0, 1.0], [4, 1, 1]), form, Scheme::DefLim);
        world.model.settings.sparsify.threshold = 0.0;
        world.model.settings.excluded_objects.push([bar, excluded, floor, 0]);
        let mut simulation = world.simulation();
        simulation.step(&gauss_seidel(1e-8)).expect("a step");
        let places: Vec<f64> = simulation.contacts().iter().map(|contact| contact.master.point.x).collect();
        for element in 0..4 {
            let within = f64::from(element) + 0.1..f64::from(element) + 0.9;
            let touches = places.iter().any(|x| within.contains(x));
            assert_eq!(touches, !open.contains(&within.start), "element {element}, {excluded} excluded: {places:?}");
        }
    }
}
