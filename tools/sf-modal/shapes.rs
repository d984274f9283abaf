//! Mode shapes for ParaView: a step for each mode, whose time is its number.

use std::path::Path;

use solfec::body::Pencil;
use solfec::frame::{Frame, FrameRow};
use solfec::math::Vec3;
use solfec::modal::Modes;
use solfec::model::Model;

use crate::cli::CliError;
use crate::xdmf::{Context, Export, Part, Plan, Wanted};

/// `look`: largest displacement as a part of the size of the body, and whether files are overwritten.
pub fn write(
    target: &Path,
    model: &Model,
    row: usize,
    pencil: &Pencil,
    modes: &Modes,
    look: (f64, bool),
) -> Result<(), CliError> {
    let (scale, force) = look;
    let chosen: Vec<bool> = (0..model.bodies.len()).map(|k| k == row).collect();
    let named = target.extension().is_some_and(|ending| ending == "xmf");
    let base = if named { target.with_extension("") } else { target.join("modes") };
    let plan = Plan { force, ..Plan::new(base, vec![Part::Bodies])? };
    let mut export = Export::open(&plan, Context::new(model, &chosen, &[Wanted::Disp]))?;
    let size = extent(&pencil.places);
    for (k, shape) in modes.vectors.iter().enumerate() {
        let largest = shape.iter().map(|x| x.norm()).fold(0.0, f64::max);
        let factor = if largest > 0.0 { scale * size / largest } else { 0.0 };
        let x = pencil.places.iter().zip(shape).map(|(x, u)| <[f64; 3]>::from(x + u * factor)).collect();
        export.add(&frame(k, row, x), None)?;
    }
    export.finish().map(|_| ())
}

/// The body alone, its nodes at these places.
fn frame(k: usize, row: usize, x: Vec<[f64; 3]>) -> Frame {
    let nan = f64::NAN;
    let (index, time) = (k as u64, (k + 1) as f64);
    let row_of = FrameRow { index, time, step_count: index, h: 1.0, run: 0, iterations: nan, merit: nan, error: nan };
    let mut frame = Frame::empty(row_of);
    frame.nodal.body.push(row as u32);
    frame.nodal.nodes.push(x.len() as u32);
    frame.nodal.energy.push([0.0; 6]);
    frame.nodes.v = vec![[0.0; 3]; x.len()];
    frame.nodes.x = x;
    frame
}

/// Diagonal of the box around the nodes [m].
fn extent(x: &[Vec3]) -> f64 {
    let low = x.iter().fold(Vec3::repeat(f64::INFINITY), |low, x| low.inf(x));
    let high = x.iter().fold(Vec3::repeat(f64::NEG_INFINITY), |high, x| high.sup(x));
    (high - low).norm()
}
