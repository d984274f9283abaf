//! Writing results while a run goes on.

use std::path::Path;
use std::time::{Duration, Instant};

use solfec::frame::{Frame, StepRow, WarningRows, NO_BODY};
use solfec::model::{Model, Op, StoredOp};
use solfec::table::{put_table, take_table};

use super::lock::Lock;
use super::segment::{self, Batch};
use super::stored::{Domain, Extent, RunRow, Segment, Stored};
use super::tables::{Content, SCHEMA};
use super::{canonical, master, merge, scan, segment_number, stem, Options};
use super::{MASTER_SUFFIX, MODEL_SUFFIX, SEGMENTS};
use crate::checkpoint;
use crate::error::{Error, Result};
use crate::model::{self, ModelFile, Provenance};
use crate::store::{self, own_folder};

/// A frame is committed at most this long after it was due …
const LATENCY: Duration = Duration::from_secs(2);
/// … or this part of the elapsed time, whichever is longer.
const LATENCY_PART: f64 = 0.02;
/// A segment is written when this much waits in memory [bytes].
const SEGMENT_BYTES: usize = 64 << 20;

/// What waits of one domain.
#[derive(Debug, Default)]
struct Waiting {
    batch: Batch,
    /// Seconds of each phase since the previous frame.
    since_frame: Vec<f64>,
}

/// Writes results into a directory. Frames and steps gather in memory; [`Writer::tick`], called every step, commits
/// them in time; [`Writer::end_run`] commits the rest and merges. Dropping a writer loses what was not committed.
#[derive(Debug)]
pub struct Writer {
    pub(super) stored: Stored,
    waits: Vec<Waiting>,
    /// The model where it may change.
    model: Option<ModelFile>,
    /// It has more than its file, and frames may refer to that.
    behind: bool,
    changed: bool,
    /// Something was given that the master does not tell yet.
    untold: bool,
    started: Instant,
    /// Frames and steps given so far, and of these in segments.
    pub(super) records: u64,
    pub(super) committed: u64,
    /// Bytes that wait.
    waiting: usize,
    /// When the oldest waiting frame came.
    oldest: Option<Instant>,
    last_tick: Instant,
    /// Longest recent time between ticks, and the time of the last commit: what must be kept in reserve.
    tick_gap: Duration,
    commit_cost: Duration,
    /// First segment of the current RUN.
    pub(super) run_segment: usize,
    /// Nobody else writes here; of several ranks the first one holds it.
    pub(super) lock: Option<Lock>,
}

impl Writer {
    /// Starts results in `dir` (made if need be): writes the model and an empty master. Results that are there are an
    /// error, or removed with `options.overwrite`; of several ranks the first one starts first, and the others take its
    /// catalogues ([`Writer::take_catalogues`]): of their model the head is enough. The name of the results is the last
    /// component of `dir`.
    pub fn create(dir: &Path, model: &ModelFile, options: Options) -> Result<Self> {
        std::fs::create_dir_all(dir).map_err(|e| Error::io(dir, "make the directory", &e))?;
        let lock = if options.rank.number == 0 { Some(Lock::take(dir)?) } else { None };
        Self::create_locked(dir, model, options, lock)
    }

