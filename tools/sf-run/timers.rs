//! Timers of the phases of a step.

use solfec::simulation::Phases;

/// Names of the timers in the results, in the order of [`timers`].
pub const TIMERS: [&str; 4] = ["TIMINT", "CONDET", "LOCDYN", "CONSOL"];

pub fn timers(phases: &Phases) -> [f64; 4] {
    [phases.integration, phases.detection, phases.local_dynamics, phases.solution]
}
