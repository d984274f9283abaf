//! What the general kernels ask of a convex part.

use crate::math::{Mat3, Vec3};
use crate::shape::SolidView;

/// A placed convex part as the support functions see it.
pub trait Support {
    /// A point farthest along `direction`.
    fn support(&self, direction: &Vec3) -> Vec3;

    /// A point inside.
    fn center(&self) -> Vec3;

    /// The derivative of the support point by the direction, of unit length; none if the part is not smooth.
    fn bend(&self, direction: &Vec3) -> Option<Mat3>;

    /// The half axes as columns, if the part is an ellipsoid.
    fn half_axes(&self) -> Option<Mat3>;

    /// The part, if it is a solid.
    fn solid(&self) -> Option<SolidView<'_>>;

    /// Surface id at a point of the surface.
    fn surface(&self, x: &Vec3) -> i32;
}
