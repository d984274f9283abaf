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
    SiconosError::over(op, op.free(), friction, r, u)
}

/// The same when `u = q + W r` is known, of the contacts given alone.
pub fn siconos_error_of(q: &[Vec3], friction: &[f64], r: &[Vec3], u: &[Vec3]) -> SiconosError {
    SiconosError::from_squares(tree_sum(r.len(), |i| squares(&q[i], friction[i], &r[i], &u[i])))
}

impl SiconosError {
    /// The error over the constraints of `op`. Collective.
    pub(super) fn over<D: Delassus>(op: &D, q: &[Vec3], friction: &[f64], r: &[Vec3], u: &[Vec3]) -> Self {
        Self::from_squares(op.sum(|i| squares(&q[i], friction[i], &r[i], &u[i])))
    }

    /// From sums of [`squares`].
    fn from_squares(sums: [f64; 4]) -> Self {
        let [absolute, q, r, u] = sums.map(f64::sqrt);
        let over = |scale: f64| if scale > LEAST_SCALE { absolute / scale } else { absolute };
        SiconosError { absolute, relative: over(q.max(r).max(u)), over_q: over(q) }
    }
}

/// Squared norms of the natural map, `q`, `r` and `u` of one contact.
fn squares(q: &Vec3, friction: f64, r: &Vec3, u: &Vec3) -> [f64; 4] {
    [natural_map(u, r, friction).norm_squared(), q.norm_squared(), r.norm_squared(), u.norm_squared()]
}

/// `r − P_K(r − û)`.
fn natural_map(u: &Vec3, r: &Vec3, mu: f64) -> Vec3 {
    let hat = Vec3::new(u.x, u.y, u.z + mu * cone::tangential(u));
    r - cone::project(&(r - hat), mu)
}
