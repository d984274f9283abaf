//! Quasi-statics: equilibria and the way to them.

use solfec::load::Series;
use solfec::model::{LoadKind, LoadRow};

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
            world.model.loads.push(LoadRow { body, kind: LoadKind::Pressure { surface, value }, line: 0 });
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
