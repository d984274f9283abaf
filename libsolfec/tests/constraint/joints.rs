//! Joints, links, prescribed motions and contacts of one or two bodies with known solutions (docs/theory.md 8).

use super::*;
use solfec::ids::{BodyId, BodyIndex};
use solfec::math::Mat3;
use solfec::model::{Admm, Auto, Characteristics, CorrectedSweeps, GaussSeidel, InteriorPoint, Newton, ProximalNewton};
use solfec::solver::Law;
use solfec_testing::affine::motion;

type Vec2 = nalgebra::Vector2<f64>;
type Mat2 = nalgebra::Matrix2<f64>;

/// Two unit masses on a link of length 1, relative velocity 2 across it.
fn dumbbell(strength: f64) -> (World, Simulation) {
    let mut world = World::new(1e-2);
    let bodies = [-0.5, 0.5].map(|x| world.rigid(ball([x, 0.0, 0.0], 0.1), 3.0 / (4e-3 * std::f64::consts::PI)));
    join(&mut world, Joint::RigidLink { strength }, bodies[0], Some(bodies[1]), [[-0.5, 0.0, 0.0], [0.5, 0.0, 0.0]]);
    let mut simulation = world.simulation();
    for (body, v) in bodies.into_iter().zip([1.0, -1.0]) {
        launch(&mut simulation, body, [0.0, v, 0.0], [0.0; 3]);
    }
    (world, simulation)
}

#[test]
fn a_link_keeps_length_momentum_and_energy() {
    let (_, mut simulation) = dumbbell(f64::INFINITY);
    let (h, v) = (0.01_f64, 2.0_f64);
    let turn = 2.0 * (0.5 * h * v).atan();
    let exact = -0.5 * v * v / (1.0 + (0.5 * h * v).powi(2)).sqrt();
    assert_near(exact, -1.9999000075, 1e-10, "the exact value");
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
    // At mid-steps the link is longer by the sagitta of a step.
    let length = (1.0 + (0.5 * h * v).powi(2)).sqrt();
    assert_near(rows.aux[0][3], length, 1e-15, "length in the frame");
    assert_near(Vec3::new(rows.aux[0][0], rows.aux[0][1], rows.aux[0][2]).norm(), length, 1e-12, "length at mid-step");
    assert_near(rows.gap[0], 0.0, 1e-12, "gap");
}

#[test]
fn a_link_breaks_above_its_strength() {
    for (strength, after) in [(1.9, 0), (2.1, 1)] {
        let (_, mut simulation) = dumbbell(strength);
        steps(&mut simulation, &gauss_seidel(1e-14), 1, |_, report| assert_eq!(report.constraints, 1));
        assert_eq!(simulation.constraints().len(), after);
        let frame = simulation.take_frame();
        assert_eq!(frame.events.len(), 1 - after);
        steps(&mut simulation, &gauss_seidel(1e-14), 200, |s, _| assert_eq!(s.constraints().len(), after));
    }
}

/// A compound pendulum at 1.2 rad: unit mass, lever 1, moment of inertia ½. Its axis is y.
fn pendulum(h: f64) -> (World, u64) {
    let mut world = World::new(h).gravity([0.0, 0.0, -10.0]);
    let angle = 1.2_f64;
    let body = cube(&mut world, [angle.sin(), 0.0, -angle.cos()], 0.1, 1.0);
    let row = &mut world.model.bodies[body as usize - 1];
    row.chars = Characteristics { tensor: Mat3::from_diagonal_element(0.5), ..row.chars };
    (world, body)
}

/// Largest distance of the pivot from where it belongs in 5 s, and the energy gained.
fn errors(world: &World) -> [f64; 2] {
    let mut simulation = world.simulation();
    let energy = |s: &Simulation| total_energy(s)[0] + 10.0 * center(s, 1).z;
    let before = energy(&simulation);
    let mut worst = 0.0_f64;
    let n = (5.0 / world.model.step).round() as usize;
    steps(&mut simulation, &gauss_seidel(1e-14), n, |s, _| {
        let index = s.bodies().index(BodyId(1)).expect("it is there");
        worst = worst.max(motion(s.bodies(), index).point(&Vec3::zeros()).norm());
    });
    [worst, energy(&simulation) - before]
}

