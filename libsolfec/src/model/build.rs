//! Makes operations: a row and what inserts it are made together, and rows of a model become operations again.

use std::sync::Arc;

use super::{BodyRow, ConstraintRow, Insertion, LoadRow, Model, NewBody, Op, Rows, StoredOp};
use crate::shape::Shape;
use crate::{Error, Result};

impl Model {
    /// Inserts a body. Its id and the rows of its shapes are those that come next, whatever `body` says.
    pub fn new_body(&self, body: BodyRow, shapes: Vec<Shape>) -> Op {
        let first = self.shapes.len() as u32;
        let row = self.bodies.len();
        let body = BodyRow { id: row as u64 + 1, shapes: first..first + shapes.len() as u32, ..body };
        Op::InsertBodies(Insertion::one(row, NewBody { body, shapes }))
    }

    /// Inserts a user constraint.
    pub fn new_constraint(&self, row: ConstraintRow) -> Op {
        Op::InsertConstraints(Insertion::one(self.constraints.len(), row))
    }

    /// Inserts a load.
    pub fn new_load(&self, row: LoadRow) -> Op {
        Op::InsertLoads(Insertion::one(self.loads.len(), row))
    }

    /// Bodies of these rows with their shapes.
    ///
    /// # Errors
    /// Rows that the table does not have.
    pub fn bodies_at(&self, rows: Rows) -> Result<Insertion<NewBody>> {
        let bodies = part(&self.bodies, rows, "body")?;
        Ok(Insertion { first: rows.rows[0], rows: bodies.iter().map(|body| self.new_of(body)).collect() })
    }

    /// A body of the table with its shapes.
    pub(crate) fn new_of(&self, body: &BodyRow) -> NewBody {
        NewBody { body: body.clone(), shapes: self.all_shapes_of(body).collect() }
    }

    /// User constraints of these rows.
    ///
    /// # Errors
    /// Rows that the table does not have.
    pub fn constraints_at(&self, rows: Rows) -> Result<Insertion<ConstraintRow>> {
        let part = part(&self.constraints, rows, "constraint")?;
        Ok(Insertion { first: rows.rows[0], rows: Arc::from(part) })
    }

    /// Loads of these rows.
    ///
    /// # Errors
    /// Rows that the table does not have.
    pub fn loads_at(&self, rows: Rows) -> Result<Insertion<LoadRow>> {
        let part = part(&self.loads, rows, "load")?;
        Ok(Insertion { first: rows.rows[0], rows: Arc::from(part) })
    }

    /// Empties the tables of bodies, constraints and loads from which the program inserts nothing.
    pub fn keep_what_comes_later(&mut self) {
        if !self.program.iter().any(|op| op.bodies().is_some()) {
            (self.bodies, self.shapes, self.library) = Default::default();
            (self.bases, self.display_points, self.geometries) = Default::default();
        }
        if !self.program.iter().any(|op| op.constraints().is_some()) {
            self.constraints = Vec::new();
        }
        if !self.program.iter().any(|op| op.loads().is_some()) {
            self.loads = Vec::new();
        }
    }

    /// An operation of a program on this model, with all that it inserts.
    ///
    /// # Errors
    /// Rows that the tables do not have.
    pub fn whole(&self, op: &StoredOp) -> Result<Op> {
        op.clone().try_map(
            |never| match never {},
            |rows| self.bodies_at(rows),
            |rows| self.constraints_at(rows),
            |rows| self.loads_at(rows),
        )
    }
}

fn part<'a, T>(table: &'a [T], Rows { rows: [from, to] }: Rows, what: &str) -> Result<&'a [T]> {
    let missing = || Error::input(format!("{what} row {} does not exist in the model", to.max(from)));
    table.get(from as usize..to as usize).ok_or_else(missing)
}
