//! Contact of solids that touch within epsilon: the incident face clipped against the prism of the reference face,
//! or one point of zero area at edges and vertices.

use super::clip::{area_and_moment, cut, perimeter};
use super::extent::{greater, lesser, lowest, mean};
use super::gjk::Closest;
use super::pair::{Axis, Operand, Pair};
use super::polygon::on_segment;
use super::workspace::Scratch;
use crate::contact::ManifoldPoint;
use crate::math::Vec3;

/// Faces whose normals have at least this cosine are one plane cut in pieces.
pub const ONE_PLANE: f64 = 1.0 - 1e-10;
/// A contact polygon narrower than this many coincidence distances is an edge: twice what an edge at 45° to a face
/// leaves within epsilon of it.
pub const EDGE_WIDTH: f64 = 4.0;

/// What clipping leaves of the incident faces.
#[derive(Default)]
struct Patch {
    area: f64,
    moment: Vec3,
    perimeter: f64,
    /// Area before parts higher than epsilon are cut off.
    whole: f64,
}

/// Contact of a pair that its deepest face plane separates by −eps..eps; none if only planes inside of meshes do: the
/// neighbours there overlap the other solid.
pub fn touch(pair: &Pair, scratch: &mut Scratch) -> Option<ManifoldPoint> {
    let axis = pair.axis().filter(|a| a.separation >= -pair.eps)?;
    let (own, other) = if axis.of_slave { (&pair.slave, &pair.master) } else { (&pair.master, &pair.slave) };
    let incident = incident_face(pair, own, other, &axis);
    let patch = clip_faces(pair, own, other, &axis, incident, scratch);
    if scratch.points.is_empty() {
        return point_contact(pair);
    }
    if patch.area <= EDGE_WIDTH * pair.same * 0.5 * patch.perimeter {
        return Some(edge_contact(pair, own, &axis, &scratch.points));
    }
    let depth = (-axis.separation).max(0.0);
    let on_incident = patch.moment / patch.area;
    let point = on_incident - own.normal(axis.face) * (0.5 * own.height(axis.face, &on_incident));
    let outward = blended_normal(pair, own, other, &axis, incident, patch.area / patch.whole);
    let surf_own = own.surface(axis.face, &point, pair.tiny);
    let surf_other = other.surface(incident, &point, pair.tiny);
    Some(ManifoldPoint {
        slave_point: point,
        master_point: point,
        normal: if axis.of_slave { outward } else { -outward },
        gap: -depth,
        // Side walls of the overlap, so that the area is continuous with that of deeper contacts.
        area: patch.area + 0.5 * depth * patch.perimeter,
        projected: patch.area,
        surf: if axis.of_slave { [surf_other, surf_own] } else { [surf_own, surf_other] },
    })
}

/// The face of `other` most antiparallel to the axis among those that contain a deepest vertex.
fn incident_face(pair: &Pair, own: &Operand, other: &Operand, axis: &Axis) -> usize {
    let n = own.normal(axis.face);
    let deepest = axis.separation + pair.tiny;
    let touches = |f: usize| other.loop_of(f).any(|x| own.height(axis.face, x) <= deepest);
    let mut best = (0, f64::INFINITY);
    for f in 0..other.faces() {
        let cosine = n.dot(other.normal(f));
        if cosine < best.1 && touches(f) {
            best = (f, cosine);
        }
    }
    best.0
}

