//! What constraints demand of the velocities at the end of a step.

use super::Constraint;
use crate::load::Series;
use crate::math::Vec3;
use crate::model::{Joint, Prescribed};
use crate::stepping::Stepping;

/// Length, relative to a piece of a series, over which the original joins slopes of a differentiated one.
const SLIVER: f64 = 1e-10;

/// Legacy switches of constraints.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Compat {
    /// `constraint_drift`: fixed points and directions without memory of their position, links of exact length at the
    /// ends of steps.
    pub constraint_drift: bool,
    /// `prescribed`: displacements by slopes, accelerations by linear pieces of their integral.
    pub prescribed: bool,
}

/// The step that demands are made for.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Step {
    /// Start [s] and length [s].
    pub time: f64,
    pub h: f64,
    pub stepping: Stepping,
    pub compat: Compat,
}

/// What is demanded of the local velocity `U` at the end of the step.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Prescription {
    /// `U = v` [m/s].
    Velocity3(Vec3),
    /// `U_N = v` [m/s].
    Velocity(f64),
    /// `|z + reach U| = length` with `z = (0, 0, distance)`.
    Link { length: f64, distance: f64, reach: f64 },
    /// A force of the stroke and its rate.
    Spring,
}

impl Constraint {
    /// The demand for this step; `v` is the local velocity at its start, `correction` what it takes the curvature for,
    /// at first [`Constraint::correction`], 0 for what [sees](Constraint::sees_curvature) none. Follows
    /// [`Constraint::place`].
    pub fn prescription(&self, step: &Step, series: &[Series], v: &Vec3, correction: &Vec3) -> Prescription {
        match self.joint {
            Joint::FixPoint { .. } => Prescription::Velocity3(self.hold(step, v, correction)),
            Joint::FixDirection { .. } => Prescription::Velocity(self.hold(step, v, correction).z),
            Joint::Drive { what, series: row, .. } => {
                let moved = self.moved.z - self.aim.z;
                Prescription::Velocity(self.drive(step, what, &series[row as usize], moved) - correction.z)
            }
            Joint::Drive3 { what, series: rows, .. } => {
                let moved = self.moved - self.aim;
                let velocity = |k: usize| self.drive(step, what, &series[rows[k] as usize], moved[k]);
                Prescription::Velocity3(Vec3::from_fn(|k, _| velocity(k)) - correction)
            }
            Joint::RigidLink { .. } => self.link(step, correction),
            Joint::Spring { .. } => Prescription::Spring,
        }
    }

    /// How far its measure is from what it is to be at the middle of the step [m]. Bodies turn and mass centres go
    /// straight on within a step, so that a joint that is zero at mid-steps is off by `h²/8` times a centripetal
    /// acceleration at their ends, where a step of another length begins. Follows [`Constraint::place`].
    pub fn error(&self, step: &Step, series: &[Series]) -> Vec3 {
        let displacement = |row: u32| {
            let at = |time: f64| series[row as usize].at(time);
            let (start, end) = (at(step.time), at(step.time + step.h));
            start - at(self.born) + step.stepping.before * (end - start)
        };
        match self.joint {
            Joint::FixPoint { .. } | Joint::FixDirection { .. } | Joint::RigidLink { .. } => self.moved,
            Joint::Drive { what: Prescribed::Displacement, series: row, .. } => {
                self.moved - displacement(row) * Vec3::z()
            }
            Joint::Drive3 { what: Prescribed::Displacement, series: rows, .. } => {
                self.moved - Vec3::from(rows.map(displacement))
            }
            Joint::Drive { .. } | Joint::Drive3 { .. } | Joint::Spring { .. } => Vec3::zeros(),
        }
    }

    /// Velocity with which the measure is zero where the next step measures it.
    fn hold(&self, step: &Step, v: &Vec3, correction: &Vec3) -> Vec3 {
        match (step.compat.constraint_drift, step.stepping.inertial) {
            (true, true) => -v,
            (true, false) => Vec3::zeros(),
            (false, _) => (self.aim - self.moved) / step.h - correction,
        }
    }

    /// The length that a link is to have where the next step measures it, in the original at the end of the step.
    fn link(&self, step: &Step, correction: &Vec3) -> Prescription {
        let distance = self.origin.z + self.moved.z;
        if step.compat.constraint_drift {
            return Prescription::Link { length: self.origin.z, distance, reach: step.stepping.after * step.h };
        }
        let length = self.origin.z + self.aim.z - correction.z * step.h;
        Prescription::Link { length, distance, reach: step.h }
    }

    /// Prescribed velocity of a component whose displacement is `moved` at the measured configuration.
    fn drive(&self, step: &Step, what: Prescribed, series: &Series, moved: f64) -> f64 {
        let (start, end) = (step.time, step.time + step.h);
        match (what, step.compat.prescribed) {
            (Prescribed::Velocity, _) => series.at(end),
            (Prescribed::Displacement, false) => {
                let way = series.at(end) - series.at(start);
                let target = series.at(end) - series.at(self.born);
                // Dead-beat about the moving target: any error is gone in two steps, in quasi-statics in one.
                (target - moved + step.stepping.before * way) / step.h
            }
            (Prescribed::Acceleration, false) => gained(series, end),
            (Prescribed::Displacement, true) => joined_slope(series, end),
            (Prescribed::Acceleration, true) => coarse_integral(series, end),
        }
    }
}

/// Velocity that a recorded acceleration has given by time `t`, as its exact integral. Outside of its record a motion
/// does not accelerate: the velocity stays. A constant has no end.
fn gained(series: &Series, t: f64) -> f64 {
    match series.times() {
        [.., _, last] => series.integral_at(t.min(*last)),
        _ => series.integral_at(t),
    }
}

/// Slope of a series as the original takes it: constant on each piece, the first and last persist outside.
fn joined_slope(series: &Series, t: f64) -> f64 {
    let (times, values) = (series.times(), series.values());
    let slope = |k: usize| (values[k + 1] - values[k]) / (times[k + 1] - times[k]);
    let pieces = times.len() - 1;
    if pieces == 0 {
        return 0.0;
    }
    let piece = times.partition_point(|&s| s <= t).saturating_sub(1).min(pieces - 1);
    let sliver = SLIVER * (times[piece + 1] - times[piece]);
    let left = times[piece + 1] - t;
    if piece + 1 == pieces || left >= sliver {
        return slope(piece);
    }
    slope(piece) + (slope(piece + 1) - slope(piece)) * (1.0 - left / sliver)
}

/// Integral of a series as the original takes it: trapezoids at the knots, linear in between, constant outside; of two
/// points the total everywhere.
fn coarse_integral(series: &Series, t: f64) -> f64 {
    let (times, values) = (series.times(), series.values());
    let area = |k: usize| 0.5 * (values[k] + values[k + 1]) * (times[k + 1] - times[k]);
    let pieces = times.len() - 1;
    if pieces == 1 {
        return area(0);
    }
    let mut sum = 0.0;
    for k in 0..pieces {
        let share = ((t - times[k]) / (times[k + 1] - times[k])).clamp(0.0, 1.0);
        sum += share * area(k);
    }
    sum
}
