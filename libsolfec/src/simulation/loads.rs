//! Loads in a step: their values at mid-step, as one load for each body.

use super::Simulation;
use crate::load::UserFunctions;
use crate::model::Model;
use crate::{Error, Result};

impl Simulation {
    /// New loads of these rows of the model.
    pub(super) fn insert_loads(&mut self, _model: &Model, rows: &[usize]) -> Result<()> {
        if rows.is_empty() {
            return Ok(());
        }
        Err(Error::input("loads are not available in this version"))
    }

    /// Whether a step must call user functions for loads.
    pub(super) fn loads_call_functions(&self) -> bool {
        false
    }

    /// Evaluates all loads for the step of length `h` that has begun, at the configuration of mid-step, into
    /// `work.loads` (empty when there are none).
    pub(super) fn evaluate_loads(&mut self, _h: f64, _functions: &mut dyn UserFunctions) -> Result<()> {
        Ok(())
    }
}
