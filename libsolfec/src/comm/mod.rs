//! How ranks talk: bytes in, bytes out. The library only sees the trait; MPI lives in one file of sf-run.

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
