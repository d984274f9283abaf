//! A body as a whole: mass centre, rotation, angular velocity, momentum (docs/theory.md 2).

use std::collections::BTreeMap;

use super::body::{BodyView, Form, Nodal};
use crate::body::Lumped;
use crate::math::{polar_rotation, Mat3, Vec3};
use crate::model::BodyKind;

/// Momentum [kg m/s] of a body, and its angular momentum [kg m²/s] about the origin, both spatial.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Momentum {
    pub linear: Vec3,
    pub angular: Vec3,
}

/// Masses of the nodes of bodies of one model, by catalogue row; each is computed when it is first asked for. `None`: a
/// body that cannot be made.
#[derive(Default)]
pub struct NodalMasses(BTreeMap<u32, Option<Lumped>>);

impl NodalMasses {
    /// `None` also where the tables do not have all nodes of the body.
    fn of(&mut self, view: &BodyView<'_>, nodal: &Nodal<'_>) -> Option<&Lumped> {
        let lumped = self.0.entry(view.row().0).or_insert_with(|| Lumped::of(nodal.model, view.body()).ok());
        lumped.as_ref().filter(|lumped| lumped.nodes() == nodal.x.len() && lumped.nodes() == nodal.v.len())
    }
}

impl BodyView<'_> {
    /// Mass that moves and that gravity pulls [kg], of finite elements that of their nodes; `None` for a body of them
    /// that cannot be made.
    pub fn mass(&self, masses: &mut NodalMasses) -> Option<f64> {
        match &self.form {
            Form::Rigid { .. } | Form::Pseudo { .. } => Some(self.chars().mass),
            Form::Nodal(nodal) => masses.of(self, nodal).map(Lumped::mass),
        }
    }

    /// Place of the mass centre [m]; `None` for a body of finite elements that cannot be made.
    pub fn center(&self, masses: &mut NodalMasses) -> Option<Vec3> {
        match &self.form {
            Form::Rigid { motion, .. } | Form::Pseudo { motion, .. } => Some(motion.x),
            Form::Nodal(nodal) => Some(masses.of(self, nodal)?.center(&vectors(nodal.x))),
        }
    }

    /// Rotation from the reference configuration; of a pseudo-rigid body the rotation `R` of `F = R U`, of finite
    /// elements that of the mean deformation gradient. `None` for a body that is turned inside out or cannot be made.
    pub fn rotation(&self, masses: &mut NodalMasses) -> Option<Mat3> {
        match &self.form {
            Form::Rigid { motion, .. } => Some(motion.f),
            Form::Pseudo { motion, .. } => polar_rotation(&motion.f),
            Form::Nodal(nodal) => masses.of(self, nodal)?.rotation(&vectors(nodal.x)),
        }
    }

    /// Spatial angular velocity [rad/s]; of a pseudo-rigid body half the curl of its velocity, of finite elements the
    /// mean rate of turning about the mass centre (inverse inertia times angular momentum). `None` for a body that is
    /// flattened or cannot be made.
    pub fn angular_velocity(&self, masses: &mut NodalMasses) -> Option<Vec3> {
        let gradient = match &self.form {
            Form::Rigid { motion, .. } => motion.rate * motion.f.transpose(),
            Form::Pseudo { motion, .. } => motion.rate * motion.f.try_inverse()?,
            Form::Nodal(nodal) => {
                return Some(masses.of(self, nodal)?.twist(&vectors(nodal.x), &vectors(nodal.v)).angular)
            }
        };
        Some(axial(&gradient) * 0.5)
    }

    /// Zero for obstacles; `None` for a body of finite elements that cannot be made.
    pub fn momentum(&self, masses: &mut NodalMasses) -> Option<Momentum> {
        let chars = self.chars();
        let (motion, spin) = match &self.form {
            _ if self.body().kind == BodyKind::Obstacle => {
                return Some(Momentum { linear: Vec3::zeros(), angular: Vec3::zeros() })
            }
            Form::Rigid { rows, at, motion } => (motion, motion.f * (chars.tensor * Vec3::from(rows.omega[*at]))),
            // ∫ ρ (F A) × (Ḟ A) dV with the Euler tensor ρ ∫ A Aᵀ dV.
            Form::Pseudo { motion, .. } => (motion, axial(&(motion.rate * chars.tensor * motion.f.transpose()))),
            Form::Nodal(nodal) => {
                let (linear, angular) = masses.of(self, nodal)?.momentum(&vectors(nodal.x), &vectors(nodal.v));
                return Some(Momentum { linear, angular });
            }
        };
        let linear = motion.v * chars.mass;
        Some(Momentum { linear, angular: motion.x.cross(&linear) + spin })
    }
}

fn vectors(column: &[[f64; 3]]) -> Vec<Vec3> {
    column.iter().map(|x| Vec3::from(*x)).collect()
}

/// Twice the vector `w` of the skew part `w ×` of a matrix.
fn axial(m: &Mat3) -> Vec3 {
    Vec3::new(m[(2, 1)] - m[(1, 2)], m[(0, 2)] - m[(2, 0)], m[(1, 0)] - m[(0, 1)])
}

/// Sine below which the axis of a rotation by about 180° is taken from the symmetric part of the matrix.
const FLAT: f64 = 1e-4;

/// The rotation vector [rad] of a rotation that is nearest to `before`: it counts full turns as long as the body turns
/// by less than half a turn in between.
pub fn rotation_near(rotation: &Mat3, before: &Vec3) -> Vec3 {
    let twice_sine = axial(rotation);
    let (sine, cosine) = (0.5 * twice_sine.norm(), 0.5 * (rotation.trace() - 1.0));
    let angle = sine.atan2(cosine);
    let axis = match () {
        () if cosine < 0.0 && sine < FLAT => half_turn_axis(rotation, &twice_sine),
        // No rotation to speak of: its axis is that of the turns before.
        () if sine == 0.0 => before.try_normalize(0.0).unwrap_or(Vec3::z()),
        () => twice_sine / (2.0 * sine),
    };
    let full = 2.0 * std::f64::consts::PI;
    axis * (angle + full * ((before.dot(&axis) - angle) / full).round())
}

/// Axis of a rotation by about 180°: the longest column of `R + I` is along it.
fn half_turn_axis(rotation: &Mat3, twice_sine: &Vec3) -> Vec3 {
    let sum = rotation + rotation.transpose() + Mat3::identity() * (1.0 - rotation.trace());
    let longest = (0..3).max_by(|&a, &b| sum[(a, a)].total_cmp(&sum[(b, b)])).unwrap_or(0);
    let axis = Vec3::from(sum.column(longest)).normalize();
    if axis.dot(twice_sine) < 0.0 {
        -axis
    } else {
        axis
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::math::exp_map;

    #[test]
    fn rotation_vectors_count_turns() {
        let axis = Vec3::new(1.0, -2.0, 2.0) / 3.0;
        let mut vector = Vec3::zeros();
        for k in 0..=200 {
            let angle = f64::from(k) * std::f64::consts::PI / 16.0;
            vector = rotation_near(&exp_map(&(axis * angle)), &vector);
            assert!((vector - axis * angle).norm() < 1e-12 * (1.0 + angle), "{angle}: {vector}");
        }
        let back = rotation_near(&exp_map(&(axis * -0.5)), &Vec3::zeros());
        assert!((back + axis * 0.5).norm() < 1e-15);
    }
}
