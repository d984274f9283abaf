//! Ranks as threads of one process: messages are copied, so that nothing is shared that MPI would not share.

use std::collections::{BTreeMap, VecDeque};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};

use super::Communicator;

/// Messages under way by (from, to, tag), oldest first.
type Queues = BTreeMap<(usize, usize, u32), VecDeque<Vec<u8>>>;

#[derive(Default)]
struct Post {
    queues: Mutex<Queues>,
    arrived: Condvar,
}

impl Post {
    /// The queues are consistent after every statement, so a rank that panicked has not spoiled them.
    fn lock(&self) -> MutexGuard<'_, Queues> {
        self.queues.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// One rank of a world of threads.
pub struct InProcess {
    rank: usize,
    size: usize,
    post: Arc<Post>,
}

impl InProcess {
    /// The ranks of a world of this size; give each to a thread of its own.
    pub fn world(size: usize) -> Vec<InProcess> {
        let post = Arc::new(Post::default());
        (0..size).map(|rank| InProcess { rank, size, post: Arc::clone(&post) }).collect()
    }
}

impl Communicator for InProcess {
    fn rank(&self) -> usize {
        self.rank
    }

    fn size(&self) -> usize {
        self.size
    }

    fn send(&self, to: usize, tag: u32, bytes: &[u8]) {
        self.post.lock().entry((self.rank, to, tag)).or_default().push_back(bytes.to_vec());
        self.post.arrived.notify_all();
    }

    fn receive(&self, from: usize, tag: u32) -> Vec<u8> {
        let mut queues = self.post.lock();
        loop {
            if let Some(message) = queues.get_mut(&(from, self.rank, tag)).and_then(VecDeque::pop_front) {
                return message;
            }
            queues = self.post.arrived.wait(queues).unwrap_or_else(PoisonError::into_inner);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::sum;
    use super::*;

    /// Runs `rank` on every rank of a world and returns their answers in order.
    fn on_all<T: Send>(size: usize, rank: impl Fn(&InProcess) -> T + Sync) -> Vec<T> {
        let world = InProcess::world(size);
        std::thread::scope(|scope| {
            let threads: Vec<_> = world.iter().map(|comm| scope.spawn(|| rank(comm))).collect();
            threads.into_iter().map(|thread| thread.join().expect("a rank ends")).collect()
        })
    }

    #[test]
    fn messages_of_a_pair_and_tag_keep_their_order() {
        let heard = on_all(3, |comm| {
            let next = (comm.rank() + 1) % comm.size();
            for k in 0..100u8 {
                comm.send(next, u32::from(k % 2), &[k]);
            }
            let previous = (comm.rank() + 2) % comm.size();
            let odd: Vec<u8> = (0..50).flat_map(|_| comm.receive(previous, 1)).collect();
            let even: Vec<u8> = (0..50).flat_map(|_| comm.receive(previous, 0)).collect();
            (even, odd)
        });
        for (even, odd) in heard {
            assert!(even.iter().enumerate().all(|(i, &k)| k as usize == 2 * i));
            assert!(odd.iter().enumerate().all(|(i, &k)| k as usize == 2 * i + 1));
        }
    }

    #[test]
    fn sums_are_the_same_on_all_ranks_and_at_every_run() {
        for size in 1..=17 {
            let run = || on_all(size, |comm| sum(comm, [1.0 / (comm.rank() as f64 + 3.0), 1.0]));
            let first = run();
            assert!(first.iter().all(|s| s[0].to_bits() == first[0][0].to_bits() && s[1] == size as f64));
            assert_eq!(first, run());
        }
    }
}
