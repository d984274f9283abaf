//! Reading results, of a finished, a running or a killed job: what is committed is there, in whole frames.

use std::path::{Path, PathBuf};
use std::sync::OnceLock;

use solfec::frame::{ConstraintRows, Frame};

use super::scan::{self, base, Part};
use super::tables::{Content, FrameTable, BODIES};
use super::{canonical, segment, Catalogue, COMPLETE, FORMAT, MAJOR, MODEL_SUFFIX, SEGMENTS};
use crate::error::{Error, Result};
use crate::model::{self, ModelFile, Provenance};
use crate::store::In;

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

/// Results at the instant they were opened; open again to see more.
#[derive(Debug)]
pub struct Results {
    dir: PathBuf,
    /// One file holds everything.
    packed: bool,
    master: In,
    names: Vec<String>,
    /// Index of each domain: frames that every rank has committed.
    frames: Vec<FrameTable>,
    /// Segments of each rank, in order; or the packed file.
    parts: Vec<Vec<Part>>,
    /// Of each domain, when rows of several ranks are to be sorted.
    order: Vec<OnceLock<Catalogue>>,
    /// Catalogue of each domain where it is not that of the master: of frames that were put together.
    births: Vec<Catalogue>,
}

impl Results {
    /// `path` is the directory, the master in it, or a packed file.
    ///
    /// # Errors
    /// Frames or steps that the master counts are in no segment: how many.
    pub fn open(path: &Path) -> Result<Self> {
        let mut found = Self::open_whole(path);
        for _ in 0..RETRIES {
            // Segments may have been merged under our eyes.
            if !matches!(found, Err(Error::Format(_))) {
                break;
            }
            found = Self::open_whole(path);
        }
        found
    }

    fn open_whole(path: &Path) -> Result<Self> {
        let results = Self::open_partial(path)?;
        results.require_all()?;
        Ok(results)
    }

    /// The same for results whose last segments may be missing.
    pub fn open_partial(path: &Path) -> Result<Self> {
        let meta = std::fs::metadata(path).map_err(|e| Error::io(path, "read results", &e))?;
        let file = if meta.is_dir() { scan::find_master(path)? } else { path.to_path_buf() };
        let dir = match file.parent() {
            Some(p) if !p.as_os_str().is_empty() => p.to_path_buf(),
            _ => PathBuf::from("."),
        };
        Self::with_master(dir, In::open(&file, FORMAT, MAJOR)?)
    }

    /// Packed results in memory; `name` is for messages, as "(standard input)".
    pub fn from_bytes(bytes: Vec<u8>, name: &str) -> Result<Self> {
        let results = Self::with_master(PathBuf::new(), In::memory(bytes, name, FORMAT, MAJOR)?)?;
        if !results.packed {
            let text = "the master of a directory, which means nothing without it; pack it";
            return Err(results.wrong(text.into()));
        }
        Ok(results)
    }

    fn with_master(dir: PathBuf, master: In) -> Result<Self> {
        let names = scan::domain_names(&master)?;
        let packed = master.numbers::<1>("", "packed")?.is_some_and(|[x]| x != 0.0);
        let find = || {
            if packed {
                scan::itself(&master, names.len())
            } else {
                scan::segments(&dir, &master, names.len())
            }
        };
        let parts = find()?;
        let frames = (0..names.len()).map(|domain| index(&parts, domain)).collect();
        let order = names.iter().map(|_| OnceLock::new()).collect();
        Ok(Results { dir, packed, master, names, frames, parts, order, births: Vec::new() })
    }

    /// Refuses results that lack what the master counts.
    fn require_all(&self) -> Result<()> {
        if self.packed {
            return Ok(());
        }
        let counted = segment::records(&self.master)?[1];
        // While they write, other ranks may be behind the first, who writes the master.
        let ranks = if self.is_complete()? { self.parts.len() } else { 1 };
        for (rank, parts) in self.parts.iter().take(ranks).enumerate() {
            let there = parts.last().map_or(0, |p| p.records[1]);
            // Results may have gone on with fewer ranks.
            let with = self.parts[0].iter().rev().find(|p| p.ranks as usize > rank);
            let counted = if rank == 0 { counted } else { with.map_or(0, |p| p.records[1]) };
            if there < counted {
                return Err(self.wrong(self.what_is_missing(rank, counted - there, counted)));
            }
        }
        Ok(())
    }

