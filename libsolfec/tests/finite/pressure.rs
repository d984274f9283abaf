//! Pressure that follows the surface of a deforming body.

use solfec::body::{EXTERNAL, INTERNAL, KINETIC};
use solfec::load::Series;
use solfec::material::ANY;
use solfec::model::{LoadKind, Op};

use super::*;

const POISSON: f64 = 0.3;

/// A cube of 2×2×2 hexahedra, or of tetrahedra of second order, under a pressure on all its faces [Pa].
fn cube(world: &mut World, form: Formulation, scheme: Scheme, pressure: f64, follower: bool) -> u64 {
    let body = finite(world, block([0.0; 3], [1.0; 3], [2, 2, 2]), form, scheme);
    let value = world.series(Series::constant(pressure));
    world.load(body, LoadKind::Pressure { surface: ANY, value, follower });
    body
}

/// Along each axis the cube has a stretch λ whose second stress is `S = 3 K (λ² − 1)/2`: a pressure p on the present faces
/// is `S/λ`, one on the reference faces `S λ`. (Dead compression would turn a free cube over.)
#[test]
fn a_cube_has_the_stretch_of_its_pressure() {
    let bulk = YOUNG / (3.0 * (1.0 - 2.0 * POISSON));
    for (follower, pressure) in [(true, -2e5), (true, 2e5), (false, 2e5)] {
        let power = if follower { -1 } else { 1 };
        let mut world = world(0.1, YOUNG, POISSON);
        quasi_static(&mut world);
        let body = cube(&mut world, Formulation::TotalLagrangian, Scheme::DefLim, pressure, follower);
        let mut simulation = world.simulation();
        steps(&mut simulation, &gauss_seidel(1e-6), 40, |_, _| {});
        let u = displacements(&simulation, body);
        let (low, high) = u.iter().fold((0.0f64, 0.0f64), |(low, high), u| (low.min(u.x), high.max(u.x)));
        let stretch = 1.0 + (high - low) * f64::signum(pressure);
        let found = 1.5 * bulk * (stretch * stretch - 1.0) * stretch.powi(power);
        assert!((found / pressure - 1.0).abs() < 1e-9, "follower {follower}: stretch {stretch}, {found:e} Pa");
    }
}

/// A dead pressure is that on the reference faces: on a closed surface its force is zero however the surface is deformed,
/// and its work is the pressure times the displacement through those faces.
#[test]
fn a_dead_pressure_on_a_closed_surface_has_no_force() {
    let pressure = 2e4;
    for form in [Formulation::TotalLagrangian, Formulation::Corotational] {
        for scheme in [Scheme::DefExp, Scheme::DefLim] {
            let mut world = world(2e-4, YOUNG, POISSON);
            let body = cube(&mut world, form, scheme, pressure, false);
            let mut simulation = world.simulation();
            let shape = world.model.shape(0);
            let noisy: Vec<f64> = flat(&noisy(nodes_of(&shape).len(), 0.3));
            simulation.apply(&Op::SetVelocity { body, velo: noisy }).expect("velocities");
            let momentum = |simulation: &Simulation| -> Vec3 {
                velocities(simulation, body).iter().zip(weights(&shape)).map(|(v, m)| v * m * DENSITY / 64.0).sum()
            };
            let before = momentum(&simulation);
            steps(&mut simulation, &gauss_seidel(1e-6), 100, |_, _| {});
            let gained = momentum(&simulation) - before;
            let impulse = pressure * simulation.time();
            assert!(gained.norm() < 1e-9 * impulse, "{form:?} {scheme:?}: {gained:?} of {impulse}");
            let index = simulation.bodies().index(BodyId(body)).expect("the body");
            let work = simulation.bodies().energies(index)[EXTERNAL];
            let wanted = pressure * passed_through(&shape, &displacements(&simulation, body));
            assert!((work - wanted).abs() < 1e-3 * wanted.abs(), "{form:?} {scheme:?}: {work} J, not {wanted}");
        }
    }
}

/// Its force and moment on a closed surface are zero however the surface is deformed, and its work is the pressure times
/// the growth of the volume.
#[test]
fn a_follower_on_a_closed_surface_works_by_its_volume() {
    let pressure = -1e5;
    for scheme in [Scheme::DefExp, Scheme::DefLim] {
        let mut world = world(2e-4, YOUNG, POISSON);
        let body = cube(&mut world, Formulation::TotalLagrangian, scheme, pressure, true);
        let mut simulation = world.simulation();
        launch(&mut simulation, body, [0.0; 3], [2.0, -1.0, 3.0]);
        let of = |simulation: &Simulation| simulation.bodies().index(BodyId(body)).expect("the body");
        let before = simulation.bodies().energies(of(&simulation));
        let shape = world.model.shape(0);
        let mut least = 1.0f64;
        for _ in 0..10 {
            steps(&mut simulation, &gauss_seidel(1e-6), 50, |_, _| {});
            let volume = volume_of(&shape, &displacements(&simulation, body));
            least = least.min(volume);
            let energies = simulation.bodies().energies(of(&simulation));
            let size = energies[KINETIC] + energies[INTERNAL];
            let work = energies[EXTERNAL] - before[EXTERNAL];
            assert!((work - pressure * (volume - 1.0)).abs() < 1e-4 * size, "{scheme:?}: {work:e} J at {volume}");
            let kept = size - before[KINETIC] - work;
            assert!(kept.abs() < 2e-3 * size, "{scheme:?}: {kept:e} J of {size:e} J come from nowhere");
        }
        assert!(least < 0.85, "{scheme:?}: the volume goes down to {least}");
        let momentum: Vec3 = velocities(&simulation, body).iter().zip(weights(&shape)).map(|(v, m)| v * m).sum();
        assert!(momentum.norm() < 1e-9, "{scheme:?}: {momentum:?}");
    }
}

/// Number of the elements of each node, to which the masses of a regular mesh are in proportion.
fn weights(shape: &Shape) -> Vec<f64> {
    let mut weights = vec![0.0; nodes_of(shape).len()];
    let Geometry::Mesh(mesh) = &*shape.geometry else { return weights };
    mesh.elements.iter().flat_map(|e| e.nodes()).for_each(|&node| weights[node as usize] += 1.0);
    weights
}

/// `∮ u·N dA` over the reference faces of the cube.
fn passed_through(shape: &Shape, u: &[Vec3]) -> f64 {
    let side = |x: f64| f64::from(u8::from(x > 0.75)) - f64::from(u8::from(x < 0.25));
    let share = |x: f64| if side(x) == 0.0 { 0.5 } else { 0.25 };
    let of_node = |(x, u): (Vec3, &Vec3)| -> f64 {
        (0..3).map(|k| side(x[k]) * share(x[(k + 1) % 3]) * share(x[(k + 2) % 3]) * u[k]).sum()
    };
    nodes_of(shape).into_iter().zip(u).map(of_node).sum()
}

fn volume_of(shape: &Shape, u: &[Vec3]) -> f64 {
    let Geometry::Mesh(mesh) = &*shape.geometry else { return f64::NAN };
    let nodes = mesh.nodes.iter().zip(u).map(|(x, u)| x + u).collect();
    Shape::new(Geometry::Mesh(Mesh { nodes, ..mesh.clone() })).integrals().volume
}
