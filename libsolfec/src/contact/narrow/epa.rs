//! How deep two convex parts overlap: the expanding polytope (van den Bergen 2001) inside the difference of the parts,
//! grown from a tetrahedron that holds the origin.

use super::gjk::Corner;
use crate::math::Vec3;

/// Expansions after which the best face so far is taken; smooth parts need some tens for six digits.
const STEPS: usize = 256;
/// A face whose plane is closer to the support point than this part of its distance lies on the surface.
const RELATIVE: f64 = 1e-9;

/// The point of the surface of the difference that is nearest to the origin.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Deepest {
    /// Unit outward normal of the difference `a − b` there: from `a` to `b`.
    pub normal: Vec3,
    pub depth: f64,
    /// Points of either part.
    pub a: Vec3,
    pub b: Vec3,
}

/// A triangle of the polytope: its corners counter-clockwise from outside, its plane.
#[derive(Debug, Clone, Copy)]
struct Face {
    corners: [usize; 3],
    normal: Vec3,
    distance: f64,
}

/// A tetrahedron with the origin inside or on its border: the simplex that a distance search has ended with, which
/// holds the origin, and further corners off its line and its plane. `None` if there are none farther than `zero`.
pub fn enclose<K: Copy>(
    corner: impl Fn(&Vec3) -> Corner<K>,
    simplex: &[Corner<K>],
    zero: f64,
) -> Option<[Corner<K>; 4]> {
    let mut corners = simplex.to_vec();
    while corners.len() < 4 {
        let arm = |k: usize| corners[k].w - corners[0].w;
        let across = match corners.len() {
            1 => [Vec3::x(), Vec3::y(), Vec3::z()],
            2 => {
                let along = arm(1).try_normalize(0.0)?;
                let first = along.cross(&Vec3::ith(along.iamin(), 1.0)).normalize();
                [first, along.cross(&first), first]
            }
            _ => [arm(1).cross(&arm(2)).try_normalize(0.0)?; 3],
        };
        let off = |direction: Vec3| {
            let next = corner(&direction);
            (direction.dot(&(next.w - corners[0].w)).abs() > zero).then_some(next)
        };
        let next = across.into_iter().flat_map(|axis| [axis, -axis]).find_map(off)?;
        corners.push(next);
    }
    corners.try_into().ok()
}

/// `None` if the tetrahedron or the parts are flat. `zero` [m] is the round-off of the parts.
pub fn deepest<K: Copy>(
    corner: impl Fn(&Vec3) -> Corner<K>,
    points: impl Fn(K) -> (Vec3, Vec3),
    start: [Corner<K>; 4],
    zero: f64,
) -> Option<Deepest> {
    let mut corners: Vec<Corner<K>> = start.into();
    let mut faces = tetrahedron(&corners)?;
    let mut best = nearest(&faces)?;
    for _ in 0..STEPS {
        let next = corner(&best.normal);
        let beyond = best.normal.dot(&next.w) - best.distance;
        if beyond <= zero.max(RELATIVE * best.distance) {
            break;
        }
        let sees = |face: &Face| face.normal.dot(&next.w) - face.distance > 0.0;
        let rim = rim(&faces, &sees);
        faces.retain(|face| !sees(face));
        corners.push(next);
        for [a, b] in rim {
            faces.extend(Face::new(&corners, [a, b, corners.len() - 1]));
        }
        // Rounding can make what is seen no disc, and the faces no surface: their number would double.
        if faces.len() > 2 * corners.len() {
            break;
        }
        best = nearest(&faces)?;
    }
    let [a, b, c] = best.corners.map(|k| corners[k]);
    let [u, v, w] = weights(&(best.normal * best.distance), [&a.w, &b.w, &c.w]);
    let on = [a, b, c].map(|corner| points(corner.key));
    Some(Deepest {
        normal: best.normal,
        depth: best.distance,
        a: on[0].0 * u + on[1].0 * v + on[2].0 * w,
        b: on[0].1 * u + on[1].1 * v + on[2].1 * w,
    })
}

impl Face {
    fn new<K>(corners: &[Corner<K>], of: [usize; 3]) -> Option<Face> {
        let [a, b, c] = of.map(|k| corners[k].w);
        let normal = (b - a).cross(&(c - a)).try_normalize(0.0)?;
        Some(Face { corners: of, normal, distance: normal.dot(&a) })
    }
}

/// Faces of a tetrahedron about the origin.
fn tetrahedron<K>(corners: &[Corner<K>]) -> Option<Vec<Face>> {
    let [a, b, c, d] = [0, 1, 2, 3].map(|k| corners[k].w);
    let positive = (b - a).cross(&(c - a)).dot(&(d - a)) > 0.0;
    let loops = [[0, 2, 1], [0, 1, 3], [1, 2, 3], [2, 0, 3]];
    loops.into_iter().map(|[p, q, r]| Face::new(corners, if positive { [p, q, r] } else { [p, r, q] })).collect()
}

fn nearest(faces: &[Face]) -> Option<Face> {
    faces.iter().copied().reduce(|best, face| if face.distance < best.distance { face } else { best })
}

/// Sides of the faces that are seen, except those between two of them.
fn rim(faces: &[Face], sees: &impl Fn(&Face) -> bool) -> Vec<[usize; 2]> {
    let mut sides: Vec<[usize; 2]> = Vec::new();
    for [a, b, c] in faces.iter().filter(|face| sees(face)).map(|face| face.corners) {
        for side in [[a, b], [b, c], [c, a]] {
            match sides.iter().position(|&[p, q]| [q, p] == side) {
                Some(inner) => {
                    sides.swap_remove(inner);
                }
                None => sides.push(side),
            }
        }
    }
    sides
}

/// Barycentric coordinates of a point of the plane of a triangle.
fn weights(x: &Vec3, [a, b, c]: [&Vec3; 3]) -> [f64; 3] {
    let n = (b - a).cross(&(c - a));
    let square = n.norm_squared();
    let part = |p: &Vec3, q: &Vec3| (p - x).cross(&(q - x)).dot(&n) / square;
    let (u, v) = (part(b, c), part(c, a));
    [u, v, 1.0 - u - v]
}
