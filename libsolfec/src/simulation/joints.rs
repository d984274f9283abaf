//! User constraints in a step: what they are attached to, their laws, what becomes of them.

use super::Simulation;
use crate::model::Model;
use crate::{Error, Result};

impl Simulation {
    /// New constraints of these rows of the model.
    pub(super) fn insert_constraints(&mut self, _model: &Model, rows: &[usize]) -> Result<()> {
        if rows.is_empty() {
            return Ok(());
        }
        Err(Error::input("user constraints are not available in this version"))
    }

    /// Whether a step must call user functions for springs.
    pub(super) fn joints_call_functions(&self) -> bool {
        false
    }

    /// A constraint goes; row of the model's table.
    pub(super) fn delete_constraint(&mut self, _row: u32) -> Result<()> {
        Ok(())
    }
}
