//! Shaken walls at high accuracy: bricks stick, slide and rock in turn, and every step must meet its tolerance.

use std::f64::consts::PI;

use super::*;
use solfec::load::Series;
use solfec::model::{Auto, ConstraintRow, CorrectedSweeps, Joint, Prescribed, SolverSettings};
use solfec_testing::size::large;

const MERIT: f64 = 1e-8;
const STEPS: usize = 60;

/// A wall of `courses` of `bricks` on a base, which is shaken with `ground(t)`: as an acceleration along an axis, or as
/// the displacement of the base along the wall.
fn wall([courses, bricks]: [usize; 2], axis: Option<usize>, ground: impl Fn(f64) -> f64) -> World {
    let (l, w, t) = (0.25, 0.12, 0.065);
    let mut world = World::new(1e-3).gravity([0.0, 0.0, -9.81]).surface(|s| s.friction = 0.6);
    let times: Vec<f64> = (0..3200).map(|k| 1e-3 * k as f64).collect();
    let values = times.iter().map(|t| ground(*t)).collect();
    let ground = Series::new("ground", times, values).expect("a series");
    let base = world.obstacle(block([-0.5, -0.5, -0.2], [2.2, 0.5, 0.0], [1, 1, 1]));
    match axis {
        Some(axis) => {
            let row = world.model.settings.gravity.expect("set above")[axis];
            world.model.series[row as usize] = ground;
        }
        None => {
            let series = world.model.series.len() as u32;
            world.model.series.push(ground);
            let joint = Joint::Drive { what: Prescribed::Displacement, direction: Vec3::x(), series };
            let points = [Vec3::new(0.5, 0.0, -0.1); 2];
            world.model.constraints.push(ConstraintRow { joint, master: base, slave: None, points, line: 0 });
        }
    }
    for course in 0..courses {
        for k in 0..bricks {
            let x = k as f64 * l + (course % 2) as f64 * 0.5 * l;
            let z = course as f64 * t;
            world.rigid(block([x, -0.5 * w, z], [x + l, 0.5 * w, z + t], [2, 2, 1]), 1800.0);
        }
    }
    world
}

/// Runs the wall under AUTO and corrected sweeps; no step may miss the tolerance.
fn meets_tolerance(world: &World) {
    let corrected = CorrectedSweeps { meritval: MERIT, ..CorrectedSweeps::default() };
    for solver in [SolverSettings::Auto(Auto { meritval: MERIT }), SolverSettings::CorrectedSweeps(corrected)] {
        meets_it_under(&solver, world, STEPS);
    }
}

fn meets_it_under(solver: &SolverSettings, world: &World, steps: usize) {
    let mut simulation = world.simulation();
    for k in 0..steps {
        let report = simulation.step(solver).expect("a step");
        assert!(report.solver.merit <= MERIT, "step {k}: merit {:e}", report.solver.merit);
    }
}

#[test]
fn a_wall_shaken_along_its_plane_meets_the_tolerance_at_every_step() {
    meets_tolerance(&wall([4, 3], Some(0), |t| 12.0 * (100.0 * t).sin()));
}

#[test]
fn a_wall_on_a_moved_base_meets_the_tolerance_at_every_step() {
    meets_tolerance(&wall([4, 3], None, |t| 12.0 / 1e4 * (100.0 * t).sin()));
}

/// Shaken at 0.8 g the wall slides and rocks; now and then nothing but thousands of alternating directions solves a
/// step. SF_LARGE=1: three seconds of it.
#[test]
fn a_wall_that_slides_and_rocks_meets_the_tolerance_at_every_step() {
    let ground = |t: f64| 0.05 * (t / 0.5).min(1.0).powi(2) * (4.0 * PI * t).sin();
    let steps = if large() { 3000 } else { 600 };
    meets_it_under(&SolverSettings::Auto(Auto { meritval: MERIT }), &wall([10, 6], None, ground), steps);
}
