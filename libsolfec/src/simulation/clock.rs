//! Time and what is due when (docs/conventions.md 10). While the step is constant `t = t_ref + k h`, so that RUN(N h)
//! makes exactly N steps and frames do not drift; `--compat schedule` restores repeated addition and drifting due
//! times.

use crate::{Error, Result};

/// Fraction of a step by which a time may be missed and still count as reached.
const TOLERANCE: f64 = 1e-9;

/// The time of a simulation.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Clock {
    /// When the step was changed last [s], and the steps made since.
    pub reference: f64,
    pub steps: u64,
    /// Present step and time [s].
    pub h: f64,
    pub now: f64,
    /// `--compat schedule`.
    pub legacy: bool,
}

impl Clock {
    /// Time zero, step `h` [s]; `legacy` selects `--compat schedule`.
    pub fn new(h: f64, legacy: bool) -> Self {
        Clock { reference: 0.0, steps: 0, h, now: 0.0, legacy }
    }

    /// Present time [s].
    pub fn now(&self) -> f64 {
        self.now
    }

    /// Present step [s].
    pub fn h(&self) -> f64 {
        self.h
    }

    /// Changes the step from now on.
    pub fn set_h(&mut self, h: f64) {
        if h != self.h {
            (self.reference, self.steps, self.h) = (self.now, 0, h);
        }
    }

    /// One step further.
    pub fn advance(&mut self) {
        self.steps += 1;
        self.now = if self.legacy { self.now + self.h } else { self.reference + self.steps as f64 * self.h };
    }

    /// Whether `end` is reached: no further step towards it is to be made.
    pub fn reached(&self, end: f64) -> bool {
        if self.legacy {
            self.now >= end
        } else {
            self.now >= end - TOLERANCE * self.h
        }
    }
}

/// Something due every `interval` seconds, counted from a reference time; interval 0 is due after every step.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Schedule {
    /// [s]
    pub reference: f64,
    /// [s]
    pub interval: f64,
    /// The next due time is `reference + next · interval`; with `--compat schedule` it is `next_legacy` [s].
    pub next: u64,
    pub next_legacy: f64,
}

impl Schedule {
    /// First due one `interval` after `now`.
    pub fn new(now: f64, interval: f64) -> Self {
        Schedule { reference: now, interval, next: 1, next_legacy: now + interval }
    }

    /// First due at `now`, that is after the first step from there on (C.2).
    pub fn callback(now: f64, interval: f64) -> Self {
        Schedule { reference: now, interval, next: 0, next_legacy: now }
    }

    /// Refuses an interval that cannot advance the clock: below the fraction of a step in which times are the same.
    pub fn check_interval(what: &str, interval: f64, h: f64) -> Result<()> {
        let least = TOLERANCE * h;
        if interval == 0.0 || interval.is_finite() && interval >= least {
            return Ok(());
        }
        let each = if what == "OUTPUT" { "0 for a frame after each step" } else { "the step for a call after each" };
        Err(Error::input(format!(
            "{what}: interval {interval:e} s is below {least:.0e} s, 1e-9 of the step; use {each}"
        )))
    }

    /// Whether it is due at the present time of `clock`; if so, moves on past that time.
    pub fn due(&mut self, clock: &Clock) -> bool {
        if self.interval == 0.0 {
            return true;
        }
        if clock.legacy {
            let due = clock.now >= self.next_legacy;
            if due {
                self.next_legacy += self.interval;
            }
            return due;
        }
        let reached = |k: u64| clock.reached(self.reference + k as f64 * self.interval);
        if !reached(self.next) {
            return false;
        }
        let mut next = self.next.max(((clock.now - self.reference) / self.interval) as u64);
        while next < u64::MAX && reached(next) {
            // Far from the reference neighbouring due times may be the same number.
            next = next.saturating_add(1).saturating_add((f64::EPSILON * clock.now.abs() / self.interval) as u64);
        }
        self.next = next;
        true
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn frames(legacy: bool, h: f64, interval: f64, end: f64) -> (Vec<f64>, usize) {
        let (mut clock, mut output) = (Clock::new(h, legacy), Schedule::new(0.0, interval));
        let (mut times, mut steps) = (vec![0.0], 0);
        while !clock.reached(end) {
            clock.advance();
            steps += 1;
            if output.due(&clock) {
                times.push((clock.now() * 1e6).round() / 1e6);
            }
        }
        (times, steps)
    }

    #[test]
    fn frames_fall_on_multiples_of_the_interval() {
        assert_eq!(frames(false, 0.01, 0.05, 0.2).0, [0.0, 0.05, 0.1, 0.15, 0.2]);
        assert_eq!(frames(false, 0.01, 0.05, 0.1).1, 10);
        // An interval below the step is due every step and does not lag behind.
        assert_eq!(frames(false, 0.01, 0.004, 0.05).0.len(), 6);
        // A step that does not divide the interval: the first step past each due time.
        assert_eq!(frames(false, 0.03, 0.05, 0.2).0, [0.0, 0.06, 0.12, 0.15, 0.21]);
    }

    #[test]
    fn intervals_that_cannot_advance_the_clock_are_refused() {
        for interval in [1e-300, 1e-22, 9e-13, -1.0, f64::NAN, f64::INFINITY] {
            let message = Schedule::check_interval("OUTPUT", interval, 1e-3).unwrap_err().to_string();
            assert!(message.contains("use 0 for a frame after each step"), "{message}");
        }
        for interval in [0.0, 2e-12, 1e-3, 1e300] {
            Schedule::check_interval("OUTPUT", interval, 1e-3).unwrap();
        }
        // The smallest interval is due after every step, also far from the beginning.
        let mut clock = Clock { reference: 1e9, now: 1e9, ..Clock::new(1e-3, false) };
        let mut output = Schedule::new(0.0, 2e-12);
        for _ in 0..10 {
            clock.advance();
            assert!(output.due(&clock));
        }
    }

    #[test]
    fn the_legacy_schedule_drifts_as_the_original_did() {
        assert_eq!(frames(true, 0.01, 0.05, 0.2).0, [0.0, 0.05, 0.11, 0.16, 0.2]);
        assert_eq!(frames(true, 0.01, 0.05, 0.1).1, 11);
    }
}
