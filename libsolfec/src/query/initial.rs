//! Bodies as the model describes them, before anything has run.

use super::point::Point;
use super::shown::ShownBodies;
use crate::body::Energies;
use crate::frame::{Frame, FrameRow};
use crate::ids::CatalogueRow;
use crate::math::{Mat3, Vec3};
use crate::model::{BodyKind, Model};
use crate::{Error, Result};

/// Frame 0 of a model: no constraints, no energies, statistics NaN. Bodies that an INSERT_BODIES brings later are not in it.
///
/// # Errors
/// A body whose `conf` or `velo` has the wrong length, or whose kind cannot be shown.
pub fn initial_frame(model: &Model) -> Result<Frame> {
    let mut frame = nothing(model);
    for row in 0..model.inserted_later().start {
        describe(&mut frame, model, CatalogueRow(row as u32))?;
    }
    Ok(frame)
}

/// A frame with one body, as the model describes it.
///
/// # Errors
/// Those of [`initial_frame`].
pub fn described_body(model: &Model, row: CatalogueRow) -> Result<Frame> {
    let mut frame = nothing(model);
    describe(&mut frame, model, row)?;
    Ok(frame)
}

/// Where a reference point of a body is that nothing has moved yet: exactly there, without a configuration.
///
/// # Errors
/// Those of [`initial_frame`].
pub fn described_point(model: &Model, row: CatalogueRow, reference: &Vec3) -> Result<Vec3> {
    if model.bodies.get(row.index()).is_none_or(|body| body.conf.is_empty()) {
        return Ok(*reference);
    }
    let frame = described_body(model, row)?;
    Ok(ShownBodies::of(model, &frame).find(row).map_or(*reference, |body| body.place(&Point::new(*reference))))
}

/// The start of a model without rows.
fn nothing(model: &Model) -> Frame {
    let nan = f64::NAN;
    let (iterations, merit, error) = (nan, nan, nan);
    Frame::empty(FrameRow { index: 0, time: 0.0, step_count: 0, h: model.step, run: 0, iterations, merit, error })
}

fn describe(frame: &mut Frame, model: &Model, row: CatalogueRow) -> Result<()> {
    let Some(body) = model.bodies.get(row.index()) else { return Ok(()) };
    let undeformed;
    let conf = if body.conf.is_empty() {
        undeformed = [Mat3::identity().as_slice(), body.chars.center.as_slice()].concat();
        &undeformed
    } else {
        &body.conf
    };
    let name = || format!("body {}", body.id);
    add(frame, row, body.kind, (conf, &body.velo), [0.0; 6]).map_err(|e| Error::input(format!("{}: {e}", name())))
}

/// Adds a body with `conf` and `velo` in their layouts; an empty velocity is rest.
///
/// # Errors
/// Too few numbers, or a kind without rows.
fn add(
    frame: &mut Frame,
    row: CatalogueRow,
    kind: BodyKind,
    (conf, velo): (&[f64], &[f64]),
    energies: Energies,
) -> Result<()> {
    let (tensor, x) = (part(conf, 0)?, part(conf, 9)?);
    match kind {
        BodyKind::Rigid | BodyKind::Obstacle => {
            let rows = &mut frame.rigid;
            rows.body.push(row.0);
            rows.rot.push(tensor);
            rows.x.push(x);
            rows.omega.push(part_or_zero(velo, 0)?);
            rows.v.push(part_or_zero(velo, 3)?);
            rows.energy.push(energies);
        }
        BodyKind::PseudoRigid => {
            let rows = &mut frame.pseudo;
            rows.body.push(row.0);
            rows.f.push(tensor);
            rows.x.push(x);
            rows.fdot.push(part_or_zero(velo, 0)?);
            rows.v.push(part_or_zero(velo, 9)?);
            rows.energy.push(energies);
        }
        BodyKind::FiniteElement => {
            return Err(Error::input("finite-element bodies cannot be shown; use RIGID or PSEUDO_RIGID"));
        }
    }
    Ok(())
}

fn part_or_zero<const N: usize>(velo: &[f64], start: usize) -> Result<[f64; N]> {
    if velo.is_empty() {
        return Ok([0.0; N]);
    }
    part(velo, start)
}

fn part<const N: usize>(values: &[f64], start: usize) -> Result<[f64; N]> {
    values.get(start..start + N).and_then(|s| s.try_into().ok()).ok_or_else(|| {
        Error::input(format!(
            "its configuration or velocity has {} numbers, too few for its kind; see the layouts",
            values.len()
        ))
    })
}
