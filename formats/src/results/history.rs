//! Columns over many frames: of one body, of energies, of constraints. Only the rows and columns that are asked for are
//! read, a block of neighbouring frames at a time.

use std::collections::BTreeSet;
use std::ops::Range;

use solfec::frame::{CharsRows, ConstraintRows, LawRows, NodalRows, NodeRows, PseudoRows, RigidRows};
use solfec::model::{Characteristics, Model};
use solfec::query::ShownBodies;
use solfec::table::Table;

use super::reader::Results;
use super::scan::{base, Part};
use super::tables::{FrameTable, Of, BODIES};
use crate::error::Result;
use crate::store::{In, Rows};

/// Rows of a table that are read at once where all of them are needed.
const BLOCK_ROWS: u64 = 1 << 20;

/// Columns of the states of a body; those that are not asked for are zero.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum BodyColumns {
    All,
    /// Mass centre and rotation or deformation gradient.
    Place,
    /// Rotation, and velocities.
    Velocity,
}

impl BodyColumns {
    /// Datasets that are read; `None`: all.
    fn names(self) -> Option<&'static [&'static str]> {
        match self {
            BodyColumns::All => None,
            BodyColumns::Place => Some(&["x", "rot", "F", "nodes"]),
            BodyColumns::Velocity => Some(&["rot", "v", "omega", "Fdot", "nodes"]),
        }
    }
}

/// The states of one body over the frames in which it is; the table of its kind has rows.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct BodyHistory {
    /// Positions among the frames asked for, ascending; row i of the table belongs to `frames[i]`.
    pub frames: Vec<usize>,
    pub rigid: RigidRows,
    pub pseudo: PseudoRows,
    pub nodal: NodalRows,
    /// Its nodes, frame after frame.
    pub nodes: NodeRows,
    /// Its elements, frame after frame, where its material changes.
    laws: LawRows,
    /// Where those of row i of `nodal` begin, and the end; empty if nothing was read of them.
    law_starts: Vec<usize>,
    /// Of each row of `rigid` or `pseudo`: characteristics that are not those of the model.
    chars: Vec<Option<Characteristics>>,
}

/// Columns of constraints beside kind, master and slave; the others stay empty.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default)]
pub struct ConstraintColumns {
    pub r: bool,
    pub u: bool,
    pub gap: bool,
    /// Normals and tangents: [`ConstraintRows::base`].
    pub base: bool,
    pub surf: bool,
    /// Rows of user constraints in the model.
    pub row: bool,
}

impl ConstraintColumns {
    /// Datasets that are read.
    fn names(self) -> Vec<&'static str> {
        let mut names = vec!["kind", "master", "slave"];
        let base: &[&str] = &["normal", "user_tangents"];
        let more: [(bool, &[&str]); 6] = [
            (self.r, &["R"]),
            (self.u, &["U"]),
            (self.gap, &["gap"]),
            (self.base, base),
            (self.surf, &["surf"]),
            (self.row, &["row"]),
        ];
        more.iter().filter(|(wanted, _)| *wanted).for_each(|(_, more)| names.extend_from_slice(more));
        names
    }
}

impl BodyHistory {
    /// Row i is the body in `frames[i]`, as far as its columns were read.
    pub fn shown<'a>(&'a self, model: &'a Model) -> ShownBodies<'a> {
        ShownBodies::of_tables(model, (&self.rigid, &self.pseudo), (&self.nodal, &self.nodes))
            .with_laws(&self.laws, &self.law_starts)
            .with_chars(&self.chars)
    }
}

impl Results {
    /// The states of the body of catalogue row `body` in these frames, which ascend.
    pub fn body_motion(&self, domain: usize, body: u32, frames: &[usize], columns: BodyColumns) -> Result<BodyHistory> {
        let mut history = BodyHistory::default();
        let names = columns.names();
        for Piece { file, index, first, local } in self.by_part(domain, frames)? {
            let at = base(domain);
            let mut found = Vec::new();
            for of in BODIES {
                for (positions, rows) in find_body(file, &at, of, index, &local, body)? {
                    let mut part = BodyHistory::default();
                    let table: &mut dyn Table = match of {
                        Of::Pseudo => &mut part.pseudo,
                        Of::Nodal => &mut part.nodal,
                        Of::Rigid => &mut part.rigid,
                        Of::Nodes | Of::Laws | Of::Chars | Of::Constraints | Of::Events => continue,
                    };
                    file.get_table_rows(&at, table, rows, names)?;
                    let here: Vec<usize> = positions.clone().map(|i| local[i]).collect();
                    if of == Of::Nodal {
                        read_nodes(file, &at, index, &here, rows, names, &mut part)?;
                        if columns != BodyColumns::Velocity {
                            read_laws(file, &at, index, &here, body, &mut part)?;
                        }
                    } else {
                        part.chars = read_chars(file, &at, index, &here, body)?;
                    }
                    found.extend(positions.map(|i| first + i));
                    history.append(part);
                }
            }
            history.frames.append(&mut found);
        }
        if self.ranks() > 1 {
            history.sort();
        }
        Ok(history)
    }

