//! The tree of all ranks by which collectives go: half of a range of ranks reports to the first rank of the range, half of
//! each half to the first of that, and so on. No rank sends or receives more than log₂ of the number of ranks each way.

use std::ops::Range;

use super::Communicator;

/// Joins what ranks have, in their order, on rank 0: `join` adds what comes from later ranks. On other ranks `own` is
/// then of no use.
pub fn gather_up(comm: &dyn Communicator, tag: u32, own: &mut Vec<u8>, join: &mut dyn FnMut(&mut Vec<u8>, &[u8])) {
    up(comm, tag, 0..comm.size(), own, join);
}

/// Brings `message` of rank 0 to all ranks.
pub fn send_down(comm: &dyn Communicator, tag: u32, message: &mut Vec<u8>) {
    let (rank, mut ranks) = (comm.rank(), 0..comm.size());
    while ranks.len() > 1 {
        let middle = middle(&ranks);
        if rank == ranks.start {
            comm.send(middle, tag, message);
        } else if rank == middle {
            comm.receive(ranks.start, tag, message);
        }
        ranks = side(ranks, rank);
    }
}

fn up(
    comm: &dyn Communicator,
    tag: u32,
    ranks: Range<usize>,
    own: &mut Vec<u8>,
    join: &mut dyn FnMut(&mut Vec<u8>, &[u8]),
) {
    if ranks.len() < 2 {
        return;
    }
    let (rank, first, middle) = (comm.rank(), ranks.start, middle(&ranks));
    up(comm, tag, side(ranks, rank), own, join);
    if rank == middle {
        comm.send(first, tag, own);
    } else if rank == first {
        let mut later = Vec::new();
        comm.receive(middle, tag, &mut later);
        join(own, &later);
    }
}

/// The first rank of the second half.
fn middle(ranks: &Range<usize>) -> usize {
    ranks.start + ranks.len() / 2
}

/// The half to which a rank belongs.
fn side(ranks: Range<usize>, rank: usize) -> Range<usize> {
    let middle = middle(&ranks);
    if rank < middle {
        ranks.start..middle
    } else {
        middle..ranks.end
    }
}
