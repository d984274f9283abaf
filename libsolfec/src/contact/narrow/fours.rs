//! Points by columns of four, which is what the processor takes at a time. Products are summed as those of single points,
//! so that heights have the same bits.

use super::extent::{greater, lesser};
use crate::math::Vec3;

/// Columns x, y, z of four points.
pub type Four = [[f64; 4]; 3];

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
    [[a.x, b.x, c.x, d.x], [a.y, b.y, c.y, d.y], [a.z, b.z, c.z, d.z]]
}

/// Products of a vector with four points.
#[inline(always)]
pub fn products(n: &Vec3, [x, y, z]: &Four) -> [f64; 4] {
    std::array::from_fn(|k| n.x * x[k] + n.y * y[k] + n.z * z[k])
}

/// Least product of a vector with all points.
pub fn lowest(n: &Vec3, points: &[Four]) -> f64 {
    let mut low = [f64::INFINITY; 4];
    for four in points {
        let heights = products(n, four);
        for k in 0..4 {
            low[k] = lesser(low[k], heights[k]);
        }
    }
    lesser(lesser(low[0], low[1]), lesser(low[2], low[3]))
}

/// The first of the points farthest along `direction`.
pub fn farthest(points: &[Four], direction: &Vec3) -> usize {
    let mut far = [f64::NEG_INFINITY; 4];
    for four in points {
        let heights = products(direction, four);
        for k in 0..4 {
            far[k] = greater(far[k], heights[k]);
        }
    }
    let most = greater(greater(far[0], far[1]), greater(far[2], far[3]));
    for (row, four) in points.iter().enumerate() {
        let heights = products(direction, four);
        let at = [0, 1, 2, 3].map(|k| heights[k] == most);
        if at[0] | at[1] | at[2] | at[3] {
            return 4 * row + at.iter().position(|found| *found).unwrap_or(0);
        }
    }
    0
}
