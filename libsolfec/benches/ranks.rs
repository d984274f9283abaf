//! What ranks cost beside the work itself: balance, copies, messages and bytes of sweeps, and sweeps to the same merit, on
//! 1 to 64 ranks in one process. Counts, not times: they do not depend on the machine.
//!
//! `cargo bench -p solfec --bench ranks [-- bricks|column|arch|growing|million]`. Record the tables in
//! docs/benchmarks.md. `million` are up to 10⁶ balls on 64 ranks, which take minutes and gigabytes: only where asked for.

use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;
use std::sync::Arc;

use solfec::comm::{Counted, InProcess};
use solfec::model::{GaussSeidel, SolverSettings, Variant};
use solfec::simulation::{Distribution, Simulation, StepReport};
use solfec_testing::arch::arch;
use solfec_testing::bricks::bricks;
use solfec_testing::run::ball;
use solfec_testing::world::{block, World};

const RANKS: [usize; 7] = [1, 2, 4, 8, 16, 32, 64];

/// Sweeps of the two steps whose difference tells what a sweep sends.
const SWEEPS: [u32; 2] = [10, 210];

/// Merit to which sweeps are counted, in so many steps.
const MERIT: f64 = 1e-6;
const STEPS: usize = 2;

/// Balls of each rank along each axis.
const BALLS: usize = 25;

/// Bricks of each rank along each axis where their number grows with that of ranks, and ranks along each axis.
const BRICKS: usize = 10;
const GRIDS: [[usize; 3]; 7] = [[1, 1, 1], [2, 1, 1], [2, 2, 1], [2, 2, 2], [4, 2, 2], [4, 4, 2], [4, 4, 4]];

thread_local! {
    /// Bytes that this thread has asked for and not given back.
    static HELD: Cell<isize> = const { Cell::new(0) };
}

struct Tracking;

// SAFETY: every call goes to `System` unchanged; the counter has no destructor and allocates nothing.
unsafe impl GlobalAlloc for Tracking {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        HELD.set(HELD.get() + layout.size() as isize);
        System.alloc(layout)
    }
    unsafe fn dealloc(&self, at: *mut u8, layout: Layout) {
        HELD.set(HELD.get() - layout.size() as isize);
        System.dealloc(at, layout)
    }
    unsafe fn realloc(&self, at: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        HELD.set(HELD.get() + size as isize - layout.size() as isize);
        System.realloc(at, layout, size)
    }
}

#[global_allocator]
static ALLOCATOR: Tracking = Tracking;

fn main() {
    let wanted: Vec<String> = std::env::args().skip(1).filter(|a| !a.starts_with('-')).collect();
    let is_wanted = |name: &str| wanted.is_empty() || wanted.iter().any(|w| name.starts_with(w.as_str()));
    let cases: [(&str, World, &[usize]); 3] = [
        ("bricks", bricks([10, 10, 10]), &RANKS),
        ("column", bricks([1, 1, 20]), &RANKS[..4]),
        ("arch", arch(0.12, 27), &RANKS[..5]),
    ];
    for (name, world, ranks) in cases.iter().filter(|(name, ..)| is_wanted(name)) {
        println!("{name}, sweeps of {STEPS} steps to a merit of {MERIT:e}");
        heading();
        ranks.iter().for_each(|&ranks| line(world, ranks, true));
    }
    if is_wanted("growing") {
        println!("growing: {BRICKS}^3 bricks for each rank");
        heading();
        RANKS.iter().zip(GRIDS).for_each(|(&ranks, grid)| line(&bricks(grid.map(|n| BRICKS * n)), ranks, false));
    }
    if wanted.iter().any(|name| name == "million") {
        println!("million: {BALLS}^3 balls for each rank");
        heading();
        [(1, 1), (8, 2), (64, 4)].into_iter().for_each(|(ranks, along)| line(&balls(BALLS * along), ranks, false));
    }
}

/// n³ balls that touch, in a cubic grid on a floor.
fn balls(n: usize) -> World {
    let mut world = World::new(1e-3).gravity([0.0, 0.0, -9.81]).surface(|s| s.friction = 0.5);
    world.obstacle(block([-1.0, -1.0, -1.0], [n as f64 + 1.0, n as f64 + 1.0, 0.0], [1; 3]));
    for k in 0..n * n * n {
        let center = [k % n, k / n % n, k / n / n].map(|i| i as f64 + 0.5);
        world.rigid(ball(center, 0.5001), 2000.0);
    }
    world
}

/// What one rank has seen.
struct Seen {
    last: Box<StepReport>,
    /// Messages and bytes of a sweep, with its share of the sum over ranks.
    sweep: [f64; 2],
    /// Bytes of a step besides those of its sweeps.
    step: f64,
    /// Bytes of memory, with those of messages on their way to another rank or from it.
    memory: f64,
    copies: usize,
    /// Sweeps of all steps to the merit.
    count: u32,
}

