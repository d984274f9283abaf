//! Functions of the user's deck: numbers in, numbers out. A step asks for all values of one moment in one batch.

use serde::{Deserialize, Serialize};

use crate::ids::BodyId;
use crate::math::Vec3;
use crate::{Error, Result};

/// One value asked of a user function.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub enum Call {
    /// FORCE on a body: its configuration at t+h/2 and velocity at t in the layouts of docs/conventions.md 5, the time
    /// t+h/2, the step.
    Force { function: u32, body: BodyId, q: Vec<f64>, u: Vec<f64>, time: f64, step: f64 },
    /// PUT_SPRING: stroke [m] and stroke rate [m/s].
    Spring { function: u32, stroke: f64, rate: f64 },
    /// FIELD: a value for each of these reference places [m], at a time [s].
    Field { function: u32, places: Vec<Vec3>, time: f64 },
}

/// Whoever can evaluate user functions. They may read, they may not change anything.
pub trait UserFunctions {
    /// The numbers that each call returned, in order.
    ///
    /// # Errors
    /// What the user's function raised, or a result that is not made of numbers.
    fn values(&mut self, calls: &[Call]) -> Result<Vec<Vec<f64>>>;
}

/// No user functions: models without them run with this.
pub struct NoFunctions;

impl UserFunctions for NoFunctions {
    fn values(&mut self, calls: &[Call]) -> Result<Vec<Vec<f64>>> {
        if calls.is_empty() {
            return Ok(Vec::new());
        }
        Err(Error::input("the model needs functions of its deck, which are not here; run the deck itself"))
    }
}
