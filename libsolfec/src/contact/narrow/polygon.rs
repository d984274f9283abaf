//! Points and distances of segments and of plane convex polygons.

use crate::math::Vec3;

/// Whether the projection of `x` along `n` lies inside the polygon or on its border.
pub fn over_polygon<'a>(x: &Vec3, polygon: impl Iterator<Item = &'a Vec3> + Clone, n: &Vec3) -> bool {
    let ahead = polygon.clone().cycle().skip(1);
    polygon.zip(ahead).all(|(a, b)| (b - a).cross(n).dot(&(x - a)) <= 0.0)
}

/// Distance of `x` from a convex polygon on the plane `n · x = offset`.
pub fn polygon_distance<'a>(x: &Vec3, polygon: impl Iterator<Item = &'a Vec3> + Clone, n: &Vec3, offset: f64) -> f64 {
    if over_polygon(x, polygon.clone(), n) {
        return (n.dot(x) - offset).abs();
    }
    let ahead = polygon.clone().cycle().skip(1);
    let edges = polygon.zip(ahead).map(|(a, b)| (x - on_segment(x, a, b).0).norm_squared());
    edges.fold(f64::INFINITY, f64::min).sqrt()
}

/// The point of a segment nearest to `x`, and its parameter.
pub fn on_segment(x: &Vec3, a: &Vec3, b: &Vec3) -> (Vec3, f64) {
    let e = b - a;
    let square = e.norm_squared();
    let t = if square > 0.0 { ((x - a).dot(&e) / square).clamp(0.0, 1.0) } else { 0.0 };
    let foot = if t == 1.0 { *b } else { a + e * t };
    (foot, t)
}
