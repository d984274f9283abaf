//! What a step of another length than the last one means for joints.

use super::Simulation;
use crate::constraint::Constraint;
use crate::math::Vec3;

/// Part of its length by which a step may change before joints are measured for it.
const CHANGE: f64 = 0.01;

impl Simulation {
    /// Joints are zero at mid-steps, so that a step of another length finds them off. To take that back within one
    /// short step would need reactions beyond all measure: it stays as a lag, of which each step takes the part
    /// `(h/H)²`, with the longest step `H` so far: velocities change by no more than what the step itself gets wrong
    /// (docs/theory.md 8). Comes before the bodies begin the step of length `h` [s].
    pub(super) fn follow_step(&mut self, h: f64) {
        self.longest_h = self.longest_h.max(h);
        let left = 1.0 - (h / self.longest_h).powi(2);
        let changed = self.steps > 0 && (h - self.last_h).abs() > CHANGE * self.last_h;
        let errors = (changed && left > 0.0 && self.holds_by_place()).then(|| [self.last_h, h].map(|h| self.errors(h)));
        let now = self.clock.now();
        for (k, constraint) in self.constraints.iter_mut().enumerate() {
            let shift = match &errors {
                Some([before, after]) if constraint.born < now => after[k] - before[k],
                Some(_) | None => Vec3::zeros(),
            };
            constraint.aim = (constraint.lag + shift) * left;
        }
    }

    /// Whether constraints remember places in steps that have a middle.
    fn holds_by_place(&self) -> bool {
        self.stepping.inertial && !self.work.compat_constraints.constraint_drift
    }

    /// The errors of all constraints in the middle of a step of this length from here [m].
    fn errors(&mut self, h: f64) -> Vec<Vec3> {
        self.bodies.begin(h);
        let step = self.constraint_step(h);
        let error = |constraint: &Constraint| {
            let mut constraint = constraint.clone();
            constraint.place(&self.bodies);
            constraint.error(&step, &self.series)
        };
        let errors = self.constraints.iter().map(error).collect();
        self.bodies.revert();
        errors
    }
}
