//! Going on with results that are there, from a checkpoint: all beyond it is cut off. A segment that is cut is written
//! anew under another number; then the master refers to what is kept, and only then files are removed, from the end.
//! So whenever the process is killed the master fits files that are there, everything before the checkpoint is
//! present, and the same can be done again.

use std::path::{Path, PathBuf};

use super::lock::Lock;
use super::reader::Results;
use super::scan::{base, find_master, Part};
use super::stored::{Domain, Extent, RunRow, Segment, Stored};
use super::{master, master_path, merge, segment, segment_number, Catalogue, Options, Rank, Writer};
use super::{MASTER_SUFFIX, MODEL_SUFFIX, SEGMENTS};
use crate::checkpoint::{self, Checkpoint};
use crate::error::{Error, Result};
use crate::model::ModelFile;

impl Writer {
    /// Goes on with the results in `dir` from `checkpoint`; what lies beyond it is cut off, as are files without their
    /// final name and newer checkpoints. Without a checkpoint all is cut off. `model` must have the bodies that are
    /// in the frames kept. A RUN that was over is merged.
    ///
    /// Any number of ranks goes on with what any number has written. All of them call this, with the same arguments but
    /// for the number of the rank; `wait` returns when all have called it. Of their model and catalogues see
    /// [`Writer::create`].
    pub fn reopen(
        dir: &Path,
        model: &ModelFile,
        checkpoint: Option<&Checkpoint>,
        options: Options,
        wait: &dyn Fn(),
    ) -> Result<Self> {
        let rank = options.rank;
        let mut lock = None;
        if rank.number == 0 {
            lock = Some(Lock::take(dir)?);
            remove_parts(dir)?;
        }
        let Some(checkpoint) = checkpoint else {
            let options = Options { overwrite: true, ..options };
            if rank.number > 0 {
                wait();
                return Writer::create_locked(dir, model, options, lock);
            }
            let writer = Writer::create_locked(dir, model, options, lock);
            wait();
            return writer;
        };
        wait();
        let found = find_master(dir)?;
        let old = Results::open_partial(dir)?;
        let phases = check(&old, model, checkpoint, &options)?;
        let single = old.is_single()?;
        let mut writer = Writer::empty(dir, model, Options { phases, single, ..options });
        writer.lock = lock;
        for (k, domain) in writer.stored.domains.iter_mut().enumerate() {
            resume_domain(domain, &old, model, checkpoint, (k, rank))?;
        }
        let phases = writer.stored.options.phases.len();
        let own = cuts(&old, checkpoint, phases, rank.number)?;
        // The first rank looks after the segments of those that there are no more.
        let gone = if rank.number == 0 { rank.count..old.ranks() as u32 } else { 0..0 };
        let gone = gone.map(|number| Ok((number, cuts(&old, checkpoint, phases, number)?)));
        let gone = gone.collect::<Result<Vec<_>>>()?;
        drop(old);
        wait();
        if rank.number == 0 {
            checkpoint::remove_after(dir, Some(checkpoint.number()))?;
        }
        for (number, cuts) in gone {
            let rank = Rank { number, ..rank };
            let mut stored = Writer::empty(dir, model, Options { rank, ..writer.stored.options.clone() }).stored;
            remove_all(keep(&mut stored, cuts)?)?;
        }
        let stale = keep(&mut writer.stored, own)?;
        writer.records = checkpoint.frames.iter().chain(&checkpoint.steps).sum();
        writer.committed = writer.records;
        writer.run_segment = first_segment_of_run(&writer.stored, checkpoint);
        writer.extend_catalogues(model);
        wait();
        writer.put_model(model)?;
        master::write(&writer.stored)?;
        wait();
        remove_all(stale)?;
        if rank.number == 0 {
            remove_all(names_before(dir, &found))?;
        }
        if checkpoint.done {
            let first = writer.run_segment;
            (writer.run_segment, _) = merge::run(&mut writer.stored, first)?;
        }
        Ok(writer)
    }
}

/// Master and model of a directory that has been renamed since; none if it has not.
fn names_before(dir: &Path, found: &Path) -> Vec<PathBuf> {
    let model =
        || found.to_str()?.strip_suffix(MASTER_SUFFIX).map(|stem| PathBuf::from(format!("{stem}{MODEL_SUFFIX}")));
    let renamed = found != master_path(dir);
    let both = [model(), Some(found.to_path_buf())].into_iter().flatten();
    both.filter(|path| renamed && path.is_file()).collect()
}

fn remove_all(files: Vec<PathBuf>) -> Result<()> {
    files.into_iter().try_for_each(|path| std::fs::remove_file(&path).map_err(|e| Error::io(&path, "remove", &e)))
}

