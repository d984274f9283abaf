//! What `sf-build --list` tells of a model.

use std::collections::BTreeSet;

use serde_json::{json, Value as Json};
use solfec::material::{lookup, ANY};
use solfec::model::{BodyKind, Model, Op};
use solfec::shape::Geometry;

use super::start::start;
use crate::cli::CliError;

/// Pairs of surfaces that are named before they are only counted.
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
            "memory_bytes",
        ] {
            text += &format!("  {name}: {}\n", plain(&facts[name]));
        }
    }
    text
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
    let (rigid, pseudo, obstacles) = (count(BodyKind::Rigid), count(BodyKind::PseudoRigid), count(BodyKind::Obstacle));
    let duration: f64 = model
        .program
        .iter()
        .map(|op| match op {
            Op::Run { duration, .. } => *duration,
            _ => 0.0,
        })
        .sum();
    let mut unmatched: Vec<String> = unmatched_pairs(model);
    let held_back = unmatched.len().saturating_sub(PAIRS_SHOWN);
    unmatched.truncate(PAIRS_SHOWN);
    if held_back > 0 {
        unmatched.push(format!("{held_back} more"));
    }
    let start = start(model)?;
    let deepest: Vec<[u64; 2]> = start.overlaps.iter().take(PAIRS_SHOWN).map(|o| o.bodies).collect();
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
        "bodies": {"rigid": rigid, "pseudo-rigid": pseudo, "obstacles": obstacles},
        "dofs": 6 * rigid + 12 * pseudo,
        "constraints": model.constraints.len(),
        "loads": model.loads.len(),
        "functions": model.functions.iter().map(|f| f.name.as_str()).collect::<Vec<_>>(),
        "geometries": model.library.len(),
        "materials": {"bulk": model.bulk.len(), "surface": model.surface.len()},
        "operations": model.program.len(),
        "duration": duration,
        "elements": model.library.iter().map(|g| elements(g)).sum::<usize>(),
        "unmatched": unmatched,
        "contacts": start.contacts,
        "overlaps": {
            "count": start.overlaps.len(),
            "deepest": start.overlaps.first().map_or(0.0, |o| o.depth),
            "bodies": deepest,
        },
        "critical_step": critical,
        "memory_bytes": start.memory,
    }))
}

fn elements(geometry: &Geometry) -> usize {
    match geometry {
        Geometry::Mesh(m) => m.elements.len(),
        _ => 0,
    }
}

/// Pairs of surfaces in the model for which only the 'DEFAULT' surface material is left.
fn unmatched_pairs(model: &Model) -> Vec<String> {
    let ids: Vec<i32> = model.library.iter().flat_map(|g| surfids(g)).collect::<BTreeSet<i32>>().into_iter().collect();
    let mut pairs = Vec::new();
    for (at, &p) in ids.iter().enumerate() {
        for &q in &ids[at..] {
            if model.surface[lookup(&model.surface, p, q).0].surf == [ANY, ANY] {
                pairs.push(format!("({p}, {q})"));
            }
        }
    }
    pairs
}

fn surfids(geometry: &Geometry) -> Vec<i32> {
    match geometry {
        Geometry::Convex(c) => c.faces.iter().map(|f| f.surfid).collect(),
        Geometry::Mesh(m) => m.boundary.iter().map(|f| f.surfid).collect(),
        Geometry::Sphere(s) => vec![s.surfid],
    }
}
