//! Planes along which a solid may be cut into convex pieces: through its hollow edges, along the faces at them and
//! between these, and across the axes.

use std::collections::BTreeMap;

use super::cell::Cut;
use super::triangulate::triangulate;
use crate::math::Vec3;
use crate::shape::RawMesh;

/// Which planes are proposed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Proposals {
    All,
    /// Those through hollow edges, and others only where there is none.
    Hollows,
    /// Those across the axes.
    Axes,
}

/// Cuts across each axis, besides those at corners of the surface.
const CUTS: usize = 9;
const CORNERS: usize = 10;
/// Hollow edges of a part through which cuts are tried.
const EDGES: usize = 20;
/// Cuts keep this part of the width of a part away from its ends, and from each other.
const APART: f64 = 2e-3;
/// Faces that turn by less than this sine lie in one plane.
const FLAT: f64 = 1e-3;

/// An edge at which the solid is hollow.
struct Hollow {
    ends: [Vec3; 2],
    /// Planes of the two faces and between them.
    planes: Vec<Cut>,
    /// Length times sine of the turn.
    weight: f64,
}

/// The hollow edges of a surface, the greatest first.
pub struct Planes {
    hollows: Vec<Hollow>,
    /// [m]
    diagonal: f64,
}

impl Planes {
    pub fn new(surface: &RawMesh, diagonal: f64) -> Planes {
        let triangles = surface.faces.iter().flat_map(|(nodes, _)| triangulate(nodes, &surface.nodes));
        // The normal at each directed edge.
        let mut normals: BTreeMap<[u32; 2], Vec3> = BTreeMap::new();
        for t in triangles {
            let [a, b, c] = t.map(|n| surface.nodes[n as usize]);
            if let Some(normal) = (b - a).cross(&(c - a)).try_normalize(0.0) {
                normals.extend([[t[0], t[1]], [t[1], t[2]], [t[2], t[0]]].map(|edge| (edge, normal)));
            }
        }
        let mut hollows = Vec::new();
        for (&[a, b], one) in normals.iter().filter(|([a, b], _)| a < b) {
            let Some(other) = normals.get(&[b, a]) else { continue };
            let ends = [a, b].map(|n| surface.nodes[n as usize]);
            let along = ends[1] - ends[0];
            let turn = one.cross(other).dot(&along);
            if turn < -FLAT * along.norm() {
                let planes =
                    [*one, *other, one - other].iter().filter_map(|normal| Cut::through(&ends[0], normal)).collect();
                hollows.push(Hollow { ends, planes, weight: -turn });
            }
        }
        hollows.sort_by(|a, b| b.weight.total_cmp(&a.weight));
        Planes { hollows, diagonal }
    }

    /// The planes that are tried for a part of the surface, given as the corners of its polygons.
    pub fn of(&self, corners: &[Vec3], inside: impl Fn(&Vec3) -> bool, proposals: Proposals) -> Vec<Cut> {
        let found: Vec<&Hollow> = self.hollows.iter().filter(|edge| crosses(edge, &inside)).collect();
        let step = found.len().div_ceil(EDGES).max(1);
        let mut planes: Vec<Cut> = Vec::new();
        for plane in found.iter().step_by(step).flat_map(|edge| &edge.planes) {
            let same = |other: &Cut| {
                let [plane, flipped] = [*plane, plane.flipped()];
                [plane, flipped].iter().any(|p| {
                    (p.normal - other.normal).norm() < APART && (p.height - other.height).abs() < APART * self.diagonal
                })
            };
            if !planes.iter().any(same) {
                planes.push(*plane);
            }
        }
        if proposals == Proposals::Axes {
            planes.clear();
        }
        if proposals == Proposals::All || planes.is_empty() {
            (0..3).for_each(|axis| planes.extend(across(corners, axis)));
        }
        planes
    }
}

/// Whether the middle of an edge, or a point near one of its ends, lies in the cell.
fn crosses(edge: &Hollow, inside: &impl Fn(&Vec3) -> bool) -> bool {
    [0.5, 0.02, 0.98, 0.25, 0.75].iter().any(|t| inside(&(edge.ends[0] + (edge.ends[1] - edge.ends[0]) * *t)))
}

/// Planes across an axis: evenly, and at some corners of the surface, where edges of machined parts are.
fn across(corners: &[Vec3], axis: usize) -> Vec<Cut> {
    let mut places: Vec<f64> = corners.iter().map(|x| x[axis]).collect();
    places.sort_by(f64::total_cmp);
    let (Some(&low), Some(&high)) = (places.first(), places.last()) else { return Vec::new() };
    let width = high - low;
    places.dedup_by(|a, b| (*a - *b).abs() <= APART * width);
    let step = places.len().div_ceil(CORNERS).max(1);
    let even = (1..=CUTS).map(|k| low + width * k as f64 / (CUTS + 1) as f64);
    let all = even.chain(places.into_iter().step_by(step));
    let within = all.filter(|&at| at > low + APART * width && at < high - APART * width);
    let mut normal = Vec3::zeros();
    normal[axis] = 1.0;
    within.map(|height| Cut { normal, height }).collect()
}
