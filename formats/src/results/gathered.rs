//! Results of several ranks as those of one, for what goes through rows of segments: frames are put together in
//! segments in a folder of their own, which goes with them.

use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};

use super::reader::Results;
use super::scan::{base, Part};
use super::segment::{self, Batch};
use super::tables::{Content, SCHEMA};
use super::{Rank, FORMAT, MAJOR};
use crate::error::{Error, Result};
use crate::store::{self, In};

/// A segment is written when this much is in memory [bytes].
const SEGMENT_BYTES: usize = 64 << 20;

/// A folder that is removed with what is in it.
pub(super) struct Folder(PathBuf);

impl Folder {
    /// A new folder inside `place`.
    pub fn inside(place: &Path) -> Result<Folder> {
        static NUMBER: AtomicU64 = AtomicU64::new(0);
        let number = NUMBER.fetch_add(1, Ordering::Relaxed);
        let path = place.join(format!(".gathered-{}-{number}", std::process::id()));
        std::fs::create_dir_all(&path).map_err(|e| Error::io(&path, "make the directory", &e))?;
        Ok(Folder(path))
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        // What stays behind on a failing disk does no harm.
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

/// The same as results of one rank, with their segments in the folder.
pub(super) fn of_one(results: &Results, folder: &Folder) -> Result<Results> {
    results.with_parts(segments(results, folder)?)
}

/// Writes all frames into segments of one rank in the folder.
fn segments(results: &Results, folder: &Folder) -> Result<Vec<Part>> {
    let mut parts: Vec<Part> = Vec::new();
    for domain in 0..results.domains().len() {
        let timing = results.timing(domain)?;
        let mut batch = Batch::default();
        for step in results.steps(domain)? {
            batch.steps.push(step);
        }
        batch.step_seconds = timing.step.concat();
        let mut bytes = 0;
        let frames = results.frames(domain)?;
        for k in 0..frames.len() {
            let mut content = Content::of(results.read_frame(domain, k)?);
            let counts = content.counts();
            batch.index.push(frames.frames.row(k), counts);
            batch.content.append(&mut content);
            batch.frame_seconds.extend(timing.frame.get(k).into_iter().flatten());
            bytes += segment::frames_bytes(1, counts);
            if bytes >= SEGMENT_BYTES {
                parts.push(written(results, folder, domain, &std::mem::take(&mut batch), &timing.name, parts.len())?);
                bytes = 0;
            }
        }
        parts.push(written(results, folder, domain, &batch, &timing.name, parts.len())?);
    }
    Ok(parts)
}

/// One segment with rows of one domain.
fn written(
    results: &Results,
    folder: &Folder,
    domain: usize,
    batch: &Batch,
    phases: &[String],
    number: usize,
) -> Result<Part> {
    let path = folder.0.join(format!("s{number:05}.h5"));
    let records = [0, (batch.index.len() + batch.steps.time.len()) as u64];
    let domains = 0..results.domains().len();
    store::create(&path, SCHEMA, 0, |out| {
        segment::head(out, records, Rank::default(), false)?;
        let nothing = Batch::default();
        domains.clone().try_for_each(|k| segment::write(out, k, if k == domain { batch } else { &nothing }, phases))
    })?;
    let file = In::open(&path, FORMAT, MAJOR)?;
    let domains = domains.map(|k| segment::read_index(&file, &base(k))).collect::<Result<_>>()?;
    Ok(Part { file, number: number as u64, records, ranks: 1, domains })
}
