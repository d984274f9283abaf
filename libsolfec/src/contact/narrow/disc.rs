//! The common part of a plane convex polygon and a disc, by Green's theorem: triangles under the pieces of edges inside
//! the disc, sectors under the pieces outside.

use crate::math::Vec3;

/// Area [m²] of the part of a polygon in the disc about `center`, a point of its plane, and the integral of the distance
/// from the centre over it [m³]. The polygon turns counter-clockwise about its unit normal `n`.
pub fn part_in_disc<'a>(
    polygon: impl Iterator<Item = &'a Vec3> + Clone,
    n: &Vec3,
    center: &Vec3,
    radius: f64,
) -> (f64, Vec3) {
    let ahead = polygon.clone().cycle().skip(1);
    let (mut area, mut moment) = (0.0, Vec3::zeros());
    for (a, b) in polygon.zip(ahead) {
        let (a, b) = (a - center, b - center);
        let mut add = |part: (f64, Vec3)| {
            area += part.0;
            moment += part.1;
        };
        match inside(&a, &b, radius) {
            Some([p, q]) => {
                add(sector(&a, &p, n, radius));
                add(triangle(&p, &q, n));
                add(sector(&q, &b, n, radius));
            }
            None => add(sector(&a, &b, n, radius)),
        }
    }
    (area, moment)
}

/// The piece of a segment within the circle about the origin.
fn inside(a: &Vec3, b: &Vec3, radius: f64) -> Option<[Vec3; 2]> {
    let e = b - a;
    let (square, along) = (e.norm_squared(), a.dot(&e));
    let root = (along * along - square * (a.norm_squared() - radius * radius)).sqrt();
    let [first, last] = [-root, root].map(|root| ((root - along) / square).clamp(0.0, 1.0));
    let at = |t: f64| if t == 1.0 { *b } else { a + e * t };
    // No number if the line misses the circle.
    (first < last).then(|| [at(first), at(last)])
}

fn triangle(a: &Vec3, b: &Vec3, n: &Vec3) -> (f64, Vec3) {
    let area = 0.5 * n.dot(&a.cross(b));
    (area, (a + b) * (area / 3.0))
}

/// The sector of the disc between the directions of two points.
fn sector(a: &Vec3, b: &Vec3, n: &Vec3, radius: f64) -> (f64, Vec3) {
    if a == b {
        return (0.0, Vec3::zeros());
    }
    let angle = n.dot(&a.cross(b)).atan2(a.dot(b));
    (0.5 * radius * radius * angle, (b.normalize() - a.normalize()).cross(n) * (radius.powi(3) / 3.0))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::f64::consts::PI;

    const SQUARE: [[f64; 2]; 4] = [[0.0, 0.0], [1.0, 0.0], [1.0, 1.0], [0.0, 1.0]];

    fn part(polygon: &[[f64; 2]], center: [f64; 2], radius: f64) -> (f64, Vec3) {
        let at = |[x, y]: [f64; 2]| Vec3::new(x, y, 3.0);
        let polygon: Vec<Vec3> = polygon.iter().map(|&x| at(x)).collect();
        let (area, moment) = part_in_disc(polygon.iter(), &Vec3::z(), &at(center), radius);
        (area, moment / area + at(center))
    }

    /// All of the polygon, all of the disc, a half and a quarter of it, and nothing.
    #[test]
    fn parts_of_a_square() {
        let near = |found: (f64, Vec3), area: f64, x: f64, y: f64| {
            assert!((found.0 - area).abs() < 1e-12, "{found:?}");
            assert!((found.1 - Vec3::new(x, y, 3.0)).norm() < 1e-12, "{found:?}");
        };
        near(part(&SQUARE, [0.2, 0.3], 2.0), 1.0, 0.5, 0.5);
        near(part(&SQUARE, [0.5, 0.4], 0.3), 0.09 * PI, 0.5, 0.4);
        near(part(&SQUARE, [0.5, 0.0], 0.3), 0.045 * PI, 0.5, 4.0 * 0.3 / (3.0 * PI));
        near(part(&SQUARE, [0.0, 0.0], 0.3), 0.0225 * PI, 0.4 / PI, 0.4 / PI);
        assert!(part(&SQUARE, [2.0, 0.5], 0.9).0.abs() < 1e-15);
        // a circular segment of half the angle acos(1/2)
        let [angle, sine]: [f64; 2] = [PI / 3.0, 0.75f64.sqrt()];
        let area = 0.04 * (angle - sine * 0.5);
        near(part(&SQUARE, [-0.1, 0.5], 0.2), area, -0.1 + 2.0 / 3.0 * (0.2 * sine).powi(3) / area, 0.5);
    }

    /// Triangles that share their edges have parts that add up to that of the whole.
    #[test]
    fn parts_add_up() {
        for (center, radius) in [([0.3, 0.2], 0.25), ([1.2, 0.4], 0.7), ([0.5, 0.5], 0.6), ([-0.2, -0.1], 0.9)] {
            let whole = part(&SQUARE, center, radius).0;
            let [lower, upper] = [[0, 1, 2], [0, 2, 3]].map(|nodes| part(&nodes.map(|k| SQUARE[k]), center, radius).0);
            assert!((lower + upper - whole).abs() < 1e-14, "{center:?} {radius}");
        }
    }
}
