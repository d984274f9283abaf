//! Exact solution of a sliding contact (docs/theory.md, (10.4)).

use nalgebra::{Matrix2, Vector2};

use super::contact::{BlockError, Contact, Found};
use crate::math::Vec3;

/// `|R_T| − μR_N` relative to `|R_T|` at which the multiplier counts as found.
const TOLERANCE: f64 = 1e-14;

/// Steps after which the multiplier is as good as rounding lets it be; convergence is quadratic.
const LIMIT: u32 = 60;

/// The sliding reaction of a contact with `b_N < 0`, `μ > 0` that can neither take off nor stick: `U_T = −λ R_T` with
/// the smallest `λ > 0`.
///
/// With `S = W_TT − W_TN W_NT / W_NN`, `γ = b_T − W_TN b_N / W_NN`, `D = det(S + λI)` and `q = (adj S + λI) γ` the
/// reaction is `R_T = −q/D`, and `|R_T| = μR_N` reads `W_NN|q(λ)| = μ (W_NT·q − b_N D)`. The left is convex in λ, the
/// right a quadratic that grows in the end: the tangent of the left at λ_k meets the right before the first root, so
/// that the iteration rises to the smallest root, quadratically, and needs no bracket.
pub fn slide(contact: &Contact) -> Result<Found, BlockError> {
    let (w, b, mu) = (contact.w, &contact.b, contact.friction);
    let (coupling, back) = (Vector2::new(w.m13, w.m23), Vector2::new(w.m31, w.m32));
    let normal = w.m33;
    let s = Matrix2::new(w.m11, w.m12, w.m21, w.m22) - coupling * back.transpose() / normal;
    let gamma = Vector2::new(b.x, b.y) - coupling * (b.z / normal);
    let adjugate = Matrix2::new(s.m22, -s.m12, -s.m21, s.m11);
    let (start, trace, determinant) = (adjugate * gamma, s.trace(), s.determinant());

    let mut lambda = 0.0;
    for iterations in 1..=LIMIT {
        let q = start + lambda * gamma;
        let size = q.norm();
        let d = (lambda + trace) * lambda + determinant;
        let left = normal * size;
        let right = mu * (back.dot(&q) - b.z * d);
        let excess = left - right;
        // In x = λ − λ_k: excess + slope x + curvature x² = 0 has one positive root.
        let curvature = mu * b.z;
        let slope = normal * q.dot(&gamma) / size - mu * (back.dot(&gamma) - b.z * (2.0 * lambda + trace));
        let step = positive_root(curvature, slope, excess);
        if excess <= TOLERANCE * left || lambda + step <= lambda {
            return Ok(Found { reaction: reaction(&q, d, contact), iterations });
        }
        if !step.is_finite() {
            return Err(BlockError::Failed);
        }
        lambda += step;
    }
    let d = (lambda + trace) * lambda + determinant;
    Ok(Found { reaction: reaction(&(start + lambda * gamma), d, contact), iterations: LIMIT })
}

/// `R = (−q/D, |R_T|/μ)`.
fn reaction(q: &Vector2<f64>, d: f64, contact: &Contact) -> Vec3 {
    let tangential = -q / d;
    Vec3::new(tangential.x, tangential.y, tangential.norm() / contact.friction)
}

/// The positive root of `a x² + b x + c` for `a < 0`, `c ≥ 0`, without cancellation.
fn positive_root(a: f64, b: f64, c: f64) -> f64 {
    let root = (b * b - 4.0 * a * c).max(0.0).sqrt();
    if b <= 0.0 {
        2.0 * c / (root - b)
    } else {
        (b + root) / (-2.0 * a)
    }
}
