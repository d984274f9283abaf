//! Extreme points of a contact polygon: few of its corners, and shares of its area that have its centroid.
//!
//! Of the corners those are taken that span the largest area, which holds the centroid of a convex polygon: a
//! half-plane that contains the centroid has at least 4/9 of the area (Winternitz), and beyond a side of the largest
//! quadrilateral there is less. Two points are those of the chord through a farthest corner and the centroid.

use super::narrow::Hull;
use crate::math::Vec3;

/// Corners of the step before are taken again when they span this part of the largest area: of polygons with many
/// corners, as many choices are nearly as good.
const AS_GOOD: f64 = 0.99;

/// A chosen point: between two corners, of which the second takes the part `along`, and its share of the area.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Extreme {
    pub corners: [usize; 2],
    pub along: f64,
    pub share: f64,
}

impl Extreme {
    fn at(corner: usize) -> Extreme {
        Extreme { corners: [corner; 2], along: 0.0, share: 0.0 }
    }

    /// The point.
    pub fn point(&self, points: &[Vec3]) -> Vec3 {
        let [a, b] = self.corners.map(|k| points[k]);
        a + (b - a) * self.along
    }
}

/// Memory of [`Extremes::choose`].
#[derive(Debug, Default)]
pub struct Extremes {
    pub chosen: Vec<Extreme>,
    hull: Hull,
    nearness: Vec<(f64, usize)>,
}

impl Extremes {
    /// At most `number` extreme points of the hull of `points` on a plane, those nearest to `old` points if these are
    /// as good; shares have `center` as their centroid, or that of the hull, or what comes nearest to it.
    pub fn choose(
        &mut self,
        points: &[Vec3],
        normal: &Vec3,
        number: usize,
        center: Option<Vec3>,
        old: &[Vec3],
        tolerance: f64,
    ) {
        self.hull.find(points, normal, tolerance);
        let ring = std::mem::take(&mut self.hull.ring);
        let center = center.unwrap_or_else(|| centroid(points, &ring, normal));
        self.chosen.clear();
        if ring.len() <= number {
            self.chosen.extend(ring.iter().map(|&k| Extreme::at(k)));
        } else if number == 2 {
            self.chord(points, &ring, normal, &center, old);
        } else {
            self.largest(points, &ring, normal, number, old);
        }
        self.hull.ring = ring;
        let mut corners = [Vec3::zeros(); 4];
        for (x, extreme) in corners.iter_mut().zip(&self.chosen) {
            *x = extreme.point(points);
        }
        let weights = shares(&corners[..self.chosen.len()], normal, &center);
        for (extreme, share) in self.chosen.iter_mut().zip(weights) {
            extreme.share = share;
        }
    }

    /// How many points would be chosen of these.
    pub fn count(&mut self, points: &[Vec3], normal: &Vec3, number: usize, tolerance: f64) -> usize {
        self.hull.find(points, normal, tolerance);
        self.hull.ring.len().min(number)
    }

    /// The corners that span the largest area.
    fn largest(&mut self, points: &[Vec3], ring: &[usize], normal: &Vec3, number: usize, old: &[Vec3]) {
        let area = |a: usize, b: usize, c: usize| {
            let [a, b, c] = [a, b, c].map(|k| points[ring[k % ring.len()]]);
            normal.dot(&(b - a).cross(&(c - a)))
        };
        let m = ring.len();
        let (mut best, mut most) = ([0, 1, 2, 3], 0.0);
        for i in 0..m - 2 {
            let (mut p, mut q) = (i + 1, i + 3);
            for j in i + 2..m {
                q = q.max(j + 1);
                while p + 1 < j && area(i, p + 1, j) > area(i, p, j) {
                    p += 1;
                }
                while q + 1 < i + m && area(i, j, q + 1) > area(i, j, q) {
                    q += 1;
                }
                let own = if number == 3 { 0.0 } else { area(i, j, q) };
                let sum = area(i, p, j) + own;
                if sum > most * (1.0 + 1e-9) {
                    (best, most) = ([i, p, j, q % m], sum);
                }
            }
        }
        let taken = &mut best[..number];
        if old.len() >= number {
            let nearest = |k: &usize| old.iter().map(|x| (x - points[ring[*k]]).norm()).fold(f64::INFINITY, f64::min);
            self.nearness.clear();
            self.nearness.extend((0..m).map(|k| (nearest(&k), k)));
            self.nearness.sort_unstable_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
            let mut again = [0; 4];
            again.iter_mut().zip(&self.nearness).for_each(|(k, near)| *k = near.1);
            let again = &mut again[..number];
            again.sort_unstable();
            let spanned: f64 = again.windows(2).skip(1).map(|jk| area(again[0], jk[0], jk[1])).sum();
            if spanned >= AS_GOOD * most {
                taken.copy_from_slice(again);
            }
        }
        taken.sort_unstable();
        self.chosen.extend(taken.iter().map(|&k| Extreme::at(ring[k])));
    }

