//! The error by which FCLIB and Siconos judge a solution, so that results can be compared with other codes.
//!
//! It is the natural map `r − P_K(r − û)` with step 1 and no scaling, `û = u + μ|u_T| e_N`; it mixes units and must not
//! be compared across differently scaled problems. Our own measure is [`merit`](super::merit()).

use super::cone;
use crate::dynamics::Delassus;
use crate::math::{tree_sum, Vec3};

/// Least scale by which the error is divided.
const LEAST_SCALE: f64 = 2.2e-16;

/// The error of a state of frictional contacts with neither restitution nor cohesion.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct SiconosError {
    /// Euclidean norm of the natural map over all contacts.
    pub absolute: f64,
    /// `absolute / max(|q|, |r|, |u|)`: `err_siconos` of Siconos 4.4.
    pub relative: f64,
    /// `absolute / |q|`: the measure of older versions; `absolute` when `q = 0`.
    pub over_q: f64,
}

/// The error of reactions `r` with friction `friction` of each contact; `u` gets `q + W r`. Components are (T1, T2, N).
pub fn siconos_error<D: Delassus>(op: &mut D, friction: &[f64], r: &[Vec3], u: &mut [Vec3]) -> SiconosError {
    op.apply(r, u);
    siconos_error_of(op.free(), friction, r, u)
}

/// The same when `u = q + W r` is known.
pub fn siconos_error_of(q: &[Vec3], friction: &[f64], r: &[Vec3], u: &[Vec3]) -> SiconosError {
    let squares = |i: usize| {
        let miss = natural_map(&u[i], &r[i], friction[i]);
        [miss.norm_squared(), q[i].norm_squared(), r[i].norm_squared(), u[i].norm_squared()]
    };
    let [absolute, q, r, u] = tree_sum(r.len(), squares).map(f64::sqrt);
    let over = |scale: f64| if scale > LEAST_SCALE { absolute / scale } else { absolute };
    SiconosError { absolute, relative: over(q.max(r).max(u)), over_q: over(q) }
}

/// `r − P_K(r − û)`.
fn natural_map(u: &Vec3, r: &Vec3, mu: f64) -> Vec3 {
    let hat = Vec3::new(u.x, u.y, u.z + mu * cone::tangential(u));
    r - cone::project(&(r - hat), mu)
}
