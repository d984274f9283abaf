//! The arrows that docs/architecture.md draws are those of the imports: between crates, between the rooms of libsolfec,
//! between the folders of the tools, and between the files of a folder.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

type Graph = BTreeMap<String, BTreeSet<String>>;

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// The source files below `folder`, sorted.
fn sources(folder: &Path) -> Vec<PathBuf> {
    let mut files = Vec::new();
    let mut folders = vec![folder.to_path_buf()];
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(&folder).expect("a folder of sources").map(|e| e.expect("an entry").path()) {
            if entry.is_dir() {
                folders.push(entry);
            } else if entry.extension().is_some_and(|e| e == "rs") {
                files.push(entry);
            }
        }
    }
    files.sort();
    files
}

/// The code of a file without comments and string literals, and without its unit tests, which may look at everything.
fn code(path: &Path) -> String {
    let text = std::fs::read_to_string(path).expect("a source file");
    let text = text.split("\n#[cfg(test)]\nmod tests {").next().unwrap_or_default();
    let mut out = String::new();
    for line in text.lines() {
        let mut inside = false;
        let mut rest = line.chars().peekable();
        while let Some(c) = rest.next() {
            match c {
                '\\' if inside => drop(rest.next()),
                '"' => inside = !inside,
                '/' if !inside && rest.peek() == Some(&'/') => break,
                _ if inside => {}
                _ => out.push(c),
            }
        }
        out.push('\n');
    }
    out
}

/// The module path of a file below `base`: `body/rigid.rs` is `[body, rigid]`, `body/mod.rs` is `[body]`.
fn module(base: &Path, file: &Path) -> Vec<String> {
    let relative = file.strip_prefix(base).expect("below the base").with_extension("");
    let mut path: Vec<String> = relative.iter().map(|s| s.to_string_lossy().into_owned()).collect();
    if path.last().is_some_and(|last| last == "mod" || last == "lib") {
        path.pop();
    }
    path
}

/// All paths of `text` that begin with `crate` or `super`, groups in braces written out.
fn paths(text: &str) -> Vec<Vec<String>> {
    let tokens: Vec<String> = tokens(text);
    let mut found = Vec::new();
    let mut i = 0;
    while i < tokens.len() {
        let starts = matches!(tokens[i].as_str(), "crate" | "super") && tokens.get(i + 1).is_some_and(|t| t == "::");
        if starts && (i == 0 || tokens[i - 1] != "::") {
            i = expand(&tokens, i, &mut Vec::new(), &mut found);
        } else {
            i += 1;
        }
    }
    found
}

fn tokens(text: &str) -> Vec<String> {
    let mut tokens = Vec::new();
    let mut rest = text;
    while let Some(c) = rest.chars().next() {
        let word = rest.find(|c: char| !c.is_alphanumeric() && c != '_').unwrap_or(rest.len());
        let length = if word > 0 {
            word
        } else if rest.starts_with("::") {
            2
        } else {
            c.len_utf8()
        };
        if !c.is_whitespace() {
            tokens.push(rest[..length].to_string());
        }
        rest = &rest[length..];
    }
    tokens
}

/// Reads one path from token `i` behind `prefix`; returns the token after it.
fn expand(tokens: &[String], mut i: usize, prefix: &mut Vec<String>, found: &mut Vec<Vec<String>>) -> usize {
    let depth = prefix.len();
    let is_name = |t: &String| t.chars().all(|c| c.is_alphanumeric() || c == '_');
    loop {
        match tokens.get(i) {
            Some(t) if is_name(t) => prefix.push(t.clone()),
            Some(t) if t == "{" => {
                i += 1;
                while tokens.get(i).is_some_and(|t| t != "}") {
                    i = expand(tokens, i, prefix, found);
                    if tokens.get(i).is_some_and(|t| t == ",") {
                        i += 1;
                    } else if tokens.get(i).is_some_and(|t| t != "}") {
                        i += 1; // `as name`
                    }
                }
                prefix.truncate(depth);
                return i + 1;
            }
            Some(t) if t == "*" => {}
            _ => break,
        }
        i += 1;
        if tokens.get(i).is_some_and(|t| t == "::") {
            i += 1;
        } else {
            break;
        }
    }
    found.push(prefix.clone());
    prefix.truncate(depth);
    i
}

/// What the modules of a crate use within it: every path made absolute, for each file.
fn uses(base: &Path) -> Vec<(Vec<String>, Vec<Vec<String>>)> {
    let mut all = Vec::new();
    for file in sources(base) {
        let own = module(base, &file);
        let absolute = |path: Vec<String>| -> Option<Vec<String>> {
            let ups = path.iter().take_while(|p| *p == "super").count();
            if ups > own.len() {
                return None;
            }
            let mut whole = if ups > 0 { own[..own.len() - ups].to_vec() } else { Vec::new() };
            let skip = if ups > 0 { ups } else { 1 };
            whole.extend(path.into_iter().skip(skip).filter(|p| p != "self"));
            Some(whole)
        };
        all.push((own.clone(), paths(&code(&file)).into_iter().filter_map(absolute).collect()));
    }
    all
}

/// The rooms of libsolfec in the order of docs/architecture.md, with their places in the list; rooms of one line share
/// one.
fn rooms() -> BTreeMap<String, usize> {
    let text = std::fs::read_to_string(root().join("docs/architecture.md")).expect("docs/architecture.md");
    let list = text.lines().skip_while(|l| !l.trim_start().starts_with("libsolfec/")).skip(1);
    let lines: Vec<&str> = list.take_while(|l| !l.trim_start().starts_with("formats/")).collect();
    let mut rooms = BTreeMap::new();
    for (place, line) in lines.iter().enumerate() {
        let indented = line.starts_with("      ") && !line.starts_with("       ");
        let names = line.trim_start().split("  ").next().unwrap_or_default();
        for name in names.split(", ").filter(|_| indented) {
            rooms.insert(name.to_string(), place);
        }
    }
    rooms
}

