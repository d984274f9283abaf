//! The problems of the cross-solver matrix (constraints-solvers-parallel.md 12.6).

use solfec::dynamics::{Assembled, BodyOperator, Delassus, End, Kinetics, Row};
use solfec::math::{local_base, Mat3, Vec3};
use solfec::solver::{Law, Link};

use crate::support::*;

/// Local dynamics with laws.
pub struct Problem {
    pub name: String,
    pub op: Assembled,
    pub laws: Vec<Law>,
    /// Whether the reactions are unique; else only velocities are.
    pub isostatic: bool,
}

/// Acceptance cases 4.1 … 4.8, 5.2, 5.3, 2.1, the hanging chain, a wall, a box of spheres.
pub fn all() -> Vec<Problem> {
    let mut problems = contacts();
    problems.extend([two_masses(1.0, 1.0), two_masses(9.0, 1.0), block(), rotor()]);
    problems.extend([chain(1.0), chain(1000.0), wall(5, 10), spheres(4)]);
    problems
}

fn problem(name: impl Into<String>, op: Assembled, laws: Vec<Law>) -> Problem {
    Problem { name: name.into(), op, laws, isostatic: true }
}

/// Acceptance cases 4, one contact each.
fn contacts() -> Vec<Problem> {
    let rod = Mat3::new(3.4, 0.0, -1.2, 0.0, 1.0, 0.0, -1.2, 0.0, 1.6);
    let cases = [
        ("4.1 stick", example(), Vec3::new(0.1, 0.05, -2.0), 0.8),
        ("4.2 slip", example(), SLIDING, 0.3),
        ("4.3 open", example(), Vec3::new(1.0, 0.5, 0.25), 0.3),
        ("4.6 rod that sticks", rod, Vec3::new(-1.0, 0.0, -0.5), 1.0),
        ("4.6 rod that slips", rod, Vec3::new(-10.0, 0.0, -0.5), 1.0),
        ("4.6 rod of Painlevé", rod, Vec3::new(-10.0, 0.0, -0.5), 2.0),
        ("4.7 frictionless", example(), Vec3::new(0.3, 0.2, -1.5), 0.0),
        ("4.7 no velocity", example(), Vec3::zeros(), 0.5),
    ];
    let mut made: Vec<Problem> =
        cases.into_iter().map(|(name, w, b, mu)| problem(name, single(w, b), vec![coulomb(mu)])).collect();
    let fall = -2.0 * Vec3::z();
    let bouncy = Law::Coulomb { friction: 0.3, restitution: 0.5, cohesion: 0.0, closing: 0.0 };
    made.push(problem("4.8 restitution", single_with(Mat3::identity(), fall, fall), vec![bouncy]));
    made
}

fn two_masses(upper: f64, lower: f64) -> Problem {
    problem(format!("5.2 column {upper}:{lower}"), column(upper, lower), vec![coulomb(0.5); 2])
}

fn block() -> Problem {
    problem("5.3 sliding block", sliding_block().1, vec![coulomb(0.5); 2])
}

/// The linked masses of 2.1 at the middle of their first step: unit masses, d = 1, relative velocity 2 across.
pub fn rotor() -> Problem {
    let reach = 0.5 * STEP.h;
    let z = Vec3::new(1.0, 2.0 * reach, 0.0);
    let bodies = [particle(1.0, Vec3::y()), particle(1.0, -Vec3::y())];
    let rows = [row((1, 2), local_base(&z.normalize()), body(0, Vec3::zeros()), Some(body(1, Vec3::zeros())))];
    let law = Law::Link(Link { length: 1.0, distance: z.norm(), reach });
    problem("2.1 linked masses", assembled(&bodies, &rows), vec![law])
}

/// Twenty unit masses on links below one another, the last one `ratio` times heavier, at rest under g = 10.
pub fn chain(ratio: f64) -> Problem {
    let n = 20;
    let fall = -10.0 * STEP.h * Vec3::z();
    let mass = |i: u64| if i == n - 1 { ratio } else { 1.0 };
    let bodies: Vec<Kinetics> = (0..n).map(|i| particle(mass(i), fall)).collect();
    let above = |i: u64| if i == 0 { End::Fixed } else { body(i as u32 - 1, Vec3::zeros()) };
    let hang = |i: u64| row((i, i + 1), local_base(&-Vec3::z()), body(i as u32, Vec3::zeros()), Some(above(i)));
    let rows: Vec<Row> = (0..n).map(hang).collect();
    let law = Law::Link(Link { length: 1.0, distance: 1.0, reach: 0.5 * STEP.h });
    problem(format!("chain 1:{ratio}"), assembled(&bodies, &rows), vec![law; n as usize])
}