    pub(super) fn create_locked(dir: &Path, model: &ModelFile, options: Options, lock: Option<Lock>) -> Result<Self> {
        let rank = options.rank.number;
        if rank == 0 && !options.overwrite && super::lacks_master(dir) {
            let text = format!(
                "{}: holds segments of results whose master, *{}, is gone; name another directory or use -w to replace \
                 them",
                dir.display(),
                super::MASTER_SUFFIX
            );
            return Err(Error::Io(text));
        }
        own_folder(dir, SEGMENTS)?;
        if rank == 0 {
            if !options.overwrite && super::exists(dir) {
                let text = format!("{}: holds results; name another directory or allow overwriting", dir.display());
                return Err(Error::Io(text));
            }
            // First what would claim that there is more.
            checkpoint::remove_after(dir, None)?;
            remove_results(dir)?;
        }
        remove_segments(dir, rank)?;
        let mut writer = Writer::empty(dir, model, options);
        writer.lock = lock;
        writer.extend_catalogues(model);
        writer.put_model(model)?;
        master::write(&writer.stored)?;
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
            ..Domain::default()
        };
        let waiting = |_: &Model| Waiting { batch: Batch::default(), since_frame: vec![0.0; phases] };
        Writer {
            waits: model.domains.iter().map(waiting).collect(),
            stored: Stored {
                dir: dir.to_path_buf(),
                stem: stem(dir),
                options,
                domains: model.domains.iter().map(domain).collect(),
                segments: Vec::new(),
                next_number: 0,
                complete: false,
            },
            model: None,
            behind: false,
            changed: false,
            untold: false,
            started: now,
            records: 0,
            committed: 0,
            waiting: 0,
            oldest: None,
            last_tick: now,
            tick_gap: Duration::ZERO,
            commit_cost: Duration::ZERO,
            run_segment: 0,
            lock: None,
        }
    }

    /// The model has grown: writes it again, and lets frames refer to the new bodies.
    pub fn set_model(&mut self, model: ModelFile) {
        self.extend_catalogues(&model);
        self.model = Some(model);
        (self.behind, self.changed, self.untold) = (true, true, true);
    }

    /// Keeps the model, which is stored already, for [`Writer::grow`]; of several ranks the first one does.
    pub fn keep_model(&mut self, model: ModelFile) {
        self.model = (self.stored.options.rank.number == 0).then_some(model);
        (self.behind, self.changed) = (false, false);
    }

    /// An operation acts on the model that is kept. The model is written again before anything that may refer to new
    /// rows; a RUN or a definition alone can wait for [`Writer::finish`].
    ///
    /// # Errors
    /// The operation does not fit the model.
    pub fn grow(&mut self, domain: usize, op: Op) -> Result<()> {
        let Some(model) = self.model.as_mut().and_then(|file| file.domains.get_mut(domain)) else {
            if let Op::InsertBodies(bodies) = &op {
                self.domain(domain)?.catalogue.add_new(&bodies.rows);
            }
            return Ok(());
        };
        self.behind = true;
        self.changed |= !matches!(op, Op::Run { .. } | Op::Define(_));
        model.apply(op).map_err(|e| Error::Format(e.to_string()))?;
        if let Some(domain) = self.stored.domains.get_mut(domain) {
            domain.catalogue.extend(model);
            self.untold = true;
        }
        Ok(())
    }

    /// The catalogues of the first of several ranks, for [`Writer::take_catalogues`] of the others.
    pub fn catalogues(&self) -> Vec<u8> {
        let mut bytes = Vec::new();
        self.stored.domains.iter().for_each(|domain| put_table(&domain.catalogue, &mut bytes));
        bytes
    }

    /// The catalogues of the first rank, to whose bodies frames of this one may refer.
    ///
    /// # Errors
    /// Bytes that are no catalogues.
    pub fn take_catalogues(&mut self, mut bytes: &[u8]) -> Result<()> {
        let mut take = |domain: &mut Domain| take_table(&mut domain.catalogue, &mut bytes);
        let taken = self.stored.domains.iter_mut().try_for_each(&mut take);
        let garbled = || Error::Format(format!("{}: the catalogue of the first rank is garbled", self.stored.stem));
        taken.filter(|()| bytes.is_empty()).ok_or_else(garbled)
    }

    pub(super) fn extend_catalogues(&mut self, model: &ModelFile) {
        for (domain, m) in self.stored.domains.iter_mut().zip(&model.domains) {
            domain.catalogue.extend(m);
        }
    }

    /// Writes the model if its file lacks something.
    fn write_model(&mut self) -> Result<()> {
        if let Some(model) = self.model.as_ref().filter(|_| self.behind) {
            self.put_model(model)?;
        }
        (self.behind, self.changed) = (false, false);
        Ok(())
    }

    pub(super) fn put_model(&self, model: &ModelFile) -> Result<()> {
        if self.stored.options.rank.number != 0 {
            return Ok(());
        }
        model::write_file(&self.stored.dir.join(format!("{}{MODEL_SUFFIX}", self.stored.stem)), model)
    }

    /// Notes an operation that acts now, after `at_step` time steps. A RUN begins.
    pub fn record(&mut self, domain: usize, op: &StoredOp, at_step: u64) -> Result<()> {
        let text = model::program::text(op)?;
        let d = self.domain(domain)?;
        d.program.push((text, at_step));
        if matches!(op, Op::Run { .. }) {
            d.runs.push(RunRow { first_step: at_step, last_step: at_step, reason: String::new(), program_end: None });
        }
        Ok(())
    }

    /// The last RUN goes on with another duration, before it makes a step: its operation is noted anew.
    pub fn replace_run(&mut self, domain: usize, op: &StoredOp) -> Result<()> {
        let text = model::program::text(op)?;
        let program = &mut self.domain(domain)?.program;
        let is_run = |text: &str| matches!(model::program::parse(text), Ok(Op::Run { .. }));
        if let Some(row) = program.iter_mut().rev().find(|row| is_run(&row.0)) {
            row.0 = text;
        }
        Ok(())
    }

    /// The warnings of a domain so far.
    pub fn set_warnings(&mut self, domain: usize, rows: WarningRows) -> Result<()> {
        self.domain(domain)?.warnings = rows;
        Ok(())
    }

    /// A domain that is about to change.
    fn domain(&mut self, k: usize) -> Result<&mut Domain> {
        self.untold = true;
        let n = self.stored.domains.len();
        let name = &self.stored.stem;
        self.stored.domains.get_mut(k).ok_or_else(|| Error::Format(format!("{name}: domain {k} of {n}")))
    }

    /// Adds a frame. Its rows are brought into the order of the format.
    pub fn append(&mut self, domain: usize, frame: Frame) -> Result<()> {
        let d = self.domain(domain)?;
        check_bodies(&frame, d.catalogue.id.len())?;
        d.catalogue.observe(frame.index, frame.bodies());
        let row = frame.row();
        let mut content = Content::of(frame);
        canonical::sort(&mut content, &d.catalogue);
        let counts = content.counts();
        d.frames.push(row, counts);
        if let Some(run) = d.runs.last_mut() {
            run.last_step = row.step_count;
        }
        let Waiting { batch, since_frame } = &mut self.waits[domain];
        batch.index.push(row, counts);
        batch.content.append(&mut content);
        batch.frame_seconds.extend_from_slice(since_frame);
        since_frame.fill(0.0);
        self.wait(segment::frames_bytes(1, counts));
        self.oldest.get_or_insert_with(Instant::now);
        Ok(())
    }

    /// Adds a row of the step log; `seconds` of each phase of the step, which ended `now`, and perhaps of more, which are
    /// not kept. Call it before [`Writer::append`] of the frame that ends with the step.
    pub fn step(&mut self, domain: usize, row: StepRow, seconds: &[f64], now: Instant) -> Result<()> {
        let wall = (now - self.started).as_secs_f64();
        let phases = self.stored.options.phases.len();
        let Some(seconds) = seconds.get(..phases) else {
            let text = format!("{}: {} timings of {phases} phases", self.stored.stem, seconds.len());
            return Err(Error::Format(text));
        };
        self.domain(domain)?.steps += 1;
        let Waiting { batch, since_frame } = &mut self.waits[domain];
        batch.steps.push(row);
        batch.step_seconds.extend_from_slice(seconds);
        batch.step_seconds.push(wall);
        for (sum, s) in since_frame.iter_mut().zip(seconds) {
            *sum += s;
        }
        self.wait(segment::step_bytes(phases));
        Ok(())
    }

    fn wait(&mut self, bytes: usize) {
        self.records += 1;
        self.waiting += bytes;
    }

    /// Whether what waits must be committed now so that a reader sees its frames in time, the next tick included. The
    /// log of steps alone waits for a frame, a checkpoint or the end.
    fn due(&self) -> bool {
        let allowed = LATENCY.max((self.last_tick - self.started).mul_f64(LATENCY_PART));
        let late = |oldest| self.last_tick - oldest + self.tick_gap + self.commit_cost >= allowed;
        self.waiting >= SEGMENT_BYTES || self.oldest.is_some_and(late)
    }

    /// Call once each step: commits when it is due `now`. Returns whether it did.
    pub fn tick(&mut self, now: Instant) -> Result<bool> {
        let gap = now - std::mem::replace(&mut self.last_tick, now);
        self.tick_gap = gap.max(self.tick_gap / 2);
        let due = self.due();
        if due {
            self.flush()?;
        }
        Ok(due)
    }

    /// Commits everything that waits.
    pub fn flush(&mut self) -> Result<()> {
        if !self.untold {
            return Ok(());
        }
        let begun = Instant::now();
        self.commit()?;
        master::write(&self.stored)?;
        self.untold = false;
        self.commit_cost = begun.elapsed();
        Ok(())
    }

    /// Writes everything that waits; the master does not refer to it yet.
    fn commit(&mut self) -> Result<()> {
        if self.changed {
            self.write_model()?;
        }
        if self.waits.iter().any(|w| !w.batch.is_empty()) {
            self.commit_segment()?;
        }
        Ok(())
    }

    fn commit_segment(&mut self) -> Result<()> {
        let stored = &mut self.stored;
        let number = stored.new_number();
        let records = [self.committed, self.records];
        let path = stored.dir.join(stored.segment_file(number));
        let options = &stored.options;
        store::create(&path, SCHEMA, options.compress, |out| {
            segment::head(out, records, options.rank, options.single)?;
            for (k, w) in self.waits.iter().enumerate() {
                segment::write(out, k, &w.batch, &options.phases)?;
            }
            Ok(())
        })?;
        let domains = self.waits.iter_mut().map(|w| extent(&std::mem::take(&mut w.batch))).collect();
        let (ranks, bytes) = (options.rank.count, std::mem::take(&mut self.waiting));
        stored.segments.push(Segment { number, records, ranks, bytes, domains });
        self.committed = self.records;
        self.oldest = None;
        Ok(())
    }

    /// The end of the job: everything is committed, with the complete record of the run, and others may write.
    pub fn finish(&mut self, provenance: Provenance) -> Result<()> {
        self.stored.options.provenance = provenance;
        self.commit()?;
        self.write_model()?;
        // Only when no file has two names any more: a complete run is not looked after again.
        merge::number_in_order(&mut self.stored)?;
        self.stored.complete = true;
        master::write(&self.stored)?;
        self.lock = None;
        Ok(())
    }

    /// Frames, steps and operations of a domain given so far, committed or not.
    pub fn counts(&self, domain: usize) -> (u64, u64, usize) {
        self.stored.domains.get(domain).map_or((0, 0, 0), |d| (d.frames.len() as u64, d.steps, d.program.len()))
    }

    /// A RUN is over, for "done" or for what stopped it; operations may follow before [`Writer::end_run`].
    pub fn run_over(&mut self, domain: usize, reason: &str) -> Result<()> {
        let is_over = |d: &Domain| d.runs.last().is_none_or(|run| run.program_end.is_some());
        if self.stored.domains.get(domain).is_some_and(is_over) {
            return Ok(());
        }
        let d = self.domain(domain)?;
        let program = d.program.len();
        if let Some(run) = d.runs.last_mut() {
            (run.reason, run.program_end) = (reason.into(), Some(program));
        }
        Ok(())
    }

    /// The end of a RUN: commits what waits and merges the segments of the run. `reason` as of [`Writer::run_over`],
    /// which counts if it was called before.
    pub fn end_run(&mut self, domain: usize, reason: &str) -> Result<()> {
        self.end_last_run(domain, reason)?;
        self.flush()
    }

    /// The same of the last RUN, before [`Writer::finish`]: readers need not learn of it sooner.
    pub fn end_last_run(&mut self, domain: usize, reason: &str) -> Result<()> {
        self.run_over(domain, reason)?;
        self.commit()?;
        let (segments, told) = merge::run(&mut self.stored, self.run_segment)?;
        (self.run_segment, self.untold) = (segments, self.untold && !told);
        Ok(())
    }
}

