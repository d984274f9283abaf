//! Free motion: rigid motions, momenta, periods, critical steps.

use solfec::body::{Bodies, NoForces, EXTERNAL, INTERNAL, KINETIC};
use solfec::ids::CatalogueRow;
use solfec::math::{exp_map, Mat3};
use solfec::model::Op;
use solfec::stepping::Stepping;

use super::*;

const FORMS: [Formulation; 2] = [Formulation::TotalLagrangian, Formulation::Corotational];
const SCHEMES: [Scheme; 2] = [Scheme::DefExp, Scheme::DefLim];

fn index(simulation: &Simulation, id: u64) -> solfec::ids::BodyIndex {
    simulation.bodies().index(BodyId(id)).expect("the body")
}

/// x = v t + g t²/2 at every node, to round-off, with any scheme and formulation.
#[test]
fn free_fall_is_a_parabola() {
    for form in FORMS {
        for scheme in SCHEMES {
            let mut world = world(1e-3, YOUNG, 0.3).gravity([0.0, 0.0, -10.0]);
            let body = finite(&mut world, block([0.0; 3], [1.0; 3], [2, 2, 2]), form, scheme);
            let mut simulation = world.simulation();
            launch(&mut simulation, body, [1.0, 0.0, 3.0], [0.0; 3]);
            steps(&mut simulation, &gauss_seidel(1e-6), 100, |_, _| {});
            for u in displacements(&simulation, body) {
                let expected = Vec3::new(0.1, 0.0, 0.3 - 0.05);
                assert_near((u - expected).norm(), 0.0, 1e-12, "displacement");
            }
            let energies = simulation.bodies().energies(index(&simulation, body));
            assert_near(energies[KINETIC], 500.0 * (1.0 + 4.0), 1e-8, "kinetic energy");
            assert_near(energies[EXTERNAL], 500.0 * (4.0 - 9.0), 1e-8, "external work");
            assert_near(energies[INTERNAL], 0.0, 1e-12, "internal energy");
        }
    }
}

/// A lumped cube of N³ hexahedra that spins: ½ ω² (m a²/6) (1 + 2/N²).
#[test]
fn the_spin_of_a_lumped_cube_has_the_energy_of_its_nodes() {
    for (n, factor) in [(1, 3.0), (2, 1.5), (4, 1.125)] {
        let mut world = world(1e-3, YOUNG, 0.3);
        let shape = block([0.0; 3], [1.0; 3], [n, n, n]);
        let body = finite(&mut world, shape, Formulation::TotalLagrangian, Scheme::DefExp);
        let mut simulation = world.simulation();
        launch(&mut simulation, body, [0.0; 3], [0.0, 0.0, 10.0]);
        let energies = simulation.bodies().energies(index(&simulation, body));
        assert_near(energies[KINETIC], 50.0 * DENSITY / 6.0 * factor, 1e-9 * DENSITY, "kinetic energy");
    }
}

/// Free blocks turn at constant speed whatever their damping: what does not strain is not damped.
#[test]
fn damping_does_not_brake_rotation() {
    let lost = |kind: BodyKind, form: Formulation, scheme: Scheme| {
        let (h, damping) = if scheme == Scheme::DefExp { (2e-5, 1e-5) } else { (1e-3, 1e-4) };
        let mut world = world(h, 1e9, 0.3);
        let body = world.body(kind, &[block([0.0; 3], [0.2; 3], [2, 2, 2])], DENSITY);
        let row = &mut world.model.bodies[body as usize - 1];
        (row.form, row.scheme, row.damping) = (form, scheme, damping);
        let mut simulation = world.simulation();
        launch(&mut simulation, body, [0.0; 3], [4.0, 2.0, 14.0]);
        let energy = |s: &Simulation| s.bodies().energies(index(s, body))[KINETIC];
        let before = energy(&simulation);
        steps(&mut simulation, &gauss_seidel(1e-6), (0.2 / h) as usize, |_, _| {});
        (1.0 - energy(&simulation) / before).abs()
    };
    for scheme in SCHEMES {
        let of_finite = FORMS.map(|form| (BodyKind::FiniteElement, form));
        for (kind, form) in of_finite.into_iter().chain([(BodyKind::PseudoRigid, FORMS[0])]) {
            let lost = lost(kind, form, scheme);
            assert!(lost < 1e-4, "{kind:?} {form:?} {scheme:?}: {lost:e}");
        }
    }
}

