//! Algebra of the Lorentz cone `{ x : |x_T| ≤ x_N }`, normal component last.

use crate::math::{Mat3, Vec3};

/// `x_N² − |x_T|²`, by factors.
pub fn determinant(x: &Vec3) -> f64 {
    let t = x.xy().norm();
    (x.z - t) * (x.z + t)
}

/// The Jordan product.
pub fn product(a: &Vec3, b: &Vec3) -> Vec3 {
    Vec3::new(a.z * b.x + b.z * a.x, a.z * b.y + b.z * a.y, a.dot(b))
}

/// The `y` with `product(a, y) = b`, given the determinant of `a`.
pub fn quotient(b: &Vec3, a: &Vec3, determinant: f64) -> Vec3 {
    let normal = (a.z * b.z - a.x * b.x - a.y * b.y) / determinant;
    Vec3::new((b.x - normal * a.x) / a.z, (b.y - normal * a.y) / a.z, normal)
}

/// The `x`, `z` in the cone with `x − z = w` and `product(x, z) = (0, 0, m)`; for `m = 0` the projections of `w` and `−w`.
pub fn split(w: &Vec3, m: f64) -> (Vec3, Vec3) {
    let size = w.xy().norm();
    let t = if size > 0.0 { Vec3::new(w.x, w.y, 0.0) / size } else { Vec3::zeros() };
    // The eigenvalue that belongs to one of `w`: the positive root of l² − λl − m, without cancellation.
    let root = |of: f64| {
        let wide = (of * of + 4.0 * m).sqrt();
        if of < 0.0 {
            2.0 * m / (wide - of)
        } else {
            0.5 * (of + wide)
        }
    };
    let joined = |a: f64, b: f64| 0.5 * ((a - b) * t + (a + b) * Vec3::z());
    let (a, b) = (w.z + size, w.z - size);
    (joined(root(a), root(b)), joined(root(-a), root(-b)))
}

/// The scaling of Nesterov and Todd at two points inside the cone.
#[derive(Debug, Clone, Copy, Default)]
pub struct Scaling {
    /// The symmetric matrix `S` with `v = S x = S⁻¹ z`, its inverse and its square.
    pub s: Mat3,
    pub inverse: Mat3,
    pub square: Mat3,
    pub v: Vec3,
    /// Determinants of `x`, `z` and `v`.
    pub of_x: f64,
    pub of_z: f64,
    pub of_v: f64,
}

impl Scaling {
    pub fn new(x: &Vec3, z: &Vec3) -> Scaling {
        let (of_x, of_z) = (determinant(x), determinant(z));
        let (root_x, root_z) = (of_x.sqrt(), of_z.sqrt());
        let (a, b) = (x / root_x, z / root_z);
        let gamma = (0.5 * (1.0 + a.dot(&b))).sqrt();
        let w = (b + Vec3::new(-a.x, -a.y, a.z)) / (2.0 * gamma);
        let root = (w + Vec3::z()) / (2.0 * (w.z + 1.0)).sqrt();
        let ratio = root_z / root_x;
        let eta = ratio.sqrt();
        let reflected = Vec3::new(-root.x, -root.y, root.z);
        let s = eta * quadratic(&root);
        let (inverse, square) = (quadratic(&reflected) / eta, ratio * quadratic(&w));
        Scaling { s, inverse, square, v: s * x, of_x, of_z, of_v: root_x * root_z }
    }
}

/// `2 w wᵀ − J`, the quadratic representation of `w` with determinant 1.
fn quadratic(w: &Vec3) -> Mat3 {
    2.0 * w * w.transpose() + Mat3::from_diagonal(&Vec3::new(1.0, 1.0, -1.0))
}

/// The largest `a` with `x + a d` in the cone, at most `bound`; `x` inside, with this determinant.
pub fn longest_step(x: &Vec3, d: &Vec3, of_x: f64, bound: f64) -> f64 {
    let end = x + bound * d;
    if end.z >= 0.0 && end.x * end.x + end.y * end.y <= end.z * end.z {
        return bound;
    }
    let a = determinant(d);
    let b = x.z * d.z - x.x * d.x - x.y * d.y;
    let c = of_x.max(0.0);
    let mut longest = if d.z < 0.0 { bound.min(-x.z / d.z) } else { bound };
    let discriminant = b * b - a * c;
    if discriminant >= 0.0 {
        let s = -(b + discriminant.sqrt().copysign(b));
        for root in [s / a, c / s] {
            if root >= 0.0 && root < longest {
                longest = root;
            }
        }
    }
    longest
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scaling_maps_one_point_to_the_inverse_image_of_the_other() {
        let (x, z) = (Vec3::new(0.5, -0.3, 1.0), Vec3::new(2.0, 1.0, 2.5));
        let Scaling { s, inverse, square, v, of_x, of_v, .. } = Scaling::new(&x, &z);
        assert!((s * inverse - Mat3::identity()).amax() < 1e-13);
        assert!((s * x - v).amax() < 1e-13 && (inverse * z - v).amax() < 1e-13);
        assert!((s * s - square).amax() < 1e-13 && (determinant(&v) - of_v).abs() < 1e-13);
        assert!((product(&x, &quotient(&z, &x, of_x)) - z).amax() < 1e-13);
    }

    #[test]
    fn split_points_lie_in_the_cone_at_the_given_distance_from_its_boundary() {
        for w in [[0.3, -0.4, 0.2], [3.0, 4.0, 6.0], [3.0, 4.0, -6.0], [0.0, 0.0, 1.0], [0.0, 0.0, -1.0], [0.0; 3]] {
            let w = Vec3::from(w);
            for m in [0.0, 1e-12, 1e-3, 10.0] {
                let (x, z) = split(&w, m);
                assert!((x - z - w).amax() <= 1e-14 * w.norm());
                assert!((product(&x, &z) - m * Vec3::z()).amax() <= 1e-14 * (m + w.norm_squared()), "{w} {m}");
                assert!(x.z >= x.xy().norm() * (1.0 - 1e-14) && z.z >= z.xy().norm() * (1.0 - 1e-14), "{w} {m}");
            }
        }
    }

    #[test]
    fn longest_steps_end_on_the_boundary() {
        let x = Vec3::new(0.1, 0.2, 1.0);
        for d in
            [Vec3::new(1.0, 0.0, 0.0), Vec3::new(0.3, -1.0, -0.2), Vec3::new(0.0, 0.0, -1.0), Vec3::new(0.6, 0.8, 1.0)]
        {
            let a = longest_step(&x, &d, determinant(&x), 1e3);
            if a < 1e3 {
                assert!(determinant(&(x + a * d)).abs() < 1e-12 && x.z + a * d.z > -1e-12, "{d}");
            } else {
                assert!(determinant(&(x + 1e3 * d)) > 0.0, "{d}");
            }
            assert_eq!(longest_step(&x, &d, determinant(&x), 0.1), 0.1);
        }
    }
}
