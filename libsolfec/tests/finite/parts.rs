//! Parts with a material of their own, and damping.

use solfec::load::Series;
use solfec::material::BulkMaterial;
use solfec::model::{LoadKind, LoadRow, Op};

use super::*;

/// A bar of 3×1×1 whose last two thirds have volume id 2 and a material four times as stiff and three times as dense.
pub fn bar(world: &mut World, form: Formulation, scheme: Scheme) -> u64 {
    let Geometry::Mesh(mut mesh) = (*block([0.0; 3], [3.0, 1.0, 1.0], [3, 1, 1]).geometry).clone() else {
        panic!("a mesh")
    };
    mesh.elements.iter_mut().skip(1).for_each(|element| element.volid = 2);
    let stiff = BulkMaterial {
        label: "STIFF".into(),
        young: 4.0 * YOUNG,
        density: 3.0 * DENSITY,
        ..world.model.bulk[0].clone()
    };
    world.model.bulk.push(stiff);
    let body = finite(world, Shape::new(Geometry::Mesh(mesh)), form, scheme);
    world.model.set_material_of(body, 2, 1).expect("parts of volume id 2");
    body
}

/// Two materials in series, pulled with F = 1 N: the elongation is F (L₁/E₁A + L₂/E₂A), before and after a material is
/// redefined.
#[test]
fn a_bar_of_two_materials_stretches_as_two_springs_in_series() {
    for form in [Formulation::TotalLagrangian, Formulation::Corotational] {
        let mut world = world(10.0, YOUNG, 0.0);
        quasi_static(&mut world);
        let body = bar(&mut world, form, Scheme::DefLim);
        for (surface, value) in [(2, 0), (4, 1)] {
            world.model.series.push(Series::constant(1.0));
            world.model.loads.push(LoadRow {
                body,
                kind: LoadKind::Pressure { surface, value, follower: false },
                line: 0,
            });
        }
        let mut simulation = world.simulation();
        for young in [4.0 * YOUNG, 2.0 * YOUNG] {
            simulation.apply(&Op::BulkMaterial { row: 1, young, poisson: 0.0 }).expect("a material");
            steps(&mut simulation, &gauss_seidel(1e-6), 8, |_, _| {});
            let u = displacements(&simulation, body);
            let (low, high) = u.iter().fold((0.0f64, 0.0f64), |(low, high), u| (low.min(u.x), high.max(u.x)));
            assert_near(high - low, 1.0 / YOUNG + 2.0 / young, 1e-11, "elongation");
            let index = simulation.bodies().index(BodyId(body)).expect("the body");
            for x in [0.5, 1.5, 2.5] {
                let point = simulation.bodies().locate(index, &Vec3::new(x, 0.5, 0.5));
                assert_near(simulation.bodies().stress(&point)[0], 1.0, 1e-4, "stress");
            }
        }
    }
}

/// Mass ρ₁V₁ + ρ₂V₂, centre and Euler tensor of the parts; the nodes have the same mass, and the weight acts on it.
#[test]
fn mass_follows_from_the_parts() {
    let mut world = world(1e-3, YOUNG, 0.0).gravity([0.0, 0.0, -10.0]);
    let body = bar(&mut world, Formulation::TotalLagrangian, Scheme::Default);
    let (low, high) = (DENSITY, 6.0 * DENSITY);
    let chars = world.model.bodies[0].chars;
    assert_near(chars.mass, low + high, 1e-9, "mass");
    assert_near(chars.volume, 3.0, 1e-12, "volume");
    let center = (0.5 * low + 2.0 * high) / (low + high);
    assert_near(chars.center.x, center, 1e-12, "centre");
    let part = |mass: f64, length: f64, x: f64| mass * (length * length / 12.0 + (x - center) * (x - center));
    assert_near(chars.tensor[(0, 0)], part(low, 1.0, 0.5) + part(high, 2.0, 2.0), 1e-8, "tensor");
    assert_near(chars.tensor[(1, 1)], (low + high) / 12.0, 1e-8, "tensor");
    let mut simulation = world.simulation();
    steps(&mut simulation, &gauss_seidel(1e-6), 100, |_, _| {});
    let index = simulation.bodies().index(BodyId(body)).expect("the body");
    assert_near(simulation.bodies().energies(index)[0], 0.5 * (low + high), 1e-6, "kinetic energy after 0.1 s");
}

