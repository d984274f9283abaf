//! Facts of results.

use std::path::Path;

use serde_json::{json, Value};
use solfec::frame::StepRow;
use solfec::model::{BodyKind, Model};
use solfec::query::{materials, BodyView, ShownBodies};
use solfec::table::Table;
use solfec_formats::results::Results;

use super::facts::Facts;
use super::{condition, model};
use crate::cli::counted;
use crate::cli::{json_number, CliError};

pub fn facts(path: &Path) -> Result<Facts, CliError> {
    let results = Results::open(path)?;
    let file = results.model()?;
    let bodies: usize = file.domains.iter().map(|domain| domain.bodies.len()).sum();
    let frames: usize = (0..results.domains().len()).map(|k| results.frames(k).map_or(0, |f| f.len())).sum();
    let packed = if results.is_packed() { "packed results" } else { "results" };
    let title = format!("{packed}, {}, {}", counted(bodies, "body", "bodies"), counted(frames, "frame", "frames"));
    let mut facts = Facts::named(title, path);
    if !results.is_packed() {
        // Domains without a RUN, of bodies whose modes were asked for, say nothing about the end.
        let mut last = None;
        for k in 0..results.domains().len() {
            last = results.runs(k)?.last().cloned().or(last);
        }
        facts.add("condition", json!(condition::of(results.dir(), last.as_ref()).text()));
        facts.add("directory_bytes", json!(bytes(results.dir())));
    }
    if results.is_single()? {
        facts.add("numbers", json!("in single precision"));
    }
    model::provenance(&mut facts, &results.provenance()?);
    for (k, domain) in file.domains.iter().enumerate().take(results.domains().len()) {
        let mut known = model::domain(domain);
        known.retain(|(name, _)| *name != "runs");
        known.extend(run(&results, k)?);
        known.extend(stress_errors(&results, k, domain)?);
        facts.domains.push(known);
    }
    Ok(facts)
}

/// What was computed of a domain.
fn run(results: &Results, k: usize) -> Result<Vec<(&'static str, Value)>, CliError> {
    let times = results.frame_times(k)?;
    let reasons: Vec<Value> = results.runs(k)?.iter().map(|run| json!(ended(&run.reason))).collect();
    let mut known =
        vec![("frames", json!(times.len())), ("times", json!([times.first(), times.last()])), ("runs", json!(reasons))];
    known.extend(solver(&results.steps(k)?));
    let warnings = results.warnings(k)?;
    let counts: serde_json::Map<String, Value> =
        (0..warnings.rows()).map(|i| warnings.row(i)).map(|row| (row.kind.to_string(), json!(row.count))).collect();
    known.push(("warnings", Value::Object(counts)));
    // Nothing sums to -0.
    let seconds = 0.0 + results.timing(k)?.frame.iter().flatten().sum::<f64>();
    known.push(("seconds_in_steps", json!((1e3 * seconds).round() / 1e3)));
    Ok(known)
}

/// Estimated errors of the stresses of bodies of finite elements in the last frame.
fn stress_errors(results: &Results, k: usize, model: &Model) -> Result<Option<(&'static str, Value)>, CliError> {
    let meshed = model.bodies.iter().any(|body| body.kind == BodyKind::FiniteElement);
    let Some(last) = results.frames(k)?.len().checked_sub(1).filter(|_| meshed) else { return Ok(None) };
    let frame = results.read_frame(k, last)?;
    let bulk = materials(model, &results.program(k)?, frame.step_count);
    let error = |body: BodyView<'_>| {
        let error = body.recovered(&bulk)?.error();
        error.is_finite().then(|| (body.body().title(), json!(error)))
    };
    let errors: serde_json::Map<String, Value> = ShownBodies::of(model, &frame).all().filter_map(error).collect();
    Ok((!errors.is_empty()).then_some(("stress_error", Value::Object(errors))))
}

fn ended(reason: &str) -> &str {
    if reason.is_empty() {
        "not over"
    } else {
        reason
    }
}

/// Statistics of the solver over all steps.
fn solver(steps: &[StepRow]) -> Vec<(&'static str, Value)> {
    let mut known = vec![("steps", json!(steps.len()))];
    if steps.is_empty() {
        return known;
    }
    let iterations: f64 = steps.iter().map(|step| f64::from(step.iterations)).sum();
    let most = steps.iter().map(|step| step.iterations).max().unwrap_or(0);
    // NaN is the worst.
    let worse = |a: f64, b: f64| if a.is_nan() || a > b { a } else { b };
    let merit = steps.iter().map(|step| step.merit).fold(0.0, worse);
    let contacts = steps.iter().map(|step| step.constraints).max().unwrap_or(0);
    known.push(("iterations", json!({"mean": iterations / steps.len() as f64, "max": most})));
    known.push(("worst_merit", json_number(merit)));
    known.push(("most_constraints", json!(contacts)));
    known
}

/// Size of all files of a directory.
fn bytes(directory: &Path) -> u64 {
    let entries = std::fs::read_dir(directory).into_iter().flatten().flatten();
    entries
        .map(|entry| match entry.file_type() {
            Ok(kind) if kind.is_dir() => bytes(&entry.path()),
            Ok(kind) if kind.is_file() => entry.metadata().map_or(0, |meta| meta.len()),
            _ => 0,
        })
        .sum()
}