fn momenta(world: &World, simulation: &Simulation, id: u64) -> (Vec3, Vec3) {
    let shape = world.model.shapes_of(&world.model.bodies[id as usize - 1]).next().expect("a shape");
    let reference = nodes_of(&shape);
    let (u, v) = (displacements(simulation, id), velocities(simulation, id));
    // Masses of the nodes of a regular mesh of hexahedra, up to a factor: the number of elements they belong to.
    let mut mass = vec![0.0; u.len()];
    mesh_of(&shape).elements.iter().flat_map(|e| e.nodes()).for_each(|&node| mass[node as usize] += 1.0);
    let linear = mass.iter().zip(&v).map(|(mass, v)| v * *mass).sum();
    let angular = (0..u.len()).map(|k| (reference[k] + u[k]).cross(&v[k]) * mass[k]).sum();
    (linear, angular)
}

/// A free body that spins and trembles keeps linear and angular momentum: the explicit scheme to round-off, the
/// implicit one linear momentum to round-off and angular momentum the better the smaller the step, with order 4.
#[test]
fn free_bodies_keep_their_momenta() {
    let drift = |scheme: Scheme, h: f64, count: usize| {
        let mut world = world(h, YOUNG, 0.3);
        let shape = block([0.0; 3], [1.0; 3], [2, 2, 2]);
        let nodes = nodes_of(&shape).len();
        let body = finite(&mut world, shape, Formulation::TotalLagrangian, scheme);
        let mut simulation = world.simulation();
        launch(&mut simulation, body, [1.0, 2.0, 0.0], [0.0, 0.0, 10.0]);
        let start = velocities(&simulation, body);
        let velo: Vec<Vec3> = start.iter().zip(noisy(nodes, 0.1)).map(|(v, noise)| v + noise).collect();
        simulation.apply(&Op::SetVelocity { body, velo: flat(&velo) }).expect("velocities");
        let (linear, angular) = momenta(&world, &simulation, body);
        steps(&mut simulation, &gauss_seidel(1e-6), count, |_, _| {});
        let (linear_end, angular_end) = momenta(&world, &simulation, body);
        ((linear_end - linear).norm() / linear.norm(), (angular_end - angular).norm() / angular.norm())
    };
    // 0.2 of the critical step of a cube of side ½: ω = 126.5 √… 1/s.
    let h = 0.2 * 2.0 / 252.0;
    let (linear, angular) = drift(Scheme::DefExp, h, 1000);
    assert!(linear < 1e-12 && angular < 1e-12, "explicit: {linear:e}, {angular:e}");
    let (linear, coarse) = drift(Scheme::DefLim, h, 100);
    assert!(linear < 1e-12, "implicit: {linear:e}");
    let (_, fine) = drift(Scheme::DefLim, h / 2.0, 200);
    let ratio = coarse / fine;
    assert!(coarse < 1e-6 && (10.0..22.0).contains(&ratio), "implicit: {coarse:e}, {fine:e}");
}

/// The uniaxial mode of a single cube has ω = √(4 E / ρ) / a at ν = 0; the discrete periods are those of either scheme.
#[test]
fn a_single_cube_swings_with_the_discrete_period() {
    let omega: f64 = 4000f64.sqrt();
    for (scheme, phase) in
        [(Scheme::DefExp, 2.0 * (omega * 1e-3 / 2.0).asin()), (Scheme::DefLim, 2.0 * (omega * 1e-3 / 2.0).atan())]
    {
        for form in FORMS {
            let mut world = world(1e-3, YOUNG, 0.0);
            let shape = block([-0.5; 3], [0.5; 3], [1, 1, 1]);
            let velo: Vec<Vec3> = nodes_of(&shape).iter().map(|x| Vec3::new(1e-6 * x.x, 0.0, 0.0)).collect();
            let body = finite(&mut world, shape, form, scheme);
            world.model.bodies[0].velo = flat(&velo);
            let mut simulation = world.simulation();
            let count = 1000;
            steps(&mut simulation, &gauss_seidel(1e-6), count, |_, _| {});
            // v_n = v_0 cos(n φ) at the ends of steps.
            let expected = 0.5e-6 * (phase * count as f64).cos();
            let found = velocities(&simulation, body).iter().map(|v| v.x).fold(0.0, f64::max);
            assert_near(found, expected.abs(), 1e-11, "velocity");
        }
    }
}

