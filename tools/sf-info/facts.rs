//! Facts in order, as text and as JSON.

use std::path::Path;

use serde_json::{json, Map, Value};

use crate::cli::harmless;

/// What is known of a file.
#[derive(Debug, Clone, Default)]
pub struct Facts {
    /// One line: `model, 2 bodies`.
    pub title: String,
    path: String,
    known: Vec<(&'static str, Value)>,
    /// Facts of each domain.
    pub domains: Vec<Vec<(&'static str, Value)>>,
}

impl Facts {
    pub fn named(title: impl Into<String>, path: &Path) -> Facts {
        let size = std::fs::metadata(path).map_or(0, |meta| meta.len());
        let mut facts = Facts { title: title.into(), path: path.display().to_string(), ..Facts::default() };
        if path.is_file() {
            facts.add("size_bytes", json!(size));
        }
        facts
    }

    pub fn add(&mut self, name: &'static str, value: Value) {
        self.known.push((name, value));
    }

    pub fn json(&self, schema: &str) -> Value {
        let object = |known: &[(&'static str, Value)]| -> Value {
            known.iter().map(|(name, value)| (name.to_string(), value.clone())).collect::<Map<_, _>>().into()
        };
        let mut json = object(&self.known);
        json["schema"] = schema.into();
        json["file"] = self.path.clone().into();
        json["is"] = self.title.clone().into();
        if !self.domains.is_empty() {
            json["domains"] = self.domains.iter().map(|domain| object(domain)).collect();
        }
        json
    }

    /// For people: a line for each fact.
    pub fn text(&self) -> String {
        let mut text = format!("{}: {}\n", self.path, self.title);
        let lines = |known: &[(&'static str, Value)], indent: &str| -> String {
            let shown = known.iter().filter(|(_, value)| !value.is_null());
            shown.map(|(name, value)| format!("{indent}{}: {}\n", name.replace('_', " "), plain(value))).collect()
        };
        text += &lines(&self.known, "  ");
        for (k, domain) in self.domains.iter().enumerate() {
            text += &format!("  domain {k}\n{}", lines(domain, "    "));
        }
        harmless(&text).into_owned()
    }
}

/// JSON without its punctuation.
fn plain(json: &Value) -> String {
    let list = |items: Vec<String>| if items.is_empty() { "none".to_string() } else { items.join(", ") };
    match json {
        Value::String(text) => text.clone(),
        Value::Array(items) => list(items.iter().map(plain).collect()),
        Value::Object(map) => list(map.iter().map(|(name, value)| format!("{name} {}", plain(value))).collect()),
        other => other.to_string(),
    }
}