    /// [`Results::energies_in`] all frames.
    pub fn energies(&self, domain: usize, bodies: Option<&[u32]>) -> Result<Vec<[f64; 6]>> {
        let all: Vec<usize> = (0..self.frames(domain)?.len()).collect();
        self.energies_in(domain, bodies, &all)
    }

    /// Energies summed over bodies (all, or those of these catalogue rows) in each of these frames, which ascend:
    /// kinetic, internal, external, contact, friction, dissipated [J]. Reads the energy columns alone.
    pub fn energies_in(&self, domain: usize, bodies: Option<&[u32]>, frames: &[usize]) -> Result<Vec<[f64; 6]>> {
        let wanted: Option<BTreeSet<u32>> = bodies.map(|b| b.iter().copied().collect());
        let mut sums = vec![[0.0; 6]; frames.len()];
        // Rows of several ranks are added in the order of one, so that the number of ranks changes no bit.
        let catalogue = self.catalogue(domain)?;
        let place = |body: u32| {
            let row = body as usize;
            (catalogue.shape_class.get(row).copied(), catalogue.id.get(row).copied())
        };
        let at_once = if self.ranks() > 1 { self.frames_at_once(domain)? } else { usize::MAX };
        for (frames, sums) in frames.chunks(at_once).zip(sums.chunks_mut(at_once)) {
            let mut found = Vec::new();
            for Piece { file, index, first, local } in self.by_part(domain, frames)? {
                for of in BODIES {
                    visit_energies(file, &base(domain), of, (index, &local), |i, body, energies| {
                        if wanted.as_ref().is_none_or(|wanted| wanted.contains(&body)) {
                            if self.ranks() > 1 {
                                found.push(((first + i, of as usize, place(body)), energies));
                            } else {
                                add(&mut sums[first + i], &energies);
                            }
                        }
                    })?;
                }
            }
            found.sort_unstable_by_key(|&(key, _)| key);
            found.iter().for_each(|((frame, ..), energies)| add(&mut sums[*frame], energies));
        }
        Ok(sums)
    }

    /// Frames with at most [`BLOCK_ROWS`] bodies together, or one.
    fn frames_at_once(&self, domain: usize) -> Result<usize> {
        Ok((BLOCK_ROWS as usize / self.catalogue(domain)?.id.len().max(1)).max(1))
    }

    /// Hands the constraints of each of these frames, which ascend, to `visit`: position among the frames, columns
    /// (those not asked for are empty), and the frame's rows in them. It is called for each rank that has written
    /// the frame.
    pub fn visit_constraints(
        &self,
        domain: usize,
        frames: &[usize],
        columns: ConstraintColumns,
        visit: &mut dyn FnMut(usize, &ConstraintRows, Range<usize>),
    ) -> Result<()> {
        let names = columns.names();
        for Piece { file, index, first, local } in self.by_part(domain, frames)? {
            let offsets = &index.offsets[Of::Constraints as usize];
            for block in blocks(&local, offsets) {
                let start = offsets[local[block.start]] as usize;
                let end = offsets[local[block.end - 1] + 1] as usize;
                let mut rows = ConstraintRows::default();
                file.get_columns(&base(domain), &mut rows, (start..end).into(), &names)?;
                for i in block {
                    let of = |k: usize| offsets[k] as usize - start;
                    visit(first + i, &rows, of(local[i])..of(local[i] + 1));
                }
            }
        }
        Ok(())
    }

