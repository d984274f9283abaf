//! Messages between the ranks of a simulation: delays change no bit, and how many there are.

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use super::distributed::{heap, mechanism, on_ranks, own_states, seen_by, sweeps, wall, States};
use super::finite::array;
use solfec::comm::{Communicator, InProcess};
use solfec::model::{Auto, Formulation, Scheme, SolverSettings};
use solfec::simulation::Simulation;
use solfec_testing::problems::Random;
use solfec_testing::world::World;

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

/// States after six steps on ranks whose messages are late, and messages and bytes of each rank in the last step.
fn run(world: &World, solver: &SolverSettings, ranks: usize, seed: u64, most: f64) -> (States, Vec<[u64; 2]>) {
    let (model, solver) = (world.model.clone(), solver.clone());
    let heard = on_ranks(ranks, move |inner| {
        let sent: Arc<[AtomicU64; 2]> = Arc::default();
        let random = Mutex::new(Random(1000 * seed + inner.rank() as u64));
        let own = seen_by(inner.rank(), &model);
        let comm = Late { inner, random, most, sent: Arc::clone(&sent) };
        let mut simulation = Simulation::on_rank(&own, solfec::body::kinds(), Arc::new(comm)).expect("a model");
        let count = || [&sent[0], &sent[1]].map(|number| number.load(Ordering::Relaxed));
        let mut before = count();
        for _ in 0..6 {
            before = count();
            simulation.step(&solver).expect("a step");
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

fn late_messages_change_no_bit(world: &World, solver: &SolverSettings, ranks: usize, seeds: u64) {
    let (expected, counts) = run(world, solver, ranks, 0, 0.0);
    for seed in 1..=seeds {
        let (found, again) = run(world, solver, ranks, seed, 40.0);
        assert!(bits(&found) == bits(&expected), "{ranks} ranks, seed {seed}");
        assert_eq!(again, counts, "{ranks} ranks, seed {seed}: messages and bytes");
    }
}

#[test]
fn messages_that_are_late_change_no_bit() {
    late_messages_change_no_bit(&heap(), &sweeps(1e-6), 4, 100);
    late_messages_change_no_bit(&heap(), &sweeps(1e-6), 17, 5);
}

/// Springs, links and joints over any distance; bodies of finite elements, two of them linked; a method that is chosen
/// anew.
#[test]
fn late_messages_of_joints_elements_and_methods_change_no_bit() {
    let auto = SolverSettings::Auto(Auto { meritval: 1e-10 });
    late_messages_change_no_bit(&mechanism(), &sweeps(1e-8), 3, 10);
    late_messages_change_no_bit(&wall(), &auto, 5, 5);
    late_messages_change_no_bit(&array(Formulation::Corotational, Scheme::DefLim, 9), &auto, 4, 5);
}
