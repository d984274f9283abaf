//! Which cohesive contacts broke in a step (docs/theory.md 7).

use super::{cone, Law};
use crate::math::{Mat3, Vec3};

/// Reactions within this fraction of the strength `c` of a limit have reached it.
const SLACK: f64 = 1e-8;
/// Surfaces move apart or slide when they do so faster than a force of this fraction of the strength would make them.
/// Where reactions are not unique, as between a block and its four bonds, some are at a limit though nothing moves, and
/// what solvers leave of `U` must not break them.
const MOVES: f64 = 1e-4;
/// And faster than so many times the largest residual of the solution.
const RESIDUALS: f64 = 10.0;

/// Rows whose cohesion is destroyed by the solution `r`, `u`: the tension reaches the strength while the contact opens
/// (mode I), or the tangential reaction the limit of friction while it slips (mode II). `diagonal` are the blocks `W_αα`.
/// `residual` is that of the solution [m/s]. Clears `broken`.
pub fn decohesion(laws: &[Law], diagonal: &[Mat3], r: &[Vec3], u: &[Vec3], residual: f64, broken: &mut Vec<u32>) {
    broken.clear();
    let breaks = |i: usize| {
        let cohesion = laws[i].cohesion();
        if cohesion <= 0.0 {
            return false;
        }
        let slack = SLACK * cohesion;
        let still = (MOVES * cohesion * diagonal[i].norm()).max(RESIDUALS * residual);
        let opens = u[i].z > still && r[i].z + cohesion < slack;
        let slips = cone::tangential(&u[i]) > still;
        opens || (slips && cone::tangential(&r[i]) + slack >= laws[i].friction_bound(&r[i]))
    };
    broken.extend((0..laws.len()).filter(|&i| breaks(i)).map(|i| i as u32));
}
