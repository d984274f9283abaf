//! Materials of parts of bodies, by volume ids: `bodies/volumes/*`.

use solfec::model::Model;

use super::checked::Table;
use crate::error::Result;
use crate::store::Out;

solfec::table! {
    /// Parts of bodies with a bulk material of their own.
    pub(super) struct VolumeRows("parts with a material of their own", "V") row Volume {
        body: u64 = "bodies/volumes/body", "1", "row of bodies; ascends";
        volid: i32 = "bodies/volumes/volid", "1", "volume id of the parts; ascends in a body";
        material: i64 = "bodies/volumes/material", "1", "row of materials/bulk, in place of that of the body";
    }
}

/// Left out where there are none.
pub(super) fn write(out: &mut Out, at: &str, m: &Model) -> Result<()> {
    let mut rows = VolumeRows::default();
    for (body, row) in (0..).zip(&m.bodies) {
        for &(volid, material) in &row.volumes {
            rows.push(Volume { body, volid, material: material.into() });
        }
    }
    if rows.body.is_empty() {
        return Ok(());
    }
    out.put_table(at, &rows)
}

/// Into the bodies of the model.
pub(super) fn read(t: &Table, m: &mut Model) -> Result<()> {
    if !t.has("bodies/volumes/body") {
        return Ok(());
    }
    let rows: VolumeRows = t.table(|_| {})?;
    t.indices("bodies/volumes/material", &rows.material, m.bulk.len(), "materials/bulk")?;
    let mut last = None;
    for i in 0..rows.body.len() {
        let Volume { body, volid, material } = rows.row(i);
        if last.is_some_and(|last| last >= (body, volid)) {
            return t.wrong_row("bodies/volumes/volid", i, "bodies and the volume ids of each ascend");
        }
        last = Some((body, volid));
        let Some(row) = usize::try_from(body).ok().and_then(|row| m.bodies.get_mut(row)) else {
            return t.wrong_row("bodies/volumes/body", i, format!("{body} is not a row of bodies"));
        };
        row.volumes.push((volid, material as u32));
    }
    Ok(())
}
