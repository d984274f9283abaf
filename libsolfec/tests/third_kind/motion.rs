//! Free motion, loads and statics of a body that only this test knows.

use super::*;
use solfec::load::Series;
use solfec::model::{LoadKind, LoadRow};

/// Without loads the midpoint rule keeps the energy of a linear system exactly, and the momentum.
#[test]
fn free_vibration_keeps_energy_and_momentum() {
    let mut world = world(1e-3, 0.0);
    let id = chain(&mut world, block([0.0; 3], [1.0, 1.0, 2.0], [1, 1, 2]), 0.0);
    let x = block([0.0; 3], [1.0, 1.0, 2.0], [1, 1, 2]).vertices();
    let velo = x.iter().flat_map(|x| [0.3 + 0.1 * x.z, 0.2 * x.x * x.y, 0.5 * x.z]).collect();
    world.model.bodies[0].velo = velo;
    let mut simulation = simulate(&world);
    let start = ledger(&energies(&simulation));
    let mut most = 0.0f64;
    steps(&mut simulation, &gauss_seidel(1e-6), 300, |s, _| {
        let now = energies(s);
        assert_near(now[KINETIC] + now[INTERNAL], start, 1e-11 * start, "energy");
        most = most.max(now[INTERNAL]);
    });
    assert!(most > 0.05 * start, "it vibrates: {most} of {start} J");
    // Nodes in the middle of the column have twice the mass of the others.
    let share = |k: usize| if (4..8).contains(&k) { 2.0 } else { 1.0 };
    let momentum = |v: &[Vec3]| v.iter().enumerate().map(|(k, v)| v * share(k)).sum::<Vec3>();
    let first: Vec<Vec3> = world.model.bodies[0].velo.chunks_exact(3).map(Vec3::from_column_slice).collect();
    let (before, after) = (momentum(&first), momentum(&rates(&simulation, id)));
    assert!((after - before).norm() < 1e-11 * before.norm(), "{after} instead of {before}");
}

/// In free fall no spring works, and the midpoint rule has the parabola exactly.
#[test]
fn free_fall_is_a_parabola() {
    let h = 1e-2;
    let mut world = world(h, GRAVITY);
    let id = chain(&mut world, block([0.0; 3], [1.0; 3], [1, 1, 1]), DAMPED);
    let mut simulation = simulate(&world);
    let start = middle(&nodes(&simulation, id));
    steps(&mut simulation, &gauss_seidel(1e-6), 50, |_, _| {});
    let t = 50.0 * h;
    let fallen = start - middle(&nodes(&simulation, id));
    assert!((fallen - Vec3::new(0.0, 0.0, 0.5 * GRAVITY * t * t)).norm() < 1e-11, "{fallen}");
    assert!(energies(&simulation)[INTERNAL] < 1e-15);
    assert_near(ledger(&energies(&simulation)), 0.0, 1e-9 * energies(&simulation)[KINETIC], "work of gravity");
}

/// Springs of a cube that hangs on its four upper nodes. With w the descent of the lower nodes and p the outward
/// component of their displacement along x and y, the elongations are: w of 4 edges, (p + w)/√2 of 8 diagonals of the
/// sides, (2p + w)/√3 of 4 inner diagonals, 2p of 4 and 2√2 p of 2 springs of the lower face. The least of ½ k Σ δ² − 4
/// m g w, m the mass of a node, is at p = −5 w / 31 and w = 31 m g / (64 k).
#[test]
fn a_hanging_cube_has_its_static_deflection() {
    let mut world = world(0.1, GRAVITY);
    world.model.analysis = Analysis::QuasiStatic;
    let id = chain(&mut world, block([0.0; 3], [1.0; 3], [1, 1, 1]), 0.0);
    for (x, y) in [(0.0, 0.0), (1.0, 0.0), (1.0, 1.0), (0.0, 1.0)] {
        join(&mut world, Joint::FixPoint { strength: f64::INFINITY }, id, None, [[x, y, 1.0]; 2]);
    }
    let mut simulation = simulate(&world);
    steps(&mut simulation, &gauss_seidel(1e-14), 40, |_, _| {});
    let (m, k) = (DENSITY / 8.0, YOUNG);
    let w = 31.0 * m * GRAVITY / (64.0 * k);
    let p = -5.0 * w / 31.0;
    for (now, x) in nodes(&simulation, id).iter().zip(block([0.0; 3], [1.0; 3], [1, 1, 1]).vertices()) {
        let outward = |c: f64| if c > 0.5 { p } else { -p };
        let expected = if x.z > 0.5 { Vec3::zeros() } else { Vec3::new(outward(x.x), outward(x.y), -w) };
        assert!((now - x - expected).norm() < 1e-9 * w, "{} instead of {expected} at {x}", now - x);
    }
    let held = force_on(&simulation, id);
    assert!((held - Vec3::new(0.0, 0.0, 8.0 * m * GRAVITY)).norm() < 1e-6, "{held}");
    // Clapeyron: half of the work that the final load would do is stored.
    assert_near(energies(&simulation)[INTERNAL], 0.5 * 4.0 * m * GRAVITY * w, 1e-9, "stored energy");
}

/// A force at a point and a pressure on a face act as their resultants on the mass centre.
#[test]
fn forces_and_pressure_push_the_mass_centre() {
    let (h, force, pressure) = (1e-3, 300.0, -200.0);
    let mut world = world(h, 0.0);
    let id = chain(&mut world, block([0.0; 3], [1.0, 1.0, 1.0], [2, 2, 2]), 0.0);
    world.model.series.push(Series::constant(force));
    world.model.series.push(Series::constant(pressure));
    let [value, on_top] = [world.model.series.len() as u32 - 2, world.model.series.len() as u32 - 1];
    let point = Vec3::new(0.3, 0.6, 0.2);
    let kind = LoadKind::Force { convected: false, point, direction: Vec3::x(), value };
    world.model.loads.push(LoadRow { kind, body: id, line: 0 });
    world.model.loads.push(LoadRow {
        kind: LoadKind::Pressure { surface: 6, value: on_top, follower: false },
        body: id,
        line: 0,
    });
    let mut simulation = simulate(&world);
    steps(&mut simulation, &gauss_seidel(1e-6), 10, |_, _| {});
    // Nodes in the middle of edges, faces and of the cube have 2, 4 and 8 times the mass of a corner.
    let share = |x: &Vec3| x.iter().map(|c| if (c - 0.5).abs() < 0.1 { 2.0 } else { 1.0 }).product::<f64>() / 64.0;
    let reference = block([0.0; 3], [1.0, 1.0, 1.0], [2, 2, 2]).vertices();
    let mean: Vec3 = rates(&simulation, id).iter().zip(&reference).map(|(v, x)| v * share(x)).sum();
    let exact = Vec3::new(force, 0.0, pressure) / DENSITY * (10.0 * h);
    // The face tilts a little under the force: its vector area changes by 1e-6.
    assert!((mean - exact).norm() < 1e-4 * exact.norm(), "{mean} {exact}");
    assert_near(ledger(&energies(&simulation)), 0.0, 1e-12, "work of the loads");
}
