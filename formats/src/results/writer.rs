//! Writing results while a run goes on.

use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use solfec::frame::{Frame, StepRow, NO_BODY};
use solfec::model::{Model, Op, StoredOp};

use super::segment::{self, Batch};
use super::{canonical, master, merge, reader, segment_name, segment_number, stem, Catalogue};
use super::{MASTER_SUFFIX, MODEL_SUFFIX, SCHEMA, SEGMENTS};
use crate::checkpoint;
use crate::error::{Error, Result};
use crate::model::{self, ModelFile, Provenance};
use crate::store;

/// A frame is committed at most this long after it was due …
const LATENCY: Duration = Duration::from_secs(2);
/// … or this part of the elapsed time, whichever is longer.
const LATENCY_PART: f64 = 0.02;
/// A segment is written when this much waits in memory [bytes].
const SEGMENT_BYTES: usize = 64 << 20;

/// How to write.
#[derive(Debug, Clone, Default)]
pub struct Options {
    /// Remove results that are already there.
    pub overwrite: bool,
    /// gzip level 0 .. 9 of large columns; 0: none.
    pub compress: u8,
    /// Names of the phases of a time step whose seconds [`Writer::step`] gets.
    pub phases: Vec<String>,
    /// Of the run itself; stands in the master.
    pub provenance: Provenance,
}

/// A committed segment.
#[derive(Debug, Clone)]
pub(super) struct Segment {
    pub number: u64,
    /// Frames and steps of all domains before it and with it.
    pub records: [u64; 2],
    pub bytes: usize,
    pub domains: Vec<Extent>,
}

/// What a segment holds of a domain.
#[derive(Debug, Clone, Default)]
pub(super) struct Extent {
    /// Index of the first frame, −1: none.
    pub first_frame: i64,
    pub last_frame: i64,
    /// Rows of the tables: frames, rigid, pseudo, constraints, events, steps.
    pub rows: [usize; 6],
}

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

/// One domain of the results.
#[derive(Debug, Default)]
pub(super) struct Domain {
    pub name: String,
    pub catalogue: Catalogue,
    /// Frame index over all segments: (index, time, step count, h, run), then rows of the four tables.
    pub frames: Vec<FrameEntry>,
    /// Time steps given so far.
    pub steps: u64,
    /// Bodies, constraints and loads before the first RUN.
    pub base: [u64; 3],
    /// Operations that acted, as JSON, and the time steps done by then.
    pub program: Vec<(String, u64)>,
    pub runs: Vec<RunRow>,
    batch: Batch,
    /// Seconds of each phase since the previous frame.
    since_frame: Vec<f64>,
}

/// A row of the master's frame index.
#[derive(Debug, Clone, Copy)]
pub(super) struct FrameEntry {
    pub index: u64,
    pub time: f64,
    pub step_count: u64,
    pub h: f64,
    pub run: u32,
    /// Rows in rigid, pseudo, constraints, events.
    pub rows: [usize; 4],
}

/// Writes results into a directory. Frames and steps gather in memory; [`Writer::tick`], called every step, commits
/// them in time; [`Writer::end_run`] commits the rest and merges. Dropping a writer loses what was not committed.
#[derive(Debug)]
pub struct Writer {
    pub(super) dir: PathBuf,
    pub(super) stem: String,
    pub(super) options: Options,
    pub(super) domains: Vec<Domain>,
    pub(super) segments: Vec<Segment>,
    /// The model where it may change, and whether it has since it was written.
    model: Option<ModelFile>,
    changed: bool,
    started: Instant,
    /// Frames and steps given so far.
    pub(super) records: u64,
    /// Bytes that wait.
    waiting: usize,
    /// When the oldest waiting record came.
    oldest: Option<Instant>,
    last_tick: Instant,
    /// Longest recent time between ticks, and the time of the last commit: what must be kept in reserve.
    tick_gap: Duration,
    commit_cost: Duration,
    /// First segment of the current RUN.
    pub(super) run_segment: usize,
}

