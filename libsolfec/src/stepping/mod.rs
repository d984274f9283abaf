//! Time-stepping schemes: how a step of length h goes from one configuration to the next. A [`Stepping`] is plain data,
//! chosen once from the analysis of the model; every other room reads its fields.
//!
//! A step moves the bodies by [`Stepping::before`] of h with the velocity of t, detects contacts and evaluates loads
//! there, solves for the velocity of t+h, and moves them by [`Stepping::after`] of h with that velocity.

use crate::model::Analysis;

/// What a time step is.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Stepping {
    /// Part of h by which bodies move with the velocity of t, before contacts are detected; 0: they stay.
    pub before: f64,
    /// Part of h by which bodies move with the velocity of t+h, after the solve.
    pub after: f64,
    /// Part of h at which loads, gravity and prescribed functions of mid-step are evaluated.
    pub loads: f64,
    /// Whether bodies have inertia: velocities persist from step to step and carry kinetic energy, works are recorded,
    /// and explicit schemes have a critical step. Otherwise velocities are increments of pseudo-time that start
    /// from zero.
    pub inertial: bool,
    /// Share of the velocity of t+h in the velocity that a spring or dashpot sees; the rest is the velocity of t.
    pub mean_velocity: f64,
    /// Part of h by which the velocity of t+h enters the displacement that a spring sees, counted from the
    /// configuration of detection.
    pub mean_displacement: f64,
    /// Factor of the coefficient of restitution.
    pub restitution: f64,
    /// Part of an open gap that a contact may close within the step.
    pub closing: f64,
}

impl Stepping {
    /// The midpoint scheme of Moreau (1999) for dynamics: half the motion before the solve and half of it after.
    pub const DYNAMIC: Stepping = Stepping {
        before: 0.5,
        after: 0.5,
        loads: 0.5,
        inertial: true,
        mean_velocity: 0.5,
        mean_displacement: 0.25,
        restitution: 1.0,
        closing: 0.0,
    };

    /// Implicit increments of pseudo-time for quasi-statics: the whole motion follows the solve.
    pub const QUASI_STATIC: Stepping = Stepping {
        before: 0.0,
        after: 1.0,
        loads: 1.0,
        inertial: false,
        mean_velocity: 1.0,
        mean_displacement: 1.0,
        restitution: 0.0,
        closing: 1.0,
    };

    /// The scheme of an analysis.
    pub const fn of(analysis: Analysis) -> Stepping {
        match analysis {
            Analysis::Dynamic => Stepping::DYNAMIC,
            Analysis::QuasiStatic => Stepping::QUASI_STATIC,
        }
    }
}
