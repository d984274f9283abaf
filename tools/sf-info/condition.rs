//! Whether the run of a results directory is over. The one place that decides it for people.

use std::path::Path;

use serde_json::Value;
use solfec_formats::results::RunRow;

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
}

impl Condition {
    pub fn text(&self) -> String {
        match self {
            Condition::Complete => "complete".into(),
            Condition::Running(pid) => format!("running (process {pid})"),
            Condition::Stopped(reason) => format!("stopped ({reason}); sf-run -c goes on"),
            Condition::Interrupted => "interrupted; sf-run -c goes on".into(),
            Condition::Failed => "failed".into(),
        }
    }
}

/// Of the results in `directory`, whose last RUN is `last`.
pub fn of(directory: &Path, last: Option<&RunRow>) -> Condition {
    let state = std::fs::read_to_string(directory.join("state.json")).unwrap_or_default();
    let state: Value = serde_json::from_str(&state).unwrap_or_default();
    let reason = last.map_or("", |run| run.reason.as_str());
    match (state["status"].as_str(), state["pid"].as_u64()) {
        (Some("running"), Some(pid)) if here(&state) && alive(pid) => Condition::Running(pid),
        // A foreign host may still be at work; its files alone cannot tell.
        (Some("running"), Some(pid)) if !here(&state) && reason != "done" => Condition::Running(pid),
        (Some("failed"), _) => Condition::Failed,
        _ if reason == "done" => Condition::Complete,
        (Some("stopped"), _) => Condition::Stopped(reason.into()),
        _ if reason.is_empty() => Condition::Interrupted,
        _ => Condition::Stopped(reason.into()),
    }
}

fn here(state: &Value) -> bool {
    let host = rustix::system::uname().nodename().to_string_lossy().into_owned();
    state["host"].as_str() == Some(&host)
}

fn alive(pid: u64) -> bool {
    Path::new(&format!("/proc/{pid}")).exists()
}
