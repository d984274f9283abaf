//! Reading and writing the state of one body in the layouts of conventions.md 6. A setter takes effect at once on
//! everything that depends on it.

use super::bodies::{Bodies, Slot};
use super::kirchhoff::Kirchhoff;
use super::pseudo::AffineRate;
use super::rigid::ROTATION_DEFECT;
use crate::material::BulkMaterial;
use crate::math::{by_rows, from_rows, orthogonality_defect, polar_rotation, skew, Mat3, Vec3, Vec9};
use crate::model::Scheme;
use crate::{Error, Result};

/// A given rotation with a larger defect of `RᵀR − I` is refused, with a smaller one rounded to the nearest rotation.
const GIVEN_ROTATION_DEFECT: f64 = 1e-6;

impl Bodies {
    /// Rigid: rotation by columns, mass centre. Pseudo-rigid: `F` by rows, mass centre.
    pub fn configuration(&self, i: usize) -> Vec<f64> {
        match self.slot[i] {
            Slot::Rigid(k) => {
                let state = &self.rigid.state[k];
                state.rot.iter().chain(&state.x).copied().collect()
            }
            Slot::Pseudo(k) => {
                let state = &self.pseudo.state[k];
                by_rows(&state.f).iter().chain(&state.x).copied().collect()
            }
        }
    }

    /// Overwrites the configuration. Errors: wrong length, not finite, not a rotation, `det F ≤ 0`.
    pub fn set_configuration(&mut self, i: usize, conf: &[f64]) -> Result<()> {
        let name = &self.name[i];
        check_numbers(name, "conf", conf, 12)?;
        let x = Vec3::from_column_slice(&conf[9..12]);
        match self.slot[i] {
            Slot::Rigid(k) => {
                let rot = given_rotation(name, &Mat3::from_column_slice(&conf[..9]))?;
                let state = &mut self.rigid.state[k];
                (state.rot, state.x) = (rot, x);
            }
            Slot::Pseudo(k) => {
                let f = from_rows(&Vec9::from_column_slice(&conf[..9]));
                if f.determinant() <= 0.0 {
                    return Err(Error::input(format!(
                        "{name}: det F of conf is {}, it must be positive",
                        f.determinant()
                    )));
                }
                let state = &mut self.pseudo.state[k];
                (state.f, state.x) = (f, x);
            }
        }
        Ok(())
    }

    /// Rigid: referential angular, then spatial linear velocity. Pseudo-rigid: `Ḟ` by rows, then linear velocity.
    pub fn velocity(&self, i: usize) -> Vec<f64> {
        match self.slot[i] {
            Slot::Rigid(k) => {
                let state = &self.rigid.state[k];
                state.omega.iter().chain(&state.v).copied().collect()
            }
            Slot::Pseudo(k) => {
                let rate = &self.pseudo.state[k].rate;
                by_rows(&rate.fdot).iter().chain(&rate.v).copied().collect()
            }
        }
    }

    /// Overwrites the velocity. Errors: wrong length, not finite.
    pub fn set_velocity(&mut self, i: usize, velo: &[f64]) -> Result<()> {
        let name = &self.name[i];
        match self.slot[i] {
            Slot::Rigid(k) => {
                check_numbers(name, "velo", velo, 6)?;
                let omega = Vec3::from_column_slice(&velo[..3]);
                self.set_spin(k, omega);
                self.rigid.state[k].v = Vec3::from_column_slice(&velo[3..]);
            }
            Slot::Pseudo(k) => {
                check_numbers(name, "velo", velo, 12)?;
                self.pseudo.state[k].rate = AffineRate {
                    fdot: from_rows(&Vec9::from_column_slice(&velo[..9])),
                    v: Vec3::from_column_slice(&velo[9..]),
                };
            }
        }
        Ok(())
    }

    /// A rigid velocity field about the current mass centre, both arguments spatial (INITIAL_VELOCITY).
    pub fn set_initial_velocity(&mut self, i: usize, linear: &Vec3, angular: &Vec3) -> Result<()> {
        check_numbers(&self.name[i], "linear velocity", linear.as_slice(), 3)?;
        check_numbers(&self.name[i], "angular velocity", angular.as_slice(), 3)?;
        match self.slot[i] {
            Slot::Rigid(k) => {
                let omega = self.rigid.state[k].rot.tr_mul(angular);
                self.set_spin(k, omega);
                self.rigid.state[k].v = *linear;
            }
            Slot::Pseudo(k) => {
                let state = &mut self.pseudo.state[k];
                state.rate = AffineRate { fdot: skew(angular) * state.f, v: *linear };
            }
        }
        Ok(())
    }

