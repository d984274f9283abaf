//! Cutting convex polygons by planes (Sutherland and Hodgman 1974), and their areas.

use super::extent::{greater, lesser};
use crate::math::Vec3;

/// Keeps the part of `polygon` with `n · x ≤ offset`; vertices within `tol` of the plane count as on it and are kept,
/// so that touching leaves a segment or a point. False when nothing is left.
pub fn cut(polygon: &mut Vec<Vec3>, spare: &mut Vec<Vec3>, n: &Vec3, offset: f64, tol: f64) -> bool {
    let (mut low, mut high) = (f64::INFINITY, f64::NEG_INFINITY);
    for x in polygon.iter() {
        let h = n.dot(x) - offset;
        low = lesser(low, h);
        high = greater(high, h);
    }
    if high <= tol {
        return !polygon.is_empty();
    }
    if low > tol {
        polygon.clear();
        return false;
    }
    spare.clear();
    let mut a = polygon[polygon.len() - 1];
    let mut ha = n.dot(&a) - offset;
    for &b in polygon.iter() {
        let hb = n.dot(&b) - offset;
        if (ha < -tol && hb > tol) || (ha > tol && hb < -tol) {
            spare.push(a + (b - a) * (ha / (ha - hb)));
        }
        if hb <= tol {
            spare.push(b);
        }
        (a, ha) = (b, hb);
    }
    std::mem::swap(polygon, spare);
    true
}

/// Area of a planar polygon with unit normal `n`, and area times centroid.
pub fn area_and_moment(polygon: &[Vec3], n: &Vec3) -> (f64, Vec3) {
    let (mut area, mut moment) = (0.0, Vec3::zeros());
    if let [a, rest @ ..] = polygon {
        for bc in rest.windows(2) {
            let part = 0.5 * n.dot(&(bc[0] - a).cross(&(bc[1] - a)));
            area += part;
            moment += (a + bc[0] + bc[1]) * (part / 3.0);
        }
    }
    (area, moment)
}

pub fn perimeter(polygon: &[Vec3]) -> f64 {
    let Some(mut a) = polygon.last() else { return 0.0 };
    let mut sum = 0.0;
    for b in polygon {
        sum += (b - a).norm();
        a = b;
    }
    sum
}
