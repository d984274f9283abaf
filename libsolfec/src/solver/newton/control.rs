//! What keeps the iteration from running away: which steps are taken, and how strongly the matrix is shifted
//! (Grippo, Lampariello and Lucidi 1986).

use crate::model::LinearVariant;

/// Merits among which a new one must not be the largest.
const WINDOW: usize = 10;

/// Step lengths tried before the shift is raised.
pub const LENGTHS: [f64; 5] = [1.0, 0.5, 0.25, 0.125, 0.0625];

/// Share of the largest merit in the window to which a full step of PQN1 must lower it, else shorter ones are tried:
/// Newton steps that do less go to and fro between two branches of the laws. Those of PQN2 are slow by nature.
const ENOUGH: f64 = 0.9;

/// Change of the shift after a step that was refused, and after one that was taken.
const RAISE: f64 = 4.0;
const LOWER: f64 = 0.5;

/// Least and largest shift after a raise, relative to the mean diagonal entry of `W`.
const FIRST: f64 = 1e-3;
const LAST: f64 = 1e4;

/// The shift δ (as in switched evolution relaxation), and the nonmonotone window of merits.
pub struct Control {
    delta: f64,
    floor: f64,
    mean: f64,
    window: [f64; WINDOW],
    taken: usize,
    enough: f64,
}

impl Control {
    /// `delta` is the shift to start with and never to go below, `mean` the average diagonal entry of `W`.
    pub fn new(delta: f64, mean: f64, merit: f64, variant: LinearVariant) -> Self {
        let mut window = [f64::NEG_INFINITY; WINDOW];
        window[0] = merit;
        let enough = match variant {
            LinearVariant::Gmres => ENOUGH,
            LinearVariant::Diag => 1.0,
        };
        Control { delta, floor: delta, mean, window, taken: 1, enough }
    }

    pub fn delta(&self) -> f64 {
        self.delta
    }

    /// Whether a step to this merit may be taken.
    pub fn admits(&self, merit: f64) -> bool {
        merit < self.largest()
    }

    /// Whether there is no need to try shorter steps than the one to this merit.
    pub fn suffices(&self, merit: f64) -> bool {
        merit <= self.enough * self.largest()
    }

    fn largest(&self) -> f64 {
        self.window.iter().copied().fold(f64::NEG_INFINITY, f64::max)
    }

    /// A step to this merit was taken.
    pub fn take(&mut self, merit: f64) {
        self.window[self.taken % WINDOW] = merit;
        self.taken += 1;
        self.delta = (LOWER * self.delta).max(self.floor);
    }

    /// No step was admitted. False when the shift is so large that a larger one makes no difference.
    pub fn raise(&mut self) -> bool {
        self.delta = (RAISE * self.delta).max(FIRST * self.mean);
        self.delta <= LAST * self.mean.max(self.floor)
    }
}
