//! `--follow`: the files are written again while the job goes on.
//!
//! Every update is a whole export whose files replace those before it by their names. The numbers replace first and
//! hold all that the markup before names, so a reader never sees a file that does not fit. An update costs what the job
//! has written so far; so the pauses grow with it.

use std::io::Write;
use std::path::Path;
use std::time::{Duration, Instant};

use hdf5::types::VarLenUnicode;
use serde_json::Value;
use solfec_formats::results::{self, Reader};

use super::args::Args;
use super::export::Written;
use super::links::master_in;
use crate::cli::{open_results, CliError};

/// Shortest pause between two looks at the results.
const PAUSE: Duration = Duration::from_millis(500);
/// At most this part of the time goes into updates.
const SHARE: u32 = 5;

/// Waits for `results` and exports them until their job is over; `export` gets whether files may be overwritten.
pub fn follow(
    results: &Path,
    args: &Args,
    mut export: impl FnMut(bool) -> Result<Vec<Written>, CliError>,
) -> Result<Vec<Written>, CliError> {
    wait_for(results, args);
    open_results(results)?;
    let mut seen = None;
    let mut written = Vec::new();
    loop {
        // What is committed before the job is over is seen by the look that comes after.
        let over = !running(results);
        let count = frames(results);
        let began = Instant::now();
        if over || (count.is_some() && count != seen) {
            written = export(args.force || !written.is_empty())?;
            seen = count;
        }
        if over {
            return Ok(written);
        }
        std::thread::sleep(PAUSE.max(began.elapsed() * SHARE));
    }
}

/// Waits until there are results, or a job that is over without having made any.
fn wait_for(results: &Path, args: &Args) {
    let there = || results.is_file() || results::exists(results) || status(results).is_some_and(|s| !goes_on(&s));
    if !there() && !args.common.quiet {
        let _ = writeln!(std::io::stderr(), "sf-xdmf: note: waiting for results in {}", results.display());
    }
    while !there() {
        std::thread::sleep(PAUSE);
    }
}

/// Number of committed frames; `None` while the results are being replaced.
fn frames(results: &Path) -> Option<usize> {
    let results = Reader::open(results).ok()?;
    (0..results.domains().len()).map(|k| results.frames(k).map(|table| table.len()).ok()).sum()
}

/// Whether the job that writes the results goes on: as its `state.json` says, and its process lives; without that file,
/// as long as the last RUN has no reason to have ended.
fn running(results: &Path) -> bool {
    match status(results) {
        Some(state) => goes_on(&state),
        None => unfinished(results).unwrap_or(false),
    }
}

/// `state.json` beside the results.
fn status(results: &Path) -> Option<Value> {
    let folder = if results.is_file() { results.parent()? } else { results };
    let bytes = std::fs::read(folder.join("state.json")).ok()?;
    serde_json::from_slice(&bytes).ok()
}

fn goes_on(state: &Value) -> bool {
    state["status"] == "running" && alive(state)
}

/// True if the process is alive; processes on other hosts are assumed alive.
fn alive(state: &Value) -> bool {
    let host = std::fs::read_to_string("/proc/sys/kernel/hostname").unwrap_or_default();
    match (state["pid"].as_u64(), state["host"].as_str()) {
        (Some(pid), None) if !host.is_empty() => Path::new("/proc").join(pid.to_string()).exists(),
        (Some(pid), Some(name)) if name == host.trim() => Path::new("/proc").join(pid.to_string()).exists(),
        _ => true,
    }
}

/// Whether the last RUN of some domain has no end.
fn unfinished(results: &Path) -> Option<bool> {
    let file = solfec_formats::open_options().open(master_in(results)?).ok()?;
    let domains = file.group("domains").ok()?;
    let ended = |domain: &String| -> Option<bool> {
        let reasons = domains.dataset(&format!("{domain}/runs/reason")).ok()?;
        let texts = reasons.read_raw::<VarLenUnicode>().ok()?;
        texts.last().map(|text| !text.is_empty())
    };
    // A job that has only begun has no RUN yet.
    Some(domains.member_names().ok()?.iter().any(|domain| !ended(domain).unwrap_or(false)))
}
