//! Elements: patch tests, stress, mass, and meshes of which no body can be made.

use solfec::body::MaterialPoint;
use solfec::ids::ObjectIndex;
use solfec::math::{exp_map, Mat3};
use solfec::shape::Element;

use super::*;

/// The unit cube with an off-centre node inside, cut into elements of one kind or of several.
pub fn patches() -> Vec<(&'static str, Shape)> {
    let mut patches = Vec::new();
    // Hexahedra: 2×2×2 with the inner node moved.
    let mut mesh = mesh_of(&block([0.0; 3], [1.0; 3], [2, 2, 2])).clone();
    let inner = mesh.nodes.iter().position(|x| (x - Vec3::repeat(0.5)).norm() < 1e-12).expect("an inner node");
    mesh.nodes[inner] += Vec3::new(0.07, -0.05, 0.04);
    patches.push(("hexahedra", Shape::new(Geometry::Mesh(mesh))));
    // Pyramids: six, their apex the inner node.
    let mut nodes = corners([0.0; 3], [1.0; 3]).to_vec();
    nodes.push(Vec3::new(0.56, 0.47, 0.52));
    let faces = [[0, 1, 2, 3], [0, 4, 5, 1], [1, 5, 6, 2], [2, 6, 7, 3], [0, 3, 7, 4], [4, 7, 6, 5]];
    let pyramid = |face: &[u32; 4]| Element::new(&[face[0], face[1], face[2], face[3], 8], 1).expect("an element");
    let pyramids: Vec<Element> = faces.iter().map(pyramid).collect();
    patches.push(("pyramids", shape(nodes.clone(), pyramids.clone())));
    // Tetrahedra: each pyramid cut in two.
    let halves = |face: &[u32; 4]| {
        [[face[0], face[1], face[2], 8], [face[0], face[2], face[3], 8]]
            .map(|n| Element::new(&n, 1).expect("an element"))
    };
    let tets: Vec<Element> = faces.iter().flat_map(halves).collect();
    patches.push(("tetrahedra", shape(nodes.clone(), tets.clone())));
    // Mixed: three pyramids, the rest tetrahedra, and a wedge on each of two halves of the top.
    let mut mixed_nodes = nodes;
    mixed_nodes.extend([[0.0, 0.0, 1.5], [1.0, 0.0, 1.6], [1.0, 1.0, 1.4], [0.0, 1.0, 1.5]].map(Vec3::from));
    let wedge = |n: [u32; 6]| Element::new(&n, 1).expect("an element");
    let mut mixed: Vec<Element> = pyramids[..5].to_vec();
    mixed.extend_from_slice(&tets[10..]);
    let top = |cut: bool| {
        if cut {
            vec![wedge([4, 5, 6, 9, 10, 11]), wedge([4, 6, 7, 9, 11, 12])]
        } else {
            vec![wedge([5, 6, 7, 10, 11, 12]), wedge([5, 7, 4, 10, 12, 9])]
        }
    };
    let cut = tets[10].nodes().contains(&4) && tets[10].nodes().contains(&6);
    mixed.extend(top(cut));
    patches.push(("pyramids, tetrahedra and wedges", shape(mixed_nodes.clone(), mixed.clone())));
    // All kinds: a hexahedron below the lowest pyramid.
    mixed_nodes.extend([[0.0, 0.1, -0.5], [1.0, 0.0, -0.6], [1.1, 1.0, -0.4], [0.0, 1.0, -0.5]].map(Vec3::from));
    mixed.push(Element::new(&[13, 14, 15, 16, 0, 1, 2, 3], 1).expect("an element"));
    patches.push(("all kinds of elements", shape(mixed_nodes, mixed)));
    patches
}

fn shape(nodes: Vec<Vec3>, elements: Vec<Element>) -> Shape {
    Shape::new(Geometry::Mesh(Mesh::new(nodes, elements, 1, &[]).expect("a mesh").0))
}

