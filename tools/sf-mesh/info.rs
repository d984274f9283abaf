//! What is in a mesh file: info.

use std::collections::BTreeMap;

use clap::Args;
use serde_json::{json, Map, Value};
use solfec::math::Mat3;
use solfec::meshdata::{area, element_integrals, scaled_jacobian, surface_integrals, Histogram};
use solfec::shape::{ElementKind, Integrals, RawElement};
use solfec_formats::meshes::{Part, SetKind};

use super::files::Input;
use super::verb::Verb;
use crate::cli::{harmless, write_stdout, CliError, Common};

#[derive(Debug, Args)]
pub struct Info {
    #[command(flatten)]
    input: Input,
}

/// Width of the longest bar of the histogram.
const BAR: usize = 40;

impl Verb for Info {
    const NAME: &'static str = "info";
    const ABOUT: &'static str =
        "Show counts, volume, mass centre, inertia, areas of surfaces, and the quality of elements";

    fn run(self, common: &Common) -> Result<(), CliError> {
        let file = self.input.read_all(common)?;
        let parts: Vec<Part> = file.parts.iter().map(Part::explicit).collect();
        let integrals: Vec<Option<Integrals>> = parts.iter().map(integrals).collect();
        let known: Vec<Integrals> = integrals.iter().flatten().copied().collect();
        let whole = file.solid.or_else(|| (!known.is_empty()).then(|| Integrals::together(&known)));
        let mut all = Map::new();
        all.insert("schema".into(), "sf-mesh-info/1".into());
        all.insert("file".into(), self.input.file.display().to_string().into());
        all.insert("nodes".into(), parts.iter().map(|part| part.mesh.nodes.len()).sum::<usize>().into());
        all.insert("elements".into(), parts.iter().map(|part| part.mesh.elements.len()).sum::<usize>().into());
        mass(&mut all, whole.as_ref());
        all.insert("parts".into(), parts.iter().zip(&integrals).map(|(p, i)| facts(p, i.as_ref())).collect());
        let text = match common.json {
            true => format!("{}\n", Value::Object(all)),
            false => text(&Value::Object(all)),
        };
        write_stdout(harmless(&text).as_bytes())
    }
}

/// Of the elements; of a surface, of what it encloses.
fn integrals(part: &Part) -> Option<Integrals> {
    match part.mesh.elements.is_empty() {
        true => surface_integrals(&part.mesh),
        false => element_integrals(&part.mesh),
    }
}

fn mass(to: &mut Map<String, Value>, integrals: Option<&Integrals>) {
    let rows = |m: &Mat3| -> Value { (0..3).map(|i| json!([m[(i, 0)], m[(i, 1)], m[(i, 2)]])).collect() };
    to.insert("volume".into(), integrals.map_or(Value::Null, |i| i.volume.into()));
    to.insert("center".into(), integrals.map_or(Value::Null, |i| json!([i.center.x, i.center.y, i.center.z])));
    to.insert("inertia".into(), integrals.map_or(Value::Null, |i| rows(&i.inertia())));
}

fn facts(part: &Part, integrals: Option<&Integrals>) -> Value {
    let mesh = &part.mesh;
    let mut known = Map::new();
    known.insert("name".into(), part.name.clone().into());
    known.insert("nodes".into(), mesh.nodes.len().into());
    known.insert("elements".into(), mesh.elements.len().into());
    let mut kinds: BTreeMap<&str, usize> = BTreeMap::new();
    for element in &mesh.elements {
        let kind = ElementKind::from_count(element.nodes().len());
        *kinds.entry(kind.map_or("unknown", ElementKind::name)).or_default() += 1;
    }
    known.insert("kinds".into(), json!(kinds));
    mass(&mut known, integrals);
    if let Some(&first) = mesh.nodes.first() {
        let (low, high) = mesh.nodes.iter().fold((first, first), |(low, high), x| (low.inf(x), high.sup(x)));
        known.insert("box".into(), json!([[low.x, low.y, low.z], [high.x, high.y, high.z]]));
    }
    known.insert("volumes".into(), volumes(&mesh.elements));
    known.insert("surfaces".into(), surfaces(part));
    let set = |kind: SetKind| match kind {
        SetKind::Nodes => "nodes",
        SetKind::Elements => "elements",
        SetKind::Faces => "faces",
    };
    let sets = part.sets.iter().map(|s| json!({"name": s.name, "of": set(s.kind), "count": s.rows.len()}));
    known.insert("sets".into(), sets.collect());
    let quality = Histogram::of(mesh.elements.iter().filter_map(|e| scaled_jacobian(e, &mesh.nodes)));
    let quality =
        quality.map(|q| json!({"least": q.least, "mean": q.mean, "inverted": q.inverted, "classes": q.classes}));
    known.insert("quality".into(), quality.unwrap_or(Value::Null));
    known.into()
}

