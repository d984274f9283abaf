//! Timers of a step.

use solfec::simulation::{Phases, StepReport};

/// Names of the phases, in the order of [`timers`].
pub const TIMERS: [&str; 5] = ["TIMINT", "CONDET", "LOCDYN", "CONSOL", "PARBAL"];

/// Names of what phases spend on the sweep of several ranks, in the order of [`exchange_timers`].
const EXCHANGE_TIMERS: [&str; 4] = ["GSINIT", "GSRUN", "GSCOM", "GSMCOM"];

/// Names of all timers in the results, in the order of [`all_timers`].
pub fn names() -> Vec<String> {
    TIMERS.into_iter().chain(EXCHANGE_TIMERS).map(String::from).collect()
}

pub fn timers(phases: &Phases) -> [f64; TIMERS.len()] {
    [phases.integration, phases.detection, phases.local_dynamics, phases.solution, phases.balancing]
}

pub fn all_timers(report: &StepReport) -> Vec<f64> {
    timers(&report.phases).into_iter().chain(exchange_timers(report)).collect()
}

/// Zero on one rank.
fn exchange_timers(report: &StepReport) -> [f64; EXCHANGE_TIMERS.len()] {
    let Some(times) = report.distribution.map(|distribution| distribution.times) else {
        return [0.0; EXCHANGE_TIMERS.len()];
    };
    let run = (report.phases.solution - times.exchange - times.middle).max(0.0);
    [times.setup, run, times.exchange, times.middle]
}