    /// The corner farthest from the centre, and where the line from it through the centre leaves the polygon.
    fn chord(&mut self, points: &[Vec3], ring: &[usize], normal: &Vec3, center: &Vec3, old: &[Vec3]) {
        let distance = |k: &usize| (points[*k] - center).norm();
        let most = ring.iter().map(distance).fold(0.0, f64::max);
        let near_old = |k: &usize| old.iter().map(|x| (x - points[*k]).norm()).fold(f64::INFINITY, f64::min);
        let good = ring.iter().filter(|k| distance(k) >= AS_GOOD * most);
        let Some(&first) = good.min_by(|a, b| near_old(a).total_cmp(&near_old(b))) else { return };
        self.chosen.push(Extreme::at(first));
        let side = (center - points[first]).cross(normal);
        let height = |k: usize| side.dot(&(points[k] - points[first]));
        let sides = ring.iter().zip(ring.iter().cycle().skip(1));
        for (&a, &b) in sides.filter(|(a, b)| **a != first && **b != first) {
            let (ha, hb) = (height(a), height(b));
            if ha >= 0.0 && hb < 0.0 {
                self.chosen.push(Extreme { corners: [a, b], along: ha / (ha - hb), share: 0.0 });
                return;
            }
            if ha < 0.0 && hb >= 0.0 {
                self.chosen.push(Extreme { corners: [a, b], along: ha / (ha - hb), share: 0.0 });
                return;
            }
        }
        self.chosen.extend(ring.iter().find(|k| **k != first).map(|&k| Extreme::at(k)));
    }
}

/// Centroid of the polygon; of a segment its middle.
fn centroid(points: &[Vec3], ring: &[usize], normal: &Vec3) -> Vec3 {
    let first = points[ring[0]];
    let (mut area, mut moment) = (0.0, Vec3::zeros());
    for ends in ring.windows(2).skip(1) {
        let [b, c] = [points[ends[0]], points[ends[1]]];
        let part = normal.dot(&(b - first).cross(&(c - first)));
        area += part;
        moment += (b + c - first * 2.0) * (part / 3.0);
    }
    if area > 0.0 {
        return first + moment / area;
    }
    ring.iter().map(|k| points[*k]).sum::<Vec3>() / ring.len() as f64
}

/// Shares in [0, 1] of at most four corners, counter-clockwise, whose sum is 1 and whose centroid is `center`, or the
/// point of their hull nearest to it. With four corners there is a choice: that of the least squares.
fn shares(corners: &[Vec3], normal: &Vec3, center: &Vec3) -> [f64; 4] {
    match *corners {
        [] => [0.0; 4],
        [_] => [1.0, 0.0, 0.0, 0.0],
        [a, b] => {
            let along = part_along(&a, &b, center);
            [1.0 - along, along, 0.0, 0.0]
        }
        [a, b, c, ref more @ ..] => {
            if let Some(on_side) = outside(corners, normal, center) {
                return on_side;
            }
            let area = |a: &Vec3, b: &Vec3, c: &Vec3| normal.dot(&(b - a).cross(&(c - a)));
            let within = |a: &Vec3, b: &Vec3, c: &Vec3| {
                let parts = [area(b, c, center), area(c, a, center), area(a, b, center)];
                let whole: f64 = parts.iter().sum();
                parts.map(|part| part / whole)
            };
            let [p, q, r] = within(&a, &b, &c);
            let Some(d) = more.first() else {
                return [p, q, r, 0.0];
            };
            // What can be added without changing sum and centroid.
            let free = [area(&b, &c, d), -area(&a, &c, d), area(&a, &b, d), -area(&a, &b, &c)];
            least_squares([p, q, r, 0.0], free)
        }
    }
}

/// `w + t free` with the least sum of squares among those without negative numbers.
fn least_squares(w: [f64; 4], free: [f64; 4]) -> [f64; 4] {
    let (mut low, mut high) = (f64::NEG_INFINITY, f64::INFINITY);
    let (mut product, mut square) = (0.0, 0.0);
    for (w, f) in w.iter().zip(&free) {
        if *f > 0.0 {
            low = low.max(-w / f);
        } else if *f < 0.0 {
            high = high.min(-w / f);
        }
        product += w * f;
        square += f * f;
    }
    let t = (-product / square).max(low).min(high);
    std::array::from_fn(|k| (w[k] + t * free[k]).max(0.0))
}

