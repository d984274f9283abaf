//! Bases of reduced bodies.

use std::sync::Arc;

use solfec::model::{Base, BodyRow, Model};

use super::checked::Table;
use super::rows::{column, offsets};
use crate::error::Result;
use crate::store::Out;

solfec::table! {
    /// Bases.
    pub(super) struct BaseRows("reduced bases", "r") {
        label: String = "bases/label", "1", "label, '' if none";
    }
}

solfec::table! {
    /// Where the vectors of each base are.
    pub(super) struct BaseOffsets("reduced bases", "r + 1") {
        value: u64 = "bases/value_offset", "1", "values of base i are rows value_offset[i] .. value_offset[i+1]; as many as it has vectors";
        vector: u64 = "bases/vector_offset", "1", "numbers of the vectors of base i are rows vector_offset[i] .. vector_offset[i+1]";
    }
}

solfec::table! {
    /// Values of the vectors.
    pub(super) struct ValueRows("values of bases", "values") {
        values: f64 = "bases/values", "1/s2", "eigenvalues where the vectors are modes";
    }
}

solfec::table! {
    /// Vectors.
    pub(super) struct VectorRows("vectors of bases", "vectors") {
        vectors: f64 = "bases/vectors", "1", "vectors of a base one after the other; each has three displacements for each node of the mesh";
    }
}

/// The bases, and for each body the row of its base, -1 for none.
pub(super) fn write(out: &mut Out, at: &str, m: &Model) -> Result<()> {
    if m.bases.is_empty() {
        return Ok(());
    }
    out.put_table(at, &BaseRows { label: column(&m.bases, |base| base.label.clone()) })?;
    let value = offsets(m.bases.iter().map(|base| base.values.len()));
    let vector = offsets(m.bases.iter().map(|base| base.vectors.len()));
    out.put_table(at, &BaseOffsets { value, vector })?;
    let values = m.bases.iter().flat_map(|base| base.values.iter().copied()).collect();
    out.put_table(at, &ValueRows { values })?;
    let vectors = m.bases.iter().flat_map(|base| base.vectors.iter().copied()).collect();
    out.put_table(at, &VectorRows { vectors })
}

/// Row of the base of a body in the table of a model.
pub(super) fn row_of(bases: &[Arc<Base>], body: &BodyRow) -> i64 {
    let base = body.base.as_ref();
    let row = base.and_then(|base| bases.iter().position(|other| Arc::ptr_eq(other, base) || **other == **base));
    row.map_or(-1, |row| row as i64)
}

pub(super) fn read(t: &Table) -> Result<Vec<Arc<Base>>> {
    let BaseRows { label } = t.table(|_| {})?;
    if label.is_empty() {
        return Ok(Vec::new());
    }
    let ValueRows { values } = t.table(|_| {})?;
    let VectorRows { vectors } = t.table(|_| {})?;
    let of_values = t.offsets("bases/value_offset", Some(label.len()), values.len())?;
    let of_vectors = t.offsets("bases/vector_offset", Some(label.len()), vectors.len())?;
    let mut bases = Vec::with_capacity(label.len());
    for (k, label) in label.into_iter().enumerate() {
        let part = |all: &[f64], of: &[usize]| all[of[k]..of[k + 1]].to_vec();
        match Base::new(label, part(&values, &of_values), part(&vectors, &of_vectors)) {
            Ok(base) => bases.push(Arc::new(base)),
            Err(error) => return t.wrong_row("bases/label", k, error.to_string()),
        }
    }
    Ok(bases)
}
