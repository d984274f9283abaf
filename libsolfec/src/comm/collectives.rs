//! Collectives made of messages.

use super::tree::{gather_up, send_down};
use super::Communicator;

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
    if comm.size() == 1 {
        return take(0, own);
    }
    // Each message behind its length.
    let mut all = (own.len() as u64).to_le_bytes().to_vec();
    all.extend_from_slice(own);
    gather_up(comm, GATHER, &mut all, &mut |all, later| all.extend_from_slice(later));
    send_down(comm, GATHER, &mut all);
    let mut rest = &all[..];
    for rank in 0..comm.size() {
        let Some((length, behind)) = rest.split_first_chunk() else { return };
        let (message, later) = behind.split_at((u64::from_le_bytes(*length) as usize).min(behind.len()));
        take(rank, message);
        rest = later;
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

/// Combines numbers of all ranks in the tree of ranks.
fn reduce_each(comm: &dyn Communicator, own: &mut [f64], combine: fn(f64, f64) -> f64) {
    if comm.size() == 1 {
        return;
    }
    let mut bytes: Vec<u8> = own.iter().flat_map(|number| number.to_le_bytes()).collect();
    gather_up(comm, REDUCE, &mut bytes, &mut |bytes, later| {
        for (a, b) in bytes.chunks_exact_mut(8).zip(later.chunks_exact(8)) {
            a.copy_from_slice(&combine(number(a), number(b)).to_le_bytes());
        }
    });
    send_down(comm, REDUCE, &mut bytes);
    own.iter_mut().zip(bytes.chunks_exact(8)).for_each(|(own, bytes)| *own = number(bytes));
}

/// The number that eight bytes are.
fn number(bytes: &[u8]) -> f64 {
    f64::from_le_bytes(std::array::from_fn(|k| bytes[k]))
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::super::{Counted, InProcess};
    use super::*;

    /// What `rank` gives on every rank of a world, and the messages and bytes that each has sent.
    fn counted<T: Send>(size: usize, rank: impl Fn(&Counted) -> T + Sync) -> Vec<(T, [u64; 2])> {
        let world: Vec<Counted> = InProcess::world(size).into_iter().map(|comm| Counted::new(Arc::new(comm))).collect();
        std::thread::scope(|scope| {
            let rank = &rank;
            let threads: Vec<_> =
                world.into_iter().map(|comm| scope.spawn(move || (rank(&comm), comm.sent()))).collect();
            threads.into_iter().map(|thread| thread.join().expect("a rank ends")).collect()
        })
    }

    fn sent<T>(heard: &[(T, [u64; 2])], size: usize) -> u64 {
        let most = u64::from(size.next_power_of_two().trailing_zeros());
        assert!(heard.iter().all(|(_, [messages, _])| *messages <= most + 1), "{size} ranks");
        heard.iter().map(|(_, [messages, _])| messages).sum()
    }

    #[test]
    fn sums_go_by_halves_of_ranks_and_no_rank_sends_more_than_the_depth_of_the_tree() {
        fn by_halves(numbers: &[f64]) -> f64 {
            match numbers {
                [number] => *number,
                _ => {
                    let (first, second) = numbers.split_at(numbers.len() / 2);
                    by_halves(first) + by_halves(second)
                }
            }
        }
        let own = |rank: usize| 1.0 / (rank as f64 + 3.0);
        for size in (1..=17).chain([64]) {
            let heard = counted(size, |comm| sum(comm, [own(comm.rank())]));
            let expected = by_halves(&(0..size).map(own).collect::<Vec<f64>>());
            assert!(heard.iter().all(|([found], _)| found.to_bits() == expected.to_bits()), "{size} ranks");
            assert_eq!(sent(&heard, size), 2 * (size as u64 - 1));
        }
    }

    #[test]
    fn what_is_gathered_takes_two_messages_a_rank() {
        for size in [1, 2, 3, 7, 16, 33] {
            let heard = counted(size, |comm| {
                let mut all = Vec::new();
                gather(comm, &vec![comm.rank() as u8; comm.rank() % 3], |from, bytes| all.push((from, bytes.to_vec())));
                all
            });
            let expected: Vec<(usize, Vec<u8>)> = (0..size).map(|rank| (rank, vec![rank as u8; rank % 3])).collect();
            assert!(heard.iter().all(|(all, _)| *all == expected), "{size} ranks");
            assert_eq!(sent(&heard, size), 2 * (size as u64 - 1));
        }
    }
}