/// The reported step is half the critical one: ½ · 2 / √(4 E / ρ) n of cubes of side 1/n at ν = 0, and ½ · 0.01 at ν =
/// 0.3 and n = 2.
#[test]
fn the_critical_step_is_that_of_the_stiffest_element() {
    for (n, poisson, step) in [(1, 0.0, 0.0158114), (2, 0.0, 0.0079057), (4, 0.0, 0.0039528), (2, 0.3, 0.005)] {
        let mut world = world(1.0, YOUNG, poisson);
        finite(&mut world, block([0.0; 3], [1.0; 3], [n, n, n]), Formulation::TotalLagrangian, Scheme::DefExp);
        let simulation = world.simulation();
        let (found, _) = simulation.bodies().critical_step().expect("an explicit body");
        assert_near(found, step, 1e-6 * step + 5e-8, "step");
    }
}

/// A rigid motion by any rotation causes no force: the body moves on as it was.
#[test]
fn rotated_bodies_are_free_of_forces() {
    for form in FORMS {
        for scheme in SCHEMES {
            let mut world = world(1e-3, YOUNG, 0.3);
            let shape = block([3.0, 4.0, 5.0], [4.0, 5.0, 6.0], [2, 1, 2]);
            let rotation = exp_map(&Vec3::new(1.2, -2.0, 0.7));
            let shift = Vec3::new(1.0, -2.0, 0.5);
            let conf: Vec<Vec3> = nodes_of(&shape).iter().map(|x| rotation * x + shift - x).collect();
            let body = finite(&mut world, shape, form, scheme);
            world.model.bodies[0].conf = flat(&conf);
            let mut simulation = world.simulation();
            steps(&mut simulation, &gauss_seidel(1e-6), 1, |_, _| {});
            let largest = velocities(&simulation, body).iter().map(|v| v.norm()).fold(0.0, f64::max);
            // h E A / m of a node, times round-off.
            assert!(largest < 1e-12, "{form:?} {scheme:?}: {largest:e}");
        }
    }
}

/// Small amplitudes without damping: kinetic and internal energy change by the work of loads alone, to round-off.
#[test]
fn implicit_steps_balance_energy_exactly() {
    let mut world = world(1e-3, YOUNG, 0.3).gravity([0.0, 0.0, -1e-3]);
    let shape = block([0.0; 3], [2.0, 1.0, 1.0], [4, 2, 2]);
    let count = nodes_of(&shape).len();
    let body = finite(&mut world, shape, Formulation::Corotational, Scheme::DefLim);
    world.model.bodies[0].velo = flat(&noisy(count, 1e-7));
    let mut simulation = world.simulation();
    let energies = |simulation: &Simulation| simulation.bodies().energies(index(simulation, body));
    let before = energies(&simulation);
    steps(&mut simulation, &gauss_seidel(1e-6), 200, |_, _| {});
    let after = energies(&simulation);
    let change = after[KINETIC] + after[INTERNAL] - before[KINETIC] - before[INTERNAL];
    assert_near(change, after[EXTERNAL], 1e-7 * after[KINETIC].abs(), "balance");
}

/// Strain energy of 'BC' does not know how the body is turned, nor how it came there: noisy nodes, then turned by 170°.
#[test]
fn energy_of_noisy_nodes_does_not_know_the_rotation() {
    let shape = block([0.0; 3], [1.0; 3], [2, 2, 2]);
    let places: Vec<Vec3> = nodes_of(&shape).iter().zip(noisy(27, 0.1)).map(|(x, noise)| x + noise).collect();
    let energy = |rotation: Vec3| {
        let mut world = world(1e-3, YOUNG, 0.3);
        let body = finite(&mut world, shape.clone(), Formulation::Corotational, Scheme::DefExp);
        let turn = exp_map(&rotation);
        let conf: Vec<Vec3> = places.iter().zip(nodes_of(&shape)).map(|(x, reference)| turn * x - reference).collect();
        world.model.bodies[0].conf = flat(&conf);
        let simulation = world.simulation();
        simulation.bodies().energies(index(&simulation, body))[INTERNAL]
    };
    let straight = energy(Vec3::zeros());
    assert!(straight > 0.0);
    for axis in [Vec3::x(), Vec3::new(0.6, -0.8, 0.0), Vec3::new(1.0, 1.0, 1.0).normalize()] {
        let turned = energy(axis * 170f64.to_radians());
        assert_near(turned / straight, 1.0, 1e-12, "energy");
    }
}