/// The same by planar integration: the pivot is where it belongs at all mid-steps, by Newton's method; or `U = −V`, of
/// the original.
fn planar(h: f64, original: bool) -> [f64; 2] {
    let (mass, inertia, gravity) = (1.0, 0.5, Vec2::new(0.0, -10.0));
    let turned = |arm: Vec2| Vec2::new(-arm.y, arm.x);
    // From the mass centre to the pivot at angle φ from the hanging position.
    let arm = |angle: f64| Vec2::new(-angle.sin(), angle.cos());
    let (mut angle, mut spin) = (1.2_f64, 0.0_f64);
    let (mut x, mut v) = (-arm(angle), Vec2::zeros());
    let energy = |x: &Vec2, v: &Vec2, spin: f64| 0.5 * (v.norm_squared() + inertia * spin * spin) + 10.0 * x.y;
    let before = energy(&x, &v, spin);
    let mut worst = 0.0_f64;
    for _ in 0..(5.0 / h).round() as usize {
        x += v * (0.5 * h);
        angle += 0.5 * h * spin;
        let side = turned(arm(angle));
        let w = Mat2::identity() * (h / mass) + side * side.transpose() * (h / inertia);
        let w = w.try_inverse().expect("a mass");
        let start = v + side * spin;
        v += gravity * h;
        let mut receive = |reaction: Vec2, v: &mut Vec2| {
            *v += reaction * (h / mass);
            spin += side.dot(&reaction) * h / inertia;
            spin
        };
        if original {
            let now = v + side * receive(Vec2::zeros(), &mut v);
            receive(w * (-start - now), &mut v);
        } else {
            for _ in 0..20 {
                let ahead = x + v * h + arm(angle + h * receive(Vec2::zeros(), &mut v));
                receive(-w * ahead / h, &mut v);
            }
        }
        let spin = receive(Vec2::zeros(), &mut v);
        x += v * (0.5 * h);
        angle += 0.5 * h * spin;
        worst = worst.max((x + arm(angle)).norm());
    }
    [worst, energy(&x, &v, spin) - before]
}

/// A number that the document gives with so many significant digits.
fn printed(found: f64, expected: f64, digits: i32, what: &str) {
    let unit = 10f64.powi(expected.abs().log10().floor() as i32 + 1 - digits);
    assert_near(found, expected, 0.5001 * unit, what);
}

#[test]
fn a_fixed_point_carries_and_swings() {
    let mut world = World::new(1e-2).gravity([0.0, 0.0, -10.0]);
    let body = cube(&mut world, [1.0, 2.0, 3.0], 0.5, 2.0);
    hold(&mut world, fixed(), body, [1.0, 2.0, 3.0]);
    let mut simulation = world.simulation();
    steps(&mut simulation, &gauss_seidel(1e-14), 100, |s, _| {
        assert!((tie(s, 0).r - Vec3::z() * 20.0).norm() < 1e-12, "{}", tie(s, 0).r);
        assert!((center(s, body) - Vec3::new(1.0, 2.0, 3.0)).norm() < 1e-15);
    });

    // The pivot is off by h²c/8 of the centripetal acceleration c at the ends of steps; the energy of a point in the
    // swing is.
    let table = [(0.01, 9.7341e-5, 1.0630e-4), (0.005, 2.4335e-5, 2.6570e-5), (0.0025, 6.0838e-6, 6.6422e-6)];
    for (h, original, held) in table {
        let (mut world, body) = pendulum(h);
        hold(&mut world, fixed(), body, [0.0; 3]);
        let [pivot, energy] = errors(&world);
        let [by_hand, energy_by_hand] = planar(h, false);
        printed(pivot, held, 5, "pivot");
        assert_near(pivot, by_hand, 1e-4 * by_hand, "pivot by hand");
        assert_near(energy, energy_by_hand, 1e-6, "energy by hand");
        assert_near(energy, 7.62e-4 * (h / 0.01).powi(2), 5e-6, "energy is of second order");
        world.model.compat.push("constraint_drift".into());
        let [pivot, energy] = errors(&world);
        printed(pivot, original, 5, "pivot without memory");
        assert_near(energy, 0.0, 1e-12, "energy without memory");
        printed(planar(h, true)[0], original, 5, "pivot by hand, without memory");
    }
}

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

