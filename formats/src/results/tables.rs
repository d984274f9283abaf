//! The tables of results, each defined once in [`solfec::frame`] or here.

use std::ops::Range;

use solfec::frame::{
    CharsRows, ConstraintRows, EventRows, Frame, FrameRow, FrameRows, LawRows, NodalRows, NodeRows, PseudoRows,
    RigidRows, StepRows, WarningRows,
};
use solfec::table::Table;

use crate::schema::{column, concat, count, Column, Kind::*};

macro_rules! frame_tables {
    ($($of:ident, $field:ident: $type:ty = $offset:literal, $text:literal $(.$call:ident())*;)*) => {
        /// The tables with rows in each frame.
        #[derive(Debug, Clone, Copy, PartialEq, Eq)]
        pub enum Of {
            $($of,)*
        }

        /// How many they are.
        pub(super) const TABLES: usize = [$(Of::$of),*].len();

        /// Columns of each table.
        pub(super) const COLUMNS_OF: [&[Column]; TABLES] = [$(<$type>::COLUMNS),*];

        /// The offsets of frames into each table.
        pub(super) const OFFSETS: [Column; TABLES] = [$(column($offset, U64, ("F + 1", 1), "1", $text)$(.$call())*),*];

        /// Rows of frames, one frame after another.
        #[derive(Debug, Clone, PartialEq, Default)]
        pub(super) struct Content {
            $(pub $field: $type,)*
        }

        impl Content {
            pub fn tables(&self) -> [&dyn Table; TABLES] {
                [$(&self.$field),*]
            }

            pub fn tables_mut(&mut self) -> [&mut dyn Table; TABLES] {
                [$(&mut self.$field),*]
            }

            /// Moves the rows of `other` behind those that are here.
            pub fn append(&mut self, other: &mut Content) {
                $(self.$field.append(&mut other.$field);)*
            }
        }
    };
}

// A new table of frames is a line here, its file in `solfec::frame`, and its field in `Frame`.
frame_tables! {
    Rigid, rigid: RigidRows = "frames/row_rigid", "rows of frame k in rigid/* are row_rigid[k] .. row_rigid[k+1]";
    Pseudo, pseudo: PseudoRows = "frames/row_pseudo", "likewise for pseudo/*";
    Nodal, nodal: NodalRows = "frames/row_nodal", "likewise for nodal/*";
    Nodes, nodes: NodeRows = "frames/row_node", "likewise for node/*";
    Laws, laws: LawRows = "frames/row_law", "likewise for laws/*";
    Chars, chars: CharsRows = "frames/row_chars", "likewise for chars/*" .optional();
    Constraints, constraints: ConstraintRows = "frames/row_con", "likewise for con/*";
    Events, events: EventRows = "frames/row_event", "likewise for events/*";
}

/// Whether results in single precision have the numbers of the column in it: those of bodies and constraints, if they do
/// not repeat.
pub(super) fn may_be_single(column: &Column) -> bool {
    let of_frames = COLUMNS_OF.iter().any(|columns| columns[0].rows == column.rows);
    of_frames && !column.packed && !column.path.starts_with("events/")
}

/// Tables of bodies: they have the columns `body` and `energy`.
pub(super) const BODIES: [Of; 3] = [Of::Rigid, Of::Pseudo, Of::Nodal];

impl Of {
    /// The path of a column of the table, as `rigid/x`.
    pub fn path(self, name: &str) -> String {
        let first = COLUMNS_OF[self as usize][0].path;
        let group = first.split('/').next().unwrap_or(first);
        format!("{group}/{name}")
    }
}

impl Content {
    /// The rows of a frame.
    pub fn of(frame: Frame) -> Self {
        Content {
            rigid: frame.rigid,
            pseudo: frame.pseudo,
            nodal: frame.nodal,
            nodes: frame.nodes,
            laws: frame.laws,
            chars: frame.chars,
            constraints: frame.constraints,
            events: EventRows::of(&frame.events),
        }
    }

