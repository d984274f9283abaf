//! What a user may ask of NEWTON_SOLVER.

use crate::model::Newton;
use crate::{Error, Result};

impl Newton {
    /// Whether all options are in range.
    ///
    /// # Errors
    /// The first option that is not, with its value and its range.
    pub fn validate(&self) -> Result<()> {
        let positive = |x: f64| x.is_finite() && x > 0.0;
        let not_negative = |x: f64| x.is_finite() && x >= 0.0;
        let reals = [
            ("meritval", self.meritval, positive(self.meritval), "> 0"),
            ("epsilon", self.epsilon, positive(self.epsilon), "> 0"),
            ("delta", self.delta, not_negative(self.delta), ">= 0"),
            ("theta", self.theta, self.theta > 0.0 && self.theta <= 1.0, "in (0, 1]"),
            ("omega", self.omega.unwrap_or(0.0), self.omega.is_none_or(not_negative), ">= 0 or 'AUTO'"),
        ];
        if let Some((name, value, _, range)) = reals.into_iter().find(|(_, _, good, _)| !good) {
            return Err(Error::input(format!("NEWTON_SOLVER: {name} must be {range}, not {value}")));
        }
        let counts = [("maxiter", self.maxiter), ("linmaxiter", self.linmaxiter), ("maxmatvec", self.maxmatvec)];
        match counts.into_iter().find(|(_, count)| *count == 0) {
            Some((name, _)) => Err(Error::input(format!("NEWTON_SOLVER: {name} must be > 0, not 0"))),
            None => Ok(()),
        }
    }
}
