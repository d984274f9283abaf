//! Checkpoint → file.

use solfec::domain::Cuts;
use solfec::frame::EventRows;
use solfec::simulation::State;

use super::tables::{ClockRow, ClockRows, CountRow, CountRows, DomainRows, Job, JobRows, ScheduleRows};
use super::{Checkpoint, FORMAT, VERSION};
use crate::error::Result;
use crate::store::Out;

pub(super) fn head(out: &Out) -> Result<()> {
    let root = out.group("")?;
    out.attribute(&root, "format", FORMAT)?;
    out.attribute(&root, "format_version", VERSION)?;
    out.attribute(&root, "generator", concat!("Solfec tools ", env!("CARGO_PKG_VERSION")))?;
    out.attribute(&root, "unit_system", "SI")
}

/// All columns.
pub(super) fn content(out: &mut Out, c: &Checkpoint) -> Result<()> {
    let mut job = JobRows::default();
    job.push(Job {
        domain: c.domain as u64,
        runs: c.runs,
        run_end: c.run_end,
        done: c.done.into(),
        program: c.program as u64,
    });
    out.put_table("", &job)?;
    out.put_table("", &DomainRows { frames: c.frames.clone(), steps: c.steps.clone() })?;
    scalars(out, &c.state)?;
    for table in c.state.tables() {
        out.put_table("", table)?;
    }
    out.put_table("", &EventRows::of(&c.state.events))
}

fn scalars(out: &mut Out, s: &State) -> Result<()> {
    let mut clock = ClockRows::default();
    clock.push(ClockRow {
        now: s.clock.now,
        h: s.clock.h,
        reference: s.clock.reference,
        steps: s.clock.steps,
        last_h: s.last_h,
        longest_h: s.longest_h,
        warned_step: s.warned_step,
    });
    out.put_table("", &clock)?;
    let mut schedules = ScheduleRows::default();
    std::iter::once(s.output).chain(s.callback).for_each(|schedule| schedules.push(schedule.into()));
    out.put_table("", &schedules)?;
    let mut counts = CountRows::default();
    counts.push(CountRow {
        steps: s.steps,
        frames: s.frames,
        frame_step: s.frame_step.map_or(-1, |step| step as i64),
        runs: s.runs,
        next_constraint: s.next_constraint,
        ranks: s.cuts.as_ref().map_or(1, |cuts| cuts.ranks() as u32),
        iterations: s.statistics.iterations,
        memory: s.memory.numbers(),
        merit: s.statistics.merit,
        error: s.statistics.error,
    });
    out.put_table("", &counts)?;
    out.put_table("", &s.cuts.as_ref().map(Cuts::columns).unwrap_or_default())
}
