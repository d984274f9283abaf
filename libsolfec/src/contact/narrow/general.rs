//! Contact of any two convex parts by their support functions: the default where no kernel of a pair knows better.

use super::epa;
use super::gjk::{self, Corner};
use super::{GeometryError, CURVED_AREA};
use crate::contact::ManifoldPoint;
use crate::math::Vec3;

/// Round-off of a support point, in units of the size of the pair and of its distance from the origin.
const ROUNDOFF: f64 = 64.0 * f64::EPSILON;

/// A placed convex part as the support functions see it.
pub trait Support {
    /// A point farthest along `direction`.
    fn support(&self, direction: &Vec3) -> Vec3;

    /// A point inside.
    fn center(&self) -> Vec3;

    /// Surface id at a point of the surface.
    fn surface(&self, x: &Vec3) -> i32;
}

/// Contact of two parts nearer than `epsilon`, or none.
///
/// # Errors
/// Parts that are not finite, or flat ones that overlap.
pub fn convex(slave: &dyn Support, master: &dyn Support, epsilon: f64) -> Result<Option<ManifoldPoint>, GeometryError> {
    let (a, b) = (slave.center(), master.center());
    if !(a.sum() + b.sum()).is_finite() {
        return Err(GeometryError::NotFinite);
    }
    let toward = b - a;
    let size = extent(slave) + extent(master);
    let zero = ROUNDOFF * (size + a.amax().max(b.amax()));
    let corner = |direction: &Vec3| {
        let (p, q) = (slave.support(direction), master.support(&-direction));
        Corner { w: p - q, key: (p, q) }
    };
    let found = gjk::search(corner, toward, zero);
    let (on_slave, on_master) = found.points(|key| key);
    if found.distance >= epsilon.max(zero) {
        return Ok(None);
    }
    let overlapping = found.distance <= zero;
    let start = if overlapping { epa::enclose(corner, found.corners(), zero) } else { None };
    let (normal, gap, on_slave, on_master) = match start {
        None if found.distance > zero => ((on_master - on_slave) / found.distance, 0.0, on_slave, on_master),
        None => (toward.try_normalize(0.0).unwrap_or_else(Vec3::z), 0.0, on_slave, on_master),
        Some(start) => {
            let deepest = epa::deepest(corner, |key| key, start, zero).ok_or(GeometryError::Degenerate)?;
            let middle = 0.5 * (deepest.a + deepest.b);
            (deepest.normal, -deepest.depth, middle, middle)
        }
    };
    Ok(Some(ManifoldPoint {
        slave_point: on_slave,
        master_point: on_master,
        normal,
        gap,
        area: CURVED_AREA,
        projected: CURVED_AREA,
        surf: [master.surface(&on_master), slave.surface(&on_slave)],
    }))
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
