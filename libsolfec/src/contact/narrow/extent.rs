//! How far lists of points reach.

use crate::math::Vec3;

/// `min n · v` over points; four at a time, for the processor's sake.
pub fn lowest(n: &Vec3, points: &[Vec3]) -> f64 {
    let mut low = [f64::INFINITY; 4];
    let mut fours = points.chunks_exact(4);
    for four in &mut fours {
        for k in 0..4 {
            low[k] = lesser(low[k], n.dot(&four[k]));
        }
    }
    let rest = fours.remainder().iter().fold(f64::INFINITY, |low, v| lesser(low, n.dot(v)));
    lesser(lesser(lesser(low[0], low[1]), lesser(low[2], low[3])), rest)
}

/// `max n · v` over the corners of a face.
pub fn top(n: &Vec3, corners: &[u16], vertices: &[Vec3]) -> f64 {
    let heights = corners.iter().map(|&v| n.dot(&vertices[v as usize]));
    heights.fold(f64::NEG_INFINITY, greater)
}

/// The first of the points farthest along `direction`; four at a time, for the processor's sake.
pub fn farthest(points: &[Vec3], direction: &Vec3) -> usize {
    let (mut rows, mut far) = ([0; 4], [f64::NEG_INFINITY; 4]);
    let fours = points.chunks_exact(4);
    let rest = fours.remainder();
    let whole = points.len() - rest.len();
    for (first, four) in (0..).step_by(4).zip(fours) {
        for k in 0..4 {
            let d = direction.dot(&four[k]);
            (rows[k], far[k]) = if d > far[k] { (first + k, d) } else { (rows[k], far[k]) };
        }
    }
    let (mut best, mut most) = (rows[0], far[0]);
    for k in 1..4 {
        if far[k] > most || (far[k] == most && rows[k] < best) {
            (best, most) = (rows[k], far[k]);
        }
    }
    for (k, p) in rest.iter().enumerate() {
        let d = direction.dot(p);
        if d > most {
            (best, most) = (whole + k, d);
        }
    }
    best
}

/// The greatest of numbers, -∞ of none; four at a time.
pub fn most(numbers: &[f64]) -> f64 {
    let mut most = [f64::NEG_INFINITY; 4];
    let mut fours = numbers.chunks_exact(4);
    for four in &mut fours {
        for k in 0..4 {
            most[k] = greater(most[k], four[k]);
        }
    }
    let rest = fours.remainder().iter().fold(f64::NEG_INFINITY, |most, x| greater(most, *x));
    greater(greater(greater(most[0], most[1]), greater(most[2], most[3])), rest)
}

/// The lesser of two numbers that are not NaN: one instruction, unlike `f64::min`.
pub fn lesser(a: f64, b: f64) -> f64 {
    if b < a {
        b
    } else {
        a
    }
}

/// The greater of two numbers that are not NaN.
pub fn greater(a: f64, b: f64) -> f64 {
    if b > a {
        b
    } else {
        a
    }
}

pub fn mean(points: &[Vec3]) -> Vec3 {
    sum(points) / points.len() as f64
}

/// The lowest and the highest coordinates, and the sum of all points.
pub fn reach(points: &[Vec3]) -> (Vec3, Vec3, Vec3) {
    let (mut low, mut high, mut sum) = ([f64::INFINITY; 3], [f64::NEG_INFINITY; 3], [0.0; 3]);
    for v in points {
        for k in 0..3 {
            low[k] = lesser(low[k], v[k]);
            high[k] = greater(high[k], v[k]);
            sum[k] += v[k];
        }
    }
    (low.into(), high.into(), sum.into())
}

/// The same as that of an iterator, in registers.
pub fn sum(points: &[Vec3]) -> Vec3 {
    let [mut x, mut y, mut z] = [0.0; 3];
    for v in points {
        (x, y, z) = (x + v.x, y + v.y, z + v.z);
    }
    Vec3::new(x, y, z)
}

pub fn bounds(points: &[Vec3]) -> (Vec3, Vec3) {
    let mut low = Vec3::repeat(f64::INFINITY);
    let mut high = Vec3::repeat(f64::NEG_INFINITY);
    for v in points {
        for k in 0..3 {
            low[k] = lesser(low[k], v[k]);
            high[k] = greater(high[k], v[k]);
        }
    }
    (low, high)
}
