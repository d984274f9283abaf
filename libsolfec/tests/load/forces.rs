//! Forces, torques, pressure and series against known solutions (docs/theory.md 12).

use super::*;
use solfec::load::SurfaceIntegrals;
use solfec::material::ANY;
use solfec::shape::{Element, Geometry, Mesh, Shape};

/// A closed surface of triangles and warped quadrilaterals: a distorted hexahedron with a pyramid, a wedge and a
/// tetrahedron around it.
fn closed_surface() -> Mesh {
    let nodes = [
        [0.0, 0.0, 0.0],
        [1.1, 0.1, -0.1],
        [1.0, 1.2, 0.2],
        [-0.1, 0.9, 0.0],
        [0.1, 0.0, 1.0],
        [1.2, 0.0, 1.1],
        [0.9, 1.0, 1.3],
        [0.0, 1.1, 0.9],
        [0.5, 0.6, 2.2],
        [2.1, 0.4, 0.1],
        [2.0, 0.5, 1.2],
        [1.5, 0.5, 2.2],
    ];
    let elements: [&[u32]; 4] = [&[0, 1, 2, 3, 4, 5, 6, 7], &[4, 5, 6, 7, 8], &[1, 9, 2, 5, 10, 6], &[5, 10, 6, 11]];
    let elements = elements.map(|nodes| Element::new(nodes, 1).expect("an element"));
    Mesh::new(nodes.map(Vec3::from).to_vec(), elements.to_vec(), 3, &[]).expect("a mesh").0
}

/// Uniform pressure on a closed surface gives no force and no torque, in any place and shape of the body, and its
/// moment is that of the volume: ∮ N ⊗ A dA = V I.
#[test]
fn uniform_pressure_on_a_closed_surface() {
    let shape = Shape::new(Geometry::Mesh(closed_surface()));
    let integrals = shape.integrals();
    let Geometry::Mesh(mesh) = &*shape.geometry else { unreachable!() };
    let closed = SurfaceIntegrals::new(mesh, &shape, ANY, &integrals.center).expect("faces");
    assert_close(closed.area, Vec3::zeros(), 1e-14, "vector area");
    assert_close(closed.torque(), Vec3::zeros(), 1e-14, "torque");
    assert!((closed.moment - Mat3::identity() * integrals.volume).amax() < 1e-14, "{}", closed.moment);

    let (p, h, size) = (1e5, 1e-3, 3.0);
    let f = exp_map(&Vec3::new(0.4, -1.0, 2.0));
    for kind in [BodyKind::Rigid, BodyKind::PseudoRigid] {
        let mut world = World::new(h);
        let id = world.body(kind, &[Shape::new(Geometry::Mesh(closed_surface()))], 1.0);
        let stretch = Mat3::from_diagonal(&Vec3::new(1.2, 0.9, 1.1));
        world.place(id, &if kind == BodyKind::Rigid { f } else { f * stretch });
        world.pressure(id, 3, p);
        let mut simulation = world.simulation();
        go(&mut simulation, 1);
        let chars = world.model.bodies[0].chars;
        let h = simulation.time();
        let force = linear(&simulation, id) * (chars.mass / h);
        assert_close(force, Vec3::zeros(), 1e-12 * p * size * size, "force");
        if kind == BodyKind::Rigid {
            let torque = chars.tensor * spin(&simulation, id) / h;
            assert_close(torque, Vec3::zeros(), 1e-12 * p * size.powi(3), "torque");
        }
    }
}

/// 100 Pa on one face of a unit cube of 1000 kg: after one step of 0.01 s it moves at 1e-3 m/s along the outward
/// normal.
#[test]
fn pressure_on_one_face() {
    let normals = [-Vec3::z(), -Vec3::y(), Vec3::x(), Vec3::y(), -Vec3::x(), Vec3::z()];
    let mut seen = Vec3::zeros();
    for surface in 1..=6 {
        let mut world = World::new(0.01);
        let id = world.rigid(cube(), 1000.0);
        world.pressure(id, surface, 100.0);
        let mut simulation = world.simulation();
        go(&mut simulation, 1);
        let v = linear(&simulation, id);
        let normal = normals.into_iter().find(|n| (n * 1e-3 - v).amax() < 1e-16);
        seen += normal.unwrap_or_else(|| panic!("surface {surface}: {v:?}"));
        assert_close(spin(&simulation, id), Vec3::zeros(), 1e-18, "spin");
    }
    assert_eq!(seen, Vec3::zeros());
}

/// A convected force along x on a body turned by a quarter about z pushes along +y.
#[test]
fn a_convected_force_turns_with_the_body() {
    for kind in [BodyKind::Rigid, BodyKind::PseudoRigid] {
        let mut world = World::new(1e-3);
        let id = world.body(kind, &[cube()], 2.0);
        world.place(id, &quarter_turn());
        world.force(id, true, [0.0; 3], [1.0, 0.0, 0.0], 1.0);
        let mut simulation = world.simulation();
        go(&mut simulation, 1);
        assert_close(linear(&simulation, id) / simulation.time(), Vec3::y() * 0.5, 1e-13, "acceleration");
    }
}