    fn what_is_missing(&self, rank: usize, records: u64, of: u64) -> String {
        let mut text = format!("{records} of {of} frames and steps are missing");
        if self.parts.len() > 1 {
            text += &format!(" of rank {rank}");
        }
        let folder = self.dir.join(SEGMENTS);
        text += &format!(": segments are gone from {}", folder.display());
        let lost = scan::unfound(&self.dir, &self.master, self.names.len());
        if let Some(first) = lost.first() {
            text += &format!(", {} of them known to the master ({first})", lost.len());
        }
        text + "; put them back, or run again with sf-run -w"
    }

    /// Whether the process that wrote them ended in order: nothing waits, and segments are merged.
    pub fn is_complete(&self) -> Result<bool> {
        Ok(self.master.numbers::<1>("", COMPLETE)?.is_some_and(|[x]| x != 0.0))
    }

    /// Whether one file holds everything.
    pub fn is_packed(&self) -> bool {
        self.packed
    }

    /// Whether numbers of bodies and constraints are in single precision.
    pub fn is_single(&self) -> Result<bool> {
        segment::is_single(&self.master)
    }

    /// How many ranks wrote the results.
    pub fn ranks(&self) -> usize {
        self.parts.len()
    }

    pub(crate) fn master(&self) -> &In {
        &self.master
    }

    /// The master, and the segments of all ranks.
    pub(crate) fn files(&self) -> impl Iterator<Item = &In> {
        let segments = self.parts.iter().flatten().map(|p| &p.file).filter(|_| !self.packed);
        std::iter::once(&self.master).chain(segments)
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

    /// Segment files, rank after rank in the order of their frames, relative to the directory, and the domain's frame
    /// index in each: where the rows of a frame lie, for exports that refer to them.
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
        Ok(self.parts.iter().flatten().map(|p| (name(p), &p.domains[domain])).collect())
    }

    pub(super) fn check(&self, domain: usize) -> Result<()> {
        if domain >= self.names.len() {
            return Err(self.wrong(format!("no domain {domain}, there are {}", self.names.len())));
        }
        Ok(())
    }

    pub(super) fn wrong(&self, text: String) -> Error {
        Error::Format(format!("{}: {text}", self.master.name))
    }