    /// The frame with these rows.
    ///
    /// # Errors
    /// Kinds of events that are not known, bodies that have other nodes than there are.
    pub fn into_frame(self, row: FrameRow) -> Result<Frame, String> {
        let nodes: usize = self.nodal.nodes.iter().map(|&n| n as usize).sum();
        if nodes != self.nodes.x.len() {
            return Err(format!("nodal/nodes gives {nodes} nodes, but node/x has {} rows", self.nodes.x.len()));
        }
        let events = self.events.events().map_err(|text| format!("events/kind: {text}"))?;
        Ok(Frame {
            rigid: self.rigid,
            pseudo: self.pseudo,
            nodal: self.nodal,
            nodes: self.nodes,
            laws: self.laws,
            chars: self.chars,
            constraints: self.constraints,
            events,
            ..Frame::empty(row)
        })
    }

    /// Rows in each table.
    pub fn counts(&self) -> [usize; TABLES] {
        self.tables().map(|table| table.rows())
    }
}

/// The frame index of one domain: a row for each frame, and where its rows lie in the tables.
#[derive(Debug, Clone, PartialEq)]
pub struct FrameTable {
    pub frames: FrameRows,
    /// Of each table: offsets of frames, one more than there are frames.
    pub(super) offsets: [Vec<u64>; TABLES],
    /// The rows of a frame stand together.
    pub(super) contiguous: bool,
}

impl Default for FrameTable {
    fn default() -> Self {
        FrameTable { frames: FrameRows::default(), offsets: std::array::from_fn(|_| vec![0]), contiguous: true }
    }
}

impl std::ops::Deref for FrameTable {
    type Target = FrameRows;
    fn deref(&self) -> &FrameRows {
        &self.frames
    }
}

impl FrameTable {
    pub fn len(&self) -> usize {
        self.frames.index.len()
    }

    pub fn is_empty(&self) -> bool {
        self.frames.index.is_empty()
    }

    /// Rows of frame `k` in a table.
    pub(super) fn rows(&self, of: Of, k: usize) -> Range<usize> {
        let offsets = &self.offsets[of as usize];
        offsets[k] as usize..offsets[k + 1] as usize
    }

    /// Rows of frame `k` in each table.
    pub(super) fn counts(&self, k: usize) -> [usize; TABLES] {
        std::array::from_fn(|t| (self.offsets[t][k + 1] - self.offsets[t][k]) as usize)
    }

    /// Rows in each table of the first `k` frames.
    pub(super) fn rows_before(&self, k: usize) -> [usize; TABLES] {
        std::array::from_fn(|t| self.offsets[t][k] as usize)
    }

    /// Bodies in frame `k`.
    pub fn bodies(&self, k: usize) -> u64 {
        BODIES.iter().map(|&of| self.rows(of, k).len() as u64).sum()
    }

    /// Constraints in frame `k`.
    pub fn constraints(&self, k: usize) -> u64 {
        self.rows(Of::Constraints, k).len() as u64
    }

    /// Rows of the constraints of frame `k` in `con/*` of the master, where they stand together: results of one rank.
    pub fn constraint_rows(&self, k: usize) -> Option<Range<usize>> {
        self.contiguous.then(|| self.rows(Of::Constraints, k))
    }

    /// Adds a frame with so many rows in each table.
    pub(super) fn push(&mut self, row: FrameRow, counts: [usize; TABLES]) {
        self.frames.push(row);
        for (offsets, count) in self.offsets.iter_mut().zip(counts) {
            offsets.push(offsets[offsets.len() - 1] + count as u64);
        }
    }

    /// Adds the frames of another index behind these.
    pub(super) fn append(&mut self, other: &FrameTable) {
        self.frames.append(&mut other.frames.clone());
        for (all, more) in self.offsets.iter_mut().zip(&other.offsets) {
            let base = all[all.len() - 1];
            all.extend(more.iter().skip(1).map(|row| base + row));
        }
    }

    /// Keeps the first frames.
    pub(super) fn truncate(&mut self, frames: usize) {
        self.frames.resize(frames);
        self.offsets.iter_mut().for_each(|offsets| offsets.truncate(frames + 1));
    }
}

