//! Motions of a single free body: fall, oscillation, quasi-static steps.

use super::*;

#[test]
fn free_fall_in_a_hundred_steps() {
    let mut b = one(rigid(3.0, Mat3::identity()));
    for _ in 0..100 {
        step(&mut b, 0.01, Vec3::z() * -10.0, no_load);
    }
    near(b.velocity(at(0))[5], -10.0, 1e-11, "velocity");
    near(motion(&b, at(0)).x.z, -5.0, 5e-12, "place");
}

/// Oscillator by a user force −k x at mid-step: exact recurrence, no decay in 1e5 steps.
#[test]
fn an_oscillator_by_a_user_force() {
    let h = 0.1;
    let mut row = rigid(1.0, Mat3::identity());
    row.velo = vec![0.0, 0.0, 0.0, 1.0, 0.0, 0.0];
    let mut b = one(row);
    let spring = |b: &Bodies| Load { force: -motion(b, at(0)).x, ..Load::zero() };
    let mut x = [0.0, 0.0];
    for n in 0..100_000 {
        step(&mut b, h, Vec3::zeros(), spring);
        let now = motion(&b, at(0)).x.x;
        if n > 0 {
            near(now + x[0] - (2.0 - h * h) * x[1], 0.0, 1e-14, "recurrence");
        }
        x = [x[1], now];
    }
    near((1.0 - 0.5 * h * h).acos(), 0.1000417, 5e-8, "phase of a step");
    // x_n = A sin(n φ): A² sin²φ = x_n² + x_{n+1}² − 2 x_n x_{n+1} cos φ, and A sin φ = x_1 = h (1 − h²/4)
    let cosine = 1.0 - 0.5 * h * h;
    let square = x[0] * x[0] + x[1] * x[1] - 2.0 * x[0] * x[1] * cosine;
    near(square.sqrt(), h * (1.0 - 0.25 * h * h), 1e-12, "amplitude times sin φ");
}

#[test]
fn quasi_static_motion_of_a_free_body() {
    let mut b = insert(&model(vec![rigid(2.0, Mat3::identity())], material(1e6, 0.0)), Analysis::QuasiStatic);
    for _ in 0..5 {
        step(&mut b, 0.1, Vec3::z() * -10.0, no_load);
    }
    near(motion(&b, at(0)).x.z, -0.5, 1e-15, "creep in pseudo-time");
}
