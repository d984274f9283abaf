//! Semismooth Newton iteration for one contact (docs/theory.md, (10.1) to (10.3)).

use nalgebra::{Matrix2, Vector2};

use super::cone;
use super::contact::{BlockError, Contact, Found, Method};
use crate::math::{Mat3, Vec3};

/// Growth of ρ after each tenth of the iterations, and its bound relative to the start.
const GROWTH: f64 = 10.0;
const GROWTH_LIMIT: f64 = 1e6;

/// Iterations after which the velocity map must fall with every step.
const PATIENCE: u32 = 20;

/// The reaction of `contact` from `start`. Ends when `|ΔR| ≤ epsilon max(|R|, ρ|b|)`.
///
/// # Errors
/// A singular or not finite step; the limit, or after [`PATIENCE`] iterations one that does not come nearer.
pub fn solve(contact: &Contact, start: &Vec3, method: &Method) -> Result<Found, BlockError> {
    let Method { epsilon, limit, .. } = *method;
    let (w, b) = (contact.w, &contact.b);
    let first = contact.block.rho;
    let period = limit.div_ceil(10).max(1);
    let floor = first * first * b.norm_squared();
    let (mut rho, mut r, mut residual) = (first, *start, f64::INFINITY);
    for iterations in 1..=limit {
        let u = b + w * r;
        let step = direction(contact, &u, &r, rho).ok_or(BlockError::Failed)?;
        r += step;
        if step.norm_squared() <= epsilon * epsilon * r.norm_squared().max(floor) {
            return Ok(Found { reaction: r, iterations });
        }
        if iterations > PATIENCE {
            let map = cone::velocity_map(&(b + w * r), &r, contact.friction, 1.0 / first).norm();
            if map >= residual {
                return Err(BlockError::Diverged);
            }
            residual = map;
        }
        if iterations % period == 0 {
            rho = (GROWTH * rho).min(GROWTH_LIMIT * first);
        }
    }
    Err(BlockError::Diverged)
}

/// The Newton step at consistent `u = b + W r`.
#[inline(always)]
fn direction(contact: &Contact, u: &Vec3, r: &Vec3, rho: f64) -> Option<Vec3> {
    let d = r - rho * u;
    if d.z < 0.0 {
        return Some(-r);
    }
    let w = contact.w;
    let bound = contact.friction * d.z;
    if bound == 0.0 {
        return solve3(&Mat3::new(1.0, 0.0, 0.0, 0.0, 1.0, 0.0, w.m31, w.m32, w.m33), &Vec3::new(-r.x, -r.y, -u.z));
    }
    let size = cone::tangential(&d);
    if size < bound {
        let mut a = *w;
        a.m13 += u.x / d.z;
        a.m23 += u.y / d.z;
        let scale = 1.0 + rho * u.z / d.z;
        return solve3(&a, &-Vec3::new(u.x * scale, u.y * scale, u.z));
    }
    let (r_t, t) = (r.xy(), d.xy() / size);
    let r_size = r_t.norm();
    let f = r_t * t.transpose() / bound.max(r_size);
    let m = (Matrix2::identity() - f) * (bound / size);
    let alignment = r_t.dot(&t);
    // α δ of the damping β; α has the factor 1/|R_T|, which cancels unless δ is cut at 1.
    let beta = if alignment >= 0.0 { 1.0 } else { 1.0 / (1.0 - alignment / bound.max(r_size)) };
    let w_t = w.fixed_view::<2, 3>(0, 0);
    let mut top = (m * w_t) * rho;
    top.m11 += 1.0 - beta * m.m11;
    top.m12 -= beta * m.m12;
    top.m21 -= beta * m.m21;
    top.m22 += 1.0 - beta * m.m22;
    top.m13 -= contact.friction * t.x;
    top.m23 -= contact.friction * t.y;
    let right: Vector2<f64> = t * (contact.friction * r.z) - r_t;
    let a = Mat3::new(top.m11, top.m12, top.m13, top.m21, top.m22, top.m23, w.m31, w.m32, w.m33);
    solve3(&a, &Vec3::new(right.x, right.y, -u.z))
}

/// Cramer's rule; `None` if the matrix is singular or the solution not finite.
#[inline(always)]
fn solve3(a: &Mat3, f: &Vec3) -> Option<Vec3> {
    let (r1, r2, r3) = (Vec3::new(a.m11, a.m12, a.m13), Vec3::new(a.m21, a.m22, a.m23), Vec3::new(a.m31, a.m32, a.m33));
    let (c1, c2, c3) = (r2.cross(&r3), r3.cross(&r1), r1.cross(&r2));
    let x = (c1 * f.x + c2 * f.y + c3 * f.z) / r1.dot(&c1);
    x.iter().all(|x| x.is_finite()).then_some(x)
}
