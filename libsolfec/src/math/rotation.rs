//! Rotation matrices: the exponential map, its right Jacobian, and the return to the group (docs/theory.md 2).

use super::{Mat3, Vec3};

/// Below this angle [rad] (10°) the coefficients of Rodrigues' formula come from their series.
const SERIES_ANGLE: f64 = std::f64::consts::PI / 18.0;
/// Terms of those series: the last is of order θ¹², far below round-off at [`SERIES_ANGLE`].
const SERIES_TERMS: usize = 6;
/// Steps after which the polar iteration gives up; from a defect of 0.1 it needs 4.
const POLAR_STEPS: usize = 60;

/// `Σ_k (−x)^k / (2k + n)!` with `x = θ²`: `sinθ/θ`, `(1−cosθ)/θ²`, `(θ−sinθ)/θ³` for n = 1, 2, 3.
fn series(x: f64, n: usize) -> f64 {
    let mut sum = 1.0;
    for k in (0..SERIES_TERMS).rev() {
        let m = (n + 2 * k) as f64;
        sum = 1.0 - x / ((m + 1.0) * (m + 2.0)) * sum;
    }
    sum / [1.0, 1.0, 2.0, 6.0][n]
}

/// The sums of [`series`] for two of the numbers n.
fn coefficients(w: &Vec3, numbers: [usize; 2]) -> [f64; 2] {
    let x = w.norm_squared();
    let angle = x.sqrt();
    if angle < SERIES_ANGLE {
        return numbers.map(|n| series(x, n));
    }
    let (sin, cos) = angle.sin_cos();
    numbers.map(|n| [1.0, sin / angle, (1.0 - cos) / x, (angle - sin) / (x * angle)][n])
}

/// `1 + a K + b K²` with `K = skew(w)`.
fn polynomial(w: &Vec3, a: f64, b: f64) -> Mat3 {
    let (x, y, z) = (w.x, w.y, w.z);
    let diagonal = |p: f64, q: f64| 1.0 - (p * p + q * q) * b;
    // From zero, so that no entry is -0.
    let (plus, minus) = (|p: f64| 0.0 + p * a, |p: f64| 0.0 - p * a);
    Mat3::new(
        diagonal(z, y),
        minus(z) + x * y * b,
        plus(y) + x * z * b,
        plus(z) + x * y * b,
        diagonal(z, x),
        minus(x) + y * z * b,
        minus(y) + x * z * b,
        plus(x) + y * z * b,
        diagonal(y, x),
    )
}

/// Rotation matrix of the rotation vector `w` [rad] (Rodrigues).
pub fn exp_map(w: &Vec3) -> Mat3 {
    if *w == Vec3::zeros() {
        return Mat3::identity();
    }
    let [a, b] = coefficients(w, [1, 2]);
    polynomial(w, a, b)
}

/// Right Jacobian of the exponential map: `exp(w + δ) = exp(w) exp(J_r(w) δ)` to first order in δ.
pub fn right_jacobian(w: &Vec3) -> Mat3 {
    let [b, c] = coefficients(w, [2, 3]);
    polynomial(w, -b, c)
}

/// Largest entry of `|RᵀR − I|`.
pub fn orthogonality_defect(r: &Mat3) -> f64 {
    let [a, b, c] = [0, 1, 2].map(|j| r.column(j));
    let lengths = [a, b, c].map(|x| (x.dot(&x) - 1.0).abs());
    let angles = [a.dot(&b), a.dot(&c), b.dot(&c)].map(f64::abs);
    lengths.into_iter().chain(angles).fold(f64::NAN, f64::max)
}

/// Rotation of the polar decomposition `F = R U`: the rotation nearest to `f`. `None` unless `det F > 0`.
pub fn polar_rotation(f: &Mat3) -> Option<Mat3> {
    if f.determinant() <= 0.0 {
        return None;
    }
    let mut r = *f;
    for _ in 0..POLAR_STEPS {
        let next = (r + r.try_inverse()?.transpose()) * 0.5;
        let change = (next - r).amax();
        r = next;
        if change <= 4.0 * f64::EPSILON {
            return Some(r);
        }
    }
    (orthogonality_defect(&r) <= 16.0 * f64::EPSILON).then_some(r)
}

#[cfg(test)]
mod tests {
    use super::super::skew;
    use super::*;

    #[test]
    fn exponential_is_a_rotation_and_continuous_across_the_series() {
        for angle in [0.0, 1e-9, 0.01, SERIES_ANGLE - 1e-12, SERIES_ANGLE + 1e-12, 1.0, 3.0, 7.0] {
            let w = Vec3::new(2.0, -3.0, 6.0) * (angle / 7.0);
            let r = exp_map(&w);
            assert!(orthogonality_defect(&r) < 4e-15, "angle {angle}");
            assert!((r * w - w).norm() < 1e-14, "the axis stays");
            assert!((r.trace() - 1.0 - 2.0 * angle.cos()).abs() < 4e-15);
        }
        let (below, above) = (SERIES_ANGLE * (1.0 - 1e-15), SERIES_ANGLE * (1.0 + 1e-15));
        assert!((exp_map(&(Vec3::x() * below)) - exp_map(&(Vec3::x() * above))).amax() < 1e-15);
    }

    #[test]
    fn polynomial_of_a_skew_matrix_has_the_bits_of_its_products() {
        for w in [Vec3::new(0.3, -0.02, 0.7), Vec3::new(0.0, 0.1, 0.0), Vec3::new(0.0, -0.0, -1e-9), Vec3::zeros()] {
            let (a, b, k) = (0.9, 0.45, skew(&w));
            let products = Mat3::identity() + k * a + k * k * b;
            assert!(polynomial(&w, a, b).iter().zip(products.iter()).all(|(p, q)| p.to_bits() == q.to_bits()), "{w}");
        }
    }

    #[test]
    fn quarter_turn_about_z_takes_x_to_y() {
        let r = exp_map(&(Vec3::z() * std::f64::consts::FRAC_PI_2));
        assert!((r * Vec3::x() - Vec3::y()).norm() < 1e-15);
    }

    #[test]
    fn right_jacobian_agrees_with_differences() {
        let step = 1e-6;
        for w in [Vec3::new(0.01, 0.02, -0.03), Vec3::new(0.4, -1.1, 0.7)] {
            let jacobian = right_jacobian(&w);
            for k in 0..3 {
                let d = Vec3::ith(k, step);
                let spin = exp_map(&w).transpose() * (exp_map(&(w + d)) - exp_map(&(w - d))) / (2.0 * step);
                let column = Vec3::new(spin[(2, 1)], spin[(0, 2)], spin[(1, 0)]);
                assert!((column - jacobian.column(k)).norm() < 1e-9);
            }
        }
    }

    #[test]
    fn polar_rotation_recovers_the_rotation_of_a_stretched_body() {
        let r = exp_map(&Vec3::new(1.0, 2.0, -0.5));
        let u = Mat3::new(1.2, 0.1, 0.0, 0.1, 0.8, -0.05, 0.0, -0.05, 1.5);
        let found = polar_rotation(&(r * u)).unwrap();
        assert!((found - r).amax() < 1e-14);
        assert!(polar_rotation(&-Mat3::identity()).is_none());
    }
}
