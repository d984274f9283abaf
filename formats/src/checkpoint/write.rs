//! Checkpoint → file.

use solfec::simulation::{ContactColumns, State, TieColumns};

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

/// All columns, in an order that the content hash depends on.
pub(super) fn content(out: &mut Out, c: &Checkpoint) -> Result<()> {
    out.put("", "job/domain", &[c.domain as u64])?;
    out.put("", "job/runs", &[c.runs])?;
    out.put("", "job/run_end", &[c.run_end])?;
    out.put("", "job/done", &[u8::from(c.done)])?;
    out.put("", "job/program", &[c.program as u64])?;
    out.put("", "job/frames", &c.frames)?;
    out.put("", "job/steps", &c.steps)?;
    scalars(out, &c.state)?;
    bodies(out, &c.state)?;
    contacts(out, &c.state.contacts)?;
    ties(out, &c.state.ties)?;
    events(out, &c.state)
}

fn scalars(out: &mut Out, s: &State) -> Result<()> {
    out.put("", "clock/now", &[s.clock.now])?;
    out.put("", "clock/h", &[s.clock.h])?;
    out.put("", "clock/reference", &[s.clock.reference])?;
    out.put("", "clock/steps", &[s.clock.steps])?;
    out.put("", "clock/last_h", &[s.last_h])?;
    let schedules: Vec<_> = std::iter::once(s.output).chain(s.callback).collect();
    out.put("", "schedule/reference", &schedules.iter().map(|s| s.reference).collect::<Vec<_>>())?;
    out.put("", "schedule/interval", &schedules.iter().map(|s| s.interval).collect::<Vec<_>>())?;
    out.put("", "schedule/next", &schedules.iter().map(|s| s.next).collect::<Vec<_>>())?;
    out.put("", "schedule/next_legacy", &schedules.iter().map(|s| s.next_legacy).collect::<Vec<_>>())?;
    out.put("", "count/steps", &[s.steps])?;
    out.put("", "count/frames", &[s.frames])?;
    out.put("", "count/frame_step", &[s.frame_step.map_or(-1, |step| step as i64)])?;
    out.put("", "count/runs", &[s.runs])?;
    out.put("", "count/next_constraint", &[s.next_constraint])?;
    out.put("", "solverstat/iters", &[s.statistics.iterations])?;
    out.put("", "solverstat/merit", &[s.statistics.merit])?;
    out.put("", "solverstat/error", &[s.statistics.error])
}

fn bodies(out: &mut Out, s: &State) -> Result<()> {
    out.put("", "rigid/id", &s.rigid.id)?;
    out.put("", "rigid/x", &s.rigid.x)?;
    out.put("", "rigid/rot", &s.rigid.rot)?;
    out.put("", "rigid/v", &s.rigid.v)?;
    out.put("", "rigid/omega", &s.rigid.omega)?;
    out.put("", "rigid/work", &s.rigid.work)?;
    out.put("", "pseudo/id", &s.pseudo.id)?;
    out.put("", "pseudo/x", &s.pseudo.x)?;
    out.put("", "pseudo/F", &s.pseudo.f)?;
    out.put("", "pseudo/v", &s.pseudo.v)?;
    out.put("", "pseudo/Fdot", &s.pseudo.fdot)?;
    out.put("", "pseudo/work", &s.pseudo.work)
}

fn contacts(out: &mut Out, c: &ContactColumns) -> Result<()> {
    out.put("", "contact/bodies", &c.bodies)?;
    out.put("", "contact/objects", &c.objects)?;
    out.put("", "contact/feature", &c.feature)?;
    out.put("", "contact/slave", &c.slave)?;
    out.put("", "contact/id", &c.id)?;
    out.put("", "contact/master_point", &c.master_point)?;
    out.put("", "contact/slave_point", &c.slave_point)?;
    out.put("", "contact/master_reference", &c.master_reference)?;
    out.put("", "contact/slave_reference", &c.slave_reference)?;
    out.put("", "contact/surf", &c.surf)?;
    out.put("", "contact/base", &c.base)?;
    out.put("", "contact/gap", &c.gap)?;
    out.put("", "contact/area", &c.area)?;
    out.put("", "contact/material", &c.material)?;
    out.put("", "contact/cohesion", &c.cohesion)?;
    out.put("", "contact/R", &c.r)?;
    out.put("", "contact/U", &c.u)?;
    out.put("", "contact/V", &c.v)?;
    out.put("", "contact/merit", &c.merit)?;
    out.put("", "contact/stale", &c.stale)
}

fn ties(out: &mut Out, t: &TieColumns) -> Result<()> {
    out.put("", "tie/row", &t.row)?;
    out.put("", "tie/id", &t.id)?;
    out.put("", "tie/kind", &t.kind)?;
    out.put("", "tie/born", &t.born)?;
    out.put("", "tie/master_point", &t.master_point)?;
    out.put("", "tie/slave_point", &t.slave_point)?;
    out.put("", "tie/master_reference", &t.master_reference)?;
    out.put("", "tie/slave_reference", &t.slave_reference)?;
    out.put("", "tie/base", &t.base)?;
    out.put("", "tie/origin", &t.origin)?;
    out.put("", "tie/before", &t.before)?;
    out.put("", "tie/moved", &t.moved)?;
    out.put("", "tie/fresh", &t.fresh)?;
    out.put("", "tie/R", &t.r)?;
    out.put("", "tie/U", &t.u)?;
    out.put("", "tie/V", &t.v)?;
    out.put("", "tie/merit", &t.merit)?;
    out.put("", "tie/prescribed", &t.prescribed)
}

fn events(out: &mut Out, s: &State) -> Result<()> {
    let events = &s.events;
    out.put("", "event/time", &events.iter().map(|e| e.time).collect::<Vec<_>>())?;
    out.put("", "event/kind", &events.iter().map(|e| e.kind as u8).collect::<Vec<_>>())?;
    out.put("", "event/body", &events.iter().map(|e| e.body).collect::<Vec<_>>())?;
    out.put("", "event/parent", &events.iter().map(|e| e.parent).collect::<Vec<_>>())
}
