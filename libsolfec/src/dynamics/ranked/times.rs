//! Seconds that a rank spends on exchange in a step.

use std::time::Instant;

use super::RankOperator;

/// Wall-clock seconds of a step; they decide nothing.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct ExchangeTimes {
    /// GSINIT: finding which bodies are shared and in which order they are swept.
    pub setup: f64,
    /// GSCOM: sums and velocities of shared bodies, but for the next.
    pub exchange: f64,
    /// GSMCOM: waiting for ranks that sweep shared bodies before.
    pub middle: f64,
}

impl RankOperator {
    /// Seconds since the operator was filled.
    pub fn times(&self) -> ExchangeTimes {
        self.times
    }

    /// Adds the seconds that `act` takes to one of the times.
    pub(super) fn timed<T>(&mut self, of: fn(&mut ExchangeTimes) -> &mut f64, act: impl FnOnce(&mut Self) -> T) -> T {
        let begun = Instant::now();
        let done = act(self);
        *of(&mut self.times) += begun.elapsed().as_secs_f64();
        done
    }
}
