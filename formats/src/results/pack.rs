//! Packed results: one file with the datasets of the master, plain instead of virtual, and the model inside as
//! `/model`. All frames and bodies, or some of them.

use std::ops::Range;
use std::path::Path;

use super::gathered::{of_one, Folder};
use super::reader::Results;
use super::scan::{base, Part};
use super::tables::{Of, ShapeRows, BODIES, COLUMNS, COLUMNS_OF, OFFSETS, SCHEMA, TABLES};
use super::{master, segment, Catalogue, Rank, MODEL_GROUP};
use crate::error::{Error, Result};
use crate::model::{self, offsets};
use crate::schema::Column;
use crate::store::{self, of_kind, Number, Out};

/// Rows that are copied at once.
const PIECE_ROWS: usize = 1 << 18;

/// What of one domain is packed.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Share {
    pub domain: usize,
    /// Positions of frames, ascending; none: all, and the whole step log.
    pub frames: Option<Vec<usize>>,
    /// For each row of the catalogue whether the body is taken; none: all. Constraints are taken whose bodies all are.
    pub bodies: Option<Vec<bool>>,
}

/// Everything there is.
pub fn everything(results: &Results) -> Vec<Share> {
    (0..results.domains().len()).map(|domain| Share { domain, ..Share::default() }).collect()
}

/// Writes the shares as domains 0, 1, … of one file, which appears whole. `compress`: gzip level of large columns, 0:
/// none.
pub fn pack(results: &Results, shares: &[Share], path: &Path, compress: u8) -> Result<()> {
    if results.ranks() > 1 {
        let beside = path.parent().filter(|p| !p.as_os_str().is_empty()).unwrap_or(Path::new("."));
        let folder = Folder::inside(beside)?;
        return pack(&of_one(results, &folder)?, shares, path, compress);
    }
    let cuts = cut_all(results, shares)?;
    store::create(path, SCHEMA, compress, |out| write(out, results, &cuts))
}

/// Writes the packed file as the master of the directory `dir`, which then is results.
pub fn pack_in(results: &Results, shares: &[Share], dir: &Path, compress: u8) -> Result<()> {
    std::fs::create_dir_all(dir).map_err(|e| Error::io(dir, "make the directory", &e))?;
    pack(results, shares, &super::master_path(dir), compress)
}

/// The packed file as bytes, for a pipe. A file that would be larger than `limit` bytes is an error.
pub fn pack_to_bytes(results: &Results, shares: &[Share], limit: u64) -> Result<Vec<u8>> {
    if results.ranks() > 1 {
        let folder = Folder::inside(&std::env::temp_dir())?;
        return pack_to_bytes(&of_one(results, &folder)?, shares, limit);
    }
    let cuts = cut_all(results, shares)?;
    let size: u64 = cuts.iter().map(Cut::bytes).sum();
    if size > limit {
        return Err(Error::Io(format!("{}: {size} bytes of results, but {limit} are allowed", results.name())));
    }
    let mut out = Out::memory(SCHEMA, 0)?;
    write(&mut out, results, &cuts)?;
    crate::image::bytes(&out.file).map_err(|e| Error::Io(format!("cannot take the image of results: {e}")))
}

/// Rows of one part of the results, and which of them are taken.
#[derive(Debug, Clone)]
struct Piece {
    part: usize,
    rows: Range<usize>,
    /// None: all.
    taken: Option<Vec<bool>>,
}

impl Piece {
    fn count(&self) -> usize {
        self.taken.as_ref().map_or(self.rows.len(), |t| t.iter().filter(|&&t| t).count())
    }
}

/// One table of a domain: its rows, and how many belong to each frame.
#[derive(Debug, Default)]
struct Table {
    pieces: Vec<Piece>,
    counts: Vec<usize>,
}

