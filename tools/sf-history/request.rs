//! `--requests FILE`: items from a file.
//!
//! ```text
//! TOML  items = ["KINETIC", "tip=DZ@label:BEAM(0,0,1)"]        JSON  ["KINETIC", {"name": "tip", "item": "DZ@..."}]
//!       [[item]]                                                     {"items": [...], "item": [...]}
//!       name = "top"                                           CSV   name,item
//!       item = "DZ@label:BEAM(0,0,2)"                                top,"DZ@label:BEAM(0,0,2)"
//! ```

use std::path::Path;

use serde_json::{Map, Value};

use super::item::Item;
use crate::cli::{did_you_mean, CliError};

const LISTS: [&str; 2] = ["items", "item"];
const PARTS: [&str; 2] = ["name", "item"];

/// The items of a file, in its order. Its form is that of its name: .toml, .json, .csv.
pub fn read(path: &Path) -> Result<Vec<Item>, CliError> {
    let wrong = |what: String| CliError::bad_input(format!("{}: {what}", path.display()));
    let text = std::fs::read_to_string(path).map_err(|e| CliError::file(path, "read", &e))?;
    let form = path.extension().unwrap_or_default().to_string_lossy().to_lowercase();
    let items = match form.as_str() {
        "toml" => toml::from_str(&text).map_err(|e| toml_error(&text, &e)).and_then(|document| all(&document)),
        "json" => serde_json::from_str(&text).map_err(|e| e.to_string()).and_then(|document| all(&document)),
        "csv" => rows(&text),
        _ => return Err(CliError::usage(format!("{}: of what form? name it .toml, .json or .csv", path.display()))),
    };
    match items.map_err(wrong)? {
        items if items.is_empty() => Err(wrong("holds no items".into())),
        items => Ok(items),
    }
}

fn toml_error(text: &str, error: &toml::de::Error) -> String {
    let line = error.span().and_then(|span| text.get(..span.start)).map_or(1, |before| before.lines().count().max(1));
    format!("line {line}: {}", error.message())
}

/// A list of items, or an object with lists of them.
fn all(document: &Value) -> Result<Vec<Item>, String> {
    match document {
        Value::Array(list) => list.iter().map(one).collect(),
        Value::Object(lists) => {
            known(lists, &LISTS)?;
            let each = LISTS.iter().filter_map(|name| Some((name, lists.get(*name)?)));
            let lists = each.map(|(name, value)| value.as_array().ok_or(format!("'{name}' is no list: write [...]")));
            lists.collect::<Result<Vec<_>, _>>()?.into_iter().flatten().map(one).collect()
        }
        _ => Err("holds neither a list of items nor an object with the list 'items'".into()),
    }
}

/// `"ITEM"`, or an object with `item` and perhaps a `name`.
fn one(request: &Value) -> Result<Item, String> {
    let parts = match request {
        Value::String(text) => return text.parse(),
        Value::Object(parts) => parts,
        other => return Err(format!("{other} is no item: write a text, or name and item")),
    };
    known(parts, &PARTS)?;
    let text = |part: &str| match parts.get(part) {
        None => Ok(""),
        Some(Value::String(text)) => Ok(text.as_str()),
        Some(other) => Err(format!("{part} is {other}; write a text")),
    };
    match (text("name")?, text("item")?) {
        (name, "") => Err(format!("'{name}' has no 'item'")),
        (name, item) => named(name, item),
    }
}

fn named(name: &str, item: &str) -> Result<Item, String> {
    let item: Item = item.parse()?;
    Ok(if name.is_empty() { item } else { Item { title: name.into(), ..item } })
}

/// Refuses other keys than these.
fn known(object: &Map<String, Value>, keys: &[&str]) -> Result<(), String> {
    object.keys().try_for_each(|key| of(key, keys))
}

fn of(key: &str, keys: &[&str]) -> Result<(), String> {
    if keys.contains(&key) {
        return Ok(());
    }
    let guess = did_you_mean(key, keys.iter().copied());
    Err(format!("'{key}' means nothing here{guess}; there are {}", keys.join(" and ")))
}

/// A table with the columns `item`, and perhaps `name`.
fn rows(text: &str) -> Result<Vec<Item>, String> {
    let mut reader = csv::ReaderBuilder::new().comment(Some(b'#')).trim(csv::Trim::All).from_reader(text.as_bytes());
    let header = reader.headers().map_err(|e| e.to_string())?.clone();
    header.iter().try_for_each(|key| of(key, &PARTS))?;
    let place = |part: &str| header.iter().position(|key| key == part);
    let Some(item) = place("item") else { return Err("has no column 'item'".into()) };
    let name = place("name");
    let row = |record: csv::StringRecord| {
        let cell = |k: Option<usize>| k.and_then(|k| record.get(k)).unwrap_or("").to_string();
        named(&cell(name), &cell(Some(item)))
    };
    reader.records().map(|record| record.map_err(|e| e.to_string()).and_then(row)).collect()
}
