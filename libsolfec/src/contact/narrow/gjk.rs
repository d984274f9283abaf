//! Distance of convex hulls of points: the method of Gilbert, Johnson and Keerthi with the signed-volumes
//! sub-distance of Montanari, Petrinic and Barbieri (2017).

use super::extent::{bounds, farthest};
use crate::math::Vec3;
use crate::shape::SolidView;

/// Steps after which the best distance so far is returned; polytopes of contact need about ten.
const STEPS: usize = 256;
/// Relative gap of upper and lower bound of the squared distance at which a step cannot matter.
const RELATIVE: f64 = 1e-15;

/// Closest points of two solids: distance and the points of `a` and of `b`. Zero when they meet.
pub fn distance(a: &SolidView, b: &SolidView) -> (f64, Vec3, Vec3) {
    let (low, high) = bounds(a.vertices);
    let (blow, bhigh) = bounds(b.vertices);
    let toward = 0.5 * (blow + bhigh - low - high);
    let zero = f64::EPSILON * ((high - low).norm() + (bhigh - blow).norm());
    let tips = |d: &Vec3| [farthest(a.vertices, d), farthest(b.vertices, &-d)];
    let found = closest(a.vertices, b.vertices, tips, &Vec3::zeros(), &toward, zero);
    (found.distance, found.a, found.b)
}

/// Closest points of two point clouds' hulls.
#[derive(Debug, Clone, Copy)]
pub struct Closest {
    pub distance: f64,
    pub a: Vec3,
    /// On `b` after its shift.
    pub b: Vec3,
}

/// A vertex of the difference `a − b`, and what it comes from.
#[derive(Debug, Clone, Copy)]
pub struct Corner<K> {
    pub w: Vec3,
    pub key: K,
}

/// What a search ends with: the simplex that holds the point of the difference nearest to the origin, and its weights.
#[derive(Debug, Clone, Copy)]
pub struct Search<K> {
    pub distance: f64,
    simplex: [Corner<K>; 4],
    weight: [f64; 4],
    count: usize,
}

impl<K: Copy> Search<K> {
    /// The nearest points, from what corners come from.
    pub fn points(&self, of: impl Fn(K) -> (Vec3, Vec3)) -> (Vec3, Vec3) {
        self.points_from(Vec3::zeros(), of)
    }

    /// The same with the second body shifted.
    fn points_from(&self, shift: Vec3, of: impl Fn(K) -> (Vec3, Vec3)) -> (Vec3, Vec3) {
        let (mut on_a, mut on_b) = (Vec3::zeros(), shift);
        for (corner, weight) in self.simplex[..self.count].iter().zip(&self.weight) {
            let (a, b) = of(corner.key);
            on_a += a * *weight;
            on_b += b * *weight;
        }
        (on_a, on_b)
    }

    /// The corners of the simplex.
    pub fn corners(&self) -> &[Corner<K>] {
        &self.simplex[..self.count]
    }
}

/// Distance of the hulls of `a` and of `b + shift`; `tips` gives the point of `a` farthest along a direction, and that of
/// `b` farthest against it; `toward` is a guess of the direction from `a` to `b`. Distances of
/// at most `zero` are returned as zero.
pub fn closest(
    a: &[Vec3],
    b: &[Vec3],
    tips: impl Fn(&Vec3) -> [usize; 2],
    shift: &Vec3,
    toward: &Vec3,
    zero: f64,
) -> Closest {
    let corner = |direction: &Vec3| {
        let [i, j] = tips(direction);
        Corner { w: a[i] - (b[j] + shift), key: (i, j) }
    };
    let found = search(corner, *toward, zero);
    let (a, b) = found.points_from(*shift, |(i, j)| (a[i], b[j]));
    Closest { distance: if found.distance <= zero { 0.0 } else { found.distance }, a, b }
}

