//! Pseudo-rigid bodies in the tables of frames and checkpoints.

use super::motion::PseudoState;
use crate::body::{of_works, works, AffineRate, Energies, PseudoColumns};
use crate::frame::PseudoRows;
use crate::ids::{BodyId, CatalogueRow};
use crate::math::{columns, Mat3};

/// Appends a row of a frame.
pub fn show(state: &PseudoState, energies: Energies, body: CatalogueRow, rows: &mut PseudoRows) {
    rows.body.push(body.0);
    rows.f.push(columns(&state.f.transpose()));
    rows.x.push(state.x.into());
    rows.fdot.push(columns(&state.rate.fdot.transpose()));
    rows.v.push(state.rate.v.into());
    rows.energy.push(energies);
}

/// Appends a row of a checkpoint.
pub fn store(state: &PseudoState, work: &Energies, id: BodyId, all: &mut PseudoColumns) {
    all.id.push(id.0);
    all.x.push(state.x.into());
    all.f.push(columns(&state.f.transpose()));
    all.v.push(state.rate.v.into());
    all.fdot.push(columns(&state.rate.fdot.transpose()));
    all.work.push(works(work));
}

/// State and works of a body in a checkpoint.
pub fn restore(id: BodyId, all: &PseudoColumns) -> Option<(PseudoState, Energies)> {
    let k = all.id.binary_search(&id.0).ok()?;
    let rate = AffineRate { fdot: Mat3::from_row_slice(&all.fdot[k]), v: all.v[k].into() };
    let state = PseudoState { f: Mat3::from_row_slice(&all.f[k]), x: all.x[k].into(), rate };
    Some((state, of_works(all.work[k])))
}