/// Keeps what `cuts` say of the segments of a rank; its files of all others, in the order of their removal.
fn keep(stored: &mut Stored, cuts: Vec<Cut>) -> Result<Vec<PathBuf>> {
    let there = numbers(&stored.dir.join(SEGMENTS), stored.options.rank.number)?;
    stored.next_number = there.iter().max().map_or(0, |n| n + 1);
    // Leftovers of a merge first: they lie inside of a segment that may become shorter. Then from the end.
    let ordered: Vec<u64> = cuts.iter().map(|c| c.number).collect();
    let leftovers = there.into_iter().filter(|n| !ordered.contains(n));
    let beyond = cuts.iter().rev().filter(|c| c.kept.is_none() || !c.whole).map(|c| c.number);
    let stale: Vec<u64> = leftovers.chain(beyond).collect();
    for cut in cuts {
        let Some(segment) = cut.kept else { continue };
        let segment = if cut.whole { segment } else { merge::join(stored, &[segment])? };
        stored.segments.push(segment);
    }
    Ok(stale.into_iter().map(|number| stored.dir.join(stored.segment_file(number))).collect())
}

/// What becomes of a segment.
struct Cut {
    number: u64,
    kept: Option<Segment>,
    whole: bool,
}

/// Whether the checkpoint can belong to the results; the phases that these time.
fn check(old: &Results, model: &ModelFile, checkpoint: &Checkpoint, options: &Options) -> Result<Vec<String>> {
    let n = old.domains().len();
    let counts = [model.domains.len(), checkpoint.frames.len(), checkpoint.steps.len()];
    if counts != [n; 3] || checkpoint.domain >= n {
        let text = format!(
            "results of {n} domains cannot go on with a model of {} and a checkpoint of {} in domain {}",
            counts[0], counts[1], checkpoint.domain
        );
        return Err(old.wrong(text));
    }
    let timed = old.phases(checkpoint.domain)?;
    for k in 0..n {
        let phases = old.phases(k)?;
        let both = phases.len().min(options.phases.len());
        if phases != timed || phases[..both] != options.phases[..both] {
            return Err(old.wrong(format!("its timings are of {phases:?}, not of {:?}", options.phases)));
        }
        let there = old.frames(k)?.len() as u64;
        if there < checkpoint.frames[k] {
            return Err(old.wrong(format!(
                "{there} frames of domain {k}, but the checkpoint counts {}; it belongs to other results, or segments are missing",
                checkpoint.frames[k]
            )));
        }
    }
    Ok(timed)
}

/// Catalogue, frame index, program and runs of a domain as they were at the checkpoint.
fn resume_domain(
    domain: &mut Domain,
    old: &Results,
    model: &ModelFile,
    checkpoint: &Checkpoint,
    (k, rank): (usize, Rank),
) -> Result<()> {
    let frames = checkpoint.frames[k] as usize;
    domain.catalogue.extend(&model.domains[k]);
    if rank.number == 0 {
        keep_births(&mut domain.catalogue, old, k, frames)?;
        old.observe(k, &mut domain.catalogue, frames)?;
    }
    domain.frames = old.index_of_first(k);
    domain.frames.truncate(frames);
    domain.steps = checkpoint.steps[k];
    if k > checkpoint.domain {
        return Ok(());
    }
    domain.program = old.program_texts(k)?;
    domain.runs = old.runs(k)?;
    domain.warnings = old.warnings(k)?;
    if k == checkpoint.domain {
        domain.warnings.clone_from(&checkpoint.state.warnings);
        let (program, runs) = (checkpoint.program, checkpoint.runs as usize);
        if domain.program.len() < program || domain.runs.len() < runs {
            let text = format!(
                "{} operations and {} RUNs, but the checkpoint counts {program} and {runs}; it belongs to other results",
                domain.program.len(),
                domain.runs.len()
            );
            return Err(old.wrong(text));
        }
        domain.program.truncate(program);
        domain.runs.truncate(runs);
        if let Some(run) = domain.runs.last_mut() {
            let of_run = domain.frames.run.iter().rposition(|&run| run + 1 == checkpoint.runs);
            run.last_step = of_run.map_or(run.first_step, |i| domain.frames.step_count[i]);
            if !checkpoint.done {
                (run.reason, run.program_end) = (String::new(), None);
            }
        }
    }
    Ok(())
}

/// Births and deaths in the first `frames` frames, as far as the master knows them.
fn keep_births(catalogue: &mut Catalogue, old: &Results, k: usize, frames: usize) -> Result<()> {
    let mut known = old.known_catalogue(k)?;
    known.forget(old.frames(k)?.index.get(frames).map_or(i64::MAX, |&index| index as i64));
    for row in 0..known.id.len() {
        if catalogue.id.get(row) == Some(&known.id[row]) {
            (catalogue.born_frame[row], catalogue.dead_frame[row]) = (known.born_frame[row], known.dead_frame[row]);
        } else if known.born_frame[row] >= 0 {
            let text = format!("body {} is in its frames, but not in the model to go on with", known.id[row]);
            return Err(old.wrong(text));
        }
    }
    Ok(())
}

