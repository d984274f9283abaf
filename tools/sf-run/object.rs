//! A SOLFEC object of a live deck, and its run.

use std::path::PathBuf;

use serde_json::Value;
use solfec::frame::Frame;
use solfec_formats::checkpoint::Checkpoint;

use super::job::Job;
use super::running::Running;

/// One SOLFEC object.
pub struct Domain {
    pub name: String,
    /// Where the deck wants its results.
    pub wanted: String,
    pub directory: PathBuf,
    /// From the first RUN on.
    pub started: Option<Started>,
    /// Results that are there are read.
    pub reads: bool,
    /// Results that are there go on: from this checkpoint, if they have one.
    pub goes_on: bool,
    pub from: Option<Checkpoint>,
    /// Duration of its RUN, as it is stored.
    pub stored_duration: f64,
    /// Results have been written here and are complete: they were opened again, or the deck has no more use for them.
    pub settled: bool,
    /// What `--json` tells of it, once it has been given back.
    pub told: Option<Value>,
}

impl Domain {
    /// An object that has just been made.
    pub fn new(name: String, directory: PathBuf) -> Domain {
        Domain {
            name,
            wanted: String::new(),
            directory,
            started: None,
            reads: false,
            goes_on: false,
            from: None,
            stored_duration: 0.0,
            settled: false,
            told: None,
        }
    }

    /// The results were complete before this job, which has had nothing to add.
    pub fn was_finished(&self) -> bool {
        self.started.is_none() && self.goes_on && self.from.as_ref().is_some_and(|from| from.done)
    }
}

pub struct Started {
    pub job: Job,
    pub running: Running,
    /// The solver object of the RUN.
    pub object: Option<usize>,
    /// A RUN is over and its segments are not merged yet: the state at the end of the last RUN may follow.
    pub unmerged: Option<String>,
    /// The state at the end of a RUN for which no frame was due: stored if that was the last RUN.
    pub last: Option<Frame>,
    /// `--until` or `--steps` has been reached: further RUNs make no step.
    pub cut: bool,
    /// The state is no longer finite.
    pub lost: bool,
}

impl Started {
    pub fn new(job: Job, running: Running) -> Started {
        Started { job, running, object: None, unmerged: None, last: None, cut: false, lost: false }
    }
}
