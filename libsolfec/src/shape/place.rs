//! Transformations of placed shapes (geometry-and-contact.md 3.1–3.3).

use std::sync::Arc;

use super::{Convex, Geometry, Integrals, Mesh, Shape, Sphere};
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
    pub fn new(geometry: Geometry) -> Shape {
        Shape { geometry: Arc::new(geometry), rotation: Mat3::identity(), shift: Vec3::zeros() }
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
        let mirrored = x * y * z < 0.0;
        let placed = |p: &Vec3| (self.rotation * p + self.shift).component_mul(factors);
        let geometry = match &*self.geometry {
            Geometry::Sphere(_) if x != y || y != z => {
                return Err(Error::input(format!(
                    "scale factors of a sphere are ({x}, {y}, {z}): they must be equal; use ELLIP for an ellipsoid"
                )))
            }
            Geometry::Sphere(s) => {
                Geometry::Sphere(Sphere { center: placed(&s.center), radius: s.radius * x.abs(), ..*s })
            }
            Geometry::Convex(c) => {
                let mut faces = c.faces.clone();
                if mirrored {
                    faces.iter_mut().for_each(|f| f.nodes.reverse());
                }
                Geometry::Convex(Convex { vertices: c.vertices.iter().map(placed).collect(), faces, volid: c.volid })
            }
            Geometry::Mesh(m) => {
                let mut mesh = Mesh { nodes: m.nodes.iter().map(placed).collect(), ..m.clone() };
                if mirrored {
                    mesh.turn_inside_out();
                }
                Geometry::Mesh(mesh)
            }
        };
        *self = Shape::new(geometry);
        Ok(())
    }

    /// Coordinates of the vertices or nodes where they are now; the center of a sphere.
    pub fn vertices(&self) -> Vec<Vec3> {
        let own = match &*self.geometry {
            Geometry::Convex(c) => c.vertices.as_slice(),
            Geometry::Mesh(m) => m.nodes.as_slice(),
            Geometry::Sphere(s) => std::slice::from_ref(&s.center),
        };
        own.iter().map(|x| self.rotation * x + self.shift).collect()
    }

    /// Volume, centre and Euler tensor where the shape is now.
    pub fn integrals(&self) -> Integrals {
        self.geometry.integrals().placed(&self.rotation, &self.shift)
    }
}
