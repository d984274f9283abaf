//! What a writer knows of the results in its directory.

use std::path::PathBuf;

use solfec::frame::WarningRows;

use super::tables::{FrameTable, RunRows, COLUMNS_OF, TABLES};
use super::{segment_name, Catalogue, Options, Rank};

/// A RUN as the master keeps it.
#[derive(Debug, Clone, PartialEq)]
pub struct RunRow {
    /// Time steps done when it began, and at its last frame so far.
    pub first_step: u64,
    pub last_step: u64,
    /// Why it ended: "done", or what stopped it.
    pub reason: String,
    /// Operations of the program recorded when it ended; nothing while it runs.
    pub program_end: Option<usize>,
}

impl RunRows {
    pub fn of(runs: &[RunRow]) -> Self {
        RunRows {
            first_step: runs.iter().map(|r| r.first_step).collect(),
            last_step: runs.iter().map(|r| r.last_step).collect(),
            reason: runs.iter().map(|r| r.reason.clone()).collect(),
            program_end: runs.iter().map(|r| r.program_end.map_or(-1, |rows| rows as i64)).collect(),
        }
    }

    pub fn runs(&self) -> Vec<RunRow> {
        let row = |i: usize| RunRow {
            first_step: self.first_step[i],
            last_step: self.last_step[i],
            reason: self.reason[i].clone(),
            program_end: usize::try_from(self.program_end[i]).ok(),
        };
        (0..self.reason.len()).map(row).collect()
    }
}

/// A committed segment.
#[derive(Debug, Clone)]
pub(super) struct Segment {
    pub number: u64,
    /// Frames and steps of all domains before it and with it.
    pub records: [u64; 2],
    /// How many ranks wrote these frames.
    pub ranks: u32,
    pub bytes: usize,
    pub domains: Vec<Extent>,
}

/// What a segment holds of a domain.
#[derive(Debug, Clone, Default)]
pub(super) struct Extent {
    /// Index of the first frame, −1: none.
    pub first_frame: i64,
    pub last_frame: i64,
    pub frames: usize,
    pub steps: usize,
    /// Rows of each table of frames.
    pub rows: [usize; TABLES],
}

impl Extent {
    /// Rows of the tables whose rows this symbol counts.
    pub fn count(&self, symbol: &str) -> usize {
        match symbol {
            "F" => self.frames,
            "T" => self.steps,
            _ => COLUMNS_OF.iter().position(|columns| columns[0].rows == symbol).map_or(0, |t| self.rows[t]),
        }
    }
}

/// One domain of the results.
#[derive(Debug, Default)]
pub(super) struct Domain {
    pub name: String,
    pub catalogue: Catalogue,
    /// Frame index over all segments and what waits.
    pub frames: FrameTable,
    /// Time steps given so far.
    pub steps: u64,
    /// Bodies, constraints and loads before the first RUN.
    pub base: [u64; 3],
    /// Operations that acted, as JSON, and the time steps done by then.
    pub program: Vec<(String, u64)>,
    pub runs: Vec<RunRow>,
    pub warnings: WarningRows,
}

/// The results in a directory.
#[derive(Debug)]
pub(super) struct Stored {
    pub dir: PathBuf,
    /// Name of the results.
    pub stem: String,
    pub options: Options,
    pub domains: Vec<Domain>,
    /// Committed segments of this rank.
    pub segments: Vec<Segment>,
    /// Number of the next segment: no name is used twice.
    pub next_number: u64,
    /// Nothing more will be written.
    pub complete: bool,
}

impl Stored {
    /// A number that no segment has had.
    pub fn new_number(&mut self) -> u64 {
        self.next_number += 1;
        self.next_number - 1
    }

    /// This rank, of the most that wrote any frames.
    pub fn of_most_ranks(&self) -> Rank {
        let Rank { number, count } = self.options.rank;
        Rank { number, count: self.segments.iter().map(|s| s.ranks).fold(count, u32::max) }
    }

    /// File of a segment of this rank, relative to the directory.
    pub fn segment_file(&self, number: u64) -> String {
        segment_name(number, self.options.rank.number)
    }
}
