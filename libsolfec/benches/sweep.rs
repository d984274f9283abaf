//! Block solves per second of the matrix-free Gauss–Seidel sweep, counted over contacts with R_N > 0: a running-bond
//! wall and jittered spheres under gravity, on one and two threads. Expected: 5 million per second and core.
//!
//! Then orders of the sweep, by the sweeps that they need to one merit and by the time of a sweep: that of keys, which
//! the library has, and cells of space, in key order within a cell and by colours of cells. Times are the least of many
//! short ones, so that other work on the machine counts little.
//!
//!     cargo bench -p solfec --bench sweep [-- orders]

use std::time::Instant;

use solfec::body::{Inertia, Twist};
use solfec::dynamics::{BodyOperator, End, Row};
use solfec::ids::{BodyId, Slot};
use solfec::math::{local_base, Mat3, Vec3};
use solfec::model::{Analysis, BlockSolver, GaussSeidel};
use solfec::solver::{gauss_seidel, Conditions, Law, Unknowns, Workspace};

/// Step [s] and gravity [m/s²].
const H: f64 = 1e-3;
const G: f64 = 9.81;
const SWEEPS: u32 = 100;
const FRICTION: f64 = 0.5;
const CONDITIONS: Conditions = Conditions { h: H, analysis: Analysis::Dynamic, energy: 0.0 };
/// Measurements of a time of which the least counts.
const ROUNDS: usize = 100;
/// Sweeps of the solves whose times are compared.
const FEW_AND_MORE: [u32; 2] = [1, 3];

struct Problem {
    name: &'static str,
    bodies: Vec<Inertia<'static>>,
    /// Mass centres.
    places: Vec<Vec3>,
    rows: Vec<Row>,
}

/// A rigid body of unit density with half edges `a`, falling for one step, with initial velocity `v`.
fn brick(a: Vec3, v: Vec3) -> Inertia<'static> {
    let mass = 8.0 * a.x * a.y * a.z;
    let square = a.component_mul(&a);
    let inertia = (Vec3::repeat(square.sum()) - square) * (mass / 3.0);
    let twist = |linear| Twist { linear, angular: Vec3::zeros() };
    Inertia::Rigid {
        inverse_mass: 1.0 / mass,
        inverse_inertia: Mat3::from_diagonal(&inertia.map(|j| 1.0 / j)),
        free: twist(v - G * H * Vec3::z()),
        previous: twist(v),
    }
}

/// Contact at `point` of the master at slot `m`, centre `x_m`, with the slave, if it moves.
fn contact(point: Vec3, normal: Vec3, m: usize, x_m: Vec3, slave: Option<(usize, Vec3)>) -> Row {
    let end = |slot: usize, x: Vec3| End::Body { slot: Slot(slot as u32), arm: point - x };
    let other = slave.map_or(0, |(slot, _)| slot as u64 + 1);
    let own = m as u64 + 1;
    Row {
        pair: [own.min(other), own.max(other)].map(BodyId),
        contact: true,
        base: local_base(&normal),
        master: end(m, x_m),
        slave: Some(slave.map_or(End::Fixed, |(slot, x)| end(slot, x))),
        drift: Vec3::zeros(),
        drift_before: Vec3::zeros(),
    }
}

/// A wall in running bond: bricks 2×1×1, two contact points with each of the two bricks below.
fn wall(columns: usize, layers: usize) -> Problem {
    let half = Vec3::new(1.0, 0.5, 0.5);
    let slot = |i: usize, k: usize| k * columns + i;
    let centre = |i: usize, k: usize| Vec3::new(2.0 * i as f64 + (k % 2) as f64, 0.0, k as f64 + 0.5);
    let mut rows = Vec::new();
    for k in 0..layers {
        for i in 0..columns {
            let x = centre(i, k);
            for side in [-0.5, 0.5] {
                let below = if k == 0 {
                    None
                } else {
                    let column = i as isize + (k % 2) as isize + if side < 0.0 { -1 } else { 0 };
                    match usize::try_from(column) {
                        Ok(column) if column < columns => Some((slot(column, k - 1), centre(column, k - 1))),
                        _ => continue,
                    }
                };
                for y in [-0.4, 0.4] {
                    let point = x + Vec3::new(side, y, -0.5);
                    rows.push(contact(point, Vec3::z(), slot(i, k), x, below));
                }
            }
        }
    }
    rows.sort_by_key(|row| row.pair);
    let bodies = (0..columns * layers).map(|_| brick(half, Vec3::zeros())).collect();
    let places = (0..columns * layers).map(|slot| centre(slot % columns, slot / columns)).collect();
    Problem { name: "wall", bodies, places, rows }
}

