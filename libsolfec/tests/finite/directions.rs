//! Fixed directions along axes of space, where bodies answer along these axes alone.

use solfec::load::Series;
use solfec::math::{exp_map, Mat3};
use solfec::model::{Auto, ConstraintRow, Joint, Newton, Prescribed, SolverSettings};

use super::*;

/// Spatial reactions and velocities of all constraints, and the velocities of the nodes.
type Found = (Vec<(Vec3, Vec3)>, Vec<Vec3>);

/// A block whose faces at x = 0 and y = 0 are fixed in their normal direction and whose lower corner is fixed, sheared by
/// its weight while two points of its upper face, of which one is a node, are driven down; all of it turned.
fn pressed(turn: &Mat3, analysis: Analysis, form: Formulation, count: [usize; 3], solver: &SolverSettings) -> Found {
    let gravity = turn * Vec3::new(3.0, 2.0, -5.0);
    let mut world = world(0.01, YOUNG, 0.3).gravity(gravity.into());
    world.model.analysis = analysis;
    let mut shape = block([0.0; 3], [1.0, 1.0, 1.0], count);
    let nodes = nodes_of(&shape);
    shape.rotation = *turn;
    let body = finite(&mut world, shape, form, Scheme::DefLim);
    let mut join = |joint, point: Vec3| {
        let points = [turn * point; 2];
        world.model.constraints.push(ConstraintRow { joint, master: body, slave: None, points, line: 0 });
    };
    join(Joint::FixPoint { strength: f64::INFINITY }, Vec3::zeros());
    for (axis, direction) in [Vec3::x(), -Vec3::y()].into_iter().enumerate() {
        for node in nodes.iter().filter(|x| x[axis] == 0.0 && x.norm() > 0.0) {
            join(Joint::FixDirection { direction: turn * direction }, *node);
        }
    }
    for point in [Vec3::new(1.0, 1.0, 1.0), Vec3::new(0.43, 0.71, 1.0)] {
        let direction = turn * Vec3::new(0.0, 0.0, -1.0);
        join(Joint::Drive { what: Prescribed::Velocity, direction, series: 3 }, point);
    }
    world.model.series.push(Series::constant(0.1));
    let mut simulation = world.simulation();
    steps(&mut simulation, solver, 4, |_, _| {});
    let of = |c: &solfec::constraint::Constraint| (turn.tr_mul(&(c.base * c.r)), turn.tr_mul(&(c.base * c.u)));
    let constraints = simulation.constraints().iter().map(of).collect();
    (constraints, velocities(&simulation, body).iter().map(|v| turn.tr_mul(v)).collect())
}

/// What is found does not depend on whether the directions are along axes of space.
#[test]
fn blocks_move_alike_with_directions_along_axes_and_across() {
    let turn = exp_map(&Vec3::new(0.3, -0.5, 0.9));
    let newton = SolverSettings::Newton(Newton { meritval: 1e-22, ..Newton::default() });
    let auto = SolverSettings::Auto(Auto { meritval: 1e-20 });
    // The faces of the first have fewer nodes than 64, those of the second more.
    for (count, solver) in [([3, 3, 3], &gauss_seidel(1e-12)), ([5, 5, 6], &newton), ([5, 5, 6], &auto)] {
        for analysis in [Analysis::Dynamic, Analysis::QuasiStatic] {
            for form in [Formulation::TotalLagrangian, Formulation::Corotational] {
                let run = |turn: &Mat3| pressed(turn, analysis, form, count, solver);
                let (straight, turned) = (run(&Mat3::identity()), run(&turn));
                let name = format!("{} {analysis:?} {form:?}", solver.name());
                let largest = |x: &mut dyn Iterator<Item = Vec3>| x.map(|x| x.norm()).fold(0.0, f64::max);
                let scales =
                    [largest(&mut straight.0.iter().map(|(r, _)| *r)), largest(&mut straight.1.iter().copied())];
                assert!(scales.iter().all(|scale| *scale > 0.01), "{name}: {scales:?}");
                for (k, ((r, u), (other, v))) in straight.0.iter().zip(&turned.0).enumerate() {
                    assert!((r - other).norm() < 1e-6 * scales[0], "{name}: reaction {k}: {r} {other}");
                    assert!((u - v).norm() < 1e-6 * scales[1], "{name}: velocity of {k}: {u} {v}");
                }
                for (v, other) in straight.1.iter().zip(&turned.1) {
                    assert!((v - other).norm() < 1e-6 * scales[1], "{name}: velocity of a node: {v} {other}");
                }
            }
        }
    }
}
