//! How a deck was run, kept in the provenance of its model, so that it can be run again in the same way.

use std::path::PathBuf;

use serde::{Deserialize, Serialize};
use serde_json::Value;

/// The object `deck` of a provenance record (docs/formats/model.md). What is missing has its default.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct Circumstances {
    /// As it was named on the command line.
    pub path: PathBuf,
    /// Folder in which its Python ran.
    pub folder: Option<PathBuf>,
    /// Arguments after `--`.
    pub args: Vec<String>,
    /// Variables of `--set`, as text.
    pub set: Vec<(String, String)>,
    pub subdir: Option<String>,
    /// `auto`, `always` or `never`.
    pub python2: Option<String>,
    pub compat: Vec<String>,
}

impl Circumstances {
    /// Those of the last tool that ran the deck; `runs` are the records of a provenance.
    pub fn of(runs: &[String]) -> Option<Circumstances> {
        let deck = |text: &String| serde_json::from_str::<Value>(text).ok()?.get_mut("deck").map(Value::take);
        runs.iter().rev().find_map(deck).and_then(|deck| serde_json::from_value(deck).ok())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cli::{Exit, Record};

    #[test]
    fn they_survive_a_record() {
        let kept = Circumstances { path: "a.py".into(), args: vec!["fine".into()], ..Circumstances::default() };
        let mut record = Record::begin("sf-test", 1);
        let bare = record.json(Exit::Success);
        assert_eq!(Circumstances::of(std::slice::from_ref(&bare)), None);
        record.deck = Some(kept.clone());
        assert_eq!(Circumstances::of(&[record.json(Exit::Success), bare]), Some(kept));
    }
}
