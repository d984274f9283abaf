//! PROJECTED_NEWTON: Newton steps on the velocity equation of one contact, projected on the cone
//! (docs/theory.md, (7.5) and (7.7) with ω = 0).

use super::contact::{BlockError, Contact, Found, Method};
use super::{cone, map};
use crate::math::Vec3;

/// Times a step is halved while `|C|` does not fall.
const HALVINGS: u32 = 8;

/// Multiples of the rounding of `λ|R|` that the velocity equation cannot resolve.
const ROUNDING: f64 = 4.0 * f64::EPSILON;

/// Ends when `|C| ≤ epsilon |b|`, or at what rounding leaves of it.
pub fn solve(contact: &Contact, start: &Vec3, method: &Method) -> Result<Found, BlockError> {
    let (w, mu, lambda) = (contact.w, contact.friction, 1.0 / contact.rho);
    let velocity = |r: &Vec3| contact.b + w * r;
    let residual = |r: &Vec3| map::residual(&velocity(r), r, mu, lambda, 0.0);
    let goal = method.epsilon * contact.b.norm();
    let mut r = cone::project(start, mu);
    let mut c = residual(&r);
    for iterations in 0..=method.limit {
        let size = c.norm();
        if size <= goal.max(ROUNDING * lambda * r.norm()) {
            return Ok(Found { reaction: r, iterations });
        }
        if !size.is_finite() {
            return Err(BlockError::Failed);
        }
        let (x, y) = map::jacobian(&velocity(&r), &r, mu, lambda, 0.0);
        let step = (x * w + lambda * y).lu().solve(&-c).ok_or(BlockError::Failed)?;
        let shorter = (0..=HALVINGS).map(|k| cone::project(&(r + step * 0.5_f64.powi(k as i32)), mu));
        let better = shorter.map(|r| (r, residual(&r))).find(|(_, c)| c.norm() < size);
        (r, c) = better.ok_or(BlockError::Diverged)?;
    }
    Err(BlockError::Diverged)
}
