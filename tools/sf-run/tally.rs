//! What a job adds up over its steps, for the summary at its end and in `state.json`.

use std::fmt::Write;
use std::path::Path;
use std::time::Duration;

use crate::cli::{counted, json_number, number};
use serde_json::{json, Value};
use solfec::body::{Energies, CONTACT, EXTERNAL, FRICTION, INTERNAL, KINETIC};
use solfec::simulation::{Simulation, StepReport};
use solfec::solver::Status;

use super::timers::{timers, TIMERS};

/// What the phases of [`TIMERS`] do.
const PHASES: [&str; TIMERS.len()] =
    ["integration", "contact detection", "local dynamics", "solver", "exchange of bodies"];

/// Energies below this part of the largest are round-off.
const ROUND_OFF: f64 = 1e-12;

/// A number with the time at which it was found; nothing yet.
type Found = Option<(f64, f64)>;

#[derive(Debug, Clone, Default)]
pub struct Tally {
    pub steps: u64,
    /// Steps that missed the tolerance of their solver.
    pub missed: u64,
    /// Largest merit among them.
    pub worst_missed: Found,
    /// Merit: the largest, and the sum of all.
    worst: Found,
    sum: f64,
    iterations: u64,
    /// Least gap [m], of the step that made it.
    deepest: Found,
    seconds: [f64; TIMERS.len()],
    time: f64,
    /// Energies when the job began, and by its last step.
    first: Option<Energies>,
    last: Option<Energies>,
}

/// Puts `value` in the place of a smaller one; NaN exceeds all.
fn raise(found: &mut Found, value: f64, time: f64) {
    let exceeds = match found {
        None => true,
        Some((old, _)) => !old.is_nan() && (value.is_nan() || value > *old),
    };
    if exceeds {
        *found = Some((value, time));
    }
}

impl Tally {
    /// A run begins or goes on.
    pub fn begin(&mut self, simulation: &Simulation) {
        if self.first.is_none() {
            self.first = Some(simulation.energies());
        }
        self.time = simulation.time();
    }

    /// A step was made.
    pub fn step(&mut self, simulation: &Simulation, report: &StepReport) {
        self.steps += 1;
        self.time = report.time;
        self.iterations += u64::from(report.solver.iterations);
        self.sum += report.solver.merit;
        raise(&mut self.worst, report.solver.merit, report.time);
        if report.solver.status != Status::Converged {
            self.missed += 1;
            raise(&mut self.worst_missed, report.solver.merit, report.time);
        }
        if let Some(gap) = simulation.contacts().iter().map(|contact| contact.gap).reduce(f64::min) {
            raise(&mut self.deepest, -gap, report.time);
        }
        self.seconds.iter_mut().zip(timers(&report.phases)).for_each(|(sum, seconds)| *sum += seconds);
    }

    /// A frame or the end: energies are summed over all bodies then.
    pub fn weigh(&mut self, simulation: &Simulation) {
        self.last = Some(simulation.energies());
    }

    /// The line of the convergence warning, if any solve missed its tolerance.
    pub fn missed(&self) -> Option<String> {
        let (worst, time) = self.worst_missed?;
        let worst = if worst.is_nan() { "not finite".into() } else { format!("{worst:.2e}") };
        let (missed, steps) = (self.missed, counted(self.steps as usize, "step", "steps"));
        Some(format!("{missed} of {steps} missed the tolerance of the solver, worst merit {worst} at t={time:.6}"))
    }

    /// Change of kinetic and internal energy, and the work of loads and reactions, contact and friction in it [J].
    fn energy(&self) -> Option<[f64; 4]> {
        let (first, last) = (self.first?, self.last?);
        let change = |k: usize| last[k] - first[k];
        Some([change(KINETIC) + change(INTERNAL), change(EXTERNAL), change(CONTACT), change(FRICTION)])
    }

    fn mean(&self) -> f64 {
        self.sum / self.steps.max(1) as f64
    }

