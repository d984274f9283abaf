//! A communicator that counts what it sends.

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::Arc;

use super::Communicator;

/// Another communicator, with counts of the messages and bytes that this rank has sent.
pub struct Counted {
    inner: Arc<dyn Communicator>,
    /// Asked for in every collective call.
    size: usize,
    messages: AtomicU64,
    bytes: AtomicU64,
}

impl Counted {
    pub fn new(inner: Arc<dyn Communicator>) -> Self {
        let size = inner.size();
        Counted { inner, size, messages: AtomicU64::new(0), bytes: AtomicU64::new(0) }
    }

    /// Messages sent so far, and bytes in them.
    pub fn sent(&self) -> [u64; 2] {
        [&self.messages, &self.bytes].map(|count| count.load(Ordering::Relaxed))
    }
}

impl Communicator for Counted {
    fn rank(&self) -> usize {
        self.inner.rank()
    }

    fn size(&self) -> usize {
        self.size
    }

    fn send(&self, to: usize, tag: u32, bytes: &[u8]) {
        self.messages.fetch_add(1, Ordering::Relaxed);
        self.bytes.fetch_add(bytes.len() as u64, Ordering::Relaxed);
        self.inner.send(to, tag, bytes);
    }

    fn receive(&self, from: usize, tag: u32, message: &mut Vec<u8>) {
        self.inner.receive(from, tag, message);
    }
}
