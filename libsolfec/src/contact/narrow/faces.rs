//! The polygon that two facing plane faces share, and how far they are apart at its corners.
//!
//! The slave's face that looks most along the normal and the master's that looks most against it are projected along
//! the normal; the corners of the intersection are corners of one face, or crossings of their edges. Nothing is cut off
//! by depth: which corners touch, their gaps say, so that faces that open about an edge keep only the corners there.

use super::clip::{area_and_moment, cut, perimeter};
use super::extent::{bounds, top};
use super::pair::{coincidence, round_off};
use super::touch::{EDGE_WIDTH, ONE_PLANE};
use crate::math::{local_base, Vec3};
use crate::shape::SolidView;

/// A face faces the other solid if the cosine of its normal with the contact normal is greater: the three faces of a
/// cube's corner that points along the normal still do (0.577).
const FACING: f64 = 0.3;

/// A corner of the shared polygon.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Corner {
    /// Halfway between the two faces.
    pub point: Vec3,
    /// Distance of the faces along the normal, negative where they overlap [m].
    pub gap: f64,
}

/// What two faces share.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct SharedFace {
    /// Of the projection along the normal [m²]; zero if it is so narrow that it is an edge, and then it has two
    /// corners.
    pub area: f64,
    /// Centroid.
    pub center: Vec3,
    /// Up to this gap [m] corners touch.
    pub touch: f64,
    /// Distance [m] up to which points coincide.
    pub same: f64,
}

/// Polygon buffers.
#[derive(Debug, Default)]
pub struct FaceWorkspace {
    slave: Vec<Vec3>,
    master: Vec<Vec3>,
    spare: Vec<Vec3>,
    hull: Hull,
    points: Vec<Vec3>,
}

/// The polygon that two solids share across `normal`, from slave to master; its corners are appended to `corners`,
/// counter-clockwise seen against the normal. None if no faces face each other.
pub fn shared_face(
    slave: &SolidView,
    master: &SolidView,
    normal: &Vec3,
    epsilon: f64,
    ws: &mut FaceWorkspace,
    corners: &mut Vec<Corner>,
) -> Option<SharedFace> {
    let (f, g) = (facing(slave, normal)?, facing(master, &-normal)?);
    let (low, high) = bounds(slave.vertices);
    let (mlow, mhigh) = bounds(master.vertices);
    let (low, high) = (low.inf(&mlow), high.sup(&mhigh));
    let origin = 0.5 * (low + high);
    let size = (high - low).norm();
    let tiny = round_off(size, &origin);
    let touch = epsilon.max(tiny);
    let same = coincidence(touch, size).max(tiny);
    project(slave, f, normal, &origin, (&mut ws.hull, &mut ws.points), &mut ws.slave);
    project(master, g, normal, &origin, (&mut ws.hull, &mut ws.points), &mut ws.master);
    ws.master.reverse();
    let polygon = &mut ws.slave;
    let sides = ws.master.iter().zip(ws.master.iter().cycle().skip(1));
    for (a, b) in sides {
        let side = (b - a).cross(normal);
        if !cut(polygon, &mut ws.spare, &side, side.dot(a), tiny * side.norm()) {
            return None;
        }
    }
    let (area, moment) = area_and_moment(polygon, normal);
    let narrow = area <= EDGE_WIDTH * same * 0.5 * perimeter(polygon);
    if narrow {
        keep_ends(polygon);
    }
    let (below, above) = (Plane::of(slave, f, &origin), Plane::of(master, g, &origin));
    let corner = |x: &Vec3| {
        let (a, b) = (below.height(x, normal), above.height(x, normal));
        Corner { point: origin + x + normal * (0.5 * (a + b)), gap: b - a }
    };
    corners.extend(polygon.iter().map(corner));
    let center = if narrow { polygon.iter().sum::<Vec3>() / polygon.len() as f64 } else { moment / area };
    Some(SharedFace { area: if narrow { 0.0 } else { area }, center: corner(&center).point, touch, same })
}

/// The skin face that looks most along `direction`; ties go to the lowest number.
fn facing(solid: &SolidView, direction: &Vec3) -> Option<usize> {
    let mut best: Option<(usize, f64)> = None;
    for (f, n) in solid.normals[..solid.topology.skin].iter().enumerate() {
        let cosine = n.dot(direction);
        if cosine > best.map_or(FACING, |(_, most)| most + 1.0 - ONE_PLANE) {
            best = Some((f, cosine));
        }
    }
    best.map(|(f, _)| f)
}

