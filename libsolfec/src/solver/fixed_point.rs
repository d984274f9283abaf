//! Two linearly converging iterations for one contact (docs/theory.md 10).

use super::cone;
use super::contact::{BlockError, Contact, Found, Method};
use crate::math::Vec3;

/// PROJECTED_GRADIENT: the normal reaction moves against the normal velocity, then the tangential one on the disk of
/// the new bound.
pub fn projected_gradient(contact: &Contact, start: &Vec3, method: &Method) -> Result<Found, BlockError> {
    iterate(contact, start, method, |r, u| {
        let d = r - contact.rho * u;
        let normal = d.z.max(0.0);
        let (bound, size) = (contact.friction * normal, cone::tangential(&d));
        let scale = if size > bound { bound / size } else { 1.0 };
        Vec3::new(scale * d.x, scale * d.y, normal)
    })
}

/// DE_SAXCE_FENG: the reaction moves against `(U_T, U_N + μ|U_T|)` and is projected on the cone.
pub fn de_saxce_feng(contact: &Contact, start: &Vec3, method: &Method) -> Result<Found, BlockError> {
    iterate(contact, start, method, |r, u| {
        let dilated = Vec3::new(u.x, u.y, u.z + contact.friction * cone::tangential(u));
        cone::project(&(r - contact.rho * dilated), contact.friction)
    })
}

/// Iterates `R ← next(R, b + W R)` until `|ΔR| ≤ epsilon max(|R|, ρ|b|)`.
fn iterate(
    contact: &Contact,
    start: &Vec3,
    method: &Method,
    next: impl Fn(&Vec3, &Vec3) -> Vec3,
) -> Result<Found, BlockError> {
    let floor = contact.rho * contact.b.norm();
    let mut r = *start;
    for iterations in 1..=method.limit {
        let new = next(&r, &(contact.b + contact.w * r));
        let change = (new - r).norm();
        r = new;
        if change <= method.epsilon * r.norm().max(floor) {
            return Ok(Found { reaction: r, iterations });
        }
        if !change.is_finite() {
            return Err(BlockError::Failed);
        }
    }
    Err(BlockError::Diverged)
}
