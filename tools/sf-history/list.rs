//! `--list`: what results hold.

use std::fmt::Write;

use serde_json::{json, Value};
use solfec::frame::WarningRow;
use solfec::model::Model;
use solfec::table::Table;
use solfec_formats::results::Results;

use super::item::CATALOGUE;
use crate::cli::{counted, harmless, number, CliError};

/// As text for people.
pub fn text(results: &Results, models: &[Model]) -> Result<String, CliError> {
    let mut out = String::new();
    for (k, name) in results.domains().iter().enumerate() {
        let times = results.frame_times(k)?;
        let (first, last) = ends(times);
        // Writing to a String cannot fail.
        let _ = writeln!(
            out,
            "domain {k} '{}': {}, time {} to {} s",
            harmless(name),
            counted(times.len(), "frame", "frames"),
            number(first),
            number(last)
        );
        let warnings = results.warnings(k)?;
        for i in 0..warnings.rows() {
            let WarningRow { kind, count, time, text, .. } = warnings.row(i);
            let _ = writeln!(
                out,
                "warning '{kind}': {}, first at {} s: {}",
                counted(count as usize, "time", "times"),
                number(time),
                harmless(&text)
            );
        }
        let Some(model) = models.get(k) else { continue };
        let _ = writeln!(out, "bodies: {}", model.bodies.len());
        for body in &model.bodies {
            let label = if body.label.is_empty() { String::new() } else { format!(" label:{}", harmless(&body.label)) };
            let _ = writeln!(out, "  id:{} {}{label}", body.id, body.kind.name());
        }
    }
    let _ = writeln!(out, "items:");
    for (names, meaning) in CATALOGUE {
        let _ = writeln!(out, "  {names}: {meaning}");
    }
    Ok(out)
}

/// As one JSON document.
pub fn document(results: &Results, models: &[Model]) -> Result<Value, CliError> {
    let mut domains = Vec::new();
    for (k, name) in results.domains().iter().enumerate() {
        let times = results.frame_times(k)?;
        let bodies: Vec<Value> = models
            .get(k)
            .map(|m| m.bodies.as_slice())
            .unwrap_or_default()
            .iter()
            .map(|b| json!({"id": b.id, "label": b.label, "kind": b.kind.name()}))
            .collect();
        let (first, last) = ends(times);
        domains.push(json!({
            "name": name,
            "frames": times.len(),
            "first": first,
            "last": last,
            "bodies": bodies,
            "warnings": warnings(results, k)?,
        }));
    }
    let items: Vec<&str> = CATALOGUE.iter().flat_map(|(names, _)| names.split(' ')).collect();
    Ok(json!({"schema": "sf-history-list/1", "domains": domains, "items": items}))
}

fn warnings(results: &Results, k: usize) -> Result<Vec<Value>, CliError> {
    let rows = results.warnings(k)?;
    let row = |i: usize| {
        let WarningRow { kind, count, time, worst, worst_time, text } = rows.row(i);
        json!({"kind": kind, "count": count, "time": time, "worst": worst, "worst_time": worst_time, "text": text})
    };
    Ok((0..rows.rows()).map(row).collect())
}

fn ends(times: &[f64]) -> (f64, f64) {
    let end = |t: Option<&f64>| t.copied().unwrap_or(f64::NAN);
    (end(times.first()), end(times.last()))
}
