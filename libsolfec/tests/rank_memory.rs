//! Nothing that a rank keeps or makes has the length of the model: with four times as many bodies on four times as many
//! ranks, a rank whose surroundings are the same asks for memory as before, piece by piece.

use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;
use std::sync::{Arc, Mutex};

use solfec::comm::{barrier, Communicator, InProcess};
use solfec::model::{GaussSeidel, Model, SolverSettings};
use solfec::simulation::{Simulation, State};
use solfec_testing::world::{block, World};

/// Pieces of at least so many bytes count: less than one byte for each body of the larger model.
const LEAST: usize = 4096;

/// Cubes of a rank along the row, across it and upwards; the lowest stand on obstacles.
const CUBES: [usize; 3] = [16, 5, 5];

/// Sizes of pieces are told apart by the power of two and three more digits.
const SIZES: usize = 8 * 64;

thread_local! {
    /// How often this thread asked for pieces of a size.
    static ASKED: [Cell<u32>; SIZES] = const { [const { Cell::new(0) }; SIZES] };
}

struct Tracking;

fn note(size: usize) {
    if size >= LEAST {
        let power = size.ilog2() as usize;
        let digits = (size >> (power - 3)) % 8;
        ASKED.with(|asked| asked[8 * power + digits].set(asked[8 * power + digits].get() + 1));
    }
}

// SAFETY: every call goes to `System` unchanged; the counters have no destructor and allocate nothing.
unsafe impl GlobalAlloc for Tracking {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        note(layout.size());
        System.alloc(layout)
    }
    unsafe fn dealloc(&self, at: *mut u8, layout: Layout) {
        System.dealloc(at, layout)
    }
    unsafe fn realloc(&self, at: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        note(size);
        System.realloc(at, layout, size)
    }
}

#[global_allocator]
static ALLOCATOR: Tracking = Tracking;

/// A row of piles on a floor of tiles, one part for each rank.
fn row(ranks: usize) -> Model {
    let [along, across, up] = CUBES;
    let mut world = World::new(1e-3).gravity([0.0, 0.0, -10.0]).surface(|surface| surface.friction = 0.3);
    for x in 0..ranks * along {
        for y in 0..across {
            let low = [x as f64, y as f64, 0.0];
            world.obstacle(block([low[0], low[1], -1.0], [low[0] + 1.0, low[1] + 1.0, 0.0], [1; 3]));
            for z in 0..up {
                let [x, y, z] = [low[0] + 0.125, low[1] + 0.125, z as f64 * 0.75];
                world.rigid(block([x, y, z], [x + 0.75, y + 0.75, z + 0.75], [1; 3]), 1e3);
            }
        }
    }
    world.model
}

/// What the second of so many ranks asks for.
#[derive(Debug, PartialEq)]
struct Asked {
    /// Sizes and how often, from the dealing of the model until three steps are made and a frame is taken.
    run: Vec<(usize, u32)>,
    /// The largest piece while a checkpoint is taken and another simulation goes on with it; how many there are depends
    /// on the length of the model, as its rows come in parts.
    going_on: usize,
    /// Bodies and copies.
    bodies: usize,
}

/// Sizes of pieces that this thread has asked for since the last call.
fn sizes() -> Vec<(usize, u32)> {
    let size = |k: usize| (8 + k % 8) << (k / 8) >> 3;
    let count = |(k, n): (usize, &Cell<u32>)| (size(k), n.take());
    ASKED.with(|asked| asked.iter().enumerate().map(count).filter(|(_, n)| *n > 0).collect())
}

fn asked(ranks: usize) -> Asked {
    let model = &row(ranks);
    let head: &Model = &postcard::from_bytes(&postcard::to_stdvec(model).expect("bytes")).expect("a model");
    let solver = &SolverSettings::GaussSeidel(GaussSeidel::new(1e-12, 20));
    let left: &Mutex<Option<State>> = &Mutex::new(None);
    let steps = |comm: Arc<dyn Communicator>| {
        let own = if comm.rank() == 0 { model } else { head };
        let mut simulation = Simulation::on_rank(own, solfec::body::kinds(), Arc::clone(&comm)).expect("a simulation");
        for _ in 0..3 {
            simulation.step(solver).expect("a step");
        }
        drop(simulation.take_frame());
        let run = sizes();
        let state = simulation.whole_state().expect("a state");
        if let Some(state) = &state {
            *left.lock().expect("no rank fails") = Some(state.head());
        }
        barrier(&*comm);
        let state = state.or_else(|| left.lock().expect("no rank fails").clone()).expect("a state");
        let kinds = solfec::body::kinds();
        let mut simulation = Simulation::restore_on_rank(own, &[], &state, kinds, comm).expect("a simulation");
        simulation.step(solver).expect("a step");
        let going_on = sizes().into_iter().map(|(size, _)| size).max().unwrap_or(0);
        Asked { run, going_on, bodies: simulation.bodies().len() }
    };
    let rank = |comm: InProcess| {
        let threads = rayon::ThreadPoolBuilder::new().num_threads(1).use_current_thread().build().expect("threads");
        threads.install(|| steps(Arc::new(comm)))
    };
    std::thread::scope(|scope| {
        let rank = &rank;
        let threads: Vec<_> = InProcess::world(ranks).into_iter().map(|comm| scope.spawn(move || rank(comm))).collect();
        threads.into_iter().map(|thread| thread.join().expect("a rank ends")).nth(1).expect("a second rank")
    })
}

#[test]
fn a_rank_asks_for_no_more_memory_in_a_longer_row() {
    let [four, sixteen] = [4, 16].map(asked);
    assert!(row(16).bodies.len() > LEAST);
    assert!(four.bodies < 2 * CUBES.iter().product::<usize>(), "{} bodies and copies", four.bodies);
    assert_eq!(four, sixteen);
}
