//! Communication between ranks: bytes in, bytes out, and collectives made of messages. The library only sees the trait.
//!
//! Collectives must be called by all ranks in the same order. Their results are equal to the last bit on all ranks and
//! in all runs, because numbers are combined in the order of ranks, in a fixed tree.

mod agree;
mod collectives;
mod counted;
mod in_process;
mod tree;
mod words;

pub use agree::agree;
pub use collectives::{any, barrier, count, gather, largest, largest_each, leads, least, sum, sum_each};
pub use counted::Counted;
pub use in_process::InProcess;
pub use words::{receive_numbers, receive_words, send_numbers, send_words};

/// Messages between pairs of ranks. Those between one pair of ranks with one tag arrive in the order in which they were
/// sent.
pub trait Communicator: Send + Sync {
    /// This rank, `0 ≤ rank < size`.
    fn rank(&self) -> usize;
    /// Number of ranks.
    fn size(&self) -> usize;
    /// Sends a copy of `bytes`; does not wait for the receiver.
    fn send(&self, to: usize, tag: u32, bytes: &[u8]);
    /// Waits for the next message of `from` with `tag`, which replaces the content of `message`.
    fn receive(&self, from: usize, tag: u32, message: &mut Vec<u8>);
}

/// The only rank of a world of one.
pub struct Alone;

impl Communicator for Alone {
    fn rank(&self) -> usize {
        0
    }

    fn size(&self) -> usize {
        1
    }

    /// There is nobody to send to.
    fn send(&self, _to: usize, _tag: u32, _bytes: &[u8]) {}

    /// There is nobody to hear from.
    fn receive(&self, _from: usize, _tag: u32, message: &mut Vec<u8>) {
        message.clear();
    }
}
