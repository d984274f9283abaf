//! `--list`: what results hold.

use std::fmt::Write;

use serde_json::{json, Value};
use solfec::model::Model;
use solfec_formats::results::Results;

use super::item::CATALOGUE;
use crate::cli::{number, CliError};

/// As text for people.
pub fn text(results: &Results, models: &[Model]) -> Result<String, CliError> {
    let mut out = String::new();
    for (k, name) in results.domains().iter().enumerate() {
        let times = results.frame_times(k)?;
        let (first, last) = ends(times);
        // Writing to a String cannot fail.
        let _ =
            writeln!(out, "domain {k} '{name}': {} frames, time {} to {} s", times.len(), number(first), number(last));
        let Some(model) = models.get(k) else { continue };
        let _ = writeln!(out, "bodies: {}", model.bodies.len());
        for body in &model.bodies {
            let _ = writeln!(out, "  id:{} {:?} label:{}", body.id, body.kind, body.label);
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
            .map(|b| json!({"id": b.id, "label": b.label, "kind": format!("{:?}", b.kind)}))
            .collect();
        let (first, last) = ends(times);
        domains.push(json!({"name": name, "frames": times.len(), "first": first, "last": last, "bodies": bodies}));
    }
    let items: Vec<&str> = CATALOGUE.iter().flat_map(|(names, _)| names.split(' ')).collect();
    Ok(json!({"schema": "sf-history-list/1", "domains": domains, "items": items}))
}

fn ends(times: &[f64]) -> (f64, f64) {
    let end = |t: Option<&f64>| t.copied().unwrap_or(f64::NAN);
    (end(times.first()), end(times.last()))
}
