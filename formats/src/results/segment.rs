//! Segments: immutable files that hold whole frames.

use solfec::frame::{ConstraintRows, Event, EventKind, Frame, PseudoRows, RigidRows, SolverStatistics, StepRow};

use super::{reader::FrameTable, FORMAT, VERSION};
use crate::error::{Error, Result};
use crate::store::{In, Out};

/// What of one domain waits for the next segment.
#[derive(Debug, Default)]
pub(super) struct Batch {
    pub frames: Vec<Frame>,
    pub steps: Vec<StepRow>,
    /// Seconds of each phase since the previous frame, row by row.
    pub frame_seconds: Vec<f64>,
    /// Seconds of each phase and the wall clock, row by row.
    pub step_seconds: Vec<f64>,
}

impl Batch {
    pub fn is_empty(&self) -> bool {
        self.frames.is_empty() && self.steps.is_empty()
    }
}

/// Bytes of a frame in memory and on disk, about.
pub(super) fn frame_bytes(f: &Frame) -> usize {
    frames_bytes([1, f.rigid.body.len(), f.pseudo.body.len(), f.constraints.id.len()])
}

/// Bytes of frames with so many rows in all of (frames, rigid, pseudo, constraints).
pub(super) fn frames_bytes([frames, rigid, pseudo, constraints]: [usize; 4]) -> usize {
    const FRAME: usize = 100;
    const RIGID: usize = 4 + 8 * (3 + 9 + 3 + 3 + 6);
    const PSEUDO: usize = 4 + 8 * (3 + 9 + 3 + 9 + 6);
    const CONSTRAINT: usize = 8 + 1 + 8 + 8 * 24 + 8 * 3 + 2 + 8 + 1 + 32;
    FRAME * frames + RIGID * rigid + PSEUDO * pseudo + CONSTRAINT * constraints
}

/// Bytes of a step row with `phases` timings.
pub(super) fn step_bytes(phases: usize) -> usize {
    std::mem::size_of::<StepRow>() + 8 * (phases + 1)
}

/// Root attributes of a results file. `records`: frames and steps of all domains before it and with it; they order
/// segments, and tell a merged one from its parts.
pub(super) fn head(out: &Out, records: [u64; 2]) -> Result<()> {
    let root = out.group("")?;
    out.attribute(&root, "format", FORMAT)?;
    out.attribute(&root, "format_version", VERSION)?;
    out.attribute(&root, "generator", concat!("Solfec tools ", env!("CARGO_PKG_VERSION")))?;
    out.attribute(&root, "unit_system", "SI")?;
    out.set_integers("", "records", &records)
}

pub(super) fn records(from: &In) -> Result<[u64; 2]> {
    match from.numbers::<2>("", "records")? {
        Some([a, b]) if a >= 0.0 && b >= a => Ok([a as u64, b as u64]),
        _ => Err(Error::format(&from.name, "root attribute 'records' must be two ascending numbers")),
    }
}

/// Writes the columns of one domain.
pub(super) fn write(out: &mut Out, k: usize, batch: &Batch, phases: &[String]) -> Result<()> {
    let at = format!("/domains/{k}");
    let frames = &batch.frames;
    write_frames(out, &at, frames)?;
    write_rigid(out, &at, frames)?;
    write_pseudo(out, &at, frames)?;
    write_constraints(out, &at, frames)?;
    write_events(out, &at, frames)?;
    write_steps(out, &at, &batch.steps)?;
    let at = format!("/timing/{k}");
    out.put_text(&at, "name", phases)?;
    let mut seconds = Some(batch.frame_seconds.clone());
    out.put_pieces(&at, "frame", (frames.len(), phases.len()), || Ok(seconds.take()))?;
    let mut seconds = Some(batch.step_seconds.clone());
    out.put_pieces(&at, "step", (batch.steps.len(), phases.len() + 1), || Ok(seconds.take()))
}

fn each<T>(frames: &[Frame], of: impl Fn(&Frame) -> T) -> Vec<T> {
    frames.iter().map(of).collect()
}

fn gather<'a, T: Copy + 'a>(frames: &'a [Frame], of: impl Fn(&'a Frame) -> &'a Vec<T>) -> Vec<T> {
    frames.iter().flat_map(|f| of(f).iter().copied()).collect()
}

fn offsets(frames: &[Frame], rows: impl Fn(&Frame) -> usize) -> Vec<u64> {
    crate::model::write::offsets(frames.iter().map(rows))
}

