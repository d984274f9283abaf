//! Times of whole simulations: the arch, a block of cubes, a running-bond wall, growth of detection.
//!
//! `cargo bench -p solfec --bench simulations [-- arch|cubes|wall|growth]`. Run with RAYON_NUM_THREADS=1 for one core.
//! Record the numbers with the machine in docs/benchmarks.md.

use std::time::Instant;

use solfec::math::Vec3;
use solfec::model::{BodyKind, GaussSeidel, SolverSettings, Sparsify};
use solfec::simulation::{Phases, Simulation};
use solfec_testing::arch::arch as arch_of;
use solfec_testing::clock::processor_time;
use solfec_testing::world::{block, World};

fn main() {
    let wanted: Vec<String> = std::env::args().skip(1).filter(|a| !a.starts_with('-')).collect();
    let benches: [(&str, fn()); 4] = [("arch", arch), ("cubes", cubes), ("wall", wall), ("growth", growth)];
    for (name, bench) in benches {
        if wanted.is_empty() || wanted.iter().any(|w| w == name) {
            bench();
        }
    }
}

/// Resident memory [bytes].
fn resident() -> f64 {
    let statm = std::fs::read_to_string("/proc/self/statm").unwrap_or_default();
    statm.split_whitespace().nth(1).and_then(|f| f.parse::<f64>().ok()).unwrap_or(0.0) * 4096.0
}

fn phases(total: &Phases, steps: usize) -> String {
    let ms = |s: f64| 1e3 * s / steps as f64;
    format!(
        "integration {:.3} detection {:.3} local dynamics {:.3} solution {:.3} ms a step",
        ms(total.integration),
        ms(total.detection),
        ms(total.local_dynamics),
        ms(total.solution)
    )
}

fn add(total: &mut Phases, part: &Phases) {
    total.integration += part.integration;
    total.detection += part.detection;
    total.local_dynamics += part.local_dynamics;
    total.solution += part.solution;
}

fn advance(simulation: &mut Simulation, solver: &SolverSettings, steps: usize) -> (Phases, usize) {
    let (mut total, mut contacts) = (Phases::default(), 0);
    for _ in 0..steps {
        let report = simulation.step(solver).expect("a step");
        add(&mut total, &report.phases);
        contacts = report.contacts;
    }
    (total, contacts)
}

/// The masonry arch of the reference data: 2 x 750 steps, Gauss-Seidel 1e-4. Expected: below 2 s of CPU.
fn arch() {
    let (began, cpu) = (Instant::now(), processor_time());
    for ratio in [0.1095, 0.1094] {
        let mut simulation = arch_of(ratio, 27).simulation();
        let (total, contacts) =
            advance(&mut simulation, &SolverSettings::GaussSeidel(GaussSeidel::new(1e-4, 10_000)), 750);
        let kinetic = simulation.bodies().energy_total()[0];
        println!("arch {ratio}: {contacts} contacts, kinetic energy {kinetic:.3e} J; {}", phases(&total, 750));
    }
    println!(
        "arch: {:.2} s wall, {:.2} s CPU for 2 x 750 steps",
        began.elapsed().as_secs_f64(),
        processor_time() - cpu
    );
}

/// 64 rigid cubes on a floor, 200 steps. Expected: below 0.15 s.
fn cubes() {
    let mut world = World::new(1e-3).gravity([0.0, 0.0, -10.0]).surface(|s| s.friction = 0.3);
    world.model.settings.sparsify = Sparsify { threshold: 0.005, minarea: 0.05, mindist: 1e-6, projected: false };
    world.obstacle(block([0.0, 0.0, -1.0], [4.0, 4.0, 0.0], [1, 1, 1]));
    for i in 0..64 {
        let low = [(i % 4) as f64, (i / 4 % 4) as f64, (i / 16) as f64];
        world.rigid(block(low, low.map(|x| x + 1.0), [1, 1, 1]), 2000.0);
    }
    let mut simulation = world.simulation();
    let solver = SolverSettings::GaussSeidel(GaussSeidel { meritval: 1e-8, ..GaussSeidel::new(1e-2, 1000) });
    let (began, cpu) = (Instant::now(), processor_time());
    let (total, contacts) = advance(&mut simulation, &solver, 200);
    println!("cubes: {contacts} contacts; {}", phases(&total, 200));
    println!("cubes: {:.3} s wall, {:.2} s CPU for 200 steps", began.elapsed().as_secs_f64(), processor_time() - cpu);
}