    /// Files with frames among these, which ascend, rank after rank.
    fn by_part(&self, domain: usize, frames: &[usize]) -> Result<Vec<Piece<'_>>> {
        self.check(domain)?;
        let mut found = Vec::new();
        let known = &self.frames(domain)?.index;
        for Part { file, domains, .. } in self.parts().iter().flatten() {
            let index = &domains[domain];
            let Some(&begin) = index.index.first() else { continue };
            let first = frames.partition_point(|&k| known[k] < begin);
            let local: Vec<usize> =
                frames[first..].iter().map_while(|&k| index.index.binary_search(&known[k]).ok()).collect();
            if !local.is_empty() {
                found.push(Piece { file, index, first, local });
            }
        }
        Ok(found)
    }
}

impl BodyHistory {
    /// Adds rows; the frames are those of the caller.
    fn append(&mut self, mut other: BodyHistory) {
        self.rigid.append(&mut other.rigid);
        self.pseudo.append(&mut other.pseudo);
        self.nodal.append(&mut other.nodal);
        self.nodes.append(&mut other.nodes);
        let before = self.law_starts.pop().unwrap_or(0);
        self.law_starts.extend(other.law_starts.iter().map(|start| before + start));
        self.laws.append(&mut other.laws);
        self.chars.append(&mut other.chars);
    }

    /// Rows of a body that went from rank to rank, in the order of frames.
    fn sort(&mut self) {
        let mut order: Vec<usize> = (0..self.frames.len()).collect();
        order.sort_by_key(|&i| self.frames[i]);
        self.frames = order.iter().map(|&i| self.frames[i]).collect();
        let ranges = self.nodal.ranges();
        let nodes: Vec<usize> = order.iter().filter_map(|&i| ranges.get(i)).cloned().flatten().collect();
        self.nodes.reorder(&nodes);
        let starts = self.law_starts.clone();
        let laws: Vec<Range<usize>> =
            order.iter().filter_map(|&i| Some(*starts.get(i)?..*starts.get(i + 1)?)).collect();
        self.law_starts = vec![0];
        self.law_starts.extend(laws.iter().scan(0, |end, rows| {
            *end += rows.len();
            Some(*end)
        }));
        self.laws.reorder(&laws.into_iter().flatten().collect::<Vec<usize>>());
        self.chars = order.iter().filter_map(|&i| self.chars.get(i).copied()).collect();
        for table in [&mut self.rigid as &mut dyn Table, &mut self.pseudo, &mut self.nodal] {
            table.reorder(&order);
        }
    }
}

/// A segment with some of the frames asked for.
struct Piece<'a> {
    file: &'a In,
    index: &'a FrameTable,
    /// Position of its first frame among those asked for.
    first: usize,
    /// Positions of its frames in the segment.
    local: Vec<usize>,
}

/// Reads the nodes that belong to these rows of nodal bodies, one in each frame.
fn read_nodes(
    file: &In,
    at: &str,
    index: &FrameTable,
    frames: &[usize],
    rows: Rows,
    names: Option<&[&str]>,
    to: &mut BodyHistory,
) -> Result<()> {
    for (i, &k) in frames.iter().enumerate() {
        let row = rows.start + i * rows.step;
        let before: Vec<u32> = file.get_rows(at, &Of::Nodal.path("nodes"), index.rows(Of::Nodal, k).start..row)?;
        let start = index.rows(Of::Nodes, k).start + before.iter().map(|&n| n as usize).sum::<usize>();
        let mut nodes = NodeRows::default();
        let range = start..start + to.nodal.nodes[i] as usize;
        file.get_table_rows(at, &mut nodes, range.into(), names)?;
        to.nodes.append(&mut nodes);
    }
    Ok(())
}

/// Reads the elements of a body in these frames where its material changes.
fn read_laws(file: &In, at: &str, index: &FrameTable, frames: &[usize], body: u32, to: &mut BodyHistory) -> Result<()> {
    to.law_starts.push(0);
    for &k in frames {
        let all = index.rows(Of::Laws, k);
        let mut laws = LawRows { body: file.get_rows(at, &Of::Laws.path("body"), all.clone())?, ..LawRows::default() };
        let own = laws.of(body);
        file.get_table_rows(at, &mut laws, (all.start + own.start..all.start + own.end).into(), None)?;
        to.laws.append(&mut laws);
        to.law_starts.push(to.laws.body.len());
    }
    Ok(())
}

/// Reads the characteristics of a body in these frames where they are not those of the model.
fn read_chars(
    file: &In,
    at: &str,
    index: &FrameTable,
    frames: &[usize],
    body: u32,
) -> Result<Vec<Option<Characteristics>>> {
    let of_frame = |&k: &usize| {
        let all = index.rows(Of::Chars, k);
        let mut chars = CharsRows::default();
        if !all.is_empty() {
            file.get_table_rows(at, &mut chars, all.into(), None)?;
        }
        Ok(chars.of(body).map(Characteristics::from))
    };
    frames.iter().map(of_frame).collect()
}

