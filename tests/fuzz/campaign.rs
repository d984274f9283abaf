//! The loop over inputs: copy, change, read with every tool, judge.

use std::collections::BTreeMap;
use std::fmt;
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::Mutex;

use tools_testing::scratch::Scratch;

use super::random::Random;
use super::readers::{self, Ended, Kind, KINDS};
use super::seeds::Seeds;
use super::{bytes, known, library, structure, text};

/// Readers that run at the same time.
const AT_A_TIME: usize = 2;
/// What every file may do to a tool but not to these.
const SURVIVORS: [&str; 2] = ["sf-info", "sf-run --check-file"];

/// What became of all inputs.
#[derive(Default)]
pub struct Report {
    inputs: u64,
    kinds: BTreeMap<&'static str, usize>,
    ends: BTreeMap<(String, Ended), usize>,
    /// Inputs on which the library crashes or does not end.
    library: Vec<String>,
    /// Runs that are faults of ours.
    pub broken: Vec<String>,
}

/// Makes these inputs and reads them. With `keep` their folders stay.
pub fn run(inputs: Range<u64>, keep: bool) -> Report {
    let seeds = Seeds::make();
    let report = Mutex::new(Report::default());
    let next = AtomicU64::new(inputs.start);
    let base = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(format!("fuzz-{}", std::process::id()));
    std::thread::scope(|scope| {
        for _ in 0..AT_A_TIME {
            scope.spawn(|| loop {
                let number = next.fetch_add(1, Ordering::Relaxed);
                if number >= inputs.end {
                    break;
                }
                let folder = base.join(number.to_string());
                let broken = one(number, &folder, &seeds, &report);
                if keep || broken {
                    println!("input {number} is kept in {}", folder.display());
                } else {
                    let _ = std::fs::remove_dir_all(&folder);
                }
            });
        }
    });
    // Goes if it is empty.
    let _ = std::fs::remove_dir(&base);
    report.into_inner().expect("no thread has failed")
}

/// Files that nobody changed are read: how each reader ends.
pub fn unchanged() -> Vec<(&'static str, Ended, String)> {
    let seeds = Seeds::make();
    let folder = Scratch::new();
    let mut found = Vec::new();
    for kind in &KINDS {
        let folder = folder.path(kind.name);
        std::fs::create_dir_all(&folder).expect("a folder");
        kind.copied.iter().for_each(|name| drop(seeds.copy(name, &folder)));
        for reader in kind.readers {
            let (ended, told) = readers::run(reader, &folder);
            found.push((*reader, ended, told));
        }
    }
    found
}

/// One input; whether it broke a tool.
fn one(number: u64, folder: &Path, seeds: &Seeds, report: &Mutex<Report>) -> bool {
    let mut random = Random::new(number);
    let kind = kind(&mut random);
    std::fs::create_dir_all(folder).expect("a folder for the input");
    for name in kind.copied {
        seeds.copy(name, folder);
    }
    let path = target(folder, kind, &mut random);
    let done = change(&path, kind, &mut random);
    let name = path.strip_prefix(folder).unwrap_or(&path).display().to_string();
    let what = format!("{number}: {}: {name}: {done}", kind.name);
    let mut found: Vec<(&str, Ended, String)> = Vec::new();
    for reader in kind.readers {
        let (ended, told) = readers::run(reader, folder);
        found.push((reader, ended, told));
    }
    let killed = |ended: &Ended| matches!(ended, Ended::Signal(_) | Ended::Hangs);
    let of_library = found.iter().any(|(_, ended, _)| killed(ended)) && library::fails(folder);
    let mut report = report.lock().expect("no thread has failed");
    let mut broken = false;
    for (reader, ended, told) in &found {
        *report.ends.entry((tool(reader), *ended)).or_default() += 1;
        let survives = SURVIVORS.iter().any(|tool| reader.starts_with(tool));
        let ours = *ended == Ended::Wrong || killed(ended) && (survives || !of_library);
        if ours {
            broken = true;
            let text = format!("{what}\n    {reader}: {ended:?}: {}", told.trim_end());
            println!("{text}");
            report.broken.push(text);
        }
    }
    if of_library {
        let tools: Vec<&str> = found.iter().filter(|(_, ended, _)| killed(ended)).map(|(reader, ..)| *reader).collect();
        report.library.push(format!("{what} ({})", tools.join("; ")));
    }
    report.inputs += 1;
    *report.kinds.entry(kind.name).or_default() += 1;
    broken
}

fn kind(random: &mut Random) -> &'static Kind {
    let mut at = random.below(KINDS.iter().map(|kind| kind.weight).sum());
    for kind in &KINDS {
        if at < kind.weight {
            return kind;
        }
        at -= kind.weight;
    }
    &KINDS[0]
}

/// The file that is changed.
fn target(folder: &Path, kind: &Kind, random: &mut Random) -> PathBuf {
    let path = folder.join(random.pick(kind.changed));
    if !path.is_dir() {
        return path;
    }
    let mut files = Vec::new();
    for dir in [path.clone(), path.join("segments")] {
        let entries = std::fs::read_dir(dir).into_iter().flatten().flatten().map(|entry| entry.path());
        files.extend(entries.filter(|path| path.extension().is_some_and(|e| e == "h5")));
    }
    files.sort();
    random.pick(&files).clone()
}

/// Changes the file once, rarely twice; what was done.
fn change(path: &Path, kind: &Kind, random: &mut Random) -> String {
    if kind.text {
        return text::change(path, random);
    }
    if random.below(100) < 35 {
        return bytes::change(path, random);
    }
    let mut done = structure::change(path, random);
    // The library would crash here too on a dataset that is its own source, and claims may be too great.
    let readable = |done: &str| !(done.contains("virtual") || done.contains("claims"));
    if random.once_in(8) && readable(&done) {
        done = format!("{done}; {}", structure::change(path, random));
    }
    if kind.name == "checkpoint" && readable(&done) {
        known::seal(path);
    }
    done
}

/// The tool of a reader, with its verb.
fn tool(reader: &str) -> String {
    let verbs = ["--check-file", "--pack", "-c", "--initial", "--list", "-r", "solve", "deck.py"];
    let words: Vec<&str> = reader.split(' ').collect();
    let verb = words.iter().find(|word| verbs.contains(word));
    [words[0], verb.copied().unwrap_or_default()].join(" ").trim_end().to_string()
}

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        let kinds: Vec<String> = self.kinds.iter().map(|(kind, count)| format!("{kind} {count}")).collect();
        writeln!(f, "{} inputs: {}", self.inputs, kinds.join(", "))?;
        let runs: usize = self.ends.values().sum();
        writeln!(f, "{runs} runs:")?;
        for ((tool, ended), count) in &self.ends {
            writeln!(f, "  {tool}: {ended:?} {count}")?;
        }
        writeln!(f, "{} inputs on which the HDF5 library crashes or does not end:", self.library.len())?;
        self.library.iter().try_for_each(|what| writeln!(f, "  {what}"))
    }
}
