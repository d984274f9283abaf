//! `display_points/*`: points that bodies carry for people to look at.

use solfec::model::{DisplayPoint, Model};

use super::checked::Table;
use crate::error::Result;
use crate::store::Out;

solfec::table! {
    /// Display points.
    pub(super) struct DisplayRows("display points", "dp") row Display {
        body: u64 = "display_points/body", "1", "id of the body that carries a point of DISPLAY_POINT";
        point: [f64; 3] = "display_points/point", "m", "the point" .frame("reference");
        label: String = "display_points/label", "1", "its label, '' if none" .optional();
    }
}

pub(super) fn write(out: &mut Out, at: &str, points: &[DisplayPoint]) -> Result<()> {
    if points.is_empty() {
        return Ok(());
    }
    let mut rows = DisplayRows::default();
    for p in points {
        rows.push(Display { body: p.body, point: p.point.into(), label: p.label.clone() });
    }
    out.put_table(at, &rows)
}

/// Bodies of the model are there already.
pub(super) fn read(t: &Table, m: &mut Model) -> Result<()> {
    let rows: DisplayRows = t.table(|_| {})?;
    t.finite("display_points/point", &rows.point)?;
    for i in 0..rows.body.len() {
        let Display { body, point, label } = rows.row(i);
        t.body("display_points/body", i, body, m)?;
        m.display_points.push(DisplayPoint { body, point: point.into(), label });
    }
    Ok(())
}
