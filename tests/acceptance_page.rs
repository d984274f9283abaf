//! docs/acceptance.md tells the truth: every test that it names exists, and no line is without a state.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

/// All test functions of the repository as `module::name`, by the innermost `mod` block at the left
/// margin, else the file, and by the folder.
fn tests(root: &Path) -> BTreeSet<String> {
    let mut found = BTreeSet::new();
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

fn collect(path: &Path, found: &mut BTreeSet<String>) {
    let text = std::fs::read_to_string(path).expect("a source file is readable");
    let stem = path.file_stem().and_then(|s| s.to_str()).unwrap_or_default().to_string();
    let folder = path.parent().and_then(Path::file_name).and_then(|f| f.to_str()).unwrap_or_default();
    let (mut module, mut is_test) = (stem, false);
    for line in text.lines() {
        let code = line.trim_start();
        let block = line.strip_prefix("mod ").or_else(|| line.strip_prefix("pub mod "));
        if let Some(rest) = block.filter(|rest| !rest.ends_with(';')) {
            module = rest.split(|c: char| !c.is_alphanumeric() && c != '_').next().unwrap_or_default().to_string();
        }
        if code.starts_with("#[test]") {
            is_test = true;
        } else if let Some(rest) = code.strip_prefix("fn ").filter(|_| is_test) {
            let name: String = rest.chars().take_while(|c| c.is_alphanumeric() || *c == '_').collect();
            found.insert(format!("{folder}::{name}"));
            found.insert(format!("{module}::{name}"));
            is_test = false;
        }
    }
}

mod page {
    use super::*;

    const STATES: [&str; 3] = ["pass", "with issue", "missing"];

    #[test]
    fn every_line_names_tests_that_exist() {
        let root = Path::new(env!("CARGO_MANIFEST_DIR"));
        let known = tests(root);
        let text = std::fs::read_to_string(root.join("docs/acceptance.md")).expect("docs/acceptance.md exists");
        let mut wrong = Vec::new();
        let mut lines = 0;
        for line in text.lines().filter(|l| l.starts_with("| ") && !l.starts_with("| case") && !l.starts_with("| item"))
        {
            let cells: Vec<&str> = line.trim_matches('|').split('|').map(str::trim).collect();
            let [_, _, evidence, state] = cells[..] else {
                wrong.push(format!("not four cells: {line}"));
                continue;
            };
            lines += 1;
            if !STATES.iter().any(|s| state.starts_with(s)) {
                wrong.push(format!("no state: {line}"));
            }
            for name in evidence.split('`').filter(|w| w.contains("::")) {
                if !known.contains(name) {
                    wrong.push(format!("no test {name}: {line}"));
                }
            }
            if state.starts_with("pass") && !evidence.contains('`') {
                wrong.push(format!("passes without evidence: {line}"));
            }
        }
        assert!(lines > 0, "docs/acceptance.md has no table");
        assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    }
}
