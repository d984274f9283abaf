//! Mass properties and stiffness of a pseudo-rigid body.

use crate::body::checks::{checked_tensor, inverse_of};
use crate::body::kirchhoff::Kirchhoff;
use crate::body::AffineRate;
use crate::math::{Mat3, Mat9, Vec3};
use crate::model::{Characteristics, Scheme};
use crate::{Error, Result};

/// What does not change during a step.
#[derive(Debug, Clone, Copy)]
pub struct PseudoInertia {
    pub mass: f64,
    pub volume: f64,
    pub x0: Vec3,
    /// Euler tensor, its inverse, and the inverse of its Cholesky factor.
    pub euler: Mat3,
    pub euler_inverse: Mat3,
    pub factor_inverse: Mat3,
    /// Row of the bulk materials, and its constants.
    pub material: u32,
    pub law: Kirchhoff,
    pub scheme: Scheme,
    /// Stiffness-proportional damping η [s].
    pub damping: f64,
}

impl PseudoInertia {
    /// # Errors
    /// Mass, volume or Euler tensor that is not positive.
    pub fn of(chars: &Characteristics, name: &str, material: u32, law: Kirchhoff) -> Result<PseudoInertia> {
        let (euler, factor) = checked_tensor(chars, name, "Euler")?;
        let volume = chars.volume;
        if !(volume > 0.0 && volume.is_finite()) {
            return Err(Error::input(format!("{name}: volume is {volume}, it must be positive; check its shape")));
        }
        Ok(PseudoInertia {
            mass: chars.mass,
            volume,
            x0: chars.center,
            euler,
            euler_inverse: inverse_of(&euler, name, "Euler")?,
            factor_inverse: factor
                .try_inverse()
                .ok_or_else(|| Error::input(format!("{name}: its Euler tensor is singular; check its shape")))?,
            material,
            law,
            scheme: Scheme::DefExp,
            damping: 0.0,
        })
    }

    /// Kinetic energy [J].
    pub fn kinetic(&self, rate: &AffineRate) -> f64 {
        0.5 * ((rate.fdot * self.euler).dot(&rate.fdot) + self.mass * rate.v.norm_squared())
    }

    /// Stored energy [J].
    pub fn internal(&self, f: &Mat3) -> f64 {
        self.volume * self.law.energy(f)
    }

    /// `K = V ∂P/∂F` on row-wise tensors; `stress` is the `S` of its geometric part.
    fn stiffness(&self, f: &Mat3, stress: &Mat3) -> Mat9 {
        self.law.tangent(f, stress) * self.volume
    }

    /// `M_F + scale · K` on row-wise tensors.
    pub fn operator(&self, f: &Mat3, stress: &Mat3, scale: f64) -> Mat9 {
        let mut a = self.stiffness(f, stress) * scale;
        for row in [0, 3, 6] {
            let mut block = a.fixed_view_mut::<3, 3>(row, row);
            block += self.euler;
        }
        a
    }

    /// Critical step `2/ω` of explicit integration at the current configuration, from the symmetric pencil
    /// `L⁻¹ K L⁻ᵀ`, `E = L Lᵀ`, with the limit of velocity-lagged damping. Infinite for DEF_LIM.
    pub fn critical_step(&self, f: &Mat3) -> f64 {
        if self.scheme == Scheme::DefLim {
            return f64::INFINITY;
        }
        let stiffness = self.stiffness(f, &self.law.second_stress(f));
        let left = self.factor_inverse;
        let right = left.transpose();
        let mut pencil = Mat9::zeros();
        for (i, k) in (0..9).map(|n| (3 * (n / 3), 3 * (n % 3))) {
            let block = left * stiffness.fixed_view::<3, 3>(i, k) * right;
            pencil.fixed_view_mut::<3, 3>(i, k).copy_from(&block);
        }
        let largest = pencil.symmetric_eigenvalues().max();
        if largest <= 0.0 {
            return f64::INFINITY;
        }
        let omega = largest.sqrt();
        let ratio = 0.5 * self.damping * omega;
        2.0 / omega * ((1.0 + ratio * ratio).sqrt() - ratio)
    }
}