impl Table {
    fn push(&mut self, piece: Piece) {
        self.counts.push(piece.count());
        match self.pieces.last_mut() {
            Some(last)
                if last.part == piece.part && last.rows.end == piece.rows.start && last.rows.len() < PIECE_ROWS =>
            {
                last.rows.end = piece.rows.end;
                if let (Some(all), Some(more)) = (&mut last.taken, piece.taken) {
                    all.extend(more);
                }
            }
            _ => self.pieces.push(piece),
        }
    }

    fn len(&self) -> usize {
        self.counts.iter().sum()
    }
}

/// A share, worked out: the rows of each table.
struct Cut {
    share: Share,
    frames: Table,
    steps: Table,
    tables: [Table; TABLES],
}

impl Cut {
    fn table(&self, rows: &str) -> &Table {
        match rows {
            "F" => &self.frames,
            "T" => &self.steps,
            _ => &self.tables[COLUMNS_OF.iter().position(|columns| columns[0].rows == rows).unwrap_or(0)],
        }
    }

    /// Bytes of the large columns.
    fn bytes(&self) -> u64 {
        let bytes = |c: &Column| self.table(c.rows).len() as u64 * (c.width * c.kind.bytes()) as u64;
        COLUMNS.iter().map(bytes).sum()
    }
}

fn cut_all(results: &Results, shares: &[Share]) -> Result<Vec<Cut>> {
    let parts = &results.parts()[0];
    shares.iter().map(|share| cut(results, parts, share)).collect()
}

fn cut(results: &Results, parts: &[Part], share: &Share) -> Result<Cut> {
    let n = results.frames(share.domain)?.len();
    let positions = share.frames.clone().unwrap_or_else(|| (0..n).collect());
    let mut frames = Table::default();
    let mut tables: [Table; TABLES] = Default::default();
    let mut before = None;
    let starts = starts(parts, share.domain);
    for k in positions {
        let part = starts.partition_point(|&start| start <= k) - 1;
        let i = k - starts[part];
        frames.push(Piece { part, rows: i..i + 1, taken: None });
        for of in [Of::Rigid, Of::Pseudo, Of::Nodal, Of::Nodes, Of::Laws, Of::Chars, Of::Constraints] {
            tables[of as usize].push(taken(parts, share, of, part, i)?);
        }
        // What happened since the frame before that is taken.
        let events = &mut tables[Of::Events as usize];
        let mut count = 0;
        let (first_part, first) = before.unwrap_or((part, i));
        for (p, file) in parts.iter().enumerate().take(part + 1).skip(first_part) {
            let offsets = &file.domains[share.domain].offsets[Of::Events as usize];
            let from = if p == first_part { offsets[first] as usize } else { 0 };
            let to = if p == part { offsets[i + 1] } else { offsets[offsets.len() - 1] } as usize;
            let piece = of_bodies(file, p, share, &["events/body".into()], from..to)?;
            count += piece.count();
            events.push(piece);
            events.counts.pop();
        }
        events.counts.push(count);
        before = Some((part, i + 1));
    }
    Ok(Cut { share: share.clone(), frames, steps: steps(results, parts, share)?, tables })
}

/// Position of the first frame of each part.
fn starts(parts: &[Part], domain: usize) -> Vec<usize> {
    let mut next = 0;
    let start = |part: &Part| {
        let start = next;
        next += part.domains[domain].len();
        start
    };
    parts.iter().map(start).collect()
}

/// Rows of frame `i` of a part in a table of bodies, nodes or constraints.
fn taken(parts: &[Part], share: &Share, of: Of, part: usize, i: usize) -> Result<Piece> {
    let index = &parts[part].domains[share.domain];
    let rows = index.rows(of, i);
    match of {
        Of::Constraints => of_bodies(&parts[part], part, share, &[of.path("master"), of.path("slave")], rows),
        Of::Nodes => {
            let bodies = taken(parts, share, Of::Nodal, part, i)?;
            let Some(bodies_taken) = bodies.taken else { return Ok(Piece { part, rows, taken: None }) };
            let at = base(share.domain);
            let counts: Vec<u32> = parts[part].file.get_rows(&at, &Of::Nodal.path("nodes"), bodies.rows)?;
            let nodes =
                counts.iter().zip(&bodies_taken).flat_map(|(&n, &taken)| std::iter::repeat_n(taken, n as usize));
            Ok(Piece { part, rows, taken: Some(nodes.collect()) })
        }
        Of::Rigid | Of::Pseudo | Of::Nodal | Of::Laws | Of::Chars | Of::Events => {
            of_bodies(&parts[part], part, share, &[of.path("body")], rows)
        }
    }
}

