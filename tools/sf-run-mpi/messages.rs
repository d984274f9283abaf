//! Messages between processes by MPI.

use std::ffi::{c_int, c_void};
use std::mem::MaybeUninit;
use std::sync::{Mutex, PoisonError};

use mpi::environment::Universe;
use mpi::ffi;
use mpi::topology::Communicator as _;
use mpi::traits::AsRaw;
use solfec::comm::Communicator;

/// Tags that MPI must know; larger ones are those of the collectives, which count down from the largest number.
const TAGS: u32 = 32_000;

/// Most bytes that MPI is given at once, as it counts by `int`. A longer message goes in pieces: all but the last have this
/// length, and the last one is shorter, maybe empty.
const PIECE: usize = 1 << 30;

/// A piece of a message that has been sent and may still be under way.
struct Sent {
    request: ffi::MPI_Request,
    /// What is sent; the library reads it until the request is complete.
    bytes: Vec<u8>,
}

// SAFETY: a request is a handle of the library, which may be used from any thread, one at a time.
unsafe impl Send for Sent {}

/// All processes.
pub struct World {
    comm: ffi::MPI_Comm,
    rank: usize,
    size: usize,
    piece: usize,
    sent: Mutex<Vec<Sent>>,
}

// SAFETY: the communicator is a handle of the library, which was initialised for calls from any thread, one at a time.
// Calls are made within steps and between them, by one thread at a time, as the trait asks.
unsafe impl Send for World {}
// SAFETY: see above.
unsafe impl Sync for World {}

impl World {
    pub fn new(universe: &Universe) -> World {
        let world = universe.world();
        let (rank, size) = (world.rank() as usize, world.size() as usize);
        World { comm: world.as_raw(), rank, size, piece: PIECE, sent: Mutex::default() }
    }

    fn send_piece(&self, to: usize, tag: u32, bytes: &[u8]) -> Sent {
        let bytes = bytes.to_vec();
        // SAFETY: `request` is written by the call before it is read; the bytes are not moved in memory while they are kept
        // with it.
        let request = unsafe {
            let mut request = MaybeUninit::uninit();
            let (data, count) = (bytes.as_ptr().cast::<c_void>(), bytes.len() as c_int);
            ffi::MPI_Isend(data, count, ffi::RSMPI_UINT8_T, to as c_int, number(tag), self.comm, request.as_mut_ptr());
            request.assume_init()
        };
        Sent { request, bytes }
    }

    /// Appends a piece to the message; returns its length.
    fn receive_piece(&self, from: usize, tag: u32, message: &mut Vec<u8>) -> usize {
        // SAFETY: handles and the status are written by the calls before they are read; the buffer is as long as the
        // piece that was found.
        unsafe {
            let (mut handle, mut status) = (MaybeUninit::uninit(), MaybeUninit::uninit());
            ffi::MPI_Mprobe(from as c_int, number(tag), self.comm, handle.as_mut_ptr(), status.as_mut_ptr());
            let (mut handle, status) = (handle.assume_init(), status.assume_init());
            let mut count: c_int = 0;
            ffi::MPI_Get_count(&status, ffi::RSMPI_UINT8_T, &mut count);
            let (start, length) = (message.len(), count.max(0) as usize);
            message.resize(start + length, 0);
            let data = message[start..].as_mut_ptr().cast::<c_void>();
            ffi::MPI_Mrecv(data, count, ffi::RSMPI_UINT8_T, &mut handle, ffi::RSMPI_STATUS_IGNORE);
            length
        }
    }

    /// Waits until all messages have left.
    pub fn settle(&self) {
        let mut sent = self.sent.lock().unwrap_or_else(PoisonError::into_inner);
        for Sent { mut request, bytes } in sent.drain(..) {
            // SAFETY: the request is one that `send` began, and its bytes are still there.
            unsafe { ffi::MPI_Wait(&mut request, ffi::RSMPI_STATUS_IGNORE) };
            drop(bytes);
        }
    }

    /// Ends all processes, with this code.
    pub fn abort(&self, code: u8) {
        // SAFETY: the communicator is that of all processes.
        unsafe { ffi::MPI_Abort(self.comm, code.into()) };
    }
}

impl Communicator for World {
    fn rank(&self) -> usize {
        self.rank
    }

    fn size(&self) -> usize {
        self.size
    }

    fn send(&self, to: usize, tag: u32, bytes: &[u8]) {
        let mut sent = self.sent.lock().unwrap_or_else(PoisonError::into_inner);
        sent.retain_mut(|message| {
            let mut done: c_int = 0;
            // SAFETY: the request is one that was begun below, and its bytes are still there.
            unsafe { ffi::MPI_Test(&mut message.request, &mut done, ffi::RSMPI_STATUS_IGNORE) };
            done == 0
        });
        let mut rest = bytes;
        loop {
            let (piece, later) = rest.split_at(rest.len().min(self.piece));
            sent.push(self.send_piece(to, tag, piece));
            if piece.len() < self.piece {
                return;
            }
            rest = later;
        }
    }

    fn receive(&self, from: usize, tag: u32, message: &mut Vec<u8>) {
        message.clear();
        while self.receive_piece(from, tag, message) == self.piece {}
    }
}

/// The tag as MPI knows it.
fn number(tag: u32) -> c_int {
    let tag = if tag < TAGS { tag } else { TAGS + (u32::MAX - tag) };
    tag as c_int
}

#[cfg(test)]
mod tests {
    use super::*;

    /// One process sends itself messages that are shorter, as long, and longer than a piece.
    #[test]
    fn long_messages_go_in_pieces() {
        let universe = mpi::initialize().expect("MPI begins");
        let world = World { piece: 8, ..World::new(&universe) };
        let messages = [0, 7, 8, 9, 16, 100].map(|length| (0..length).collect::<Vec<u8>>());
        messages.iter().for_each(|message| world.send(0, 3, message));
        for expected in &messages {
            let mut message = vec![1; 20];
            world.receive(0, 3, &mut message);
            assert_eq!(&message, expected);
        }
        world.settle();
    }
}
