//! Derived series: what the members `derivative` and `integral` of TIME_SERIES give and show (docs/theory.md 12).

use super::series::{Reading, Series};
use crate::{Error, Result};

/// A jump is shown as two points that are this fraction of the piece apart, as in the original.
const SLIVER: f64 = 1e-10;

impl Series {
    /// The derivative, see [`Reading::Derivative`].
    ///
    /// # Errors
    /// The series is itself a derivative: it jumps.
    pub fn derivative(&self) -> Result<Series> {
        match self.reading() {
            Reading::Value => self.unlabelled().read_as(Reading::Derivative),
            Reading::Integral => self.unlabelled().read_as(Reading::Value),
            Reading::Derivative => Err(Error::input(
                "TIME_SERIES: a derivative jumps and has no derivative itself; give a series of its points instead",
            )),
        }
    }

    /// The integral from the first time, see [`Reading::Integral`].
    ///
    /// # Errors
    /// A constant; an integral; an integral too large for numbers.
    pub fn integral(&self) -> Result<Series> {
        match self.reading() {
            Reading::Value => self.unlabelled().read_as(Reading::Integral),
            Reading::Derivative => {
                let first = self.values()[0];
                Series::new("", self.times().to_vec(), self.values().iter().map(|v| v - first).collect())
            }
            Reading::Integral => Err(Error::input(
                "TIME_SERIES: the integral of an integral is not available; give a series of its points instead",
            )),
        }
    }

    /// The derivative of the original (`--compat prescribed`): it goes on outside of the table with the first and the
    /// last slope.
    ///
    /// # Errors
    /// As [`Series::derivative`].
    pub fn original_derivative(&self) -> Result<Series> {
        let (times, values) = self.derivative()?.table();
        Series::new("", times, values)
    }

    /// The integral of the original (`--compat prescribed`): linear between the points, constant outside.
    ///
    /// # Errors
    /// As [`Series::integral`].
    pub fn original_integral(&self) -> Result<Series> {
        let (times, values) = self.integral()?.table();
        Series::new("", times, values)
    }

    fn unlabelled(&self) -> Series {
        let mut series = self.clone();
        series.label.clear();
        series
    }

    /// Times and values that a deck sees. A derivative shows two points for each piece, an integral its values at the
    /// points of its function.
    pub fn table(&self) -> (Vec<f64>, Vec<f64>) {
        let times = self.times();
        if self.reading() != Reading::Derivative {
            return (times.to_vec(), times.iter().map(|&t| self.at(t)).collect());
        }
        if times.len() == 1 {
            return (times.to_vec(), vec![0.0]);
        }
        let mut shown = (Vec::new(), Vec::new());
        for pair in times.windows(2) {
            let slope = self.at(pair[0]);
            shown.0.push(pair[0]);
            shown.1.push(slope);
            let end = pair[1] - SLIVER * (pair[1] - pair[0]);
            if pair[0] < end && end < pair[1] {
                shown.0.push(end);
                shown.1.push(slope);
            }
        }
        shown
    }
}