impl Writer {
    /// Starts results in `dir` (made if need be): writes the model and an empty master. Results that are there are an
    /// error, or removed with `options.overwrite`. The name of the results is the last component of `dir`.
    pub fn create(dir: &Path, model: &ModelFile, options: Options) -> Result<Self> {
        std::fs::create_dir_all(dir.join(SEGMENTS)).map_err(|e| Error::io(dir, "make the directory", &e))?;
        if !options.overwrite && super::exists(dir) {
            let text = format!("{}: holds results; name another directory or allow overwriting", dir.display());
            return Err(Error::Io(text));
        }
        // First what would claim that there is more.
        checkpoint::remove_after(dir, None)?;
        remove_results(dir)?;
        remove_segments(dir)?;
        let mut writer = Writer::empty(dir, model, options);
        writer.extend_catalogues(model);
        writer.put_model(model)?;
        master::write(&writer)?;
        Ok(writer)
    }

    /// Without files.
    pub(super) fn empty(dir: &Path, model: &ModelFile, options: Options) -> Self {
        let now = Instant::now();
        let phases = options.phases.len();
        let domain = |m: &Model| Domain {
            name: m.name.clone(),
            base: [m.inserted_later().start, m.constraints_later().start, m.loads_later().start]
                .map(|rows| rows as u64),
            since_frame: vec![0.0; phases],
            ..Domain::default()
        };
        Writer {
            dir: dir.to_path_buf(),
            stem: stem(dir),
            options,
            domains: model.domains.iter().map(domain).collect(),
            segments: Vec::new(),
            model: None,
            changed: false,
            started: now,
            records: 0,
            waiting: 0,
            oldest: None,
            last_tick: now,
            tick_gap: Duration::ZERO,
            commit_cost: Duration::ZERO,
            run_segment: 0,
        }
    }

    /// The model has grown: writes it again, and lets frames refer to the new bodies.
    pub fn set_model(&mut self, model: ModelFile) {
        self.extend_catalogues(&model);
        (self.model, self.changed) = (Some(model), true);
    }

    /// Keeps the model, which is stored already, for [`Writer::grow`].
    pub fn keep_model(&mut self, model: ModelFile) {
        (self.model, self.changed) = (Some(model), false);
    }

    /// An operation acts on the model that is kept. The model is written again before anything that may refer to new rows;
    /// a RUN or a definition alone is no reason to.
    ///
    /// # Errors
    /// The operation does not fit the model.
    pub fn grow(&mut self, domain: usize, op: Op) -> Result<()> {
        let Some(model) = self.model.as_mut().and_then(|file| file.domains.get_mut(domain)) else { return Ok(()) };
        self.changed |= !matches!(op, Op::Run { .. } | Op::Define(_));
        model.apply(op).map_err(|e| Error::Format(e.to_string()))?;
        if let Some(domain) = self.domains.get_mut(domain) {
            domain.catalogue.extend(model);
        }
        Ok(())
    }

    pub(super) fn extend_catalogues(&mut self, model: &ModelFile) {
        for (domain, m) in self.domains.iter_mut().zip(&model.domains) {
            domain.catalogue.extend(m);
        }
    }

    /// Writes the model if it has changed.
    fn write_model(&mut self) -> Result<()> {
        if let Some(model) = self.model.as_ref().filter(|_| self.changed) {
            self.put_model(model)?;
        }
        self.changed = false;
        Ok(())
    }

    pub(super) fn put_model(&self, model: &ModelFile) -> Result<()> {
        model::write_file(&self.dir.join(format!("{}{MODEL_SUFFIX}", self.stem)), model)
    }

    /// Notes an operation that acts now, after `at_step` time steps. A RUN begins.
    pub fn record(&mut self, domain: usize, op: &StoredOp, at_step: u64) -> Result<()> {
        let text = model::write::op_text(op)?;
        let d = self.domain(domain)?;
        d.program.push((text, at_step));
        if matches!(op, Op::Run { .. }) {
            d.runs.push(RunRow { first_step: at_step, last_step: at_step, reason: String::new(), program_end: None });
        }
        Ok(())
    }

    /// The last RUN goes on with another duration, before it makes a step: its operation is noted anew.
    pub fn replace_run(&mut self, domain: usize, op: &StoredOp) -> Result<()> {
        let text = model::write::op_text(op)?;
        let program = &mut self.domain(domain)?.program;
        let is_run = |text: &str| matches!(model::program::parse(text), Ok(Op::Run { .. }));
        if let Some(row) = program.iter_mut().rev().find(|row| is_run(&row.0)) {
            row.0 = text;
        }
        Ok(())
    }

