//! Springs.

use super::*;
use solfec::ids::BodyIndex;
use solfec::load::{Call, UserFunctions};
use solfec::model::{SpringAxis, SpringLaw};
use solfec::simulation::{Nothing, Outside, Run, WarningKind};
use solfec::solver::External;
use solfec::Result;
use solfec_testing::affine::motion;

pub const FREE: [f64; 2] = [f64::NEG_INFINITY, f64::INFINITY];

/// A unit cube at x = 2 tied along x to an obstacle at x = −2; stroke 0 there, so that its stroke is its displacement.
pub fn tied(h: f64, law: SpringLaw, axis: SpringAxis, limits: [f64; 2]) -> World {
    let mut world = World::new(h);
    let wall = world.obstacle(block([-3.0, -1.0, -1.0], [-2.0, 1.0, 1.0], [1, 1, 1]));
    let body = cube(&mut world, [2.0, 0.0, 0.0], 0.5, 1.0);
    let spring = Joint::Spring { law, axis, limits };
    join(&mut world, spring, wall, Some(body), [[-2.0, 0.0, 0.0], [2.0, 0.0, 0.0]]);
    world
}

pub fn linear(stiffness: f64, damping: f64) -> SpringLaw {
    SpringLaw::Linear { stiffness, damping }
}

pub fn along_x() -> SpringAxis {
    SpringAxis::Fixed(Vec3::x())
}

/// The simulation with the body moving at `v` along x.
pub fn moving(world: &World, v: f64) -> Simulation {
    let mut simulation = world.simulation();
    launch(&mut simulation, 2, [v, 0.0, 0.0], [0.0; 3]);
    simulation
}

/// A function of the deck, evaluated here: what it was asked, and how often.
struct Deck<F> {
    outside: Nothing,
    function: F,
    batches: usize,
}

impl<F: FnMut(f64, f64) -> f64> UserFunctions for Deck<F> {
    fn values(&mut self, calls: &[Call]) -> Result<Vec<Vec<f64>>> {
        self.batches += 1;
        let value = |call: &Call| match call {
            Call::Spring { stroke, rate, .. } => vec![(self.function)(*stroke, *rate)],
            other => panic!("{other:?}"),
        };
        Ok(calls.iter().map(value).collect())
    }
}

impl<F: FnMut(f64, f64) -> f64> Outside for Deck<F> {
    fn external(&mut self) -> &mut dyn External {
        self.outside.external()
    }
}

fn deck<F: FnMut(f64, f64) -> f64>(function: F) -> Deck<F> {
    Deck { outside: Nothing::default(), function, batches: 0 }
}

const FUNCTION: SpringLaw = SpringLaw::Function { function: 0 };

/// A function, a table and the built-in law of the same spring are the same spring.
#[test]
fn functions_tables_and_numbers_agree() {
    let solver = gauss_seidel(1e-14);
    let world = tied(0.01, linear(100.0, 0.5), along_x(), FREE);
    let mut built_in = moving(&world, 1.0);
    let world = tied(0.01, FUNCTION, along_x(), FREE);
    let mut function = moving(&world, 1.0);
    let mut outside = deck(|stroke, rate| -100.0 * stroke - 0.5 * rate);
    for _ in 0..300 {
        built_in.step(&solver).expect("a step");
        function.step_with(&solver.clone().into(), &mut outside).expect("a step");
        assert_near(center(&function, 2).x, center(&built_in, 2).x, 1e-12, "place");
    }
    // Once it knows that the law is linear, a step asks once.
    assert!(outside.batches <= 300 + 10, "{} batches", outside.batches);

    let mut world = tied(0.01, linear(100.0, 0.0), along_x(), FREE);
    let mut built_in = moving(&world, 1.0);
    let table = series(&mut world, &[[-1.0, 100.0], [1.0, -100.0]]);
    let law = SpringLaw::Table { series: table };
    world.model.constraints[0].joint = Joint::Spring { law, axis: along_x(), limits: FREE };
    let mut tabular = moving(&world, 1.0);
    for _ in 0..300 {
        built_in.step(&solver).expect("a step");
        tabular.step(&solver).expect("a step");
        assert_near(center(&tabular, 2).x, center(&built_in, 2).x, 1e-12, "place");
    }
}

