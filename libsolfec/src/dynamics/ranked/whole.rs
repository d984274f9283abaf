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
struct End {
    row: u32,
    sign: f64,
    attach: Attach,
    arm: Vec3,
    base: Mat3,
}

impl WholeMatrix for RankOperator {
    /// The owner of a body couples all rows on it; blocks of several bodies are added up.
    fn assemble(&self) -> BlockSparse {
        if self.alone() {
            return self.own.assemble();
        }
        let mut ends: BTreeMap<Slot, Vec<End>> = BTreeMap::new();
        let slot_of: BTreeMap<BodyId, Slot> = self.ids.iter().copied().zip((0..).map(Slot)).collect();
        let rank = self.comm.rank() as u32;
        self.each_of_all::<END>(&self.ends(), |n| {
            let Some(&slot) = slot_of.get(&BodyId(n[1] as u64)).filter(|slot| self.homes[slot.index()] == rank) else {
                return;
            };
            let (arm, base) = (Vec3::from_column_slice(&n[3..6]), Mat3::from_column_slice(&n[6..]));
            let (row, end) = (n[0] as usize, n[2] as usize);
            let Some(attach) = self.attach(slot, row, end) else { return };
            ends.entry(slot).or_default().push(End { row: row as u32, sign: [1.0, -1.0][end], attach, arm, base });
        });
        let mut blocks: Vec<f64> = Vec::new();
        for ends in ends.values() {
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
        self.each_of_all::<BLOCK>(&blocks, |n| {
            *rows[n[0] as usize].entry(n[1] as u32).or_insert_with(Mat3::zeros) += Mat3::from_column_slice(&n[2..]);
        });
        let upper: Vec<Vec<(u32, Mat3)>> = rows.into_iter().map(|row| row.into_iter().collect()).collect();
        BlockSparse::from_upper(&upper)
    }

    fn gather<const N: usize>(&self, own: impl Fn(usize) -> [f64; N]) -> Vec<[f64; N]> {
        let numbers: Vec<f64> = (0..self.len()).flat_map(own).collect();
        let mut all = Vec::with_capacity(self.rows);
        self.each_of_all::<N>(&numbers, |numbers| all.push(std::array::from_fn(|k| numbers[k])));
        all
    }

    fn row_in_matrix(&self, i: usize) -> usize {
        self.first + i
    }
}

impl RankOperator {
    /// The ends of all rows of this rank.
    fn ends(&self) -> Vec<f64> {
        let mut numbers = Vec::new();
        for row in 0..self.len() {
            self.own.each_end(row, |slot, end, arm, base| {
                numbers.extend([(self.first + row) as f64, self.ids[slot.index()].0 as f64, end as f64]);
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

    /// Calls `take` with each `N` of the numbers of all ranks, in order of ranks. Collective.
    fn each_of_all<const N: usize>(&self, own: &[f64], mut take: impl FnMut(&[f64])) {
        let bytes: Vec<u8> = own.iter().flat_map(|number| number.to_le_bytes()).collect();
        let mut numbers = Vec::new();
        comm::gather(&*self.comm, &bytes, |_, bytes| {
            numbers.clear();
            numbers.extend(bytes.chunks_exact(8).map(|word| f64::from_le_bytes(std::array::from_fn(|k| word[k]))));
            numbers.chunks_exact(N).for_each(&mut take);
        });
    }
}
