//! Convex polyhedra with integer vertices, their overlap and their distance in exact integers: an oracle that shares
//! nothing with the kernels.
//!
//! A point is `x / w` with four integers without a common divisor. A corner of an overlap lies on three planes through
//! integer points, so with coordinates up to 12 and edges up to 8 the determinants fit into 128 bits.

use super::make::solid;
use solfec::math::Vec3;
use solfec::shape::Solid;

pub type Int3 = [i128; 3];

pub fn sub(a: Int3, b: Int3) -> Int3 {
    [a[0] - b[0], a[1] - b[1], a[2] - b[2]]
}

pub fn dot(a: Int3, b: Int3) -> i128 {
    a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
}

pub fn cross(a: Int3, b: Int3) -> Int3 {
    [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]
}

fn divisor(a: i128, b: i128) -> i128 {
    if b == 0 {
        a.abs()
    } else {
        divisor(b, a % b)
    }
}

/// The least vector along `n`.
pub fn primitive(n: Int3) -> Int3 {
    let by = n.iter().fold(0, |d, &x| divisor(d, x)).max(1);
    n.map(|x| x / by)
}

/// `normal · x ≤ offset` inside.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Plane {
    pub normal: Int3,
    pub offset: i128,
}

#[derive(Debug, Clone)]
pub struct Polyhedron {
    pub vertices: Vec<Int3>,
    pub planes: Vec<Plane>,
    /// Vertices of each face, counter-clockwise from outside.
    pub loops: Vec<Vec<usize>>,
}

/// Convex hull: every plane through three points that has no point above it. None if flat.
pub fn hull(points: &[Int3]) -> Option<Polyhedron> {
    let mut points = points.to_vec();
    points.sort_unstable();
    points.dedup();
    let mut planes: Vec<Plane> = Vec::new();
    let n = points.len();
    for (i, j, k) in (0..n).flat_map(|i| (i + 1..n).flat_map(move |j| (j + 1..n).map(move |k| (i, j, k)))) {
        let across = primitive(cross(sub(points[j], points[i]), sub(points[k], points[i])));
        for normal in [across, across.map(|x| -x)] {
            let plane = Plane { normal, offset: dot(normal, points[i]) };
            let below = points.iter().all(|&p| dot(normal, p) <= plane.offset);
            if normal != [0; 3] && below && !planes.contains(&plane) {
                planes.push(plane);
            }
        }
    }
    let faces: Vec<Vec<Int3>> = planes.iter().map(|plane| ring(&points, plane)).collect();
    let vertices: Vec<Int3> = points.into_iter().filter(|p| faces.iter().any(|f| f.contains(p))).collect();
    let loops = faces.iter().map(|f| f.iter().filter_map(|p| vertices.iter().position(|v| v == p)).collect()).collect();
    (planes.len() >= 4).then_some(Polyhedron { vertices, planes, loops })
}

/// Corners of the points on a plane: each next one leaves none of them to its right.
fn ring(points: &[Int3], plane: &Plane) -> Vec<Int3> {
    let on: Vec<Int3> = points.iter().copied().filter(|&p| dot(plane.normal, p) == plane.offset).collect();
    let mut ring = vec![on[0]];
    loop {
        let at = ring[ring.len() - 1];
        let mut next = at;
        for &p in on.iter().filter(|&&p| p != at) {
            let turn = dot(plane.normal, cross(sub(next, at), sub(p, at)));
            let longer = dot(sub(p, at), sub(p, at)) > dot(sub(next, at), sub(next, at));
            if next == at || turn < 0 || (turn == 0 && longer) {
                next = p;
            }
        }
        if next == ring[0] {
            return ring;
        }
        ring.push(next);
    }
}

