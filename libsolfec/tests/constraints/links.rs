//! Rigid links.

use super::*;

/// Two unit masses on a link of length 1, relative velocity 2 across it.
fn dumbbell(strength: f64) -> (World, Simulation) {
    let mut world = World::new(1e-2);
    let bodies = [-0.5, 0.5].map(|x| world.rigid(ball([x, 0.0, 0.0], 0.1), 3.0 / (4e-3 * std::f64::consts::PI)));
    join(&mut world, Joint::RigidLink { strength }, bodies[0], Some(bodies[1]), [[-0.5, 0.0, 0.0], [0.5, 0.0, 0.0]]);
    let mut simulation = world.simulation();
    for (body, v) in bodies.into_iter().zip([1.0, -1.0]) {
        launch(&mut simulation, &world.model, body, [0.0, v, 0.0], [0.0; 3]);
    }
    (world, simulation)
}

#[test]
fn acc_2_1() {
    let (_, mut simulation) = dumbbell(f64::INFINITY);
    let (h, v) = (0.01_f64, 2.0_f64);
    let turn = 2.0 * (0.5 * h * v).atan();
    let exact = -0.5 * v * v / (1.0 + (0.5 * h * v).powi(2)).sqrt();
    assert_near(exact, -1.9999000075, 1e-10, "the number of the specification");
    let mut angle = 0.0;
    let mut last = center(&simulation, 1) - center(&simulation, 2);
    steps(&mut simulation, &gauss_seidel(1e-14), 1000, |s, report| {
        let z = center(s, 1) - center(s, 2);
        assert_near(z.norm(), 1.0, 1e-12, "length");
        let r = tie(s, 0).r;
        assert!((r.x, r.y) == (0.0, 0.0));
        // A length that is rounded by 1e-15 takes a force of 1e-15 · 2 m/h² to put right.
        assert_near(r.z, exact, 5e-10, "tension");
        assert_near(total_energy(s)[0], 1.0, 1e-12, "kinetic energy");
        let spin = z.cross(&(velocity(s, 1) - velocity(s, 2))).z;
        assert_near(spin, -2.0, 2e-12, "angular momentum");
        let step = last.cross(&z).z.atan2(last.dot(&z));
        assert_near(step, -turn, 1e-12, "rotation of a step");
        angle -= step;
        last = z;
        assert!(report.warnings.is_empty(), "{:?}", report.warnings);
    });
    assert_near(angle % (2.0 * std::f64::consts::PI), 1.1497774518, 1e-9, "angle after 1000 steps");
    let frame = simulation.take_frame();
    let rows = &frame.constraints;
    assert_eq!((rows.kind[0], rows.master[0], rows.slave[0]), (5, 0, 1));
    assert_near(rows.aux[0][3], 1.0, 1e-15, "length in the frame");
    assert_near(Vec3::new(rows.aux[0][0], rows.aux[0][1], rows.aux[0][2]).norm() - 1.0, rows.gap[0], 1e-12, "gap");
}

#[test]
fn acc_2_2() {
    for (strength, after) in [(1.9, 0), (2.1, 1)] {
        let (_, mut simulation) = dumbbell(strength);
        steps(&mut simulation, &gauss_seidel(1e-14), 1, |_, report| assert_eq!(report.constraints, 1));
        assert_eq!(simulation.ties().len(), after);
        let frame = simulation.take_frame();
        assert_eq!(frame.events.len(), 1 - after);
        steps(&mut simulation, &gauss_seidel(1e-14), 200, |s, _| assert_eq!(s.ties().len(), after));
    }
}