    fn domain(&mut self, k: usize) -> Result<&mut Domain> {
        let n = self.domains.len();
        let name = &self.stem;
        self.domains.get_mut(k).ok_or_else(|| Error::Format(format!("{name}: domain {k} of {n}")))
    }

    /// Adds a frame. Its rows are brought into the order of the format.
    pub fn append(&mut self, domain: usize, mut frame: Frame) -> Result<()> {
        let bytes = segment::frame_bytes(&frame);
        let d = self.domain(domain)?;
        check_bodies(&frame, d.catalogue.id.len())?;
        canonical::sort(&mut frame, &d.catalogue);
        let bodies = frame.rigid.body.iter().chain(&frame.pseudo.body);
        d.catalogue.observe(frame.index, bodies);
        d.frames.push(FrameEntry {
            index: frame.index,
            time: frame.time,
            step_count: frame.step_count,
            h: frame.h,
            run: frame.run,
            rows: [frame.rigid.body.len(), frame.pseudo.body.len(), frame.constraints.id.len(), frame.events.len()],
        });
        if let Some(run) = d.runs.last_mut() {
            run.last_step = frame.step_count;
        }
        d.batch.frames.push(frame);
        d.batch.frame_seconds.extend_from_slice(&d.since_frame);
        d.since_frame.fill(0.0);
        self.waits(bytes);
        Ok(())
    }

    /// Adds a row of the step log; `seconds` of each phase of the step. Call it before [`Writer::append`] of the frame
    /// that ends with the step.
    pub fn step(&mut self, domain: usize, row: StepRow, seconds: &[f64]) -> Result<()> {
        let wall = self.started.elapsed().as_secs_f64();
        let phases = self.options.phases.len();
        if seconds.len() != phases {
            let text = format!("{}: {} timings of {phases} phases", self.stem, seconds.len());
            return Err(Error::Format(text));
        }
        let d = self.domain(domain)?;
        d.batch.steps.push(row);
        d.steps += 1;
        d.batch.step_seconds.extend_from_slice(seconds);
        d.batch.step_seconds.push(wall);
        for (sum, s) in d.since_frame.iter_mut().zip(seconds) {
            *sum += s;
        }
        self.waits(segment::step_bytes(phases));
        Ok(())
    }

    fn waits(&mut self, bytes: usize) {
        self.records += 1;
        self.waiting += bytes;
        self.oldest.get_or_insert_with(Instant::now);
    }

    /// Whether what waits must be committed now so that a reader sees it in time, the next tick included.
    pub fn due(&self) -> bool {
        let Some(oldest) = self.oldest else { return false };
        let allowed = LATENCY.max(self.started.elapsed().mul_f64(LATENCY_PART));
        self.waiting >= SEGMENT_BYTES || oldest.elapsed() + self.tick_gap + self.commit_cost >= allowed
    }

    /// Call once each step: commits when it is due. Returns whether it did.
    pub fn tick(&mut self) -> Result<bool> {
        let gap = self.last_tick.elapsed();
        self.last_tick = Instant::now();
        self.tick_gap = gap.max(self.tick_gap / 2);
        let due = self.due();
        if due {
            self.flush()?;
        }
        Ok(due)
    }

    /// Commits everything that waits.
    pub fn flush(&mut self) -> Result<()> {
        let begun = Instant::now();
        self.write_model()?;
        if self.domains.iter().any(|d| !d.batch.is_empty()) {
            self.commit_segment()?;
        }
        master::write(self)?;
        self.commit_cost = begun.elapsed();
        Ok(())
    }

    fn commit_segment(&mut self) -> Result<()> {
        let number = self.segments.last().map_or(0, |s| s.number + 1);
        let before = self.segments.last().map_or(0, |s| s.records[1]);
        let records = [before, self.records];
        let path = self.dir.join(segment_name(number));
        store::create(&path, SCHEMA, self.options.compress, |out| {
            segment::head(out, records)?;
            for (k, d) in self.domains.iter().enumerate() {
                segment::write(out, k, &d.batch, &self.options.phases)?;
            }
            Ok(())
        })?;
        let domains = self.domains.iter_mut().map(|d| extent(&std::mem::take(&mut d.batch))).collect();
        self.segments.push(Segment { number, records, bytes: std::mem::take(&mut self.waiting), domains });
        self.oldest = None;
        Ok(())
    }

