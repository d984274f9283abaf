//! Functions of time given by points.

/// A piecewise linear function of time, constant outside its table.
#[derive(Debug, Clone, PartialEq)]
pub struct Series {
    pub label: String,
    /// Strictly increasing times [s].
    pub times: Vec<f64>,
    pub values: Vec<f64>,
}

impl Series {
    /// The constant function.
    pub fn constant(value: f64) -> Self {
        Series { label: String::new(), times: vec![0.0], values: vec![value] }
    }

    /// Value at time `t`.
    pub fn at(&self, t: f64) -> f64 {
        let after = self.times.partition_point(|&s| s <= t);
        if after == 0 {
            return self.values[0];
        }
        if after == self.times.len() {
            return self.values[after - 1];
        }
        let (t0, t1) = (self.times[after - 1], self.times[after]);
        let (v0, v1) = (self.values[after - 1], self.values[after]);
        v0 + (v1 - v0) * ((t - t0) / (t1 - t0))
    }
}