    /// Referential spin of a row of the rigid set; a disabled rotation has none.
    fn set_spin(&mut self, k: usize, omega: Vec3) {
        let frozen = self.rigid.inertia[k].frozen;
        self.rigid.state[k].omega = if frozen { Vec3::zeros() } else { omega };
    }

    /// Error if the scheme belongs to another kind of body. `Default` is RIG_NEG and DEF_EXP.
    pub fn set_scheme(&mut self, i: usize, scheme: Scheme) -> Result<()> {
        use Scheme::*;
        match (self.slot[i], scheme) {
            (Slot::Rigid(k), Default) => self.rigid.inertia[k].scheme = RigNeg,
            (Slot::Rigid(k), RigPos | RigNeg | RigImp) => self.rigid.inertia[k].scheme = scheme,
            (Slot::Pseudo(k), Default) => self.pseudo.inertia[k].scheme = DefExp,
            (Slot::Pseudo(k), DefExp | DefLim) => self.pseudo.inertia[k].scheme = scheme,
            (Slot::Rigid(_), DefExp | DefLim) => {
                return Err(self.wrong_scheme(i, scheme, "DEFAULT, RIG_POS, RIG_NEG or RIG_IMP"))
            }
            (Slot::Pseudo(_), RigPos | RigNeg | RigImp) => {
                return Err(self.wrong_scheme(i, scheme, "DEFAULT, DEF_EXP or DEF_LIM"))
            }
        }
        Ok(())
    }

    fn wrong_scheme(&self, i: usize, scheme: Scheme, remedy: &str) -> Error {
        Error::input(format!("{}: scheme {} does not suit its kind; use {remedy}", self.name[i], scheme_name(scheme)))
    }

    /// Damping η ≥ 0 [s] of deformable bodies; rigid bodies accept and ignore it.
    pub fn set_damping(&mut self, i: usize, damping: f64) -> Result<()> {
        if !(damping >= 0.0 && damping.is_finite()) {
            return Err(Error::input(format!("{}: damping is {damping}, it must be a number ≥ 0", self.name[i])));
        }
        if let Slot::Pseudo(k) = self.slot[i] {
            self.pseudo.inertia[k].damping = damping;
        }
        Ok(())
    }

    /// Freezes or frees the rotation of a rigid body; ignored by other kinds and by obstacles.
    pub fn disable_rotation(&mut self, i: usize, on: bool) {
        let Slot::Rigid(k) = self.slot[i] else { return };
        if self.rigid.inertia[k].obstacle {
            return;
        }
        self.rigid.inertia[k].frozen = on;
        if on {
            self.rigid.state[k].omega = Vec3::zeros();
        }
    }

    /// The stiffness of bulk material `row` is from now on that of `material`; density and inertia stay.
    pub fn set_material(&mut self, row: u32, material: &BulkMaterial) {
        for inertia in self.pseudo.inertia.iter_mut().filter(|p| p.material == row) {
            inertia.law = Kirchhoff::of(material);
        }
    }
}

fn check_numbers(name: &str, what: &str, numbers: &[f64], expected: usize) -> Result<()> {
    if numbers.len() != expected {
        let text = format!("{name}: {what} has {} numbers, it needs {expected}", numbers.len());
        return Err(Error::input(text));
    }
    match numbers.iter().position(|x| !x.is_finite()) {
        Some(k) => Err(Error::input(format!("{name}: number {k} of {what} is {}, it must be finite", numbers[k]))),
        None => Ok(()),
    }
}

fn given_rotation(name: &str, given: &Mat3) -> Result<Mat3> {
    let defect = orthogonality_defect(given);
    if defect <= GIVEN_ROTATION_DEFECT {
        if let Some(rotation) = polar_rotation(given) {
            // An exact rotation stays as it was written, so that a stored state goes on bit for bit.
            return Ok(if defect > ROTATION_DEFECT { rotation } else { *given });
        }
    }
    Err(Error::input(format!(
        "{name}: the first nine numbers of conf are no rotation (|RᵀR − I| = {defect:.3e}, det = {:.3e})",
        given.determinant()
    )))
}

fn scheme_name(scheme: Scheme) -> &'static str {
    match scheme {
        Scheme::Default => "DEFAULT",
        Scheme::RigPos => "RIG_POS",
        Scheme::RigNeg => "RIG_NEG",
        Scheme::RigImp => "RIG_IMP",
        Scheme::DefExp => "DEF_EXP",
        Scheme::DefLim => "DEF_LIM",
    }
}