/// Splits frames into ranges of neighbours with at most [`BLOCK_ROWS`] rows together, or one frame with more.
fn blocks(frames: &[usize], offsets: &[u64]) -> Vec<Range<usize>> {
    let mut blocks = Vec::new();
    let mut start = 0;
    for i in 1..=frames.len() {
        let fits = i < frames.len()
            && frames[i] == frames[i - 1] + 1
            && offsets[frames[i] + 1] - offsets[frames[start]] <= BLOCK_ROWS;
        if !fits {
            blocks.push(start..i);
            start = i;
        }
    }
    blocks
}

type Found = Vec<(Range<usize>, Rows)>;

/// Rows of a body in frames of a segment: ranges of positions in `frames`, and the rows there. Where frames have
/// equally many rows and the body keeps its place, one strided read finds it in all of them.
fn find_body(file: &In, at: &str, of: Of, index: &FrameTable, frames: &[usize], body: u32) -> Result<Found> {
    let path = &of.path("body");
    let rows = |i: usize| index.rows(of, frames[i]);
    let n = frames.len();
    let whole = rows(0).start..rows(n - 1).end;
    // A short column is read once: a body that comes late costs no read for each frame before.
    let fits = whole.len() as u64 <= BLOCK_ROWS;
    let short: Option<Vec<u32>> = fits.then(|| file.get_rows(at, path, whole.clone())).transpose()?;
    let mut found = Vec::new();
    let mut i = 0;
    while i < n {
        let long;
        let column = match &short {
            Some(all) => &all[rows(i).start - whole.start..rows(i).end - whole.start],
            None => {
                long = file.get_rows::<u32>(at, path, rows(i))?;
                &long
            }
        };
        let Some(place) = column.iter().position(|&b| b == body) else {
            i += 1;
            continue;
        };
        let step = if i + 1 < n { rows(i + 1).start - rows(i).start } else { 1 };
        let steady = |&j: &usize| rows(j).start == rows(i).start + (j - i) * step && place < rows(j).len();
        let count = (i..n).take_while(steady).count();
        let stride = Rows { start: rows(i).start + place, step: step.max(1), count };
        let held: Vec<u32> = match &short {
            Some(all) => (0..count).map(|j| all[stride.start - whole.start + j * stride.step]).collect(),
            None => file.get_rows(at, path, stride)?,
        };
        let count = held.iter().take_while(|&&b| b == body).count();
        found.push((i..i + count, Rows { count, ..stride }));
        i += count;
    }
    Ok(found)
}

fn add(sum: &mut [f64; 6], energies: &[f64; 6]) {
    sum.iter_mut().zip(energies).for_each(|(sum, x)| *sum += x);
}

/// Hands the rows of a table in frames of a segment to `visit`: position among the frames, body and energies.
fn visit_energies(
    file: &In,
    at: &str,
    of: Of,
    (index, frames): (&FrameTable, &[usize]),
    mut visit: impl FnMut(usize, u32, [f64; 6]),
) -> Result<()> {
    let offsets = &index.offsets[of as usize];
    for block in blocks(frames, offsets) {
        let start = offsets[frames[block.start]] as usize;
        let rows = Rows::from(start..offsets[frames[block.end - 1] + 1] as usize);
        let energies: Vec<[f64; 6]> = file.get_rows(at, &of.path("energy"), rows)?;
        let bodies: Vec<u32> = file.get_rows(at, &of.path("body"), rows)?;
        for i in block {
            for row in offsets[frames[i]] as usize - start..offsets[frames[i] + 1] as usize - start {
                visit(i, bodies[row], energies[row]);
            }
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn blocks_are_neighbours() {
        let offsets: Vec<u64> = (0..10).map(|k| k * (BLOCK_ROWS / 3)).collect();
        assert_eq!(blocks(&[0, 1, 2, 3, 5, 6], &offsets), [0..3, 3..4, 4..6]);
        let huge: Vec<u64> = (0..4).map(|k| k * (2 * BLOCK_ROWS)).collect();
        assert_eq!(blocks(&[0, 1, 2], &huge), [0..1, 1..2, 2..3]);
        assert_eq!(blocks(&[], &offsets), [0..0; 0]);
    }
}