/// Running bond of bricks 2×1×1, two contact points on each brick below; the first brick of the top is hit along the wall.
fn wall(columns: usize, layers: usize) -> Problem {
    let mass = 2.0;
    let inertia = Vec3::new(1.0 + 1.0, 4.0 + 1.0, 4.0 + 1.0) * (mass / 12.0);
    let hit = |i: usize, k: usize| if (i, k) == (0, layers - 1) { 0.5 * Vec3::x() } else { Vec3::zeros() };
    let brick = |i: usize, k: usize| Kinetics::Rigid {
        inv_mass: 1.0 / mass,
        inv_inertia: Mat3::from_diagonal(&inertia.map(|j| 1.0 / j)),
        free: translation(hit(i, k) - 10.0 * STEP.h * Vec3::z()),
        previous: translation(hit(i, k)),
    };
    let slot = |i: usize, k: usize| (k * columns + i) as u32;
    let mut bodies = Vec::new();
    let mut rows = Vec::new();
    for k in 0..layers {
        for i in 0..columns {
            bodies.push(brick(i, k));
            for side in [-0.5, 0.5] {
                let below = (i + k % 2).checked_sub(usize::from(side < 0.0)).filter(|&j| j < columns);
                let (other, slave) = match (k, below) {
                    (0, _) => (0, End::Fixed),
                    (_, None) => continue,
                    (_, Some(j)) => (u64::from(slot(j, k - 1)) + 1, body(slot(j, k - 1), Vec3::new(-side, 0.0, 0.5))),
                };
                let own = u64::from(slot(i, k)) + 1;
                let master = body(slot(i, k), Vec3::new(side, 0.0, -0.5));
                rows.push(row((other, own), local_base(&Vec3::z()), master, Some(slave)));
            }
        }
    }
    rows.sort_by_key(|row| row.pair);
    let laws = vec![coulomb(0.5); rows.len()];
    Problem { isostatic: false, ..problem("wall", assembled(&bodies, &rows), laws) }
}

/// Unit spheres on `n`³ places of a jittered lattice in a box, moving at random under gravity.
fn spheres(n: usize) -> Problem {
    let random = &mut Random(64);
    let place = |p: usize| [p % n, p / n % n, p / n / n];
    let at = |[i, j, k]: [usize; 3]| (k * n + j) * n + i;
    let centre: Vec<Vec3> =
        (0..n * n * n).map(|p| Vec3::from(place(p).map(|i| i as f64)) + 0.1 * random.vector()).collect();
    let fall = -10.0 * STEP.h * Vec3::z();
    let sphere = |v: Vec3| Kinetics::Rigid {
        inv_mass: 1.0,
        inv_inertia: Mat3::from_diagonal_element(10.0),
        free: translation(v + fall),
        previous: translation(v),
    };
    let bodies: Vec<Kinetics> = (0..n * n * n).map(|_| sphere(0.05 * random.vector())).collect();
    let mut rows = Vec::new();
    for p in 0..n * n * n {
        let own = p as u64 + 1;
        for axis in 0..3 {
            let mut next = place(p);
            next[axis] += 1;
            if next[axis] < n {
                let q = at(next);
                let way = centre[q] - centre[p];
                let (normal, half) = (way.normalize(), 0.5 * way);
                if way.norm() < 1.05 {
                    let (master, slave) = (body(q as u32, -half), body(p as u32, half));
                    rows.push(row((own, q as u64 + 1), local_base(&normal), master, Some(slave)));
                }
            }
            let wall = match place(p)[axis] {
                0 => 1.0,
                last if last == n - 1 && axis < 2 => -1.0,
                _ => continue,
            };
            // Those that lean away from the wall do not touch it.
            if wall * (centre[p][axis] - place(p)[axis] as f64) > 0.0 {
                continue;
            }
            let normal = Vec3::ith(axis, wall);
            rows.push(row((0, own), local_base(&normal), body(p as u32, -0.5 * normal), Some(End::Fixed)));
        }
    }
    rows.sort_by_key(|row| row.pair);
    let laws = vec![coulomb(0.3); rows.len()];
    Problem { isostatic: false, ..problem("spheres", assembled(&bodies, &rows), laws) }
}

/// The local dynamics of bodies, assembled.
pub fn assembled(bodies: &[Kinetics], rows: &[Row]) -> Assembled {
    let mut op = BodyOperator::new();
    op.fill(STEP.h, bodies.iter().copied(), rows);
    Assembled::new(op.assemble(), op.free().to_vec(), op.previous().to_vec()).unwrap()
}
