//! What rigid and pseudo-rigid bodies share: affine motion of points.

use crate::math::{all_finite, orthogonality_defect, Mat3, Vec3};

/// Entrywise departure of `FᵀF` from one up to which a motion is a rotation: round-off of a product of rotations.
const ORTHONORMAL: f64 = 1e-12;

/// Affine motion of a body: `x(X) = x + F (X − X0)`; `F` is the rotation of a rigid body.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Motion {
    pub f: Mat3,
    pub x: Vec3,
    pub x0: Vec3,
}

impl Motion {
    /// Current place of the reference point.
    pub fn point(&self, reference: &Vec3) -> Vec3 {
        self.x + self.f * (reference - self.x0)
    }

    /// Reference point of a current place; `None` if `F` is singular.
    pub fn reference(&self, point: &Vec3) -> Option<Vec3> {
        Some(self.x0 + self.inverse()? * (point - self.x))
    }

    /// `F⁻¹`, which a rotation has for free.
    fn inverse(&self) -> Option<Mat3> {
        if self.is_rotation() {
            return Some(self.f.transpose());
        }
        self.f.try_inverse()
    }

    fn is_rotation(&self) -> bool {
        orthogonality_defect(&self.f) <= ORTHONORMAL
    }

    /// What is wrong with it for shapes.
    pub fn check(&self) -> Result<(), String> {
        let finite = all_finite(self.f.as_slice()) && all_finite(self.x.as_slice());
        if finite && self.f.determinant() > 0.0 {
            return Ok(());
        }
        Err(format!(
            "its configuration is not finite or turns it inside out (x = {}, {}, {}; det F = {})",
            self.x.x,
            self.x.y,
            self.x.z,
            self.f.determinant()
        ))
    }

    /// Places of reference points.
    pub fn place(&self, reference: &[Vec3], out: &mut [Vec3]) {
        for (x, p) in out.iter_mut().zip(reference) {
            *x = self.point(p);
        }
    }

    /// Unit normals turn with a rotation, or with the cofactor of `F`.
    pub fn turn_normals(&self, reference: &[Vec3], out: &mut [Vec3]) {
        if reference.is_empty() {
            return;
        }
        if self.is_rotation() {
            for (n, p) in out.iter_mut().zip(reference) {
                *n = self.f * p;
            }
            return;
        }
        let cofactor = cofactor(&self.f);
        for (n, p) in out.iter_mut().zip(reference) {
            *n = (cofactor * p).normalize();
        }
    }
}

/// How the reactions of a step will turn and strain a body: see [`BodySet::ahead`](super::BodySet::ahead). Its mass
/// centre moves on a straight line.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Ahead {
    pub x0: Vec3,
    /// `F` where constraints are placed in this step, and where they will be in the next.
    pub now: Mat3,
    pub next: Mat3,
    /// `Ḟ` of t+h as the operator of this step sees it [1/s].
    pub fdot: Mat3,
}

impl Ahead {
    /// By how much a reference point will miss the place to which the velocity of the point `at` would bring it on a
    /// straight line in the time `h` [s].
    pub fn bend(&self, point: &Vec3, at: &Vec3, h: f64) -> Vec3 {
        (self.next - self.now) * (point - self.x0) - self.fdot * (at - self.x0) * h
    }

    /// Vector from the mass centre to a reference point, or a direction, in the next step.
    pub fn arm(&self, point: &Vec3) -> Vec3 {
        self.next * (point - self.x0)
    }
}

/// `cof F` by its columns: the cross products of the columns of `F`.
pub fn cofactor(f: &Mat3) -> Mat3 {
    let [a, b, c] = [0, 1, 2].map(|k| f.column(k).into_owned());
    Mat3::from_columns(&[b.cross(&c), c.cross(&a), a.cross(&b)])
}