fn write_frames(out: &mut Out, at: &str, f: &[Frame]) -> Result<()> {
    out.put(at, "frames/index", &each(f, |f| f.index))?;
    out.put(at, "frames/time", &each(f, |f| f.time))?;
    out.put(at, "frames/step_count", &each(f, |f| f.step_count))?;
    out.put(at, "frames/h", &each(f, |f| f.h))?;
    out.put(at, "frames/run", &each(f, |f| f.run))?;
    out.put(at, "frames/row_rigid", &offsets(f, |f| f.rigid.body.len()))?;
    out.put(at, "frames/row_pseudo", &offsets(f, |f| f.pseudo.body.len()))?;
    out.put(at, "frames/row_con", &offsets(f, |f| f.constraints.id.len()))?;
    out.put(at, "frames/row_event", &offsets(f, |f| f.events.len()))?;
    out.put(at, "solverstat/iters", &each(f, |f| f.statistics.iterations))?;
    out.put(at, "solverstat/merit", &each(f, |f| f.statistics.merit))?;
    out.put(at, "solverstat/error", &each(f, |f| f.statistics.error))
}

fn write_rigid(out: &mut Out, at: &str, f: &[Frame]) -> Result<()> {
    out.put(at, "rigid/body", &gather(f, |f| &f.rigid.body))?;
    out.put(at, "rigid/x", &gather(f, |f| &f.rigid.x))?;
    out.put(at, "rigid/rot", &gather(f, |f| &f.rigid.rot))?;
    out.put(at, "rigid/v", &gather(f, |f| &f.rigid.v))?;
    out.put(at, "rigid/omega", &gather(f, |f| &f.rigid.omega))?;
    out.put(at, "rigid/energy", &gather(f, |f| &f.rigid.energy))
}

fn write_pseudo(out: &mut Out, at: &str, f: &[Frame]) -> Result<()> {
    out.put(at, "pseudo/body", &gather(f, |f| &f.pseudo.body))?;
    out.put(at, "pseudo/x", &gather(f, |f| &f.pseudo.x))?;
    out.put(at, "pseudo/F", &gather(f, |f| &f.pseudo.f))?;
    out.put(at, "pseudo/v", &gather(f, |f| &f.pseudo.v))?;
    out.put(at, "pseudo/Fdot", &gather(f, |f| &f.pseudo.fdot))?;
    out.put(at, "pseudo/energy", &gather(f, |f| &f.pseudo.energy))
}

fn write_constraints(out: &mut Out, at: &str, f: &[Frame]) -> Result<()> {
    out.put(at, "con/id", &gather(f, |f| &f.constraints.id))?;
    out.put(at, "con/kind", &gather(f, |f| &f.constraints.kind))?;
    out.put(at, "con/row", &gather(f, |f| &f.constraints.row))?;
    out.put(at, "con/master", &gather(f, |f| &f.constraints.master))?;
    out.put(at, "con/slave", &gather(f, |f| &f.constraints.slave))?;
    out.put(at, "con/point", &gather(f, |f| &f.constraints.point))?;
    out.put(at, "con/normal", &gather(f, |f| &f.constraints.normal))?;
    out.put(at, "con/tangent1", &gather(f, |f| &f.constraints.tangent1))?;
    out.put(at, "con/tangent2", &gather(f, |f| &f.constraints.tangent2))?;
    out.put(at, "con/R", &gather(f, |f| &f.constraints.r))?;
    out.put(at, "con/U", &gather(f, |f| &f.constraints.u))?;
    out.put(at, "con/V", &gather(f, |f| &f.constraints.v))?;
    out.put(at, "con/force", &gather(f, |f| &f.constraints.force))?;
    out.put(at, "con/gap", &gather(f, |f| &f.constraints.gap))?;
    out.put(at, "con/area", &gather(f, |f| &f.constraints.area))?;
    out.put(at, "con/merit", &gather(f, |f| &f.constraints.merit))?;
    out.put(at, "con/material", &gather(f, |f| &f.constraints.material))?;
    out.put(at, "con/surf", &gather(f, |f| &f.constraints.surf))?;
    out.put(at, "con/state", &gather(f, |f| &f.constraints.state))?;
    out.put(at, "con/aux", &gather(f, |f| &f.constraints.aux))
}

