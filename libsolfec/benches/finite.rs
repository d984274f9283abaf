//! Bodies of finite elements: time of a step and memory.
//!
//! `cargo bench -p solfec --bench finite -- [explicit|implicit|corotated|bricks|bricks-auto|slab|slab-tl] [elements along
//! an edge] [steps] [touching]`, with RAYON_NUM_THREADS=1 for one core. `explicit`: a free cube that was given a shape that
//! is not at rest. The others: a block on an obstacle, in the total Lagrangian and the co-rotational formulation, of which
//! `touching` elements along an edge stand on it, and the others overhang; an array of 64 bricks of 100 elements on one
//! another, of which `touching` of 5 rows of elements meet, by Gauss–Seidel and under AUTO; a co-rotational slab that
//! stands on all of its lower face, with more nodes in contact than there is a dense matrix for (`slab 71 3`: 103 680
//! nodes, 10 082 contacts), under AUTO, and a total Lagrangian one, for which Gauss–Seidel is asked.

use std::time::Instant;

use solfec::model::{Auto, BodyKind, Formulation, GaussSeidel, Scheme, SolverSettings};
use solfec::simulation::{Phases, Simulation};
use solfec::solver::Report;
use solfec_testing::world::{block, World};

const YOUNG: f64 = 1e9;
const DENSITY: f64 = 2e3;

fn main() {
    let words: Vec<String> = std::env::args().skip(1).filter(|a| !a.starts_with('-')).collect();
    let number = |k: usize, default: usize| words.get(k).and_then(|w| w.parse().ok()).unwrap_or(default);
    let case = words.first().map_or("explicit", String::as_str);
    let (n, steps) = (number(1, 46), number(2, 50));
    let world = match case {
        "implicit" => resting(n, Formulation::TotalLagrangian, number(3, n)),
        "corotated" => resting(n, Formulation::Corotational, number(3, n)),
        "bricks" | "bricks-auto" => bricks(number(3, 5)),
        "slab" => slab(n, Formulation::Corotational),
        "slab-tl" => slab(n, Formulation::TotalLagrangian),
        _ => free(n),
    };
    let solver = match case {
        "slab" | "bricks-auto" => SolverSettings::Auto(Auto { meritval: 1e-6 }),
        _ => SolverSettings::GaussSeidel(GaussSeidel { meritval: 1e-6, ..GaussSeidel::new(1e-4, 1000) }),
    };
    let start = Instant::now();
    let mut simulation = Simulation::new(&world.model).expect("a simulation");
    let made = start.elapsed().as_secs_f64();
    let (mut phases, mut contacts, mut iterations) = ([0.0; 4], 0, 0);
    let start = Instant::now();
    for _ in 0..steps {
        let report = simulation.step(&solver).expect("a step");
        for (sum, part) in phases.iter_mut().zip(seconds(&report.phases)) {
            *sum += 1e3 * part / steps as f64;
        }
        contacts = contacts.max(report.contacts);
        iterations += report.solver.iterations;
        if case.starts_with("slab") {
            let Report { method, iterations, merit, .. } = report.solver;
            println!("{:.2?} s, {iterations} iterations of {method}, merit {merit:.1e}", seconds(&report.phases));
        }
    }
    let each = start.elapsed().as_secs_f64() / steps as f64;
    let elements = match case {
        "bricks" | "bricks-auto" => 6400,
        "slab" | "slab-tl" => n * n * (n / 4 + 2),
        _ => n * n * n,
    };
    println!(
        "{case}: {elements} elements, {contacts} contacts; made in {made:.2} s; {:.2} ms a step (integration, \
         detection, local dynamics, solution: {phases:.2?}); {:.1} iterations a step; {:.2} million elements a \
         second; {:.0} MB at most",
        1e3 * each,
        f64::from(iterations) / steps as f64,
        elements as f64 / each / 1e6,
        peak() / 1e6
    );
}

