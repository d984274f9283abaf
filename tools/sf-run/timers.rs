//! Timers of a step.

use solfec::simulation::{Phases, StepReport};

/// Names of the phases, in the order of [`timers`].
pub const TIMERS: [&str; 5] = ["TIMINT", "CONDET", "LOCDYN", "CONSOL", "PARBAL"];

/// Names of what phases spend on the sweep of several ranks, in the order of [`exchange_timers`].
const EXCHANGE_TIMERS: [&str; 4] = ["GSINIT", "GSRUN", "GSCOM", "GSMCOM"];

const ALL: usize = TIMERS.len() + EXCHANGE_TIMERS.len();

/// Names of the timers in the results of so many processes, the first in the order of [`all_timers`].
pub fn names(processes: usize) -> Vec<String> {
    let of_several: &[&str] = if processes > 1 { &EXCHANGE_TIMERS } else { &[] };
    TIMERS.iter().chain(of_several).map(|name| name.to_string()).collect()
}

pub fn timers(phases: &Phases) -> [f64; TIMERS.len()] {
    [phases.integration, phases.detection, phases.local_dynamics, phases.solution, phases.balancing]
}

pub fn all_timers(report: &StepReport) -> [f64; ALL] {
    let mut all = [0.0; ALL];
    let (phases, exchange) = all.split_at_mut(TIMERS.len());
    phases.copy_from_slice(&timers(&report.phases));
    exchange.copy_from_slice(&exchange_timers(report));
    all
}

/// Zero on one rank.
fn exchange_timers(report: &StepReport) -> [f64; EXCHANGE_TIMERS.len()] {
    let Some(times) = report.distribution.map(|distribution| distribution.times) else {
        return [0.0; EXCHANGE_TIMERS.len()];
    };
    let run = (report.phases.solution - times.exchange - times.middle).max(0.0);
    [times.setup, run, times.exchange, times.middle]
}