/// Parts of the incident plane over the reference plane, not higher than epsilon; their vertices go to
/// `scratch.points`.
fn clip_faces(
    pair: &Pair,
    own: &Operand,
    other: &Operand,
    axis: &Axis,
    incident: usize,
    scratch: &mut Scratch,
) -> Patch {
    let (n, g) = (own.normal(axis.face), other.normal(incident));
    // Penetration uses up part of the height, so that the strip under a tilted face does not jump where this regime
    // ends.
    let height = own.offset(axis.face) + pair.eps - (-axis.separation).max(0.0);
    let mut patch = Patch::default();
    scratch.points.clear();
    for reference in pieces(own, axis.face, pair.same) {
        for face in pieces(other, incident, pair.same) {
            let polygon = &mut scratch.polygon;
            polygon.clear();
            polygon.extend(other.loop_of(face));
            if !clip_to_prism(own, reference, polygon, &mut scratch.spare, pair.tiny) {
                continue;
            }
            let (whole, moment) = area_and_moment(polygon, g);
            patch.whole += whole;
            if polygon.iter().all(|x| n.dot(x) <= height + pair.tiny) {
                patch.area += whole;
                patch.moment += moment;
            } else if cut(polygon, &mut scratch.spare, n, height, pair.tiny) {
                let (area, moment) = area_and_moment(polygon, g);
                patch.area += area;
                patch.moment += moment;
            } else {
                continue;
            }
            patch.perimeter += perimeter(polygon);
            scratch.points.extend_from_slice(polygon);
        }
    }
    patch
}

/// The faces that lie on one plane with `face`, itself among them.
fn pieces<'a>(part: &'a Operand, face: usize, same: f64) -> impl Iterator<Item = usize> + 'a {
    let n = part.normal(face);
    let flush = move |f: usize| part.loop_of(f).all(|x| part.height(face, x).abs() <= same);
    (0..part.faces()).filter(move |&f| f == face || (part.normal(f).dot(n) >= ONE_PLANE && flush(f)))
}

/// Clips by the planes through the edges of `face` along its normal; false when nothing is left.
fn clip_to_prism(part: &Operand, face: usize, polygon: &mut Vec<Vec3>, spare: &mut Vec<Vec3>, tiny: f64) -> bool {
    let n = part.normal(face);
    let corners = part.loop_of(face);
    corners.clone().zip(corners.cycle().skip(1)).all(|(a, b)| {
        let side = (b - a).cross(n);
        cut(polygon, spare, &side, side.dot(a), tiny * side.norm())
    })
}

/// Outward normal of `own`: that of the reference face, and of the incident face as far as it shares the contact:
/// it lies within epsilon of the reference face, or separates as well as that does. Faces inside a mesh do not.
fn blended_normal(pair: &Pair, own: &Operand, other: &Operand, axis: &Axis, incident: usize, coverage: f64) -> Vec3 {
    let ease = 1.0 - (axis.separation - other.separation[incident]) / pair.same;
    let share = (coverage * coverage).max(ease).clamp(0.0, 1.0);
    let of_incident = if other.is_skin(incident) { share } else { 0.0 };
    (own.normal(axis.face) - other.normal(incident) * of_incident).normalize()
}

/// Contact along an edge: at the middle of its deepest points, along the separating planes that meet there.
fn edge_contact(pair: &Pair, own: &Operand, axis: &Axis, points: &[Vec3]) -> ManifoldPoint {
    let n = own.normal(axis.face);
    let middle = middle_of_lowest(n, points, 4.0 * pair.tiny);
    let point = middle - n * (0.5 * own.height(axis.face, &middle));
    let normal = if axis.separation > pair.tiny {
        pair.direction(axis)
    } else {
        mean_normal(pair).unwrap_or_else(|| pair.direction(axis))
    };
    at_point(pair, point, normal, axis.separation.min(0.0))
}

/// Middle of the lowest points along `n`: of their extents along and across the two farthest from each other, however
/// often clipping leaves one of them.
fn middle_of_lowest(n: &Vec3, points: &[Vec3], tie: f64) -> Vec3 {
    let low = lowest(n, points);
    let deepest = points.iter().filter(|x| n.dot(x) <= low + tie);
    let (mut some, mut along, mut far) = (Vec3::zeros(), Vec3::zeros(), -1.0);
    for x in deepest.clone() {
        for y in deepest.clone() {
            let square = (x - y).norm_squared();
            if square > far {
                (some, along, far) = (*x, x - y, square);
            }
        }
    }
    let Some(along) = along.try_normalize(0.0) else {
        return some;
    };
    let middle = |d: &Vec3| {
        let (mut least, mut most) = (0.0, 0.0);
        for x in deepest.clone() {
            let s = d.dot(&(x - some));
            least = lesser(least, s);
            most = greater(most, s);
        }
        d * (0.5 * (least + most))
    };
    some + middle(&along) + middle(&n.cross(&along))
}

