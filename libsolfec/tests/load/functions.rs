//! Force functions: known motions, when and for whom they are called, what becomes of their mistakes.

use super::*;
use solfec::ids::BodyIndex;
use solfec::model::{Analysis, Scheme};
use solfec_testing::tables::tables;

/// A projectile with the drag −m v by a function: the discrete solution exactly, the place 86.138 inch of the exact
/// one, and every state in our table and in that of Solfec-1.0.
#[test]
fn projectile_with_drag() {
    let (steps, mass) = (1024, 0.45359237);
    let h = 1.976 / f64::from(steps);
    let mut world = World::new(h).gravity([0.0, 0.0, -9.81456]);
    let id = world.rigid(cube(), mass);
    world.force_function(id, 0);
    let mut simulation = world.simulation();
    solfec_testing::run::launch(&mut simulation, id, [2.54, 0.0, 12.7], [0.0; 3]);
    let mut drag = deck(|call| {
        let Call::Force { u, .. } = call else { panic!("{call:?}") };
        let mut answer = vec![0.0; 9];
        (0..3).for_each(|k| answer[k] = -mass * u[3 + k]);
        answer
    });
    let tables = tables("projectile/projectile-bodies.csv");
    for n in 1..=steps {
        simulation.step_with(&gauss_seidel(1e-10).into(), &mut drag).expect("a step");
        let v = linear(&simulation, id);
        assert_near(v.x, 2.54 * (1.0 - h).powi(n), 1e-13, "velocity");
        for row in tables.iter().map(|rows| &rows[n as usize]) {
            assert_close(center(&simulation, id), Vec3::from_column_slice(&row[12..15]), 1e-12, "place");
            assert_close(v, Vec3::from_column_slice(&row[18..21]), 1e-12, "velocity");
        }
    }
    let exact = 2.54 * (1.0 - (-1.976f64).exp());
    assert_near(exact / 0.0254, 86.138, 5e-4, "inches of the exact solution");
    assert_near(center(&simulation, id).x, exact, 2e-3, "place at the end");
}

/// A heavy top with its weight as a torque function: energy drift of the three schemes at t = 10.
#[test]
fn heavy_top_with_a_torque_function() {
    let h = 9e-3;
    for (scheme, drift) in [(Scheme::RigPos, 7.4e-4), (Scheme::RigNeg, -9.3e-4), (Scheme::RigImp, -1.5e-4)] {
        let mut world = World::new(h);
        let id = world.rigid(cube(), 1.0);
        let row = &mut world.model.bodies[0];
        row.chars.tensor = Mat3::from_diagonal(&Vec3::new(5.0, 5.0, 1.0));
        row.scheme = scheme;
        row.velo = vec![0.0, 0.0, 50.0, 0.0, 0.0, 0.0];
        world.place(id, &exp_map(&Vec3::new(0.05, 0.0, 0.0)));
        world.force_function(id, 0);
        let mut simulation = world.simulation();
        let mut weight = deck(|call| {
            let Call::Force { q, .. } = call else { panic!("{call:?}") };
            // −20 a × e_z with the third column a of R.
            vec![0.0, 0.0, 0.0, -20.0 * q[7], 20.0 * q[6], 0.0, 0.0, 0.0, 0.0]
        });
        let energy = |s: &Simulation| s.bodies().energies(BodyIndex(0))[0] + 20.0 * conf(s, id)[8];
        let before = energy(&simulation);
        assert_near(before, 1269.975005208, 1e-9, "energy at the start");
        for _ in 0..(10.0 / h).round() as usize {
            simulation.step_with(&gauss_seidel(1e-10).into(), &mut weight).expect("a step");
        }
        assert_near(energy(&simulation) - before, drift, 0.5e-5, "drift of energy");
    }
}

