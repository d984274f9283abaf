//! Reading results, of a finished, a running or a killed job: what is committed is there, in whole frames.

use std::path::{Path, PathBuf};

use solfec::frame::{ConstraintRows, Frame, StepRow};
use solfec::model::StoredOp;

use super::{segment, segment_number, Catalogue, RunRow, FORMAT, MAJOR, MASTER_SUFFIX, MODEL_SUFFIX, SEGMENTS};
use crate::error::{Error, Result};
use crate::model::{self, ModelFile, Provenance};
use crate::store::{In, Out};

/// How often the directory is read again when segments are merged under our eyes.
const RETRIES: usize = 5;
/// Opens results.
pub struct Reader;

impl Reader {
    /// `path` is the directory, or the master in it.
    pub fn open(path: &Path) -> Result<Results> {
        Results::open(path)
    }
}

/// The master of the results in a directory.
pub(super) fn find_master(dir: &Path) -> Result<PathBuf> {
    let named = super::master_path(dir);
    if named.is_file() {
        return Ok(named);
    }
    let entries = std::fs::read_dir(dir).map_err(|e| Error::io(dir, "read results", &e))?;
    let mut found: Vec<PathBuf> =
        entries.filter_map(|e| Some(e.ok()?.path())).filter(|p| p.to_string_lossy().ends_with(MASTER_SUFFIX)).collect();
    found.sort();
    match found.len() {
        1 => Ok(found.remove(0)),
        0 => Err(Error::Format(format!("{}: no results here (no file *{MASTER_SUFFIX})", dir.display()))),
        n => Err(Error::Format(format!("{}: {n} files *{MASTER_SUFFIX}; name one", dir.display()))),
    }
}

/// The frame index of one domain: columns of equal length; `row_*` are offsets, one more.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct FrameTable {
    pub index: Vec<u64>,
    /// [s]
    pub time: Vec<f64>,
    pub step_count: Vec<u64>,
    /// [s]
    pub h: Vec<f64>,
    pub run: Vec<u32>,
    pub iterations: Vec<f64>,
    pub merit: Vec<f64>,
    pub error: Vec<f64>,
    pub row_rigid: Vec<u64>,
    pub row_pseudo: Vec<u64>,
    pub row_con: Vec<u64>,
    pub row_event: Vec<u64>,
}

impl FrameTable {
    fn new() -> Self {
        FrameTable {
            row_rigid: vec![0],
            row_pseudo: vec![0],
            row_con: vec![0],
            row_event: vec![0],
            ..FrameTable::default()
        }
    }

    pub fn len(&self) -> usize {
        self.index.len()
    }

    pub fn is_empty(&self) -> bool {
        self.index.is_empty()
    }

    /// Bodies in frame `k`.
    pub fn bodies(&self, k: usize) -> u64 {
        self.row_rigid[k + 1] - self.row_rigid[k] + self.row_pseudo[k + 1] - self.row_pseudo[k]
    }

    /// Constraints in frame `k`.
    pub fn constraints(&self, k: usize) -> u64 {
        self.row_con[k + 1] - self.row_con[k]
    }

    fn append(&mut self, t: &FrameTable) {
        self.index.extend_from_slice(&t.index);
        self.time.extend_from_slice(&t.time);
        self.step_count.extend_from_slice(&t.step_count);
        self.h.extend_from_slice(&t.h);
        self.run.extend_from_slice(&t.run);
        self.iterations.extend_from_slice(&t.iterations);
        self.merit.extend_from_slice(&t.merit);
        self.error.extend_from_slice(&t.error);
        let join = |a: &mut Vec<u64>, b: &[u64]| {
            let base = a.last().copied().unwrap_or(0);
            a.extend(b.iter().skip(1).map(|r| base + r));
        };
        join(&mut self.row_rigid, &t.row_rigid);
        join(&mut self.row_pseudo, &t.row_pseudo);
        join(&mut self.row_con, &t.row_con);
        join(&mut self.row_event, &t.row_event);
    }
}

/// Clock readings [s].
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Timing {
    /// Names of the phases.
    pub name: Vec<String>,
    /// For each frame the seconds in each phase since the previous frame.
    pub frame: Vec<Vec<f64>>,
    /// For each step the seconds in each phase, then the wall clock.
    pub step: Vec<Vec<f64>>,
}

