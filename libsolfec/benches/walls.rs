//! Solvers at high accuracy in sequences of steps: shaken walls and heaps of spheres.
//!
//! `cargo bench -p solfec --bench walls -- [CASE] [bodies] [steps] [solver]...`, with RAYON_NUM_THREADS=1 for one core.
//! Cases are wall, moved, across, stack, chain, arch, heap and pile, or all of them: those of the table in
//! docs/benchmarks.md. Solvers are CORRECTED_SWEEPS, AUTO, PROXIMAL_NEWTON, INTERIOR_POINT, ADMM, GAUSS_SEIDEL, each with
//! another merit if one follows, as in AUTO=1e-4. Each line has milliseconds a step of the phases by the clock and of all
//! by the processor, iterations a step, by which methods steps ended, the worst merit, and how many steps missed the
//! tolerance.

use std::collections::BTreeMap;
use std::f64::consts::PI;

use solfec::load::Series;
use solfec::math::Vec3;
use solfec::model::{
    Admm, Auto, ConstraintRow, CorrectedSweeps, GaussSeidel, InteriorPoint, Joint, Prescribed, ProximalNewton,
    SolverSettings,
};
use solfec::shape::{Geometry, Shape, Sphere};
use solfec::simulation::Phases;
use solfec_testing::arch::arch;
use solfec_testing::clock::processor_time;
use solfec_testing::problems::Random;
use solfec_testing::world::{block, World};

fn main() {
    let words: Vec<String> = std::env::args().skip(1).filter(|a| !a.starts_with('-')).collect();
    let number = |k: usize, default: usize| words.get(k).and_then(|w| w.parse().ok()).unwrap_or(default);
    let case = words.first().map_or("wall", String::as_str);
    let solvers: Vec<&str> = match words.get(3..) {
        Some(named) if !named.is_empty() => named.iter().map(String::as_str).collect(),
        _ if case == "all" => vec!["AUTO"],
        _ => vec!["CORRECTED_SWEEPS", "AUTO"],
    };
    match case {
        "all" => TABLE.iter().for_each(|&(case, bodies, steps)| measure(case, bodies, steps, &solvers)),
        case => measure(case, number(1, 60), number(2, 1000), &solvers),
    }
}

/// Cases, bodies and steps of the table in docs/benchmarks.md.
const TABLE: [(&str, usize, usize); 15] = [
    ("chain", 200, 100),
    ("stack", 100, 300),
    ("arch", 27, 300),
    ("pile", 300, 600),
    ("pile", 600, 600),
    ("pile", 1000, 500),
    ("heap", 500, 600),
    ("heap", 5000, 260),
    ("wall", 60, 600),
    ("moved", 60, 300),
    ("across", 60, 300),
    ("wall", 200, 60),
    ("wall", 600, 60),
    ("wall", 2000, 12),
    ("wall", 6000, 5),
];

/// One case with some solvers.
fn measure(case: &str, bodies: usize, steps: usize, solvers: &[&str]) {
    let (world, merit) = match case {
        "heap" => (heap(bodies, false), 1e-6),
        "pile" => (heap(bodies, true), 1e-8),
        "stack" => (stack(bodies), 1e-8),
        "chain" => (chain(bodies), 1e-8),
        "arch" => (arch(0.1095, bodies), 1e-8),
        "across" => (wall(bodies, Shake::Across), 1e-8),
        "moved" => (wall(bodies, Shake::Base), 1e-8),
        "wall" => (wall(bodies, Shake::Along), 1e-8),
        other => panic!("{other} is no case; see the head of this file"),
    };
    for solver in solvers {
        let (name, merit) = match solver.split_once('=') {
            Some((name, merit)) => (name, merit.parse().expect("a merit")),
            None => (*solver, merit),
        };
        run(&format!("{case} {bodies} {solver}"), &world, &settings(name, merit), merit, steps);
    }
}

fn settings(solver: &str, meritval: f64) -> SolverSettings {
    match solver {
        "AUTO" => SolverSettings::Auto(Auto { meritval }),
        "PROXIMAL_NEWTON" => {
            SolverSettings::ProximalNewton(ProximalNewton { meritval, maxiter: 200, ..ProximalNewton::default() })
        }
        "ADMM" => SolverSettings::Admm(Admm { meritval, ..Admm::default() }),
        "INTERIOR_POINT" => SolverSettings::InteriorPoint(InteriorPoint { meritval, ..InteriorPoint::default() }),
        "GAUSS_SEIDEL" => SolverSettings::GaussSeidel(GaussSeidel { meritval, ..GaussSeidel::new(1e-2, 1000) }),
        _ => SolverSettings::CorrectedSweeps(CorrectedSweeps { meritval, ..CorrectedSweeps::default() }),
    }
}

