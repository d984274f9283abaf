//! Merging at the end of a RUN: few long segments instead of many short ones. A merged segment has a number of its own.
//! Its rename commits it, then the master refers to it, and only then its parts are removed: whenever the process is
//! killed, the master fits files that are there.

use super::stored::{Extent, Segment, Stored};
use super::tables::{COLUMNS, SCHEMA, TIMING};
use super::{master, segment, Rank, FORMAT, MAJOR};
use crate::error::{Error, Result};
use crate::schema::Column;
use crate::store::{self, of_kind, In, Number, Out};

/// Segments are not merged beyond this [bytes].
const MERGED_BYTES: usize = 1 << 30;

/// Merges the segments from `first` on, and with short ones before them, so that many RUNs leave few segments, and
/// writes the master if any were merged. Returns the number of segments now, and whether the master was written.
pub(super) fn run(w: &mut Stored, first: usize) -> Result<(usize, bool)> {
    let mut begin = first.min(w.segments.len());
    let mut bytes: usize = w.segments[begin..].iter().map(|s| s.bytes).sum();
    // A segment before is taken in when it is not much longer than what follows: each byte is copied a few times only.
    while begin > 0 && bytes > 0 && w.segments[begin - 1].bytes <= 2 * bytes {
        begin -= 1;
        bytes += w.segments[begin].bytes;
    }
    let mut old = w.segments.split_off(begin).into_iter().peekable();
    let mut stale = Vec::new();
    while let Some(head) = old.next() {
        let mut parts = vec![head];
        let mut bytes = parts[0].bytes;
        let fits = |p: &Segment, last: &Segment| p.ranks == last.ranks && p.records[0] == last.records[1];
        while let Some(part) = old.next_if(|p| bytes + p.bytes <= MERGED_BYTES && fits(p, &parts[parts.len() - 1])) {
            bytes += part.bytes;
            parts.push(part);
        }
        let merged = if parts.len() > 1 { join(w, &parts)? } else { parts.remove(0) };
        stale.extend(parts.iter().map(|p| p.number));
        w.segments.push(merged);
    }
    let merged = !stale.is_empty();
    if merged {
        master::write(w)?;
    }
    stale.into_iter().try_for_each(|number| remove(w, number))?;
    Ok((w.segments.len(), merged))
}

/// Gives segments the numbers of their places, which do not depend on the clock. A file has both names until the master
/// refers to the new one.
pub(super) fn number_in_order(w: &mut Stored) -> Result<()> {
    while let Some(first) = (0..w.segments.len()).find(|&i| w.segments[i].number != i as u64) {
        let taken = |number: usize| w.segments.iter().any(|s| s.number == number as u64);
        let misplaced = (first..w.segments.len()).filter(|&i| w.segments[i].number != i as u64);
        let mut moves: Vec<(usize, u64)> = misplaced.filter(|&i| !taken(i)).map(|i| (i, i as u64)).collect();
        if moves.is_empty() {
            // Segments that hold each other's numbers: one of them steps aside.
            moves.push((first, w.new_number()));
        }
        let mut old = Vec::new();
        for (i, to) in moves {
            let from = std::mem::replace(&mut w.segments[i].number, to);
            store::also_named(&w.dir.join(w.segment_file(from)), &w.dir.join(w.segment_file(to)))?;
            old.push(from);
        }
        master::write(w)?;
        old.into_iter().try_for_each(|number| remove(w, number))?;
    }
    w.next_number = w.segments.len() as u64;
    Ok(())
}

fn remove(w: &Stored, number: u64) -> Result<()> {
    let path = w.dir.join(w.segment_file(number));
    std::fs::remove_file(&path).map_err(|e| Error::io(&path, "remove", &e))
}