fn fixed(sweeps: u32) -> SolverSettings {
    SolverSettings::GaussSeidel(GaussSeidel::new(1e-30, sweeps))
}

fn to_merit(variant: Variant) -> SolverSettings {
    SolverSettings::GaussSeidel(GaussSeidel { meritval: MERIT, variant, ..GaussSeidel::new(1.0, 20_000) })
}

/// What this rank sends in a step.
fn sent(comm: &Counted, simulation: &mut Simulation, solver: &SolverSettings) -> ([f64; 2], Box<StepReport>) {
    let before = comm.sent();
    let report = simulation.step(solver).expect("a step");
    let after = comm.sent();
    ([0, 1].map(|k| (after[k] - before[k]) as f64), report)
}

fn see(world: &World, comm: InProcess, variant: Option<Variant>) -> Seen {
    let before = HELD.get();
    let comm = Arc::new(Counted::new(Arc::new(comm)));
    let kinds = solfec::body::kinds();
    let mut simulation = Simulation::on_rank(&world.model, kinds, comm.clone()).expect("a simulation");
    let mut count = 0;
    for _ in 0..STEPS {
        let solver = variant.map_or(fixed(SWEEPS[0]), to_merit);
        count += simulation.step(&solver).expect("a step").solver.iterations;
    }
    let [(few, _), (many, last)] = SWEEPS.map(|sweeps| sent(&comm, &mut simulation, &fixed(sweeps)));
    let sweep = [0, 1].map(|k| (many[k] - few[k]) / f64::from(SWEEPS[1] - SWEEPS[0]));
    let bodies = simulation.bodies();
    let copies = bodies.indices().filter(|body| bodies.is_copy(*body)).count();
    let memory = (HELD.get() - before) as f64;
    Seen { sweep, step: few[1] - f64::from(SWEEPS[0]) * sweep[1], memory, copies, count, last }
}

fn on_ranks(world: &World, ranks: usize, variant: Option<Variant>) -> Vec<Seen> {
    std::thread::scope(|scope| {
        let one = |comm| {
            move || {
                let threads = rayon::ThreadPoolBuilder::new().num_threads(1).build().expect("threads of a rank");
                threads.install(|| see(world, comm, variant))
            }
        };
        let all: Vec<_> = InProcess::world(ranks).into_iter().map(|comm| scope.spawn(one(comm))).collect();
        all.into_iter().map(|rank| rank.join().expect("a rank ends")).collect()
    })
}

fn heading() {
    println!(
        "| ranks | bodies of a rank, copies | largest weight, constraints | colours | shared rows | messages of a sweep, of a \
         rank | bytes | bytes of a step besides | memory of a rank [MB] | sweeps, 'MASS_SPLITTING' |"
    );
}

/// Mean number of bodies and bytes of memory; largest number of copies; sums over ranks and what the busiest rank has.
fn line(world: &World, ranks: usize, to_merit: bool) {
    let seen = on_ranks(world, ranks, to_merit.then_some(Variant::Full));
    let counts = if to_merit {
        let split =
            if ranks > 1 { on_ranks(world, ranks, Some(Variant::MassSplitting))[0].count } else { seen[0].count };
        format!("{}, {split}", seen[0].count)
    } else {
        "–".into()
    };
    let both = |of: &dyn Fn(&Seen) -> f64| {
        let numbers = || seen.iter().map(of);
        format!("{:.0}, {:.0}", numbers().sum::<f64>(), numbers().fold(0.0, f64::max))
    };
    let of = seen[0].last.distribution.unwrap_or_default();
    println!(
        "| {ranks} | {}, {} | {:.3}, {:.3} | {} | {:.0} % | {} | {} | {} | {:.2} | {counts} |",
        world.model.bodies.len() / ranks,
        seen.iter().map(|rank| rank.copies).max().unwrap_or(0),
        largest(&of, |of| of.weight.largest / of.weight.sum, ranks),
        largest(&of, |of| of.constraints.largest / of.constraints.sum, ranks),
        of.colours,
        100.0 * of.external.sum / of.constraints.sum.max(1.0),
        both(&|rank| rank.sweep[0]),
        both(&|rank| rank.sweep[1]),
        both(&|rank| rank.step),
        seen.iter().map(|rank| rank.memory).sum::<f64>() / ranks as f64 / 1e6,
    );
}

/// The largest share of a rank relative to the mean; 1 on one rank.
fn largest(of: &Distribution, share: impl Fn(&Distribution) -> f64, ranks: usize) -> f64 {
    if ranks == 1 {
        return 1.0;
    }
    share(of) * ranks as f64
}
