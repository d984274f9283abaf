//! Which cohesive contacts broke in a step (docs/theory.md 7).

use super::{cone, Law};
use crate::math::{Mat3, Vec3};

/// Reactions within this fraction of the strength `c` of a limit have reached it; a sliding velocity counts when it
/// exceeds this fraction of the velocity `‖W‖ c`.
const SLACK: f64 = 1e-8;

/// Rows whose cohesion is destroyed by the solution `r`, `u`: the tension reaches the strength (mode I), or the
/// tangential reaction the limit of friction while the contact slips (mode II). `diagonal` are the blocks `W_αα`.
/// Clears `broken`.
pub fn decohesion(laws: &[Law], diagonal: &[Mat3], r: &[Vec3], u: &[Vec3], broken: &mut Vec<u32>) {
    broken.clear();
    let breaks = |i: usize| {
        let cohesion = laws[i].cohesion();
        if cohesion <= 0.0 {
            return false;
        }
        let slack = SLACK * cohesion;
        let opens = r[i].z + cohesion < slack;
        let slips = cone::tangential(&u[i]) > slack * diagonal[i].norm();
        opens || (slips && cone::tangential(&r[i]) + slack >= laws[i].friction_bound(&r[i]))
    };
    broken.extend((0..laws.len()).filter(|&i| breaks(i)).map(|i| i as u32));
}