/// Rigid and pseudo-rigid bodies have the mass of their parts.
#[test]
fn mass_of_other_bodies_follows_from_their_parts() {
    for kind in [BodyKind::Rigid, BodyKind::PseudoRigid, BodyKind::Obstacle] {
        let mut world = world(1e-3, YOUNG, 0.0);
        let dense = BulkMaterial { density: 3.0 * DENSITY, ..world.model.bulk[0].clone() };
        world.model.bulk.push(dense);
        let mut shapes = [block([0.0; 3], [1.0; 3], [1; 3]), block([1.0, 0.0, 0.0], [3.0, 1.0, 1.0], [1; 3])];
        let Geometry::Mesh(mut mesh) = (*shapes[1].geometry).clone() else { panic!("a mesh") };
        mesh.elements[0].volid = 2;
        shapes[1] = Shape::new(Geometry::Mesh(mesh));
        let body = world.body(kind, &shapes, DENSITY);
        world.model.set_material_of(body, 2, 1).expect("parts of volume id 2");
        assert_near(world.model.bodies[0].chars.mass, 7.0 * DENSITY, 1e-9, "mass");
        world.simulation();
    }
}

#[test]
fn parts_that_are_not_there_are_told() {
    let mut world = world(1e-3, YOUNG, 0.0);
    let body = bar(&mut world, Formulation::TotalLagrangian, Scheme::Default);
    let before = world.model.bodies.clone();
    let message = world.model.set_material_of(body, 7, 1).unwrap_err().to_string();
    assert!(message.contains("body 1: no part of its shape has volume id 7; it has 1, 2"), "{message}");
    let message = world.model.set_material_of(body, 1, 9).unwrap_err().to_string();
    assert!(message.contains("bulk material of row 9 does not exist"), "{message}");
    assert_eq!(world.model.bodies, before);
}

/// A cube that is stretched and let go, ω² = 4 E / ρ L² = 10⁴ 1/s², η = 1 ms: ξ = ηω/2 = 0.05, and amplitudes of one
/// sign decrease by the logarithmic decrement 2π ξ / √(1 − ξ²) = 0.31455 in each period.
#[test]
fn damping_has_the_logarithmic_decrement() {
    for scheme in [Scheme::DefExp, Scheme::DefLim] {
        for form in [Formulation::TotalLagrangian, Formulation::Corotational] {
            let mut world = world(1e-4, 2.5e6, 0.0);
            let shape = block([0.0; 3], [1.0; 3], [1; 3]);
            let body = finite(&mut world, shape.clone(), form, scheme);
            let row = &mut world.model.bodies[0];
            row.damping = 1e-3;
            row.velo = flat(&nodes_of(&shape).iter().map(|x| Vec3::x() * (1e-4 * (x.x - 0.5))).collect::<Vec<_>>());
            let mut simulation = world.simulation();
            let (mut stretch, mut peaks) = (vec![0.0; 2], Vec::new());
            for _ in 0..1300 {
                steps(&mut simulation, &gauss_seidel(1e-6), 1, |_, _| {});
                let u = displacements(&simulation, body);
                stretch.push(u.iter().map(|u| u.x).fold(f64::MIN, f64::max));
                let [.., a, b, c] = stretch[..] else { continue };
                if u.iter().zip(nodes_of(&shape)).all(|(u, x)| u.x * (x.x - 0.5) > 0.0) && b > a && b > c {
                    // Of the parabola through the three.
                    peaks.push(b + (a - c) * (a - c) / (16.0 * b - 8.0 * (a + c)));
                }
            }
            assert_eq!(peaks.len(), 2, "{peaks:?}");
            let decrement = (peaks[0] / peaks[1]).ln();
            assert_near(decrement, 0.314_55, 1e-4, "decrement");
        }
    }
}
