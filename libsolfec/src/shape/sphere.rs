//! Balls.

use super::geometry::{Cell, CellForm, GeometryKind, Primitive, Size};
use super::{Bounds, ConvexPart, Geometry, Integrals, Sphere};
use crate::math::{Mat3, Vec3};
use crate::{Error, Result};

impl Sphere {
    /// A ball; `center` must be finite and `radius` positive.
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

impl Primitive for Sphere {
    fn kind(&self) -> GeometryKind {
        GeometryKind::Sphere
    }

    fn points(&self) -> &[Vec3] {
        std::slice::from_ref(&self.center)
    }

    fn surfaces(&self, take: &mut dyn FnMut(i32)) {
        take(self.surfid);
    }

    fn integrals(&self) -> Integrals {
        let volume = 4.0 / 3.0 * std::f64::consts::PI * self.radius.powi(3);
        Integrals {
            volume,
            center: self.center,
            euler: Mat3::from_diagonal_element(volume * self.radius * self.radius / 5.0),
        }
    }

    fn contains(&self, x: &Vec3, tolerance: f64) -> bool {
        (x - self.center).norm() <= self.radius + tolerance
    }

    fn parts(&self) -> Vec<ConvexPart> {
        vec![ConvexPart::Ball { center: self.center, radius: self.radius, surfid: self.surfid }]
    }

    fn cells(&self) -> Vec<Cell<'_>> {
        let form = CellForm::Ball { radius: self.radius };
        vec![Cell { form, nodes: &[0], volid: self.volid, surfid: Some(self.surfid) }]
    }

    fn scaled(&self, place: &dyn Fn(&Vec3) -> Vec3, factors: &Vec3) -> Result<Geometry> {
        let (x, y, z) = (factors.x, factors.y, factors.z);
        if x != y || y != z {
            return Err(Error::input(format!(
                "scale factors of a sphere are ({x}, {y}, {z}): they must be equal; use ELLIP for an ellipsoid"
            )));
        }
        Ok(Geometry::Sphere(Sphere { center: place(&self.center), radius: self.radius * x.abs(), ..*self }))
    }

    fn bytes(&self) -> usize {
        std::mem::size_of::<Sphere>()
    }

    fn sizes(&self) -> Vec<(&'static str, Size)> {
        vec![("radius", Size::Length(self.radius))]
    }

    fn balls(&self) -> bool {
        true
    }

    fn bounds(&self, rotation: &Mat3, shift: &Vec3) -> Bounds {
        let (center, r) = (rotation * self.center + shift, Vec3::repeat(self.radius));
        Bounds { low: center - r, high: center + r }
    }

    fn support(&self, direction: &Vec3) -> Vec3 {
        self.center + direction.try_normalize(0.0).unwrap_or_else(Vec3::x) * self.radius
    }
}
