//! Internal edges: what lies on a surface made of several solids must not feel the edges between them.

use super::narrow::{round_off, Feature, Foot, Object};
use super::objects::{Part, Placed};
use super::parts::PartKind;
use crate::math::Vec3;
use crate::shape::{SolidView, Topology};

/// Sine above which a neighbour is taken to rise over the tangent plane: round-off of the normal.
const RISE: f64 = 1e-9;

/// Whether a contact of a smooth part with a solid is on the boundary *of the body*: the feature is part of its skin,
/// and no adjacent solid that also contains the point (within `epsilon` [m]) rises above the tangent plane there. If
/// one does, it has points nearer to the other part, and the contact there is the true one. Each facet of a body that
/// deforms needs a force of its own: there its skin is enough.
pub fn on_boundary(objects: &Placed<'_>, solid: Part, foot: &Foot, normal: &Vec3, epsilon: f64) -> bool {
    let Part(body, object) = solid;
    let Object::Solid(view) = objects.object(body, object) else { return true };
    if !on_skin(view.topology, foot.feature) {
        return false;
    }
    // A skin face of an element has nothing before it; a polyhedron may have another one there.
    let free = matches!(foot.feature, Feature::Face(_)) && objects.kind(body, object) == PartKind::Element;
    if free || objects.bodies.deforms(body) {
        return true;
    }
    !objects.adjacent(body, object).iter().any(|&other| match objects.object(body, other) {
        Object::Solid(s) => contains(&s, &foot.at, epsilon) && rises(&s, &foot.at, normal),
        Object::Ball(_) | Object::Curved(_) => false,
    })
}

/// Whether a skin face has this feature.
fn on_skin(topology: &Topology, feature: Feature) -> bool {
    let is_skin = |f: u16| usize::from(f) < topology.skin;
    match feature {
        Feature::Face(f) => is_skin(f),
        Feature::Edge(e) => topology.edges[e as usize].faces.into_iter().any(is_skin),
        Feature::Vertex(v) => (0..topology.skin).any(|f| topology.face(f).contains(&v)),
    }
}

fn contains(s: &SolidView, q: &Vec3, epsilon: f64) -> bool {
    let epsilon = epsilon.max(round_off(0.0, q));
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
