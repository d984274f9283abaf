//! Contact of balls with balls and with solids.

use super::disc::part_in_disc;
use super::pair::round_off;
use super::polygon::{on_segment, over_polygon, polygon_distance};
use super::{GeometryError, CURVED_AREA};
use crate::contact::ManifoldPoint;
use crate::math::Vec3;
use crate::shape::SolidView;

/// Below this part of the radius a distance gives no direction: it is round-off.
const NO_DIRECTION: f64 = 1e-9;
/// Below this part of the square of its radius the area that a disc shares with a face has no centroid: it is round-off.
const NO_AREA: f64 = 1e-9;

/// A placed ball.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Ball {
    pub center: Vec3,
    pub radius: f64,
    pub surfid: i32,
}

/// Where on a solid the point nearest to a smooth part lies: a face, a row of the topology's edges, or a vertex.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Feature {
    Face(u16),
    Edge(u16),
    Vertex(u16),
}

/// Whether `first` is the slave of two balls with these centres: the lexicographically smaller centre; equal centres give
/// None and the ids decide.
pub fn center_is_smaller(first: &Vec3, second: &Vec3) -> Option<bool> {
    (0..3).find(|&k| first[k] != second[k]).map(|k| first[k] < second[k])
}

/// Contact of two balls nearer than `epsilon`, or touching but for round-off. Concentric balls part along +z.
pub fn balls(slave: &Ball, master: &Ball, epsilon: f64) -> Option<ManifoldPoint> {
    let between = master.center - slave.center;
    let reach = slave.radius + master.radius;
    let square = between.norm_squared();
    let limit = reach + epsilon.max(round_off(reach, &master.center));
    if square.is_nan() || square >= limit * limit {
        return None;
    }
    let length = square.sqrt();
    let normal = if square >= f64::MIN_POSITIVE { between / length } else { Vec3::z() };
    let gap = length - reach;
    let mut slave_point = slave.center + normal * slave.radius;
    let mut master_point = master.center - normal * master.radius;
    if gap < 0.0 {
        slave_point = 0.5 * (slave_point + master_point);
        master_point = slave_point;
    }
    Some(ManifoldPoint {
        slave_point,
        master_point,
        normal,
        gap: gap.min(0.0),
        area: CURVED_AREA,
        projected: CURVED_AREA,
        surf: [master.surfid, slave.surfid],
    })
}

/// Contact of a solid (slave) and a ball (master) nearer than `epsilon`, and the feature of the solid nearest to the
/// ball; none with a solid inside a mesh, which has no surface. Contact at an edge or a vertex, or at a face inside a
/// mesh, is for the caller to judge by the neighbours.
pub fn solid_ball(
    slave: &SolidView,
    center: Vec3,
    radius: f64,
    surfid: i32,
    epsilon: f64,
) -> Result<Option<(ManifoldPoint, Feature)>, GeometryError> {
    let sum: f64 = slave.vertices.iter().map(|v| v.sum()).sum();
    if !(sum + center.sum() + radius).is_finite() {
        return Err(GeometryError::NotFinite);
    }
    if slave.topology.skin == 0 {
        return Ok(None);
    }
    let reach = radius + epsilon.max(round_off(radius, &center));
    let (mut outside, mut skin) = ((f64::NEG_INFINITY, 0), (f64::NEG_INFINITY, 0));
    for (f, n) in slave.normals.iter().enumerate() {
        let s = height(slave, f, n, &center);
        if s >= reach {
            return Ok(None);
        }
        if s > outside.0 {
            outside = (s, f);
        }
        if s > skin.0 && f < slave.topology.skin {
            skin = (s, f);
        }
    }
    let (foot, feature) =
        if outside.0 > 0.0 { nearest(slave, &center, outside.1) } else { (center, Feature::Face(skin.1 as u16)) };
    let distance = (center - foot).norm();
    if distance >= reach {
        return Ok(None);
    }
    let (normal, gap, foot, feature) = if distance > NO_DIRECTION * radius {
        let normal = match feature {
            // That of the face is exact however near the centre is.
            Feature::Face(f) => slave.normals[f as usize],
            Feature::Edge(_) | Feature::Vertex(_) => (center - foot) / distance,
        };
        (normal, distance - radius, foot, feature)
    } else {
        // The centre is inside: out through the nearest surface plane.
        let (s, f) = skin;
        let n = slave.normals[f];
        (n, s - radius, center - n * s, Feature::Face(f as u16))
    };
    let hit = ManifoldPoint {
        slave_point: foot,
        master_point: center - normal * radius,
        normal,
        gap: gap.min(0.0),
        area: CURVED_AREA,
        projected: CURVED_AREA,
        surf: [surfid, surface_of(slave, feature, &foot)],
    };
    Ok(Some((hit, feature)))
}

