//! Tetrahedra of second order: patch tests of fields of first and second degree, masses, tractions, contact, reduction.

use solfec::body::MaterialPoint;
use solfec::body::Pencil;
use solfec::ids::ObjectIndex;
use solfec::load::Series;
use solfec::material::ANY;
use solfec::math::Mat3;
use solfec::meshdata::second_order::second_order;
use solfec::modal::{modes, Wanted};
use solfec::model::LoadKind;
use solfec::shape::ElementKind;

use super::elements::patches;
use super::*;

/// The unit cube of twelve tetrahedra around a node that is off its centre, with the middles of their edges.
fn cube() -> Shape {
    let (_, shape) = patches().into_iter().find(|(name, _)| *name == "tetrahedra").expect("tetrahedra");
    Shape::new(Geometry::Mesh(second_order(mesh_of(&shape)).expect("a mesh of second order")))
}

/// A bar of `counts` cells of six tetrahedra with the middles of their edges; surface 1 is everywhere but at its ends
/// along x, 2 and 3.
pub fn bar(size: [f64; 3], counts: [usize; 3]) -> Shape {
    let hexes = mesh_of(&block([0.0; 3], size, counts)).clone();
    let cut = |element: &solfec::shape::Element| {
        [[1, 2], [2, 3], [3, 7], [7, 4], [4, 5], [5, 1]].map(|[a, b]| {
            let n = &element.nodes;
            solfec::shape::Element::new(&[n[0], n[a], n[b], n[6]], 1).expect("an element")
        })
    };
    let tets: Vec<_> = hexes.elements.iter().flat_map(cut).collect();
    let (mut mesh, _) = Mesh::new(hexes.nodes, tets, 1, &[]).expect("a mesh");
    for face in &mut mesh.boundary {
        let nodes: Vec<u32> = mesh.elements[face.element as usize].face(face.local as usize).collect();
        for (id, x) in [(2, 0.0), (3, size[0])] {
            if nodes.iter().all(|n| (mesh.nodes[*n as usize].x - x).abs() < 1e-9) {
                face.surfid = id;
            }
        }
    }
    Shape::new(Geometry::Mesh(second_order(&mesh).expect("a mesh of second order")))
}

fn quadratic(world: &mut World, shape: Shape, form: Formulation, scheme: Scheme) -> u64 {
    let id = finite(world, shape, form, scheme);
    world.model.bodies[id as usize - 1].quadratic = true;
    id
}

/// Stress of a strain [Pa], xx yy zz xy xz yz.
fn stress_of(strain: Mat3, poisson: f64) -> [f64; 6] {
    let lambda = YOUNG * poisson / ((1.0 + poisson) * (1.0 - 2.0 * poisson));
    let e = strain * (YOUNG / (1.0 + poisson)) + Mat3::identity() * (lambda * strain.trace());
    [e[(0, 0)], e[(1, 1)], e[(2, 2)], e[(0, 1)], e[(0, 2)], e[(1, 2)]]
}

