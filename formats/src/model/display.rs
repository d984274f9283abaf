//! `display_points/*`: points that bodies carry for people to look at.

use solfec::model::{DisplayPoint, Model};

use super::checked::Table;
use super::rows::column;
use crate::error::Result;
use crate::store::Out;

const BODY: &str = "display_points/body";
const POINT: &str = "display_points/point";
const LABEL: &str = "display_points/label";

pub(super) fn write(out: &mut Out, at: &str, points: &[DisplayPoint]) -> Result<()> {
    if points.is_empty() {
        return Ok(());
    }
    let labels: Vec<&str> = points.iter().map(|p| p.label.as_str()).collect();
    out.put(at, BODY, &column(points, |p| p.body))?;
    out.put(at, POINT, &column(points, |p| <[f64; 3]>::from(p.point)))?;
    out.put_text(at, LABEL, &labels)
}

/// Bodies of the model are there already.
pub(super) fn read(t: &Table, m: &mut Model) -> Result<()> {
    if !t.has(BODY) {
        return Ok(());
    }
    let n = t.len(BODY)?;
    let bodies = t.column::<u64>(BODY, n)?;
    let points = t.column::<[f64; 3]>(POINT, n)?;
    let labels = t.texts_or(LABEL, n)?;
    t.finite(POINT, &points)?;
    for (i, label) in labels.into_iter().enumerate() {
        t.body(BODY, i, bodies[i], m)?;
        m.display_points.push(DisplayPoint { body: bodies[i], point: points[i].into(), label });
    }
    Ok(())
}