#[derive(Debug)]
struct Part {
    file: In,
    records: [u64; 2],
    /// Index of each domain in this segment.
    domains: Vec<FrameTable>,
}

/// What a segment holds, by domain: its frame index, and the number of its steps.
pub(super) struct Held<'a> {
    pub number: u64,
    pub records: [u64; 2],
    pub frames: &'a [FrameTable],
    pub steps: Vec<usize>,
}

/// Results at the instant they were opened; open again to see more.
#[derive(Debug)]
pub struct Results {
    dir: PathBuf,
    /// One file holds everything.
    packed: bool,
    master: In,
    names: Vec<String>,
    frames: Vec<FrameTable>,
    parts: Vec<Part>,
}

impl Results {
    /// `path` is the directory, the master in it, or a packed file.
    pub fn open(path: &Path) -> Result<Self> {
        let meta = std::fs::metadata(path).map_err(|e| Error::io(path, "read results", &e))?;
        let file = if meta.is_dir() { find_master(path)? } else { path.to_path_buf() };
        let dir = match file.parent() {
            Some(p) if !p.as_os_str().is_empty() => p.to_path_buf(),
            _ => PathBuf::from("."),
        };
        Self::with_master(dir, In::open(&file, FORMAT, MAJOR)?)
    }

    /// Packed results in memory; `name` is for messages, as "(standard input)".
    pub fn from_bytes(bytes: Vec<u8>, name: &str) -> Result<Self> {
        let results = Self::with_master(PathBuf::new(), In::memory(bytes, name, FORMAT, MAJOR)?)?;
        match results.packed {
            true => Ok(results),
            false => Err(results.wrong("the master of a directory, which means nothing without it; pack it".into())),
        }
    }

    fn with_master(dir: PathBuf, master: In) -> Result<Self> {
        let names = domain_names(&master)?;
        let packed = master.numbers::<1>("", "packed")?.is_some_and(|[x]| x != 0.0);
        let find = || if packed { itself(&master, names.len()) } else { scan(&dir, names.len()) };
        let mut parts = find();
        for _ in 0..RETRIES {
            if parts.is_ok() {
                break;
            }
            parts = find();
        }
        let parts = parts?;
        let mut frames = vec![FrameTable::new(); names.len()];
        for part in &parts {
            for (all, t) in frames.iter_mut().zip(&part.domains) {
                all.append(t);
            }
        }
        Ok(Results { dir, packed, master, names, frames, parts })
    }

    /// Whether one file holds everything.
    pub fn is_packed(&self) -> bool {
        self.packed
    }

    pub(crate) fn master(&self) -> &In {
        &self.master
    }

    /// File name of the master, for messages.
    pub fn name(&self) -> &str {
        &self.master.name
    }

    /// Directory of the results.
    pub fn dir(&self) -> &Path {
        &self.dir
    }

    /// Names of the domains.
    pub fn domains(&self) -> &[String] {
        &self.names
    }

    /// Segment files in the order of their frames, relative to the directory, and the domain's frame index in each:
    /// where the rows of a frame lie, for exports that refer to them.
    pub fn segments(&self, domain: usize) -> Result<Vec<(String, &FrameTable)>> {
        self.check(domain)?;
        let name = |p: &Part| {
            let file = Path::new(&p.file.name).file_name().unwrap_or_default().to_string_lossy();
            if self.packed {
                file.into()
            } else {
                format!("{SEGMENTS}/{file}")
            }
        };
        Ok(self.parts.iter().map(|p| (name(p), &p.domains[domain])).collect())
    }

    pub(super) fn check(&self, domain: usize) -> Result<()> {
        match domain < self.names.len() {
            true => Ok(()),
            false => Err(self.wrong(format!("no domain {domain}, there are {}", self.names.len()))),
        }
    }

    pub(super) fn wrong(&self, text: String) -> Error {
        Error::Format(format!("{}: {text}", self.master.name))
    }

    /// The model of the run.
    pub fn model(&self) -> Result<ModelFile> {
        if self.packed {
            return model::read::file(&self.master.within(super::MODEL_GROUP, model::FORMAT, model::MAJOR)?);
        }
        let file = match self.master.text_attribute("", "model_file")? {
            Some(name) => name,
            None => super::stem(&self.dir) + MODEL_SUFFIX,
        };
        if file.contains('/') {
            return Err(self.wrong(format!("root attribute model_file is '{file}', not the name of a file beside it")));
        }
        model::read_file(&self.dir.join(file))
    }

