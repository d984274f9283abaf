//! Where the constraints of a frame lie in the results. Links go to the master, whose virtual datasets keep their row
//! numbers when segments are merged; frames that the master does not know yet are copied.

use std::path::{Path, PathBuf};

use solfec_formats::results::FrameTable;

use super::heavy::Rows;

/// The table of constraints of one domain in the master.
pub struct Links {
    master: PathBuf,
    group: String,
    total: usize,
    single: bool,
}

impl Links {
    /// `None` when the master has no such table: then everything is copied.
    pub fn of(results: &Path, domain: usize) -> Option<Self> {
        let master = master_in(results)?;
        let group = format!("/domains/{domain}");
        let file = solfec_formats::open_options().open(&master).ok()?;
        let points = file.dataset(&format!("{group}/con/point")).ok()?;
        let (total, single) = (*points.shape().first()?, points.dtype().ok()?.is::<f32>());
        Some(Links { master, group, total, single })
    }

    /// Rows of frame `k`, if they stand together there.
    pub fn rows(&self, table: &FrameTable, k: usize) -> Option<Rows> {
        let rows = table.constraint_rows(k)?;
        (!rows.is_empty() && rows.end <= self.total).then(|| Rows {
            file: self.master.clone(),
            group: self.group.clone(),
            start: rows.start,
            count: rows.len(),
            total: self.total,
            single: self.single,
        })
    }
}

/// The master of results.
pub fn master_in(results: &Path) -> Option<PathBuf> {
    if results.is_file() {
        return Some(results.into());
    }
    let entries = std::fs::read_dir(results).ok()?;
    let mut masters = entries.filter_map(|e| Some(e.ok()?.path())).filter(|p| p.to_string_lossy().ends_with(".sfr.h5"));
    let first = masters.next()?;
    masters.next().is_none().then_some(first)
}
