//! How fast a run gets on: the time left follows from the last stretch, because contacts come and go.

use std::collections::VecDeque;
use std::time::Duration;

/// Length of the stretch, and between its points.
const STRETCH: Duration = Duration::from_secs(30);
const APART: Duration = Duration::from_millis(500);

/// Points (elapsed, simulated time) of the last stretch.
#[derive(Debug, Clone)]
pub struct Pace {
    points: VecDeque<(Duration, f64)>,
}

impl Pace {
    /// A run begins at `time` [s], after `elapsed` of the clock.
    pub fn begin(elapsed: Duration, time: f64) -> Pace {
        Pace { points: VecDeque::from([(elapsed, time)]) }
    }

    /// The run has come to `time`.
    pub fn reach(&mut self, elapsed: Duration, time: f64) {
        if self.points.back().is_some_and(|(last, _)| elapsed < *last + APART) {
            return;
        }
        self.points.push_back((elapsed, time));
        while self.points.get(1).is_some_and(|(second, _)| elapsed > *second + STRETCH) {
            self.points.pop_front();
        }
    }

    /// Time left until `end` [s] for a run that has come to `time`; unknown before it has moved.
    pub fn left(&self, elapsed: Duration, time: f64, end: f64) -> Option<Duration> {
        let (then, from) = *self.points.front()?;
        let (done, left) = (time - from, end - time);
        if done <= 0.0 || !left.is_finite() {
            return None;
        }
        let seconds = elapsed.saturating_sub(then).as_secs_f64();
        Duration::try_from_secs_f64(seconds * left.max(0.0) / done).ok()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn time_left_follows_from_the_last_stretch() {
        let s = Duration::from_secs;
        let mut pace = Pace::begin(s(0), 0.0);
        assert_eq!(pace.left(s(0), 0.0, 1.0), None);
        assert_eq!(pace.left(s(30), 2.5, 10.0), Some(s(90)));
        // A fast beginning is forgotten: one unit a second for 100 s, then a tenth of it.
        (1..=100).for_each(|k| pace.reach(s(k), k as f64));
        (1..=60).for_each(|k| pace.reach(s(100 + k), 100.0 + k as f64 / 10.0));
        let left = pace.left(s(160), 106.0, 107.0).unwrap().as_secs_f64();
        assert!((left - 10.0).abs() < 0.5, "{left}");
        assert!(pace.points.len() <= 62);
    }
}