/// The law holds at the middle of every step for a stiff cubic spring with damping, far beyond what an explicit rule
/// would bear, and in few evaluations.
#[test]
fn a_stiff_law_is_met() {
    let law = |stroke: f64, rate: f64| -1e7 * stroke.powi(3) - 1e3 * stroke - 200.0 * rate.abs() * rate;
    let h = 0.01;
    let world = tied(h, FUNCTION, SpringAxis::Follow, FREE);
    let mut simulation = moving(&world, 3.0);
    let mut outside = deck(law);
    let mut most = 0;
    for n in 0..500 {
        let before = outside.batches;
        let report = simulation.step_with(&gauss_seidel(1e-14).into(), &mut outside).expect("a step");
        assert!(report.warnings.is_empty(), "step {n}: {:?}", report.warnings);
        most = most.max(outside.batches - before);
        let t = tie(&simulation, 0);
        let stroke = t.moved.z + 0.25 * h * (t.u.z - t.v.z);
        let wanted = law(stroke, 0.5 * (t.u.z + t.v.z));
        assert_near(t.r.z, wanted, 2e-9 * wanted.abs().max(1.0), "force");
    }
    assert!(most <= 20, "{most} evaluations");
    assert!(velocity(&simulation, 2).norm() < 1.0, "it has lost energy");
}

/// A table with a stop in it: soft, then a thousand times as stiff.
#[test]
fn kinks_do_not_stop_the_search() {
    let points = [[-2.0, 2e6], [-0.101, 1001.0], [-0.1, 1.0], [0.1, -1.0], [0.101, -1001.0], [2.0, -2e6]];
    let mut world = tied(2e-4, linear(0.0, 0.0), SpringAxis::Follow, FREE);
    let law = SpringLaw::Table { series: series(&mut world, &points) };
    world.model.constraints[0].joint = Joint::Spring { law, axis: SpringAxis::Follow, limits: FREE };
    let mut simulation = moving(&world, 2.0);
    steps(&mut simulation, &gauss_seidel(1e-14), 5000, |s, report| {
        assert!(report.warnings.is_empty(), "{:?}", report.warnings);
        let x = center(s, 2).x - 2.0;
        assert!(x.abs() < 0.11, "it stays between the stops: {x}");
    });
    assert_near(velocity(&simulation, 2).x.abs(), 2.0, 0.1, "speed");
}

/// Stops take the momentum, and let go.
#[test]
fn limits_stop_the_stroke() {
    let h = 1e-3;
    for sign in [1.0, -1.0] {
        let world = tied(h, linear(10.0, 0.0), SpringAxis::Follow, [-0.2, 0.2]);
        let mut simulation = moving(&world, 2.0 * sign);
        let (mut most, mut least) = (0.0_f64, 0.0_f64);
        steps(&mut simulation, &gauss_seidel(1e-14), 2000, |s, _| {
            let x = sign * (center(s, 2).x - 2.0);
            (most, least) = (most.max(x), least.min(x));
        });
        assert!((0.2 - 2.0 * h..0.2 + 1e-12).contains(&most), "{most}");
        // From rest at the stop the spring alone moves it on: no further than the other side.
        assert!((-0.2 - 1e-12..-0.199).contains(&least), "{least}");
    }
}

/// A ball on a tether, a stop without a spring, that turns at 5 rad/s: the tether is longer by `h²/2` times the
/// centripetal acceleration at most, 25 m/s², and the ball does not slow down.
#[test]
fn a_stop_holds_while_its_spring_turns() {
    let stretched = |h: f64| {
        let mut world = World::new(h);
        let post = world.obstacle(block([-0.1; 3], [0.1; 3], [1, 1, 1]));
        let body = world.rigid(ball([1.0, 0.0, 0.0], 0.1), 1000.0);
        let spring = Joint::Spring { law: linear(0.0, 0.0), axis: SpringAxis::Follow, limits: [-0.5, 0.0] };
        join(&mut world, spring, post, Some(body), [[0.0; 3], [1.0, 0.0, 0.0]]);
        let mut simulation = world.simulation();
        launch(&mut simulation, body, [0.0, 5.0, 0.0], [0.0; 3]);
        let mut farthest = 0.0_f64;
        steps(&mut simulation, &gauss_seidel(1e-14), (5.0 / h) as usize, |s, _| {
            farthest = farthest.max(tie(s, 0).moved.z);
        });
        assert_near(velocity(&simulation, body).norm(), 5.0, 5.0 * (5.0 * h).powi(2), "speed");
        farthest
    };
    for h in [1e-2, 5e-3] {
        let found = stretched(h) / (12.5 * h * h);
        assert!((0.9..1.1).contains(&found), "{h}: {found}");
    }
}