/// Elements of each volume id.
fn volumes(elements: &[RawElement]) -> Value {
    let mut counts: BTreeMap<i32, usize> = BTreeMap::new();
    elements.iter().for_each(|element| *counts.entry(element.volid).or_default() += 1);
    counts.into_iter().map(|(volid, count)| json!({"volid": volid, "elements": count})).collect()
}

/// Faces and area of each surface id.
fn surfaces(part: &Part) -> Value {
    let mut found: BTreeMap<i32, (usize, f64)> = BTreeMap::new();
    let surface = part.surface();
    for (nodes, surfid) in &surface.faces {
        let entry = found.entry(*surfid).or_default();
        *entry = (entry.0 + 1, entry.1 + area(nodes, &surface.nodes));
    }
    found.into_iter().map(|(surfid, (faces, area))| json!({"surfid": surfid, "faces": faces, "area": area})).collect()
}

/// For people.
fn text(all: &Value) -> String {
    let list = |value: &Value| value.as_array().cloned().unwrap_or_default();
    let mut text = format!("{}: {} nodes, {} elements\n", plain(&all["file"]), all["nodes"], all["elements"]);
    let several = list(&all["parts"]).len() > 1;
    if several {
        text += &masses(all, "  ");
    }
    for part in list(&all["parts"]) {
        if several || part["name"] != "" {
            text +=
                &format!("  part {}: {} nodes, {} elements\n", plain(&part["name"]), part["nodes"], part["elements"]);
        }
        if part["kinds"].as_object().is_some_and(|kinds| !kinds.is_empty()) {
            text += &format!("  kinds: {}\n", plain(&part["kinds"]));
        }
        text += &format!("  box: {}\n", plain(&part["box"]));
        text += &masses(&part, "  ");
        for volume in list(&part["volumes"]) {
            text += &format!("  volume id {}: {} elements\n", volume["volid"], volume["elements"]);
        }
        for surface in list(&part["surfaces"]) {
            text +=
                &format!("  surface id {}: {} faces, area {}\n", surface["surfid"], surface["faces"], surface["area"]);
        }
        for set in list(&part["sets"]) {
            text += &format!("  set {}: {} {}\n", plain(&set["name"]), set["count"], plain(&set["of"]));
        }
        text += &quality(&part["quality"]);
    }
    text
}

fn masses(of: &Value, indent: &str) -> String {
    if of["volume"].is_null() {
        return format!("{indent}volume: none is enclosed\n");
    }
    let lines = ["volume", "center", "inertia"].map(|name| format!("{indent}{name}: {}\n", plain(&of[name])));
    lines.concat()
}

/// Bars of the scaled Jacobian.
fn quality(quality: &Value) -> String {
    let Some(classes) = quality["classes"].as_array() else { return String::new() };
    let mut text = format!("  quality (scaled Jacobian): least {}, mean {}\n", quality["least"], quality["mean"]);
    let counts: Vec<usize> = classes.iter().map(|n| n.as_u64().unwrap_or(0) as usize).collect();
    let inverted = quality["inverted"].as_u64().unwrap_or(0) as usize;
    let most = counts.iter().copied().chain([inverted]).max().unwrap_or(0).max(1);
    let bar = |n: usize| "#".repeat((n * BAR).div_ceil(most));
    if inverted > 0 {
        text += &format!("    <= 0       {inverted:>9} {}\n", bar(inverted));
    }
    for (k, &n) in counts.iter().enumerate() {
        text += format!("    {:.1} - {:.1}  {n:>9} {}", k as f64 / 10.0, (k + 1) as f64 / 10.0, bar(n)).trim_end();
        text.push('\n');
    }
    text
}

/// JSON without its punctuation.
fn plain(json: &Value) -> String {
    match json {
        Value::String(text) => text.clone(),
        Value::Array(items) => {
            let nested = items.iter().any(Value::is_array);
            items.iter().map(plain).collect::<Vec<_>>().join(if nested { "; " } else { ", " })
        }
        Value::Object(map) => map.iter().map(|(name, n)| format!("{n} {name}")).collect::<Vec<_>>().join(", "),
        other => other.to_string(),
    }
}
