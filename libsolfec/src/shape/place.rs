//! Transformations of placed shapes.

use std::sync::Arc;

use super::{Geometry, Shape};
use crate::math::{skew, Mat3, Vec3};
use crate::{Error, Result};

/// Rotation by `angle` degrees about `axis` of any length, right-handed; exact for quarter turns about coordinate axes.
pub fn rotation_about(axis: &Vec3, angle: f64) -> Result<Mat3> {
    let length = axis.norm();
    if !(length > 0.0 && length.is_finite()) {
        let (x, y, z) = (axis.x, axis.y, axis.z);
        return Err(Error::input(format!(
            "rotation axis is ({x}, {y}, {z}): give a vector of positive, finite length"
        )));
    }
    if !angle.is_finite() {
        return Err(Error::input(format!("rotation angle is {angle}: give a finite number of degrees")));
    }
    let (sine, cosine) = match angle.rem_euclid(360.0) {
        0.0 => (0.0, 1.0),
        90.0 => (1.0, 0.0),
        180.0 => (0.0, -1.0),
        270.0 => (-1.0, 0.0),
        other => other.to_radians().sin_cos(),
    };
    let k = skew(&(axis / length));
    Ok(Mat3::identity() + sine * k + (1.0 - cosine) * (k * k))
}

impl Shape {
    /// The geometry at its own place.
    pub fn new(geometry: impl Into<Geometry>) -> Shape {
        Shape { geometry: Arc::new(geometry.into()), rotation: Mat3::identity(), shift: Vec3::zeros() }
    }

    /// Moves by `vector` [m].
    pub fn translate(&mut self, vector: &Vec3) {
        self.shift += vector;
    }

    /// Turns by `angle` degrees about the line through `point` along `axis`. Errors: axis of no length, angle or point
    /// not finite.
    pub fn rotate(&mut self, point: &Vec3, axis: &Vec3, angle: f64) -> Result<()> {
        if !point.iter().all(|x| x.is_finite()) {
            let (x, y, z) = (point.x, point.y, point.z);
            return Err(Error::input(format!(
                "point of the rotation axis is ({x}, {y}, {z}): give three finite numbers"
            )));
        }
        let turn = rotation_about(axis, angle)?;
        self.rotation = turn * self.rotation;
        self.shift = point + turn * (self.shift - point);
        Ok(())
    }

    /// Multiplies all coordinates by `factors` about the origin, in a geometry of its own. Negative factors mirror;
    /// spheres need three equal factors. Errors: a factor zero or not finite, a sphere with unequal factors.
    pub fn scale(&mut self, factors: &Vec3) -> Result<()> {
        let (x, y, z) = (factors.x, factors.y, factors.z);
        if factors.iter().any(|&f| f == 0.0 || !f.is_finite()) {
            return Err(Error::input(format!(
                "scale factors are ({x}, {y}, {z}): give three finite factors other than zero"
            )));
        }
        *self = Shape::new(self.scaled(factors)?);
        Ok(())
    }
}