/// The three vectors of a rigid body and the twelve numbers of a pseudo-rigid one are applied as docs/conventions.md 5
/// says.
#[test]
fn numbers_go_to_their_places() {
    let h = 1e-6;
    let mut world = World::new(h);
    let hard = world.rigid(block([-0.5, -1.0, -1.5], [0.5, 1.0, 1.5], [1, 1, 1]), 1.0);
    let soft = world.body(BodyKind::PseudoRigid, &[cube()], 12.0);
    world.place(hard, &quarter_turn());
    world.force_function(hard, 0);
    world.force_function(soft, 1);
    let mut simulation = world.simulation();
    let mut both = deck(|call| match call {
        Call::Force { function: 0, .. } => (1..=9).map(f64::from).collect(),
        _ => (1..=12).map(f64::from).collect(),
    });
    simulation.step_with(&gauss_seidel(1e-10).into(), &mut both).expect("a step");
    let chars = world.model.bodies[0].chars;
    assert_close(linear(&simulation, hard) * (chars.mass / h), Vec3::new(1.0, 2.0, 3.0), 1e-12, "force");
    // The spatial torque (4, 5, 6) is (5, −4, 6) in the body turned by a quarter.
    let torque = chars.tensor * spin(&simulation, hard) / h;
    assert_close(torque, Vec3::new(5.0, -4.0, 6.0) + Vec3::new(7.0, 8.0, 9.0), 1e-9, "torque");
    let rates = velo(&simulation, soft);
    for (k, rate) in rates.iter().enumerate() {
        let inertia = if k < 9 { 1.0 } else { 12.0 };
        assert_near(rate * inertia / h, k as f64 + 1.0, 1e-9, "pseudo-rigid numbers");
    }
}

/// In quasi-statics loads and functions are those of t+h: a ramp to 10 N in 1 s moves 1 kg at 0.1 m/s in the first of
/// ten steps.
#[test]
fn quasi_static_loads_are_those_of_the_end_of_the_step() {
    let mut world = World::new(0.1);
    world.model.analysis = Analysis::QuasiStatic;
    let (table, live) = (world.rigid(cube(), 1.0), world.rigid(block([2.5, -0.5, -0.5], [3.5, 0.5, 0.5], [1; 3]), 1.0));
    let value = world.series(Series::new("ramp", vec![0.0, 1.0], vec![0.0, 10.0]).expect("a ramp"));
    world.load(table, LoadKind::Force { convected: false, point: Vec3::zeros(), direction: Vec3::y(), value });
    world.force_function(live, 0);
    let mut simulation = world.simulation();
    let mut ramp = deck(|call| {
        let Call::Force { time, .. } = call else { panic!("{call:?}") };
        vec![0.0, 10.0 * time, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0]
    });
    for n in 1..=3 {
        simulation.step_with(&gauss_seidel(1e-10).into(), &mut ramp).expect("a step");
        for id in [table, live] {
            assert_close(linear(&simulation, id), Vec3::y() * (0.1 * f64::from(n)), 1e-15, "velocity");
        }
    }
}

/// Loads go with their body and come with INSERT_LOADS; nobody else notices.
#[test]
fn loads_live_with_their_bodies() {
    let mut world = World::new(0.5);
    let first = world.rigid(cube(), 1.0);
    let second = world.rigid(block([2.0, 0.0, 0.0], [3.0, 1.0, 1.0], [1; 3]), 1.0);
    world.force_function(first, 0);
    world.force(second, false, [2.5, 0.5, 0.5], [0.0, 0.0, 2.0], 1.0);
    world.force(first, false, [0.0; 3], [1.0, 0.0, 0.0], 1.0);
    world.model.program.push(Op::InsertLoads(Rows { rows: [2, 3] }));
    let mut simulation = world.simulation();
    let mut calls = 0;
    let mut step = |simulation: &mut Simulation| {
        let mut push = deck(|_| {
            calls += 1;
            vec![0.0; 9]
        });
        simulation.step_with(&gauss_seidel(1e-10).into(), &mut push).expect("a step");
        calls
    };
    step(&mut simulation);
    assert_eq!(linear(&simulation, first), Vec3::zeros());
    let late = Op::InsertLoads(world.model.loads_at(Rows { rows: [2, 3] }).expect("the row is there"));
    simulation.apply(&late).expect("a new load");
    step(&mut simulation);
    assert_close(linear(&simulation, first), Vec3::x() * 0.5, 1e-14, "velocity");
    simulation.apply(&Op::DeleteBody { body: first }).expect("the body");
    assert_eq!(step(&mut simulation), 2);
    assert_close(linear(&simulation, second), Vec3::z() * 1.5, 1e-14, "velocity");
    // Nothing that calls a function is left: the step needs nobody from outside.
    go(&mut simulation, 1);
    let again = simulation.apply(&late);
    assert!(again.expect_err("no body").to_string().contains("body 1 does not exist (any more)"));
}

