//! Pressure: exact moments of slanted and warped faces, following faces, equilibrium.

use super::*;
use solfec::load::SurfaceIntegrals;
use solfec::model::Analysis;
use solfec::shape::{Geometry, Mesh, Shape};

/// The unit cube with its upper face replaced, surface id 6; `lift` moves its corners along z.
fn roofed(lift: [f64; 4]) -> Shape {
    let mut corners = solfec_testing::world::corners([0.0; 3], [1.0; 3]);
    for (corner, z) in corners[4..].iter_mut().zip(lift) {
        corner.z += z;
    }
    let mesh = Mesh::hex(&corners, [1, 1, 1], 1, &[1, 2, 3, 4, 5, 6], [None; 3]).expect("a roofed cube");
    Shape::new(Geometry::Mesh(mesh))
}

fn roof(shape: &Shape, center: &Vec3) -> SurfaceIntegrals {
    let Geometry::Mesh(mesh) = &*shape.geometry else { unreachable!() };
    SurfaceIntegrals::new(mesh, shape, 6, center).expect("a roof")
}

/// A plane roof z = 1 + x/2: the vector area is (−1/2, 0, 1) and acts at its centroid, which is not that of the
/// corners' mean of any other face.
#[test]
fn a_slanted_plane_face() {
    let shape = roofed([0.0, 0.5, 0.5, 0.0]);
    let center = shape.integrals().center;
    let roof = roof(&shape, &center);
    let area = Vec3::new(-0.5, 0.0, 1.0);
    let arm = Vec3::new(0.5, 0.5, 1.25) - center;
    assert_close(roof.area, area, 1e-15, "vector area");
    assert_close(roof.torque(), arm.cross(&area), 1e-15, "torque");
}

/// A warped roof against 400 × 400 flat tiles of the same bilinear patch.
#[test]
fn a_warped_face() {
    let lift = [0.3, -0.2, 0.4, 0.1];
    let shape = roofed(lift);
    let center = Vec3::new(0.2, 0.7, -0.3);
    let roof = roof(&shape, &center);
    let n = 400;
    let place = |i: usize, k: usize| {
        let (x, y) = (i as f64 / n as f64, k as f64 / n as f64);
        let z = lift[0] * (1.0 - x) * (1.0 - y) + lift[1] * x * (1.0 - y) + lift[2] * x * y + lift[3] * (1.0 - x) * y;
        Vec3::new(x, y, 1.0 + z) - center
    };
    let (mut area, mut moment) = (Vec3::zeros(), Mat3::zeros());
    for (i, k) in (0..n).flat_map(|i| (0..n).map(move |k| (i, k))) {
        let [a, b, c, d] = [place(i, k), place(i + 1, k), place(i + 1, k + 1), place(i, k + 1)];
        let tile = (c - a).cross(&(d - b)) * 0.5;
        area += tile;
        moment += tile * ((a + b + c + d) * 0.25).transpose();
    }
    // The area is exact up to the round-off of 160000 tiles, the moment up to the curvature of a tile.
    assert_close(roof.area, area, 1e-11, "vector area");
    assert!((roof.moment - moment).amax() < 1e-5, "{}", roof.moment - moment);
}

/// A placed shape is the same surface, turned and shifted.
#[test]
fn a_placed_shape() {
    let shape = roofed([0.3, -0.2, 0.4, 0.1]);
    let (center, turn, shift) =
        (shape.integrals().center, exp_map(&Vec3::new(1.0, 2.0, -0.5)), Vec3::new(3.0, -1.0, 7.0));
    let here = roof(&shape, &center);
    let placed = Shape { geometry: shape.geometry.clone(), rotation: turn, shift };
    let there = roof(&placed, &(turn * center + shift));
    assert_close(there.area, turn * here.area, 1e-14, "vector area");
    assert!((there.moment - turn * here.moment * turn.transpose()).amax() < 1e-14);
}

/// Pressure on one face of a spinning cube pushes along the current normal at mid-step: the velocity is the sum of
/// these.
#[test]
fn pressure_follows_a_turning_face() {
    let (h, p, omega) = (1e-3, 50.0, 3.0);
    let mut world = World::new(h);
    let id = world.rigid(cube(), 1.0);
    world.pressure(id, 3, p);
    let mut simulation = world.simulation();
    solfec_testing::run::launch(&mut simulation, id, [0.0; 3], [0.0, 0.0, omega]);
    let axis = {
        let mut one = world.simulation();
        go(&mut one, 1);
        linear(&one, id).normalize()
    };
    let mut expected = Vec3::zeros();
    for k in 0..1000 {
        expected += exp_map(&(Vec3::z() * (omega * h * (k as f64 + 0.5)))) * axis * (p * h);
    }
    go(&mut simulation, 1000);
    assert_close(linear(&simulation, id), expected, 1e-9, "velocity");
}

/// A pseudo-rigid cube under tension p on all faces swells to F = λ I with S λ = p λ², S = (3Λ + 2μ)(λ² − 1)/2 of the
/// Saint Venant–Kirchhoff law: the traction acts on the current faces.
#[test]
fn a_swollen_cube_is_in_equilibrium_on_its_current_faces() {
    let (young, poisson, p) = (1e6, 0.25, 2e5);
    let mut world = World::new(1.0);
    world.model.analysis = Analysis::QuasiStatic;
    (world.model.bulk[0].young, world.model.bulk[0].poisson) = (young, poisson);
    let id = world.body(BodyKind::PseudoRigid, &[cube()], 1.0);
    world.place(id, &quarter_turn());
    for surface in 1..=6 {
        world.pressure(id, surface, p);
    }
    let mut simulation = world.simulation();
    go(&mut simulation, 200);
    // Λ and μ of Lamé; the equation is quadratic in λ.
    let stiffness = 3.0 * young * poisson / ((1.0 + poisson) * (1.0 - 2.0 * poisson)) + young / (1.0 + poisson);
    let lambda = p / stiffness + (1.0 + (p / stiffness).powi(2)).sqrt();
    let f = Mat3::from_row_slice(&conf(&simulation, id)[..9]);
    let stretch = f.transpose() * f - Mat3::identity() * (lambda * lambda);
    assert!(stretch.amax() < 1e-12, "{f} instead of a stretch by {lambda}");
    // Nothing but round-off turns it, and nothing turns it back.
    assert!((f - quarter_turn() * lambda).amax() < 1e-8, "{f} has turned");
}

/// A mass centre that moves between steps takes the moment of pressure along: M = p A × lever about the new one.
#[test]
fn pressure_acts_about_a_new_mass_centre() {
    let (h, p) = (1e-3, 50.0);
    let mut world = World::new(h);
    let id = world.rigid(cube(), 1.0);
    world.pressure(id, 3, p);
    let mut simulation = world.simulation();
    go(&mut simulation, 1);
    let force = linear(&simulation, id);
    let shift = Vec3::new(0.1, 0.2, 0.3);
    let center = world.model.bodies[0].chars.center + shift;
    // Of a ball, so that the angular velocity is the torque times h.
    let (center, tensor) = (center.into(), [1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0]);
    simulation.apply(&Op::BodyChars { body: id, mass: 1.0, volume: 1.0, center, tensor }).expect("characteristics");
    simulation.apply(&Op::InitialVelocity { body: id, linear: [0.0; 3], angular: [0.0; 3] }).expect("at rest");
    go(&mut simulation, 1);
    let found = spin(&simulation, id);
    assert_close(found, -shift.cross(&force), 1e-9 * force.norm(), "angular velocity");
    assert!(found.norm() > 0.1 * h * p * 0.1);
}