/// A linear field has the stress of its gradient everywhere, and the forces at inner nodes vanish: they stay at rest in
/// a step while all others move.
#[test]
fn linear_fields_pass_the_patch_test() {
    let gradient = Mat3::new(1.0, 0.4, -0.2, 0.1, -0.5, 0.3, 0.6, 0.2, 0.8) * 1e-6;
    for (name, shape) in patches() {
        let mut world = world(1e-6, YOUNG, 0.3);
        let reference = nodes_of(&shape);
        let displacement: Vec<Vec3> = reference.iter().map(|x| gradient * x).collect();
        let body = finite(&mut world, shape, Formulation::TotalLagrangian, Scheme::DefExp);
        world.model.bodies[0].conf = flat(&displacement);
        let mut simulation = world.simulation();
        let index = simulation.bodies().index(BodyId(body)).expect("the body");
        let strain = (gradient + gradient.transpose()) * 0.5;
        let (lambda, mu) = (YOUNG * 0.3 / (1.3 * 0.4), YOUNG / 2.6);
        let expected = strain * (2.0 * mu) + Mat3::identity() * (lambda * strain.trace());
        for place in [[0.3, 0.4, 0.45], [0.8, 0.2, 0.7], [0.5, 0.9, 0.1]] {
            let (element, object) = (solfec::body::NO_ELEMENT, ObjectIndex::NONE);
            let point = MaterialPoint { body: index, object, element, reference: place.into() };
            let s = simulation.bodies().stress(&point);
            let e = expected;
            let wanted = [e[(0, 0)], e[(1, 1)], e[(2, 2)], e[(0, 1)], e[(0, 2)], e[(1, 2)]];
            // Strains of 1e-6 squared are not in the linear stress.
            (0..6).for_each(|k| assert_near(s[k], wanted[k], 1e-5 * expected.amax(), name));
        }
        steps(&mut simulation, &gauss_seidel(1e-6), 1, |_, _| {});
        let v = velocities(&simulation, body);
        let largest = v.iter().map(|v| v.norm()).fold(0.0, f64::max);
        let inner = reference.iter().position(|x| (x - Vec3::repeat(0.5)).amax() < 0.2).expect("an inner node");
        assert!(v[inner].norm() < 1e-9 * largest, "{name}: {:e} of {largest:e}", v[inner].norm());
    }
}

/// A stretched cube has the Cauchy stress of its material, in whatever direction it is turned.
#[test]
fn stress_turns_with_the_body() {
    for form in [Formulation::TotalLagrangian, Formulation::Corotational] {
        for rotation in [
            Mat3::identity(),
            exp_map(&Vec3::new(0.0, 0.0, std::f64::consts::FRAC_PI_2)),
            exp_map(&Vec3::new(1.0, 2.0, -0.5)),
        ] {
            let mut world = world(1e-6, YOUNG, 0.0);
            let shape = block([0.0; 3], [1.0; 3], [2, 2, 2]);
            let f = rotation * Mat3::from_diagonal(&Vec3::new(1.01, 1.0, 1.0));
            let conf: Vec<Vec3> = nodes_of(&shape).iter().map(|x| f * x - x).collect();
            let body = finite(&mut world, shape, form, Scheme::DefExp);
            world.model.bodies[0].conf = flat(&conf);
            let simulation = world.simulation();
            let index = simulation.bodies().index(BodyId(body)).expect("the body");
            let s = simulation.bodies().stress(&simulation.bodies().locate(index, &Vec3::new(0.3, 0.3, 0.3)));
            let unturned = Mat3::from_diagonal(&Vec3::new(10150.5, 0.0, 0.0));
            let e = rotation * unturned * rotation.transpose();
            let wanted = [e[(0, 0)], e[(1, 1)], e[(2, 2)], e[(0, 1)], e[(0, 2)], e[(1, 2)]];
            (0..6).for_each(|k| assert_near(s[k], wanted[k], 1e-6, "stress"));
            assert_near(solfec::body::mises(&s), 10150.5, 1e-6, "von Mises");
        }
    }
}