/// Fields whose stress is in balance: a uniform one, and the bending of a beam, whose displacements are of second
/// degree. Their stress is exact everywhere, and nodes inside stay at rest in a step while others move.
#[test]
fn fields_of_second_degree_pass_the_patch_test() {
    type Field = (&'static str, f64, fn(&Vec3) -> Vec3, fn(&Vec3) -> Mat3);
    let uniform: Field = (
        "uniform",
        0.3,
        |x| Vec3::new(x.x - 0.4 * x.y, 0.3 * x.z, 0.5 * x.x) * 1e-6,
        |_| {
            let g = Mat3::new(1.0, -0.4, 0.0, 0.0, 0.0, 0.3, 0.5, 0.0, 0.0) * 1e-6;
            (g + g.transpose()) * 0.5
        },
    );
    let bending: Field = (
        "bending",
        0.0,
        |x| Vec3::new(x.x * x.z, 0.0, -0.5 * x.x * x.x) * 1e-6,
        |x| Mat3::from_diagonal(&Vec3::new(x.z, 0.0, 0.0)) * 1e-6,
    );
    for form in [Formulation::TotalLagrangian, Formulation::Corotational] {
        for (name, poisson, field, strain) in [uniform, bending] {
            let mut world = world(1e-6, YOUNG, poisson);
            let shape = cube();
            let reference = nodes_of(&shape);
            let displacement: Vec<Vec3> = reference.iter().map(field).collect();
            let body = quadratic(&mut world, shape, form, Scheme::DefExp);
            world.model.bodies[0].conf = flat(&displacement);
            let mut simulation = world.simulation();
            let index = simulation.bodies().index(BodyId(body)).expect("the body");
            for place in [[0.3, 0.4, 0.45], [0.8, 0.2, 0.7], [0.5, 0.9, 0.1]].map(Vec3::from) {
                let (element, object) = (solfec::body::NO_ELEMENT, ObjectIndex::NONE);
                let found =
                    simulation.bodies().stress(&MaterialPoint { body: index, object, element, reference: place });
                let wanted = stress_of(strain(&place), poisson);
                // Strains of 1e-6 squared are not in the linear stress.
                (0..6).for_each(|k| assert_near(found[k], wanted[k], 1e-5, name));
            }
            steps(&mut simulation, &gauss_seidel(1e-6), 1, |_, _| {});
            let v = velocities(&simulation, body);
            let largest = v.iter().map(|v| v.norm()).fold(0.0, f64::max);
            let is_inner = |x: &&Vec3| x.iter().all(|x| *x > 1e-9 && *x < 1.0 - 1e-9);
            assert_eq!(reference.iter().filter(is_inner).count(), 9);
            for (x, v) in reference.iter().zip(&v).filter(|(x, _)| is_inner(x)) {
                // What bends turns: forces of second degree in displacements of 1e-6.
                let bound = if name == "uniform" && form == Formulation::TotalLagrangian { 1e-8 } else { 1e-5 };
                assert!(v.norm() < bound * largest, "{name}: {x} moves by {:e} of {largest:e}", v.norm());
            }
        }
    }
}

/// A pressure that pulls at both ends is in balance with a uniform tension at every node of the surface, too.
#[test]
fn tractions_are_in_balance_with_a_uniform_stress() {
    let mut world = world(1e-6, YOUNG, 0.0);
    let shape = bar([2.0, 1.0, 1.0], [2, 1, 1]);
    let conf: Vec<Vec3> = nodes_of(&shape).iter().map(|x| Vec3::new(1e-6 * x.x, 0.0, 0.0)).collect();
    let body = quadratic(&mut world, shape, Formulation::TotalLagrangian, Scheme::DefExp);
    world.model.bodies[0].conf = flat(&conf);
    let mut free = world.simulation();
    world.pressure(body, 2, 1.0);
    world.pressure(body, 3, 1.0);
    let mut loaded = world.simulation();
    let speed = |simulation: &mut Simulation| {
        steps(simulation, &gauss_seidel(1e-6), 1, |_, _| {});
        velocities(simulation, body).iter().map(|v| v.norm()).fold(0.0, f64::max)
    };
    let (free, loaded) = (speed(&mut free), speed(&mut loaded));
    assert!(loaded < 1e-5 * free, "{loaded:e} of {free:e}");
}

/// A follower on all faces of a deformed body, so soft that its stress is of no weight, has neither force nor moment:
/// one explicit step from rest tells both.
#[test]
fn a_follower_on_a_closed_surface_has_neither_force_nor_moment() {
    let (step, pressure) = (1e-6, -1e4);
    let mut world = world(step, 1e-6, 0.3);
    let shape = cube();
    let conf = noisy(nodes_of(&shape).len(), 0.05);
    let x: Vec<Vec3> = nodes_of(&shape).iter().zip(&conf).map(|(x, u)| x + u).collect();
    let id = quadratic(&mut world, shape, Formulation::TotalLagrangian, Scheme::DefExp);
    world.model.bodies[0].conf = flat(&conf);
    let value = world.series(Series::constant(pressure));
    world.load(id, LoadKind::Pressure { surface: ANY, value, follower: true });
    let mass = Pencil::of(&world.model, id, &[]).expect("a pencil").mass;
    let mut simulation = world.simulation();
    steps(&mut simulation, &gauss_seidel(1e-6), 1, |_, _| {});
    let forces: Vec<Vec3> = velocities(&simulation, id).iter().zip(mass).map(|(v, m)| v * (m / step)).collect();
    let force: Vec3 = forces.iter().sum();
    let moment: Vec3 = x.iter().zip(&forces).map(|(x, f)| x.cross(f)).sum();
    let largest = forces.iter().map(|f| f.norm()).fold(0.0, f64::max);
    assert!(largest > 0.05 * pressure.abs(), "{largest} N");
    let bound = 1e-12 * pressure.abs();
    assert!(force.norm() < bound && moment.norm() < bound, "{:e} N, {:e} N m", force.norm(), moment.norm());
}

/// Corners have 1/36 of the mass of an element, middles 4/27: all is positive and sums to the mass.
#[test]
fn masses_follow_the_diagonal_of_the_consistent_mass() {
    let mut world = world(1e-3, YOUNG, 0.3);
    let id = quadratic(&mut world, cube(), Formulation::Corotational, Scheme::DefLim);
    let pencil = Pencil::of(&world.model, id, &[]).expect("a pencil");
    let total: f64 = pencil.mass.iter().sum();
    assert_near(total, DENSITY, 1e-9, "mass");
    assert!(pencil.mass.iter().all(|mass| *mass > 0.0));
    // The corner (0, 0, 0) and all others: of each element four corners.
    let corners: f64 = pencil.mass[..9].iter().sum();
    assert_near(corners, DENSITY / 9.0, 1e-9, "corners");
}

/// The first frequency of bending of a slender bar, 20 × 1 × 1, against the beam of Timoshenko's tables in
/// `spectra`: elements as long as the bar is thick are enough, where those of first order lock.
#[test]
fn free_bars_bend_with_the_frequency_of_a_beam() {
    let frequency = |shape: Shape, order: usize| {
        let mut world = world(1e-3, YOUNG, 0.0);
        let id = finite(&mut world, shape, Formulation::Corotational, Scheme::DefLim);
        world.model.bodies[0].quadratic = order == 2;
        let pencil = Pencil::of(&world.model, id, &[]).expect("a pencil");
        let wanted = Wanted { count: 7, tolerance: 1e-9, restarts: 100 };
        modes(&pencil, &wanted).expect("modes").values[6].sqrt()
    };
    // Euler and Bernoulli: (4.73004)² √(E I / ρ A L⁴); shear and rotation take a percent of it.
    let beam = 4.730_04f64.powi(2) * (YOUNG / 12.0 / DENSITY).sqrt() / 400.0;
    let second = frequency(bar([20.0, 1.0, 1.0], [10, 1, 1]), 2);
    assert!((second / beam - 1.0).abs() < 0.03, "{second} of {beam}");
    let fine = second_order_parts(&bar([20.0, 1.0, 1.0], [10, 1, 1]));
    let first = frequency(fine, 1);
    assert!(first > 1.3 * beam, "the same nodes, first order: {first} of {beam}");
}

/// The parts of tetrahedra of second order as elements of their own.
fn second_order_parts(shape: &Shape) -> Shape {
    assert!(mesh_of(shape).elements.iter().all(|element| element.kind == ElementKind::Tet));
    shape.clone()
}

/// A block comes to rest on an obstacle, which bears its weight on the triangles of its faces; in a reduced formulation
/// with all modes it moves the same.
#[test]
fn blocks_of_second_order_rest_on_an_obstacle() {
    let mut world = world(1e-3, YOUNG, 0.3).gravity([0.0, 0.0, -10.0]);
    world.obstacle(block([-5.0, -5.0, -1.0], [5.0, 5.0, 0.0], [1, 1, 1]));
    let id = quadratic(&mut world, bar([1.0, 1.0, 0.5], [1, 1, 1]), Formulation::Corotational, Scheme::DefLim);
    world.model.bodies[id as usize - 1].damping = 5e-3;
    let mut simulation = world.simulation();
    steps(&mut simulation, &gauss_seidel(1e-8), 600, |_, _| {});
    let force: f64 = simulation.contacts().iter().map(|contact| contact.r.z).sum();
    assert!((force - 5000.0).abs() < 5.0, "{force} N");
    // Corners and middles of the lower face, and that of its diagonal.
    let touching = simulation.contacts().iter().filter(|contact| contact.r.z > 1.0).count();
    assert!(touching >= 4, "{touching} contacts");
}

/// What is no mesh of such elements is told.
#[test]
fn meshes_that_are_not_of_second_order_are_refused() {
    let refused = |shape: Shape| {
        let mut world = world(1e-3, YOUNG, 0.3);
        quadratic(&mut world, shape, Formulation::TotalLagrangian, Scheme::DefExp);
        Simulation::new(&world.model).err().expect("an error").to_string()
    };
    assert!(refused(block([0.0; 3], [1.0; 3], [2, 2, 2])).contains("not the eight parts of a tetrahedron"));
    let mut curved = mesh_of(&cube()).clone();
    let last = curved.nodes.len() - 1;
    curved.nodes[last] += Vec3::new(1e-3, 0.0, 0.0);
    assert!(refused(Shape::new(Geometry::Mesh(curved))).contains("beside the middle of its edge"));
}