/// A block of bricks in running bond, `n` bricks in all, 10 courses by a square plan.
fn running_bond(n: usize) -> World {
    let mut world = World::new(1e-3).gravity([0.0, 0.0, -9.81]).surface(|s| s.friction = 0.6);
    let courses = 10;
    let across = ((n / courses) as f64 / 2.0).sqrt().round() as usize;
    let along = n / courses / across.max(1);
    let (l, w, t) = (0.2, 0.1, 0.065);
    world.obstacle(block([-l, -w, -t], [(along + 1) as f64 * l, (across + 1) as f64 * w, 0.0], [1, 1, 1]));
    let brick = block([0.0, 0.0, 0.0], [l, w, t], [1, 1, 1]);
    for course in 0..courses {
        for row in 0..across {
            for i in 0..along {
                let shift = if course % 2 == 0 { 0.0 } else { l / 2.0 };
                let mut shape = brick.clone();
                shape.translate(&Vec3::new(i as f64 * l + shift, row as f64 * w, course as f64 * t));
                world.body(BodyKind::Rigid, &[shape], 1800.0);
            }
        }
    }
    world
}

/// 10⁴ bricks in running bond, 20 steps, on 1 and 2 threads. Expected: at least 1.5 times faster on 2. The steps of
/// both alternate and the median of their ratios counts, so that other work on the machine disturbs both alike.
fn wall() {
    let before = resident();
    let solver = SolverSettings::GaussSeidel(GaussSeidel::new(1e-3, 100));
    let pools = [1, 2].map(|n| rayon::ThreadPoolBuilder::new().num_threads(n).build().expect("a thread pool"));
    let world = running_bond(10_000);
    let bodies = world.model.bodies.len();
    let mut simulations = pools.each_ref().map(|_| world.simulation());
    for (pool, simulation) in pools.iter().zip(&mut simulations) {
        pool.install(|| advance(simulation, &solver, 2));
    }
    let memory = (resident() - before) / (2 * bodies) as f64;
    let mut total = [Phases::default(); 2];
    let (mut least, mut ratios, mut contacts) = ([f64::INFINITY; 2], Vec::new(), 0);
    for _ in 0..20 {
        let mut seconds = [0.0; 2];
        for (k, pool) in pools.iter().enumerate() {
            let began = Instant::now();
            let (spent, found) = pool.install(|| advance(&mut simulations[k], &solver, 1));
            seconds[k] = began.elapsed().as_secs_f64();
            least[k] = seconds[k].min(least[k]);
            add(&mut total[k], &spent);
            contacts = found;
        }
        ratios.push(seconds[0] / seconds[1]);
    }
    ratios.sort_by(f64::total_cmp);
    println!("wall: {bodies} bricks, {contacts} contacts, {memory:.0} bytes a body");
    for k in 0..2 {
        let threads = k + 1;
        println!("wall, {threads} threads: least {:.1} ms a step; mean {}", 1e3 * least[k], phases(&total[k], 20));
    }
    println!(
        "wall: 2 threads are {:.2} times as fast as 1 (median; {:.2} at best, {:.2} by the least times)",
        ratios[10],
        ratios[19],
        least[0] / least[1]
    );
}

/// Detection alone from 10³ to 10⁵ bodies: the cost of a body must not grow.
fn growth() {
    for n in [1_000, 10_000, 100_000] {
        let world = running_bond(n);
        let bodies = world.model.bodies.len();
        let mut simulation = world.simulation();
        let solver = SolverSettings::GaussSeidel(GaussSeidel::new(1.0, 1));
        advance(&mut simulation, &solver, 2);
        let (total, contacts) = advance(&mut simulation, &solver, 5);
        let each = 1e6 * total.detection / 5.0 / bodies as f64;
        println!("growth: {bodies} bodies, {contacts} contacts, detection {each:.2} µs a body and step");
    }
}
