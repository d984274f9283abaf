//! The common normal of two convex parts of which at least one is smooth.
//!
//! For a unit vector `n`, with the point `x` of one part farthest along `n` and `y` of the other farthest along `−n`,
//! `s(n) = n·(y − x)` is the distance of the two supporting planes. Its largest value is the distance of the parts,
//! or, where they overlap, minus the least shift that parts them; there `y − x` is along `n`. On the unit sphere the
//! gradient of `s` is the tangential part of `y − x`, and its Hessian `−(B + s)` with the derivatives `B` of the support
//! points: Newton's method takes few steps. A vertex, an edge or a face of a solid leaves `n` two, one or no freedoms.

use super::ball::Feature;
use super::polygon::over_polygon;
use super::support::Support;
use crate::math::{Mat3, Vec3};
use crate::shape::SolidView;

const STEPS: usize = 32;
/// Step after which the normal is exact: the next would be its square. Longest step.
const SETTLED: f64 = 1e-8;
const LONGEST: f64 = 0.5;
/// Overlap, relative to the least radius of curvature, up to which the normal found from the centres is that of the
/// least shift.
const SHALLOW: f64 = 1.0;
/// Features of a solid whose vertices are lower along the guess than this part of its size are not touched.
const BAND: f64 = 1e-2;

/// A common normal, from the first to the second part.
#[derive(Debug, Clone, Copy)]
pub struct Common {
    pub normal: Vec3,
    /// Distance along it, negative where the parts overlap.
    pub distance: f64,
    /// Points of the first and of the second part.
    pub first: Vec3,
    pub second: Vec3,
    /// Of the solid among the parts, where it is known.
    pub feature: Option<Feature>,
}

impl Common {
    /// From the second to the first part.
    pub fn reversed(self) -> Common {
        Common { normal: -self.normal, first: self.second, second: self.first, ..self }
    }
}

/// Support points across a normal, and the derivative of `x − y` by it.
struct Ends {
    x: Vec3,
    y: Vec3,
    bend: Mat3,
}

/// Where Newton's method has settled; `least` is the least radius of curvature of both parts together.
struct Settled {
    common: Common,
    least: f64,
}

/// Of two smooth parts that are apart or overlap little; `None` if one is not smooth, or if a search must tell.
pub fn of_smooth(first: &dyn Support, second: &dyn Support) -> Option<Common> {
    let start = (second.center() - first.center()).try_normalize(0.0)?;
    first.bend(&start).and(second.bend(&start))?;
    let found = settle(|n| ends(first, second, n), start)?;
    (found.common.distance > -SHALLOW * found.least).then_some(found.common)
}

/// The same near a guess of the normal.
pub fn near_guess(first: &dyn Support, second: &dyn Support, guess: &Vec3, zero: f64) -> Option<Common> {
    let value = |n: &Vec3| n.dot(&(second.support(&-n) - first.support(n)));
    let found = match (first.solid(), second.solid()) {
        (None, None) => settle(|n| ends(first, second, n), *guess)?.common,
        (Some(solid), None) => on_solid(&solid, second, guess, zero)?,
        (None, Some(solid)) => on_solid(&solid, first, &-guess, zero)?.reversed(),
        (Some(_), Some(_)) => return None,
    };
    (found.distance >= value(guess) - zero).then_some(found)
}

fn ends(first: &dyn Support, second: &dyn Support, n: &Vec3) -> Option<Ends> {
    Some(Ends { x: first.support(n), y: second.support(&-n), bend: first.bend(n)? + second.bend(&-n)? })
}

/// Newton's method for a normal with two freedoms.
fn settle(ends: impl Fn(&Vec3) -> Option<Ends>, start: Vec3) -> Option<Settled> {
    let mut n = start;
    let mut settled = false;
    for _ in 0..STEPS {
        let Ends { x, y, bend } = ends(&n)?;
        let s = n.dot(&(y - x));
        let a = n.cross(&Vec3::ith(n.iamin(), 1.0)).normalize();
        let b = n.cross(&a);
        let [baa, bab, bbb] = [a.dot(&(bend * a)), a.dot(&(bend * b)), b.dot(&(bend * b))];
        if settled {
            let least = 0.5 * (baa + bbb) - (0.25 * (baa - bbb).powi(2) + bab * bab).sqrt();
            return Some(Settled {
                common: Common { normal: n, distance: s, first: x, second: y, feature: None },
                least,
            });
        }
        let (haa, hbb) = (baa + s, bbb + s);
        let determinant = haa * hbb - bab * bab;
        if determinant <= 0.0 || haa <= 0.0 {
            return None;
        }
        let (ga, gb) = (a.dot(&(y - x)), b.dot(&(y - x)));
        let step = a * ((hbb * ga - bab * gb) / determinant) + b * ((haa * gb - bab * ga) / determinant);
        settled = step.norm() < SETTLED;
        n = (n + step.cap_magnitude(LONGEST)).normalize();
    }
    None
}

