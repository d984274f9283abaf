//! Triangles of polygons: a fan from the first corner, or ears cut off one by one where the polygon is not convex.

use crate::math::Vec3;

/// Triangles that cover a polygon, in its direction. Polygons that cross themselves, or whose corners are not there, are
/// fanned out from their first corner.
pub fn triangulate(polygon: &[u32], nodes: &[Vec3]) -> Vec<[u32; 3]> {
    let points: Option<Vec<Vec3>> = polygon.iter().map(|&n| nodes.get(n as usize).copied()).collect();
    let fan = || {
        let pairs = polygon.get(1..).unwrap_or_default().windows(2);
        pairs.map(|pair| [polygon[0], pair[0], pair[1]]).collect()
    };
    match points {
        Some(x) if polygon.len() > 3 => ears(polygon, &x).unwrap_or_else(fan),
        Some(_) | None => fan(),
    }
}

/// Six times the signed volume over a unit normal: twice the area of a corner as seen along it.
fn turn(a: &Vec3, b: &Vec3, c: &Vec3, normal: &Vec3) -> f64 {
    (b - a).cross(&(c - a)).dot(normal)
}

/// `None`: convex, where a fan will do, or without an ear.
fn ears(polygon: &[u32], x: &[Vec3]) -> Option<Vec<[u32; 3]>> {
    let n = x.len();
    let normal: Vec3 = (1..n - 1).map(|i| (x[i] - x[0]).cross(&(x[i + 1] - x[0]))).sum();
    let normal = normal.try_normalize(0.0)?;
    let hollow = (0..n).any(|i| turn(&x[(i + n - 1) % n], &x[i], &x[(i + 1) % n], &normal) < 0.0);
    if !hollow {
        return None;
    }
    let mut left: Vec<usize> = (0..n).collect();
    let mut found = Vec::with_capacity(n - 2);
    while left.len() > 3 {
        let m = left.len();
        let ear = (0..m).find(|&i| {
            let [a, b, c] = [left[(i + m - 1) % m], left[i], left[(i + 1) % m]];
            let others = left.iter().filter(|&&k| k != a && k != b && k != c);
            turn(&x[a], &x[b], &x[c], &normal) > 0.0
                && !others.clone().any(|&k| inside(&x[k], [&x[a], &x[b], &x[c]], &normal))
        })?;
        found.push([left[(ear + m - 1) % m], left[ear], left[(ear + 1) % m]].map(|k| polygon[k]));
        left.remove(ear);
    }
    found.push([left[0], left[1], left[2]].map(|k| polygon[k]));
    Some(found)
}

fn inside(x: &Vec3, [a, b, c]: [&Vec3; 3], normal: &Vec3) -> bool {
    turn(a, b, x, normal) >= 0.0 && turn(b, c, x, normal) >= 0.0 && turn(c, a, x, normal) >= 0.0
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A staircase, from each of its corners on.
    #[test]
    fn a_staircase_is_covered_once() {
        let steps = [[0, 0], [10, 0], [10, 2], [8, 2], [8, 3], [4, 3], [4, 7], [0, 7]];
        let nodes: Vec<Vec3> = steps.iter().map(|&[x, y]| Vec3::new(f64::from(x), f64::from(y), 1.0)).collect();
        for first in 0..8 {
            let polygon: Vec<u32> = (0..8).map(|k| (k + first) % 8).collect();
            let triangles = triangulate(&polygon, &nodes);
            let area = |t: &[u32; 3]| {
                let [a, b, c] = t.map(|n| nodes[n as usize]);
                0.5 * (b - a).cross(&(c - a)).z
            };
            assert!(triangles.len() == 6 && triangles.iter().all(|t| area(t) > 0.0), "{triangles:?}");
            let sum: f64 = triangles.iter().map(area).sum();
            assert!((sum - 44.0).abs() < 1e-12);
        }
    }

    #[test]
    fn a_convex_polygon_is_a_fan() {
        let nodes = [[0., 0.], [1., 0.], [1., 1.], [0., 1.]].map(|[x, y]| Vec3::new(x, y, 0.0));
        assert_eq!(triangulate(&[3, 0, 1, 2], &nodes), [[3, 0, 1], [3, 1, 2]]);
        assert_eq!(triangulate(&[3, 9, 1, 2], &nodes), [[3, 9, 1], [3, 1, 2]]);
    }
}
