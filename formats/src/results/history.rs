//! Columns over many frames: of one body, of energies, of constraints. Only the rows and columns that are asked for are
//! read, a block of neighbouring frames at a time.

use std::collections::BTreeSet;
use std::ops::Range;

use solfec::frame::{ConstraintRows, NodalRows, NodeRows, PseudoRows, RigidRows};
use solfec::model::Model;
use solfec::query::ShownBodies;

use super::reader::{base, FrameTable, Results};
use super::segment;
use crate::error::Result;
use crate::store::{Cell, In, Rows};

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

/// The states of one body over the frames in which it is; of the tables of bodies one has rows.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct BodyHistory {
    /// Positions among the frames asked for, ascending; row i of the table belongs to `frames[i]`.
    pub frames: Vec<usize>,
    pub rigid: RigidRows,
    pub pseudo: PseudoRows,
    pub nodal: NodalRows,
    pub nodes: NodeRows,
}

/// Columns of constraints beside kind, master and slave; the others stay empty.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default)]
pub struct ConstraintColumns {
    pub r: bool,
    pub u: bool,
    pub gap: bool,
    /// normal, tangent1, tangent2
    pub base: bool,
    pub surf: bool,
}

impl BodyHistory {
    /// Row i is the body in `frames[i]`, as far as its columns were read.
    pub fn shown<'a>(&'a self, model: &'a Model) -> ShownBodies<'a> {
        ShownBodies::of_tables(model, (&self.rigid, &self.pseudo), (&self.nodal, &self.nodes))
    }
}

impl Results {
    /// All states of the body of catalogue row `body`: reads its own rows only.
    pub fn body_history(&self, domain: usize, body: u32) -> Result<BodyHistory> {
        let all: Vec<usize> = (0..self.frames(domain)?.len()).collect();
        self.body_motion(domain, body, &all, BodyColumns::All)
    }

    /// The states of the body of catalogue row `body` in these frames, which ascend.
    pub fn body_motion(&self, domain: usize, body: u32, frames: &[usize], columns: BodyColumns) -> Result<BodyHistory> {
        let mut history = BodyHistory::default();
        let at = base(domain);
        for (file, t, first, local) in self.by_part(domain, frames)? {
            let mut found = Vec::new();
            for (positions, rows) in find_body(file, &at, "rigid/body", &t.row_rigid, &local, body)? {
                found.extend(positions.map(|i| first + i));
                append_rigid(&mut history.rigid, rigid(file, &at, rows, columns)?);
            }
            for (positions, rows) in find_body(file, &at, "pseudo/body", &t.row_pseudo, &local, body)? {
                found.extend(positions.map(|i| first + i));
                append_pseudo(&mut history.pseudo, pseudo(file, &at, rows, columns)?);
            }
            history.frames.append(&mut found);
        }
        Ok(history)
    }

    /// [`Results::energies_in`] all frames.
    pub fn energies(&self, domain: usize, bodies: Option<&[u32]>) -> Result<Vec<[f64; 6]>> {
        let all: Vec<usize> = (0..self.frames(domain)?.len()).collect();
        self.energies_in(domain, bodies, &all)
    }

    /// Energies summed over bodies (all, or those of these catalogue rows) in each of these frames, which ascend: kinetic,
    /// internal, external, contact, friction, dissipated [J]. Reads the energy columns alone.
    pub fn energies_in(&self, domain: usize, bodies: Option<&[u32]>, frames: &[usize]) -> Result<Vec<[f64; 6]>> {
        let wanted: Option<BTreeSet<u32>> = bodies.map(|b| b.iter().copied().collect());
        let mut sums = vec![[0.0; 6]; frames.len()];
        for (file, t, first, local) in self.by_part(domain, frames)? {
            let sums = &mut sums[first..first + local.len()];
            for (table, offsets) in [("rigid", &t.row_rigid), ("pseudo", &t.row_pseudo)] {
                add_energies(file, &base(domain), table, (offsets, &local), wanted.as_ref(), sums)?;
            }
        }
        Ok(sums)
    }

    /// Hands the constraints of each of these frames, which ascend, to `visit`: position among the frames, columns, and the
    /// frame's rows in them.
    pub fn visit_constraints(
        &self,
        domain: usize,
        frames: &[usize],
        columns: ConstraintColumns,
        visit: &mut dyn FnMut(usize, &ConstraintRows, Range<usize>),
    ) -> Result<()> {
        for (file, t, first, local) in self.by_part(domain, frames)? {
            let offsets = &t.row_con;
            for block in blocks(&local, offsets) {
                let start = offsets[local[block.start]] as usize;
                let end = offsets[local[block.end - 1] + 1] as usize;
                let rows = constraints(file, &base(domain), (start..end).into(), columns)?;
                for i in block {
                    let of = |k: usize| offsets[k] as usize - start;
                    visit(first + i, &rows, of(local[i])..of(local[i] + 1));
                }
            }
        }
        Ok(())
    }

    /// Files with frames among these, which ascend: file, frame index, position in `frames` of the first one there, and
    /// the positions of the frames in the file.
    fn by_part(&self, domain: usize, frames: &[usize]) -> Result<Vec<Piece<'_>>> {
        self.check(domain)?;
        let mut found = Vec::new();
        let (mut taken, mut before) = (0, 0);
        for part in 0..self.parts() {
            let (file, index) = self.part(part, domain);
            let end = before + index.len();
            let here = frames[taken..].iter().take_while(|&&k| k < end).count();
            if here > 0 {
                found.push((file, index, taken, frames[taken..taken + here].iter().map(|k| k - before).collect()));
            }
            (taken, before) = (taken + here, end);
        }
        Ok(found)
    }
}