/// Under a large uniform deformation gradient, shear and rotation in it, the stress is that of a homogeneous body,
/// `J⁻¹ F S Fᵀ`, in all components, inside and at nodes, and inner nodes feel no force.
#[test]
fn large_uniform_strains_pass_the_patch_test() {
    let stretch = Mat3::new(1.05, 0.02, -0.03, 0.02, 0.96, 0.04, -0.03, 0.04, 1.02);
    let f = exp_map(&Vec3::new(0.4, -1.1, 0.8)) * stretch;
    let (lambda, mu) = (YOUNG * 0.3 / (1.3 * 0.4), YOUNG / 2.6);
    let strain = (f.transpose() * f - Mat3::identity()) * 0.5;
    let second = strain * (2.0 * mu) + Mat3::identity() * (lambda * strain.trace());
    let e = f * second * f.transpose() / f.determinant();
    let wanted = [e[(0, 0)], e[(1, 1)], e[(2, 2)], e[(0, 1)], e[(0, 2)], e[(1, 2)]];
    for (name, shape) in patches() {
        for form in [Formulation::TotalLagrangian, Formulation::Corotational] {
            let mut world = world(1e-6, YOUNG, 0.3);
            let reference = nodes_of(&shape);
            let body = finite(&mut world, shape.clone(), form, Scheme::DefExp);
            world.model.bodies[0].conf = flat(&reference.iter().map(|x| f * x - x).collect::<Vec<_>>());
            let mut simulation = world.simulation();
            let index = simulation.bodies().index(BodyId(body)).expect("the body");
            let places = [[0.3, 0.4, 0.45], [0.8, 0.2, 0.7], [0.5, 0.9, 0.1]].map(Vec3::from);
            for place in places.iter().chain(&reference) {
                let s = simulation.bodies().stress(&simulation.bodies().locate(index, place));
                (0..6).for_each(|k| assert_near(s[k], wanted[k], 1e-10 * YOUNG, name));
            }
            steps(&mut simulation, &gauss_seidel(1e-6), 1, |_, _| {});
            let v = velocities(&simulation, body);
            let largest = v.iter().map(|v| v.norm()).fold(0.0, f64::max);
            let inner = reference.iter().position(|x| (x - Vec3::repeat(0.5)).amax() < 0.2).expect("an inner node");
            assert!(v[inner].norm() < 1e-12 * largest, "{name}: {:e} of {largest:e}", v[inner].norm());
        }
    }
}

/// A small shear in a plane that leaves no other stress out: each component is in its place.
#[test]
fn a_shear_of_each_plane_is_in_its_place() {
    for form in [Formulation::TotalLagrangian, Formulation::Corotational] {
        for (i, j, slot) in [(0, 1, 3), (0, 2, 4), (1, 2, 5)] {
            let mut world = world(1e-6, YOUNG, 0.0);
            let shape = block([0.0; 3], [1.0; 3], [2, 2, 2]);
            let mut f = Mat3::identity();
            (f[(i, j)], f[(j, i)]) = (0.01, 0.01);
            let conf: Vec<Vec3> = nodes_of(&shape).iter().map(|x| f * x - x).collect();
            let body = finite(&mut world, shape, form, Scheme::DefExp);
            world.model.bodies[0].conf = flat(&conf);
            let simulation = world.simulation();
            let index = simulation.bodies().index(BodyId(body)).expect("the body");
            let s = simulation.bodies().stress(&simulation.bodies().locate(index, &Vec3::new(0.3, 0.3, 0.3)));
            // In closed form: S_ij = E e, S_ii = S_jj = E e²/2 at ν = 0.
            let (e, det) = (0.01f64, 1.0 - 1e-4);
            let (shear, normal) = (YOUNG * e, YOUNG * e * e / 2.0);
            let sigma_shear = (shear * (1.0 + e * e) + 2.0 * e * normal) / det;
            let sigma_normal = (normal * (1.0 + e * e) + 2.0 * e * shear) / det;
            for (k, s) in s.iter().enumerate() {
                let wanted = if k == slot {
                    sigma_shear
                } else if k == i || k == j {
                    sigma_normal
                } else {
                    0.0
                };
                assert_near(*s, wanted, 1e-6, "stress");
            }
        }
    }
}

