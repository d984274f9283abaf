//! docs/validation.md: every test that it names exists, and no line is without a source and a tolerance.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

/// All test functions of the repository as `module::name`: the file, `mod.rs` and `main.rs` by their folder, or a `mod`
/// block at the left margin, but for those of unit tests. Each with the files that have a test of this name.
fn tests(root: &Path) -> BTreeMap<String, BTreeSet<PathBuf>> {
    let mut found = BTreeMap::new();
    let mut folders: Vec<PathBuf> = ["libsolfec", "formats", "tools", "tests"].iter().map(|d| root.join(d)).collect();
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(&folder).into_iter().flatten().flatten() {
            let path = entry.path();
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|e| e == "rs") {
                collect(&path, &mut found);
            }
        }
    }
    found
}

fn collect(path: &Path, found: &mut BTreeMap<String, BTreeSet<PathBuf>>) {
    let text = std::fs::read_to_string(path).expect("a source file is readable");
    let stem = path.file_stem().and_then(|s| s.to_str()).unwrap_or_default().to_string();
    let folder = path.parent().and_then(Path::file_name).and_then(|f| f.to_str()).unwrap_or_default();
    let whole = stem == "main" || stem == "mod";
    let (mut module, mut is_test) = (if whole { folder.to_string() } else { stem }, false);
    for line in text.lines() {
        let code = line.trim_start();
        let block = line.strip_prefix("mod ").or_else(|| line.strip_prefix("pub mod "));
        if let Some(rest) = block.filter(|rest| !rest.ends_with(';') && !rest.starts_with("tests ")) {
            module = rest.split(|c: char| !c.is_alphanumeric() && c != '_').next().unwrap_or_default().to_string();
        }
        if code.starts_with("#[test]") {
            is_test = true;
        } else if let Some(rest) = code.strip_prefix("fn ").filter(|_| is_test) {
            let name: String = rest.chars().take_while(|c| c.is_alphanumeric() || *c == '_').collect();
            found.entry(format!("{module}::{name}")).or_default().insert(path.into());
            is_test = false;
        }
    }
}

/// The numbers of a text that are written with an exponent.
fn powers_of_ten(text: &str) -> Vec<&str> {
    let words = text.split(|c: char| !(c.is_alphanumeric() || c == '.' || c == '-'));
    words
        .map(|word| word.trim_end_matches('.'))
        .filter(|word| word.contains("e-") && word.parse::<f64>().is_ok())
        .collect()
}

/// Whether a number stands in a text, and not as a part of a longer one.
fn has_number(text: &str, number: &str) -> bool {
    let part = |c: char| c.is_ascii_digit() || c == '.';
    text.match_indices(number).any(|(at, _)| {
        !text[..at].ends_with(part) && !text[at + number.len()..].starts_with(|c: char| c.is_ascii_digit())
    })
}

#[test]
fn every_line_has_a_source_a_tolerance_and_tests_that_exist() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let known = tests(root);
    let text = std::fs::read_to_string(root.join("docs/validation.md")).expect("docs/validation.md exists");
    let (mut wrong, mut lines) = (Vec::new(), 0);
    for line in text.lines().filter(|l| l.starts_with("| ") && !l.starts_with("| case |")) {
        let cells: Vec<&str> = line.trim_matches('|').split('|').map(str::trim).collect();
        if cells.iter().any(|cell| cell.is_empty()) {
            wrong.push(format!("an empty cell: {line}"));
        }
        let named: Vec<&str> = cells.last().unwrap_or(&"").split('`').filter(|word| word.contains("::")).collect();
        match (cells.len(), named.len()) {
            // What a later capability brings: case, what, which.
            (3, 0) => {}
            (5, 0) => wrong.push(format!("names no test: {line}")),
            (5, _) => lines += 1,
            _ => wrong.push(format!("neither five cells nor three: {line}")),
        }
        let missing = named.iter().filter(|name| !known.contains_key(**name));
        wrong.extend(missing.map(|name| format!("no test {name}: {line}")));
        let files = named.iter().filter_map(|name| known.get(*name)).flatten();
        let sources: String = files.map(|file| std::fs::read_to_string(file).expect("a source file")).collect();
        let tolerances = cells.get(3).map_or(Vec::new(), |cell| powers_of_ten(cell));
        let foreign = tolerances.into_iter().filter(|number| !has_number(&sources, number));
        wrong.extend(foreign.map(|number| format!("no {number} in the files of the tests: {line}")));
    }
    assert!(lines > 150, "docs/validation.md has only {lines} lines");
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
