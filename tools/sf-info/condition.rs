//! Whether the run of a results directory is over. The one place that decides it for people.

use std::path::Path;

use serde_json::Value;
use solfec_formats::results::{self, RunRow};

/// How a run stands.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Condition {
    Complete,
    /// By this process.
    Running(u64),
    /// On request, for this reason.
    Stopped(String),
    /// Killed, or failed.
    Interrupted,
    Failed,
    /// Written by an export or another program.
    NoRun,
}

impl Condition {
    pub fn text(&self) -> String {
        match self {
            Condition::Complete => "complete".into(),
            Condition::Running(pid) => format!("running (process {pid})"),
            Condition::Stopped(reason) => format!("stopped ({reason}); sf-run -c goes on"),
            Condition::Interrupted => "interrupted; sf-run -c goes on".into(),
            Condition::Failed => "failed".into(),
            Condition::NoRun => "exported: no run is recorded".into(),
        }
    }
}

/// Of the results in `directory`, whose last RUN is `last`.
pub fn of(directory: &Path, last: Option<&RunRow>) -> Condition {
    let reason = last.map_or("", |run| run.reason.as_str());
    match results::condition_of(directory) {
        Ok(results::Condition::Running(holder)) => Condition::Running(holder.pid.into()),
        Ok(results::Condition::Interrupted) => Condition::Interrupted,
        // A run may have failed before it stored anything.
        Ok(results::Condition::Unknown) if last.is_none() && status(directory).as_deref() != Some("failed") => {
            Condition::NoRun
        }
        // A run that was cut short on request has ended well too.
        Ok(results::Condition::Finished | results::Condition::Ended(_) | results::Condition::Unknown) | Err(_) => {
            ended(directory, reason)
        }
    }
}

/// Of a run that is over, by what it told last.
fn ended(directory: &Path, reason: &str) -> Condition {
    match status(directory).as_deref() {
        Some("failed") => Condition::Failed,
        _ if reason == "done" => Condition::Complete,
        _ if reason.is_empty() => Condition::Interrupted,
        _ => Condition::Stopped(reason.into()),
    }
}

/// What the process of a run told last of how it stands.
fn status(directory: &Path) -> Option<String> {
    let state = std::fs::read_to_string(directory.join("state.json")).ok()?;
    let state: Value = serde_json::from_str(&state).ok()?;
    Some(state["status"].as_str()?.to_owned())
}