    /// Of the run.
    pub fn provenance(&self) -> Result<Provenance> {
        model::read::provenance(&self.master)
    }

    /// The frame index.
    pub fn frames(&self, domain: usize) -> Result<&FrameTable> {
        self.check(domain)?;
        Ok(&self.frames[domain])
    }

    /// Times of all frames [s].
    pub fn frame_times(&self, domain: usize) -> Result<&[f64]> {
        Ok(&self.frames(domain)?.time)
    }

    /// Number of parts: segments, or the one packed file.
    pub(super) fn parts(&self) -> usize {
        self.parts.len()
    }

    /// A part, and the frame index of the domain in it.
    pub(super) fn part(&self, part: usize, domain: usize) -> (&In, &FrameTable) {
        let part = &self.parts[part];
        (&part.file, &part.domains[domain])
    }

    /// Part and position in it of frame `k`.
    pub(super) fn place(&self, domain: usize, k: usize) -> Result<(usize, usize)> {
        self.check(domain)?;
        let mut i = k;
        for (p, part) in self.parts.iter().enumerate() {
            let n = part.domains[domain].len();
            if i < n {
                return Ok((p, i));
            }
            i -= n;
        }
        Err(self.wrong(format!("no frame {k}, there are {}", self.frames[domain].len())))
    }

    /// Frame `k`, counted from 0 in [`Results::frames`].
    pub fn read_frame(&self, domain: usize, k: usize) -> Result<Frame> {
        let (part, i) = self.place(domain, k)?;
        let (file, index) = self.part(part, domain);
        segment::read_frame(file, &base(domain), index, i)
    }

    /// The constraints of frame `k` alone.
    pub fn read_constraints(&self, domain: usize, k: usize) -> Result<ConstraintRows> {
        let (part, i) = self.place(domain, k)?;
        let (file, index) = self.part(part, domain);
        let rows = index.row_con[i] as usize..index.row_con[i + 1] as usize;
        segment::read_constraints(file, &base(domain), rows.into())
    }

    /// Catalogue rows of the bodies in frame `k`.
    pub(super) fn bodies(&self, domain: usize, k: usize) -> Result<Vec<u32>> {
        let (part, i) = self.place(domain, k)?;
        let (file, index) = self.part(part, domain);
        let mut bodies: Vec<u32> = Vec::new();
        for (path, rows) in [("rigid/body", &index.row_rigid), ("pseudo/body", &index.row_pseudo)] {
            bodies.append(&mut file.get_rows(&base(domain), path, rows[i] as usize..rows[i + 1] as usize)?);
        }
        Ok(bodies)
    }

    /// The step log.
    pub fn steps(&self, domain: usize) -> Result<Vec<StepRow>> {
        self.check(domain)?;
        let mut all = Vec::new();
        for part in &self.parts {
            all.append(&mut segment::read_steps(&part.file, &base(domain))?);
        }
        Ok(all)
    }

    /// Steps made before the first one of the step log: packed results with some frames begin it with the step that ends at
    /// the first of them.
    pub fn steps_before(&self, domain: usize) -> Result<u64> {
        let table = self.frames(domain)?;
        let (Some(&count), Some(&time), Some(&h)) = (table.step_count.first(), table.time.first(), table.h.first())
        else {
            return Ok(0);
        };
        for part in &self.parts {
            let log: Vec<f64> = part.file.get(&base(domain), "steps/time")?;
            if let Some(first) = log.first() {
                // A frame and the step that it ends have the same time, but for rounding (conventions.md 10).
                let same = (first - time).abs() <= 1e-6 * h;
                return Ok(if same { count.saturating_sub(1) } else { 0 });
            }
        }
        Ok(0)
    }

    /// Clock readings.
    pub fn timing(&self, domain: usize) -> Result<Timing> {
        let frame = self.seconds(domain, "frame")?;
        let step = self.seconds(domain, "step")?;
        let rows = |(width, flat): &(usize, Vec<f64>)| match width {
            0 => Vec::new(),
            width => flat.chunks_exact(*width).map(<[f64]>::to_vec).collect(),
        };
        Ok(Timing { name: self.phases(domain)?, frame: rows(&frame), step: rows(&step) })
    }