/// A force φ along x at the arm (0, 1, 0): torque (0, 0, −φ); of a pseudo-rigid body the moment φ e_x ⊗ e_y.
#[test]
fn torque_of_a_force_at_an_arm() {
    let (h, phi) = (1e-3, 3.0);
    let mut world = World::new(h);
    let id = world.rigid(block([-0.5, -2.0, -0.5], [0.5, 2.0, 0.5], [1, 1, 1]), 1.0);
    world.force(id, false, [0.0, 1.0, 0.0], [1.0, 0.0, 0.0], phi);
    let mut simulation = world.simulation();
    go(&mut simulation, 1);
    let torque = world.model.bodies[0].chars.tensor * spin(&simulation, id) / h;
    assert_close(torque, -Vec3::z() * phi, 1e-12, "torque");
    assert_close(linear(&simulation, id), Vec3::x() * (phi * h / 4.0), 1e-18, "velocity");

    let mut world = World::new(1e-6);
    let id = world.body(BodyKind::PseudoRigid, &[cube()], 12.0);
    world.force(id, false, [0.0, 1.0, 0.0], [1.0, 0.0, 0.0], phi);
    let mut simulation = world.simulation();
    go(&mut simulation, 1);
    // The Euler tensor is ρ a⁵/12 I.
    let rate = Mat3::from_row_slice(&velo(&simulation, id)[..9]) / 1e-6;
    let expected = Mat3::new(0.0, phi, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0);
    assert!((rate - expected).amax() < 1e-12, "{rate}");
}

/// What a force function sees: q of t+h/2, u of t, the time t+h/2 and the step.
#[test]
fn what_a_force_function_receives() {
    let h = 0.25;
    let mut world = World::new(h);
    let hard = world.rigid(cube(), 1.0);
    let soft = world.body(BodyKind::PseudoRigid, &[cube()], 1e12);
    // Free of the round-off of its integrals, so that the numbers below are exact.
    (world.model.bodies[0].chars.mass, world.model.bodies[0].chars.center) = (1.0, Vec3::zeros());
    world.force_function(hard, 4);
    world.force_function(soft, 7);
    let mut simulation = world.simulation();
    solfec_testing::run::launch(&mut simulation, hard, [2.0, 0.0, 0.0], [0.0; 3]);
    let mut calls = Vec::new();
    for _ in 0..2 {
        let mut outside = deck(|call| {
            calls.push(call.clone());
            let Call::Force { u, .. } = call else { panic!("{call:?}") };
            let mut answer = vec![0.0; if u.len() == 6 { 9 } else { 12 }];
            answer[0] = if u.len() == 6 { 4.0 } else { 0.0 };
            answer
        });
        simulation.step_with(&gauss_seidel(1e-10).into(), &mut outside).expect("a step");
    }
    let identity = [1., 0., 0., 0., 1., 0., 0., 0., 1.];
    // The latest created is called first.
    let Call::Force { function: 7, q, u, time, step, .. } = &calls[0] else { panic!("{:?}", calls[0]) };
    assert_eq!((q.len(), u.len(), *time, *step), (12, 12, 0.125, h));
    for (call, time, x, v) in [(1, 0.125, 0.25, 2.0), (3, 0.375, 0.5 + 0.125 + 0.375, 3.0)] {
        let place = [x, 0.0, 0.0];
        let expected = Call::Force {
            function: 4,
            body: BodyId(hard),
            q: identity.into_iter().chain(place).collect(),
            u: vec![0.0, 0.0, 0.0, v, 0.0, 0.0],
            time,
            step: h,
        };
        assert_eq!(calls[call], expected);
    }
}

#[test]
fn values_of_a_series() {
    let series = Series::new("", vec![0.0, 1.0, 2.0], vec![0.0, 1.0, 5.0]).expect("a series");
    for (t, v) in [(0.25, 0.25), (0.75, 0.75), (1.25, 2.0), (1.75, 4.0), (2.0, 5.0), (9.0, 5.0), (-1.0, 0.0)] {
        assert_eq!(series.at(t), v, "at {t}");
    }
}

#[test]
fn slopes_and_integrals_of_a_series() {
    let series = Series::new("", vec![0.0, 1.0, 2.0], vec![1.0, 3.0, 3.0]).expect("a series");
    let derivative = series.derivative().expect("a derivative");
    for (t, v) in [(0.0, 2.0), (0.5, 2.0), (1.0 - 1e-15, 2.0), (1.0, 0.0), (1.5, 0.0)] {
        assert_eq!(derivative.at(t), v, "derivative at {t}");
    }
    let integral = series.integral().expect("an integral");
    assert_eq!(integral.table(), (vec![0.0, 1.0, 2.0], vec![0.0, 2.0, 5.0]));
    assert_eq!([0.0, 1.0, 2.0].map(|t| integral.at(t)), [0.0, 2.0, 5.0]);
}

#[test]
fn integral_of_a_single_segment() {
    let series = Series::new("", vec![0.0, 1.0], vec![1.0, 3.0]).expect("a series");
    let integral = series.integral().expect("an integral");
    assert_eq!([1.0, 0.5].map(|t| integral.at(t)), [2.0, 0.75]);
    assert_eq!([1.0, 0.5].map(|t| series.integral_at(t)), [2.0, 0.75]);
    let original = series.original_integral().expect("the original's integral");
    assert_eq!([1.0, 0.5].map(|t| original.at(t)), [2.0, 1.0]);
}

#[test]
fn a_series_read_from_a_file() {
    let text = "# time value\n0 1\n\n   # indented, then a line of blanks\n   \t \n\t0.5, 2.5\n1.5,-3e-1\r\n  2\t 4  \n\n7 , 0\n";
    let series = Series::parse(text).expect("a series");
    assert_eq!(series.times(), [0.0, 0.5, 1.5, 2.0, 7.0]);
    assert_eq!(series.values(), [1.0, 2.5, -0.3, 4.0, 0.0]);
}