/// Largest resident memory of this process [bytes], 0 where the system does not tell it.
fn peak() -> f64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    line.and_then(|line| line.trim().trim_end_matches("kB").trim().parse::<f64>().ok()).unwrap_or(0.0) * 1e3
}

fn seconds(phases: &Phases) -> [f64; 4] {
    [phases.integration, phases.detection, phases.local_dynamics, phases.solution]
}

fn elastic(step: f64) -> World {
    let mut world = World::new(step);
    (world.model.bulk[0].young, world.model.bulk[0].poisson) = (YOUNG, 0.3);
    world
}

/// A free cube of n³ elements that is stretched and sheared by a hundredth.
fn free(n: usize) -> World {
    let step = 0.2 / n as f64 / (YOUNG / DENSITY).sqrt();
    let mut world = elastic(step);
    let cube = block([0.0; 3], [1.0; 3], [n; 3]);
    let bent = |x: &[f64; 3]| [0.01 * x[0] + 0.005 * x[1] * x[2], 0.002 * x[0] * x[0], -0.01 * x[2]];
    let conf = cube.vertices().iter().flat_map(|x| bent(&(*x).into())).collect();
    let body = world.body(BodyKind::FiniteElement, &[cube], DENSITY);
    world.model.bodies[body as usize - 1].conf = conf;
    world
}

/// A cube of n³ elements, of which touching² stand on an obstacle.
fn resting(n: usize, form: Formulation, touching: usize) -> World {
    let mut world = elastic(1e-4).gravity([0.0, 0.0, -9.81]).surface(|s| s.friction = 0.5);
    let edge = if touching < n { (touching as f64 - 0.01) / n as f64 } else { 2.0 };
    world.obstacle(block([-1.0, -1.0, -1.0], [edge, edge, 0.0], [1; 3]));
    let body = world.body(BodyKind::FiniteElement, &[block([0.0; 3], [1.0; 3], [n; 3])], DENSITY);
    let row = &mut world.model.bodies[body as usize - 1];
    (row.form, row.scheme) = (form, Scheme::DefLim);
    world
}

/// A slab of n × n × (n/4 + 2) elements on an obstacle.
fn slab(n: usize, form: Formulation) -> World {
    let mut world = elastic(1e-4).gravity([0.0, 0.0, -9.81]).surface(|s| s.friction = 0.5);
    world.obstacle(block([-1.0, -1.0, -1.0], [2.0, 2.0, 0.0], [1; 3]));
    let high = n / 4 + 2;
    let shape = block([0.0; 3], [1.0, 1.0, high as f64 / n as f64], [n, n, high]);
    let body = world.body(BodyKind::FiniteElement, &[shape], DENSITY);
    let row = &mut world.model.bodies[body as usize - 1];
    (row.form, row.scheme) = (form, Scheme::DefLim);
    world
}

/// An array of 4 × 4 × 4 bricks of 5 × 5 × 4 elements, one on another, every other layer shifted so that `touching` of 5
/// rows of elements meet.
fn bricks(touching: usize) -> World {
    let mut world = elastic(1e-4).gravity([0.0, 0.0, -9.81]).surface(|s| s.friction = 0.5);
    world.obstacle(block([-1.0, -1.0, -1.0], [5.0, 3.0, 0.0], [1; 3]));
    for k in 0..64 {
        let shift = if k / 16 % 2 == 1 { 0.1 * (5 - touching) as f64 } else { 0.0 };
        let low = [(k % 4) as f64 * 1.02 + shift, (k / 4 % 4) as f64 * 0.51, (k / 16) as f64 * 0.4];
        let high = [low[0] + 0.5, low[1] + 0.5, low[2] + 0.4];
        let body = world.body(BodyKind::FiniteElement, &[block(low, high, [5, 5, 4])], DENSITY);
        let row = &mut world.model.bodies[body as usize - 1];
        (row.form, row.scheme) = (Formulation::Corotational, Scheme::DefLim);
    }
    world
}