/// Components of more than one node in which all nodes reach each other.
fn circles(graph: &Graph) -> Vec<Vec<String>> {
    let reach = |from: &String| {
        let mut seen = BTreeSet::new();
        let mut open = vec![from];
        while let Some(at) = open.pop() {
            for next in graph.get(at).into_iter().flatten() {
                if seen.insert(next.clone()) {
                    open.push(next);
                }
            }
        }
        seen
    };
    let reached: BTreeMap<&String, BTreeSet<String>> = graph.keys().map(|k| (k, reach(k))).collect();
    let mut found: BTreeSet<Vec<String>> = BTreeSet::new();
    for (node, to) in &reached {
        if to.contains(*node) {
            let back = |other: &&String| reached.get(*other).is_some_and(|b| b.contains(*node));
            found.insert(to.iter().filter(|other| back(other)).cloned().collect());
        }
    }
    found.into_iter().filter(|circle| circle.len() > 1).collect()
}

/// Fails if anything was found.
fn expect_none(what: &str, found: &[String]) {
    assert!(found.is_empty(), "{what}:\n{}", found.join("\n"));
}

#[test]
fn crates_use_only_those_below() {
    let below: [(&str, &[&str]); 2] =
        [("libsolfec/src", &["solfec_formats", "solfec_tools"]), ("formats/src", &["solfec_tools"])];
    for (folder, forbidden) in below {
        for file in sources(&root().join(folder)) {
            let names = tokens(&code(&file));
            for name in forbidden {
                assert!(!names.iter().any(|t| t == name), "{} uses {name}", file.display());
            }
        }
    }
}

#[test]
fn rooms_use_only_those_above_them_in_the_list() {
    let rooms = rooms();
    assert!(rooms.len() > 12, "the list of rooms was not found in docs/architecture.md: {rooms:?}");
    let mut wrong = BTreeSet::new();
    let mut unlisted = BTreeSet::new();
    for (own, paths) in uses(&root().join("libsolfec/src")) {
        let Some(room) = own.first() else { continue };
        let Some(place) = rooms.get(room) else {
            unlisted.insert(room.clone());
            continue;
        };
        for path in paths {
            let Some(other) = path.first().filter(|o| *o != room) else { continue };
            if rooms.get(other).is_some_and(|p| p > place) {
                wrong.insert(format!("{room} -> {other}"));
            }
        }
    }
    assert!(unlisted.is_empty(), "not in the list of rooms of docs/architecture.md: {unlisted:?}");
    expect_none("arrows between rooms that point up", &wrong.into_iter().collect::<Vec<_>>());
}

/// The module name of a folder of the tools: `sf-build` is `build`, as in tools/lib.rs.
fn tool(name: &str) -> String {
    match name {
        "sf-locdyn-compare" => "locdyn".into(),
        _ => name.strip_prefix("sf-").unwrap_or(name).to_string(),
    }
}

#[test]
fn folders_of_the_tools_form_no_circle() {
    let mut graph = Graph::new();
    for (own, paths) in uses(&root().join("tools")) {
        let Some(folder) = own.first().filter(|_| own.len() > 1 || root().join("tools").join(&own[0]).is_dir()) else {
            continue;
        };
        let folder = tool(folder);
        let used = graph.entry(folder.clone()).or_default();
        // Paths of `super` reach the crate in the notation of folders, those of `crate` in that of modules.
        used.extend(paths.iter().filter_map(|p| p.first()).map(|p| tool(p)).filter(|p| *p != folder));
    }
    let folders: BTreeSet<String> = graph.keys().cloned().collect();
    for used in graph.values_mut() {
        used.retain(|u| folders.contains(u));
    }
    let found: Vec<String> = circles(&graph).iter().map(|c| c.join(", ")).collect();
    expect_none("circles of folders", &found);
}

#[test]
fn files_of_a_folder_form_no_circle() {
    let mut found = Vec::new();
    for base in ["libsolfec/src", "formats/src", "tools"] {
        let all = uses(&root().join(base));
        let modules: BTreeSet<Vec<String>> = all.iter().map(|(own, _)| own.clone()).collect();
        // The folder, then each file or sub-folder of it with what it uses beside it.
        let mut graphs: BTreeMap<Vec<String>, Graph> = BTreeMap::new();
        for (own, paths) in &all {
            for depth in 1..own.len() {
                let (folder, name) = (&own[..depth], &own[depth]);
                let used = graphs.entry(folder.to_vec()).or_default().entry(name.clone()).or_default();
                for path in paths {
                    let path: Vec<String> = match base {
                        "tools" => path
                            .iter()
                            .enumerate()
                            .map(|(i, p)| if i == 0 { folder_of(p) } else { p.clone() })
                            .collect(),
                        _ => path.clone(),
                    };
                    let beside = path.len() > depth && path[..depth] == *folder && path[depth] != *name;
                    if beside && modules.contains(&path[..=depth]) {
                        used.insert(path[depth].clone());
                    }
                }
            }
        }
        for (folder, graph) in graphs {
            found.extend(circles(&graph).iter().map(|c| format!("{base}/{}: {}", folder.join("/"), c.join(", "))));
        }
    }
    expect_none("circles of files", &found);
}

/// The folder of a module of the tools: `build` is in `sf-build`.
fn folder_of(module: &str) -> String {
    let folder = if module == "locdyn" { "sf-locdyn-compare".to_string() } else { format!("sf-{module}") };
    if root().join("tools").join(&folder).is_dir() {
        folder
    } else {
        module.to_string()
    }
}