/// The feature of a solid that a smooth part touches, near a guess of the normal out of the solid: of all whose normal
/// is admissible the one with the greatest distance.
fn on_solid(solid: &SolidView, smooth: &dyn Support, guess: &Vec3, zero: f64) -> Option<Common> {
    let top = solid.vertices.iter().max_by(|a, b| guess.dot(a).total_cmp(&guess.dot(b)))?;
    let size = solid.vertices.iter().map(|v| (v - top).norm()).fold(0.0, f64::max);
    let near = |v: u16| guess.dot(&(top - solid.vertices[v as usize])) <= BAND * size;
    let topology = solid.topology;
    let faces = (0..topology.faces()).filter(|&f| topology.face(f).iter().all(|&v| near(v)));
    let edges = (0..topology.edges.len()).filter(|&e| topology.edges[e].nodes.iter().all(|&v| near(v)));
    let vertices = (0..solid.vertices.len() as u16).filter(|&v| near(v));
    let highest = |found: &Common| solid.vertices.iter().all(|v| found.normal.dot(&(v - found.first)) <= zero);
    let found = faces
        .filter_map(|f| on_face(solid, smooth, f))
        .chain(edges.filter_map(|e| settle_on_edge(solid, smooth, guess, e)?).filter(highest))
        .chain(vertices.filter_map(|v| on_vertex(solid, smooth, guess, v)).filter(highest));
    found.max_by(|a, b| a.distance.total_cmp(&b.distance))
}

/// None if the foot of the deepest point is not on the face.
pub fn on_face(solid: &SolidView, smooth: &dyn Support, f: usize) -> Option<Common> {
    let (normal, corners) = (solid.normals[f], solid.topology.face(f));
    let y = smooth.support(&-normal);
    let distance = normal.dot(&(y - solid.vertices[*corners.first()? as usize]));
    let foot = y - normal * distance;
    let loop_of = corners.iter().map(|&v| &solid.vertices[v as usize]);
    let feature = Some(Feature::Face(f as u16));
    over_polygon(&foot, loop_of, &normal).then_some(Common { normal, distance, first: foot, second: y, feature })
}

/// None if the search does not settle; within, none if it settles beyond the ends of the edge.
pub fn settle_on_edge(solid: &SolidView, smooth: &dyn Support, guess: &Vec3, edge: usize) -> Option<Option<Common>> {
    let [start, end] = solid.topology.edges[edge].nodes.map(|v| solid.vertices[v as usize]);
    let along = (end - start).try_normalize(0.0)?;
    let mut n = (guess - along * along.dot(guess)).try_normalize(0.0)?;
    for _ in 0..STEPS {
        let y = smooth.support(&-n);
        let (distance, across) = (n.dot(&(y - start)), along.cross(&n));
        let curvature = across.dot(&(smooth.bend(&-n)? * across)) + distance;
        if curvature <= 0.0 {
            return None;
        }
        let step = (across.dot(&(y - start)) / curvature).clamp(-LONGEST, LONGEST);
        n = (n + across * step).normalize();
        if step.abs() < SETTLED {
            let y = smooth.support(&-n);
            let place = along.dot(&(y - start));
            let on_edge = (0.0..=(end - start).norm()).contains(&place);
            let distance = n.dot(&(y - start));
            let (first, feature) = (start + along * place, Some(Feature::Edge(edge as u16)));
            return Some(on_edge.then_some(Common { normal: n, distance, first, second: y, feature }));
        }
    }
    None
}

/// None if the search does not settle.
pub fn on_vertex(solid: &SolidView, smooth: &dyn Support, guess: &Vec3, vertex: u16) -> Option<Common> {
    let x = solid.vertices[vertex as usize];
    let ends = |n: &Vec3| Some(Ends { x, y: smooth.support(&-n), bend: smooth.bend(&-n)? });
    settle(ends, *guess).map(|found| Common { feature: Some(Feature::Vertex(vertex)), ..found.common })
}