/// A bar swings about an end whose motion is prescribed to be zero: the end stays, up to a
/// second-order error that does not grow in proportion to the time.
#[test]
fn driven_points_of_turning_bodies_do_not_drift() {
    let drift = |what: Prescribed, h: f64| {
        let mut world = World::new(h).gravity([0.0, 0.0, -10.0]);
        let bar = world.rigid(block([0.0, -0.05, -0.05], [1.0, 0.05, 0.05], [1, 1, 1]), 1000.0);
        let zero = series(&mut world, &[[0.0, 0.0]]);
        hold(&mut world, Joint::Drive3 { what, base: Mat3::identity(), series: [zero; 3] }, bar, [0.0; 3]);
        hold(&mut world, drive(what, [0.0, 1.0, 0.0], zero), bar, [1.0, 0.0, 0.0]);
        let mut simulation = world.simulation();
        let mut farthest = 0.0_f64;
        steps(&mut simulation, &gauss_seidel(1e-14), (4.0 / h) as usize, |s, _| {
            let end = motion(s.bodies(), s.bodies().index(BodyId(bar)).expect("the bar"));
            farthest = farthest.max((end.x - end.f * Vec3::new(0.5, 0.0, 0.0)).norm());
        });
        farthest
    };
    for what in [Prescribed::Velocity, Prescribed::Acceleration, Prescribed::Displacement] {
        let [coarse, fine] = [4e-3, 2e-3].map(|h| drift(what, h));
        // h² ω² r/8 at the ends of steps, with ω² = 3 g and r = 0.5 at the lowest point of a slender bar.
        assert!(
            (coarse - 3e-5).abs() < 1e-6 && (fine / coarse - 0.25).abs() < 1e-3,
            "{what:?}: {coarse:e} and {fine:e}"
        );
    }
}

