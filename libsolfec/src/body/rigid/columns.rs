//! Rigid bodies and obstacles in the tables of frames and checkpoints.

use super::motion::RigidState;
use crate::body::{of_works, works, Energies, RigidColumns};
use crate::frame::RigidRows;
use crate::ids::{BodyId, CatalogueRow};
use crate::math::{columns, Mat3};

/// Appends a row of a frame.
pub fn show(state: &RigidState, energies: Energies, body: CatalogueRow, rows: &mut RigidRows) {
    rows.body.push(body.0);
    rows.rot.push(columns(&state.rot));
    rows.x.push(state.x.into());
    rows.omega.push(state.omega.into());
    rows.v.push(state.v.into());
    rows.energy.push(energies);
}

/// Appends a row of a checkpoint.
pub fn store(state: &RigidState, work: &Energies, id: BodyId, all: &mut RigidColumns) {
    all.id.push(id.0);
    all.x.push(state.x.into());
    all.rot.push(columns(&state.rot));
    all.v.push(state.v.into());
    all.omega.push(state.omega.into());
    all.work.push(works(work));
}

/// State and works of a body in a checkpoint.
pub fn restore(id: BodyId, all: &RigidColumns) -> Option<(RigidState, Energies)> {
    let k = all.id.binary_search(&id.0).ok()?;
    let state = RigidState {
        rot: Mat3::from_column_slice(&all.rot[k]),
        x: all.x[k].into(),
        omega: all.omega[k].into(),
        v: all.v[k].into(),
    };
    Some((state, of_works(all.work[k])))
}
