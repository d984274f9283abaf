//! Quasi-statics: equilibria and the way to them.

use solfec::load::Series;
use solfec::model::{ConstraintRow, Joint, LoadKind, LoadRow, Newton, SolverSettings};

use super::*;

/// Opposite faces of a cube pulled with 1 N: after n increments of h² ω² = 0.4 the strain is ε (1 − 1.4⁻ⁿ).
#[test]
fn increments_approach_the_stretch_of_a_pulled_cube() {
    for form in [Formulation::TotalLagrangian, Formulation::Corotational] {
        let mut world = world(0.01, YOUNG, 0.0);
        quasi_static(&mut world);
        let body = finite(&mut world, block([0.0; 3], [1.0; 3], [1; 3]), form, Scheme::DefLim);
        for (surface, value) in [(2, 0), (4, 1)] {
            world.model.series.push(Series::constant(1.0));
            world.model.loads.push(LoadRow {
                body,
                kind: LoadKind::Pressure { surface, value, follower: false },
                line: 0,
            });
        }
        let mut simulation = world.simulation();
        for n in 1..=5 {
            steps(&mut simulation, &gauss_seidel(1e-6), 1, |_, _| {});
            let u = displacements(&simulation, body);
            let (low, high) = u.iter().fold((0.0f64, 0.0f64), |(low, high), u| (low.min(u.x), high.max(u.x)));
            let expected = 1e-6 * (1.0 - 1.4f64.powi(-n));
            assert_near(high - low, expected, 1e-11, "strain");
        }
    }
}

/// Tip of a clamped beam of 10×1×1 under its weight, one layer of N = 20 hexahedra along: about
/// (q L⁴/8EI + q L²/2GA) / (1 + ½ (l/b)²), with loads lumped to the nodes 1.3433333e-3 m for q = 1 N/m, E = 1e7, ν = 0.
#[test]
fn a_beam_bends_under_its_weight() {
    let mut world = world(10.0, 1e7, 0.0).gravity([0.0, 0.0, -1e-3]);
    quasi_static(&mut world);
    let form = Formulation::TotalLagrangian;
    let body = finite(&mut world, block([0.0; 3], [10.0, 1.0, 1.0], [20, 1, 1]), form, Scheme::DefLim);
    for (y, z) in [(0.0, 0.0), (1.0, 0.0), (0.0, 1.0), (1.0, 1.0)] {
        let joint = Joint::FixPoint { strength: f64::INFINITY };
        let points = [Vec3::new(0.0, y, z); 2];
        world.model.constraints.push(ConstraintRow { joint, master: body, slave: None, points, line: 0 });
    }
    let mut simulation = world.simulation();
    let solver = SolverSettings::Newton(Newton { meritval: 1e-22, ..Newton::default() });
    steps(&mut simulation, &solver, 8, |_, _| {});
    // The mean over the four nodes of the end, which turns.
    let nodes = nodes_of(&world.model.shape(0));
    let at_end = displacements(&simulation, body).into_iter().zip(nodes).filter(|(_, x)| x.x > 9.999);
    let tip: f64 = at_end.map(|(u, _)| 0.25 * u.z).sum();
    assert_near(-tip, 1.343_333_3e-3, 2e-10, "tip");
}
