//! Prescribed motions.

use super::*;

/// A unit cube driven along x at its centre.
fn driven(h: f64, what: Prescribed, points: &[[f64; 2]]) -> (World, u64) {
    let mut world = World::new(h);
    let body = cube(&mut world, [0.0; 3], 0.5, 1.0);
    let series = series(&mut world, points);
    hold(&mut world, drive(what, [1.0, 0.0, 0.0], series), body, [0.0; 3]);
    (world, body)
}

/// Velocity and place of the body after each step, the start first.
fn history(world: &World, body: u64, n: usize) -> Vec<[f64; 2]> {
    let mut simulation = world.simulation();
    let mut found = vec![[velocity(&simulation, body).x, center(&simulation, body).x]];
    steps(&mut simulation, &gauss_seidel(1e-14), n, |s, _| found.push([velocity(s, body).x, center(s, body).x]));
    found
}

#[test]
fn acc_2_4() {
    let (world, body) = driven(0.1, Prescribed::Velocity, &[[0.0, 0.0], [2.0, 4.0]]);
    let found = history(&world, body, 10);
    assert_near(found[10][0], 2.0, 1e-14, "v");
    assert_near(found[10][1], 1.0, 1e-14, "x");
    // v = cos t: the trapezoid rule misses by h²/12 of the change of its derivative.
    for h in [0.1, 0.05] {
        let n = (1.0_f64 / h).round() as usize;
        let points: Vec<[f64; 2]> = (0..=2 * n).map(|k| [k as f64 * h, (k as f64 * h).cos()]).collect();
        let (mut world, body) = driven(h, Prescribed::Velocity, &points);
        world.model.bodies[0].velo = vec![0.0, 0.0, 0.0, 1.0, 0.0, 0.0];
        let x = history(&world, body, n)[n][1];
        let expected = -7.0123e-4 * (h / 0.1).powi(2);
        assert_near(x - 1.0_f64.sin(), expected, 2e-3 * expected.abs(), "x(1) − sin 1");
    }
}

#[test]
fn acc_2_5() {
    let (h, s) = (0.01, 3.0);
    let ramp = [[0.0, 0.0], [10.0, 10.0 * s]];
    let (world, body) = driven(h, Prescribed::Displacement, &ramp);
    let found = history(&world, body, 20);
    assert_near(found[1][0], 1.5 * s, 1e-13, "U_1");
    assert_near(found[1][1], 0.75 * s * h, 1e-15, "x_1");
    for (n, [v, x]) in found.iter().enumerate().skip(2) {
        assert_near(*v, s, 1e-12, "U_n");
        assert_near(*x, s * n as f64 * h, 1e-14, "x_n");
    }
    let (mut world, body) = driven(h, Prescribed::Displacement, &ramp);
    world.model.compat.push("prescribed".into());
    for (n, [_, x]) in history(&world, body, 20).iter().enumerate().skip(1) {
        assert_near(*x, s * (n as f64 * h - 0.5 * h), 1e-14, "x_n of the original");
    }
    let (mut world, body) = driven(h, Prescribed::Acceleration, &[[0.0, 3.0], [1.0, 3.0]]);
    let found = history(&world, body, 100);
    assert_near(found[100][0], 3.0, 1e-12, "v(1)");
    assert_near(found[100][1], 1.5, 1e-12, "x(1)");
    world.model.compat.push("prescribed".into());
    assert_near(history(&world, body, 1)[1][0], 3.0, 1e-14, "two points in the original");
}

#[test]
fn acc_2_6() {
    let points = [[0.0, 0.0], [0.3, 0.3], [0.7, 0.7], [2.0, 2.0]];
    let (world, body) = driven(0.01, Prescribed::Acceleration, &points);
    for (n, [v, _]) in history(&world, body, 150).iter().enumerate() {
        assert_near(*v, 0.5 * (0.01 * n as f64).powi(2), 1e-13, "v");
    }
}