/// The largest displacement of a cube that starts with small noise, after explicit steps of `ratio` times 2/ω.
fn swings(ratio: f64, count: usize) -> f64 {
    let mut world = world(1e-3, YOUNG, 0.0);
    finite(&mut world, block([0.0; 3], [1.0; 3], [1; 3]), Formulation::TotalLagrangian, Scheme::DefExp);
    let model = &world.model;
    let shapes: Vec<Shape> = model.shapes_of(&model.bodies[0]).collect();
    let mut bodies = Bodies::new(Stepping::of(model.analysis));
    let body = bodies.insert(CatalogueRow(0), &model.bodies[0], &model.bulk, &shapes).expect("a body");
    bodies.set_configuration(body, &flat(&noisy(8, 1e-12))).expect("a configuration");
    let (half, _) = bodies.critical_step().expect("an explicit body");
    let h = 2.0 * half * ratio;
    for _ in 0..count {
        bodies.begin(h);
        bodies.free_velocity(h, &Vec3::zeros());
        bodies.finish(h, &NoForces);
    }
    bodies.configuration(body).iter().fold(0.0, |largest, u| largest.max(u.abs()))
}

/// ω² = 4 E/ρ is the largest of a cube with ν = 0: below 2/ω the scheme is stable, above it one mode grows.
#[test]
fn explicit_steps_are_stable_up_to_the_critical_one() {
    assert!(swings(0.99, 10_000) < 1e-10);
    assert!(swings(1.01, 60) > 1e6 * 1e-12);
}

/// A convected force turns with the body, and grows with the stretch along it: of a cube that is turned by a quarter
/// about z and stretched by a tenth, a force along x pushes along y.
#[test]
fn convected_forces_turn_with_the_body() {
    let f = exp_map(&Vec3::new(0.0, 0.0, std::f64::consts::FRAC_PI_2)) * Mat3::from_diagonal(&Vec3::new(1.1, 1.0, 1.0));
    for form in [Formulation::TotalLagrangian, Formulation::Corotational] {
        for scheme in [Scheme::DefExp, Scheme::DefLim] {
            let mut world = world(1e-5, YOUNG, 0.3);
            let shape = block([-0.5; 3], [0.5; 3], [1; 3]);
            let conf: Vec<Vec3> = nodes_of(&shape).iter().map(|x| f * x - x).collect();
            let body = finite(&mut world, shape, form, scheme);
            world.model.bodies[0].conf = flat(&conf);
            world.force(body, true, [0.5, 0.2, -0.1], [1.0, 0.0, 0.0], 3.0);
            let mut simulation = world.simulation();
            steps(&mut simulation, &gauss_seidel(1e-6), 1, |_, _| {});
            // All nodes have the same mass.
            let mean = velocities(&simulation, body).iter().sum::<Vec3>() / 8.0;
            let wanted = Vec3::y() * (3.3 * simulation.time() / DENSITY);
            assert!((mean - wanted).norm() < 1e-6 * wanted.norm(), "{form:?} {scheme:?}: {mean}");
        }
    }
}

/// A configuration that is given has its strain at once: the step is that which the forces there will find.
#[test]
fn a_given_strain_bounds_the_first_step() {
    let mut world = world(1.0, YOUNG, 0.3);
    let shape = block([0.0; 3], [1.0; 3], [2, 2, 2]);
    let stretched: Vec<Vec3> = nodes_of(&shape).iter().map(|x| x * 0.5).collect();
    finite(&mut world, shape, Formulation::TotalLagrangian, Scheme::DefExp);
    let model = &world.model;
    let shapes: Vec<Shape> = model.shapes_of(&model.bodies[0]).collect();
    let mut bodies = Bodies::new(Stepping::of(model.analysis));
    let body = bodies.insert(CatalogueRow(0), &model.bodies[0], &model.bulk, &shapes).expect("a body");
    let (at_rest, _) = bodies.critical_step().expect("an explicit body");
    bodies.set_configuration(body, &flat(&stretched)).expect("a configuration");
    let (given, _) = bodies.critical_step().expect("an explicit body");
    bodies.begin(1e-9);
    bodies.free_velocity(1e-9, &Vec3::zeros());
    let (found, _) = bodies.critical_step().expect("an explicit body");
    assert!(given == found && given < 0.5 * at_rest, "{given}, not {found}; {at_rest} at rest");
}
