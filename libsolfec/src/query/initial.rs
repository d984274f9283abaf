//! A model shown before anything has run: the bodies of the start, where they were put.

use crate::frame::{Frame, FrameRow};
use crate::math::Mat3;
use crate::model::{BodyKind, BodyRow, Model, StoredOp};
use crate::{Error, Result};

/// Frame 0 of a model: no constraints, no energies, statistics NaN. Bodies that an INSERT_BODIES brings later are not in it.
/// The error names a body whose `conf` or `velo` has the wrong length, or whose kind has no rows yet.
pub fn initial_frame(model: &Model) -> Result<Frame> {
    let nan = f64::NAN;
    let (iterations, merit, error) = (nan, nan, nan);
    let start = FrameRow { index: 0, time: 0.0, step_count: 0, h: model.step, run: 0, iterations, merit, error };
    let mut frame = Frame::empty(start);
    let later = |row: u32| model.program.iter().filter_map(StoredOp::bodies).any(|rows| rows.contains(&row));
    for (row, body) in model.bodies.iter().enumerate() {
        let row = row as u32;
        if !later(row) {
            add(&mut frame, row, body)?;
        }
    }
    Ok(frame)
}

/// Layouts of conventions.md 6: `conf` is the tensor, then the mass centre; `velo` its rate or Ω, then the velocity.
fn add(frame: &mut Frame, row: u32, body: &BodyRow) -> Result<()> {
    let identity: [f64; 9] = Mat3::identity().as_slice().try_into().unwrap_or_default();
    let (tensor, x) = match body.conf.as_slice() {
        [] => (identity, body.chars.center.into()),
        conf => (part(body, conf, 0)?, part(body, conf, 9)?),
    };
    match body.kind {
        BodyKind::Rigid | BodyKind::Obstacle => {
            let rows = &mut frame.rigid;
            rows.body.push(row);
            rows.rot.push(tensor);
            rows.x.push(x);
            rows.omega.push(part_or_zero(body, 0)?);
            rows.v.push(part_or_zero(body, 3)?);
            rows.energy.push([0.0; 6]);
        }
        BodyKind::PseudoRigid => {
            let rows = &mut frame.pseudo;
            rows.body.push(row);
            rows.f.push(tensor);
            rows.x.push(x);
            rows.fdot.push(part_or_zero(body, 0)?);
            rows.v.push(part_or_zero(body, 9)?);
            rows.energy.push([0.0; 6]);
        }
        BodyKind::FiniteElement => {
            return Err(Error::input(format!(
                "body {}: finite-element bodies cannot be shown; use RIGID or PSEUDO_RIGID",
                body.id
            )));
        }
    }
    Ok(())
}

fn part_or_zero<const N: usize>(body: &BodyRow, start: usize) -> Result<[f64; N]> {
    match body.velo.as_slice() {
        [] => Ok([0.0; N]),
        velo => part(body, velo, start),
    }
}

fn part<const N: usize>(body: &BodyRow, values: &[f64], start: usize) -> Result<[f64; N]> {
    values.get(start..start + N).and_then(|s| s.try_into().ok()).ok_or_else(|| {
        Error::input(format!(
            "body {}: its configuration or velocity has {} numbers, too few for its kind; see the layouts",
            body.id,
            values.len()
        ))
    })
}