fn write_events(out: &mut Out, at: &str, f: &[Frame]) -> Result<()> {
    let events = gather(f, |f| &f.events);
    let column = |of: fn(&Event) -> u32| events.iter().map(of).collect::<Vec<_>>();
    let times: Vec<f64> = events.iter().map(|e| e.time).collect();
    let kinds: Vec<u8> = events.iter().map(|e| e.kind as u8).collect();
    out.put(at, "events/time", &times)?;
    out.put(at, "events/kind", &kinds)?;
    out.put(at, "events/body", &column(|e| e.body))?;
    out.put(at, "events/parent", &column(|e| e.parent))
}

fn write_steps(out: &mut Out, at: &str, steps: &[StepRow]) -> Result<()> {
    let real = |of: fn(&StepRow) -> f64| steps.iter().map(of).collect::<Vec<_>>();
    let count = |of: fn(&StepRow) -> u64| steps.iter().map(of).collect::<Vec<_>>();
    let iterations: Vec<u32> = steps.iter().map(|s| s.iterations).collect();
    out.put(at, "steps/time", &real(|s| s.time))?;
    out.put(at, "steps/h", &real(|s| s.h))?;
    out.put(at, "steps/ncon", &count(|s| s.constraints))?;
    out.put(at, "steps/nbod", &count(|s| s.bodies))?;
    out.put(at, "steps/iters", &iterations)?;
    out.put(at, "steps/merit", &real(|s| s.merit))?;
    out.put(at, "steps/error", &real(|s| s.error))
}

/// The step log of a segment.
pub(super) fn read_steps(from: &In, at: &str) -> Result<Vec<StepRow>> {
    let time: Vec<f64> = from.get(at, "steps/time")?;
    let h: Vec<f64> = from.get(at, "steps/h")?;
    let ncon: Vec<u64> = from.get(at, "steps/ncon")?;
    let nbod: Vec<u64> = from.get(at, "steps/nbod")?;
    let iters: Vec<u32> = from.get(at, "steps/iters")?;
    let merit: Vec<f64> = from.get(at, "steps/merit")?;
    let error: Vec<f64> = from.get(at, "steps/error")?;
    let n = time.len();
    if [h.len(), ncon.len(), nbod.len(), iters.len(), merit.len(), error.len()] != [n; 6] {
        return Err(Error::format(&from.at(at, "steps"), "columns differ in length"));
    }
    let row = |i: usize| StepRow {
        time: time[i],
        h: h[i],
        constraints: ncon[i],
        bodies: nbod[i],
        iterations: iters[i],
        merit: merit[i],
        error: error[i],
    };
    Ok((0..n).map(row).collect())
}

/// The frame index of a segment, offsets checked against the tables.
pub(super) fn read_index(from: &In, at: &str) -> Result<FrameTable> {
    let t = FrameTable {
        index: from.get(at, "frames/index")?,
        time: from.get(at, "frames/time")?,
        step_count: from.get(at, "frames/step_count")?,
        h: from.get(at, "frames/h")?,
        run: from.get(at, "frames/run")?,
        iterations: from.get(at, "solverstat/iters")?,
        merit: from.get(at, "solverstat/merit")?,
        error: from.get(at, "solverstat/error")?,
        row_rigid: from.get(at, "frames/row_rigid")?,
        row_pseudo: from.get(at, "frames/row_pseudo")?,
        row_con: from.get(at, "frames/row_con")?,
        row_event: from.get(at, "frames/row_event")?,
    };
    let n = t.index.len();
    let lengths = [t.time.len(), t.step_count.len(), t.h.len(), t.run.len()];
    if lengths != [n; 4] || [t.iterations.len(), t.merit.len(), t.error.len()] != [n; 3] {
        return Err(Error::format(&from.at(at, "frames"), "columns differ in length"));
    }
    for (name, rows, table) in [
        ("row_rigid", &t.row_rigid, "rigid/body"),
        ("row_pseudo", &t.row_pseudo, "pseudo/body"),
        ("row_con", &t.row_con, "con/id"),
        ("row_event", &t.row_event, "events/time"),
    ] {
        let total = from.len(at, table)? as u64;
        let ascend = rows.windows(2).all(|w| w[0] <= w[1]);
        if rows.len() != n + 1 || rows[0] != 0 || !ascend || rows[n] != total {
            let text = format!("not offsets of {n} frames into the {total} rows of {table}");
            return Err(Error::format(&from.at(at, &format!("frames/{name}")), text));
        }
    }
    Ok(t)
}

