//! Functions of time given by points (docs/theory.md 12).

use std::sync::Arc;

use serde::{Deserialize, Serialize};

use crate::{Error, Result};

/// A function of time. Its points are shared: copies cost nothing.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Series {
    /// Empty if none.
    pub label: String,
    points: Arc<Points>,
    reading: Reading,
}

/// How the points of a series are to be read. The discriminants are those of model files.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[repr(u8)]
pub enum Reading {
    /// Linear between the points, constant outside.
    Value = 0,
    /// The slope of that: constant between the points and continuous from the right, zero outside.
    Derivative = 1,
    /// Its exact integral from the first time: quadratic between the points, zero before the first (a motion begins
    /// with its table), and after the last as if the last value went on.
    Integral = 2,
}

#[derive(Debug, PartialEq, Serialize, Deserialize)]
struct Points {
    /// Strictly increasing.
    times: Vec<f64>,
    values: Vec<f64>,
    /// Integral of the values up to each time.
    areas: Vec<f64>,
}

impl Series {
    /// The constant function.
    pub fn constant(value: f64) -> Self {
        Series::of(Points::new(vec![0.0], vec![value]))
    }

    /// Piecewise linear between points; one point is a constant. A deck must give at least two.
    ///
    /// # Errors
    /// No points, unequal counts, numbers that are not finite, times that do not increase, a slope without bound; each
    /// names the point, from 0.
    pub fn new(label: impl Into<String>, times: Vec<f64>, values: Vec<f64>) -> Result<Self> {
        check(&times, &values, |k| format!("point {k}"))?;
        Ok(Series { label: label.into(), ..Series::of(Points::new(times, values)) })
    }

    /// The same points, read in another way (as a model file has them).
    ///
    /// # Errors
    /// An integral of a constant, or one too large for numbers.
    pub fn read_as(self, reading: Reading) -> Result<Self> {
        if reading == Reading::Integral {
            self.check_integrable()?;
        }
        Ok(Series { reading, ..self })
    }

    fn of(points: Points) -> Self {
        Series { label: String::new(), points: Arc::new(points), reading: Reading::Value }
    }

    /// Times of the points [s].
    pub fn times(&self) -> &[f64] {
        &self.points.times
    }

    /// Values at the points; of a derived series those of the function it comes from.
    pub fn values(&self) -> &[f64] {
        &self.points.values
    }

    pub fn reading(&self) -> Reading {
        self.reading
    }

    /// Value at time `t` [s].
    pub fn at(&self, t: f64) -> f64 {
        match self.reading {
            Reading::Value => self.points.value(t),
            Reading::Derivative => self.points.slope(t),
            Reading::Integral => self.points.area(t),
        }
    }

    /// Exact integral from the first time to `t`, zero before. The integral of an integral takes time O(points).
    pub fn integral_at(&self, t: f64) -> f64 {
        match self.reading {
            Reading::Value => self.points.area(t),
            Reading::Derivative if t < self.times()[0] => 0.0,
            Reading::Derivative => self.points.value(t) - self.values()[0],
            Reading::Integral => self.points.area_of_area(t),
        }
    }

    fn check_integrable(&self) -> Result<()> {
        if self.times().len() == 1 {
            return Err(Error::input("TIME_SERIES: a constant has no integral; give at least two points"));
        }
        if !self.points.areas.iter().all(|a| a.is_finite()) {
            return Err(Error::input("TIME_SERIES: the integral is too large for a number; scale the values"));
        }
        Ok(())
    }
}

impl Points {
    fn new(times: Vec<f64>, values: Vec<f64>) -> Self {
        let mut areas = Vec::with_capacity(times.len());
        let mut area = 0.0;
        areas.push(area);
        for (t, v) in times.windows(2).zip(values.windows(2)) {
            area += 0.5 * (v[0] + v[1]) * (t[1] - t[0]);
            areas.push(area);
        }
        Points { times, values, areas }
    }

    /// The piece `k` with `times[k] ≤ t < times[k + 1]`, if there is one.
    fn piece(&self, t: f64) -> Option<usize> {
        let after = self.times.partition_point(|&s| s <= t);
        (after > 0 && after < self.times.len()).then(|| after - 1)
    }

    fn last(&self) -> usize {
        self.times.len() - 1
    }

    fn value(&self, t: f64) -> f64 {
        match self.piece(t) {
            Some(k) => {
                let part = (t - self.times[k]) / (self.times[k + 1] - self.times[k]);
                self.values[k] + (self.values[k + 1] - self.values[k]) * part
            }
            None if t < self.times[0] => self.values[0],
            None => self.values[self.last()],
        }
    }

    fn slope(&self, t: f64) -> f64 {
        self.piece(t).map_or(0.0, |k| (self.values[k + 1] - self.values[k]) / (self.times[k + 1] - self.times[k]))
    }

    fn area(&self, t: f64) -> f64 {
        match self.piece(t) {
            Some(k) => self.areas[k] + 0.5 * (self.values[k] + self.value(t)) * (t - self.times[k]),
            None if t < self.times[0] => 0.0,
            None => self.areas[self.last()] + self.values[self.last()] * (t - self.times[self.last()]),
        }
    }

    /// Integral of [`Points::area`], by Simpson's rule: exact on each piece.
    fn area_of_area(&self, t: f64) -> f64 {
        let part = |from: f64, to: f64| {
            (to - from) / 6.0 * (self.area(from) + 4.0 * self.area(0.5 * (from + to)) + self.area(to))
        };
        let whole =
            self.times.windows(2).take_while(|pair| pair[1] <= t).map(|pair| part(pair[0], pair[1])).sum::<f64>();
        let begun = self.times.partition_point(|&s| s <= t);
        if begun == 0 {
            return 0.0;
        }
        whole + part(self.times[begun - 1], t)
    }
}

/// Points that make a series; `place` says how messages call point `k`.
pub(super) fn check(times: &[f64], values: &[f64], place: impl Fn(usize) -> String) -> Result<()> {
    if times.is_empty() {
        return Err(Error::input("TIME_SERIES: there are no points; give pairs of time and value"));
    }
    if times.len() != values.len() {
        let text = format!("TIME_SERIES: {} times but {} values; give pairs", times.len(), values.len());
        return Err(Error::input(text));
    }
    for (k, pair) in times.iter().zip(values).enumerate() {
        if !(pair.0.is_finite() && pair.1.is_finite()) {
            let text = format!("TIME_SERIES: {} is ({}, {}); both must be finite numbers", place(k), pair.0, pair.1);
            return Err(Error::input(text));
        }
    }
    for k in 1..times.len() {
        let (before, time) = (times[k - 1], times[k]);
        if time <= before {
            return Err(Error::input(format!(
                "TIME_SERIES: time {time} of {} does not come after {before}; times must increase",
                place(k)
            )));
        }
        if !((values[k] - values[k - 1]) / (time - before)).is_finite() {
            return Err(Error::input(format!("TIME_SERIES: the slope before {} is too large for a number", place(k))));
        }
    }
    Ok(())
}
