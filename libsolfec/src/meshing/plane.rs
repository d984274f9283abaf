//! Oriented planes.

use crate::math::Vec3;
use crate::{Error, Result};

/// A plane: a point and a unit normal.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Plane {
    point: Vec3,
    normal: Vec3,
}

impl Plane {
    /// Through `point` [m], across `normal` of any length.
    ///
    /// # Errors
    /// Numbers that are not finite, a normal of no length.
    pub fn new(point: Vec3, normal: Vec3) -> Result<Plane> {
        let finite = point.iter().chain(normal.iter()).all(|x| x.is_finite());
        let unit = normal.try_normalize(0.0).filter(|_| finite);
        let Some(normal) = unit else {
            let (x, y, z) = (normal.x, normal.y, normal.z);
            return Err(Error::input(format!(
                "normal of the plane is ({x}, {y}, {z}): give a finite point and a normal that is not zero"
            )));
        };
        Ok(Plane { point, normal })
    }

    pub fn normal(&self) -> Vec3 {
        self.normal
    }

    /// Distance of a point from the plane, positive where the normal points [m].
    pub fn height(&self, x: &Vec3) -> f64 {
        self.normal.dot(&(x - self.point))
    }
}

/// Distance of the point `x` from a plane convex polygon with these corners [m].
pub(super) fn distance_to_polygon(corners: &[Vec3], x: &Vec3) -> f64 {
    let sides = || (0..corners.len()).map(|k| (corners[k], corners[(k + 1) % corners.len()]));
    let normal = crate::shape::area_vector(corners.iter().copied()).normalize();
    let inside = sides().all(|(a, b)| normal.cross(&(b - a)).dot(&(x - a)) >= 0.0);
    if inside {
        return normal.dot(&(x - corners[0])).abs();
    }
    let to_side = |(a, b): (Vec3, Vec3)| {
        let along = b - a;
        let share = (along.dot(&(x - a)) / along.norm_squared()).clamp(0.0, 1.0);
        (x - a - along * share).norm()
    };
    sides().map(to_side).fold(f64::INFINITY, f64::min)
}
