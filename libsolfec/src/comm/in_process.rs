//! Ranks as threads of one process: messages are copied, so that nothing is shared that MPI would not share.

use std::collections::{BTreeMap, VecDeque};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};

use super::Communicator;

/// Messages under way by (from, to, tag), oldest first.
type Queues = BTreeMap<(usize, usize, u32), VecDeque<Vec<u8>>>;

#[derive(Default)]
struct Mail {
    queues: Queues,
    /// Ranks that have not ended, and what those among them that wait are waiting for: (from, tag).
    there: usize,
    waiting: BTreeMap<usize, (usize, u32)>,
}

impl Mail {
    fn has(&self, from: usize, to: usize, tag: u32) -> bool {
        self.queues.get(&(from, to, tag)).is_some_and(|queue| !queue.is_empty())
    }

    /// Whether all ranks wait for messages that nobody will send.
    fn is_stuck(&self) -> bool {
        self.waiting.len() == self.there && self.waiting.iter().all(|(to, (from, tag))| !self.has(*from, *to, *tag))
    }
}

#[derive(Default)]
struct Post {
    mail: Mutex<Mail>,
    /// Of each rank that waits.
    arrived: Vec<Condvar>,
    /// Buffers of messages that were received.
    spare: Mutex<Vec<Vec<u8>>>,
}

impl Post {
    /// The mail is consistent after every statement, also when a rank has panicked.
    fn lock(&self) -> MutexGuard<'_, Mail> {
        self.mail.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn wake_all(&self) {
        self.arrived.iter().for_each(Condvar::notify_one);
    }

    fn spare(&self) -> MutexGuard<'_, Vec<Vec<u8>>> {
        self.spare.lock().unwrap_or_else(PoisonError::into_inner)
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
        let post = Arc::new(Post { arrived: (0..size).map(|_| Condvar::new()).collect(), ..Post::default() });
        post.lock().there = size;
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
        let mut message = self.post.spare().pop().unwrap_or_default();
        message.clear();
        message.extend_from_slice(bytes);
        let mut mail = self.post.lock();
        mail.queues.entry((self.rank, to, tag)).or_default().push_back(message);
        if mail.waiting.get(&to) == Some(&(self.rank, tag)) {
            drop(mail);
            self.post.arrived[to].notify_one();
        }
    }

    /// # Panics
    /// All ranks that have not ended wait, and no message is under way.
    fn receive(&self, from: usize, tag: u32, message: &mut Vec<u8>) {
        let mut mail = self.post.lock();
        loop {
            if let Some(next) = mail.queues.get_mut(&(from, self.rank, tag)).and_then(VecDeque::pop_front) {
                mail.waiting.remove(&self.rank);
                let old = std::mem::replace(message, next);
                drop(mail);
                self.post.spare().push(old);
                return;
            }
            mail.waiting.insert(self.rank, (from, tag));
            if mail.is_stuck() {
                // The others see it too.
                self.post.wake_all();
                panic!("deadlock: all ranks wait for messages; by rank, (from, tag): {:?}", mail.waiting);
            }
            mail = self.post.arrived[self.rank].wait(mail).unwrap_or_else(PoisonError::into_inner);
        }
    }
}

impl Drop for InProcess {
    fn drop(&mut self) {
        let mut mail = self.post.lock();
        mail.there -= 1;
        mail.waiting.remove(&self.rank);
        drop(mail);
        // Those that wait for this rank may wait for ever.
        self.post.wake_all();
    }
}

#[cfg(test)]
mod tests {
    use super::super::{agree, any, barrier, count, gather, largest, leads, least, sum};
    use super::*;
    use crate::Error;

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
            let mut message = Vec::new();
            let mut hear = |tag| {
                comm.receive(previous, tag, &mut message);
                message[0]
            };
            let odd: Vec<u8> = (0..50).map(|_| hear(1)).collect();
            let even: Vec<u8> = (0..50).map(|_| hear(0)).collect();
            (even, odd)
        });
        for (even, odd) in heard {
            assert!(even.iter().enumerate().all(|(i, &k)| k as usize == 2 * i));
            assert!(odd.iter().enumerate().all(|(i, &k)| k as usize == 2 * i + 1));
        }
    }

    /// A message that nobody sends is missed at once, not after a time.
    #[test]
    fn ranks_that_all_wait_are_told() {
        let world = InProcess::world(3);
        let ends: Vec<_> = std::thread::scope(|scope| {
            let wait = |comm: InProcess| {
                // The last rank ends; the others wait for each other.
                let from = [1, 0].get(comm.rank()).copied();
                if let Some(from) = from {
                    comm.receive(from, 7, &mut Vec::new());
                }
            };
            let threads: Vec<_> = world.into_iter().map(|comm| scope.spawn(move || wait(comm))).collect();
            threads.into_iter().map(|thread| thread.join()).collect()
        });
        for end in &ends[..2] {
            let text = end.as_ref().expect_err("deadlock").downcast_ref::<String>().expect("a text");
            assert!(text.contains("deadlock: all ranks wait for messages"), "{text}");
        }
        assert!(ends[2].is_ok());
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

    #[test]
    fn maxima_and_tests_count_all_ranks() {
        for size in 1..=5 {
            let heard = on_all(size, |comm| {
                let rank = comm.rank() as f64;
                barrier(comm);
                (largest(comm, [rank, -rank]), any(comm, comm.rank() + 1 == size), any(comm, false))
            });
            assert!(heard.iter().all(|h| *h == ([size as f64 - 1.0, 0.0], true, false)));
        }
    }

    #[test]
    fn gathered_messages_come_in_order_of_rank() {
        let heard = on_all(3, |comm| {
            let mut all = Vec::new();
            gather(comm, &vec![comm.rank() as u8; comm.rank()], |from, bytes| all.push((from, bytes.to_vec())));
            all
        });
        assert!(heard.iter().all(|all| *all == [(0, vec![]), (1, vec![1]), (2, vec![2, 2])]));
    }

    #[test]
    fn one_rank_leads_and_all_know_the_least() {
        for size in 1..=4 {
            let heard = on_all(size, |comm| (leads(comm, 1.0), leads(comm, comm.rank() as f64), least(comm, 2.0)));
            for (rank, (first, last, two)) in heard.into_iter().enumerate() {
                assert_eq!((first, last, two), (rank == 0, rank + 1 == size, 2.0));
            }
        }
    }

    #[test]
    fn items_are_counted_by_rank() {
        let heard = on_all(3, |comm| count(comm, [4, 0, 2][comm.rank()]));
        assert_eq!(heard, [[0, 6], [4, 6], [4, 6]]);
    }

    #[test]
    fn all_ranks_get_the_first_error() {
        let errors = [Error::Input("i".into()), Error::Solver("s".into()), Error::Penetration("p".into())];
        for error in errors.into_iter().chain([Error::NotFinite("größer als ∞".into())]) {
            let own = |rank: usize| if rank == 0 { Ok(()) } else { Err(error.clone()) };
            assert_eq!(on_all(3, |comm| agree(comm, own(comm.rank()))), vec![Err(error.clone()); 3]);
        }
        assert_eq!(on_all(2, |comm| agree(comm, Ok(comm.rank()))), [Ok(0), Ok(1)]);
    }
}