/// How a wall is shaken, at 2 Hz: along its plane with 0.8 g or across it with 0.3 g, in axes that move with the base,
/// or by its base, which moves along the plane with 0.8 g.
#[derive(Clone, Copy, PartialEq)]
enum Shake {
    Along,
    Across,
    Base,
}

/// A wall of `n` bricks in running bond, 1.67 courses to a brick of length, of which each consists of 2 × 2 elements.
fn wall(n: usize, how: Shake) -> World {
    let columns = (n as f64 * 0.6).sqrt().round() as usize;
    let courses = n / columns;
    let (l, w, t) = (0.25, 0.12, 0.065);
    let mut world = World::new(1e-3).gravity([0.0, 0.0, -9.81]).surface(|s| s.friction = 0.6);
    let omega = 4.0 * PI;
    let amplitude = if how == Shake::Across { 0.3 * 9.81 / omega.powi(2) } else { 0.05 };
    let scale = if how == Shake::Base { 1.0 } else { omega.powi(2) };
    let times: Vec<f64> = (0..2000).map(|k| 0.005 * k as f64).collect();
    let shake = |t: &f64| scale * amplitude * (t / 0.5).min(1.0).powi(2) * (omega * t).sin();
    let values = times.iter().map(shake).collect();
    let shake = Series::new("shake", times, values).expect("a series");
    let base = world.obstacle(block([-0.5, -0.5, -0.2], [(columns + 3) as f64 * l, 0.5, 0.0], [1, 1, 1]));
    if how == Shake::Base {
        move_along(&mut world, base, shake);
    } else {
        let axis = usize::from(how == Shake::Across);
        let row = world.model.settings.gravity.expect("set above")[axis];
        world.model.series[row as usize] = shake;
    }
    for course in 0..courses {
        for k in 0..columns {
            let x = k as f64 * l + (course % 2) as f64 * 0.5 * l;
            let z = course as f64 * t;
            world.rigid(block([x, -0.5 * w, z], [x + l, 0.5 * w, z + t], [2, 2, 1]), 1800.0);
        }
    }
    world
}

/// Moves an obstacle along x.
fn move_along(world: &mut World, body: u64, displacement: Series) {
    let still = Series::new("still", vec![0.0, 1.0], vec![0.0, 0.0]).expect("a series");
    let first = world.model.series.len() as u32;
    world.model.series.extend([displacement, still]);
    let drives = [
        (Prescribed::Displacement, Vec3::x(), first),
        (Prescribed::Velocity, Vec3::y(), first + 1),
        (Prescribed::Velocity, Vec3::z(), first + 1),
    ];
    for (what, direction, series) in drives {
        let points = [Vec3::new(0.85, 0.0, -0.1); 2];
        let joint = Joint::Drive { what, direction, series };
        world.model.constraints.push(ConstraintRow { joint, master: body, slave: None, points, line: 0 });
    }
}

/// A stack of `n` flat blocks on a slope well below the angle of friction.
fn stack(n: usize) -> World {
    let mut world = World::new(1e-3).gravity([0.5, 0.0, -9.8]).surface(|s| s.friction = 0.5);
    world.obstacle(block([-1.0, -1.0, -0.2], [1.0, 1.0, 0.0], [1, 1, 1]));
    for k in 0..n {
        let z = 0.1 * k as f64;
        world.rigid(block([-0.1, -0.1, z], [0.1, 0.1, z + 0.1], [1, 1, 1]), 2000.0);
    }
    world
}

