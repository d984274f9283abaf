//! Coulomb's cone `K = { R : |R_T| ≤ μ R_N }` and the velocity map whose zeros are solutions of one contact.

use crate::math::Vec3;

/// Length of the tangential components.
#[inline]
pub fn tangential(x: &Vec3) -> f64 {
    (x.x * x.x + x.y * x.y).sqrt()
}

/// Euclidean projection of `s` on the cone of friction `mu`.
#[inline]
pub fn project(s: &Vec3, mu: f64) -> Vec3 {
    let bound = mu * s.z;
    // Most reactions are well inside, and need no root.
    if bound > 0.0 && s.x * s.x + s.y * s.y < bound * bound {
        return *s;
    }
    let t = tangential(s);
    if mu * t <= -s.z {
        return Vec3::zeros();
    }
    if t <= bound {
        return *s;
    }
    let normal = (mu * t + s.z) / (1.0 + mu * mu);
    let scale = mu * normal / t;
    Vec3::new(scale * s.x, scale * s.y, normal)
}

/// `C = F + S − P_K(S)` [m/s] with `F = (U_T, Ū_N + μ|U_T|)` and `S = λR − F` (docs/theory.md, (7.5));
/// `u` has the dashed normal component, `r` contains cohesion, `lambda` is a velocity over a force. Zero exactly at
/// solutions, whatever `lambda > 0`. The same as `map::residual` without smoothing, and faster.
pub fn velocity_map(u: &Vec3, r: &Vec3, mu: f64, lambda: f64) -> Vec3 {
    let f = Vec3::new(u.x, u.y, u.z + mu * tangential(u));
    let s = lambda * r - f;
    f + (s - project(&s, mu))
}