    /// The model of the run.
    pub fn model(&self) -> Result<ModelFile> {
        if self.packed {
            return model::read_within(&self.master, super::MODEL_GROUP);
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
        model::provenance::read(&self.master)
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

    /// The parts of each rank: segments, or the one packed file.
    pub(super) fn parts(&self) -> &[Vec<Part>] {
        &self.parts
    }

    /// The same frames in other segments, of one rank.
    pub(super) fn with_parts(&self, parts: Vec<Part>) -> Result<Results> {
        let parts = vec![parts];
        let frames = (0..self.names.len()).map(|domain| index(&parts, domain)).collect();
        let order = self.names.iter().map(|_| OnceLock::new()).collect();
        // Births and deaths that the master does not know are those of all ranks.
        let births = (0..self.names.len()).map(|domain| self.catalogue(domain)).collect::<Result<_>>()?;
        let (dir, names) = (self.dir.clone(), self.names.clone());
        Ok(Results { dir, packed: self.packed, master: self.master.again(), names, frames, parts, order, births })
    }

    /// Where each rank keeps frame `k`: the part, and the position in it.
    pub(super) fn places(&self, domain: usize, k: usize) -> Result<Vec<(&Part, usize)>> {
        let n = self.frames(domain)?.len();
        if k >= n {
            return Err(self.wrong(format!("no frame {k}, there are {n}")));
        }
        let index = self.frames[domain].index[k];
        let Some((first, others)) = self.parts.split_first() else { return Ok(Vec::new()) };
        let mut found: Vec<_> = place(first, domain, index).into_iter().collect();
        let ranks = found.first().map_or(1, |(part, _)| part.ranks as usize);
        found.extend(others.iter().take(ranks - 1).filter_map(|parts| place(parts, domain, index)));
        Ok(found)
    }

    /// The frame index of the first rank, as far as all ranks have the frames.
    pub(super) fn index_of_first(&self, domain: usize) -> FrameTable {
        let mut own = FrameTable::default();
        self.parts[0].iter().for_each(|part| own.append(&part.domains[domain]));
        own.truncate(self.frames[domain].len());
        own
    }

    /// Frame `k`, counted from 0 in [`Results::frames`].
    pub fn read_frame(&self, domain: usize, k: usize) -> Result<Frame> {
        let places = self.places(domain, k)?;
        let content = self.content(domain, &places, segment::read_content)?;
        let (part, i) = places[0];
        segment::frame(&part.file, &part.domains[domain], i, content)
    }

    /// The constraints of frame `k` alone.
    pub fn read_constraints(&self, domain: usize, k: usize) -> Result<ConstraintRows> {
        let places = self.places(domain, k)?;
        Ok(self.content(domain, &places, segment::read_constraints)?.constraints)
    }

    /// Rows of a frame that several ranks may hold, in the order of the format.
    fn content(
        &self,
        domain: usize,
        places: &[(&Part, usize)],
        read: fn(&In, &str, &FrameTable, usize) -> Result<Content>,
    ) -> Result<Content> {
        let mut all = Content::default();
        for (part, i) in places {
            all.append(&mut read(&part.file, &base(domain), &part.domains[domain], *i)?);
        }
        if places.len() > 1 {
            canonical::sort(&mut all, self.order(domain)?);
        }
        Ok(all)
    }

    fn order(&self, domain: usize) -> Result<&Catalogue> {
        if let Some(found) = self.order[domain].get() {
            return Ok(found);
        }
        let catalogue = self.known_catalogue(domain)?;
        Ok(self.order[domain].get_or_init(|| catalogue))
    }

    /// Catalogue rows of the bodies in frame `k`.
    pub(super) fn bodies(&self, domain: usize, k: usize) -> Result<Vec<u32>> {
        let mut bodies: Vec<u32> = Vec::new();
        for (part, i) in self.places(domain, k)? {
            for of in BODIES {
                let rows = part.domains[domain].rows(of, i);
                bodies.append(&mut part.file.get_rows(&base(domain), &of.path("body"), rows)?);
            }
        }
        Ok(bodies)
    }

    /// All bodies there ever were; births and deaths in frames beyond the master are counted too.
    pub fn catalogue(&self, domain: usize) -> Result<Catalogue> {
        self.check(domain)?;
        if let Some(gathered) = self.births.get(domain) {
            return Ok(gathered.clone());
        }
        let mut catalogue = self.known_catalogue(domain)?;
        self.observe(domain, &mut catalogue, self.frames[domain].len())?;
        Ok(catalogue)
    }

    /// The catalogue of the master.
    pub(super) fn known_catalogue(&self, domain: usize) -> Result<Catalogue> {
        let mut catalogue = Catalogue::default();
        self.master.get_table(&base(domain), &mut catalogue)?;
        Ok(catalogue)
    }

    /// Records births and deaths in those of the first `frames` that the master does not know; with several ranks it
    /// knows those of the first one only.
    pub(super) fn observe(&self, domain: usize, catalogue: &mut Catalogue, frames: usize) -> Result<()> {
        let mut known = self.master.len(&base(domain), "frames/index")?;
        if self.ranks() > 1 {
            catalogue.forget(i64::MIN);
            known = 0;
        }
        for k in known..frames {
            let mut bodies = self.bodies(domain, k)?;
            // Bodies born beyond the master are not in its catalogue yet.
            bodies.retain(|&b| (b as usize) < catalogue.id.len());
            catalogue.observe(self.frames[domain].index[k], bodies.into_iter());
        }
        Ok(())
    }
}

/// Part and position in it of the frame with this index of a rank.
fn place(parts: &[Part], domain: usize, index: u64) -> Option<(&Part, usize)> {
    parts.iter().find_map(|part| Some((part, part.domains[domain].index.binary_search(&index).ok()?)))
}

/// The frame index over all parts: frames that every rank has.
fn index(ranks: &[Vec<Part>], domain: usize) -> FrameTable {
    let mut all = FrameTable::default();
    let Some((first, others)) = ranks.split_first() else { return all };
    if others.is_empty() {
        first.iter().for_each(|part| all.append(&part.domains[domain]));
        return all;
    }
    all.contiguous = false;
    for part in first {
        let own = &part.domains[domain];
        for i in 0..own.len() {
            let mut counts = own.counts(i);
            for parts in &others[..(part.ranks as usize - 1).min(others.len())] {
                let Some((part, i)) = place(parts, domain, own.index[i]) else { return all };
                counts.iter_mut().zip(part.domains[domain].counts(i)).for_each(|(sum, rows)| *sum += rows);
            }
            all.push(own.frames.row(i), counts);
        }
    }
    all
}
