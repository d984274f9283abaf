//! Rows of `program/steps`: JSON text ↔ operations, and their references.

use crate::error::{Error, Result};
use solfec::domain::Balance;
use solfec::model::{Model, Op, Rows, StoredOp, CONTACT_POINTS};

solfec::table! {
    /// Operations.
    pub(super) struct OperationRows("operations", "P") {
        steps: String = "program/steps", "1", "operations in order, one JSON object each";
    }
}

/// An operation as a row of `program/steps`.
pub(crate) fn text(op: &StoredOp) -> Result<String> {
    serde_json::to_string(op).map_err(|e| Error::Format(format!("operation {op:?} cannot be written: {e}")))
}

/// An operation from its JSON text.
pub(crate) fn parse(text: &str) -> Result<StoredOp, String> {
    serde_json::from_str(text).map_err(|e| {
        let mut shown: String = text.chars().take(80).collect();
        if shown.len() < text.len() {
            shown.push('…');
        }
        format!("{shown}: {e}")
    })
}

/// Whether the tables have what the operation refers to, and its numbers make sense.
pub(super) fn check(op: &StoredOp, m: &Model) -> Result<(), String> {
    let row = |row: u32, n: usize, of: &str| {
        if (row as usize) < n {
            Ok(())
        } else {
            Err(format!("row {row} of {of}, which has {n}"))
        }
    };
    let rows = |Rows { rows: [a, b] }: &Rows, n: usize, of: &str| {
        if a <= b && *b as usize <= n {
            return Ok(());
        }
        Err(format!("rows {a} .. {b} of {of}, which has {n}"))
    };
    let body = |id: u64| match m.body_row(id) {
        Some(_) => Ok(()),
        None => Err(format!("no body has the id {id}")),
    };
    let positive = |what: &str, x: f64| {
        if x > 0.0 && x.is_finite() {
            Ok(())
        } else {
            Err(format!("{what} is {x}, but it must be positive"))
        }
    };
    let function = |number: &u32| {
        if m.functions.iter().any(|f| f.function == *number) {
            Ok(())
        } else {
            Err(format!("callbacks has no function {number}"))
        }
    };
    let points = |number: u32| {
        if (1..=CONTACT_POINTS).contains(&number) {
            Ok(())
        } else {
            Err(format!("number is {number}, but 1 .. {CONTACT_POINTS} is wanted"))
        }
    };
    match op {
        Op::Run { duration, solver } => {
            if let Some(number) = &solver.callback {
                function(number)?;
            }
            solver.settings.validate().map_err(|e| e.to_string())?;
            positive("duration", *duration)
        }
        Op::Output { interval, compress, .. } => {
            if *interval >= 0.0 && interval.is_finite() && *compress <= 9 {
                Ok(())
            } else {
                Err("interval must be >= 0 and compress in 0 .. 9".into())
            }
        }
        Op::Define(never) => match *never {},
        Op::InsertBodies(of) => rows(of, m.bodies.len(), "bodies"),
        Op::InsertConstraints(of) => rows(of, m.constraints.len(), "constraints"),
        Op::InsertLoads(of) => rows(of, m.loads.len(), "loads"),
        Op::Split { body: id, fragments } => body(*id).and_then(|()| rows(fragments, m.bodies.len(), "bodies")),
        Op::DeleteBody { body: id } => body(*id),
        Op::DeleteConstraint { row: r } => row(*r, m.constraints.len(), "constraints"),
        Op::Callback { interval, function: number } => {
            positive("interval", *interval).and_then(|()| number.iter().try_for_each(function))
        }
        Op::InitialVelocity { body: id, .. }
        | Op::SetVelocity { body: id, .. }
        | Op::SetConfiguration { body: id, .. }
        | Op::SetEnergies { body: id, .. }
        | Op::BodyChars { body: id, .. }
        | Op::SetScheme { body: id, .. }
        | Op::SetDamping { body: id, .. }
        | Op::DisableRotation { body: id, .. }
        | Op::SelfContact { body: id, .. } => body(*id),
        Op::ContactExcludeBodies { bodies: [p, q] } | Op::ContactExcludeObjects { bodies: [p, q], .. } => {
            body(*p).and_then(|()| body(*q))
        }
        Op::Gravity { series } => series.iter().try_for_each(|&s| row(s, m.series.len(), "timeseries")),
        Op::GeometricEpsilon { value } => positive("value", *value),
        Op::Step { value } => positive("value", *value),
        // A pair that is new after a RUN takes the row after the last.
        Op::SurfaceMaterial { row: r, .. } => row(*r, m.surface.len() + m.program.len(), "materials/surface"),
        Op::BulkMaterial { row: r, .. } => row(*r, m.bulk.len(), "materials/bulk"),
        Op::ContactPoints { number } => points(*number),
        Op::ImbalanceTolerance { tolerance, weightfactor, updatefreq } => {
            let balance = Balance { tolerance: *tolerance, weightfactor: *weightfactor, updatefreq: *updatefreq };
            balance.fault().map_or(Ok(()), |(name, wanted)| Err(format!("{name} must be {wanted}")))
        }
        Op::ContactSparsify { .. }
        | Op::ContactExcludeSurfaces { .. }
        | Op::Extents { .. }
        | Op::StepRecovery { .. }
        | Op::UnphysicalPenetration { .. } => Ok(()),
    }
}