    /// For `state.json`.
    pub fn json(&self, wall: Duration) -> Value {
        let found = |found: Found| found.map(|(value, t)| json!({"value": json_number(value), "t": t}));
        let energy = self.energy().map(|[change, work, contact, friction]| {
            json!({
                "change": json_number(change),
                "work": json_number(work),
                "contact": json_number(contact),
                "friction": json_number(friction),
            })
        });
        json!({
            "steps": self.steps,
            "wall_s": wall.as_secs_f64(),
            "merit": {"worst": found(self.worst), "mean": json_number(self.mean())},
            "missed_steps": self.missed,
            "iterations": self.iterations,
            "deepest_penetration_m": found(self.deepest.filter(|(depth, _)| *depth > 0.0)),
            "energy_j": energy,
        })
    }

    /// For people; nothing if no step was made.
    pub fn text(&self, directory: &Path, wall: Duration, warnings: &[(String, usize)]) -> Option<String> {
        if self.steps == 0 {
            return None;
        }
        let place = directory.display();
        let mut text = format!(
            "{place}: {} to t={} s in {:.2} s{}",
            counted(self.steps as usize, "step", "steps"),
            short(self.time),
            wall.as_secs_f64(),
            self.shares(wall)
        );
        // Writing to a String cannot fail.
        let (worst, at) = self.worst.unwrap_or_default();
        let _ = write!(
            text,
            "\n  accuracy: merit {worst:.1e} at worst (t={}), {:.1e} on average; ",
            short(at),
            self.mean()
        );
        let _ =
            write!(text, "{} of {} missed the tolerance", self.missed, counted(self.steps as usize, "step", "steps"));
        if let Some((depth, at)) = self.deepest.filter(|(depth, _)| *depth > 0.0) {
            let _ = write!(text, "\n  deepest penetration: {depth:.2e} m (t={})", short(at));
        }
        if let Some(energies @ [change, work, contact, friction]) = self.energy() {
            let largest = energies.into_iter().map(f64::abs).fold(0.0, f64::max);
            // What is left of sums of larger numbers is zero.
            let joules = |x: f64| if x.abs() <= ROUND_OFF * largest { "0".to_string() } else { format!("{x:.4e}") };
            let _ = write!(
                text,
                "\n  energy: kinetic and internal changed by {} J, work of loads and reactions {} J (contact {}, \
                 friction {})",
                joules(change),
                joules(work),
                joules(contact),
                joules(friction)
            );
        }
        let counts: Vec<String> = warnings.iter().map(|(kind, count)| format!("{count} of '{kind}'")).collect();
        let counts = if counts.is_empty() { "none".into() } else { counts.join(", ") };
        let _ = write!(text, "\n  warnings: {counts}");
        let _ = write!(text, "\n  next: sf-history {place} KINETIC   sf-xdmf {place} -o viz   sf-info {place}");
        Some(text)
    }

    /// Parts of the wall-clock time.
    fn shares(&self, wall: Duration) -> String {
        let all = wall.as_secs_f64();
        if all <= 0.0 {
            return String::new();
        }
        let part = |seconds: f64| (100.0 * seconds / all).round().clamp(0.0, 100.0);
        let shares: Vec<String> =
            PHASES.iter().zip(self.seconds).map(|(name, seconds)| format!("{name} {} %", part(seconds))).collect();
        let rest = part((all - self.seconds.iter().sum::<f64>()).max(0.0));
        format!(" ({}, files and the rest {rest} %)", shares.join(", "))
    }
}

/// A time to six digits.
fn short(t: f64) -> String {
    number((t * 1e6).round() / 1e6)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_not_finite_is_the_worst() {
        let mut found = None;
        for (value, time) in [(1.0, 0.1), (f64::NAN, 0.2), (2.0, 0.3)] {
            raise(&mut found, value, time);
        }
        assert!(found.is_some_and(|(value, time)| value.is_nan() && time == 0.2));
        let tally = Tally { steps: 1, missed: 1, worst_missed: found, ..Tally::default() };
        let told = tally.missed().unwrap();
        assert_eq!(told, "1 of 1 step missed the tolerance of the solver, worst merit not finite at t=0.200000");
    }
}