/// `n` bars on rigid links between their ends, the first on a fixed point; it falls from the horizontal onto a floor.
fn chain(n: usize) -> World {
    let mut world = World::new(1e-3).gravity([0.0, 0.0, -9.81]).surface(|s| s.friction = 0.5);
    let length = 0.12 * n as f64;
    world.obstacle(block([-length, -1.0, -0.2], [length, 1.0, 0.0], [1, 1, 1]));
    let mut last: Option<u64> = None;
    for k in 0..n {
        let (x, z) = (0.12 * k as f64, 0.3);
        let body = world.rigid(block([x, -0.02, z], [x + 0.1, 0.02, z + 0.04], [1, 1, 1]), 2000.0);
        let end = Vec3::new(x, 0.0, z + 0.02);
        let (joint, points) = match last {
            Some(_) => (Joint::RigidLink { strength: f64::INFINITY }, [end, end - Vec3::new(0.02, 0.0, 0.0)]),
            None => (Joint::FixPoint { strength: f64::INFINITY }, [end; 2]),
        };
        world.model.constraints.push(ConstraintRow { joint, master: body, slave: last, points, line: 0 });
        last = Some(body);
    }
    world
}

/// `n` spheres that fall into a box, or cubes and spheres in turn.
fn heap(n: usize, cubes: bool) -> World {
    let random = &mut Random(1);
    let radius = 0.05;
    let side = ((n as f64 / 10.0).sqrt()).round().max(2.0);
    let half = 0.5 * 0.14 * side;
    let mut world = World::new(1e-3).gravity([0.0, 0.0, -9.81]).surface(|s| s.friction = 0.4);
    let (t, h) = (0.05, 1.0);
    world.obstacle(block([-half - t, -half - t, -t], [half + t, half + t, 0.0], [1, 1, 1]));
    for sign in [-1.0, 1.0] {
        let (low, high) = (f64::min(sign * half, sign * (half + t)), f64::max(sign * half, sign * (half + t)));
        world.obstacle(block([low, -half - t, 0.0], [high, half + t, h], [1, 1, 1]));
        world.obstacle(block([-half, low, 0.0], [half, high, h], [1, 1, 1]));
    }
    let side = side as usize;
    for k in 0..n {
        let place = |i: usize| (i as f64 - 0.5 * (side - 1) as f64) * 0.13;
        let center = Vec3::new(
            place(k % side) + 0.01 * random.number(),
            place(k / side % side) + 0.01 * random.number(),
            0.1 + 0.13 * (k / side / side) as f64,
        );
        let radius = radius * (0.95 + 0.15 * random.number());
        if cubes && k % 2 == 0 {
            let half = Vec3::repeat(0.9 * radius);
            world.rigid(block((center - half).into(), (center + half).into(), [1, 1, 1]), 2500.0);
            continue;
        }
        let sphere = Sphere::new(center, radius, 1, 1).expect("a ball");
        world.rigid(Shape::new(Geometry::Sphere(sphere)), 2500.0);
    }
    world
}

fn run(name: &str, world: &World, solver: &SolverSettings, tolerance: f64, steps: usize) {
    let mut simulation = world.simulation();
    let mut total = Phases::default();
    let (mut iterations, mut worst, mut off, mut contacts, mut most) = (0, 0.0_f64, 0, 0, 0);
    let mut counts = Vec::new();
    let mut methods: BTreeMap<&str, usize> = BTreeMap::new();
    let began = processor_time();
    for _ in 0..steps {
        let report = simulation.step(solver).expect("a step");
        total.integration += report.phases.integration;
        total.detection += report.phases.detection;
        total.local_dynamics += report.phases.local_dynamics;
        total.solution += report.phases.solution;
        iterations += report.solver.iterations;
        *methods.entry(report.solver.method).or_default() += 1;
        most = most.max(report.solver.iterations);
        counts.push(report.solver.iterations);
        worst = worst.max(report.solver.merit);
        off += usize::from(report.solver.merit > tolerance);
        contacts = report.contacts;
    }
    counts.sort_unstable();
    let ms = |s: f64| 1e3 * s / steps as f64;
    println!(
        "{name}: {contacts} contacts; solution {:.3}, detection {:.3}, local dynamics {:.3}, rest {:.3} ms a step; \
         {:.2} by the processor; {:.1} iterations a step (median {}, 97 % within {}, at most {most}); {methods:?}; \
         worst merit {worst:.1e}, {off} of {steps} steps off",
        ms(total.solution),
        ms(total.detection),
        ms(total.local_dynamics),
        ms(total.integration),
        ms(processor_time() - began),
        f64::from(iterations) / steps as f64,
        counts[steps / 2],
        counts[97 * steps / 100],
    );
}