/// Spheres of unit diameter on a jittered cubic lattice of `n`³ places; those closer than 1.02 diameters touch.
fn spheres(n: usize) -> Problem {
    let mut seed = 1_u64;
    let mut random = || {
        seed = seed.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (seed >> 11) as f64 / (1_u64 << 52) as f64 - 1.0
    };
    let mut vector = |scale: f64| Vec3::new(random(), random(), random()) * scale;
    let slot = |i: usize, j: usize, k: usize| (k * n + j) * n + i;
    let mut x = Vec::new();
    for place in 0..n * n * n {
        let (i, j, k) = (place % n, place / n % n, place / n / n);
        x.push(Vec3::new(i as f64, j as f64, k as f64) + vector(0.12));
    }
    let mut rows = Vec::new();
    for place in 0..n * n * n {
        let (i, j, k) = (place % n, place / n % n, place / n / n);
        if k == 0 {
            rows.push(contact(x[place] - 0.5 * Vec3::z(), Vec3::z(), place, x[place], None));
        }
        let inside = |a: usize| a + 1 < n;
        let ahead = [
            (inside(i)).then(|| slot(i + 1, j, k)),
            (inside(j)).then(|| slot(i, j + 1, k)),
            (inside(k)).then(|| slot(i, j, k + 1)),
        ];
        for other in ahead.into_iter().flatten() {
            let (master, slave) = (x[other], x[place]);
            let gap = master - slave;
            if gap.norm() < 1.1 {
                let middle = 0.5 * (master + slave);
                rows.push(contact(middle, gap.normalize(), other, master, Some((place, slave))));
            }
        }
    }
    rows.sort_by_key(|row| row.pair);
    let bodies = (0..n * n * n).map(|_| brick(Vec3::repeat(0.4), vector(0.01))).collect();
    Problem { name: "spheres", bodies, places: x, rows }
}

/// CPU time of all threads of this process [s] (Linux; elsewhere time since `start`), so that other work on the machine
/// does not count.
fn cpu_time(start: Instant) -> f64 {
    let tasks = std::fs::read_dir("/proc/self/task").into_iter().flatten().flatten();
    let on_cpu = |task: std::fs::DirEntry| -> Option<f64> {
        let text = std::fs::read_to_string(task.path().join("schedstat")).ok()?;
        text.split(' ').next()?.parse().ok()
    };
    match tasks.filter_map(on_cpu).sum::<f64>() {
        0.0 => start.elapsed().as_secs_f64(),
        nanoseconds => 1e-9 * nanoseconds,
    }
}

fn measure(problem: &Problem, diagsolver: BlockSolver, threads: usize) {
    let laws = laws(problem.rows.len());
    let settings = GaussSeidel {
        diagsolver,
        diagepsilon: GaussSeidel::default_diagepsilon(1e-4, 1.0),
        ..GaussSeidel::new(1e-15, SWEEPS)
    };
    let n = problem.rows.len();
    let (mut op, mut work) = (BodyOperator::new(), Workspace::new());
    let (mut r, mut u, mut parts) = (vec![Vec3::zeros(); n], vec![Vec3::zeros(); n], vec![0.0; n]);
    for round in 0..2 {
        let start = Instant::now();
        op.fill(H, problem.bodies.iter().copied(), &problem.rows);
        let filled = start.elapsed().as_secs_f64();
        let start = Instant::now();
        let before = cpu_time(start);
        r.fill(Vec3::zeros());
        let unknowns = Unknowns { r: &mut r, u: &mut u, merit: &mut parts };
        let report = gauss_seidel(&mut work, &mut op, &laws, &settings, CONDITIONS, unknowns);
        let (elapsed, solved) = (start.elapsed().as_secs_f64(), cpu_time(start) - before);
        if round == 1 {
            let all = n as f64 * report.iterations as f64;
            println!(
                "{:8} {diagsolver:?} {threads} threads: {n} contacts, {} levels, {:.2} M active and {:.2} M block solves per CPU second, \
                 {:.0} % active, sweep {:.2} ms CPU, {:.2} ms elapsed, fill {:.2} ms, error {:.1e}, merit {:.1e}, retries {}, assemblies {}",
                problem.name,
                op.levels(),
                1e-6 * report.active_blocks as f64 / solved,
                1e-6 * all / solved,
                100.0 * report.active_blocks as f64 / all,
                1e3 * solved / f64::from(report.iterations),
                1e3 * elapsed / f64::from(report.iterations),
                1e3 * filled,
                report.error,
                report.merit,
                report.retries,
                op.assemblies(),
            );
        }
    }
}

