//! The error of FCLIB and Siconos.

use solfec::math::Vec3;
use solfec::solver::siconos_error;

use solfec_testing::near::near;
use solfec_testing::near::near as close;
use solfec_testing::problems::{example, single, sliding_reaction};

/// The sliding contact at `R = 0`: the projection is on the face of the cone, with `|p| = 2/√1.09`.
#[test]
fn of_one_contact() {
    let b = Vec3::new(1.0, 0.5, -2.0);
    let mut op = single(example(), b);
    let mut u = [Vec3::zeros()];
    let error = siconos_error(&mut op, &[0.3], &[Vec3::zeros()], &mut u);
    close(&u[0], &b, 0.0);
    near(error.absolute, 2.0 / 1.09_f64.sqrt(), 1e-15);
    near(error.relative, error.absolute / b.norm(), 1e-15);
    near(error.over_q, error.absolute / b.norm(), 1e-15);

    let error = siconos_error(&mut op, &[0.3], &[sliding_reaction()], &mut u);
    assert!(error.relative < 1e-12);
    // |r| > |q| > |u| here, so that the two measures differ.
    near(error.over_q / error.relative, sliding_reaction().norm() / b.norm(), 1e-12);
}

#[test]
fn without_scale_nothing_is_divided() {
    let mut op = single(example(), Vec3::zeros());
    let error = siconos_error(&mut op, &[0.3], &[Vec3::zeros()], &mut [Vec3::zeros()]);
    assert_eq!((error.absolute, error.relative, error.over_q), (0.0, 0.0, 0.0));
}
