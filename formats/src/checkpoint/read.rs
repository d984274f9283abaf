//! File → checkpoint.

use solfec::frame::{Event, EventKind, SolverStatistics};
use solfec::simulation::{Clock, ContactColumns, PseudoColumns, RigidColumns, Schedule, State, TieColumns};

use super::Checkpoint;
use crate::error::{Error, Result};
use crate::store::{Cell, In};

pub(super) fn content(from: &In) -> Result<Checkpoint> {
    Ok(Checkpoint {
        domain: one::<u64>(from, "job/domain")? as usize,
        runs: one(from, "job/runs")?,
        run_end: one(from, "job/run_end")?,
        done: one::<u8>(from, "job/done")? != 0,
        program: one::<u64>(from, "job/program")? as usize,
        frames: from.get("", "job/frames")?,
        steps: from.get("", "job/steps")?,
        state: state(from)?,
    })
}

/// The number of a column of one row.
fn one<T: Cell>(from: &In, path: &str) -> Result<T> {
    match from.get::<T>("", path)?[..] {
        [value] => Ok(value),
        ref other => Err(Error::format(&from.at("", path), format!("one row is wanted, not {}", other.len()))),
    }
}

fn state(from: &In) -> Result<State> {
    let mut schedules = schedules(from)?.into_iter();
    let (output, callback) = (schedules.next(), schedules.next());
    let output = output.ok_or_else(|| Error::format(&from.at("", "schedule/reference"), "no rows"))?;
    Ok(State {
        clock: Clock {
            reference: one(from, "clock/reference")?,
            steps: one(from, "clock/steps")?,
            h: one(from, "clock/h")?,
            now: one(from, "clock/now")?,
            legacy: false,
        },
        last_h: one(from, "clock/last_h")?,
        output,
        callback,
        steps: one(from, "count/steps")?,
        frames: one(from, "count/frames")?,
        frame_step: u64::try_from(one::<i64>(from, "count/frame_step")?).ok(),
        runs: one(from, "count/runs")?,
        next_constraint: one(from, "count/next_constraint")?,
        statistics: SolverStatistics {
            iterations: one(from, "solverstat/iters")?,
            merit: one(from, "solverstat/merit")?,
            error: one(from, "solverstat/error")?,
        },
        rigid: RigidColumns {
            id: from.get("", "rigid/id")?,
            x: from.get("", "rigid/x")?,
            rot: from.get("", "rigid/rot")?,
            v: from.get("", "rigid/v")?,
            omega: from.get("", "rigid/omega")?,
            work: from.get("", "rigid/work")?,
        },
        pseudo: PseudoColumns {
            id: from.get("", "pseudo/id")?,
            x: from.get("", "pseudo/x")?,
            f: from.get("", "pseudo/F")?,
            v: from.get("", "pseudo/v")?,
            fdot: from.get("", "pseudo/Fdot")?,
            work: from.get("", "pseudo/work")?,
        },
        general: Default::default(),
        contacts: contacts(from)?,
        ties: ties(from)?,
        events: events(from)?,
    })
}

fn schedules(from: &In) -> Result<Vec<Schedule>> {
    let reference: Vec<f64> = from.get("", "schedule/reference")?;
    let interval: Vec<f64> = from.get("", "schedule/interval")?;
    let next: Vec<u64> = from.get("", "schedule/next")?;
    let next_legacy: Vec<f64> = from.get("", "schedule/next_legacy")?;
    equal(from, "schedule", &[reference.len(), interval.len(), next.len(), next_legacy.len()])?;
    let row = |i: usize| Schedule {
        reference: reference[i],
        interval: interval[i],
        next: next[i],
        next_legacy: next_legacy[i],
    };
    Ok((0..reference.len()).map(row).collect())
}

fn equal(from: &In, table: &str, lengths: &[usize]) -> Result<()> {
    match lengths.iter().all(|n| *n == lengths[0]) {
        true => Ok(()),
        false => Err(Error::format(&from.at("", table), "columns differ in length")),
    }
}

fn contacts(from: &In) -> Result<ContactColumns> {
    Ok(ContactColumns {
        bodies: from.get("", "contact/bodies")?,
        objects: from.get("", "contact/objects")?,
        feature: from.get("", "contact/feature")?,
        slave: from.get("", "contact/slave")?,
        id: from.get("", "contact/id")?,
        master_point: from.get("", "contact/master_point")?,
        slave_point: from.get("", "contact/slave_point")?,
        master_reference: from.get("", "contact/master_reference")?,
        slave_reference: from.get("", "contact/slave_reference")?,
        surf: from.get("", "contact/surf")?,
        base: from.get("", "contact/base")?,
        gap: from.get("", "contact/gap")?,
        area: from.get("", "contact/area")?,
        material: from.get("", "contact/material")?,
        cohesion: from.get("", "contact/cohesion")?,
        r: from.get("", "contact/R")?,
        u: from.get("", "contact/U")?,
        v: from.get("", "contact/V")?,
        merit: from.get("", "contact/merit")?,
        stale: from.get("", "contact/stale")?,
    })
}

fn ties(from: &In) -> Result<TieColumns> {
    Ok(TieColumns {
        row: from.get("", "tie/row")?,
        id: from.get("", "tie/id")?,
        kind: from.get("", "tie/kind")?,
        born: from.get("", "tie/born")?,
        master_point: from.get("", "tie/master_point")?,
        slave_point: from.get("", "tie/slave_point")?,
        master_reference: from.get("", "tie/master_reference")?,
        slave_reference: from.get("", "tie/slave_reference")?,
        base: from.get("", "tie/base")?,
        origin: from.get("", "tie/origin")?,
        before: from.get("", "tie/before")?,
        moved: from.get("", "tie/moved")?,
        fresh: from.get("", "tie/fresh")?,
        r: from.get("", "tie/R")?,
        u: from.get("", "tie/U")?,
        v: from.get("", "tie/V")?,
        merit: from.get("", "tie/merit")?,
        prescribed: from.get("", "tie/prescribed")?,
    })
}

fn events(from: &In) -> Result<Vec<Event>> {
    let time: Vec<f64> = from.get("", "event/time")?;
    let kind: Vec<u8> = from.get("", "event/kind")?;
    let body: Vec<u32> = from.get("", "event/body")?;
    let parent: Vec<u32> = from.get("", "event/parent")?;
    equal(from, "event", &[time.len(), kind.len(), body.len(), parent.len()])?;
    let row = |i: usize| {
        let kind = EventKind::from_number(kind[i])
            .ok_or_else(|| Error::format(&from.at("", "event/kind"), format!("unknown kind {}", kind[i])))?;
        Ok(Event { time: time[i], kind, body: body[i], parent: parent[i] })
    };
    (0..time.len()).map(row).collect()
}
