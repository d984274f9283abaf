//! Balls.

use super::Sphere;
use crate::math::Vec3;
use crate::{Error, Result};

impl Sphere {
    /// A ball; `center` must be finite and `radius` positive (geometry-and-contact.md 1.5).
    pub fn new(center: Vec3, radius: f64, volid: i32, surfid: i32) -> Result<Sphere> {
        if !center.iter().all(|x| x.is_finite()) {
            let (x, y, z) = (center.x, center.y, center.z);
            return Err(Error::input(format!("center of the sphere is ({x}, {y}, {z}): give three finite numbers")));
        }
        if !(radius > 0.0 && radius.is_finite()) {
            return Err(Error::input(format!("radius of the sphere is {radius}: give a positive, finite number")));
        }
        Ok(Sphere { center, radius, volid, surfid })
    }
}
