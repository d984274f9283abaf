//! The common normal of a solid and an ellipsoid that are near or overlap a little, feature by feature.
//!
//! Let `u(n)` be minus the distance of the supporting planes across `n`, out of the solid. On faces, edges and vertices
//! of the solid alike `u` plus its second derivative along any great circle is at least `ρ`, the least radius of
//! curvature of the ellipsoid. So where `u < ρ`, all its stationary points are local minima: common normals at a face, an
//! edge or a vertex. An ellipsoid touches such a face above its inside; an edge or a vertex, pushed in by less than `ρ`,
//! lies in the ellipsoid, because a ball of radius `ρ` that touches this from inside does (Blaschke's rolling theorem).
//! So these few decide, and the least `u` is the least shift that parts them.

use super::normal::{on_face, on_vertex, settle_on_edge, Common};
use super::polygon::on_segment;
use super::support::Support;
use crate::math::Vec3;
use crate::shape::SolidView;

/// From solid to ellipsoid; if they are farther apart than `limit`, only a bound of their distance. None if the other
/// part is no ellipsoid, if they overlap by more than the least radius of curvature, or if only a search can tell.
pub fn near_ellipsoid(solid: &SolidView, smooth: &dyn Support, limit: f64, zero: f64) -> Option<Common> {
    let axes = smooth.half_axes()?;
    let inverse = axes.try_inverse()?;
    let stretch = inverse.norm();
    let least_radius = 1.0 / (stretch * stretch * axes.norm());
    let center = smooth.center();
    let height = |f: usize, x: &Vec3| solid.normals[f].dot(&(x - solid.vertices[solid.topology.face(f)[0] as usize]));

    let separation = |f: usize| height(f, &center) - axes.tr_mul(&solid.normals[f]).norm();
    let (mut highest, mut best): (f64, Option<Common>) = (f64::NEG_INFINITY, None);
    let mut take = |found: Common| {
        if best.is_none_or(|best| found.distance > best.distance) {
            best = Some(found);
        }
    };
    for f in 0..solid.normals.len() {
        let s = separation(f);
        if s >= limit {
            let (normal, second) = (solid.normals[f], smooth.support(&-solid.normals[f]));
            return Some(Common { normal, distance: s, first: second - normal * s, second, feature: None });
        }
        highest = highest.max(s);
        if s > -least_radius {
            let really =
                |found: &Common| s >= 0.0 || (0..solid.normals.len()).all(|g| height(g, &found.second) <= zero);
            on_face(solid, smooth, f).filter(really).into_iter().for_each(&mut take);
        }
    }
    if highest <= -least_radius {
        return None;
    }
    // Where the ellipsoid is the unit ball about the origin; a little more, for what is apart by less than the limit.
    let in_ball = |x: &Vec3| inverse * (x - center);
    let reach = 1.0 + limit * stretch;
    let into_solid = |u: &Vec3| -inverse.tr_mul(u);
    let admissible = |found: &Common| solid.vertices.iter().all(|v| found.normal.dot(&(v - found.first)) <= zero);
    for (e, edge) in solid.topology.edges.iter().enumerate() {
        let [a, b] = edge.nodes.map(|v| in_ball(&solid.vertices[v as usize]));
        let (nearest, _) = on_segment(&Vec3::zeros(), &a, &b);
        if nearest.norm() <= reach {
            let found = settle_on_edge(solid, smooth, &into_solid(&nearest), e)?;
            found.filter(admissible).into_iter().for_each(&mut take);
        }
    }
    for (v, x) in solid.vertices.iter().enumerate() {
        let u = in_ball(x);
        if u.norm() <= reach {
            let found = on_vertex(solid, smooth, &into_solid(&u).try_normalize(0.0)?, v as u16)?;
            Some(found).filter(admissible).into_iter().for_each(&mut take);
        }
    }
    best.filter(|best| best.distance >= highest - zero && best.distance > -least_radius)
}