/// Mean of the skin planes that separate as well as the best one.
fn mean_normal(pair: &Pair) -> Option<Vec3> {
    let best = pair.axis()?.separation;
    if best < -pair.eps {
        return None;
    }
    let mut sum = Vec3::zeros();
    for (part, sign) in [(&pair.slave, 1.0), (&pair.master, -1.0)] {
        for f in (0..part.view.topology.skin).filter(|&f| part.separation[f] >= best - pair.same) {
            sum += part.normal(f) * sign;
        }
    }
    sum.try_normalize(1e-6)
}

/// Contact of zero area at the closest points, or none.
pub fn point_contact(pair: &Pair) -> Option<ManifoldPoint> {
    let (a, b) = (pair.slave.vertices, pair.master.vertices);
    let found = pair.closest(&Vec3::zeros(), &(mean(b) - mean(a)));
    if found.distance > pair.eps {
        return None;
    }
    let point = 0.5 * (found.a + found.b);
    if found.distance > pair.tiny {
        return Some(at_point(pair, point, (found.b - found.a) / found.distance, 0.0));
    }
    let faces = pair.axis()?;
    match crossing_edges(pair, &found) {
        Some(c) if -c.depth > faces.separation + pair.same => Some(at_point(pair, c.point, c.normal, -c.depth)),
        _ => {
            let normal = mean_normal(pair).unwrap_or_else(|| pair.direction(&faces));
            Some(at_point(pair, point, normal, faces.separation.min(0.0)))
        }
    }
}

/// Two edges that cross: where, along what, from slave to master, and how deep.
struct Crossing {
    point: Vec3,
    normal: Vec3,
    depth: f64,
}

/// The least penetrating pair of edges that pass the closest points.
fn crossing_edges(pair: &Pair, found: &Closest) -> Option<Crossing> {
    let mut best: Option<Crossing> = None;
    for (a, e) in edges_near(&pair.slave, &found.a, pair.eps) {
        for (b, d) in edges_near(&pair.master, &found.b, pair.eps) {
            let cross = e.cross(&d);
            let Some(n) = cross.try_normalize(1e-9 * e.norm() * d.norm()) else {
                continue;
            };
            for normal in [n, -n] {
                let reach = -lowest(&-normal, pair.slave.vertices);
                let depth = (reach - lowest(&normal, pair.master.vertices)).max(0.0);
                if best.as_ref().is_none_or(|c| depth < c.depth) {
                    let (ab, square) = (b - a, cross.norm_squared());
                    let on_slave = a + e * (ab.cross(&d).dot(&cross) / square);
                    let on_master = b + d * (ab.cross(&e).dot(&cross) / square);
                    let point = 0.5 * (on_slave + on_master);
                    best = Some(Crossing { point, normal, depth });
                }
            }
        }
    }
    best
}

/// Starts and directions of the edges that pass `x`.
fn edges_near<'a>(part: &'a Operand, x: &'a Vec3, near: f64) -> impl Iterator<Item = (Vec3, Vec3)> + 'a {
    part.view.topology.edges.iter().filter_map(move |edge| {
        let [a, b] = edge.nodes.map(|v| part.vertices[v as usize]);
        // A comparison with the box about the edge is cheaper than the distance.
        let outside = |k: usize| x[k] < lesser(a[k], b[k]) - near || x[k] > greater(a[k], b[k]) + near;
        if outside(0) || outside(1) || outside(2) {
            return None;
        }
        let (foot, _) = on_segment(x, &a, &b);
        ((x - foot).norm() <= near).then(|| (a, b - a))
    })
}

fn at_point(pair: &Pair, point: Vec3, normal: Vec3, gap: f64) -> ManifoldPoint {
    ManifoldPoint {
        slave_point: point,
        master_point: point,
        normal,
        gap,
        area: 0.0,
        projected: 0.0,
        surf: [&pair.master, &pair.slave].map(|part| part.nearest_surface(&point, pair.tiny)),
    }
}
