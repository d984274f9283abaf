//! Facts in order, as text and as JSON.

use std::path::Path;

use serde_json::{json, Map, Value};

use crate::cli::{harmless, rounded};

/// Items of a list, and significant digits, that the text shows.
const SHOWN: usize = 8;
const DIGITS: u32 = 6;

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

/// JSON without its punctuation and with few digits; of long lists the first items, or the largest of named numbers.
fn plain(json: &Value) -> String {
    match json {
        Value::String(text) => text.clone(),
        Value::Array(items) => list(items.iter().map(plain)),
        Value::Object(map) => {
            let mut named: Vec<_> = map.iter().collect();
            if named.len() > SHOWN {
                let number = |value: &Value| value.as_f64().unwrap_or(f64::NEG_INFINITY);
                named.sort_by(|(_, a), (_, b)| number(b).total_cmp(&number(a)));
            }
            list(named.into_iter().map(|(name, value)| format!("{name} {}", plain(value))))
        }
        Value::Number(number) if number.is_f64() => {
            json!(rounded(number.as_f64().unwrap_or(f64::NAN), DIGITS)).to_string()
        }
        other => other.to_string(),
    }
}

fn list(items: impl ExactSizeIterator<Item = String>) -> String {
    let more = items.len().saturating_sub(SHOWN);
    let mut shown: Vec<String> = items.take(SHOWN).collect();
    if more > 0 {
        shown.push(format!("and {more} more (--json has all)"));
    }
    if shown.is_empty() {
        "none".to_string()
    } else {
        shown.join(", ")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_lists_are_cut_and_numbers_rounded() {
        let errors: Map<String, Value> = (0..1000).map(|k| (format!("body {k}"), json!(f64::from(k) / 3.0))).collect();
        let text = plain(&Value::Object(errors));
        assert!(text.starts_with("body 999 333.0, body 998 332.667, "), "{text}");
        assert!(text.ends_with("body 992 330.667, and 992 more (--json has all)"), "{text}");
        let labels: Vec<String> = (0..20).map(|k| format!("STONE{k}")).collect();
        let text = plain(&json!(labels));
        assert!(text.starts_with("STONE0, STONE1, ") && text.contains("STONE7, and 12 more"), "{text}");
        assert_eq!(plain(&json!({"mean": 2.0 / 3.0, "max": 7})), "max 7, mean 0.666667");
        assert_eq!((plain(&json!([])), plain(&json!([0.0, 1e-9 / 7.0]))), ("none".into(), "0.0, 1.42857e-10".into()));
    }
}