impl Polyhedron {
    /// As the kernels see it; `place` must be exact for the result to be.
    pub fn solid(&self, place: impl Fn(Vec3) -> Vec3) -> Solid {
        let vertices = self.vertices.iter().map(|v| place(Vec3::from(v.map(|x| x as f64)))).collect();
        let faces: Vec<Vec<u16>> = self.loops.iter().map(|l| l.iter().map(|&v| v as u16).collect()).collect();
        solid(vertices, &faces)
    }

    pub fn edges(&self) -> Vec<[Int3; 2]> {
        let sides = |l: &Vec<usize>| (0..l.len()).map(|k| [l[k], l[(k + 1) % l.len()]]).collect::<Vec<_>>();
        let all = self.loops.iter().flat_map(sides).filter(|[i, j]| i < j);
        all.map(|[i, j]| [self.vertices[i], self.vertices[j]]).collect()
    }

    pub fn contains(&self, p: Int3) -> bool {
        self.planes.iter().all(|plane| dot(plane.normal, p) <= plane.offset)
    }

    pub fn shifted(&self, by: Int3) -> Polyhedron {
        let plus = |v: &Int3| [v[0] + by[0], v[1] + by[1], v[2] + by[2]];
        let planes = self.planes.iter().map(|p| Plane { offset: p.offset + dot(p.normal, by), ..*p }).collect();
        Polyhedron { vertices: self.vertices.iter().map(plus).collect(), planes, loops: self.loops.clone() }
    }
}

/// A rational point: three numerators and the denominator, which is positive.
type Point = [i128; 4];

fn height(plane: &Plane, [x, y, z, w]: &Point) -> i128 {
    dot(plane.normal, [*x, *y, *z]) - plane.offset * w
}

/// The part of a convex polygon below a plane.
fn below(polygon: &[Point], plane: &Plane) -> Vec<Point> {
    let mut kept = Vec::new();
    for (k, b) in polygon.iter().enumerate() {
        let a = &polygon[(k + polygon.len() - 1) % polygon.len()];
        let (ha, hb) = (height(plane, a), height(plane, b));
        if ha.signum() * hb.signum() < 0 {
            let sign = (ha - hb).signum();
            let mut x: Point = std::array::from_fn(|i| (b[i] * ha - a[i] * hb) * sign);
            let by = x.iter().fold(0, |d, &x| divisor(d, x));
            x.iter_mut().for_each(|x| *x /= by);
            kept.push(x);
        }
        if hb <= 0 {
            kept.push(*b);
        }
    }
    kept.dedup();
    kept
}

/// What two polyhedra have in common.
#[derive(Debug, Clone, Default)]
pub struct Overlap {
    /// Whether they have a point in common, if only of their borders.
    pub meets: bool,
    /// Each term is exact, rounded once; all have one sign.
    pub volume: f64,
    pub surface: f64,
    /// Area centroid of the surface.
    pub center: Vec3,
    pub corners: Vec<Vec3>,
}

pub fn overlap(a: &Polyhedron, b: &Polyhedron) -> Overlap {
    let mut facets: Vec<Vec<Point>> = Vec::new();
    for (p, q, first) in [(a, b, true), (b, a, false)] {
        for (plane, nodes) in p.planes.iter().zip(&p.loops) {
            let corners = nodes.iter().map(|&v| p.vertices[v]).map(|[x, y, z]| [x, y, z, 1]);
            let left = q.planes.iter().fold(corners.collect(), |polygon: Vec<Point>, cut| below(&polygon, cut));
            // Of two faces on one plane both leave the same facet.
            if !left.is_empty() && (first || !a.planes.contains(plane)) {
                facets.push(left);
            }
        }
    }
    let mut found = Overlap { meets: !facets.is_empty(), ..Overlap::default() };
    let Some(&apex) = facets.first().and_then(|f| f.first()) else { return found };
    let mut moment = Vec3::zeros();
    for f in &facets {
        for k in 1..f.len().max(2) - 1 {
            let [p, q, r] = [f[0], f[k], f[k + 1]];
            let scale: f64 = [apex, p, q, r].iter().map(|x| x[3] as f64).product();
            found.volume += determinant([p, q, r, apex]).abs() as f64 / scale / 6.0;
            let area = 0.5 * difference(&q, &p).cross(&difference(&r, &p)).norm();
            found.surface += area;
            moment += (rounded(&p) + rounded(&q) + rounded(&r)) * (area / 3.0);
        }
    }
    found.center = moment / found.surface;
    found.corners = facets.iter().flatten().map(rounded).collect();
    found
}

