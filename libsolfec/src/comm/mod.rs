//! How ranks talk: bytes in, bytes out. The library only sees the trait; MPI lives in one file of sf-run.

mod in_process;

pub use in_process::InProcess;

/// Tag of the messages of [`sum`].
const SUM_TAG: u32 = u32::MAX;

/// Sums over ranks, in order of rank by a fixed binary tree on rank 0: the same bits on all ranks and at every run.
pub fn sum<const N: usize>(comm: &dyn Communicator, part: [f64; N]) -> [f64; N] {
    let bytes = |numbers: &[f64; N]| numbers.iter().flat_map(|x| x.to_le_bytes()).collect::<Vec<u8>>();
    let numbers = |bytes: &[u8]| -> [f64; N] {
        let mut words = bytes.chunks_exact(8).map(|w| f64::from_le_bytes(std::array::from_fn(|i| w[i])));
        std::array::from_fn(|_| words.next().unwrap_or(f64::NAN))
    };
    if comm.rank() > 0 {
        comm.send(0, SUM_TAG, &bytes(&part));
        return numbers(&comm.receive(0, SUM_TAG));
    }
    let mut parts = vec![part];
    parts.extend((1..comm.size()).map(|from| numbers(&comm.receive(from, SUM_TAG))));
    while parts.len() > 1 {
        let pair = |p: &[[f64; N]]| std::array::from_fn(|k| p.iter().map(|x| x[k]).sum());
        parts = parts.chunks(2).map(pair).collect();
    }
    for to in 1..comm.size() {
        comm.send(to, SUM_TAG, &bytes(&parts[0]));
    }
    parts[0]
}

/// Point-to-point messages and the few collectives that a time step needs. Messages between a pair of ranks with one
/// tag arrive in the order in which they were sent.
pub trait Communicator: Sync {
    /// This rank, `0 ≤ rank < size`.
    fn rank(&self) -> usize;
    /// Number of ranks.
    fn size(&self) -> usize;
    /// Sends a copy of `bytes`; returns at once.
    fn send(&self, to: usize, tag: u32, bytes: &[u8]);
    /// Waits for the next message of `from` with `tag`.
    fn receive(&self, from: usize, tag: u32) -> Vec<u8>;
}

/// The communicator of a serial run.
pub struct Alone;

impl Communicator for Alone {
    fn rank(&self) -> usize {
        0
    }
    fn size(&self) -> usize {
        1
    }
    fn send(&self, to: usize, _tag: u32, _bytes: &[u8]) {
        unreachable!("rank {to} does not exist: there is one rank")
    }
    fn receive(&self, from: usize, _tag: u32) -> Vec<u8> {
        unreachable!("rank {from} does not exist: there is one rank")
    }
}
