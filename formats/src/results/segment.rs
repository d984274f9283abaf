//! Segments: immutable files that hold whole frames.

use solfec::frame::{Frame, StepRow, StepRows};
use solfec::table::row_bytes;

use super::tables::{may_be_single, Content, FrameTable, Of, COLUMNS_OF, OFFSETS, TABLES};
use super::{Rank, FORMAT, SINGLE, VERSION};
use crate::error::{Error, Result};
use crate::store::{In, Out, Rows};

/// What of one domain waits for the next segment.
#[derive(Debug, Default)]
pub(super) struct Batch {
    pub index: FrameTable,
    pub content: Content,
    pub steps: StepRows,
    /// Seconds of each phase since the previous frame, row by row.
    pub frame_seconds: Vec<f64>,
    /// Seconds of each phase and the wall clock, row by row.
    pub step_seconds: Vec<f64>,
}

impl Batch {
    pub fn is_empty(&self) -> bool {
        self.index.is_empty() && self.steps.time.is_empty()
    }
}

/// Bytes of frames in memory and on disk, about.
pub(super) fn frames_bytes(frames: usize, rows: [usize; TABLES]) -> usize {
    const FRAME: usize = 100;
    FRAME * frames + COLUMNS_OF.iter().zip(rows).map(|(columns, rows)| row_bytes(columns) * rows).sum::<usize>()
}

/// Bytes of a step row with `phases` timings.
pub(super) fn step_bytes(phases: usize) -> usize {
    std::mem::size_of::<StepRow>() + 8 * (phases + 1)
}

/// Root attributes of a results file, and in which precision its numbers are. `records`: frames and steps of all domains
/// before it and with it; they order segments, and tell a merged one from its parts.
pub(super) fn head(out: &mut Out, records: [u64; 2], rank: Rank, single: bool) -> Result<()> {
    if single {
        out.store_in_single(may_be_single);
        out.set_integers("", SINGLE, &[1])?;
    }
    let root = out.group("")?;
    out.attribute(&root, "format", FORMAT)?;
    out.attribute(&root, "format_version", VERSION)?;
    out.attribute(&root, "generator", concat!("Solfec tools ", env!("CARGO_PKG_VERSION")))?;
    out.attribute(&root, "unit_system", "SI")?;
    out.set_integers("", "records", &records)?;
    out.set_integers("", "rank", &[rank.number.into(), rank.count.into()])
}

pub(super) fn records(from: &In) -> Result<[u64; 2]> {
    match from.numbers::<2>("", "records")? {
        Some([a, b]) if a >= 0.0 && b >= a => Ok([a as u64, b as u64]),
        _ => Err(Error::format(&from.name, "root attribute 'records' must be two ascending numbers")),
    }
}

/// Whether the numbers of the file are in single precision.
pub(super) fn is_single(from: &In) -> Result<bool> {
    Ok(from.numbers::<1>("", SINGLE)?.is_some_and(|[single]| single != 0.0))
}

/// The rank that wrote these frames, and how many wrote with it; in the master, the most that wrote any.
pub(super) fn rank(from: &In) -> Result<Rank> {
    match from.numbers::<2>("", "rank")? {
        Some([number, count]) if number >= 0.0 && number < count => {
            Ok(Rank { number: number as u32, count: count as u32 })
        }
        None => Ok(Rank::default()),
        _ => {
            Err(Error::format(&from.name, "root attribute 'rank' must be the number of the rank and that of all ranks"))
        }
    }
}

/// Writes the columns of one domain.
pub(super) fn write(out: &mut Out, k: usize, batch: &Batch, phases: &[String]) -> Result<()> {
    let at = format!("/domains/{k}");
    out.put_table(&at, &batch.index.frames)?;
    for ((column, offsets), table) in OFFSETS.iter().zip(&batch.index.offsets).zip(batch.content.tables()) {
        if !column.optional || table.rows() > 0 {
            out.put(&at, column.path, offsets)?;
            out.put_table(&at, table)?;
        }
    }
    out.put_known(&at, &batch.steps)?;
    let at = format!("/timing/{k}");
    out.put_text(&at, "name", phases)?;
    let mut seconds = Some(batch.frame_seconds.clone());
    out.put_pieces(&at, "frame", (batch.index.len(), phases.len()), || Ok(seconds.take()))?;
    let mut seconds = Some(batch.step_seconds.clone());
    out.put_pieces(&at, "step", (batch.steps.time.len(), phases.len() + 1), || Ok(seconds.take()))
}

/// The step log of a segment.
pub(super) fn read_steps(from: &In, at: &str) -> Result<StepRows> {
    let mut steps = StepRows::default();
    from.get_table(at, &mut steps)?;
    Ok(steps)
}

/// The frame index of a segment, offsets checked against the tables.
pub(super) fn read_index(from: &In, at: &str) -> Result<FrameTable> {
    let mut index = FrameTable::default();
    from.get_table(at, &mut index.frames)?;
    let n = index.len();
    for (t, column) in OFFSETS.iter().enumerate() {
        // Files of an earlier version have no laws.
        if (column.optional || t == Of::Laws as usize) && !from.has(at, column.path) {
            index.offsets[t] = vec![0; n + 1];
            continue;
        }
        let rows: Vec<u64> = from.get(at, column.path)?;
        let table = COLUMNS_OF[t][0].path;
        let total = from.len(at, table)? as u64;
        let ascend = rows.windows(2).all(|w| w[0] <= w[1]);
        if rows.len() != n + 1 || rows[0] != 0 || !ascend || rows[n] != total {
            let text = format!("not offsets of {n} frames into the {total} rows of {table}");
            return Err(Error::format(&from.at(at, column.path), text));
        }
        index.offsets[t] = rows;
    }
    Ok(index)
}

/// The rows of frame `i` of a segment.
pub(super) fn read_content(from: &In, at: &str, index: &FrameTable, i: usize) -> Result<Content> {
    let mut content = Content::default();
    for (t, table) in content.tables_mut().into_iter().enumerate() {
        let offsets = &index.offsets[t];
        let rows = Rows::from(offsets[i] as usize..offsets[i + 1] as usize);
        from.get_table_rows(at, table, rows, None)?;
    }
    Ok(content)
}

/// The constraints of frame `i` of a segment.
pub(super) fn read_constraints(from: &In, at: &str, index: &FrameTable, i: usize) -> Result<Content> {
    let mut content = Content::default();
    from.get_table_rows(at, &mut content.constraints, index.rows(Of::Constraints, i).into(), None)?;
    Ok(content)
}

/// The frame of these rows of one or several segments.
pub(super) fn frame(from: &In, index: &FrameTable, i: usize, content: Content) -> Result<Frame> {
    content.into_frame(index.frames.row(i)).map_err(|text| Error::format(&format!("{}: frame {i}", from.name), text))
}
