//! Packed results: one file with the datasets of the master, plain instead of virtual, and the model inside as `/model`.
//! All frames and bodies, or some of them.

use std::ops::Range;
use std::path::Path;

use super::columns::COLUMNS;
use super::master::{OFFSETS, TABLES};
use super::reader::Results;
use super::{segment, Catalogue, MODEL_GROUP, SCHEMA};
use crate::error::{Error, Result};
use crate::model::{self, write::offsets};
use crate::schema::{Column, Kind};
use crate::store::{self, Out, Scalar};

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

/// Writes the shares as domains 0, 1, … of one file, which appears whole. `compress`: gzip level of large columns, 0: none.
pub fn pack(results: &Results, shares: &[Share], path: &Path, compress: u8) -> Result<()> {
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

/// A share, worked out: the rows of each of [`TABLES`].
struct Cut {
    share: Share,
    tables: [Table; TABLES.len()],
}

impl Cut {
    fn table(&self, rows: &str) -> &Table {
        &self.tables[TABLES.iter().position(|t| *t == rows).unwrap_or(0)]
    }

    /// Bytes of the large columns.
    fn bytes(&self) -> u64 {
        let bytes = |c: &Column| self.table(c.rows).len() as u64 * (c.width * c.kind.bytes()) as u64;
        COLUMNS.iter().map(bytes).sum()
    }
}

fn cut_all(results: &Results, shares: &[Share]) -> Result<Vec<Cut>> {
    shares.iter().map(|share| cut(results, share)).collect()
}

fn cut(results: &Results, share: &Share) -> Result<Cut> {
    let n = results.frames(share.domain)?.len();
    let positions = share.frames.clone().unwrap_or_else(|| (0..n).collect());
    let mut tables: [Table; TABLES.len()] = Default::default();
    let mut before = None;
    for k in positions {
        let (part, i) = results.place(share.domain, k)?;
        let index = results.part(part, share.domain).1;
        tables[0].push(Piece { part, rows: i..i + 1, taken: None });
        for (t, rows) in [(1, &index.row_rigid), (2, &index.row_pseudo), (3, &index.row_con)] {
            tables[t].push(taken(results, share, t, part, rows[i] as usize..rows[i + 1] as usize)?);
        }
        // What happened since the frame before that is taken.
        let mut count = 0;
        let (first_part, first) = before.unwrap_or((part, i));
        for p in first_part..=part {
            let offsets = &results.part(p, share.domain).1.row_event;
            let from = if p == first_part { offsets[first] as usize } else { 0 };
            let to = if p == part { offsets[i + 1] } else { offsets[offsets.len() - 1] } as usize;
            let piece = taken(results, share, 4, p, from..to)?;
            count += piece.count();
            tables[4].push(piece);
            tables[4].counts.pop();
        }
        tables[4].counts.push(count);
        before = Some((part, i + 1));
    }
    tables[5] = steps(results, share)?;
    Ok(Cut { share: share.clone(), tables })
}

/// Rows of a table of bodies, constraints or events.
fn taken(results: &Results, share: &Share, table: usize, part: usize, rows: Range<usize>) -> Result<Piece> {
    let Some(bodies) = &share.bodies else { return Ok(Piece { part, rows, taken: None }) };
    let file = results.part(part, share.domain).0;
    let at = format!("/domains/{}", share.domain);
    let inside = |b: &u32| *b == solfec::frame::NO_BODY || bodies.get(*b as usize).copied().unwrap_or(false);
    let column = |path: &str| -> Result<Vec<u32>> { file.get_rows(&at, path, rows.clone()) };
    let taken = match table {
        1 => column("rigid/body")?.iter().map(inside).collect(),
        2 => column("pseudo/body")?.iter().map(inside).collect(),
        3 => {
            let (masters, slaves) = (column("con/master")?, column("con/slave")?);
            masters.iter().zip(&slaves).map(|(m, s)| inside(m) && inside(s)).collect()
        }
        _ => column("events/body")?.iter().map(inside).collect(),
    };
    Ok(Piece { part, rows, taken: Some(taken) })
}

/// The step log: all of it, or from the first frame that is taken to the last.
fn steps(results: &Results, share: &Share) -> Result<Table> {
    let mut table = Table::default();
    let span = match &share.frames {
        None => Some((f64::NEG_INFINITY, f64::INFINITY)),
        Some(frames) => {
            let (times, h) = (results.frame_times(share.domain)?, &results.frames(share.domain)?.h);
            // A frame and the step that it ends have the same time, but for rounding (conventions.md 10).
            let slack = |k: usize| 1e-6 * h[k];
            frames.first().zip(frames.last()).map(|(&a, &b)| (times[a] - slack(a), times[b] + slack(b)))
        }
    };
    let Some((first, last)) = span else { return Ok(table) };
    for part in 0..results.parts() {
        let times: Vec<f64> =
            results.part(part, share.domain).0.get(&format!("/domains/{}", share.domain), "steps/time")?;
        let taken = times.iter().map(|t| (first..=last).contains(t)).collect();
        let taken = if share.frames.is_none() { None } else { Some(taken) };
        table.push(Piece { part, rows: 0..times.len(), taken });
    }
    Ok(table)
}

fn write(out: &mut Out, results: &Results, cuts: &[Cut]) -> Result<()> {
    let records: usize = cuts.iter().map(|c| c.table("F").len() + c.table("T").len()).sum();
    segment::head(out, [0, records as u64])?;
    out.set_integers("", "packed", &[1])?;
    model::write::provenance(out, &results.provenance()?)?;
    let mut file = results.model()?;
    file.domains = cuts.iter().map(|c| file.domains[c.share.domain].clone()).collect();
    model::write::file(&mut out.within(MODEL_GROUP, model::SCHEMA), &file)?;
    for (k, cut) in cuts.iter().enumerate() {
        let at = format!("/domains/{k}");
        let group = out.group(&at)?;
        out.attribute(&group, "name", &results.domains()[cut.share.domain])?;
        catalogue(results, cut, &file.domains[k])?.write(out, &at)?;
        let sum =
            |a: &Table, b: &Table| a.counts.iter().zip(&b.counts).map(|(a, b)| (a + b) as u64).collect::<Vec<_>>();
        out.put(&at, "frames/nbod", &sum(cut.table("n"), cut.table("p")))?;
        out.put(&at, "frames/ncon", &cut.table("c").counts.iter().map(|&c| c as u64).collect::<Vec<_>>())?;
        results.copy_program(out, cut.share.domain, &at)?;
        for column in COLUMNS {
            copy_column(out, results, cut, &at, column)?;
        }
        copy_timing(out, results, cut, k)?;
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
        catalogue.observe(index as u64, bodies.iter());
    }
    Ok(catalogue)
}

fn copy_column(out: &mut Out, results: &Results, cut: &Cut, at: &str, c: &Column) -> Result<()> {
    if let Some((_, rows)) = OFFSETS.iter().find(|(path, _)| *path == c.path) {
        return out.put(at, c.path, &offsets(cut.table(rows).counts.iter().copied()));
    }
    if c.path == "frames/index" {
        return out.put(at, c.path, &(0..cut.table("F").len() as u64).collect::<Vec<_>>());
    }
    let from = format!("/domains/{}", cut.share.domain);
    let to = (at, &from[..], c.path, c.width);
    let table = cut.table(c.rows);
    match c.kind {
        Kind::U8 => copy::<u8>(out, results, to, table),
        Kind::U32 => copy::<u32>(out, results, to, table),
        Kind::U64 => copy::<u64>(out, results, to, table),
        Kind::I16 => copy::<i16>(out, results, to, table),
        Kind::I32 => copy::<i32>(out, results, to, table),
        Kind::I64 => copy::<i64>(out, results, to, table),
        Kind::F64 => copy::<f64>(out, results, to, table),
        Kind::Text => Ok(()),
    }
}

fn copy_timing(out: &mut Out, results: &Results, cut: &Cut, k: usize) -> Result<()> {
    let (at, from) = (format!("/timing/{k}"), format!("/timing/{}", cut.share.domain));
    let phases = results.phases(cut.share.domain)?;
    let q = phases.len();
    copy::<f64>(out, results, (&at, &from, "frame", q), cut.table("F"))?;
    copy::<f64>(out, results, (&at, &from, "step", q + 1), cut.table("T"))?;
    out.put_text(&at, "name", &phases)
}

/// Copies the rows of a table; `to`: new group, old group, column and its width.
fn copy<S: Scalar>(out: &Out, results: &Results, to: (&str, &str, &str, usize), table: &Table) -> Result<()> {
    let (at, from, path, width) = to;
    let mut pieces = table.pieces.iter();
    let next = || {
        let Some(piece) = pieces.next().filter(|_| width > 0) else { return Ok(None) };
        let file = results.part(piece.part, 0).0;
        let flat = file.read_flat::<S>(from, path, width, Some(piece.rows.clone().into()))?;
        let Some(taken) = &piece.taken else { return Ok(Some(flat)) };
        let rows = flat.chunks_exact(width).zip(taken);
        Ok(Some(rows.filter(|(_, &taken)| taken).flat_map(|(row, _)| row).copied().collect()))
    };
    out.put_pieces(at, path, (table.len(), width), next)
}