/// What of each segment of a rank is before the checkpoint: all of the first ones, some of one, nothing of the others.
fn cuts(old: &Results, checkpoint: &Checkpoint, phases: usize, rank: u32) -> Result<Vec<Cut>> {
    let mut left = [checkpoint.frames.clone(), checkpoint.steps.clone()];
    let (mut ended, mut all, mut end) = (false, Vec::new(), 0);
    let parts = old.parts();
    for part in parts.get(rank as usize).map_or(&[][..], |parts| parts) {
        // What was written without this rank is in segments of the first.
        for other in parts[0].iter().filter(|p| p.records[0] >= end && p.records[1] <= part.records[0]) {
            (0..other.domains.len()).try_for_each(|k| first_rows(other, k, &mut left).map(drop))?;
        }
        end = part.records[1];
        let extents = (0..part.domains.len()).map(|k| first_rows(part, k, &mut left));
        let domains = extents.collect::<Result<Vec<Extent>>>()?;
        let records: u64 = domains.iter().map(|d| (d.frames + d.steps) as u64).sum();
        let whole = records == part.records[1] - part.records[0];
        if ended && records > 0 {
            return Err(old.wrong("the checkpoint counts other frames and steps; it belongs to other results".into()));
        }
        ended |= !whole;
        let bytes = |d: &Extent| segment::frames_bytes(d.frames, d.rows) + d.steps * segment::step_bytes(phases);
        let kept = (records > 0).then(|| Segment {
            number: part.number,
            records: [part.records[0], part.records[0] + records],
            ranks: part.ranks,
            bytes: domains.iter().map(bytes).sum(),
            domains,
        });
        all.push(Cut { number: part.number, kept, whole });
    }
    // All ranks have the same steps; one that is new has none.
    if let Some(k) = left[1].iter().position(|&n| n > 0).filter(|_| rank == 0) {
        let text = match left[1][k] {
            1 => format!("1 step of domain {k} that the checkpoint counts is missing"),
            n => format!("{n} steps of domain {k} that the checkpoint counts are missing"),
        };
        return Err(old.wrong(text));
    }
    Ok(all)
}

/// The first rows of a segment, as many as are left to keep of the domain.
fn first_rows(part: &Part, k: usize, left: &mut [Vec<u64>; 2]) -> Result<Extent> {
    let t = &part.domains[k];
    let frames = t.len().min(left[0][k] as usize);
    let steps = part.file.len(&base(k), "steps/time")?.min(left[1][k] as usize);
    left[0][k] -= frames as u64;
    left[1][k] -= steps as u64;
    let index = |i: Option<usize>| i.map_or(-1, |i| t.index[i] as i64);
    Ok(Extent {
        first_frame: index((frames > 0).then_some(0)),
        last_frame: index(frames.checked_sub(1)),
        frames,
        steps,
        rows: t.rows_before(frames),
    })
}

/// The first segment with records of the RUN that goes on.
fn first_segment_of_run(w: &Stored, checkpoint: &Checkpoint) -> usize {
    let k = checkpoint.domain;
    let earlier: u64 = (0..k).map(|k| checkpoint.frames[k] + checkpoint.steps[k]).sum();
    let frames = w.domains[k].frames.run.iter().filter(|&run| run + 1 < checkpoint.runs).count() as u64;
    let steps = w.domains[k].runs.last().map_or(0, |run: &RunRow| run.first_step);
    let begin = earlier + frames + steps;
    w.segments.iter().position(|s| s.records[1] > begin).unwrap_or(w.segments.len())
}

/// Numbers of the segments of a rank in a folder, ascending.
fn numbers(folder: &Path, rank: u32) -> Result<Vec<u64>> {
    let found = names(folder)?.into_iter().filter_map(|name| segment_number(&name));
    let mut numbers: Vec<u64> = found.filter(|(_, of)| *of == rank).map(|(number, _)| number).collect();
    numbers.sort_unstable();
    Ok(numbers)
}

fn names(folder: &Path) -> Result<Vec<String>> {
    let failed = |e: std::io::Error| Error::io(folder, "read", &e);
    let entries = match std::fs::read_dir(folder) {
        Ok(entries) => entries,
        Err(e) if e.kind() == std::io::ErrorKind::NotFound => return Ok(Vec::new()),
        Err(e) => return Err(failed(e)),
    };
    entries.map(|e| Ok(e.map_err(failed)?.file_name().to_string_lossy().into_owned())).collect()
}

/// Removes files of ours that a killed process left without their final name.
fn remove_parts(dir: &Path) -> Result<()> {
    for folder in [dir.to_path_buf(), dir.join(SEGMENTS)] {
        for name in names(&folder)? {
            let Some(whole) = name.strip_suffix(".part") else { continue };
            let ours = whole.ends_with(MASTER_SUFFIX) || whole.ends_with(MODEL_SUFFIX);
            if ours || segment_number(whole).is_some() {
                let path = folder.join(&name);
                std::fs::remove_file(&path).map_err(|e| Error::io(&path, "remove", &e))?;
            }
        }
    }
    Ok(())
}