/// What a unit force does at a corner and in the middle of a face of a single cube: 8 h/m and 2 h/m.
#[test]
fn points_of_a_cube_answer_with_the_mass_of_their_nodes() {
    let mut world = world(1e-3, YOUNG, 0.3);
    let body = finite(&mut world, block([0.0; 3], [1.0; 3], [1; 3]), Formulation::TotalLagrangian, Scheme::DefExp);
    let mut simulation = world.simulation();
    steps(&mut simulation, &gauss_seidel(1e-6), 1, |_, _| {});
    let bodies = simulation.bodies();
    let index = bodies.index(BodyId(body)).expect("the body");
    let solfec::body::Inertia::Condensed(response) = bodies.inertia(index) else { panic!("condensed form") };
    let points = [Vec3::zeros(), Vec3::new(0.5, 0.5, 1.0)].map(|x| bodies.locate(index, &x));
    let mut blocks = [Mat3::zeros(); 4];
    response.compliance(&points, &mut blocks);
    assert_near((blocks[0] - Mat3::identity() * (8.0 / DENSITY)).amax(), 0.0, 1e-15, "corner");
    assert_near((blocks[3] - Mat3::identity() * (2.0 / DENSITY)).amax(), 0.0, 1e-15, "face");
}

/// Messages of meshes and shapes of which no body can be made.
#[test]
fn what_cannot_be_a_body_is_told() {
    let refused = |shapes: &[Shape]| {
        let mut world = world(1e-3, YOUNG, 0.3);
        world.body(BodyKind::FiniteElement, shapes, DENSITY);
        Simulation::new(&world.model).err().expect("it is refused").to_string()
    };
    let cube = block([0.0; 3], [1.0; 3], [1; 3]);
    let two = refused(&[cube.clone(), block([2.0; 3], [3.0; 3], [1; 3])]);
    assert!(two.contains("body 1: its shape must be exactly one MESH"), "{two}");
    let flat = [[0., 0., 0.], [1., 0., 0.], [0., 1., 0.], [1., 1., 1e-30]].map(Vec3::from);
    let element = Element::new(&[0, 1, 2, 3], 1).expect("an element");
    let mesh = Mesh { nodes: flat.to_vec(), elements: vec![element], boundary: Vec::new() };
    let mut world = world(1e-3, YOUNG, 0.3);
    world.body(BodyKind::FiniteElement, &[cube], DENSITY);
    world.model.library[0] = std::sync::Arc::new(Geometry::Mesh(mesh));
    let inverted = Simulation::new(&world.model).err().expect("it is refused").to_string();
    assert!(inverted.contains("body 1: element 0 (tetrahedron) of its mesh is inverted or flat"), "{inverted}");
}

/// Meshes may have nodes that belong to no element: they have no mass and stay where they are.
#[test]
fn nodes_without_an_element_stay() {
    for scheme in [Scheme::DefExp, Scheme::DefLim] {
        let mut mesh = mesh_of(&block([0.0; 3], [1.0; 3], [1; 3])).clone();
        mesh.nodes.push(Vec3::repeat(7.0));
        let mut world = world(1e-3, YOUNG, 0.3).gravity([0.0, 0.0, -10.0]);
        let body = finite(&mut world, Shape::new(Geometry::Mesh(mesh)), Formulation::TotalLagrangian, scheme);
        let mut simulation = world.simulation();
        steps(&mut simulation, &gauss_seidel(1e-6), 10, |_, _| {});
        let u = displacements(&simulation, body);
        assert_eq!(u[8], Vec3::zeros());
        u[..8].iter().for_each(|u| assert_near(u.z, -5e-4, 1e-12, "fall"));
    }
}
