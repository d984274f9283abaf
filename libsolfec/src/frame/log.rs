//! What is recorded of frames, steps and events beside the tables of bodies and constraints.

use crate::ids::CatalogueRow;

crate::table! {
    /// The index of frames.
    pub struct FrameRows("frames", "F") row #[derive(Copy)] FrameRow {
        index: u64 = "frames/index", "1", "number of the frame, from 0 over all runs";
        time: f64 = "frames/time", "s", "end of the step of the frame";
        step_count: u64 = "frames/step_count", "1", "time steps done";
        h: f64 = "frames/h", "s", "step that ended at the frame";
        run: u32 = "frames/run", "1", "number of the RUN, from 0";
        iterations: f64 = "solverstat/iters", "1", "iterations of the last solve before the frame, NaN in frame 0";
        merit: f64 = "solverstat/merit", "1", "merit function after it";
        error: f64 = "solverstat/error", "1", "relative change of reactions in its last iteration";
    }
}

crate::table! {
    /// The step log.
    pub struct StepRows("steps", "T") row #[derive(Copy)] StepRow {
        time: f64 = "steps/time", "s", "end of the time step";
        h: f64 = "steps/h", "s", "its length";
        constraints: u64 = "steps/ncon", "1", "constraints";
        bodies: u64 = "steps/nbod", "1", "bodies";
        iterations: u32 = "steps/iters", "1", "iterations of the solver";
        merit: f64 = "steps/merit", "1", "merit function after it";
        error: f64 = "steps/error", "1", "relative change of reactions in the last iteration";
        colours: f64 = "steps/gscolors", "1", "colours of ranks in the sweep, NaN on one rank" .optional();
        bottom: f64 = "steps/gsbot", "1", "constraints on bodies that their rank shares with later ranks only" .optional();
        middle: f64 = "steps/gsmid", "1", "constraints on bodies that it shares with earlier and later ranks" .optional();
        top: f64 = "steps/gstop", "1", "constraints on bodies that it shares with earlier ranks only" .optional();
        inner: f64 = "steps/gsinn", "1", "constraints on bodies of one rank" .optional();
    }
}

crate::table! {
    /// Events as columns.
    pub struct EventRows("events", "e") {
        time: f64 = "events/time", "s", "when";
        kind: u8 = "events/kind", "1", "what"
            .names(r#"{"BORN": 0, "DELETED": 1, "LEFT_EXTENTS": 2, "DECOHESION": 3, "LINK_BROKEN": 4}"#);
        body: u32 = "events/body", "1", "catalogue row of the body";
        parent: u32 = "events/parent", "1", "catalogue row of the body it came from, 4294967295: none";
    }
}

crate::table! {
    /// Warnings of steps.
    pub struct WarningRows("warnings", "w") row WarningRow {
        kind: String = "warnings/kind", "1", "kind; rows are in the order of their first times";
        count: u64 = "warnings/count", "1", "how often it was due";
        time: f64 = "warnings/time", "s", "end of the first step with it";
        worst: f64 = "warnings/worst", "1", "largest size of it; its unit depends on the kind";
        worst_time: f64 = "warnings/worst_time", "s", "end of the step with that";
        text: String = "warnings/text", "1", "what was told of the first";
    }
}

/// Something that happened in a step.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Event {
    pub time: f64,
    pub kind: EventKind,
    pub body: CatalogueRow,
    /// The body it came from, or [`CatalogueRow::NONE`].
    pub parent: CatalogueRow,
}

/// Kinds of events; the discriminants are those of the file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(u8)]
pub enum EventKind {
    Born = 0,
    Deleted = 1,
    LeftExtents = 2,
    /// A cohesive contact of the body broke.
    Decohesion = 3,
    /// A user constraint of the body broke: its reaction exceeded its strength.
    LinkBroken = 4,
}

impl EventKind {
    /// The kind of this number.
    pub fn from_number(number: u8) -> Option<Self> {
        use EventKind::*;
        [Born, Deleted, LeftExtents, Decohesion, LinkBroken].into_iter().find(|kind| *kind as u8 == number)
    }
}

impl EventRows {
    pub fn of(events: &[Event]) -> Self {
        EventRows {
            time: events.iter().map(|e| e.time).collect(),
            kind: events.iter().map(|e| e.kind as u8).collect(),
            body: events.iter().map(|e| e.body.0).collect(),
            parent: events.iter().map(|e| e.parent.0).collect(),
        }
    }

    /// # Errors
    /// The row and number of an unknown kind.
    pub fn events(&self) -> Result<Vec<Event>, String> {
        let event = |i: usize| {
            let number = self.kind[i];
            let kind = EventKind::from_number(number).ok_or_else(|| format!("row {i}: unknown kind {number}"))?;
            let (body, parent) = (CatalogueRow(self.body[i]), CatalogueRow(self.parent[i]));
            Ok(Event { time: self.time[i], kind, body, parent })
        };
        (0..self.time.len()).map(event).collect()
    }
}
