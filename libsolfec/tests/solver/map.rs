//! The velocity equation of one contact, its smoothing and its derivatives (docs/theory.md 7.5–7.7).

use solfec_testing::near::near as close;
use solfec_testing::problems::*;

use solfec::math::{Mat3, Vec3};
use solfec::solver::map::{jacobian, residual};
use solfec::solver::{project, velocity_map};

/// `m(S)` and `Y` at friction ½: with `U = 0` and no smoothing `S = R` and `C = m(S)`.
fn smoothed(s: Vec3) -> (Vec3, Mat3) {
    let still = Vec3::zeros();
    (residual(&still, &s, 0.5, 1.0, 0.0), jacobian(&still, &s, 0.5, 1.0, 0.0).1)
}

#[test]
fn values_of_the_cone_map() {
    let (inside, y) = smoothed(Vec3::new(0.1, 0.2, 1.0));
    assert_eq!((inside, y), (Vec3::zeros(), Mat3::zeros()));
    let s = Vec3::new(0.1, 0.2, -1.0);
    let (polar, y) = smoothed(s);
    close(&polar, &s, 1e-16);
    assert!((y - Mat3::identity()).amax() < 1e-15, "{y}");
    let s = Vec3::new(3.0, 4.0, 2.0);
    let (between, y) = smoothed(s);
    close(&between, &Vec3::new(1.92, 2.56, -1.6), 1e-15);
    let expected = Mat3::new(0.6976, 0.0768, -0.24, 0.0768, 0.7424, -0.32, -0.24, -0.32, 0.2);
    assert!((y - expected).amax() < 1e-15, "{y}");
    close(&project(&s, 0.5), &Vec3::new(1.08, 1.44, 3.6), 1e-15);
    close(&project(&-Vec3::z(), 0.0), &Vec3::zeros(), 0.0);
    // The zero set does not depend on the scale.
    let (u, r) = (Vec3::new(0.778258641686, 0.217888670299, 0.0), sliding_reaction());
    for lambda in [1e-6, 1.0, 1e6] {
        let c = residual(&u, &r, 0.3, lambda, 0.0);
        close(&(c / f64::max(lambda, 1.0)), &Vec3::zeros(), 1e-11);
        assert!((c - velocity_map(&u, &r, 0.3, lambda)).amax() <= 1e-15 * lambda.max(1.0));
    }
}

#[test]
fn derivatives_of_the_cone_map() {
    let random = &mut Random(45);
    let (omega, step) = (1e-2, 1e-6);
    for k in 0..200 {
        let mu = [0.0, 0.3, 1.0, 2.0][k % 4];
        let lambda = [1.0, 0.5, 3.0][k % 3];
        let (u, r) = (random.vector(), random.vector());
        let (x, y) = jacobian(&u, &r, mu, lambda, omega);
        for i in 0..3 {
            let d = Vec3::ith(i, step);
            let by_u = residual(&(u + d), &r, mu, lambda, omega) - residual(&(u - d), &r, mu, lambda, omega);
            let by_r = residual(&u, &(r + d), mu, lambda, omega) - residual(&u, &(r - d), mu, lambda, omega);
            close(&(by_u / (2.0 * step)), &x.column(i).into(), 1e-5);
            close(&(by_r / (2.0 * step)), &(lambda * y.column(i)), 1e-5);
        }
    }
}

/// Where the formulas read 0/0 the values are those of a small smoothing, or of its limit.
#[test]
fn limits_of_the_smoothing_are_taken() {
    let apex = Mat3::identity() * 0.5;
    for mu in [0.3, 1.0, 2.0] {
        let (x, y) = jacobian(&Vec3::zeros(), &Vec3::zeros(), mu, 1.0, 0.0);
        assert!((y - apex).amax() < 1e-16 && (x - apex).amax() < 1e-16, "μ = {mu}: X = {x}, Y = {y}");
        assert_eq!(residual(&Vec3::zeros(), &Vec3::zeros(), mu, 1.0, 0.0), Vec3::zeros());
    }
    // Without friction the cone is a half-line: tangents are projected away whatever the smoothing.
    for omega in [0.0, 1e-3] {
        let (_, y) = jacobian(&Vec3::zeros(), &Vec3::zeros(), 0.0, 1.0, omega);
        assert_eq!(y, Mat3::from_diagonal(&Vec3::new(1.0, 1.0, 0.5)));
    }
    let places = [Vec3::zeros(), Vec3::z(), -Vec3::z(), Vec3::new(0.3, 0.4, 1.0), Vec3::new(-0.3, 0.4, -1.0)];
    for mu in [0.0, 0.5, 2.0] {
        for u in places {
            for r in places {
                let (x, y) = jacobian(&u, &r, mu, 1.0, 0.0);
                let c = residual(&u, &r, mu, 1.0, 0.0);
                assert!(x.iter().chain(y.iter()).chain(c.iter()).all(|x| x.is_finite()));
                let near = residual(&u, &r, mu, 1.0, 1e-9);
                close(&near, &c, 1e-8);
                assert!((c - velocity_map(&u, &r, mu, 1.0)).amax() < 1e-15);
            }
        }
    }
}
