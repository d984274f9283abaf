//! A ball pressed into an elastic block (Hertz).

use solfec::load::Series;
use solfec::model::{ConstraintRow, Joint, Prescribed, ProximalNewton, SolverSettings};
use solfec_testing::run::ball;

use super::*;

/// Of the ball, and how deep it goes, so that the radius of contact is 1 [m].
const RADIUS: f64 = 20.0;
const DEPTH: f64 = 1.0 / RADIUS;
const POISSON: f64 = 0.3;

/// Force [N], and the radius of contact by the second moment of the forces [m], after ten steps; there are `n` elements in
/// the radius, which grow with the distance from it up to 20 radii away.
fn pressed(n: usize) -> [f64; 2] {
    let mut widths = vec![1.0 / n as f64; 3 * n / 2];
    while widths.iter().sum::<f64>() < 20.0 {
        widths.push(widths[widths.len() - 1] * 1.5f64.powf(4.0 / n as f64));
    }
    let (side, count): (f64, usize) = (widths.iter().sum(), widths.len());
    let deep: Vec<f64> = widths.iter().rev().copied().collect();
    let across = [deep.as_slice(), &widths].concat();
    let corners = corners([-side, -side, -side], [side, side, 0.0]);
    let counts = [2 * count, 2 * count, count];
    let mesh = Mesh::hex(&corners, counts, 1, &[1; 6], [Some(&across), Some(&across), Some(&deep)]).expect("a block");

    let mut world = world(1.0, YOUNG, POISSON);
    quasi_static(&mut world);
    let density = YOUNG / (6.0 * side).powi(2);
    world.model.bulk[0].density = density;
    let block = world.body(BodyKind::FiniteElement, &[Shape::new(mesh)], density);
    let row = &mut world.model.bodies[block as usize - 1];
    (row.form, row.scheme) = (Formulation::Corotational, Scheme::DefLim);
    let places = [-side, -0.5 * side, 0.0, 0.5 * side, side];
    for (x, y) in places.into_iter().flat_map(|x| places.map(|y| (x, y))) {
        let (joint, points) = (Joint::FixPoint { strength: f64::INFINITY }, [Vec3::new(x, y, -side); 2]);
        world.model.constraints.push(ConstraintRow { joint, master: block, slave: None, points, line: 0 });
    }
    let ball = world.obstacle(ball([0.0, 0.0, RADIUS], RADIUS));
    world.model.series.push(Series::new("", vec![0.0, 10.0], vec![0.0, -DEPTH]).expect("a ramp"));
    let joint = Joint::Drive { what: Prescribed::Displacement, direction: Vec3::z(), series: 0 };
    let points = [Vec3::new(0.0, 0.0, RADIUS); 2];
    world.model.constraints.push(ConstraintRow { joint, master: ball, slave: None, points, line: 0 });

    let mut simulation = world.simulation();
    steps(&mut simulation, &SolverSettings::ProximalNewton(ProximalNewton::default()), 10, |_, _| {});
    let forces = simulation.contacts().iter().map(|c| ((c.base * c.r).z.abs(), c.slave.point.xy().norm_squared()));
    let (force, moment) =
        forces.fold((0.0, 0.0), |(sum, moment), (force, square)| (sum + force, moment + force * square));
    [force, (2.5 * moment / force).sqrt()]
}

/// The force is `4/3 E' √(R d³)` at the depth d, the radius of contact `a³ = 3 F R/4 E'`. Each facet of the dent is borne,
/// not only those whose middle is nearest to the ball.
#[test]
fn a_ball_pressed_into_a_block_is_borne_by_the_force_of_hertz() {
    for n in [2, 4] {
        let [force, radius] = pressed(n);
        let modulus = YOUNG / (1.0 - POISSON * POISSON);
        let known = 4.0 / 3.0 * modulus * (RADIUS * DEPTH.powi(3)).sqrt();
        let errors = [force / known - 1.0, radius / (0.75 * force * RADIUS / modulus).cbrt() - 1.0].map(f64::abs);
        let n = n as f64;
        assert!(errors[0] < 0.3 / n && errors[1] < 0.24 / n, "{n} elements: {errors:?}");
    }
}