/// Frame `i` of a segment.
pub(super) fn read_frame(from: &In, at: &str, t: &FrameTable, i: usize) -> Result<Frame> {
    let rows = |offsets: &[u64]| offsets[i] as usize..offsets[i + 1] as usize;
    Ok(Frame {
        index: t.index[i],
        time: t.time[i],
        step_count: t.step_count[i],
        h: t.h[i],
        statistics: SolverStatistics { iterations: t.iterations[i], merit: t.merit[i], error: t.error[i] },
        run: t.run[i],
        rigid: read_rigid(from, at, rows(&t.row_rigid).into())?,
        pseudo: read_pseudo(from, at, rows(&t.row_pseudo).into())?,
        nodal: Default::default(),
        nodes: Default::default(),
        constraints: read_constraints(from, at, rows(&t.row_con).into())?,
        events: read_events(from, at, rows(&t.row_event).into())?,
    })
}

use crate::store::Rows;

pub(super) fn read_rigid(from: &In, at: &str, rows: Rows) -> Result<RigidRows> {
    Ok(RigidRows {
        body: from.get_rows(at, "rigid/body", rows)?,
        x: from.get_rows(at, "rigid/x", rows)?,
        rot: from.get_rows(at, "rigid/rot", rows)?,
        v: from.get_rows(at, "rigid/v", rows)?,
        omega: from.get_rows(at, "rigid/omega", rows)?,
        energy: from.get_rows(at, "rigid/energy", rows)?,
    })
}

pub(super) fn read_pseudo(from: &In, at: &str, rows: Rows) -> Result<PseudoRows> {
    Ok(PseudoRows {
        body: from.get_rows(at, "pseudo/body", rows)?,
        x: from.get_rows(at, "pseudo/x", rows)?,
        f: from.get_rows(at, "pseudo/F", rows)?,
        v: from.get_rows(at, "pseudo/v", rows)?,
        fdot: from.get_rows(at, "pseudo/Fdot", rows)?,
        energy: from.get_rows(at, "pseudo/energy", rows)?,
    })
}

pub(super) fn read_constraints(from: &In, at: &str, rows: Rows) -> Result<ConstraintRows> {
    Ok(ConstraintRows {
        id: from.get_rows(at, "con/id", rows)?,
        kind: from.get_rows(at, "con/kind", rows)?,
        row: from.get_rows(at, "con/row", rows)?,
        master: from.get_rows(at, "con/master", rows)?,
        slave: from.get_rows(at, "con/slave", rows)?,
        point: from.get_rows(at, "con/point", rows)?,
        normal: from.get_rows(at, "con/normal", rows)?,
        tangent1: from.get_rows(at, "con/tangent1", rows)?,
        tangent2: from.get_rows(at, "con/tangent2", rows)?,
        r: from.get_rows(at, "con/R", rows)?,
        u: from.get_rows(at, "con/U", rows)?,
        v: from.get_rows(at, "con/V", rows)?,
        force: from.get_rows(at, "con/force", rows)?,
        gap: from.get_rows(at, "con/gap", rows)?,
        area: from.get_rows(at, "con/area", rows)?,
        merit: from.get_rows(at, "con/merit", rows)?,
        material: from.get_rows(at, "con/material", rows)?,
        surf: from.get_rows(at, "con/surf", rows)?,
        state: from.get_rows(at, "con/state", rows)?,
        aux: from.get_rows(at, "con/aux", rows)?,
    })
}

fn read_events(from: &In, at: &str, rows: Rows) -> Result<Vec<Event>> {
    let time: Vec<f64> = from.get_rows(at, "events/time", rows)?;
    let kind: Vec<u8> = from.get_rows(at, "events/kind", rows)?;
    let body: Vec<u32> = from.get_rows(at, "events/body", rows)?;
    let parent: Vec<u32> = from.get_rows(at, "events/parent", rows)?;
    let mut events = Vec::with_capacity(time.len());
    for i in 0..time.len() {
        let kind = EventKind::from_number(kind[i])
            .ok_or_else(|| Error::format(&from.at(at, "events/kind"), format!("unknown kind {}", kind[i])))?;
        events.push(Event { time: time[i], kind, body: body[i], parent: parent[i] });
    }
    Ok(events)
}
