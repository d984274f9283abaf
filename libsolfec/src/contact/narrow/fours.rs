//! Points by columns of four, which is what the processor takes at a time. Products are summed as those of single points,
//! so that heights have the same bits.

use wide::f64x4;

use super::extent::{greater, lesser};
use crate::math::Vec3;

/// Columns x, y, z of four points.
pub type Four = [f64x4; 3];

/// Points by columns of four, the last one repeated to fill up.
pub fn in_fours(points: &[Vec3], fours: &mut Vec<Four>) {
    fours.clear();
    fours.extend(points.chunks(4).map(in_columns));
}

/// Up to four points by columns.
pub fn in_columns(points: &[Vec3]) -> Four {
    let padded = |k: usize| points[k.min(points.len() - 1)];
    let [a, b, c, d] = match *points {
        [a, b, c, d] => [a, b, c, d],
        _ => [padded(0), padded(1), padded(2), padded(3)],
    };
    [[a.x, b.x, c.x, d.x], [a.y, b.y, c.y, d.y], [a.z, b.z, c.z, d.z]].map(f64x4::new)
}

/// Products of a vector with four points.
#[inline(always)]
pub fn products(n: &Vec3, [x, y, z]: &Four) -> f64x4 {
    f64x4::splat(n.x) * x + f64x4::splat(n.y) * y + f64x4::splat(n.z) * z
}

/// Least product of a vector with all points.
pub fn lowest(n: &Vec3, points: &[Four]) -> f64 {
    let all = f64x4::splat(f64::INFINITY);
    let [a, b, c, d] = points.iter().fold(all, |low, four| products(n, four).fast_min(low)).to_array();
    lesser(lesser(a, b), lesser(c, d))
}

/// The first of the points farthest along `direction`.
pub fn farthest(points: &[Four], direction: &Vec3) -> usize {
    let none = f64x4::splat(f64::NEG_INFINITY);
    let [a, b, c, d] = points.iter().fold(none, |far, four| products(direction, four).fast_max(far)).to_array();
    let most = f64x4::splat(greater(greater(a, b), greater(c, d)));
    for (row, four) in points.iter().enumerate() {
        let at = products(direction, four).simd_eq(most).to_bitmask();
        if at != 0 {
            return 4 * row + at.trailing_zeros() as usize;
        }
    }
    0
}
