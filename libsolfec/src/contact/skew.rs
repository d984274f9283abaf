//! A line along which points are sorted to find neighbours.

use crate::math::Vec3;

/// A vector, a little shorter than one, along which no regular layout of points lines up.
const SKEW: Vec3 = Vec3::new(0.3531998372, 0.4995, 0.78977884562);

/// Place of a point along a fixed skew line: points closer than `d` have places closer than `d`, and the points of
/// grids spread over many places. Sorting by it finds neighbours without hashing.
pub fn skew_place(x: &Vec3) -> f64 {
    SKEW.dot(x)
}