fn rounded(p: &Point) -> Vec3 {
    Vec3::from_fn(|k, _| p[k] as f64 / p[3] as f64)
}

fn difference(p: &Point, q: &Point) -> Vec3 {
    Vec3::from_fn(|k, _| (p[k] * q[3] - q[k] * p[3]) as f64 / (p[3] as f64 * q[3] as f64))
}

fn determinant(rows: [Point; 4]) -> i128 {
    let minor = |skip: usize| {
        let [a, b, c] = [0, 1, 2].map(|i| rows[i + usize::from(i >= skip)]).map(|[x, y, z, _]| [x, y, z]);
        dot(a, cross(b, c))
    };
    (0..4).map(|k| rows[k][3] * minor(k) * if k % 2 == 0 { 1 } else { -1 }).sum()
}

/// A non-negative fraction.
#[derive(Debug, Clone, Copy)]
pub struct Fraction(pub i128, pub i128);

impl Fraction {
    fn least(self, other: Fraction) -> Fraction {
        if other.0 * self.1 < self.0 * other.1 {
            other
        } else {
            self
        }
    }

    pub fn root(self) -> f64 {
        (self.0 as f64 / self.1 as f64).sqrt()
    }
}

/// Squared distance of a point from a segment.
fn from_segment(x: Int3, [a, b]: [Int3; 2]) -> Fraction {
    let (e, d) = (sub(b, a), sub(x, a));
    let (along, square) = (dot(e, d), dot(e, e));
    if along <= 0 {
        Fraction(dot(d, d), 1)
    } else if along >= square {
        let d = sub(x, b);
        Fraction(dot(d, d), 1)
    } else {
        let c = cross(e, d);
        Fraction(dot(c, c), square)
    }
}

/// Squared distance of a point from a polyhedron, zero inside.
pub fn from_point(p: &Polyhedron, x: Int3) -> Fraction {
    if p.contains(x) {
        return Fraction(0, 1);
    }
    let mut least = p.edges().into_iter().map(|e| from_segment(x, e)).reduce(Fraction::least).expect("edges");
    for (plane, l) in p.planes.iter().zip(&p.loops) {
        let side = |k: usize| {
            let (a, b) = (p.vertices[l[k]], p.vertices[l[(k + 1) % l.len()]]);
            dot(plane.normal, cross(sub(b, a), sub(x, a)))
        };
        if (0..l.len()).all(|k| side(k) >= 0) {
            let h = dot(plane.normal, x) - plane.offset;
            least = least.least(Fraction(h * h, dot(plane.normal, plane.normal)));
        }
    }
    least
}

/// Squared distance of polyhedra that do not meet: vertices against all, edges against edges.
pub fn distance(a: &Polyhedron, b: &Polyhedron) -> Fraction {
    let vertices = a.vertices.iter().map(|&v| from_point(b, v)).chain(b.vertices.iter().map(|&v| from_point(a, v)));
    let mut least = vertices.reduce(Fraction::least).expect("vertices");
    let others = b.edges();
    for [p, q] in a.edges() {
        for [r, s] in &others {
            let (e, d, pr) = (sub(q, p), sub(*s, *r), sub(*r, p));
            let n = cross(e, d);
            let square = dot(n, n);
            let inside = |t: i128| (0..=square).contains(&t);
            if square > 0 && inside(dot(cross(pr, d), n)) && inside(dot(cross(pr, e), n)) {
                let h = dot(pr, n);
                least = least.least(Fraction(h * h, square));
            }
        }
    }
    least
}
