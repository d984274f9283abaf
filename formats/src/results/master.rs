//! The master: catalogue, frame index, program, and virtual datasets over all committed segments.

use super::columns::COLUMNS;
use super::writer::{Domain, Writer};
use super::{segment, segment_name, MASTER_SUFFIX, MODEL_SUFFIX, SCHEMA};
use crate::error::Result;
use crate::model::write::{offsets, provenance};
use crate::schema::{Column, Kind};
use crate::store::{self, Out, Scalar};

/// Tables of a segment in the order of [`super::writer::Extent::rows`], by the symbol of their rows.
pub(super) const TABLES: [&str; 6] = ["F", "n", "p", "c", "e", "T"];

/// Columns of offsets, and the symbol of the rows they count.
pub(super) const OFFSETS: [(&str, &str); 4] =
    [("frames/row_rigid", "n"), ("frames/row_pseudo", "p"), ("frames/row_con", "c"), ("frames/row_event", "e")];

/// Writes the master anew and renames it over the old one.
pub(super) fn write(w: &Writer) -> Result<()> {
    let path = w.dir.join(format!("{}{MASTER_SUFFIX}", w.stem));
    store::create(&path, SCHEMA, 1, |out| {
        segment::head(out, [0, w.segments.last().map_or(0, |s| s.records[1])])?;
        let root = out.group("")?;
        let model = format!("{}{MODEL_SUFFIX}", w.stem);
        out.attribute(&root, "model_file", &model)?;
        out.link("model", &model)?;
        provenance(out, &w.options.provenance)?;
        for (k, domain) in w.domains.iter().enumerate() {
            write_domain(out, w, k, domain)?;
        }
        Ok(())
    })
}

fn write_domain(out: &mut Out, w: &Writer, k: usize, d: &Domain) -> Result<()> {
    let at = format!("/domains/{k}");
    let group = out.group(&at)?;
    out.attribute(&group, "name", &d.name)?;
    d.catalogue.write(out, &at)?;
    frames(out, w, k, d)?;
    segments(out, w, k)?;
    program(out, &at, d)?;
    for column in COLUMNS.iter().filter(|c| !c.path.starts_with("frames/")) {
        put_virtual(out, w, (&at, k), column, column.width)?;
    }
    let at = format!("/timing/{k}");
    out.put_text(&at, "name", &w.options.phases)?;
    let phases = w.options.phases.len();
    for (path, table, width) in [("frame", 0, phases), ("step", 5, phases + 1)] {
        out.put_virtual::<f64>(&at, path, width, &parts(w, (&at, k), path, table))?;
    }
    Ok(())
}

/// Where the rows of a column lie: (file, dataset, rows).
fn parts(w: &Writer, (at, k): (&str, usize), path: &str, table: usize) -> Vec<(String, String, usize)> {
    let part = |s: &super::writer::Segment| (segment_name(s.number), format!("{at}/{path}"), s.domains[k].rows[table]);
    w.segments.iter().map(part).collect()
}

fn put_virtual(out: &Out, w: &Writer, at: (&str, usize), c: &Column, width: usize) -> Result<()> {
    fn of<S: Scalar>(out: &Out, w: &Writer, at: (&str, usize), c: &Column, width: usize) -> Result<()> {
        let table = TABLES.iter().position(|t| *t == c.rows).unwrap_or(0);
        out.put_virtual::<S>(at.0, c.path, width, &parts(w, at, c.path, table))
    }
    match c.kind {
        Kind::U8 => of::<u8>(out, w, at, c, width),
        Kind::U32 => of::<u32>(out, w, at, c, width),
        Kind::U64 => of::<u64>(out, w, at, c, width),
        Kind::I16 => of::<i16>(out, w, at, c, width),
        Kind::I32 => of::<i32>(out, w, at, c, width),
        Kind::I64 => of::<i64>(out, w, at, c, width),
        Kind::F64 => of::<f64>(out, w, at, c, width),
        Kind::Text => Ok(()),
    }
}

/// The frame index of committed frames; offsets are rows of the virtual datasets.
fn frames(out: &mut Out, w: &Writer, k: usize, d: &Domain) -> Result<()> {
    let at = format!("/domains/{k}");
    let committed: usize = w.segments.iter().map(|s| s.domains[k].rows[0]).sum();
    let f = &d.frames[..committed];
    out.put(&at, "frames/index", &f.iter().map(|f| f.index).collect::<Vec<_>>())?;
    out.put(&at, "frames/time", &f.iter().map(|f| f.time).collect::<Vec<_>>())?;
    out.put(&at, "frames/step_count", &f.iter().map(|f| f.step_count).collect::<Vec<_>>())?;
    out.put(&at, "frames/h", &f.iter().map(|f| f.h).collect::<Vec<_>>())?;
    out.put(&at, "frames/run", &f.iter().map(|f| f.run).collect::<Vec<_>>())?;
    for (table, name) in ["row_rigid", "row_pseudo", "row_con", "row_event"].iter().enumerate() {
        let rows = offsets(f.iter().map(|f| f.rows[table]));
        out.put(&at, &format!("frames/{name}"), &rows)?;
    }
    let nbod: Vec<u64> = f.iter().map(|f| (f.rows[0] + f.rows[1]) as u64).collect();
    let ncon: Vec<u64> = f.iter().map(|f| f.rows[2] as u64).collect();
    out.put(&at, "frames/nbod", &nbod)?;
    out.put(&at, "frames/ncon", &ncon)?;
    let mut segment = Vec::with_capacity(committed);
    for (row, s) in w.segments.iter().enumerate() {
        segment.extend(std::iter::repeat_n(row as u32, s.domains[k].rows[0]));
    }
    out.put(&at, "frames/segment", &segment)
}

fn segments(out: &mut Out, w: &Writer, k: usize) -> Result<()> {
    let at = format!("/domains/{k}");
    let files: Vec<String> = w.segments.iter().map(|s| segment_name(s.number)).collect();
    let first: Vec<i64> = w.segments.iter().map(|s| s.domains[k].first_frame).collect();
    let last: Vec<i64> = w.segments.iter().map(|s| s.domains[k].last_frame).collect();
    out.put_text(&at, "segments/file", &files)?;
    out.put(&at, "segments/first_frame", &first)?;
    out.put(&at, "segments/last_frame", &last)
}

fn program(out: &mut Out, at: &str, d: &Domain) -> Result<()> {
    let steps: Vec<&str> = d.program.iter().map(|(text, _)| text.as_str()).collect();
    let at_step: Vec<u64> = d.program.iter().map(|(_, at)| *at).collect();
    out.put_text(at, "program/steps", &steps)?;
    out.put(at, "program/at_step", &at_step)?;
    out.put(at, "program/base", &d.base)?;
    let reasons: Vec<&str> = d.runs.iter().map(|r| r.reason.as_str()).collect();
    out.put(at, "runs/first_step", &d.runs.iter().map(|r| r.first_step).collect::<Vec<_>>())?;
    out.put(at, "runs/last_step", &d.runs.iter().map(|r| r.last_step).collect::<Vec<_>>())?;
    out.put_text(at, "runs/reason", &reasons)?;
    let ends = d.runs.iter().map(|r| r.program_end.map_or(-1, |rows| rows as i64));
    out.put(at, "runs/program_end", &ends.collect::<Vec<_>>())
}