/// The axis is carried by the body it is given to.
#[test]
fn axes_are_convected() {
    let turn = 0.5;
    for (axis, turning) in [(SpringAxis::Master(Vec3::x()), 1), (SpringAxis::Slave(Vec3::x()), 2)] {
        let world = tied(0.01, linear(0.0, 0.0), axis, FREE);
        let mut simulation = world.simulation();
        launch(&mut simulation, turning, [0.0; 3], [0.0, 0.0, turn]);
        steps(&mut simulation, &gauss_seidel(1e-14), 100, |s, report| {
            let angle = turn * (report.time - 0.005);
            let d = -tie(s, 0).base.column(2).into_owned();
            assert!((d - Vec3::new(angle.cos(), angle.sin(), 0.0)).norm() < 1e-12);
        });
    }
}

/// Springs in series between bodies of different mass, all functions of the deck, share one batch.
#[test]
fn a_chain_of_functions_is_one_batch() {
    let mut world = World::new(0.005).gravity([0.0, 0.0, -10.0]);
    let mut last = world.obstacle(block([-1.0, -1.0, 0.5], [1.0, 1.0, 1.5], [1, 1, 1]));
    for k in 0..5 {
        let z = -2.0 * f64::from(k) - 1.0;
        let body = cube(&mut world, [0.0, 0.0, z], 0.5, 1.0);
        let spring = Joint::Spring { law: FUNCTION, axis: SpringAxis::Follow, limits: FREE };
        join(&mut world, spring, last, Some(body), [[0.0, 0.0, z + 1.5], [0.0, 0.0, z + 0.5]]);
        last = body;
    }
    let mut simulation = world.simulation();
    let mut outside = deck(|stroke, rate| -2000.0 * stroke.sinh() - 40.0 * rate);
    for _ in 0..4000 {
        simulation.step_with(&gauss_seidel(1e-13).into(), &mut outside).expect("a step");
    }
    assert!(outside.batches < 4000 * 8, "{} batches", outside.batches);
    for k in 0..5 {
        assert_near(tie(&simulation, k).r.z, -10.0 * f64::from(5 - k), 1e-3, "what hangs below");
    }
}

/// Errors of the user's function are reported with its spring; the step is not made.
#[test]
fn bad_functions_are_told() {
    let world = tied(0.01, FUNCTION, along_x(), FREE);
    let mut simulation = moving(&world, 1.0);
    let before = center(&simulation, 2);
    let error = simulation.step_with(&gauss_seidel(1e-9).into(), &mut deck(|_, _| f64::NAN)).expect_err("NaN");
    assert!(error.to_string().contains("PUT_SPRING") && error.to_string().contains("NaN"), "{error}");
    let error = simulation.step(&gauss_seidel(1e-9)).expect_err("nobody to ask");
    assert!(error.to_string().contains("run the deck itself"), "{error}");
    assert_eq!(center(&simulation, 2), before);
    // A force that grows with its rate faster than the body can follow.
    let report = simulation.step_with(&gauss_seidel(1e-9).into(), &mut deck(|_, rate| 1e4 * rate)).expect("a step");
    assert!(
        report.warnings.iter().any(|w| w.kind == WarningKind::Spring && w.text.contains("smaller step")),
        "{:?}",
        report.warnings
    );
}

/// In quasi-statics a spring finds the place where it carries the load.
#[test]
fn quasi_static_springs_settle() {
    let mut world = tied(1.0, linear(0.0, 0.0), SpringAxis::Follow, FREE).gravity([10.0, 0.0, 0.0]);
    world.model.analysis = solfec::model::Analysis::QuasiStatic;
    for law in [linear(100.0, 0.0), FUNCTION] {
        world.model.constraints[0].joint = Joint::Spring { law, axis: SpringAxis::Follow, limits: FREE };
        let mut simulation = world.simulation();
        let mut outside = deck(|stroke, _| -100.0 * stroke);
        let solver: SolverSettings = gauss_seidel(1e-14);
        let mut run = Run::new(&mut simulation, solver, 20.0);
        while run.advance(&mut simulation, &mut outside).expect("a moment") != solfec::simulation::Moment::Done {}
        assert_near(center(&simulation, 2).x, 2.1, 1e-9, "place");
        assert_near(tie(&simulation, 0).r.z, -10.0, 1e-6, "force");
    }
}

