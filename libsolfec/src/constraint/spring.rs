//! Springs at the moment at which their law is evaluated: implicit midpoint.

use super::{Constraint, Step};

/// Stroke [m] and stroke rate [m/s] that a spring's law sees, as affine functions of the velocity `U_N` at the end of the step:
/// `stroke + reach U_N`, `rate + share U_N`.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct SpringMoment {
    pub stroke: f64,
    pub reach: f64,
    pub rate: f64,
    pub share: f64,
}

impl SpringMoment {
    /// Stroke and rate when the end velocity is `u`.
    pub fn at(&self, u: f64) -> [f64; 2] {
        [self.stroke + self.reach * u, self.rate + self.share * u]
    }
}

/// The moment of a spring in this step; `v` is its normal velocity at the start. In dynamics `s + (h/4)(U_N − V_N)` and
/// `(U_N + V_N)/2`, so that a linear spring keeps its energy; in quasi-statics `s + h U_N` and `U_N`.
pub fn at_moment(constraint: &Constraint, step: &Step, v: f64) -> SpringMoment {
    let stroke = constraint.moved.z;
    let (share, reach) = (step.stepping.mean_velocity, step.stepping.mean_displacement * step.h);
    if step.stepping.inertial {
        SpringMoment { stroke: stroke - reach * v, reach, rate: (1.0 - share) * v, share }
    } else {
        SpringMoment { stroke, reach, rate: 0.0, share }
    }
}
