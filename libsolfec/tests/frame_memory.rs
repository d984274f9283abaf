//! The most memory of a run is that of its steps: a frame or a checkpoint takes the room that the last step leaves.

use std::alloc::{GlobalAlloc, Layout, System};
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};

use solfec::model::{GaussSeidel, SolverSettings};
use solfec::simulation::Simulation;
use solfec_testing::world::{block, World};

/// Bytes that are asked for and not given back.
static HELD: AtomicUsize = AtomicUsize::new(0);

struct Counting;

// SAFETY: every call goes to `System` unchanged; the counter allocates nothing.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        HELD.fetch_add(layout.size(), Relaxed);
        System.alloc(layout)
    }
    unsafe fn dealloc(&self, at: *mut u8, layout: Layout) {
        HELD.fetch_sub(layout.size(), Relaxed);
        System.dealloc(at, layout)
    }
    unsafe fn realloc(&self, at: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        HELD.fetch_add(size, Relaxed);
        HELD.fetch_sub(layout.size(), Relaxed);
        System.realloc(at, layout, size)
    }
}

#[global_allocator]
static ALLOCATOR: Counting = Counting;

#[test]
fn frames_and_checkpoints_take_the_room_that_a_step_leaves() {
    let mut world = World::new(1e-3).gravity([0.0, 0.0, -10.0]).surface(|surface| surface.friction = 0.3);
    world.obstacle(block([-1.0, -1.0, -1.0], [11.0, 11.0, 0.0], [1; 3]));
    for place in 0..1000 {
        let low = [place / 100, place / 10 % 10, place % 10].map(f64::from);
        world.rigid(block(low, low.map(|x| x + 1.0), [1; 3]), 1e3);
    }
    let mut simulation = Simulation::new(&world.model).expect("a simulation");
    let solver = SolverSettings::GaussSeidel(GaussSeidel::new(1e-3, 20));
    for _ in 0..3 {
        simulation.step(&solver).expect("a step");
    }
    let stepping = HELD.load(Relaxed);
    assert!(simulation.contacts().len() > 2500, "{} contacts", simulation.contacts().len());
    let frame = simulation.take_frame();
    let with_frame = HELD.load(Relaxed);
    drop(frame);
    let state = simulation.whole_state().expect("a state");
    let with_state = HELD.load(Relaxed);
    drop(state);
    assert!(with_frame < stepping && with_state < stepping, "{stepping}, {with_frame}, {with_state} bytes");
}