/// A wrong answer is an error that names function, body and deck line, and the step has not been made.
#[test]
fn wrong_answers_are_told() {
    let answers: [(BodyKind, usize, f64, &str); 4] = [
        (BodyKind::Rigid, 6, 0.0, "returned 6 numbers; it must return 9"),
        (BodyKind::PseudoRigid, 9, 0.0, "returned 9 numbers; it must return 12"),
        (BodyKind::Rigid, 9, f64::NAN, "number 8 that function 'push_5' returned"),
        (BodyKind::PseudoRigid, 12, f64::INFINITY, "is inf"),
    ];
    for (kind, count, last, expected) in answers {
        let mut world = World::new(1e-6);
        let id = world.body(kind, &[cube()], 1.0);
        world.model.bodies[0].label = "BALL".into();
        world.force_function(id, 5);
        world.model.loads[0].line = 17;
        let mut simulation = world.simulation();
        solfec_testing::run::launch(&mut simulation, id, [1.0, 0.0, 0.0], [0.0; 3]);
        let before = conf(&simulation, id);
        let mut answer = vec![0.0; count];
        answer[count - 1] = last;
        let mut push = deck(|_| answer.clone());
        let error =
            simulation.step_with(&gauss_seidel(1e-10).into(), &mut push).expect_err("a wrong answer").to_string();
        assert!(error.starts_with("FORCE (deck line 17) on body 1 'BALL': "), "{error}");
        assert!(error.contains(expected), "{error}");
        assert_eq!((conf(&simulation, id), simulation.steps()), (before, 0));
        let alone = simulation.step(&gauss_seidel(1e-10)).expect_err("nobody answers").to_string();
        assert!(alone.contains("run the deck itself"), "{alone}");
    }
}

/// A block of 1 kg on a rough table under the force 8 cos t: it slides while the force exceeds μ m g = 7.848 N, until
/// it stops. Velocities and places of the exact solution, which the original and the literature found to five digits.
#[test]
fn a_driven_block_sticks_and_slips() {
    let hold = 0.8 * 9.81;
    // A slip that begins at t with the force to one side s: its velocity and way after τ.
    let slip = |t: f64, s: f64, tau: f64| {
        let v = 8.0 * ((t + tau).sin() - t.sin()) - s * hold * tau;
        let x = 8.0 * (t.cos() - (t + tau).cos() - t.sin() * tau) - s * 0.5 * hold * tau * tau;
        (v, x)
    };
    let way = |t: f64, s: f64| {
        let (mut low, mut high) = (0.1, 1.0);
        for _ in 0..60 {
            let middle = 0.5 * (low + high);
            if s * slip(t, s, middle).0 > 0.0 {
                low = middle;
            } else {
                high = middle;
            }
        }
        slip(t, s, low).1
    };
    let back = std::f64::consts::PI - (hold / 8.0).acos();
    let (first, second) = (way(0.0, 1.0), way(back, -1.0));
    assert_near(3.0 + first, 3.00435, 1e-5, "literature, t = 2");
    assert_near(3.0 + first + second, 2.99129, 1e-4, "literature, t = 5");

    let mut world = World::new(1e-3).gravity([0.0, 0.0, -9.81]).surface(|s| s.friction = 0.8);
    world.obstacle(block([2.5, -0.5, -0.1], [3.5, 0.5, 0.0], [1, 1, 1]));
    let id = world.rigid(block([2.85, -0.15, 0.0], [3.15, 0.15, 0.1], [2, 2, 1]), 1.0 / 0.009);
    world.force_function(id, 0);
    let mut simulation = world.simulation();
    let mut push = deck(|call| {
        let Call::Force { time, .. } = call else { panic!("{call:?}") };
        vec![8.0 * time.cos(), 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0]
    });
    let at_rest = |x: f64| (0.0, x);
    for (time, (v, x)) in [
        (0.15, slip(0.0, 1.0, 0.15)),
        (2.0, at_rest(first)),
        (3.15, (slip(back, -1.0, 3.15 - back).0, first + slip(back, -1.0, 3.15 - back).1)),
        (5.0, at_rest(first + second)),
        (8.0, at_rest(first)),
    ] {
        while simulation.time() < time - 1e-9 {
            simulation.step_with(&gauss_seidel(1e-8).into(), &mut push).expect("a step");
        }
        assert_near(solfec_testing::run::velocity(&simulation, id).x, v, 1e-5, "velocity");
        assert_near(center(&simulation, id).x, 3.0 + x, 1e-5, "place");
    }
}
