//! Messages between the ranks of a simulation: delays change no bit, and how many there are.

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use super::distributed::{heap, on_ranks, own_states, sweeps, States};
use solfec::comm::{Communicator, InProcess};
use solfec::simulation::Simulation;
use solfec_testing::problems::Random;

/// A rank whose messages are late at random; it counts those that it sends, and their bytes.
struct Late {
    inner: InProcess,
    random: Mutex<Random>,
    /// Longest delay [µs].
    most: f64,
    sent: Arc<[AtomicU64; 2]>,
}

impl Late {
    fn pause(&self) {
        let random = self.random.lock().unwrap_or_else(PoisonError::into_inner).number();
        if self.most > 0.0 && random > 0.5 {
            std::thread::sleep(Duration::from_nanos((self.most * 1e3 * random) as u64));
        }
    }
}

impl Communicator for Late {
    fn rank(&self) -> usize {
        self.inner.rank()
    }

    fn size(&self) -> usize {
        self.inner.size()
    }

    fn send(&self, to: usize, tag: u32, bytes: &[u8]) {
        self.pause();
        self.sent[0].fetch_add(1, Ordering::Relaxed);
        self.sent[1].fetch_add(bytes.len() as u64, Ordering::Relaxed);
        self.inner.send(to, tag, bytes);
    }

    fn receive(&self, from: usize, tag: u32, message: &mut Vec<u8>) {
        self.pause();
        self.inner.receive(from, tag, message);
    }
}

/// States after some steps on ranks whose messages are late, and messages and bytes of each rank in the last step.
fn run(ranks: usize, steps: usize, seed: u64, most: f64) -> (States, Vec<[u64; 2]>) {
    let heard = on_ranks(ranks, move |inner| {
        let sent: Arc<[AtomicU64; 2]> = Arc::default();
        let random = Mutex::new(Random(1000 * seed + inner.rank() as u64));
        let comm = Late { inner, random, most, sent: Arc::clone(&sent) };
        let kinds = solfec::body::kinds();
        let mut simulation = Simulation::on_rank(&heap().model, kinds, Arc::new(comm)).expect("a model");
        let count = || [&sent[0], &sent[1]].map(|number| number.load(Ordering::Relaxed));
        let mut before = count();
        for _ in 0..steps {
            before = count();
            simulation.step(&sweeps(1e-6)).expect("a step");
        }
        let now = count();
        (own_states(&simulation), [now[0] - before[0], now[1] - before[1]])
    });
    let counts = heard.iter().map(|(_, count)| *count).collect();
    (heard.into_iter().flat_map(|(states, _)| states).collect(), counts)
}

fn bits(states: &States) -> Vec<u64> {
    states.iter().flat_map(|(id, state)| std::iter::once(*id).chain(state.iter().map(|x| x.to_bits()))).collect()
}

#[test]
fn messages_that_are_late_change_no_bit() {
    for (ranks, steps, seeds) in [(4, 6, 100), (17, 6, 5)] {
        let (expected, counts) = run(ranks, steps, 0, 0.0);
        for seed in 1..=seeds {
            let (found, again) = run(ranks, steps, seed, 40.0);
            assert!(bits(&found) == bits(&expected), "{ranks} ranks, seed {seed}");
            assert_eq!(again, counts, "{ranks} ranks, seed {seed}: messages and bytes");
        }
    }
}