/// Rows whose bodies in all of these columns are taken.
fn of_bodies(from: &Part, part: usize, share: &Share, columns: &[String], rows: Range<usize>) -> Result<Piece> {
    let Some(bodies) = &share.bodies else { return Ok(Piece { part, rows, taken: None }) };
    let inside = |b: &u32| *b == solfec::frame::NO_BODY || bodies.get(*b as usize).copied().unwrap_or(false);
    let mut taken = vec![true; rows.len()];
    // A table without rows may not be in the file.
    for path in columns.iter().filter(|_| !rows.is_empty()) {
        let column: Vec<u32> = from.file.get_rows(&base(share.domain), path, rows.clone())?;
        taken.iter_mut().zip(&column).for_each(|(taken, body)| *taken &= inside(body));
    }
    Ok(Piece { part, rows, taken: Some(taken) })
}

/// The step log: all of it, or from the first frame that is taken to the last.
fn steps(results: &Results, parts: &[Part], share: &Share) -> Result<Table> {
    let mut table = Table::default();
    let span = match &share.frames {
        None => Some((f64::NEG_INFINITY, f64::INFINITY)),
        Some(frames) => {
            let (times, h) = (results.frame_times(share.domain)?, &results.frames(share.domain)?.h);
            // A frame and the step that ends there have the same time up to rounding.
            let slack = |k: usize| 1e-6 * h[k];
            frames.first().zip(frames.last()).map(|(&a, &b)| (times[a] - slack(a), times[b] + slack(b)))
        }
    };
    let Some((first, last)) = span else { return Ok(table) };
    for (part, from) in parts.iter().enumerate() {
        let times: Vec<f64> = from.file.get(&base(share.domain), "steps/time")?;
        let taken = times.iter().map(|t| (first..=last).contains(t)).collect();
        let taken = if share.frames.is_none() { None } else { Some(taken) };
        table.push(Piece { part, rows: 0..times.len(), taken });
    }
    Ok(table)
}

fn write(out: &mut Out, results: &Results, cuts: &[Cut]) -> Result<()> {
    let parts = &results.parts()[0][..];
    let records: usize = cuts.iter().map(|c| c.frames.len() + c.steps.len()).sum();
    segment::head(out, [0, records as u64], Rank::default(), results.is_single()?)?;
    out.set_integers("", "packed", &[1])?;
    model::provenance::write(out, &results.provenance()?)?;
    let mut file = results.model()?;
    file.domains = cuts.iter().map(|c| file.domains[c.share.domain].clone()).collect();
    model::write_within(out, MODEL_GROUP, &file)?;
    for (k, cut) in cuts.iter().enumerate() {
        let at = base(k);
        let from = cut.share.domain;
        let group = out.group(&at)?;
        out.attribute(&group, "name", &results.domains()[from])?;
        out.put_table(&at, &catalogue(results, cut, &file.domains[k])?)?;
        out.put_table(&at, &ShapeRows::default())?;
        let count = |of: Of, i: usize| cut.tables[of as usize].counts[i] as u64;
        let frames = 0..cut.frames.len();
        let bodies = frames.clone().map(|i| BODIES.iter().map(|&of| count(of, i)).sum());
        out.put(&at, "frames/nbod", &bodies.collect::<Vec<u64>>())?;
        out.put(&at, "frames/ncon", &frames.map(|i| count(Of::Constraints, i)).collect::<Vec<_>>())?;
        master::write_program(out, &at, &results.program_texts(from)?, results.base(from)?, &results.runs(from)?)?;
        out.put_table(&at, &results.warnings(from)?)?;
        for column in COLUMNS {
            copy_column(out, parts, cut, &at, column)?;
        }
        copy_timing(out, results, parts, cut, k)?;
    }
    Ok(())
}