/// Writes the rows that `parts` claim of their files as one segment, under a new number.
pub(super) fn join(w: &mut Stored, parts: &[Segment]) -> Result<Segment> {
    let open = |p: &Segment| In::open(&w.dir.join(w.segment_file(p.number)), FORMAT, MAJOR);
    let files = parts.iter().map(open).collect::<Result<Vec<_>>>()?;
    let records = [parts[0].records[0], parts[parts.len() - 1].records[1]];
    let rank = Rank { number: w.options.rank.number, count: parts[0].ranks };
    let number = w.new_number();
    let path = w.dir.join(w.segment_file(number));
    store::create(&path, SCHEMA, w.options.compress, |out| {
        segment::head(out, records, rank, w.options.single)?;
        for k in 0..w.domains.len() {
            for column in COLUMNS {
                copy_column(out, &files, k, column, parts)?;
            }
            copy_timing(out, &files, k, w, parts)?;
        }
        Ok(())
    })?;
    Ok(Segment {
        number,
        records,
        ranks: rank.count,
        bytes: parts.iter().map(|p| p.bytes).sum(),
        domains: (0..w.domains.len()).map(|k| total(parts, k)).collect(),
    })
}

fn total(parts: &[Segment], k: usize) -> Extent {
    let extents = || parts.iter().map(|p| &p.domains[k]);
    Extent {
        first_frame: extents().map(|e| e.first_frame).find(|&f| f >= 0).unwrap_or(-1),
        last_frame: extents().map(|e| e.last_frame).max().unwrap_or(-1),
        frames: extents().map(|e| e.frames).sum(),
        steps: extents().map(|e| e.steps).sum(),
        rows: std::array::from_fn(|t| extents().map(|e| e.rows[t]).sum()),
    }
}

fn copy_column(out: &mut Out, files: &[In], k: usize, c: &Column, parts: &[Segment]) -> Result<()> {
    let at = format!("/domains/{k}");
    let count = |symbol: &str| parts.iter().map(|p| p.domains[k].count(symbol)).collect::<Vec<_>>();
    if c.optional && !files.iter().any(|file| file.has(&at, c.path)) {
        return Ok(());
    }
    if c.rows == "F + 1" {
        return copy_offsets(out, files, &at, c.path, &count("F"));
    }
    let rows = count(c.rows);
    of_kind!(c.kind, T => copy::<T>(out, files, &at, (c.path, c.width, c.optional), &rows), text => Ok(()))
}

/// The first `rows[i]` rows of file i, one after another; files may lack an optional column.
fn copy<S: Number>(
    out: &Out,
    files: &[In],
    at: &str,
    (path, width, optional): (&str, usize, bool),
    rows: &[usize],
) -> Result<()> {
    let mut pieces = files.iter().zip(rows);
    let next = || {
        // Files of an earlier minor version have no such rows.
        let Some((file, &rows)) = pieces.find(|(_, rows)| **rows > 0) else { return Ok(None) };
        if optional && !file.has(at, path) {
            return Ok(Some(vec![S::MISSING; rows * width]));
        }
        let part = (rows < file.len(at, path)?).then(|| (0..rows).into());
        file.read_flat::<S>(at, path, width, part).map(Some)
    };
    out.put_pieces(at, path, (rows.iter().sum(), width), next)
}

fn copy_offsets(out: &mut Out, files: &[In], at: &str, path: &str, frames: &[usize]) -> Result<()> {
    let mut all = vec![0u64];
    for (file, &frames) in files.iter().zip(frames) {
        let base = all[all.len() - 1];
        let rows: Vec<u64> = if file.has(at, path) { file.get(at, path)? } else { vec![0; frames + 1] };
        all.extend(rows.iter().skip(1).take(frames).map(|r| base + r));
    }
    out.put(at, path, &all)
}

fn copy_timing(out: &mut Out, files: &[In], k: usize, w: &Stored, parts: &[Segment]) -> Result<()> {
    let at = format!("/timing/{k}");
    let phases = w.options.phases.len();
    let rows = |symbol: &str| parts.iter().map(|p| p.domains[k].count(symbol)).collect::<Vec<_>>();
    for column in TIMING {
        match column.path {
            "frame" => copy::<f64>(out, files, &at, ("frame", phases, false), &rows("F"))?,
            "step" => copy::<f64>(out, files, &at, ("step", phases + 1, false), &rows("T"))?,
            name => out.put_text(&at, name, &w.options.phases)?,
        }
    }
    Ok(())
}
