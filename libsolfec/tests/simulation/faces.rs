//! Bodies that rest on faces with several contact points.

use super::*;
use solfec::load::Series;
use solfec::model::{Auto, CorrectedSweeps, GaussSeidel, InteriorPoint, Newton, SolverSettings};
use solfec::shape::{Convex, Geometry, Shape};
use solfec::simulation::{Warning, WarningKind};
use solfec_testing::size::large;
use solfec_testing::world::corners;

/// A brick by HULL: one convex part.
fn brick(low: [f64; 3], high: [f64; 3]) -> Shape {
    Shape::new(Geometry::Convex(Convex::hull(&corners(low, high), 1, 1).expect("a brick")))
}

fn kinetic(simulation: &Simulation) -> f64 {
    simulation.bodies().energy_total()[solfec::body::KINETIC]
}

/// A pier of ten bricks, each one convex part, for 2000 steps, with SF_LARGE=1 for 10⁵.
#[test]
fn a_pier_of_bricks_rests() {
    let count = if large() { 100_000 } else { 2000 };
    let (l, w, h) = (0.25, 0.12, 0.065);
    let mut world = World::new(1e-3).gravity([0.0, 0.0, -9.81]).surface(|s| s.friction = 0.6);
    world.model.settings.contact_points = 4;
    world.obstacle(brick([-0.5, -0.5, -0.2], [0.5, 0.5, 0.0]));
    for k in 0..10 {
        let z = f64::from(k) * h;
        world.rigid(brick([-l / 2.0, -w / 2.0, z], [l / 2.0, w / 2.0, z + h]), 1800.0);
    }
    let mut simulation = world.simulation();
    let weight_times_height = 10.0 * 1800.0 * l * w * h * 9.81 * 10.0 * h;
    steps(&mut simulation, &gauss_seidel(1e-8), count, |s, r| {
        assert_eq!(r.contacts, 40, "contacts at step {}", s.steps());
        let energy = kinetic(s) / weight_times_height;
        assert!(energy < 1e-12, "kinetic energy {energy:e} m g H at step {}", s.steps());
    });
}

/// Pushed by a tenth of its weight, a cube of one convex part rests on four points and turns about one.
#[test]
fn a_pushed_cube_rests_on_four_points() {
    let after = |points: u32| {
        let mut world = World::new(1e-3).gravity([0.981, 0.0, -9.81]).surface(|s| s.friction = 0.6);
        world.model.settings.contact_points = points;
        world.obstacle(brick([-2.0, -2.0, -1.0], [2.0, 2.0, 0.0]));
        world.rigid(brick([-0.5, -0.5, 0.0], [0.5, 0.5, 1.0]), 1000.0);
        let mut simulation = world.simulation();
        let mut most = 0.0_f64;
        steps(&mut simulation, &gauss_seidel(1e-8), 500, |s, _| most = most.max(kinetic(s) / 9810.0));
        (most, simulation.one_point_warnings(&simulation.present_gravity(), |_| false))
    };
    let ((one, told), (four, silence)) = (after(1), after(4));
    assert!(four < 1e-12, "on four points: {four:e} m g H");
    assert!(one > 1e-8, "on one point: {one:e} m g H");
    let text = "body 2 rests on one contact point: it can tip; use CONTACT_POINTS(solfec, 4)";
    assert_eq!(told, [Warning { kind: WarningKind::OnePoint, text: text.to_string() }]);
    assert_eq!(silence, []);
}

/// A cube of 1000 kg hangs by four bonds of 5 kN under a weight that grows by 40 kN a second. How reactions are
/// distributed among them is the solver's choice, and some may be at a limit before the others; all break at 0.5 s.
#[test]
fn bonds_of_a_face_break_together_at_their_strength() {
    let solvers = [
        SolverSettings::Auto(Auto::default()),
        SolverSettings::GaussSeidel(GaussSeidel::new(1e-4, 1000)),
        SolverSettings::Newton(Newton::default()),
        SolverSettings::InteriorPoint(InteriorPoint::default()),
        SolverSettings::CorrectedSweeps(CorrectedSweeps::default()),
    ];
    for solver in solvers {
        for pull in [[0.0, 0.0, -40.0], [5.0, 3.0, -40.0]] {
            let mut world = World::new(1e-3).gravity([0.0; 3]).surface(|s| (s.friction, s.cohesion) = (0.5, 2e4));
            for (series, pull) in world.model.series.iter_mut().zip(pull) {
                *series = Series::new("", vec![0.0, 1.0], vec![0.0, pull]).expect("a ramp");
            }
            world.model.settings.contact_points = 4;
            world.obstacle(brick([-1.0, -1.0, 0.0], [2.0, 2.0, 1.0]));
            world.rigid(brick([0.0, 0.0, -1.0], [1.0, 1.0, 0.0]), 1000.0);
            let mut simulation = world.simulation();
            let mut broken = Vec::new();
            steps(&mut simulation, &solver, 600, |s, r| {
                let left = s.contacts().iter().filter(|c| c.cohesion > 0.0).count();
                broken.extend((broken.len()..4 - left).map(|_| r.time));
            });
            // A pull aside bends the bond: it breaks a little earlier.
            let range = if pull[0] == 0.0 { 0.499..0.503 } else { 0.35..0.5 };
            assert!(broken.len() == 4 && broken.iter().all(|t| range.contains(t)), "{}: {broken:?}", solver.name());
        }
    }
}

/// A block of width b and height h tips on a slope of tan a > b / h; friction does not let it slide.
#[test]
fn a_block_tips_at_the_right_angle() {
    let (b, h) = (0.2_f64, 0.4);
    let after_a_second = |slope: f64| {
        let (sine, cosine) = (slope.atan().sin(), slope.atan().cos());
        let mut world = World::new(1e-3).gravity([9.81 * sine, 0.0, -9.81 * cosine]).surface(|s| s.friction = 2.0);
        world.model.settings.contact_points = 4;
        world.obstacle(brick([-1.0, -1.0, -0.1], [1.0, 1.0, 0.0]));
        world.rigid(brick([-b / 2.0, -0.1, 0.0], [b / 2.0, 0.1, h]), 2000.0);
        let mut simulation = world.simulation();
        steps(&mut simulation, &gauss_seidel(1e-10), 1000, |_, _| {});
        kinetic(&simulation) / (2000.0 * b * 0.2 * h * 9.81 * h)
    };
    let (below, above) = (after_a_second(0.999 * b / h), after_a_second(1.001 * b / h));
    assert!(below < 1e-14, "it should stand: {below:e} m g h");
    assert!(above > 1e-6, "it should tip: {above:e} m g h");
}