/// Contact of a solid (slave) of a body that deforms and a ball (master): in the middle of what the ball, enlarged by
/// `epsilon`, cuts out of a skin face, the one of which it takes most, along the radius there. Where such a body is
/// dented, each face needs a force of its own, not only those with a point nearest to the ball. None if no face has its
/// outside to the centre.
pub fn dent(slave: &SolidView, ball: &Ball, epsilon: f64) -> Option<ManifoldPoint> {
    let reach = ball.radius + epsilon.max(round_off(ball.radius, &ball.center));
    let mut most: Option<(f64, Vec3, usize)> = None;
    for f in 0..slave.topology.skin {
        let n = &slave.normals[f];
        let s = height(slave, f, n, &ball.center);
        if s <= 0.0 || s >= reach {
            continue;
        }
        let (foot, square) = (ball.center - n * s, reach * reach - s * s);
        let (area, moment) = part_in_disc(loop_of(slave, f), n, &foot, square.sqrt());
        if area > NO_AREA * square && most.is_none_or(|(least, ..)| area > least) {
            most = Some((area, foot + moment / area, f));
        }
    }
    let (_, point, face) = most?;
    let way = ball.center - point;
    let distance = way.norm();
    let normal = way / distance;
    Some(ManifoldPoint {
        slave_point: point,
        master_point: ball.center - normal * ball.radius,
        normal,
        gap: (distance - ball.radius).min(0.0),
        area: CURVED_AREA,
        projected: CURVED_AREA,
        surf: [ball.surfid, slave.topology.surfid.get(face).copied().unwrap_or(0)],
    })
}

fn height(solid: &SolidView, face: usize, n: &Vec3, x: &Vec3) -> f64 {
    n.dot(&(x - corner(solid, solid.topology.face(face)[0])))
}

fn corner<'a>(solid: &SolidView<'a>, vertex: u16) -> &'a Vec3 {
    &solid.vertices[vertex as usize]
}

fn loop_of<'a>(solid: &SolidView<'a>, face: usize) -> impl Iterator<Item = &'a Vec3> + Clone {
    let vertices = solid.vertices;
    solid.topology.face(face).iter().map(move |&v| &vertices[v as usize])
}

/// The point of a solid nearest to `x`, which lies outside of its plane `outermost`.
fn nearest(solid: &SolidView, x: &Vec3, outermost: usize) -> (Vec3, Feature) {
    // A foot inside a face that x is above is the nearest point: the face plane bounds the distance from below.
    let foot_in = |f: usize| {
        let n = &solid.normals[f];
        let s = height(solid, f, n, x);
        (s > 0.0 && over_polygon(x, loop_of(solid, f), n)).then(|| x - n * s)
    };
    let others = (0..solid.normals.len()).filter(|&f| f != outermost);
    for f in std::iter::once(outermost).chain(others) {
        if let Some(foot) = foot_in(f) {
            return (foot, Feature::Face(f as u16));
        }
    }
    let mut best = (*x, Feature::Vertex(0));
    let mut least = f64::INFINITY;
    for (e, edge) in solid.topology.edges.iter().enumerate() {
        let [a, b] = edge.nodes.map(|v| corner(solid, v));
        let (foot, t) = on_segment(x, a, b);
        let d = (x - foot).norm_squared();
        if d < least {
            least = d;
            let feature = match t {
                0.0 => Feature::Vertex(edge.nodes[0]),
                1.0 => Feature::Vertex(edge.nodes[1]),
                _ => Feature::Edge(e as u16),
            };
            best = (foot, feature);
        }
    }
    best
}

/// Surface id of the first skin face at the feature; at inner faces, edges and vertices that of the nearest skin face.
fn surface_of(solid: &SolidView, feature: Feature, foot: &Vec3) -> i32 {
    let topology = solid.topology;
    let at_feature = |f: &usize| match feature {
        Feature::Face(g) => *f == g as usize,
        Feature::Edge(e) => topology.edges[e as usize].faces.contains(&(*f as u16)),
        Feature::Vertex(v) => topology.face(*f).contains(&v),
    };
    let face = (0..topology.skin).find(at_feature).unwrap_or_else(|| {
        let mut best = (f64::INFINITY, 0);
        for f in 0..topology.skin {
            let n = &solid.normals[f];
            let d = polygon_distance(foot, loop_of(solid, f), n, n.dot(corner(solid, topology.face(f)[0])));
            if d < best.0 {
                best = (d, f);
            }
        }
        best.1
    });
    topology.surfid.get(face).copied().unwrap_or(0)
}
