//! Collectives made of messages.

use std::ops::Range;

use super::{receive_numbers, send_numbers, Communicator};

/// Tags of messages of the collectives; others must be smaller.
const REDUCE: u32 = u32::MAX;
const GATHER: u32 = u32::MAX - 1;

/// Sums over ranks.
pub fn sum<const N: usize>(comm: &dyn Communicator, own: [f64; N]) -> [f64; N] {
    reduce(comm, own, |a, b| a + b)
}

/// Largest of the numbers of all ranks; NaN only if all are.
pub fn largest<const N: usize>(comm: &dyn Communicator, own: [f64; N]) -> [f64; N] {
    reduce(comm, own, f64::max)
}

/// Smallest of the numbers of all ranks; NaN only if all are.
pub fn least(comm: &dyn Communicator, own: f64) -> f64 {
    let [least] = reduce(comm, [own], f64::min);
    least
}

/// Whether `own` is the largest of the numbers of all ranks; of several equal ones, that of the first rank.
pub fn leads(comm: &dyn Communicator, own: f64) -> bool {
    let [greatest] = largest(comm, [own]);
    let rank = comm.rank() as f64;
    least(comm, if own == greatest { rank } else { f64::INFINITY }) == rank
}

/// How many items the ranks before this one have, and how many all ranks have.
pub fn count(comm: &dyn Communicator, own: usize) -> [usize; 2] {
    let [mut before, mut all] = [0; 2];
    gather(comm, &(own as u64).to_le_bytes(), |rank, bytes| {
        let items = u64::from_le_bytes(std::array::from_fn(|k| bytes[k])) as usize;
        before += if rank < comm.rank() { items } else { 0 };
        all += items;
    });
    [before, all]
}

/// Whether `own` is true on any rank.
pub fn any(comm: &dyn Communicator, own: bool) -> bool {
    largest(comm, [f64::from(own)]) == [1.0]
}

/// Returns when all ranks have called it.
pub fn barrier(comm: &dyn Communicator) {
    sum(comm, []);
}

/// Calls `take` with the message of each rank, in order of rank, its own included.
pub fn gather(comm: &dyn Communicator, own: &[u8], mut take: impl FnMut(usize, &[u8])) {
    let others = |rank: &usize| *rank != comm.rank();
    (0..comm.size()).filter(others).for_each(|to| comm.send(to, GATHER, own));
    let mut message = Vec::new();
    for from in 0..comm.size() {
        if from == comm.rank() {
            take(from, own);
        } else {
            comm.receive(from, GATHER, &mut message);
            take(from, &message);
        }
    }
}

/// Sums over ranks, number by number.
pub fn sum_each(comm: &dyn Communicator, own: &mut [f64]) {
    reduce_each(comm, own, |a, b| a + b);
}

/// Largest of the numbers of all ranks, number by number; NaN only if all are.
pub fn largest_each(comm: &dyn Communicator, own: &mut [f64]) {
    reduce_each(comm, own, f64::max);
}

#[inline]
fn reduce<const N: usize>(comm: &dyn Communicator, mut own: [f64; N], combine: fn(f64, f64) -> f64) -> [f64; N] {
    if comm.size() == 1 {
        return own;
    }
    reduce_each(comm, &mut own, combine);
    own
}

/// Combines numbers of all ranks on rank 0, which sends the result to the others.
fn reduce_each(comm: &dyn Communicator, own: &mut [f64], combine: fn(f64, f64) -> f64) {
    if comm.size() == 1 {
        return;
    }
    if comm.rank() > 0 {
        send_numbers(comm, 0, REDUCE, own);
        return hear(comm, 0, own);
    }
    branch(comm, 0..comm.size(), own, combine);
    (1..comm.size()).for_each(|to| send_numbers(comm, to, REDUCE, own));
}

/// The combined numbers of a range of ranks, received by rank 0, whose own they are if the range begins with it.
fn branch(comm: &dyn Communicator, ranks: Range<usize>, numbers: &mut [f64], combine: fn(f64, f64) -> f64) {
    match ranks.len() {
        1 if ranks.start == 0 => {}
        1 => hear(comm, ranks.start, numbers),
        n => {
            let middle = ranks.start + n / 2;
            let mut others = vec![0.0; numbers.len()];
            branch(comm, ranks.start..middle, numbers, combine);
            branch(comm, middle..ranks.end, &mut others, combine);
            numbers.iter_mut().zip(others).for_each(|(a, b)| *a = combine(*a, b));
        }
    }
}

/// The numbers of the next message of a reduction.
fn hear(comm: &dyn Communicator, from: usize, numbers: &mut [f64]) {
    let mut heard = Vec::with_capacity(numbers.len());
    receive_numbers(comm, from, REDUCE, &mut heard);
    numbers.iter_mut().zip(heard).for_each(|(number, heard)| *number = heard);
}
