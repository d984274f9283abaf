//! Bodies as the model describes them, before anything has run.

use super::point::Point;
use super::shown::ShownBodies;
use crate::body::{Bodies, Kind};
use crate::frame::{Frame, FrameRow};
use crate::ids::{BodyIndex, CatalogueRow};
use crate::math::Vec3;
use crate::model::{BodyRow, Model, Op, StoredOp};
use crate::shape::Shape;
use crate::stepping::Stepping;
use crate::Result;

/// Frame 0 of a model: no constraints, no energies, statistics NaN. Bodies that an INSERT_BODIES brings later are not
/// in it.
///
/// # Errors
/// A body that cannot be simulated, or of a kind that is not among `kinds`.
pub fn initial_frame(model: &Model, kinds: Vec<Box<dyn Kind>>) -> Result<Frame> {
    let first = 0..model.inserted_later().start as u32;
    described(model, kinds, first.map(CatalogueRow))
}

/// A frame with one body of the standard kinds, as the model describes it.
///
/// # Errors
/// Those of [`initial_frame`].
pub fn described_body(model: &Model, row: CatalogueRow) -> Result<Frame> {
    described(model, crate::body::kinds(), std::iter::once(row))
}

/// Where a reference point of a body is that nothing has moved yet: exactly there, without a configuration.
///
/// # Errors
/// Those of [`initial_frame`].
pub fn described_point(model: &Model, row: CatalogueRow, reference: &Vec3) -> Result<Vec3> {
    let moved = |op: &StoredOp| matches!(op, Op::SetConfiguration { .. });
    let rests = model.bodies.get(row.index()).is_none_or(|body| body.conf.is_empty());
    if rests && !model.descriptions(row.index()).any(moved) {
        return Ok(*reference);
    }
    let frame = described_body(model, row)?;
    Ok(ShownBodies::of(model, &frame).find(row).map_or(*reference, |body| body.place(&Point::new(*reference))))
}

/// Whether a body of the model could start as `body` describes it.
///
/// # Errors
/// A configuration or velocity that its kind does not take, or a body that cannot be simulated.
pub fn check_body(model: &Model, row: CatalogueRow, body: &BodyRow) -> Result<()> {
    insert(&mut Bodies::new(Stepping::of(model.analysis)), model, row, body).map(|_| ())
}

fn insert(bodies: &mut Bodies, model: &Model, row: CatalogueRow, body: &BodyRow) -> Result<BodyIndex> {
    let shapes: Vec<Shape> = model.all_shapes_of(body).collect();
    bodies.insert(row, body, &model.bulk, &shapes)
}

/// Adds a body of a model as it is described: by its row, and by the operations that stand beside it.
///
/// # Errors
/// A body that cannot be simulated.
pub fn insert_described(bodies: &mut Bodies, model: &Model, row: CatalogueRow) -> Result<()> {
    let Some(body) = model.bodies.get(row.index()) else { return Ok(()) };
    let index = insert(bodies, model, row, body)?;
    model.descriptions(row.index()).try_for_each(|op| bodies.describe(index, op))
}

/// These bodies at the start, without energies.
fn described(model: &Model, kinds: Vec<Box<dyn Kind>>, rows: impl Iterator<Item = CatalogueRow>) -> Result<Frame> {
    let mut bodies = Bodies::with_kinds(Stepping::of(model.analysis), kinds);
    for row in rows {
        insert_described(&mut bodies, model, row)?;
    }
    let nan = f64::NAN;
    let (iterations, merit, error) = (nan, nan, nan);
    let start = FrameRow { index: 0, time: 0.0, step_count: 0, h: model.step, run: 0, iterations, merit, error };
    let mut frame = Frame::empty(start);
    bodies.show(&mut frame);
    for energy in [&mut frame.rigid.energy, &mut frame.pseudo.energy, &mut frame.nodal.energy] {
        energy.fill([0.0; 6]);
    }
    Ok(frame)
}
