//! What `sf-build --list` tells of a model.

use std::collections::BTreeMap;

use serde_json::{json, Value as Json};
use solfec::material::{lookup, ANY};
use solfec::model::{BodyKind, Model, Op};
use solfec::shape::Geometry;

use super::start::start;
use crate::cli::{number, CliError};

/// Pairs of bodies that are named, the deepest first.
const PAIRS_NAMED: usize = 20;
/// Pairs that are shown to people before they are only counted.
const PAIRS_SHOWN: usize = 20;

/// The summary as JSON.
///
/// # Errors
/// A body that cannot be simulated.
pub fn facts(models: &[Model]) -> Result<Json, CliError> {
    let domains: Vec<Json> = models.iter().map(domain).collect::<Result<_, _>>()?;
    Ok(json!({"schema": "sf-build/1", "domains": domains}))
}

/// The summary for people.
pub fn text(facts: &Json) -> String {
    let mut text = String::new();
    for facts in facts["domains"].as_array().into_iter().flatten() {
        text += &format!("{}\n", plain(&facts["name"]));
        for name in [
            "analysis",
            "step",
            "output",
            "bodies",
            "dofs",
            "elements",
            "constraints",
            "loads",
            "functions",
            "geometries",
            "materials",
            "operations",
            "duration",
            "unmatched",
            "contacts",
            "overlaps",
            "critical_step",
            "one_point",
            "memory_bytes",
        ] {
            let shown = match name {
                "unmatched" => pairs(&facts[name]),
                "overlaps" => overlaps(&facts[name]),
                "critical_step" => critical(&facts[name]),
                _ => plain(&facts[name]),
            };
            text += &format!("  {}: {shown}\n", name.replace('_', " "));
        }
    }
    text
}

/// `(1, 2), (3, 4) and 7 more`.
fn pairs(json: &Json) -> String {
    let all = json.as_array().map_or(&[][..], Vec::as_slice);
    let shown: Vec<String> = all.iter().take(PAIRS_SHOWN).map(|p| format!("({}, {})", p[0], p[1])).collect();
    match (all.len(), all.len().saturating_sub(PAIRS_SHOWN)) {
        (0, _) => "none".into(),
        (_, 0) => shown.join(", "),
        (_, more) => format!("{} and {more} more", shown.join(", ")),
    }
}

fn overlaps(json: &Json) -> String {
    let count = json["count"].as_u64().unwrap_or(0);
    let deepest = number(json["deepest"].as_f64().unwrap_or(0.0));
    match count {
        0 => "none".into(),
        1 => format!("1 pair of bodies, {deepest} m deep: {}", pairs(&json["bodies"])),
        _ => format!("{count} pairs of bodies, at most {deepest} m deep: {}", pairs(&json["bodies"])),
    }
}

fn critical(json: &Json) -> String {
    let of = |(kind, at): (&String, &Json)| {
        format!("{} s for bodies of kind {kind} (body {})", number(at["step"].as_f64().unwrap_or(0.0)), at["body"])
    };
    let all: Vec<String> = json.as_object().into_iter().flatten().map(of).collect();
    if all.is_empty() {
        "none".into()
    } else {
        all.join(", ")
    }
}

/// JSON without its punctuation.
fn plain(json: &Json) -> String {
    match json {
        Json::String(text) => text.clone(),
        Json::Object(map) if map.is_empty() => "none".into(),
        Json::Object(map) => {
            let parts: Vec<String> = map.iter().map(|(k, v)| format!("{} {k}", plain(v))).collect();
            parts.join(", ")
        }
        Json::Array(items) if items.is_empty() => "none".into(),
        Json::Array(items) => items.iter().map(plain).collect::<Vec<_>>().join(", "),
        other => other.to_string(),
    }
}

fn domain(model: &Model) -> Result<Json, CliError> {
    let count = |kind: BodyKind| model.bodies.iter().filter(|b| b.kind == kind).count();
    let bodies = json!({
        "rigid": count(BodyKind::Rigid),
        "pseudo-rigid": count(BodyKind::PseudoRigid),
        "finite-element": count(BodyKind::FiniteElement),
        "obstacles": count(BodyKind::Obstacle),
    });
    let duration: f64 = model
        .program
        .iter()
        .map(|op| match op {
            Op::Run { duration, .. } => *duration,
            _ => 0.0,
        })
        .sum();
    let start = start(model)?;
    let deepest: Vec<[u64; 2]> = start.overlaps.iter().take(PAIRS_NAMED).map(|o| o.bodies).collect();
    let critical: serde_json::Map<String, Json> = start
        .critical
        .iter()
        .map(|(kind, step, body)| (format!("{kind:?}"), json!({"step": step, "body": body})))
        .collect();
    Ok(json!({
        "name": model.name,
        "analysis": format!("{:?}", model.analysis),
        "step": model.step,
        "output": model.output_path,
        "bodies": bodies,
        "dofs": start.dofs,
        "constraints": model.constraints.len(),
        "loads": model.loads.len(),
        "functions": model.functions.iter().map(|f| f.name.as_str()).collect::<Vec<_>>(),
        "geometries": model.library.len(),
        "materials": {"bulk": model.bulk.len(), "surface": model.surface.len()},
        "operations": model.program.len(),
        "duration": duration,
        "elements": model.library.iter().map(|g| elements(g)).sum::<usize>(),
        "unmatched": unmatched_pairs(model),
        "contacts": start.contacts,
        "overlaps": {
            "count": start.overlaps.len(),
            "deepest": start.overlaps.first().map_or(0.0, |o| o.depth),
            "bodies": deepest,
        },
        "critical_step": critical,
        "one_point": start.footing,
        "memory_bytes": start.memory,
    }))
}

fn elements(geometry: &Geometry) -> usize {
    geometry.mesh().map_or(0, |mesh| mesh.elements.len())
}

/// Pairs of surfaces of different bodies for which only the 'DEFAULT' surface material is left.
fn unmatched_pairs(model: &Model) -> Vec<[i32; 2]> {
    let owners = owners(model);
    let ids: Vec<i32> = owners.keys().copied().collect();
    let mut pairs = Vec::new();
    for (at, &p) in ids.iter().enumerate() {
        for &q in &ids[at..] {
            let of_one_body = owners[&p].is_some() && owners[&p] == owners[&q];
            if !of_one_body && model.surface[lookup(&model.surface, p, q).0].surf == [ANY, ANY] {
                pairs.push([p, q]);
            }
        }
    }
    pairs
}

/// Surfaces, each with the one body that has it; `None`: several have it.
fn owners(model: &Model) -> BTreeMap<i32, Option<usize>> {
    let mut owners = BTreeMap::new();
    for (row, body) in model.bodies.iter().enumerate() {
        for shape in &model.shapes[body.shapes.start as usize..body.shapes.end as usize] {
            for id in model.library[shape.geometry as usize].surfaces() {
                let owner = owners.entry(id).or_insert(Some(row));
                if *owner != Some(row) {
                    *owner = None;
                }
            }
        }
    }
    owners
}