const PARTS: [&[Column]; TABLES + 3] = {
    let mut parts: [&[Column]; TABLES + 3] = [FrameRows::COLUMNS; TABLES + 3];
    parts[1] = &OFFSETS;
    let mut t = 0;
    while t < TABLES {
        parts[t + 2] = COLUMNS_OF[t];
        t += 1;
    }
    parts[TABLES + 2] = StepRows::COLUMNS;
    parts
};

/// Under `/domains/<k>` of a segment and of the master. Row symbols: F frames, n rows of rigid bodies, p of
/// pseudo-rigid bodies, d of nodal bodies, j of nodes, l of elements whose material changes, b of bodies with new
/// characteristics, c of constraints, e of events, T time steps.
pub const COLUMNS: &[Column] = &concat::<{ count(&PARTS) }>(&PARTS);

/// Under `/timing/<k>` of a segment and of the master: clock readings live only here and in `/provenance`.
/// q phases; width 0 stands for any.
pub const TIMING: &[Column] = &[
    column("name", Text, ("q", 1), "1", "names of the phases of a time step"),
    column("frame", F64, ("F, q", 0), "s", "seconds in each phase since the previous frame"),
    column("step", F64, ("T, q + 1", 0), "s", "seconds in each phase of a step, then the wall clock since the start"),
];

solfec::table! {
    /// What the master knows of frames beside their index.
    pub(super) struct PlaceRows("frames", "F") {
        segment: u32 = "frames/segment", "1", "row of segments/* that holds the frame";
        bodies: u64 = "frames/nbod", "1", "bodies in the frame";
        constraints: u64 = "frames/ncon", "1", "constraints in the frame";
    }
}

solfec::table! {
    /// Segments of the results.
    pub(super) struct SegmentRows("segments", "G") {
        file: String = "segments/file", "1", "file, relative to the master";
        first_frame: i64 = "segments/first_frame", "1", "index of its first frame, -1: none";
        last_frame: i64 = "segments/last_frame", "1", "index of its last frame, -1: none";
    }
}

solfec::table! {
    /// Operations that acted.
    pub(super) struct ProgramRows("operations", "P") {
        steps: String = "program/steps", "1", "operations that acted, one JSON object each, as in the model file";
        at_step: u64 = "program/at_step", "1", "time steps done when the operation acted";
    }
}

solfec::table! {
    /// Where the model was when the first RUN began.
    pub(super) struct BaseRows("rows before the first RUN", "3") {
        rows: u64 = "program/base", "1", "rows of bodies, constraints and loads of the model before the first RUN";
    }
}

solfec::table! {
    /// RUNs as the file holds them.
    pub(super) struct RunRows("RUNs", "N") {
        first_step: u64 = "runs/first_step", "1", "time steps done when the RUN began";
        last_step: u64 = "runs/last_step", "1", "time steps done when it ended";
        reason: String = "runs/reason", "1", "why it ended: done, or what stopped it";
        program_end: i64 = "runs/program_end", "1", "rows of program/* when it ended, -1: it has not";
    }
}

solfec::table! {
    /// Shapes that came into being during the run: fragments of bodies that were split.
    pub(super) struct ShapeRows("shapes of fragments", "s") {
        body: u32 = "shapes/body", "1", "catalogue row of the body that owns a shape born in the run";
        row: i64 = "shapes/row", "1", "row of shapes/* of the model that places its geometry";
    }
}

const OF_MASTER: [&[Column]; 8] = [
    PlaceRows::COLUMNS,
    SegmentRows::COLUMNS,
    super::Catalogue::COLUMNS,
    ShapeRows::COLUMNS,
    ProgramRows::COLUMNS,
    BaseRows::COLUMNS,
    RunRows::COLUMNS,
    WarningRows::COLUMNS,
];

/// Under `/domains/<k>` of the master alone.
pub const MASTER: &[Column] = &concat::<{ count(&OF_MASTER) }>(&OF_MASTER);

/// Every column of master and segments.
pub(super) static SCHEMA: &[Column] = {
    const ALL: [&[Column]; 4] = [COLUMNS, TIMING, MASTER, crate::model::PROVENANCE];
    &concat::<{ count(&ALL) }>(&ALL)
};
