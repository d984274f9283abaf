//! The whole matrix of rows that are distributed over ranks, on each of them: for solvers outside the library and for
//! files, where it is asked for.

use std::collections::BTreeMap;

use super::RankOperator;
use crate::comm;
use crate::dynamics::packed::Attach;
use crate::dynamics::{BlockSparse, Delassus, WholeMatrix};
use crate::ids::{BodyId, Slot};
use crate::math::{Mat3, Vec3};

/// Numbers by which ranks know an end of a row: row, body, which end, arm and base.
const END: usize = 15;
/// Numbers of a block: row, column, entries.
const BLOCK: usize = 11;

/// An end of a row of any rank on a body of this one.
#[derive(Debug)]
pub(super) struct End {
    /// Number of the row among those of all ranks.
    pub row: u32,
    pub sign: f64,
    pub attach: Attach,
    pub arm: Vec3,
    pub base: Mat3,
}

impl WholeMatrix for RankOperator {
    fn assemble(&self) -> BlockSparse {
        if self.alone() {
            return self.own.assemble();
        }
        self.assemble_from(&self.known_ends(|row| row as u32))
    }

    fn gather<const N: usize>(&self, own: impl Fn(usize) -> [f64; N]) -> Vec<[f64; N]> {
        let numbers: Vec<f64> = (0..self.len()).flat_map(own).collect();
        let mut all = Vec::with_capacity(self.rows);
        self.each_of_all(N, &numbers, |numbers| all.push(std::array::from_fn(|k| numbers[k])));
        all
    }

    fn row_in_matrix(&self, i: usize) -> usize {
        self.first + i
    }
}

impl RankOperator {
    /// The ends of rows of all ranks on each body of this one and on copies, in order of rows; `number` gives rows, which
    /// are in the order of ranks, other numbers. Collective.
    pub(super) fn known_ends(&self, number: impl Fn(usize) -> u32) -> BTreeMap<Slot, Vec<End>> {
        let mut known: BTreeMap<Slot, Vec<End>> = BTreeMap::new();
        let slot_of: BTreeMap<BodyId, Slot> = self.ids.iter().copied().zip((0..).map(Slot)).collect();
        self.each_of_all(END, &self.ends(), |n| {
            let slot = if self.alone() { Some(Slot(n[1] as u32)) } else { slot_of.get(&BodyId(n[1] as u64)).copied() };
            let Some(slot) = slot else { return };
            let (arm, base) = (Vec3::from_column_slice(&n[3..6]), Mat3::from_column_slice(&n[6..]));
            let (row, end) = (n[0] as usize, n[2] as usize);
            let Some(attach) = self.attach(slot, row, end) else { return };
            let end = End { row: number(row), sign: [1.0, -1.0][end], attach, arm, base };
            known.entry(slot).or_default().push(end);
        });
        known.values_mut().for_each(|ends| ends.sort_by_key(|end| end.row));
        known
    }

    /// The owner of a body couples all rows on it; blocks of several bodies are added up. Collective.
    pub(super) fn assemble_from(&self, known: &BTreeMap<Slot, Vec<End>>) -> BlockSparse {
        let mut blocks: Vec<f64> = Vec::new();
        for (_, ends) in known.iter().filter(|(slot, _)| self.owns(**slot)) {
            for a in ends {
                for b in ends.iter().filter(|b| b.row >= a.row) {
                    let Some(block) = self.own.packed().coupling(a.attach, b.attach, &a.arm, &b.arm) else { continue };
                    let block = a.base.tr_mul(&(block * b.base)) * (a.sign * b.sign);
                    blocks.extend([f64::from(a.row), f64::from(b.row)]);
                    blocks.extend(block.iter());
                }
            }
        }
        let mut rows: Vec<BTreeMap<u32, Mat3>> = vec![BTreeMap::new(); self.rows];
        self.each_of_all(BLOCK, &blocks, |n| {
            *rows[n[0] as usize].entry(n[1] as u32).or_insert_with(Mat3::zeros) += Mat3::from_column_slice(&n[2..]);
        });
        let upper: Vec<Vec<(u32, Mat3)>> = rows.into_iter().map(|row| row.into_iter().collect()).collect();
        BlockSparse::from_upper(&upper)
    }

    /// Whether this rank owns the body of a slot.
    pub(super) fn owns(&self, slot: Slot) -> bool {
        self.homes.get(slot.index()).is_none_or(|home| *home as usize == self.comm.rank())
    }

    /// The body of a slot as ranks know it; one rank knows bodies by their slots.
    pub(super) fn name(&self, slot: Slot) -> BodyId {
        self.ids.get(slot.index()).copied().unwrap_or(BodyId(slot.0.into()))
    }

    /// The ends of all rows of this rank.
    fn ends(&self) -> Vec<f64> {
        let mut numbers = Vec::new();
        for row in 0..self.len() {
            self.own.each_end(row, |slot, end, arm, base| {
                numbers.extend([(self.first + row) as f64, self.name(slot).0 as f64, end as f64]);
                numbers.extend(arm.iter().chain(base.iter()));
            });
        }
        numbers
    }

    /// How an end of a row of any rank holds on to a body of this one.
    fn attach(&self, slot: Slot, row: usize, end: usize) -> Option<Attach> {
        if !self.own.packed().is_condensed(slot) {
            return Some(self.own.packed().attach(slot));
        }
        let own = row.checked_sub(self.first).filter(|row| *row < self.own.len());
        own.map(|row| self.own.attach(row, end))
            .or_else(|| Some(self.own.attach_of_other(self.points.number_of(row, end)?)))
    }

    /// Calls `take` with each `width` of the numbers of all ranks, in order of ranks. Collective.
    pub(super) fn each_of_all(&self, width: usize, own: &[f64], mut take: impl FnMut(&[f64])) {
        let bytes: Vec<u8> = own.iter().flat_map(|number| number.to_le_bytes()).collect();
        let mut numbers = Vec::new();
        comm::gather(&*self.comm, &bytes, |_, bytes| {
            numbers.clear();
            numbers.extend(bytes.chunks_exact(8).map(|word| f64::from_le_bytes(std::array::from_fn(|k| word[k]))));
            numbers.chunks_exact(width).for_each(&mut take);
        });
    }
}
