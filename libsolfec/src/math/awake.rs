//! Threads that do not fall asleep between parallel loops.

use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use rayon::Yield;

/// How often a thread looks for work in vain before it lets others run each time, before it takes a nap each time, and
/// before it falls asleep after all.
const PATIENCE: [u32; 3] = [200, 2000, 2040];
/// Pauses between two looks.
const PAUSES: u32 = 20;
const NAP: Duration = Duration::from_micros(50);

/// Says at its end that there will be no more work, even if that is the end of a panic.
struct End<'a>(&'a AtomicBool);

impl Drop for End<'_> {
    fn drop(&mut self) {
        self.0.store(true, Ordering::Release);
    }
}

/// Calls `work`, from a thread of a pool, while up to so many `others` of the pool wait actively for parts of it, some
/// milliseconds at a time: to wake up a thread that sleeps takes longer than many a parallel loop.
pub fn awake<R>(others: usize, work: impl FnOnce() -> R) -> R {
    let threads = rayon::current_num_threads();
    let Some(own) = rayon::current_thread_index().filter(|_| others.min(threads - 1) > 0) else { return work() };
    let ended = AtomicBool::new(false);
    rayon::in_place_scope(|scope| {
        scope.spawn_broadcast(|_, thread| {
            // This one may come across its part when it waits for others in `work`.
            if (1..=others).contains(&((thread.index() + threads - own) % threads)) {
                help(&ended);
            }
        });
        let _end = End(&ended);
        work()
    })
}

/// Does what there is to do until the end, or until there has been nothing for long. A thread may come here while a
/// part of `work` on it waits for another: what it waits for may depend on this one's return.
fn help(ended: &AtomicBool) {
    let mut looked = 0_u32;
    while !ended.load(Ordering::Acquire) {
        if rayon::yield_now() == Some(Yield::Executed) {
            looked = 0;
            continue;
        }
        looked = looked.saturating_add(1);
        match PATIENCE.iter().filter(|patience| looked > **patience).count() {
            0 => (0..PAUSES).for_each(|_| std::hint::spin_loop()),
            1 => std::thread::yield_now(),
            2 => std::thread::sleep(NAP),
            _ => return,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use rayon::prelude::*;

    fn pool(threads: usize) -> rayon::ThreadPool {
        rayon::ThreadPoolBuilder::new().num_threads(threads).build().expect("threads")
    }

    fn loops() -> u64 {
        (0..200_u64).map(|k| (0..k).into_par_iter().sum::<u64>()).sum()
    }

    #[test]
    fn loops_among_threads_that_stay_awake_end() {
        let expected: u64 = (0..200).map(|k: u64| k * k.saturating_sub(1) / 2).sum();
        assert_eq!(awake(9, loops), expected, "outside of a pool");
        for threads in [1, 2, 3, 8] {
            let found = pool(threads)
                .install(|| (awake(9, loops), awake(1, || awake(9, loops)), rayon::join(|| awake(9, loops), loops)));
            assert_eq!(found, (expected, expected, (expected, expected)), "{threads} threads");
        }
    }

    /// Threads that take naps come back for work.
    #[test]
    fn parts_are_shared_after_a_long_time_without_any() {
        let slow = |_: usize| {
            std::thread::sleep(Duration::from_millis(30));
            rayon::current_thread_index()
        };
        let workers = pool(2).install(|| {
            awake(1, || {
                std::thread::sleep(Duration::from_millis(50));
                (0..4).into_par_iter().with_max_len(1).map(slow).collect::<std::collections::BTreeSet<_>>()
            })
        });
        assert_eq!(workers.len(), 2);
    }

    /// A thread that begins to wait within a part of the work, on which the rest of it depends, comes back to it.
    #[test]
    fn a_part_that_is_interrupted_by_waiting_goes_on() {
        let pool = pool(2);
        for _ in 0..20 {
            let [begun, done] = [AtomicBool::new(false), AtomicBool::new(false)];
            let until = |flag: &AtomicBool| {
                while !flag.load(Ordering::Acquire) {
                    std::thread::yield_now();
                }
            };
            let first = || {
                awake(1, || {
                    begun.store(true, Ordering::Release);
                    until(&done);
                })
            };
            let second = || {
                until(&begun);
                rayon::yield_now();
                done.store(true, Ordering::Release);
            };
            pool.install(|| rayon::join(first, second));
        }
    }

    #[test]
    fn a_panic_lets_the_others_go() {
        let pool = pool(2);
        let caught =
            std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| pool.install(|| awake(1, || panic!("no")))));
        assert!(caught.is_err());
        assert!(pool.install(loops) > 0);
    }
}
