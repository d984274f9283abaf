//! The velocity equation `C(U, R) = 0` of one contact, smoothed, with its derivatives (docs/theory.md,
//! (7.5) to (7.7)).
//!
//! `F = (U_T, Ū_N + μ(υ − ω))`, `υ = √(|U_T|² + ω²)`, `S = λR − F`, `C = F + m(S)`. For `ω = 0` the map `m(S)` is `S −
//! P_K(S)` and `C` vanishes exactly at solutions, whatever `λ > 0`. Every 0/0 takes its limit from `ω > 0`.
//!
//! Arguments of both functions: `u` the velocity with the dashed normal component [m/s], `r` the reaction with cohesion
//! added to the normal component [N], `mu` friction, `lambda` a velocity over a force (`1/ρ`) [m/s/N], `omega ≥ 0` the
//! smoothing velocity [m/s].

use super::cone::tangential;
use crate::math::{Mat3, Vec3};

/// `C(U, R)` [m/s].
pub fn residual(u: &Vec3, r: &Vec3, mu: f64, lambda: f64, omega: f64) -> Vec3 {
    let f = dilated(u, mu, omega);
    f + Spectrum::new(&(lambda * r - f), mu, omega).value()
}

/// `(X, Y)` with `∂C/∂U = X = (I − Y) ∂F/∂U` and `∂C/∂R = λY`, where `Y = ∂m/∂S`.
pub fn jacobian(u: &Vec3, r: &Vec3, mu: f64, lambda: f64, omega: f64) -> (Mat3, Mat3) {
    let s = lambda * r - dilated(u, mu, omega);
    let y = Spectrum::new(&s, mu, omega).derivative();
    let speed = length(tangential(u), omega);
    let rate = if speed > 0.0 { mu / speed } else { 0.0 };
    let slope = Mat3::new(1.0, 0.0, 0.0, 0.0, 1.0, 0.0, rate * u.x, rate * u.y, 1.0);
    ((Mat3::identity() - y) * slope, y)
}

/// `F(U)`.
fn dilated(u: &Vec3, mu: f64, omega: f64) -> Vec3 {
    Vec3::new(u.x, u.y, u.z + mu * (length(tangential(u), omega) - omega))
}

/// `S = l1 u1 + l2 u2` with `u1 = (−μt, −1)`, `u2 = (t, −μ)`, `t = S_T/|S_T|`, and the roots `q1 = √(l1² + 4ω²)`,
/// `q2 = √(l2² + 4μ²ω²)` of the smoothing.
struct Spectrum {
    s: Vec3,
    size: f64,
    mu: f64,
    l: [f64; 2],
    q: [f64; 2],
}

impl Spectrum {
    fn new(s: &Vec3, mu: f64, omega: f64) -> Self {
        let size = tangential(s);
        let share = 1.0 / (1.0 + mu * mu);
        let l = [-(s.z + mu * size) * share, (size - mu * s.z) * share];
        let q = [length(l[0], 2.0 * omega), length(l[1], 2.0 * mu * omega)];
        Spectrum { s: *s, size, mu, l, q }
    }

    /// The part `a` of `S_T` in `m`: `(g2 − μ g1)/|S_T|` without cancellation; ½ at the apex.
    fn tangent_share(&self) -> f64 {
        let ([l1, l2], [q1, q2], mu) = (self.l, self.q, self.mu);
        if mu == 0.0 {
            return 1.0;
        }
        0.5 * (1.0 + ratio(l2 + mu * l1, q2 + mu * q1))
    }

    /// `m(S) = g1 u1 + g2 u2`, `g = (l + q)/2`.
    fn value(&self) -> Vec3 {
        let [g1, g2] = [0, 1].map(|k| 0.5 * (self.l[k] + self.q[k]));
        let a = self.tangent_share();
        Vec3::new(a * self.s.x, a * self.s.y, -g1 - self.mu * g2)
    }

    /// `∂m/∂S`.
    fn derivative(&self) -> Mat3 {
        let [c1, c2] = [0, 1].map(|k| 0.5 * (1.0 + ratio(self.l[k], self.q[k])));
        let (a, mu) = (self.tangent_share(), self.mu);
        if self.size == 0.0 || mu == 0.0 {
            return Mat3::from_diagonal(&Vec3::new(a, a, c1));
        }
        let share = 1.0 / (1.0 + mu * mu);
        let (b, d) = ((c2 + mu * mu * c1) * share, (c1 + mu * mu * c2) * share);
        let k = mu * (c1 - c2) * share;
        let (x, y) = (self.s.x / self.size, self.s.y / self.size);
        let across = (b - a) * x * y;
        Mat3::new(a + (b - a) * x * x, across, k * x, across, a + (b - a) * y * y, k * y, k * x, k * y, d)
    }
}

/// `√(a² + b²)`, exact if `b = 0`.
fn length(a: f64, b: f64) -> f64 {
    if b == 0.0 {
        a.abs()
    } else {
        (a * a + b * b).sqrt()
    }
}

/// `l/q` of `q ≥ |l|`; 0 where both vanish, the limit of the smoothing.
fn ratio(l: f64, q: f64) -> f64 {
    if q > 0.0 {
        l / q
    } else {
        0.0
    }
}
