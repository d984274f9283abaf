//! Which frames, or steps, a history has: `--time`, `--every`, `--dt`.

use solfec::query::TIME_TOLERANCE;

use super::args::Args;
use crate::cli::{select_frames, TimeSpec};

#[derive(Debug, Clone, Default)]
pub struct Selection {
    pub time: Option<TimeSpec>,
    pub every: usize,
    /// [s]
    pub dt: Option<f64>,
}

impl Selection {
    pub fn new(args: &Args) -> Self {
        Selection { time: args.time.clone(), every: args.every as usize, dt: args.dt }
    }

    /// Positions among `times`, ascending; `h` is the time step.
    pub fn of(&self, times: &[f64], h: f64) -> Vec<usize> {
        let taken = select_frames(times, h, self.time.as_ref(), self.every);
        match self.dt {
            Some(dt) => spaced(times, &taken, dt, h),
            None => taken,
        }
    }
}

/// Those of `taken` that are nearest to one of the times t0, t0 + dt, ... up to the last; ties go to the earlier.
fn spaced(times: &[f64], taken: &[usize], dt: f64, h: f64) -> Vec<usize> {
    let (Some(&first), Some(&last)) = (taken.first(), taken.last()) else { return Vec::new() };
    // Number of those times up to `t`.
    let until = |t: f64| ((t - times[first]) / dt).floor();
    let slack = TIME_TOLERANCE * h;
    let end = |i: usize| match taken.get(i + 1) {
        Some(&next) => 0.5 * (times[taken[i]] + times[next] + slack),
        None => times[last] + slack,
    };
    (0..taken.len()).filter(|&i| i == 0 || until(end(i)) > until(end(i - 1))).map(|i| taken[i]).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nearest_to_times_apart() {
        let times = [0.0, 0.1, 0.2, 0.3, 0.4, 1.4];
        let take = |dt| Selection { time: None, every: 1, dt: Some(dt) }.of(&times, 0.01);
        assert_eq!(take(0.2), [0, 2, 4, 5]);
        assert_eq!(take(1.0), [0, 5]);
        assert_eq!(take(0.24), [0, 2, 4, 5]);
        assert_eq!(take(1e-9), [0, 1, 2, 3, 4, 5]);
        assert_eq!(take(9.0), [0]);
        assert_eq!(take(0.7), [0, 4, 5], "0.7 is nearest to 0.4, 1.4 to 1.4");
        assert_eq!(take(0.05), [0, 1, 2, 3, 4, 5]);
    }

    /// Each time is in the middle between two frames, but for round-off.
    #[test]
    fn ties_go_to_the_earlier() {
        let times: Vec<f64> = (0..400).map(|k| f64::from(k) * 0.02).collect();
        let taken = Selection { time: None, every: 1, dt: Some(0.05) }.of(&times, 0.01);
        let wanted: Vec<usize> = (0..160).map(|k: usize| 5 * (k / 2) + 2 * (k % 2)).collect();
        assert_eq!(taken, wanted);
    }
}