/// The face, with all others on its plane, projected along the normal; counter-clockwise about the face's normal.
fn project(
    solid: &SolidView,
    face: usize,
    normal: &Vec3,
    origin: &Vec3,
    (hull, points): (&mut Hull, &mut Vec<Vec3>),
    out: &mut Vec<Vec3>,
) {
    let n = &solid.normals[face];
    let flat = |v: &u16| {
        let x = solid.vertices[*v as usize] - origin;
        x - normal * normal.dot(&x)
    };
    let on_plane = |f: &usize| solid.normals[*f].dot(n) >= ONE_PLANE;
    out.clear();
    if (0..solid.topology.skin).filter(on_plane).count() == 1 {
        out.extend(solid.topology.face(face).iter().map(flat));
        return;
    }
    let pieces = (0..solid.topology.skin).filter(on_plane);
    points.clear();
    points.extend(pieces.flat_map(|f| solid.topology.face(f)).map(flat));
    let along = if n.dot(normal) > 0.0 { *normal } else { -normal };
    hull.find(points, &along, round_off(0.0, origin));
    out.extend(hull.ring.iter().map(|&k| points[k]));
}

/// The convex hull of points on a plane.
#[derive(Debug, Default)]
pub struct Hull {
    flat: Vec<[f64; 2]>,
    rows: Vec<usize>,
    /// Rows of the corners, counter-clockwise.
    pub ring: Vec<usize>,
}

impl Hull {
    /// Finds the corners (Andrew 1979), counter-clockwise about `normal`, without those that lie within `tolerance` [m]
    /// of the line between their neighbours.
    pub fn find(&mut self, points: &[Vec3], normal: &Vec3, tolerance: f64) {
        let Hull { flat, rows, ring } = self;
        let base = local_base(normal);
        flat.clear();
        flat.extend(points.iter().map(|x| [base.column(1).dot(x), base.column(0).dot(x)]));
        rows.clear();
        rows.extend(0..points.len());
        let order = |i: &usize, j: &usize| {
            let (a, b) = (flat[*i], flat[*j]);
            a[0].total_cmp(&b[0]).then(a[1].total_cmp(&b[1])).then(i.cmp(j))
        };
        rows.sort_unstable_by(order);
        ring.clear();
        if points.len() < 2 {
            ring.extend_from_slice(rows);
            return;
        }
        for upper in [false, true] {
            let first = ring.len();
            for k in 0..rows.len() {
                let row = if upper { rows[rows.len() - 1 - k] } else { rows[k] };
                while let [.., a, b] = ring[first..] {
                    if standing_out(flat, a, b, row) > 0.0 {
                        break;
                    }
                    ring.pop();
                }
                ring.push(row);
            }
            ring.pop();
        }
        simplify(flat, ring, tolerance);
    }
}

/// How far corner `b` lies to the right of the line from `a` to `c`; from `a` itself if these coincide.
fn standing_out(flat: &[[f64; 2]], a: usize, b: usize, c: usize) -> f64 {
    let [a, b, c] = [flat[a], flat[b], flat[c]];
    let (u, v) = ([b[0] - a[0], b[1] - a[1]], [c[0] - a[0], c[1] - a[1]]);
    let length = v[0].hypot(v[1]);
    if length > 0.0 {
        (u[0] * v[1] - u[1] * v[0]) / length
    } else {
        u[0].hypot(u[1])
    }
}

/// Drops corners that lie within `tolerance` of the line between their neighbours, the first of them first.
fn simplify(flat: &[[f64; 2]], ring: &mut Vec<usize>, tolerance: f64) {
    let mut k = 0;
    while k < ring.len() && ring.len() > 2 {
        let n = ring.len();
        if standing_out(flat, ring[(k + n - 1) % n], ring[k], ring[(k + 1) % n]) <= tolerance {
            ring.remove(k);
            k = k.saturating_sub(1);
        } else {
            k += 1;
        }
    }
    if let [a, b] = ring[..] {
        if (flat[a][0] - flat[b][0]).hypot(flat[a][1] - flat[b][1]) <= tolerance {
            ring.pop();
        }
    }
}

/// Leaves the two corners farthest from each other.
fn keep_ends(polygon: &mut Vec<Vec3>) {
    let (mut ends, mut far) = (None, 0.0);
    for (k, a) in polygon.iter().enumerate() {
        for b in &polygon[k + 1..] {
            let square = (a - b).norm_squared();
            if square > far {
                (ends, far) = (Some([*a, *b]), square);
            }
        }
    }
    match ends {
        Some(ends) => {
            polygon.clear();
            polygon.extend(ends);
        }
        None => polygon.truncate(1),
    }
}

/// The plane of a face, about an origin.
struct Plane {
    normal: Vec3,
    offset: f64,
}

impl Plane {
    fn of(solid: &SolidView, face: usize, origin: &Vec3) -> Plane {
        let normal = solid.normals[face];
        let offset = top(&normal, solid.topology.face(face), solid.vertices) - normal.dot(origin);
        Plane { normal, offset }
    }

    /// How far along `direction` the plane is from `x`.
    fn height(&self, x: &Vec3, direction: &Vec3) -> f64 {
        (self.offset - self.normal.dot(x)) / self.normal.dot(direction)
    }
}
