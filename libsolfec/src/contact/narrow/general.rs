//! Contact of any two convex parts by their support functions: the default where no kernel of a pair knows better.

use super::ball::Feature;
use super::ellipsoid::near_ellipsoid;
use super::epa;
use super::gjk::{self, Corner};
use super::normal::{near_guess, of_smooth, Common};
use super::support::Support;
use super::{GeometryError, CURVED_AREA};
use crate::contact::ManifoldPoint;
use crate::math::Vec3;
use crate::shape::SolidView;

/// Where a contact with a smooth part is on a solid.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Foot {
    pub feature: Feature,
    /// The point of the solid nearest to the smooth part, or deepest in it.
    pub at: Vec3,
}

/// Round-off of a support point, in units of the size of the pair and of its distance from the origin.
const ROUNDOFF: f64 = 64.0 * f64::EPSILON;

/// Contact of two parts nearer than `epsilon`, or none, and where it is on the solid if one of them is.
///
/// # Errors
/// Parts that are not finite, or flat ones that overlap.
pub fn convex(
    slave: &dyn Support,
    master: &dyn Support,
    epsilon: f64,
) -> Result<Option<(ManifoldPoint, Option<Foot>)>, GeometryError> {
    let (a, b) = (slave.center(), master.center());
    let size = extent(slave) + extent(master);
    if !(a.sum() + b.sum() + size).is_finite() {
        return Err(GeometryError::NotFinite);
    }
    let zero = ROUNDOFF * (size + a.amax().max(b.amax()));
    let found = match of_smooth(slave, master).or_else(|| of_solid(slave, master, epsilon.max(zero), zero)) {
        Some(found) => found,
        None => search(slave, master, epsilon, zero)?,
    };
    let found = match (slave.solid(), master.solid()) {
        (Some(solid), None) => out_of_skin(&solid, master, found),
        (None, Some(solid)) => out_of_skin(&solid, slave, found.reversed()).map(Common::reversed),
        (None, None) | (Some(_), Some(_)) => Some(found),
    };
    let Some(found) = found else { return Ok(None) };
    if found.distance >= epsilon.max(zero) {
        return Ok(None);
    }
    let Common { normal, distance, first, second, feature } = found;
    let foot = feature.map(|feature| Foot { feature, at: if slave.solid().is_some() { first } else { second } });
    let middle = 0.5 * (first + second);
    let [on_slave, on_master] = if distance < 0.0 { [middle; 2] } else { [first, second] };
    let point = ManifoldPoint {
        slave_point: on_slave,
        master_point: on_master,
        normal,
        gap: distance.min(0.0),
        area: CURVED_AREA,
        projected: CURVED_AREA,
        surf: [master.surface(&second), slave.surface(&first)],
    };
    Ok(Some((point, foot)))
}

/// What has come to a face inside a mesh goes out through the nearest skin plane if its centre is in the solid; else it
/// touches a neighbour.
fn out_of_skin(solid: &SolidView, smooth: &dyn Support, found: Common) -> Option<Common> {
    let Some(Feature::Face(face)) = found.feature else { return Some(found) };
    let skin = solid.topology.skin;
    if usize::from(face) < skin {
        return Some(found);
    }
    let height = |f: usize, x: &Vec3| solid.normals[f].dot(&(x - solid.vertices[solid.topology.face(f)[0] as usize]));
    let center = smooth.center();
    if (0..solid.normals.len()).any(|f| height(f, &center) > 0.0) {
        return None;
    }
    let through = |f: usize| {
        let normal = solid.normals[f];
        let second = smooth.support(&-normal);
        let distance = height(f, &second);
        Common { normal, distance, first: second - normal * distance, second, feature: Some(Feature::Face(f as u16)) }
    };
    (0..skin).map(through).max_by(|a, b| a.distance.total_cmp(&b.distance))
}

/// Of a solid and an ellipsoid, feature by feature.
fn of_solid(slave: &dyn Support, master: &dyn Support, limit: f64, zero: f64) -> Option<Common> {
    match (slave.solid(), master.solid()) {
        (Some(solid), None) => near_ellipsoid(&solid, master, limit, zero),
        (None, Some(solid)) => near_ellipsoid(&solid, slave, limit, zero).map(Common::reversed),
        (None, None) | (Some(_), Some(_)) => None,
    }
}

/// The nearest points by support points alone, then exactly; roughly where the parts are farther apart than `epsilon`.
fn search(slave: &dyn Support, master: &dyn Support, epsilon: f64, zero: f64) -> Result<Common, GeometryError> {
    let toward = master.center() - slave.center();
    let corner = |direction: &Vec3| {
        let (p, q) = (slave.support(direction), master.support(&-direction));
        Corner { w: p - q, key: (p, q) }
    };
    let found = gjk::search(corner, toward, zero);
    let (first, second) = found.points(|key| key);
    let apart = found.distance > zero;
    let rough = if apart {
        let normal = (second - first) / found.distance;
        let rough = Common { normal, distance: found.distance, first, second, feature: None };
        if found.distance >= epsilon.max(zero) {
            return Ok(rough);
        }
        rough
    } else if let Some(start) = epa::enclose(corner, found.corners(), zero) {
        let deepest = epa::deepest(corner, |key| key, start, zero).ok_or(GeometryError::Degenerate)?;
        let (normal, distance) = (deepest.normal, -deepest.depth);
        Common { normal, distance, first: deepest.a, second: deepest.b, feature: None }
    } else {
        let normal = toward.try_normalize(0.0).unwrap_or_else(Vec3::z);
        Common { normal, distance: 0.0, first, second, feature: None }
    };
    Ok(near_guess(slave, master, &rough.normal, zero).unwrap_or(rough))
}

/// Unit vector along the shortest way between two parts; `None` if they touch.
pub fn way(slave: &dyn Support, master: &dyn Support) -> Option<Vec3> {
    let (a, b) = (slave.center(), master.center());
    let zero = ROUNDOFF * (extent(slave) + extent(master) + a.amax().max(b.amax()));
    let corner = |direction: &Vec3| {
        let (p, q) = (slave.support(direction), master.support(&-direction));
        Corner { w: p - q, key: (p, q) }
    };
    let found = gjk::search(corner, b - a, zero);
    let (p, q) = found.points(|key| key);
    if found.distance > 0.0 {
        (q - p).try_normalize(0.0)
    } else {
        None
    }
}

/// Sum of the extents along the axes.
fn extent(part: &dyn Support) -> f64 {
    [Vec3::x(), Vec3::y(), Vec3::z()].iter().map(|axis| axis.dot(&(part.support(axis) - part.support(&-axis)))).sum()
}