#[test]
fn prescribed_velocities_are_followed() {
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
fn prescribed_displacements_are_followed() {
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
fn prescribed_accelerations_are_followed() {
    let points = [[0.0, 0.0], [0.3, 0.3], [0.7, 0.7], [2.0, 2.0]];
    let (world, body) = driven(0.01, Prescribed::Acceleration, &points);
    for (n, [v, _]) in history(&world, body, 150).iter().enumerate() {
        assert_near(*v, 0.5 * (0.01 * n as f64).powi(2), 1e-13, "v");
    }
}

/// After the last point of its record an acceleration is zero: the velocity stays, and the place follows it. A constant
/// has no end.
#[test]
fn the_velocity_stays_when_the_record_of_an_acceleration_ends() {
    let (h, a) = (0.01, -0.174);
    let (world, body) = driven(h, Prescribed::Acceleration, &[[0.0, 0.0], [0.1, 1.0], [0.2, a]]);
    let found = history(&world, body, 90);
    let reached = 0.5 * 0.1 + 0.5 * (1.0 + a) * 0.1;
    for (n, [v, x]) in found.iter().enumerate().skip(20) {
        assert_near(*v, reached, 1e-14, "v");
        assert_near(*x, found[20][1] + reached * (n - 20) as f64 * h, 1e-13, "x");
    }
    let (world, body) = driven(h, Prescribed::Acceleration, &[[0.0, 3.0]]);
    assert_near(history(&world, body, 50)[50][0], 1.5, 1e-13, "v under a constant");
}

#[test]
fn a_spring_to_an_obstacle_keeps_energy() {
    let world = springs::tied(0.01, springs::linear(100.0, 0.0), springs::along_x(), springs::FREE);
    let mut simulation = springs::moving(&world, 1.0);
    let mut amplitude = [0.0_f64; 2];
    steps(&mut simulation, &gauss_seidel(1e-14), 10_000, |s, report| {
        let (v, x) = (velocity(s, 2).x, center(s, 2).x - 2.0);
        assert_near(0.5 * v * v + 50.0 * x * x, 0.5, 1e-12, "energy");
        let half = usize::from(report.step > 9000);
        if report.step <= 1000 || half == 1 {
            amplitude[half] = amplitude[half].max(x.abs());
        }
        assert_near(tie(s, 0).r.z, -100.0 * (x - 0.5 * 0.01 * 0.5 * (v + tie(s, 0).v.z)), 1e-9, "force at mid-step");
    });
    assert_near(amplitude[0], 0.1, 1e-5, "amplitude");
    assert_near(amplitude[1], amplitude[0], 1e-5, "amplitude after 10⁴ steps");
}

/// In short steps the last forces are good enough for the tolerance, step after step: each solve must renew them.
#[test]
fn a_spring_keeps_energy_in_short_steps_at_default_tolerances() {
    let world = springs::tied(1e-4, springs::linear(4.0, 0.0), springs::along_x(), springs::FREE);
    let solvers = [
        SolverSettings::Auto(Auto::default()),
        SolverSettings::CorrectedSweeps(CorrectedSweeps::default()),
        SolverSettings::ProximalNewton(ProximalNewton::default()),
        SolverSettings::InteriorPoint(InteriorPoint::default()),
        SolverSettings::Admm(Admm::default()),
        SolverSettings::Newton(Newton::default()),
    ];
    for solver in solvers {
        let mut simulation = springs::moving(&world, 1.0);
        steps(&mut simulation, &solver, 30_000, |s, _| {
            let (v, x) = (velocity(s, 2).x, center(s, 2).x - 2.0);
            assert_near(0.5 * v * v + 2.0 * x * x, 0.5, 1e-9, solver.name());
        });
    }
}

/// A ball on a floor, linked to a bar that is glued to another, whose end is fixed: contact, link and fixed points.
fn chain() -> Simulation {
    let mut world = World::new(1e-2).gravity([2.0, 0.0, -10.0]).surface(|s| s.label = "ICE".into());
    world.obstacle(block([-9.0, -9.0, -2.0], [9.0, 9.0, -1.0], [1, 1, 1]));
    let bars = [0.0, 1.0].map(|x| world.rigid(block([x, -0.1, -0.1], [x + 1.0, 0.1, 0.1], [1, 1, 1]), 10.0));
    let ball = world.rigid(ball([3.0, 0.0, 0.0], 1.0), 1.0);
    hold(&mut world, fixed(), bars[0], [0.0; 3]);
    join(&mut world, link(), bars[0], Some(bars[1]), [[1.0, 0.0, 0.0]; 2]);
    join(&mut world, link(), ball, Some(bars[1]), [[3.0, 0.0, 0.5], [2.0, 0.0, 0.0]]);
    world.model.settings.excluded_bodies.extend([[bars[0], bars[1]], [bars[1], ball]]);
    world.simulation()
}

/// Reactions and velocities of all rows by Newton's method on the dense system: `U = B + W R`, every law an equation.
fn dense(problem: &solfec::solver::LocalDynamics) -> (Vec<Vec3>, Vec<Vec3>) {
    let n = 3 * problem.rows.len();
    let mut w = nalgebra::DMatrix::<f64>::zeros(n, n);
    for i in 0..problem.rows.len() {
        for (j, block) in problem.w.row(i) {
            w.fixed_view_mut::<3, 3>(3 * i, 3 * j).copy_from(block);
        }
    }
    let b = nalgebra::DVector::from_iterator(n, problem.free.iter().flatten().copied());
    let mut r = nalgebra::DVector::<f64>::zeros(n);
    for _ in 0..30 {
        let u = &b + &w * &r;
        let (mut defect, mut slope) = (r.clone(), nalgebra::DMatrix::<f64>::identity(n, n));
        for (i, row) in problem.rows.iter().enumerate() {
            let local = Vec3::new(u[3 * i], u[3 * i + 1], u[3 * i + 2]);
            let mut equation = |k: usize, value: f64, gradient: Vec3| {
                defect[3 * i + k] = value;
                let line = w.rows(3 * i, 3).tr_mul(&gradient).transpose();
                slope.set_row(3 * i + k, &line);
            };
            match row.law {
                Law::Velocity3 { target } => {
                    for k in 0..3 {
                        equation(k, local[k] - target[k], Vec3::ith(k, 1.0));
                    }
                }
                Law::Link(link) => equation(2, link.defect(&local), link.slope(&local)),
                // The one contact is closed, and frictionless.
                Law::Coulomb { .. } => equation(2, local.z, Vec3::z()),
                other => panic!("{other:?}"),
            }
        }
        r -= slope.lu().solve(&defect).expect("a regular system");
    }
    let u = &b + &w * &r;
    let blocks = |x: &nalgebra::DVector<f64>| x.as_slice().chunks(3).map(Vec3::from_column_slice).collect();
    (blocks(&r), blocks(&u))
}

#[test]
fn a_chain_with_a_contact_in_a_run() {
    let mut simulation = chain();
    steps(&mut simulation, &gauss_seidel(1e-12), 20, |s, report| {
        assert!(report.warnings.is_empty(), "{:?}", report.warnings);
        let problem = s.local_dynamics().expect("a step was made");
        let (r, u) = dense(&problem);
        assert!(r[0].z > 0.0, "the contact is closed");
        let scale = r.iter().map(|r| r.norm()).fold(0.0, f64::max);
        for i in 0..r.len() {
            assert!(
                (problem.r[i] - r[i]).norm() < 1e-8 * scale,
                "{} R {} not {}",
                problem.rows[i].name,
                problem.r[i],
                r[i]
            );
            assert!((problem.u[i] - u[i]).norm() < 1e-8, "{} U {} not {}", problem.rows[i].name, problem.u[i], u[i]);
        }
    });
    assert_eq!(simulation.take_frame().constraints.kind, [0, 1, 1, 5]);
}

/// The same chain by every solver: the velocities agree.
#[test]
fn all_solvers_solve_the_chain() {
    let run = |solver: &SolverSettings| {
        let mut simulation = chain();
        steps(&mut simulation, solver, 10, |_, report| {
            assert!(report.warnings.is_empty(), "{}: {:?}", solver.name(), report.warnings);
        });
        (0..4).flat_map(|i| simulation.bodies().velocity(BodyIndex(i as u32))).collect::<Vec<f64>>()
    };
    let exact = run(&gauss_seidel(1e-13));
    let solvers = [
        SolverSettings::Newton(Newton { meritval: 1e-14, ..Newton::default() }),
        SolverSettings::InteriorPoint(InteriorPoint { meritval: 1e-14, ..InteriorPoint::default() }),
        SolverSettings::ProximalNewton(ProximalNewton { meritval: 1e-14, ..ProximalNewton::default() }),
        SolverSettings::CorrectedSweeps(CorrectedSweeps { meritval: 1e-14, ..CorrectedSweeps::default() }),
        SolverSettings::Admm(Admm { meritval: 1e-14, ..Admm::default() }),
        SolverSettings::Auto(Auto { meritval: 1e-14 }),
    ];
    for solver in solvers {
        for (found, exact) in run(&solver).iter().zip(&exact) {
            assert_near(*found, *exact, 1e-6, solver.name());
        }
    }
}

/// Twenty unit balls hang below each other, the last of them `tip` kg heavy.
fn hanging(links: usize, tip: f64) -> World {
    let mut world = World::new(1e-3).gravity([0.0, 0.0, -10.0]);
    let density = 3.0 / (4e-3 * std::f64::consts::PI);
    let mut above: Option<u64> = None;
    for k in 1..=links {
        let z = -(k as f64);
        let mass = if k == links { tip } else { 1.0 };
        let next = world.rigid(ball([0.0, 0.0, z], 0.1), mass * density);
        match above {
            None => join(&mut world, link(), next, None, [[0.0, 0.0, z], [0.0; 3]]),
            Some(above) => join(&mut world, link(), above, Some(next), [[0.0, 0.0, z + 1.0], [0.0, 0.0, z]]),
        };
        above = Some(next);
    }
    world
}

/// The tension of a link is the weight below it; methods that see the whole chain need few iterations, and accelerated
/// sweeps a fraction of plain ones, whose number grows like the square of that of links.
#[test]
fn a_hanging_chain_carries_what_is_below() {
    for tip in [1.0, 1000.0] {
        let solvers = [
            SolverSettings::Newton(Newton { meritval: 1e-13, ..Newton::default() }),
            SolverSettings::ProximalNewton(ProximalNewton { meritval: 1e-13, ..ProximalNewton::default() }),
            SolverSettings::Admm(Admm { meritval: 1e-13, ..Admm::default() }),
            SolverSettings::Auto(Auto { meritval: 1e-13 }),
        ];
        for solver in solvers {
            let mut simulation = hanging(20, tip).simulation();
            let mut iterations = 0;
            steps(&mut simulation, &solver, 1, |_, report| {
                iterations = report.solver.iterations;
                assert!(report.warnings.is_empty(), "{}: {:?}", solver.name(), report.warnings);
            });
            assert!(iterations < 20, "tip {tip}: {} {iterations} iterations", solver.name());
            for (k, tie) in simulation.constraints().iter().enumerate() {
                let below = 10.0 * ((19 - k) as f64 + tip);
                assert_near(-tie.r.z / below, 1.0, 1e-6, solver.name());
            }
        }
    }
    let sweeps = |links, solver: &SolverSettings| {
        let mut simulation = hanging(links, 1.0).simulation();
        let mut sweeps = 0;
        steps(&mut simulation, solver, 1, |_, report| sweeps = report.solver.iterations);
        f64::from(sweeps)
    };
    let SolverSettings::GaussSeidel(accelerated) = gauss_seidel(1e-9) else { unreachable!() };
    // Relaxed sweeps are not accelerated.
    let plain = GaussSeidel { relaxation: 1.0 + 1e-15, ..accelerated.clone() };
    let (plain, accelerated) = (SolverSettings::GaussSeidel(plain), SolverSettings::GaussSeidel(accelerated));
    let plain = [10, 20, 40].map(|links| sweeps(links, &plain));
    for pair in plain.windows(2) {
        assert!((2.5..5.0).contains(&(pair[1] / pair[0])), "sweeps {plain:?}");
    }
    for (links, plain) in [10, 20, 40].into_iter().zip(plain) {
        assert!(5.0 * sweeps(links, &accelerated) < plain, "{links} links: {plain} plain sweeps");
    }
}