/// The catalogue of the whole model; births and deaths in the frames that are taken.
fn catalogue(results: &Results, cut: &Cut, model: &solfec::model::Model) -> Result<Catalogue> {
    let share = &cut.share;
    let mut catalogue = results.catalogue(share.domain)?;
    if share.frames.is_none() && share.bodies.is_none() && catalogue.id.len() == model.bodies.len() {
        return Ok(catalogue);
    }
    catalogue.extend(model);
    catalogue.born_frame.fill(-1);
    catalogue.dead_frame.fill(-1);
    let n = results.frames(share.domain)?.len();
    let positions = share.frames.clone().unwrap_or_else(|| (0..n).collect());
    for (index, &k) in positions.iter().enumerate() {
        let mut bodies = results.bodies(share.domain, k)?;
        bodies.retain(|&b| share.bodies.as_ref().is_none_or(|taken| taken.get(b as usize).copied().unwrap_or(false)));
        catalogue.observe(index as u64, bodies.into_iter());
    }
    Ok(catalogue)
}

fn copy_column(out: &mut Out, parts: &[Part], cut: &Cut, at: &str, c: &Column) -> Result<()> {
    let from = base(cut.share.domain);
    if c.optional && !parts.iter().any(|part| part.file.has(&from, c.path)) {
        return Ok(());
    }
    if let Some(table) = OFFSETS.iter().position(|offsets| offsets.path == c.path) {
        return out.put(at, c.path, &offsets(cut.tables[table].counts.iter().copied()));
    }
    if c.path == "frames/index" {
        return out.put(at, c.path, &(0..cut.frames.len() as u64).collect::<Vec<_>>());
    }
    let to = (at, &from[..], c.path, c.width);
    of_kind!(c.kind, T => copy::<T>(out, parts, to, c.optional, cut.table(c.rows)), text => Ok(()))
}

fn copy_timing(out: &mut Out, results: &Results, parts: &[Part], cut: &Cut, k: usize) -> Result<()> {
    let (at, from) = (format!("/timing/{k}"), format!("/timing/{}", cut.share.domain));
    let phases = results.phases(cut.share.domain)?;
    let q = phases.len();
    copy::<f64>(out, parts, (&at, &from, "frame", q), false, &cut.frames)?;
    copy::<f64>(out, parts, (&at, &from, "step", q + 1), false, &cut.steps)?;
    out.put_text(&at, "name", &phases)
}

/// Copies the rows of a table; `to`: new group, old group, column and its width. Parts may lack an optional column.
fn copy<S: Number>(
    out: &Out,
    parts: &[Part],
    to: (&str, &str, &str, usize),
    optional: bool,
    table: &Table,
) -> Result<()> {
    let (at, from, path, width) = to;
    let mut pieces = table.pieces.iter();
    let next = || {
        let Some(piece) = pieces.find(|piece| !piece.rows.is_empty()).filter(|_| width > 0) else { return Ok(None) };
        let file = &parts[piece.part].file;
        let flat = if optional && !file.has(from, path) {
            vec![S::MISSING; piece.rows.len() * width]
        } else {
            file.read_flat::<S>(from, path, width, Some(piece.rows.clone().into()))?
        };
        let Some(taken) = &piece.taken else { return Ok(Some(flat)) };
        let rows = flat.chunks_exact(width).zip(taken);
        Ok(Some(rows.filter(|(_, &taken)| taken).flat_map(|(row, _)| row).copied().collect()))
    };
    out.put_pieces(at, path, (table.len(), width), next)
}