    /// The end of the job: everything is committed, with the complete record of the run.
    pub fn finish(&mut self, provenance: Provenance) -> Result<()> {
        self.options.provenance = provenance;
        self.flush()
    }

    /// Frames, steps and operations of a domain given so far, committed or not.
    pub fn counts(&self, domain: usize) -> (u64, u64, usize) {
        self.domains.get(domain).map_or((0, 0, 0), |d| (d.frames.len() as u64, d.steps, d.program.len()))
    }

    /// A RUN is over, for "done" or for what stopped it; operations may follow before [`Writer::end_run`].
    pub fn run_over(&mut self, domain: usize, reason: &str) -> Result<()> {
        let d = self.domain(domain)?;
        let program = d.program.len();
        if let Some(run) = d.runs.last_mut().filter(|run| run.program_end.is_none()) {
            run.reason = reason.into();
            run.program_end = Some(program);
        }
        Ok(())
    }

    /// The end of a RUN: commits what waits and merges the segments of the run. `reason` as of [`Writer::run_over`], which
    /// counts if it was called before.
    pub fn end_run(&mut self, domain: usize, reason: &str) -> Result<()> {
        self.run_over(domain, reason)?;
        self.flush()?;
        self.run_segment = merge::run(self, self.run_segment)?;
        Ok(())
    }
}

fn check_bodies(frame: &Frame, n: usize) -> Result<()> {
    let c = &frame.constraints;
    let slaves = c.slave.iter().filter(|&&s| s != NO_BODY);
    let rows = frame.rigid.body.iter().chain(&frame.pseudo.body).chain(&c.master).chain(slaves);
    match rows.copied().find(|&b| b as usize >= n) {
        Some(b) => Err(Error::Format(format!(
            "frame {}: body row {b}, but the catalogue has {n}; the model must be set first",
            frame.index
        ))),
        None => Ok(()),
    }
}

fn extent(batch: &Batch) -> Extent {
    let index = |f: Option<&Frame>| f.map_or(-1, |f| f.index as i64);
    let sum = |of: fn(&Frame) -> usize| batch.frames.iter().map(of).sum();
    Extent {
        first_frame: index(batch.frames.first()),
        last_frame: index(batch.frames.last()),
        rows: [
            batch.frames.len(),
            sum(|f| f.rigid.body.len()),
            sum(|f| f.pseudo.body.len()),
            sum(|f| f.constraints.id.len()),
            sum(|f| f.events.len()),
            batch.steps.len(),
        ],
    }
}

/// Removes a master and its model.
fn remove_results(dir: &Path) -> Result<()> {
    while let Ok(path) = reader::find_master(dir) {
        let name = path.to_string_lossy().into_owned();
        let model = name.strip_suffix(MASTER_SUFFIX).map(|s| format!("{s}{MODEL_SUFFIX}"));
        std::fs::remove_file(&path).map_err(|e| Error::io(&path, "remove", &e))?;
        if let Some(model) = model.filter(|m| Path::new(m).exists()) {
            std::fs::remove_file(&model).map_err(|e| Error::io(Path::new(&model), "remove", &e))?;
        }
    }
    Ok(())
}

/// Removes all segments, those cut short too.
fn remove_segments(dir: &Path) -> Result<()> {
    let folder = dir.join(SEGMENTS);
    let failed = |e: std::io::Error| Error::io(&folder, "read", &e);
    for entry in std::fs::read_dir(&folder).map_err(failed)? {
        let path = entry.map_err(failed)?.path();
        let name = path.file_name().map(|n| n.to_string_lossy().into_owned()).unwrap_or_default();
        let whole = name.strip_suffix(".part").unwrap_or(&name);
        if segment_number(whole).is_some() {
            std::fs::remove_file(&path).map_err(|e| Error::io(&path, "remove", &e))?;
        }
    }
    Ok(())
}