    /// Names of the phases of a time step that were timed.
    pub fn phases(&self, domain: usize) -> Result<Vec<String>> {
        self.check(domain)?;
        self.master.text(&format!("/timing/{domain}"), "name")
    }

    /// Clock readings of frames (`table` "frame": seconds in each phase since the previous one) or of steps ("step":
    /// seconds in each phase, then the wall clock), row by row, and the numbers in a row.
    pub fn seconds(&self, domain: usize, table: &str) -> Result<(usize, Vec<f64>)> {
        let at = format!("/timing/{domain}");
        let width = self.phases(domain)?.len() + usize::from(table == "step");
        let mut all = Vec::new();
        for part in self.parts.iter().filter(|_| width > 0) {
            all.append(&mut part.file.read_flat(&at, table, width, None)?);
        }
        Ok((width, all))
    }

    /// All bodies there ever were; births and deaths in frames beyond the master are counted too.
    pub fn catalogue(&self, domain: usize) -> Result<Catalogue> {
        self.check(domain)?;
        let mut catalogue = self.known_catalogue(domain)?;
        self.observe(domain, &mut catalogue, self.frames[domain].len())?;
        Ok(catalogue)
    }

    /// The catalogue of the master.
    pub(super) fn known_catalogue(&self, domain: usize) -> Result<Catalogue> {
        Catalogue::read(&self.master, &base(domain))
    }

    /// Notes births and deaths in those of the first `frames` that are beyond the master.
    pub(super) fn observe(&self, domain: usize, catalogue: &mut Catalogue, frames: usize) -> Result<()> {
        let known = self.master.len(&base(domain), "frames/index")?;
        for k in known..frames {
            let mut bodies = self.bodies(domain, k)?;
            // Bodies born beyond the master are not in its catalogue yet.
            bodies.retain(|&b| (b as usize) < catalogue.id.len());
            catalogue.observe(self.frames[domain].index[k], bodies.iter());
        }
        Ok(())
    }

    /// The RUNs so far, as of the last commit.
    pub fn runs(&self, domain: usize) -> Result<Vec<RunRow>> {
        self.check(domain)?;
        let at = base(domain);
        let first: Vec<u64> = self.master.get(&at, "runs/first_step")?;
        let last: Vec<u64> = self.master.get(&at, "runs/last_step")?;
        let reason = self.master.text(&at, "runs/reason")?;
        let ends: Option<Vec<i64>> = self.master.get_if(&at, "runs/program_end")?;
        let ends = ends.unwrap_or_else(|| vec![-1; first.len()]);
        if [last.len(), reason.len(), ends.len()] != [first.len(); 3] {
            return Err(Error::format(&self.master.at(&at, "runs"), "columns differ in length"));
        }
        let row = |(i, reason)| RunRow {
            first_step: first[i],
            last_step: last[i],
            reason,
            program_end: usize::try_from(ends[i]).ok(),
        };
        Ok(reason.into_iter().enumerate().map(row).collect())
    }

    /// Copies the operations and runs as they are to the group `at` of another file.
    pub(super) fn copy_program(&self, out: &mut Out, domain: usize, at: &str) -> Result<()> {
        let from = base(domain);
        for path in ["program/steps", "runs/reason"] {
            out.put_text(at, path, &self.master.text(&from, path)?)?;
        }
        for path in ["program/at_step", "runs/first_step", "runs/last_step"] {
            out.put(at, path, &self.master.get::<u64>(&from, path)?)?;
        }
        if let Some(ends) = self.master.get_if::<i64>(&from, "runs/program_end")? {
            out.put(at, "runs/program_end", &ends)?;
        }
        if let Some(base) = self.base(domain)? {
            out.put(at, "program/base", &base)?;
        }
        Ok(())
    }

    /// Bodies, constraints and loads of the model before the first RUN; `None` in older results. The model file may be newer
    /// than the program, so that its tables do not tell.
    pub fn base(&self, domain: usize) -> Result<Option<[u64; 3]>> {
        self.check(domain)?;
        let base = self.master.get_if::<u64>(&base(domain), "program/base")?;
        Ok(base.and_then(|rows| rows.try_into().ok()))
    }