/// Two free cubes that turn, on a spring whose axis one of them carries: energy stays, and the function is told the
/// rate at which the stroke changes.
#[test]
fn convected_springs_keep_energy() {
    let h = 1e-3;
    let points = [[0.3, 0.2, 0.1], [2.0, -0.3, 0.2]];
    for axis in [SpringAxis::Master(Vec3::x()), SpringAxis::Slave(Vec3::x())] {
        let mut world = World::new(h);
        let [a, b] = [0.0, 2.0].map(|x| cube(&mut world, [x, 0.0, 0.0], 0.5, 1.0));
        world.model.settings.excluded_bodies.push([a, b]);
        join(&mut world, Joint::Spring { law: FUNCTION, axis, limits: FREE }, a, Some(b), points);
        let mut simulation = world.simulation();
        launch(&mut simulation, a, [0.0, 0.1, 0.0], [0.2, 0.3, 1.0]);
        launch(&mut simulation, b, [0.5, 0.0, 0.1], [0.1, -0.2, 0.4]);
        let stroke = |s: &Simulation| {
            let [m, n] = [0, 1].map(|i| motion(s.bodies(), BodyIndex(i as u32)));
            let carrier = if matches!(axis, SpringAxis::Master(_)) { m } else { n };
            (carrier.f * Vec3::x()).dot(&(n.point(&points[1].into()) - m.point(&points[0].into())))
        };
        let start = stroke(&simulation);
        let energy = |s: &Simulation| total_energy(s)[0] + 5.0 * (stroke(s) - start).powi(2);
        let before = energy(&simulation);
        let mut last = start;
        for _ in 0..5000 {
            let mut told = 0.0;
            let mut outside = deck(|stroke: f64, rate: f64| {
                told = rate;
                -10.0 * stroke
            });
            simulation.step_with(&gauss_seidel(1e-14).into(), &mut outside).expect("a step");
            let now = stroke(&simulation);
            assert_near(told.abs(), ((now - last) / h).abs(), 1e-5, "rate");
            last = now;
            assert_near(energy(&simulation), before, 1e-4 * before, "energy");
        }
    }
}

/// Dry friction jumps where the motion stops: the body stops, and stays.
#[test]
fn a_jump_of_the_law_is_met() {
    let world = tied(0.01, FUNCTION, along_x(), FREE);
    let mut simulation = moving(&world, 1.02);
    let sign = |x: f64| if x == 0.0 { 0.0 } else { x.signum() };
    let mut outside = deck(|_, rate| -5.0 * sign(rate));
    for n in 1..=100 {
        let before = outside.batches;
        let report = simulation.step_with(&gauss_seidel(1e-14).into(), &mut outside).expect("a step");
        assert_eq!(report.solver.status, solfec::solver::Status::Converged, "step {n}");
        assert!(report.warnings.is_empty(), "step {n}: {:?}", report.warnings);
        let v = velocity(&simulation, 2).x;
        assert!(outside.batches - before <= 50, "step {n}: {} evaluations", outside.batches - before);
        match n {
            ..=20 => assert_near(v, 1.02 - 0.05 * f64::from(n), 1e-9, "velocity"),
            _ => assert!(v.abs() < 1e-6, "step {n}: {v}"),
        }
    }
}

/// Friction under a load: it holds what it can, and lets slide what it cannot, also through a turn of the motion.
#[test]
fn dry_friction_holds_or_slides() {
    for (pull, slides) in [(3.0, 0.0), (8.0, 3.0)] {
        let world = tied(0.01, FUNCTION, along_x(), FREE).gravity([pull, 0.0, 0.0]);
        let mut simulation = moving(&world, -0.313);
        let mut outside = deck(|_, rate| if rate == 0.0 { 0.0 } else { -5.0 * rate.signum() });
        let mut last = 0.0;
        for n in 1..=100 {
            let report = simulation.step_with(&gauss_seidel(1e-14).into(), &mut outside).expect("a step");
            assert_eq!(report.solver.status, solfec::solver::Status::Converged, "step {n}");
            let v = velocity(&simulation, 2).x;
            if n > 10 {
                assert!(slides > 0.0 || v.abs() < 1e-12, "step {n}: {v}");
                assert_near(v - last, 0.01 * slides, 1e-9, "change of velocity");
            }
            last = v;
        }
    }
}
