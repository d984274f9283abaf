//! Checks of what a body is given: numbers of its state, mass properties.

use crate::math::{orthogonality_defect, polar_rotation, Mat3};
use crate::model::{Characteristics, Scheme};
use crate::{Error, Result};

/// Defect of `RᵀR − I` above which a rotation is brought back to the group.
pub(super) const ROTATION_DEFECT: f64 = 1e-12;
/// A given rotation with a larger defect of `RᵀR − I` is refused, with a smaller one rounded to the nearest rotation.
const GIVEN_ROTATION_DEFECT: f64 = 1e-6;
/// Asymmetry of a mass tensor, relative to its largest entry, that is taken for round-off.
const TENSOR_ASYMMETRY: f64 = 1e-9;

/// `expected` finite numbers.
pub fn check_numbers(name: &str, what: &str, numbers: &[f64], expected: usize) -> Result<()> {
    if numbers.len() != expected {
        let text = format!("{name}: {what} has {} numbers, it needs {expected}", numbers.len());
        return Err(Error::input(text));
    }
    match numbers.iter().position(|x| !x.is_finite()) {
        Some(k) => Err(Error::input(format!("{name}: number {k} of {what} is {}, it must be finite", numbers[k]))),
        None => Ok(()),
    }
}

/// The rotation that nine numbers of a configuration stand for.
pub(super) fn given_rotation(name: &str, given: &Mat3) -> Result<Mat3> {
    let defect = orthogonality_defect(given);
    if defect <= GIVEN_ROTATION_DEFECT {
        if let Some(rotation) = polar_rotation(given) {
            // An exact rotation stays as it was written, so that a stored state goes on bit for bit.
            return Ok(if defect > ROTATION_DEFECT { rotation } else { *given });
        }
    }
    Err(Error::input(format!(
        "{name}: the nine numbers of the rotation in conf are no rotation (|RᵀR − I| = {defect:.3e}, det = {:.3e})",
        given.determinant()
    )))
}

/// The error of a scheme that belongs to another kind of body.
pub fn wrong_scheme(name: &str, scheme: Scheme, remedy: &str) -> Error {
    let scheme = match scheme {
        Scheme::Default => "DEFAULT",
        Scheme::RigPos => "RIG_POS",
        Scheme::RigNeg => "RIG_NEG",
        Scheme::RigImp => "RIG_IMP",
        Scheme::DefExp => "DEF_EXP",
        Scheme::DefLim => "DEF_LIM",
    };
    Error::input(format!("{name}: scheme {scheme} does not suit its kind; use {remedy}"))
}

/// The symmetric tensor and its lower Cholesky factor; mass and tensor must be positive.
pub(super) fn checked_tensor(chars: &Characteristics, name: &str, what: &str) -> Result<(Mat3, Mat3)> {
    if !(chars.mass > 0.0 && chars.mass.is_finite()) {
        let text = format!("{name}: mass is {}, it must be positive; check its density and shape", chars.mass);
        return Err(Error::input(text));
    }
    if !chars.center.iter().all(|x| x.is_finite()) {
        return Err(Error::input(format!("{name}: its mass centre is not finite; check its shape")));
    }
    let asymmetry = (chars.tensor - chars.tensor.transpose()).amax();
    let tensor = (chars.tensor + chars.tensor.transpose()) * 0.5;
    if asymmetry <= TENSOR_ASYMMETRY * tensor.amax() {
        if let Some(factor) = tensor.cholesky() {
            return Ok((tensor, factor.l()));
        }
    }
    Err(Error::input(format!(
        "{name}: its {what} tensor {:?} is not symmetric and positive definite; check its shape",
        chars.tensor.as_slice()
    )))
}

/// The inverse of a symmetric tensor, symmetric to the last bit.
pub(super) fn inverse_of(tensor: &Mat3, name: &str, what: &str) -> Result<Mat3> {
    let inverse = tensor
        .try_inverse()
        .ok_or_else(|| Error::input(format!("{name}: its {what} tensor is singular; check its shape")))?;
    Ok((inverse + inverse.transpose()) * 0.5)
}