/// The same problem, with keys of pairs that order sweeps by cells of this edge [m], no two of one colour side by side;
/// within a cell as before. A pair is in the cell of its first body.
fn by_cells(problem: &Problem, edge: f64) -> Vec<Row> {
    let in_cells = |row: &Row| {
        let first = row.pair[0].0.max(1).min(row.pair[1].0);
        let cell = problem.places[first as usize - 1].map(|x| (x / edge).floor() as i64 + 1000);
        let colour = cell.map(|k| k % 2);
        let number = |v: nalgebra::Vector3<i64>, n: i64| ((v.z * n + v.y) * n + v.x) as u64;
        let pair = row.pair[0].0 << 20 | row.pair[1].0;
        Row { pair: [BodyId(number(colour, 2) << 40 | number(cell, 2048)), BodyId(pair)], ..*row }
    };
    problem.rows.iter().map(in_cells).collect()
}

/// Sweeps to the merit `goal`, and the merit after them.
fn sweeps_to(problem: &Problem, rows: &[Row], goal: f64, limit: u32) -> (u32, f64) {
    let (mut op, mut work, n) = (BodyOperator::new(), Workspace::new(), rows.len());
    op.fill(H, problem.bodies.iter().copied(), rows);
    let (mut r, mut u, mut parts) = (vec![Vec3::zeros(); n], vec![Vec3::zeros(); n], vec![0.0; n]);
    let unknowns = Unknowns { r: &mut r, u: &mut u, merit: &mut parts };
    let settings = GaussSeidel { meritval: goal, ..GaussSeidel::new(f64::MAX, limit) };
    let report = gauss_seidel(&mut work, &mut op, &laws(n), &settings, CONDITIONS, unknowns);
    (report.iterations, report.merit)
}

/// The time of a sweep from the least times of `ROUNDS` solves of few sweeps, on one thread and on two in turn [ms].
fn least_times(problem: &Problem, rows: &[Row]) -> [f64; 2] {
    let n = rows.len();
    let mut least = [[f64::INFINITY; 2]; 2];
    let pools = [1, 2].map(|threads| rayon::ThreadPoolBuilder::new().num_threads(threads).build().expect("threads"));
    let (mut op, mut work) = (BodyOperator::new(), Workspace::new());
    op.fill(H, problem.bodies.iter().copied(), rows);
    let (mut r, mut u, mut parts) = (vec![Vec3::zeros(); n], vec![Vec3::zeros(); n], vec![0.0; n]);
    let mut solve = |sweeps: u32| {
        let start = Instant::now();
        let unknowns = Unknowns { r: &mut r, u: &mut u, merit: &mut parts };
        gauss_seidel(&mut work, &mut op, &laws(n), &GaussSeidel::new(1e-15, sweeps), CONDITIONS, unknowns);
        1e3 * start.elapsed().as_secs_f64()
    };
    pools[0].install(|| solve(20));
    for _ in 0..ROUNDS {
        for (pool, least) in pools.iter().zip(&mut least) {
            for (sweeps, least) in FEW_AND_MORE.into_iter().zip(least) {
                *least = least.min(pool.install(|| solve(sweeps)));
            }
        }
    }
    // What is not a sweep goes with the difference.
    let [few, more] = FEW_AND_MORE.map(f64::from);
    least.map(|[a, b]| (b - a) / (more - few))
}

/// Orders of the sweep of a problem.
fn compare(problem: &Problem) {
    let (_, goal) = sweeps_to(problem, &problem.rows, 0.0, SWEEPS);
    let told = |name: &str, rows: &[Row]| {
        let (sweeps, merit) = sweeps_to(problem, rows, goal, 10 * SWEEPS);
        let mut op = BodyOperator::new();
        op.fill(H, problem.bodies.iter().copied(), rows);
        let [one, two] = least_times(problem, rows);
        println!(
            "{:8} {name:12} {sweeps:4} sweeps to the merit {merit:.2e}, {:5} levels; a sweep {one:.2} ms on one thread, \
             {two:.2} on two; to the merit {:.0} and {:.0} ms",
            problem.name,
            op.levels(),
            f64::from(sweeps) * one,
            f64::from(sweeps) * two,
        );
    };
    told("keys", &problem.rows);
    for edge in [4.0, 8.0, 16.0] {
        told(&format!("cells of {edge}"), &by_cells(problem, edge));
    }
}

fn laws(n: usize) -> Vec<Law> {
    vec![Law::Coulomb { friction: FRICTION, restitution: 0.0, cohesion: 0.0, closing: 0.0 }; n]
}

fn main() {
    let wanted: Vec<String> = std::env::args().skip(1).filter(|a| !a.starts_with('-')).collect();
    if wanted.iter().any(|w| w == "orders") {
        [wall(74, 100), spheres(22)].iter().for_each(compare);
        return;
    }
    for problem in [wall(74, 100), spheres(22)] {
        for diagsolver in [BlockSolver::SemismoothNewton, BlockSolver::Enumerative] {
            for threads in [1, 2] {
                match rayon::ThreadPoolBuilder::new().num_threads(threads).build() {
                    Ok(pool) => pool.install(|| measure(&problem, diagsolver, threads)),
                    Err(error) => println!("skipped {threads} threads: {error}"),
                }
            }
        }
    }
}
