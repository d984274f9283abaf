//! File → checkpoint.

use solfec::domain::{Cuts, PlaneColumns};
use solfec::frame::{EventRows, SolverStatistics, WarningRows};
use solfec::simulation::{Clock, ConstraintColumns, ContactColumns, General, PseudoColumns, RigidColumns, State};
use solfec::solver::Memory;
use solfec::table::Table;

use super::tables::{ClockRows, CountRows, DomainRows, JobRows, ScheduleRows};
use super::Checkpoint;
use crate::error::{Error, Result};
use crate::store::In;

pub(super) fn content(from: &In) -> Result<Checkpoint> {
    let mut checkpoint = head(from)?;
    let mut events = EventRows::default();
    from.get_table("", &mut events)?;
    checkpoint.state.events = events.events().map_err(|text| Error::format(&from.at("", "events/kind"), text))?;
    let [rows @ .., _warnings] = checkpoint.state.tables_mut();
    for table in rows {
        from.get_table("", table)?;
    }
    Ok(checkpoint)
}

pub(super) fn head(from: &In) -> Result<Checkpoint> {
    let job = one(from, JobRows::default())?.row(0);
    let mut domains = DomainRows::default();
    from.get_table("", &mut domains)?;
    Ok(Checkpoint {
        domain: job.domain as usize,
        runs: job.runs,
        run_end: job.run_end,
        done: job.done != 0,
        program: job.program as usize,
        frames: domains.frames,
        steps: domains.steps,
        state: state(from)?,
    })
}

/// A table of one row.
fn one<T: Table>(from: &In, mut table: T) -> Result<T> {
    from.get_table("", &mut table)?;
    if table.rows() != 1 {
        let place = from.at("", table.columns()[0].path);
        return Err(Error::format(&place, format!("one row is wanted, not {}", table.rows())));
    }
    Ok(table)
}

/// The head of the state.
fn state(from: &In) -> Result<State> {
    let clock = one(from, ClockRows::default())?.row(0);
    let counts = one(from, CountRows::default())?.row(0);
    let mut schedules = ScheduleRows::default();
    from.get_table("", &mut schedules)?;
    let schedule = |row: usize| (row < schedules.rows()).then(|| schedules.row(row).into());
    let Some(output) = schedule(0) else {
        return Err(Error::format(&from.at("", "schedule/reference"), "no rows"));
    };
    let mut warnings = WarningRows::default();
    from.get_table("", &mut warnings)?;
    Ok(State {
        clock: Clock { reference: clock.reference, steps: clock.steps, h: clock.h, now: clock.now, legacy: false },
        last_h: clock.last_h,
        longest_h: clock.longest_h,
        warned_step: clock.warned_step,
        output,
        callback: schedule(1),
        steps: counts.steps,
        frames: counts.frames,
        frame_step: u64::try_from(counts.frame_step).ok(),
        runs: counts.runs,
        next_constraint: counts.next_constraint,
        memory: Memory::of(counts.memory),
        cuts: cuts(from, counts.ranks as usize)?,
        statistics: SolverStatistics { iterations: counts.iterations, merit: counts.merit, error: counts.error },
        rigid: RigidColumns::default(),
        pseudo: PseudoColumns::default(),
        general: General::default(),
        contacts: ContactColumns::default(),
        constraints: ConstraintColumns::default(),
        warnings,
        events: Vec::new(),
    })
}

/// How space was dealt out among so many ranks.
fn cuts(from: &In, ranks: usize) -> Result<Option<Cuts>> {
    let mut planes = PlaneColumns::default();
    from.get_table("", &mut planes)?;
    if planes.rows() == 0 {
        return Ok(None);
    }
    let cuts = Cuts::of(ranks, &planes);
    cuts.map(Some)
        .ok_or_else(|| Error::format(&from.at("", "cuts/axis"), format!("no planes between {ranks} processes")))
}