/// A segment and the frame index in it, the position of its first frame among those asked for, positions of its frames in it.
type Piece<'a> = (&'a In, &'a FrameTable, usize, Vec<usize>);

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

/// Rows of a body in frames of a segment: ranges of positions in `frames`, and the rows there. Where frames have equally
/// many rows and the body keeps its place, one strided read finds it in all of them.
fn find_body(file: &In, at: &str, path: &str, offsets: &[u64], frames: &[usize], body: u32) -> Result<Found> {
    let rows = |i: usize| offsets[frames[i]] as usize..offsets[frames[i] + 1] as usize;
    let n = frames.len();
    let whole = rows(0).start..rows(n - 1).end;
    // A short column is read once: a body that comes late costs no read for each frame before.
    let short: Option<Vec<u32>> = match whole.len() as u64 <= BLOCK_ROWS {
        true => Some(file.get_rows(at, path, whole.clone())?),
        false => None,
    };
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

/// A column, or as many zeros.
fn column<T: Cell + Copy>(from: &In, at: &str, path: &str, rows: Rows, wanted: bool, zero: T) -> Result<Vec<T>> {
    match wanted {
        true => from.get_rows(at, path, rows),
        false => Ok(vec![zero; rows.count]),
    }
}

fn rigid(from: &In, at: &str, rows: Rows, columns: BodyColumns) -> Result<RigidRows> {
    if columns == BodyColumns::All {
        return segment::read_rigid(from, at, rows);
    }
    let (place, velocity) = (columns == BodyColumns::Place, columns == BodyColumns::Velocity);
    Ok(RigidRows {
        body: vec![0; rows.count],
        x: column(from, at, "rigid/x", rows, place, [0.0; 3])?,
        rot: from.get_rows(at, "rigid/rot", rows)?,
        v: column(from, at, "rigid/v", rows, velocity, [0.0; 3])?,
        omega: column(from, at, "rigid/omega", rows, velocity, [0.0; 3])?,
        energy: vec![[0.0; 6]; rows.count],
    })
}

fn pseudo(from: &In, at: &str, rows: Rows, columns: BodyColumns) -> Result<PseudoRows> {
    if columns == BodyColumns::All {
        return segment::read_pseudo(from, at, rows);
    }
    let (place, velocity) = (columns == BodyColumns::Place, columns == BodyColumns::Velocity);
    Ok(PseudoRows {
        body: vec![0; rows.count],
        x: column(from, at, "pseudo/x", rows, place, [0.0; 3])?,
        f: column(from, at, "pseudo/F", rows, place, [0.0; 9])?,
        v: column(from, at, "pseudo/v", rows, velocity, [0.0; 3])?,
        fdot: column(from, at, "pseudo/Fdot", rows, velocity, [0.0; 9])?,
        energy: vec![[0.0; 6]; rows.count],
    })
}

fn constraints(from: &In, at: &str, rows: Rows, columns: ConstraintColumns) -> Result<ConstraintRows> {
    fn some<T: Cell>(from: &In, at: &str, path: &str, rows: Rows, wanted: bool) -> Result<Vec<T>> {
        match wanted {
            true => from.get_rows(at, path, rows),
            false => Ok(Vec::new()),
        }
    }
    Ok(ConstraintRows {
        kind: from.get_rows(at, "con/kind", rows)?,
        master: from.get_rows(at, "con/master", rows)?,
        slave: from.get_rows(at, "con/slave", rows)?,
        r: some(from, at, "con/R", rows, columns.r)?,
        u: some(from, at, "con/U", rows, columns.u)?,
        gap: some(from, at, "con/gap", rows, columns.gap)?,
        normal: some(from, at, "con/normal", rows, columns.base)?,
        tangent1: some(from, at, "con/tangent1", rows, columns.base)?,
        tangent2: some(from, at, "con/tangent2", rows, columns.base)?,
        surf: some(from, at, "con/surf", rows, columns.surf)?,
        ..ConstraintRows::default()
    })
}

fn append_rigid(to: &mut RigidRows, mut r: RigidRows) {
    to.body.append(&mut r.body);
    to.x.append(&mut r.x);
    to.rot.append(&mut r.rot);
    to.v.append(&mut r.v);
    to.omega.append(&mut r.omega);
    to.energy.append(&mut r.energy);
}

fn append_pseudo(to: &mut PseudoRows, mut p: PseudoRows) {
    to.body.append(&mut p.body);
    to.x.append(&mut p.x);
    to.f.append(&mut p.f);
    to.v.append(&mut p.v);
    to.fdot.append(&mut p.fdot);
    to.energy.append(&mut p.energy);
}

/// Adds the energies of a table to the sums of frames of a segment.
fn add_energies(
    file: &In,
    at: &str,
    table: &str,
    (offsets, frames): (&[u64], &[usize]),
    wanted: Option<&BTreeSet<u32>>,
    sums: &mut [[f64; 6]],
) -> Result<()> {
    for block in blocks(frames, offsets) {
        let start = offsets[frames[block.start]] as usize;
        let rows = Rows::from(start..offsets[frames[block.end - 1] + 1] as usize);
        let energies: Vec<[f64; 6]> = file.get_rows(at, &format!("{table}/energy"), rows)?;
        let ids: Vec<u32> = match wanted {
            Some(_) => file.get_rows(at, &format!("{table}/body"), rows)?,
            None => Vec::new(),
        };
        for i in block {
            for row in offsets[frames[i]] as usize - start..offsets[frames[i] + 1] as usize - start {
                if wanted.is_none_or(|w| w.contains(&ids[row])) {
                    sums[i].iter_mut().zip(energies[row]).for_each(|(s, x)| *s += x);
                }
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
