//! Springs at the moment at which their law is evaluated: implicit midpoint.

use super::{Constraint, Step};
use serde::{Deserialize, Serialize};

/// Stroke [m] and stroke rate [m/s] that a spring's law sees, as affine functions of the velocity `U_N` at the end of
/// the step: `stroke + reach U_N`, `rate + share U_N`.
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

/// Difference, relative to the force, up to which a force counts as foretold.
const FORETOLD: f64 = 1e-10;
/// Turn between two directions, relative to their lengths, from which on slopes along both give a gradient.
const TURN: f64 = 1e-6;

/// What a spring remembers of its function: where it was called last, and a gradient that has foretold its force.
/// A linear law is then met with one call in a step.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct SpringMemory {
    /// Stroke [m], stroke rate [m/s] and force [N] of the last step.
    pub stroke: f64,
    pub rate: f64,
    pub force: f64,
    /// Slopes by stroke [N/m] and rate [N s/m].
    pub by_stroke: f64,
    pub by_rate: f64,
    /// 1: the slopes have foretold the force of a step; 0: they have not; -1: nothing is known yet.
    pub sure: f64,
}

impl SpringMemory {
    /// Nothing is known.
    pub const NONE: SpringMemory =
        SpringMemory { stroke: 0.0, rate: 0.0, force: 0.0, by_stroke: 0.0, by_rate: 0.0, sure: -1.0 };

    /// The force at the velocity `u` of this moment, and its slope by `u`; `None` while the gradient is in doubt.
    pub fn foretell(&self, moment: &SpringMoment, u: f64) -> Option<[f64; 2]> {
        let slope = self.by_stroke * moment.reach + self.by_rate * moment.share;
        (self.sure == 1.0).then(|| [self.expected(moment.at(u)), slope])
    }

    fn expected(&self, [stroke, rate]: [f64; 2]) -> f64 {
        self.force + self.by_stroke * (stroke - self.stroke) + self.by_rate * (rate - self.rate)
    }

    /// Takes in the `force` at the end velocity `u` of a step, where its slope by `u` was `slope`; without, it was
    /// foretold.
    pub fn learn(&mut self, moment: &SpringMoment, u: f64, force: f64, slope: Option<f64>) {
        let [stroke, rate] = moment.at(u);
        let expected = self.expected([stroke, rate]);
        if let Some(slope) = slope {
            let known = self.sure >= 0.0;
            let agrees = known && (expected - force).abs() <= FORETOLD * force.abs().max(expected.abs());
            self.sure = f64::from(u8::from(agrees));
            if !agrees {
                let [ds, dr, df] = [stroke - self.stroke, rate - self.rate, force - self.force];
                let turns = [moment.reach * dr, moment.share * ds];
                let turn = turns[0] - turns[1];
                let plane = known && turn.abs() > TURN * (turns[0].abs() + turns[1].abs());
                [self.by_stroke, self.by_rate] = if plane {
                    [(slope * dr - moment.share * df) / turn, (moment.reach * df - slope * ds) / turn]
                } else {
                    [slope / moment.reach, 0.0]
                };
            }
        }
        (self.stroke, self.rate, self.force) = (stroke, rate, force);
    }
}

impl From<[f64; 6]> for SpringMemory {
    fn from([stroke, rate, force, by_stroke, by_rate, sure]: [f64; 6]) -> Self {
        SpringMemory { stroke, rate, force, by_stroke, by_rate, sure }
    }
}

impl From<SpringMemory> for [f64; 6] {
    fn from(m: SpringMemory) -> Self {
        [m.stroke, m.rate, m.force, m.by_stroke, m.by_rate, m.sure]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A linear law is foretold from its third step on, whatever part the rate has; another law is not.
    #[test]
    fn a_linear_law_is_foretold() {
        let moment = |stroke: f64, v: f64| SpringMoment { stroke, reach: 2.5e-3, rate: 0.5 * v, share: 0.5 };
        type ForceLaw<'a> = &'a dyn Fn(f64, f64) -> f64;
        let laws: [(ForceLaw<'_>, bool); 3] =
            [(&|s, r| -30.0 * s - 4.0 * r, true), (&|s, _| -30.0 * s, true), (&|s, r| -30.0 * s * s - r, false)];
        for (law, linear) in laws {
            let mut memory = SpringMemory::NONE;
            for k in 0..5 {
                let t = f64::from(k);
                let (moment, u) = (moment(0.1 + 0.02 * t + 0.003 * t * t, 0.3 * t.sin()), 0.3 * (t + 1.0).cos());
                let [stroke, rate] = moment.at(u);
                let foretold = memory.foretell(&moment, u);
                assert!(if linear { foretold.is_some() || k <= 2 } else { foretold.is_none() }, "step {k}");
                // An exact power of two, so that slopes of linear laws are exact but for the last bits.
                let e = 0.0625;
                let slope = (law(stroke + e * moment.reach, rate + e * moment.share) - law(stroke, rate)) / e;
                if let Some([force, along]) = foretold {
                    assert!((force - law(stroke, rate)).abs() < 1e-12 && (along - slope).abs() < 1e-9, "step {k}");
                }
                memory.learn(&moment, u, law(stroke, rate), foretold.is_none().then_some(slope));
            }
        }
    }
}
