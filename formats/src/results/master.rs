//! The master: catalogue, frame index, program, and virtual datasets over all committed segments.

use solfec::table::Table;

use super::stored::{Domain, RunRow, Segment, Stored};
use super::tables::{BaseRows, PlaceRows, ProgramRows, RunRows, SegmentRows, ShapeRows, COLUMNS, OFFSETS, SCHEMA};
use super::{segment, COMPLETE, MASTER_SUFFIX, MODEL_SUFFIX};
use crate::error::Result;
use crate::model::provenance;
use crate::schema::Column;
use crate::store::{self, of_kind, Number, Out};

/// Writes the master anew and renames it over the old one. That of several ranks is written by the first of them.
pub(super) fn write(w: &Stored) -> Result<()> {
    if w.options.rank.number > 0 {
        return Ok(());
    }
    let path = w.dir.join(format!("{}{MASTER_SUFFIX}", w.stem));
    store::create(&path, SCHEMA, 1, |out| {
        let records = [0, w.segments.last().map_or(0, |s| s.records[1])];
        segment::head(out, records, w.of_most_ranks(), w.options.single)?;
        if w.complete {
            out.set_integers("", COMPLETE, &[1])?;
        }
        let root = out.group("")?;
        let model = format!("{}{MODEL_SUFFIX}", w.stem);
        out.attribute(&root, "model_file", &model)?;
        out.link("model", &model)?;
        provenance::write(out, &w.options.provenance)?;
        for (k, domain) in w.domains.iter().enumerate() {
            write_domain(out, w, k, domain)?;
        }
        Ok(())
    })
}

fn write_domain(out: &mut Out, w: &Stored, k: usize, d: &Domain) -> Result<()> {
    let at = format!("/domains/{k}");
    let group = out.group(&at)?;
    out.attribute(&group, "name", &d.name)?;
    out.put_table(&at, &d.catalogue)?;
    out.put_table(&at, &ShapeRows::default())?;
    frames(out, w, k, d)?;
    out.put_table(&at, &segments(w, k))?;
    write_program(out, &at, &d.program, d.base, &d.runs)?;
    out.put_table(&at, &d.warnings)?;
    // What is optional is of several ranks in the log of steps; elsewhere it is a table that may have no rows.
    let alone = w.of_most_ranks().count == 1;
    let is_empty = |c: &Column| w.segments.iter().all(|s| s.domains[k].count(c.rows) == 0);
    let left_out = |c: &Column| c.optional && if c.path.starts_with("steps/") { alone } else { is_empty(c) };
    for column in COLUMNS.iter().filter(|c| !(c.path.starts_with("frames/") || left_out(c))) {
        put_virtual(out, w, (&at, k), column)?;
    }
    let at = format!("/timing/{k}");
    out.put_text(&at, "name", &w.options.phases)?;
    let phases = w.options.phases.len();
    for (path, symbol, width) in [("frame", "F", phases), ("step", "T", phases + 1)] {
        out.put_virtual::<f64>(&at, path, width, &parts(w, (&at, k), path, symbol))?;
    }
    Ok(())
}

/// Where the rows of a column lie: (file, dataset, rows).
fn parts(w: &Stored, (at, k): (&str, usize), path: &str, symbol: &str) -> Vec<(String, String, usize)> {
    let part = |s: &Segment| (w.segment_file(s.number), format!("{at}/{path}"), s.domains[k].count(symbol));
    w.segments.iter().map(part).collect()
}

fn put_virtual(out: &Out, w: &Stored, at: (&str, usize), c: &Column) -> Result<()> {
    fn of<S: Number>(out: &Out, w: &Stored, at: (&str, usize), c: &Column) -> Result<()> {
        out.put_virtual::<S>(at.0, c.path, c.width, &parts(w, at, c.path, c.rows))
    }
    of_kind!(c.kind, T => of::<T>(out, w, at, c), text => Ok(()))
}

/// The frame index of committed frames; offsets are rows of the virtual datasets.
fn frames(out: &mut Out, w: &Stored, k: usize, d: &Domain) -> Result<()> {
    let at = format!("/domains/{k}");
    let mut committed = d.frames.clone();
    committed.truncate(w.segments.iter().map(|s| s.domains[k].frames).sum());
    let n = committed.len();
    for (column, values) in committed.frames.columns().iter().zip(committed.frames.values()) {
        if column.path.starts_with("frames/") {
            out.put_values(&at, column, values)?;
        }
    }
    for (column, rows) in OFFSETS.iter().zip(&committed.offsets) {
        if !column.optional || rows[n] > 0 {
            out.put(&at, column.path, rows)?;
        }
    }
    let of_segment = |(row, s): (usize, &Segment)| std::iter::repeat_n(row as u32, s.domains[k].frames);
    let places = PlaceRows {
        segment: w.segments.iter().enumerate().flat_map(of_segment).collect(),
        bodies: (0..n).map(|i| committed.bodies(i)).collect(),
        constraints: (0..n).map(|i| committed.constraints(i)).collect(),
    };
    out.put_table(&at, &places)
}

fn segments(w: &Stored, k: usize) -> SegmentRows {
    SegmentRows {
        file: w.segments.iter().map(|s| w.segment_file(s.number)).collect(),
        first_frame: w.segments.iter().map(|s| s.domains[k].first_frame).collect(),
        last_frame: w.segments.iter().map(|s| s.domains[k].last_frame).collect(),
    }
}

/// Operations that acted, and RUNs.
pub(super) fn write_program(
    out: &mut Out,
    at: &str,
    program: &[(String, u64)],
    base: [u64; 3],
    runs: &[RunRow],
) -> Result<()> {
    let program = ProgramRows {
        steps: program.iter().map(|(text, _)| text.clone()).collect(),
        at_step: program.iter().map(|(_, at)| *at).collect(),
    };
    out.put_table(at, &program)?;
    out.put_table(at, &BaseRows { rows: base.to_vec() })?;
    out.put_table(at, &RunRows::of(runs))
}
