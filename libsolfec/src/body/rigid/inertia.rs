//! Mass properties of a rigid body.

use crate::body::checks::{checked_tensor, inverse_of};
use crate::math::{Mat3, Vec3};
use crate::model::{Characteristics, Scheme};
use crate::Result;

/// What does not change during a step.
#[derive(Debug, Clone, Copy)]
pub struct RigidInertia {
    pub mass: f64,
    pub x0: Vec3,
    /// Referential inertia `J` and its inverse.
    pub tensor: Mat3,
    pub inverse: Mat3,
    pub scheme: Scheme,
    pub obstacle: bool,
    /// `disable_rotation`: no spin and no rotational compliance.
    pub frozen: bool,
}

impl RigidInertia {
    /// # Errors
    /// Mass or inertia that is not positive.
    pub fn of(chars: &Characteristics, name: &str, obstacle: bool) -> Result<RigidInertia> {
        let (tensor, _) = checked_tensor(chars, name, "inertia")?;
        let inverse = inverse_of(&tensor, name, "inertia")?;
        let (mass, x0, scheme) = (chars.mass, chars.center, Scheme::RigNeg);
        Ok(RigidInertia { mass, x0, tensor, inverse, scheme, obstacle, frozen: false })
    }

    /// `J⁻¹ τ`, zero for a frozen rotation.
    pub fn inverse_action(&self, torque: &Vec3) -> Vec3 {
        if self.frozen {
            return Vec3::zeros();
        }
        self.inverse * torque
    }

    /// `R J⁻¹ Rᵀ`, symmetric to the last bit.
    pub fn spatial_inverse(&self, rot: &Mat3) -> Mat3 {
        if self.frozen {
            return Mat3::zeros();
        }
        let inverse = rot * self.inverse * rot.transpose();
        (inverse + inverse.transpose()) * 0.5
    }
}