/// Shares for the point on the sides that is nearest to a centre outside of them; none if it is inside.
fn outside(corners: &[Vec3], normal: &Vec3, center: &Vec3) -> Option<[f64; 4]> {
    let n = corners.len();
    let is_out = |k: usize| {
        let (a, b) = (corners[k], corners[(k + 1) % n]);
        (b - a).cross(normal).dot(&(center - a)) > 0.0
    };
    if !(0..n).any(is_out) {
        return None;
    }
    let (mut best, mut least) = ([0.0; 4], f64::INFINITY);
    for k in 0..n {
        let (a, b) = (corners[k], corners[(k + 1) % n]);
        let along = part_along(&a, &b, center);
        let square = (a + (b - a) * along - center).norm_squared();
        if square < least {
            (best, least) = ([0.0; 4], square);
            best[k] = 1.0 - along;
            best[(k + 1) % n] = along;
        }
    }
    Some(best)
}

/// Where on a segment the foot of `x` lies, from 0 to 1.
fn part_along(a: &Vec3, b: &Vec3, x: &Vec3) -> f64 {
    let e = b - a;
    ((x - a).dot(&e) / e.norm_squared()).clamp(0.0, 1.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Polygon with corners on an ellipse at these angles [degrees].
    fn polygon(angles: &[f64]) -> Vec<Vec3> {
        angles.iter().map(|a| a.to_radians()).map(|a| Vec3::new(3.0 * a.cos(), a.sin(), 0.0)).collect()
    }

    fn check(points: &[Vec3], number: usize) {
        let mut extremes = Extremes::default();
        extremes.choose(points, &Vec3::z(), number, None, &[], 1e-9);
        let center = centroid(points, &(0..points.len()).collect::<Vec<_>>(), &Vec3::z());
        let chosen = &extremes.chosen;
        assert_eq!(chosen.len(), number.min(points.len()));
        assert!(chosen.iter().all(|e| e.share >= 0.0), "{chosen:?}");
        assert!((chosen.iter().map(|e| e.share).sum::<f64>() - 1.0).abs() < 1e-12);
        let found = chosen.iter().map(|e| e.point(points) * e.share).sum::<Vec3>();
        assert!((found - center).norm() < 1e-12, "{number} of {points:?}: {found:?}, but {center:?}");
    }

    #[test]
    fn shares_have_the_centroid_of_the_polygon() {
        let skew = [[0.0, 0.0], [4.0, 0.0], [5.0, 1.0], [0.0, 1.0]].map(|[x, y]| Vec3::new(x, y, 0.0));
        let all: Vec<f64> = (0..12).map(|k| 30.0 * f64::from(k)).collect();
        let shapes = [
            polygon(&[0.0, 90.0, 180.0, 270.0]),
            polygon(&[0.0, 10.0, 20.0, 200.0]),
            polygon(&[0.0, 50.0, 100.0, 110.0, 120.0, 130.0, 300.0]),
            polygon(&all),
            polygon(&[0.0, 100.0, 220.0]),
            skew.to_vec(),
        ];
        for shape in &shapes {
            (2..=4).for_each(|number| check(shape, number));
        }
    }

    #[test]
    fn corners_of_the_step_before_are_taken_again() {
        let angles: Vec<f64> = (0..8).map(|k| 45.0 * f64::from(k)).collect();
        let points = polygon(&angles);
        let mut extremes = Extremes::default();
        for first in 0..2 {
            let old: Vec<Vec3> = (0..4).map(|k| points[2 * k + first] * (1.0 + 1e-9)).collect();
            extremes.choose(&points, &Vec3::z(), 4, None, &old, 1e-9);
            let mut found: Vec<usize> = extremes.chosen.iter().map(|e| e.corners[0]).collect();
            found.sort_unstable();
            assert_eq!(found, [first, 2 + first, 4 + first, 6 + first]);
        }
    }

    #[test]
    fn points_on_a_line_have_two_extremes() {
        let points: Vec<Vec3> = (0..5).map(|k| Vec3::new(f64::from(k), 2.0 * f64::from(k), 0.0)).collect();
        let mut extremes = Extremes::default();
        extremes.choose(&points, &Vec3::z(), 4, None, &[], 1e-9);
        let mut shares: Vec<(usize, f64)> = extremes.chosen.iter().map(|e| (e.corners[0], e.share)).collect();
        shares.sort_unstable_by_key(|(corner, _)| *corner);
        assert_eq!(shares, [(0, 0.5), (4, 0.5)]);
    }
}
