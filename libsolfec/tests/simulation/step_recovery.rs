//! The choice of the step size (docs/theory.md 13).

use super::*;
use solfec::simulation::WarningKind;

/// A stiff explicit body, ω = 400 rad/s, sets the step; when it has left, the step grows back if it may.
#[test]
fn the_step_recovers_after_a_stiff_body() {
    for (recovery, after) in [(true, [3.75e-3, 5.625e-3, 8.4375e-3, 1e-2, 1e-2]), (false, [2.5e-3; 5])] {
        let mut world = World::new(1e-2);
        world.model.settings.step_recovery = recovery;
        (world.model.bulk[0].young, world.model.bulk[0].poisson) = (400.0 * 400.0 * 1000.0 / 12.0, 0.0);
        world.rigid(ball([0.0; 3], 1.0), 1.0);
        soft_cube(&mut world, [10.0, 0.0, 0.0], 1.0);
        let mut simulation = world.simulation();
        let solver = gauss_seidel(1e-6);
        let told = simulation.step(&solver).expect("a step").warnings;
        assert_eq!(told.len(), 1, "{told:?}");
        assert!(told[0].kind == WarningKind::StepLowered && told[0].text.contains("body 2"), "{told:?}");
        assert_near(simulation.take_frame().h, 2.5e-3, 1e-15, "step in the frame");
        extents(&mut simulation, [-5.0, -5.0, -5.0, 5.0, 5.0, 5.0]);
        let report = simulation.step(&solver).expect("a step");
        assert_eq!((report.bodies, report.warnings.len()), (1, 0));
        assert_near(report.h, 2.5e-3, 1e-15, "step in which the body leaves");
        for h in after {
            let report = simulation.step(&solver).expect("a step");
            assert_near(report.h, h, 1e-15, "step after it");
            assert_near(simulation.take_frame().h, h, 1e-15, "step in the frame");
        }
    }
}
