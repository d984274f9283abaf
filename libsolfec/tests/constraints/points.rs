//! Fixed points.

use super::*;
use solfec::model::Characteristics;
use solfec::math::Mat3;

/// The pendulum of acceptance 2.3 at 1.2 rad: unit mass, lever 1, moment of inertia ½. Its axis is y.
fn pendulum(h: f64, compat: &[&str]) -> World {
    let mut world = World::new(h).gravity([0.0, 0.0, -10.0]);
    let (angle, half) = (1.2_f64, 0.1);
    let at = [angle.sin(), 0.0, -angle.cos()];
    let body = cube(&mut world, at, half, 1.0);
    let row = &mut world.model.bodies[body as usize - 1];
    row.chars = Characteristics { tensor: Mat3::from_diagonal_element(0.5), ..row.chars };
    hold(&mut world, fixed(), body, [0.0; 3]);
    world.model.compat = compat.iter().map(|name| name.to_string()).collect();
    world
}

/// Distance of the pivot from where it belongs, and the energy gained, after 5 s.
fn errors(h: f64, compat: &[&str]) -> [f64; 2] {
    let mut simulation = pendulum(h, compat).simulation();
    let energy = |s: &Simulation| total_energy(s)[0] + 10.0 * center(s, 1).z;
    let before = energy(&simulation);
    let mut worst = 0.0_f64;
    let n = (5.0 / h).round() as usize;
    steps(&mut simulation, &gauss_seidel(1e-14), n, |s, _| {
        let index = s.bodies().index(1).expect("it is there");
        worst = worst.max(s.bodies().motion(index).point(&Vec3::zeros()).norm());
    });
    [worst, energy(&simulation) - before]
}

#[test]
fn acc_2_3() {
    let mut world = World::new(1e-2).gravity([0.0, 0.0, -10.0]);
    let body = cube(&mut world, [1.0, 2.0, 3.0], 0.5, 2.0);
    hold(&mut world, fixed(), body, [1.0, 2.0, 3.0]);
    let mut simulation = world.simulation();
    steps(&mut simulation, &gauss_seidel(1e-14), 100, |s, _| {
        assert!((tie(s, 0).r - Vec3::z() * 20.0).norm() < 1e-12, "{}", tie(s, 0).r);
        assert!((center(s, body) - Vec3::new(1.0, 2.0, 3.0)).norm() < 1e-15);
    });
    for h in [0.01, 0.005, 0.0025] {
        println!("{h} {:?} {:?}", errors(h, &["constraint_drift"]), errors(h, &[]));
    }
}
