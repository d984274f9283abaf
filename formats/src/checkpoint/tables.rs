//! The tables of a checkpoint beside those of the state, which are defined in [`solfec::body`] and
//! [`solfec::simulation`].

use solfec::body::{GeneralColumns, PseudoColumns, RigidColumns, UnknownColumns, VelocityColumns};
use solfec::domain::PlaneColumns;
use solfec::frame::{EventRows, WarningRows};
use solfec::simulation::{ConstraintColumns, ContactColumns, Schedule};

use crate::schema::{concat, count, Column};

solfec::table! {
    /// The job.
    pub(super) struct JobRows("the job", "1") row Job {
        domain: u64 = "job/domain", "1", "domain whose state this is; those before it are over, those after it have not begun";
        runs: u32 = "job/runs", "1", "RUNs of the domain begun so far";
        run_end: f64 = "job/run_end", "s", "time at which the last of them ends";
        done: u8 = "job/done", "1", "1: it is over";
        program: u64 = "job/program", "1", "rows of program/steps of the results recorded by then";
    }
}

solfec::table! {
    /// What the results hold of each domain.
    pub(super) struct DomainRows("domains", "K") {
        frames: u64 = "job/frames", "1", "frames stored of each domain by then";
        steps: u64 = "job/steps", "1", "time steps stored of each domain by then";
    }
}

solfec::table! {
    /// Time.
    pub(super) struct ClockRows("the clock", "1") row ClockRow {
        now: f64 = "clock/now", "s", "time";
        h: f64 = "clock/h", "s", "step in force";
        reference: f64 = "clock/reference", "s", "time from which steps of this length are counted";
        steps: u64 = "clock/steps", "1", "steps since then: now = reference + steps h";
        last_h: f64 = "clock/last_h", "s", "step that made this state";
        longest_h: f64 = "clock/longest_h", "s", "longest step so far" .optional();
        warned_step: f64 = "clock/warned_step", "s", "stable step when a lowering was told last; infinite: never";
    }
}

solfec::table! {
    /// When output and callback are due.
    pub(super) struct ScheduleRows("schedules", "s") row ScheduleRow {
        reference: f64 = "schedule/reference", "s", "row 0: output; row 1, if there is one: callback. Due times are counted from here";
        interval: f64 = "schedule/interval", "s", "their distance; 0: after each step";
        next: u64 = "schedule/next", "1", "number of the next due time: reference + next interval";
        next_legacy: f64 = "schedule/next_legacy", "s", "the next due time with --compat schedule";
    }
}

solfec::table! {
    /// Counters and the statistics of the last solve.
    pub(super) struct CountRows("counters", "1") row CountRow {
        steps: u64 = "count/steps", "1", "time steps done";
        frames: u64 = "count/frames", "1", "frames taken";
        frame_step: i64 = "count/frame_step", "1", "time steps done at the last frame, -1: none";
        runs: u32 = "count/runs", "1", "RUNs begun";
        next_constraint: u64 = "count/next_constraint", "1", "id of the next constraint";
        ranks: u32 = "count/ranks", "1", "processes that share the bodies";
        iterations: f64 = "solverstat/iters", "1", "iterations of the last solve, NaN: none yet";
        merit: f64 = "solverstat/merit", "1", "merit function after it";
        error: f64 = "solverstat/error", "1", "relative change of reactions in its last iteration";
        memory: [f64; 9] = "solverstat/memory", "1",
            "what AUTO_SOLVER and CORRECTED_SWEEPS_SOLVER have learnt: operations for each constraint of solves begun by sweeps, by corrections and by the interior point method (0: none), the one that is tried next, solves since the last trial and between two, proximal weight (0: the standard one), constraints when factorisations were found to be dear last, and solves for which that holds";
    }
}

impl From<Schedule> for ScheduleRow {
    fn from(s: Schedule) -> Self {
        ScheduleRow { reference: s.reference, interval: s.interval, next: s.next, next_legacy: s.next_legacy }
    }
}

impl From<ScheduleRow> for Schedule {
    fn from(s: ScheduleRow) -> Self {
        Schedule { reference: s.reference, interval: s.interval, next: s.next, next_legacy: s.next_legacy }
    }
}

const TABLES: [&[Column]; 15] = [
    JobRows::COLUMNS,
    DomainRows::COLUMNS,
    ClockRows::COLUMNS,
    ScheduleRows::COLUMNS,
    CountRows::COLUMNS,
    PlaneColumns::COLUMNS,
    RigidColumns::COLUMNS,
    PseudoColumns::COLUMNS,
    GeneralColumns::COLUMNS,
    UnknownColumns::COLUMNS,
    VelocityColumns::COLUMNS,
    ContactColumns::COLUMNS,
    ConstraintColumns::COLUMNS,
    WarningRows::COLUMNS,
    EventRows::COLUMNS,
];

/// Under the root of the file, in the order of its hash. Row symbols: K domains, s schedules, q planes between
/// processes, n rigid bodies and obstacles, p pseudo-rigid bodies, g bodies of other kinds with gu unknowns and gv
/// velocities, c contacts, u user constraints, w warnings, e events.
pub const COLUMNS: &[Column] = &concat::<{ count(&TABLES) }>(&TABLES);
