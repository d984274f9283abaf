//! Facts of a model.

use std::collections::BTreeMap;
use std::path::Path;

use serde_json::{json, Value};
use solfec::model::{constraint_kind, LoadKind, Model, Op};
use solfec_formats::model::{self, Provenance};

use super::facts::Facts;
use crate::cli::counted;
use crate::cli::CliError;

pub fn facts(path: &Path) -> Result<Facts, CliError> {
    let file = model::read_file(path)?;
    let bodies: usize = file.domains.iter().map(|domain| domain.bodies.len()).sum();
    let mut facts = Facts::named(format!("model, {}", counted(bodies, "body", "bodies")), path);
    provenance(&mut facts, &file.provenance);
    facts.domains = file.domains.iter().map(domain).collect();
    Ok(facts)
}

/// Who made it, and whether it contains Python.
pub fn provenance(facts: &mut Facts, provenance: &Provenance) {
    let lines = provenance.deck.lines().count();
    let deck = match (lines, provenance.requires_live) {
        (0, false) => Value::Null,
        (0, true) => json!("missing, and needed to run"),
        (_, false) => json!(format!("{}, not needed to run", counted(lines, "line", "lines"))),
        (_, true) => json!(format!("{}, runs with sf-run --python only", counted(lines, "line", "lines"))),
    };
    facts.add("deck", deck);
    let inputs: Vec<Value> = provenance.inputs.iter().map(|input| json!(input.path)).collect();
    facts.add("inputs", if inputs.is_empty() { Value::Null } else { json!(inputs) });
    let runs: Vec<Value> = provenance.runs.iter().filter_map(|run| serde_json::from_str(run).ok()).collect();
    let made = |run: &Value| {
        let text = |name: &str| run[name].as_str().unwrap_or("?").to_string();
        format!("{} {} on {}, exit {}", text("tool"), text("version"), text("start"), run["exit"])
    };
    facts.add("made_by", if runs.is_empty() { Value::Null } else { runs.iter().map(made).collect() });
}

/// Facts of one SOLFEC object.
pub fn domain(model: &Model) -> Vec<(&'static str, Value)> {
    vec![
        ("name", json!(model.name)),
        ("analysis", json!(format!("{:?}", model.analysis))),
        ("step", json!(model.step)),
        ("output", if model.output_path.is_empty() { Value::Null } else { json!(model.output_path) }),
        ("bodies", count(model.bodies.iter().map(|body| body.kind.name()))),
        ("bulk_materials", model.bulk.iter().map(|bulk| json!(bulk.label)).collect()),
        ("surface_materials", model.surface.iter().map(surface).collect()),
        ("constraints", count(model.constraints.iter().map(kind))),
        ("loads", count(model.loads.iter().map(|load| load_name(&load.kind)))),
        ("functions", model.functions.iter().map(|function| json!(function.name)).collect()),
        ("runs", model.program.iter().filter_map(run).collect()),
    ]
}

fn kind(row: &solfec::model::ConstraintRow) -> &'static str {
    constraint_kind::NAMES[usize::from(row.joint.number())]
}

fn load_name(kind: &LoadKind) -> &'static str {
    match kind {
        LoadKind::Force { .. } | LoadKind::Function { .. } => "FORCE",
        LoadKind::Torque { .. } => "TORQUE",
        LoadKind::Pressure { .. } => "PRESSURE",
    }
}

fn surface(material: &solfec::material::SurfaceMaterial) -> Value {
    json!(format!("'{}' (friction {}, restitution {})", material.label, material.friction, material.restitution))
}

fn run<F: solfec::model::Form>(op: &Op<F>) -> Option<Value> {
    match op {
        Op::Run { duration, solver } => Some(json!(format!("{duration} s with {}", solver.settings.name()))),
        _ => None,
    }
}

/// How many there are of each name.
fn count<'a>(names: impl Iterator<Item = &'a str>) -> Value {
    let mut counts = BTreeMap::new();
    names.for_each(|name| *counts.entry(name).or_insert(0_usize) += 1);
    json!(counts)
}