    /// Operations that acted, and the time steps done by then.
    pub fn program(&self, domain: usize) -> Result<Vec<(StoredOp, u64)>> {
        let parse = |(i, (text, step)): (usize, (String, u64))| {
            let place = self.master.at(&base(domain), "program/steps");
            let op = model::program::parse(&text).map_err(|e| Error::format(&place, format!("row {i}: {e}")))?;
            Ok((op, step))
        };
        self.program_texts(domain)?.into_iter().enumerate().map(parse).collect()
    }

    /// The same as JSON.
    pub(super) fn program_texts(&self, domain: usize) -> Result<Vec<(String, u64)>> {
        self.check(domain)?;
        let texts = self.master.text(&base(domain), "program/steps")?;
        let steps: Vec<u64> = self.master.get(&base(domain), "program/at_step")?;
        Ok(texts.into_iter().zip(steps).collect())
    }

    /// The segments that count, in order.
    pub(super) fn held(&self) -> Result<Vec<Held<'_>>> {
        let number = |p: &Part| {
            let file = Path::new(&p.file.name).file_name().unwrap_or_default().to_string_lossy().into_owned();
            segment_number(&file).ok_or_else(|| self.wrong(format!("{file} is no name of a segment")))
        };
        let steps = |p: &Part| {
            let of = |k: usize| p.file.len(&base(k), "steps/time");
            (0..p.domains.len()).map(of).collect::<Result<Vec<_>>>()
        };
        self.parts
            .iter()
            .map(|p| Ok(Held { number: number(p)?, records: p.records, frames: &p.domains, steps: steps(p)? }))
            .collect()
    }
}

pub(super) fn base(domain: usize) -> String {
    format!("/domains/{domain}")
}

fn domain_names(master: &In) -> Result<Vec<String>> {
    let members = master.members("/domains")?;
    let mut names = Vec::with_capacity(members.len());
    for (k, member) in members.iter().enumerate() {
        if *member != k.to_string() {
            let text = format!("group /domains/{member}: domains must be numbered 0, 1, …");
            return Err(Error::format(&master.name, text));
        }
        let name = master.text_attribute(&base(k), "name")?;
        names.push(name.unwrap_or_else(|| member.clone()));
    }
    Ok(names)
}

/// A packed file is its only part.
fn itself(master: &In, domains: usize) -> Result<Vec<Part>> {
    let tables = (0..domains).map(|k| segment::read_index(master, &base(k))).collect::<Result<_>>()?;
    Ok(vec![Part { file: master.again(), records: segment::records(master)?, domains: tables }])
}

/// The committed segments, without parts of merged ones.
fn scan(dir: &Path, domains: usize) -> Result<Vec<Part>> {
    let folder = dir.join(SEGMENTS);
    let entries = match std::fs::read_dir(&folder) {
        Ok(entries) => entries,
        Err(e) if e.kind() == std::io::ErrorKind::NotFound => return Ok(Vec::new()),
        Err(e) => return Err(Error::io(&folder, "read", &e)),
    };
    let mut files: Vec<(u64, PathBuf)> = entries
        .filter_map(|e| {
            let entry = e.ok()?;
            Some((segment_number(&entry.file_name().to_string_lossy())?, entry.path()))
        })
        .collect();
    files.sort();
    let mut opened = Vec::with_capacity(files.len());
    for (_, path) in &files {
        match In::open(path, FORMAT, MAJOR) {
            Ok(file) => opened.push((segment::records(&file)?, file)),
            // Merged away since the directory was read.
            Err(Error::Io(_)) if !path.exists() => {}
            Err(e) => return Err(e),
        }
    }
    // Where two cover the same frames the longer one counts.
    opened.sort_by_key(|(r, _)| (r[0], std::cmp::Reverse(r[1])));
    let mut parts: Vec<Part> = Vec::with_capacity(opened.len());
    for (records, file) in opened {
        let end = parts.last().map_or(0, |p| p.records[1]);
        if records[1] <= end && !parts.is_empty() {
            continue;
        }
        if records[0] != end {
            let text =
                format!("records {} to {end} are in no segment; a file is missing in {}", records[0], folder.display());
            return Err(Error::format(&file.name, text));
        }
        let tables = (0..domains).map(|k| segment::read_index(&file, &base(k))).collect::<Result<_>>()?;
        parts.push(Part { file, records, domains: tables });
    }
    Ok(parts)
}