/// The point nearest to the origin of the difference whose farthest corner along a direction is `corner`; `toward` is a
/// guess of the direction from the first to the second body. The search ends when the distance is `zero` or less.
pub fn search<K: Copy + PartialEq>(corner: impl Fn(&Vec3) -> Corner<K>, toward: Vec3, zero: f64) -> Search<K> {
    let mut simplex = [corner(&toward); 4];
    let mut weight = [1.0, 0.0, 0.0, 0.0];
    let mut count = 1;
    let mut v = simplex[0].w;
    for _ in 0..STEPS {
        let square = v.norm_squared();
        if square <= zero * zero {
            break;
        }
        let next = corner(&-v);
        let known = simplex[..count].iter().any(|c| c.key == next.key);
        if known || square - v.dot(&next.w) <= RELATIVE * square {
            break;
        }
        simplex[count] = next;
        let w = simplex.map(|c| c.w);
        let lambda = match count {
            1 => segment(&w, [0, 1]),
            2 => triangle(&w, [0, 1, 2]),
            _ => tetrahedron(&w),
        };
        let reached = combine(&w, &lambda);
        if reached.norm_squared() >= square {
            break;
        }
        v = reached;
        count = 0;
        for k in 0..4 {
            if lambda[k] > 0.0 {
                simplex[count] = simplex[k];
                weight[count] = lambda[k];
                count += 1;
            }
        }
        if count == 4 {
            v = Vec3::zeros();
            break;
        }
    }
    Search { distance: v.norm(), simplex, weight, count }
}

fn combine(w: &[Vec3; 4], lambda: &[f64; 4]) -> Vec3 {
    w[0] * lambda[0] + w[1] * lambda[1] + w[2] * lambda[2] + w[3] * lambda[3]
}

/// The candidate nearest to the origin.
fn nearest(w: &[Vec3; 4], candidates: impl Iterator<Item = [f64; 4]>) -> Option<[f64; 4]> {
    let mut best = None;
    let mut least = f64::INFINITY;
    for lambda in candidates {
        let d = combine(w, &lambda).norm_squared();
        if d < least {
            (best, least) = (Some(lambda), d);
        }
    }
    best
}

/// Weights of the point of segment `w[i] w[j]` nearest to the origin.
fn segment(w: &[Vec3; 4], [i, j]: [usize; 2]) -> [f64; 4] {
    let e = w[j] - w[i];
    let square = e.norm_squared();
    let t = if square > 0.0 { (-w[i].dot(&e) / square).clamp(0.0, 1.0) } else { 0.0 };
    let mut lambda = [0.0; 4];
    lambda[i] = 1.0 - t;
    lambda[j] = t;
    lambda
}

/// Weights of the point of the triangle nearest to the origin.
fn triangle(w: &[Vec3; 4], t: [usize; 3]) -> [f64; 4] {
    let [a, b, c] = t.map(|i| w[i]);
    let n = (b - a).cross(&(c - a));
    let square = n.norm_squared();
    let mut part = [0.0; 3];
    if square > 0.0 {
        let foot = n * (a.dot(&n) / square);
        let (a, b, c) = (a - foot, b - foot, c - foot);
        part = [n.dot(&b.cross(&c)), n.dot(&c.cross(&a)), n.dot(&a.cross(&b))];
    }
    if part.iter().all(|&p| p > 0.0) {
        let sum = part[0] + part[1] + part[2];
        let mut lambda = [0.0; 4];
        for k in 0..3 {
            lambda[t[k]] = part[k] / sum;
        }
        return lambda;
    }
    let edges = (0..3).filter(|&k| part[k] <= 0.0);
    let found = nearest(w, edges.map(|k| segment(w, [t[(k + 1) % 3], t[(k + 2) % 3]])));
    found.unwrap_or_else(|| segment(w, [t[0], t[1]]))
}

/// Weights of the point of the tetrahedron nearest to the origin.
fn tetrahedron(w: &[Vec3; 4]) -> [f64; 4] {
    let [a, b, c, d] = *w;
    let volume = (b - a).dot(&(c - a).cross(&(d - a)));
    let part = [b.dot(&c.cross(&d)), -a.dot(&c.cross(&d)), a.dot(&b.cross(&d)), -a.dot(&b.cross(&c))]
        .map(|p| p * volume.signum());
    if part.iter().all(|&p| p > 0.0) {
        let sum: f64 = part.iter().sum();
        return part.map(|p| p / sum);
    }
    const FACES: [[usize; 3]; 4] = [[1, 2, 3], [0, 2, 3], [0, 1, 3], [0, 1, 2]];
    let faces = (0..4).filter(|&k| part[k] <= 0.0);
    nearest(w, faces.map(|k| triangle(w, FACES[k]))).unwrap_or([1.0, 0.0, 0.0, 0.0])
}
