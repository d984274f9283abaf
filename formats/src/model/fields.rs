//! Fields by which bulk materials vary: `fields/*`, and the values that bodies have of them: `bodies/samples/*`.

use std::sync::Arc;

use solfec::material::{BulkMaterial, Field, FieldTable, FieldValues, Samples, Varying};
use solfec::model::{FunctionKind, Model};

use super::checked::Table;
use super::rows::{collect, offsets};
use crate::error::Result;
use crate::store::Out;

const FUNCTION: u8 = 0;
const STEADY: u8 = 1;
const TABLE: u8 = 2;

solfec::table! {
    /// Fields.
    pub(super) struct FieldRows("fields", "f") row FieldRow {
        label: String = "fields/label", "1", "label of the field";
        kind: u8 = "fields/kind", "1", "where its values come from; of STEADY bodies have them"
            .names(r#"{"FUNCTION": 0, "STEADY": 1, "TABLE": 2}"#);
        function: i64 = "fields/function", "1", "FUNCTION: number of the function, as in callbacks; -1: none";
    }
}

solfec::table! {
    /// Where the axes of each table are.
    pub(super) struct AxisOffsets("axes of fields", "4 f + 1") {
        axis: u64 = "fields/axis_offset", "1", "axes x, y, z, t of field i are rows axis_offset[4 i + k] .. axis_offset[4 i + k + 1], k = 0 .. 3";
    }
}

solfec::table! {
    /// Entries of axes.
    pub(super) struct AxisRows("entries of axes", "axes") {
        axis: f64 = "fields/axis", "m, s", "places and times, strictly increasing along an axis";
    }
}

solfec::table! {
    /// Where the values of each table are.
    pub(super) struct ValueOffsets("fields", "f + 1") {
        value: u64 = "fields/value_offset", "1", "values of field i are rows value_offset[i] .. value_offset[i+1]";
    }
}

solfec::table! {
    /// Values of tables.
    pub(super) struct ValueRows("values of fields", "field values") {
        value: f64 = "fields/value", "1", "values on the grid of the axes, t running fastest, in the unit of what varies; linear in between, constant beyond";
    }
}

solfec::table! {
    /// Quantities of bulk materials that vary.
    pub(super) struct VaryingRows("quantities that vary", "w") row VaryingRow {
        material: i64 = "materials/varying/material", "1", "row of materials/bulk; ascends";
        quantity: u8 = "materials/varying/quantity", "1", "what varies; the number in its column is not used"
            .names(r#"{"YOUNG": 0, "POISSON": 1, "DENSITY": 2}"#);
        field: i64 = "materials/varying/field", "1", "row of fields";
    }
}

solfec::table! {
    /// Where the samples of each body are.
    pub(super) struct SampleOffsets("bodies", "B + 1") {
        sample: u64 = "bodies/samples/offset", "1", "samples of body i are rows offset[i] .. offset[i+1]; none if its material does not vary";
    }
}

solfec::table! {
    /// Samples of materials that vary.
    pub(super) struct SampleRows("samples", "samples") {
        young: f64 = "bodies/samples/young", "Pa", "Young's modulus at time 0 at the points of integration, element by element (docs/theory.md 3)";
        poisson: f64 = "bodies/samples/poisson", "1", "Poisson's ratio there";
        density: f64 = "bodies/samples/density", "kg/m3", "mass density there";
    }
}

/// Left out where there are none.
pub(super) fn write(out: &mut Out, at: &str, m: &Model) -> Result<()> {
    if m.fields.is_empty() {
        return Ok(());
    }
    let mut rows = FieldRows::default();
    for field in &m.fields {
        let (kind, function) = match &field.values {
            FieldValues::Function { function } => (FUNCTION, i64::from(*function)),
            FieldValues::Steady => (STEADY, -1),
            FieldValues::Table(_) => (TABLE, -1),
        };
        rows.push(FieldRow { label: field.label.clone(), kind, function });
    }
    out.put_table(at, &rows)?;
    const NONE: &[Vec<f64>; 4] = &[const { Vec::new() }; 4];
    let of = |field| match field {
        &Field { values: FieldValues::Table(ref table), .. } => (table.axes(), table.values()),
        Field { values: FieldValues::Function { .. } | FieldValues::Steady, .. } => (NONE, &[][..]),
    };
    let tables: Vec<(&[Vec<f64>; 4], &[f64])> = m.fields.iter().map(of).collect();
    let axes = || tables.iter().flat_map(|(axes, _)| axes.iter());
    out.put_table(at, &AxisOffsets { axis: offsets(axes().map(Vec::len)) })?;
    out.put_table(at, &AxisRows { axis: axes().flatten().copied().collect() })?;
    out.put_table(at, &ValueOffsets { value: offsets(tables.iter().map(|(_, values)| values.len())) })?;
    out.put_table(at, &ValueRows { value: collect(&tables, |(_, values)| values) })?;
    let mut varying = VaryingRows::default();
    for (material, of) in (0..).zip(&m.bulk) {
        for (quantity, field) in (0..).zip(of.varying.rows()) {
            if let Some(field) = field {
                varying.push(VaryingRow { material, quantity, field: field.into() });
            }
        }
    }
    out.put_table(at, &varying)?;
    let count = |samples: &Option<Arc<Samples>>| samples.as_ref().map_or(0, |samples| samples.young.len());
    out.put_table(at, &SampleOffsets { sample: offsets(m.bodies.iter().map(|body| count(&body.samples))) })?;
    let mut samples = SampleRows::default();
    for own in m.bodies.iter().filter_map(|body| body.samples.as_ref()) {
        samples.young.extend_from_slice(&own.young);
        samples.poisson.extend_from_slice(&own.poisson);
        samples.density.extend_from_slice(&own.density);
    }
    out.put_table(at, &samples)
}

/// Fields; functions of the model are there already.
pub(super) fn read(t: &Table, m: &Model) -> Result<Vec<Field>> {
    if !t.has("fields/kind") {
        return Ok(Vec::new());
    }
    let rows: FieldRows = t.table(|_| {})?;
    let n = rows.kind.len();
    let (AxisRows { axis }, ValueRows { value }) = (t.table(|_| {})?, t.table(|_| {})?);
    let of_axes = t.offsets("fields/axis_offset", Some(4 * n), axis.len())?;
    let of_values = t.offsets("fields/value_offset", Some(n), value.len())?;
    let mut fields = Vec::with_capacity(n);
    for i in 0..n {
        let FieldRow { label, kind, function } = rows.row(i);
        let values = match kind {
            FUNCTION => {
                FieldValues::Function { function: t.function("fields/function", i, function, m, FunctionKind::Field)? }
            }
            STEADY => FieldValues::Steady,
            TABLE => {
                let axes = std::array::from_fn(|k| axis[of_axes[4 * i + k]..of_axes[4 * i + k + 1]].to_vec());
                match FieldTable::new(axes, value[of_values[i]..of_values[i + 1]].to_vec()) {
                    Ok(table) => FieldValues::Table(table),
                    Err(error) => return t.wrong_row("fields/value_offset", i, error.to_string()),
                }
            }
            other => return t.wrong_row("fields/kind", i, format!("{other} is not the number of a kind of field")),
        };
        fields.push(Field { label, values });
    }
    Ok(fields)
}

/// Into the bulk materials, for so many fields.
pub(super) fn read_varying(t: &Table, bulk: &mut [BulkMaterial], fields: usize) -> Result<()> {
    let rows: VaryingRows = t.table(|_| {})?;
    for i in 0..rows.material.len() {
        let VaryingRow { material, quantity, field } = rows.row(i);
        let material = t.row("materials/varying/material", i, material, bulk.len(), "materials/bulk")?;
        let field = t.row("materials/varying/field", i, field, fields, "fields")?;
        let Varying { young, poisson, density } = &mut bulk[material as usize].varying;
        let of = match quantity {
            0 => young,
            1 => poisson,
            2 => density,
            other => {
                let text = format!("{other} is not the number of a quantity");
                return t.wrong_row("materials/varying/quantity", i, text);
            }
        };
        *of = Some(field);
    }
    Ok(())
}

/// Into the bodies of the model.
pub(super) fn read_samples(t: &Table, m: &mut Model) -> Result<()> {
    let varies = |m: &Model, i: usize| m.bulk[m.bodies[i].material as usize].varying.any();
    let n = m.bodies.len();
    let SampleRows { young, poisson, density } = t.table(|_| {})?;
    let starts = if t.has("bodies/samples/offset") {
        t.offsets("bodies/samples/offset", Some(n), young.len())?
    } else {
        vec![0; n + 1]
    };
    for i in 0..n {
        let own = starts[i]..starts[i + 1];
        let of = m.bulk[m.bodies[i].material as usize].varying;
        if of.density.is_some() && !t.has("bodies/mass") {
            let text = "the density of its material varies; give bodies/mass, volume, center and tensor";
            return t.wrong_row("bodies/material", i, text);
        }
        if own.is_empty() {
            let deforms = m.bodies[i].kind.deforms();
            if deforms && varies(m, i) {
                let text = "its material varies, but the body has no samples of it; give bodies/samples";
                return t.wrong_row("bodies/material", i, text);
            }
            continue;
        }
        let part = |all: &[f64]| all[own.clone()].to_vec();
        let samples = Samples { young: part(&young), poisson: part(&poisson), density: part(&density) };
        m.bodies[i].samples = Some(Arc::new(samples));
    }
    Ok(())
}
