//! `--requests FILE`: items from a file.
//!
//! ```text
//! TOML  items = ["KINETIC", "tip=DZ@label:BEAM(0,0,1)"]        JSON  ["KINETIC", {"name": "tip", "item": "DZ@..."}]
//!       [[item]]                                                     {"items": [...], "item": [...]}
//!       name = "top"                                           CSV   name,item
//!       item = "DZ@label:BEAM(0,0,2)"                                top,"DZ@label:BEAM(0,0,2)"
//! ```

use std::path::Path;

use serde::Deserialize;

use super::item::Item;
use crate::cli::CliError;

#[derive(Deserialize)]
#[serde(untagged)]
enum Document {
    List(Vec<Request>),
    Table(Tables),
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Tables {
    #[serde(default)]
    items: Vec<Request>,
    #[serde(default)]
    item: Vec<Request>,
}

#[derive(Deserialize)]
#[serde(untagged)]
enum Request {
    Text(String),
    Named(Named),
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Named {
    #[serde(default)]
    name: String,
    item: String,
}

/// The items of a file, in its order. Its form is that of its name: .toml, .json, .csv.
pub fn read(path: &Path) -> Result<Vec<Item>, CliError> {
    let wrong = |what: String| CliError::bad_input(format!("{}: {what}", path.display()));
    let text = std::fs::read_to_string(path).map_err(|e| CliError::file(path, "read", &e))?;
    let form = path.extension().unwrap_or_default().to_string_lossy().to_lowercase();
    let requests = match form.as_str() {
        "toml" => toml::from_str::<Tables>(&text).map(all).map_err(|e| e.to_string()),
        "json" => serde_json::from_str(&text).map_err(|e| e.to_string()).map(|document| match document {
            Document::List(list) => list,
            Document::Table(tables) => all(tables),
        }),
        "csv" => csv::ReaderBuilder::new()
            .comment(Some(b'#'))
            .trim(csv::Trim::All)
            .from_reader(text.as_bytes())
            .deserialize::<Named>()
            .map(|row| row.map(Request::Named).map_err(|e| e.to_string()))
            .collect(),
        _ => return Err(CliError::usage(format!("{}: of what form? name it .toml, .json or .csv", path.display()))),
    };
    let requests = requests.map_err(|e| wrong(e.split_whitespace().collect::<Vec<_>>().join(" ")))?;
    let items: Result<Vec<Item>, String> = requests.iter().map(item).collect();
    match items.map_err(wrong)? {
        items if items.is_empty() => Err(wrong("holds no items".into())),
        items => Ok(items),
    }
}

fn all(tables: Tables) -> Vec<Request> {
    tables.items.into_iter().chain(tables.item).collect()
}

fn item(request: &Request) -> Result<Item, String> {
    match request {
        Request::Text(text) => text.parse(),
        Request::Named(named) if named.name.is_empty() => named.item.parse(),
        Request::Named(named) => {
            let item: Item = named.item.parse()?;
            Ok(Item { title: named.name.clone(), ..item })
        }
    }
}
