//! NEWTON_SOLVER: projected quasi-Newton steps.

use serde::{Deserialize, Serialize};

use crate::json::real;
use crate::{Error, Result};

/// The linear solver of NEWTON_SOLVER.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
pub enum LinearVariant {
    /// PQN1.
    Gmres,
    /// PQN2.
    Diag,
}

/// What `delta` of NEWTON_SOLVER is relative to: 1, or a statistic of the diagonal entries of W.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum Delta {
    #[serde(rename = "OFF")]
    Absolute,
    #[serde(rename = "avgWii")]
    Average,
    #[serde(rename = "minWii")]
    Least,
    #[serde(rename = "maxWii")]
    Largest,
}

/// NEWTON_SOLVER.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Newton {
    #[serde(with = "real")]
    pub meritval: f64,
    pub maxiter: u32,
    /// Whether W is assembled; else products go through the bodies.
    pub locdyn: bool,
    pub linver: LinearVariant,
    pub linmaxiter: u32,
    pub maxmatvec: u32,
    #[serde(with = "real")]
    pub epsilon: f64,
    #[serde(with = "real")]
    pub delta: f64,
    #[serde(with = "real")]
    pub theta: f64,
    /// Smoothing velocity [m/s]; `None`: 'AUTO', `0.01 √meritval` of the root mean square of the free velocities.
    pub omega: Option<f64>,
    /// Fall back on Gauss–Seidel when it fails.
    pub gsflag: bool,
    pub reldelta: Delta,
}

impl Default for Newton {
    fn default() -> Self {
        Newton {
            meritval: 1e-8,
            maxiter: 1000,
            locdyn: true,
            linver: LinearVariant::Gmres,
            linmaxiter: 10,
            maxmatvec: 10000,
            epsilon: 0.25,
            delta: 0.0,
            theta: 0.25,
            omega: Some(1e-10),
            gsflag: true,
            reldelta: Delta::Absolute,
        }
    }
}

/// Accuracy and most iterations of [`Newton::by_products`].
const ACCURATE: f64 = 0.02;
const MOST_ITERATIONS: u32 = 80;

impl Newton {
    /// The same for problems without a matrix: products go through the bodies, and linear systems are solved well.
    /// Directions that are rougher wander where thousands of contacts are on one body, and their products are dear.
    pub fn by_products(self) -> Self {
        Newton {
            locdyn: false,
            epsilon: self.epsilon.min(ACCURATE),
            linmaxiter: self.linmaxiter.max(MOST_ITERATIONS),
            ..self
        }
    }

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
