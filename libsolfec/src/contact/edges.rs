//! Internal edges: a ball on a surface made of several solids must not feel the edges between them
//! (geometry-and-contact.md 6.5).

use super::kernel::Slot;
use super::objects::{Object, Objects};
use crate::math::Vec3;
use crate::shape::SolidView;

/// Sine above which a neighbour is taken to rise over the tangent plane of the ball: round-off of the normal.
const RISE: f64 = 1e-9;

/// Whether `n` lies in the cone of outward normals at the point `q` of a solid *on the boundary of the body*: no adjacent
/// solid that also contains `q` (within `epsilon` [m]) rises above the plane through `q` with this normal. If one does,
/// it has points nearer to the ball, and the contact there is the true one.
pub fn on_boundary(objects: &Objects, solid: Slot, q: &Vec3, n: &Vec3, epsilon: f64) -> bool {
    let Slot(body, object) = solid;
    !objects.adjacent(body, object).iter().any(|&o| match objects.object(body, o) {
        Object::Solid(s) => contains(&s, q, epsilon) && rises(&s, q, n),
        Object::Ball(_) => false,
    })
}

fn contains(s: &SolidView, q: &Vec3, epsilon: f64) -> bool {
    s.normals.iter().enumerate().all(|(f, n)| {
        let corner = s.vertices[s.topology.face(f)[0] as usize];
        n.dot(&(q - corner)) <= epsilon
    })
}

fn rises(s: &SolidView, q: &Vec3, n: &Vec3) -> bool {
    s.vertices.iter().any(|x| {
        let d = x - q;
        n.dot(&d) > RISE * d.norm()
    })
}
