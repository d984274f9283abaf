//! What follows from the description of a body of finite elements, outside of any simulation: its pencil, and the
//! reduced coordinates of a shown state.

use super::body::{FiniteBody, State};
use super::pencil::Pencil;
use super::reduced::has_several_volumes;
use crate::body::{name_of, NewBody};
use crate::math::Vec3;
use crate::model::{BodyKind, BodyRow, Formulation, Model};
use crate::shape::Shape;
use crate::stepping::Stepping;
use crate::{Error, Result};

/// What is wrong with the description of a body of finite elements, before it is in a model.
///
/// # Errors
/// A shape that is not one mesh, a mesh, a material or a base of which no body can be made.
pub fn check_finite_body(new: &NewBody<'_>) -> Result<()> {
    FiniteBody::new(new, Stepping::DYNAMIC).map(|_| ())
}

/// The same of a body that is still being made: parts with other volume ids may yet get a material of their own, so
/// that modes of such a body cannot be told from wrong ones before a simulation is made of it.
///
/// # Errors
/// As [`check_finite_body`].
pub fn check_finite_body_in_making(new: &NewBody<'_>) -> Result<()> {
    if new.row.form != Formulation::Modal || !has_several_volumes(new.shapes) {
        return check_finite_body(new);
    }
    let row = BodyRow { form: Formulation::Reduced, ..new.row.clone() };
    check_finite_body(&NewBody { row: &row, ..*new })
}

/// Configuration and velocity of a reduced body (docs/conventions.md 5) whose nodes have these places [m] and
/// velocities [m/s].
///
/// # Errors
/// A body that is not reduced or cannot be made.
pub fn reduced_state(model: &Model, row: &BodyRow, x: Vec<Vec3>, v: Vec<Vec3>) -> Result<(Vec<f64>, Vec<f64>)> {
    let name = name_of(row);
    let shapes: Vec<Shape> = model.all_shapes_of(row).collect();
    let bulk = &model.bulk;
    let mut body = FiniteBody::new(&NewBody { name: &name, row, bulk, shapes: &shapes }, Stepping::DYNAMIC)?;
    body.state = State { x, v };
    let state = body.reduced_configuration().zip(body.reduced_velocity());
    state.ok_or_else(|| Error::input(format!("{name}: has no reduced coordinates")))
}

impl Pencil {
    /// Of a body of a model as it is described; see [`Pencil::new`].
    ///
    /// # Errors
    /// As [`Pencil::new`], an unknown body.
    pub fn of(model: &Model, id: u64, displacements: &[Vec3]) -> Result<Pencil> {
        let row = model.body_row(id).map(|row| &model.bodies[row]);
        let row = row.ok_or_else(|| Error::input(format!("body {id} does not exist")))?;
        let name = name_of(row);
        if row.kind != BodyKind::FiniteElement {
            let text = "is not of finite elements; give a body of kind FINITE_ELEMENT";
            return Err(Error::input(format!("{name}: {text}")));
        }
        let shapes: Vec<Shape> = model.all_shapes_of(row).collect();
        let bulk = &model.bulk;
        Pencil::new(&NewBody { name: &name, row, bulk, shapes: &shapes }, displacements)
    }

    /// Of a body as it is described. The tangent of a total Lagrangian body is taken at these displacements of the
    /// nodes [m] (none: zero), that of any other at the reference configuration.
    ///
    /// # Errors
    /// A body that is not of finite elements or cannot be made, displacements of another mesh.
    pub fn new(new: &NewBody<'_>, displacements: &[Vec3]) -> Result<Pencil> {
        let body = FiniteBody::elastic(new, Stepping::DYNAMIC)?;
        let reference = &body.grid.mesh.nodes;
        let moved = match new.row.form {
            Formulation::TotalLagrangian => displacements,
            Formulation::Corotational | Formulation::Modal | Formulation::Reduced => &[],
        };
        if !moved.is_empty() && moved.len() != reference.len() {
            let (name, n, nodes) = (new.name, moved.len(), reference.len());
            return Err(Error::input(format!("{name}: displacements of {n} nodes, but its mesh has {nodes}")));
        }
        let mut places = reference.clone();
        places.iter_mut().zip(moved).for_each(|(x, u)| *x += u);
        Ok(body.pencil(places))
    }
}