fn check_bodies(frame: &Frame, n: usize) -> Result<()> {
    let c = &frame.constraints;
    let slaves = c.slave.iter().filter(|&&s| s != NO_BODY);
    let mut rows = frame.bodies().chain(c.master.iter().chain(slaves).copied());
    match rows.find(|&b| b as usize >= n) {
        Some(b) => Err(Error::Format(format!(
            "frame {}: body row {b}, but the catalogue has {n}; the model must be set first",
            frame.index
        ))),
        None => Ok(()),
    }
}

fn extent(batch: &Batch) -> Extent {
    let index = |frame: Option<&u64>| frame.map_or(-1, |&index| index as i64);
    Extent {
        first_frame: index(batch.index.index.first()),
        last_frame: index(batch.index.index.last()),
        frames: batch.index.len(),
        steps: batch.steps.time.len(),
        rows: batch.content.counts(),
    }
}

/// Removes a master and its model.
fn remove_results(dir: &Path) -> Result<()> {
    while let Ok(path) = scan::find_master(dir) {
        let name = path.to_string_lossy().into_owned();
        let model = name.strip_suffix(MASTER_SUFFIX).map(|s| format!("{s}{MODEL_SUFFIX}"));
        std::fs::remove_file(&path).map_err(|e| Error::io(&path, "remove", &e))?;
        if let Some(model) = model.filter(|m| Path::new(m).exists()) {
            std::fs::remove_file(&model).map_err(|e| Error::io(Path::new(&model), "remove", &e))?;
        }
    }
    Ok(())
}

/// Removes all segments of this rank, those cut short too; the first rank removes those of the others.
fn remove_segments(dir: &Path, rank: u32) -> Result<()> {
    let folder = dir.join(SEGMENTS);
    let failed = |e: std::io::Error| Error::io(&folder, "read", &e);
    for entry in std::fs::read_dir(&folder).map_err(failed)? {
        let path = entry.map_err(failed)?.path();
        let name = path.file_name().map(|n| n.to_string_lossy().into_owned()).unwrap_or_default();
        let whole = name.strip_suffix(".part").unwrap_or(&name);
        if segment_number(whole).is_some_and(|(_, of)| rank == 0 || of == rank) {
            std::fs::remove_file(&path).map_err(|e| Error::io(&path, "remove", &e))?;
        }
    }
    Ok(())
}
