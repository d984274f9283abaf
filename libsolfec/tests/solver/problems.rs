//! The problems on which all solvers are compared.

use solfec::body::Inertia;
use solfec::dynamics::{Assembled, BodyOperator, Delassus, End, Row, WholeMatrix};
use solfec::math::{local_base, Mat3, Vec3};
use solfec::solver::{Law, Link};

use solfec_testing::problems::*;

/// Local dynamics with laws.
pub struct Problem {
    pub name: String,
    pub op: Assembled,
    pub laws: Vec<Law>,
    /// Whether the reactions are unique; else only velocities are.
    pub isostatic: bool,
}

/// Single contacts, a column, a sliding block, a link, a hanging chain, a wall, a box of spheres.
pub fn all() -> Vec<Problem> {
    let mut problems = contacts();
    problems.extend([two_masses(1.0, 1.0), two_masses(9.0, 1.0), block(), rotor()]);
    problems.extend([chain(1.0), chain(1000.0), wall(5, 10), spheres(4)]);
    problems
}

fn problem(name: impl Into<String>, op: Assembled, laws: Vec<Law>) -> Problem {
    Problem { name: name.into(), op, laws, isostatic: true }
}

/// One contact each.
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
    let bodies: Vec<Inertia> = (0..n).map(|i| particle(mass(i), fall)).collect();
    let above = |i: u64| if i == 0 { End::Fixed } else { body(i as u32 - 1, Vec3::zeros()) };
    let hang = |i: u64| row((i, i + 1), local_base(&-Vec3::z()), body(i as u32, Vec3::zeros()), Some(above(i)));
    let rows: Vec<Row> = (0..n).map(hang).collect();
    let law = Law::Link(Link { length: 1.0, distance: 1.0, reach: 0.5 * STEP.h });
    problem(format!("chain 1:{ratio}"), assembled(&bodies, &rows), vec![law; n as usize])
}

/// A brick of a wall: place of its centre along the wall, half its length, layer.
struct Brick {
    x: f64,
    half: f64,
    layer: usize,
}

/// Running bond of bricks 2×1×1 with half bricks at the ends of odd layers; a brick stands on a point of each brick
/// below, a half brick on two of its only one. The first brick of the top takes off. (Were it hit along the wall,
/// velocities would not be unique: how much it drags along depends on the normal reactions.)
fn wall(columns: usize, layers: usize) -> Problem {
    let mut bricks = Vec::new();
    for layer in 0..layers {
        let end = 2.0 * columns as f64;
        let brick = |x: f64, half: f64| Brick { x, half, layer };
        if layer % 2 == 0 {
            bricks.extend((0..columns).map(|i| brick(2.0 * i as f64 + 1.0, 1.0)));
        } else {
            bricks.extend([brick(0.5, 0.5), brick(end - 0.5, 0.5)]);
            bricks.extend((1..columns).map(|i| brick(2.0 * i as f64, 1.0)));
        }
    }
    let first = bricks.iter().position(|b| b.layer + 1 == layers && b.half == 1.0);
    let inertia_of = |(i, b): (usize, &Brick)| {
        let start = if Some(i) == first { 0.5 * Vec3::z() } else { Vec3::zeros() };
        let mass = 2.0 * b.half;
        let (long, inertia) = (4.0 * b.half * b.half, mass / 12.0);
        Inertia::Rigid {
            inverse_mass: 1.0 / mass,
            inverse_inertia: Mat3::from_diagonal(&Vec3::new(2.0, long + 1.0, long + 1.0).map(|j| 1.0 / (inertia * j))),
            free: translation(start - 10.0 * STEP.h * Vec3::z()),
            previous: translation(start),
        }
    };
    let bodies: Vec<Inertia> = bricks.iter().enumerate().map(inertia_of).collect();
    let mut rows = Vec::new();
    let arm = |i: usize, x: f64, z: f64| body(i as u32, Vec3::new(x - bricks[i].x, 0.0, z));
    let mut stand = |i: usize, on: Option<usize>, x: f64| {
        let slave = on.map_or(End::Fixed, |j| arm(j, x, 0.5));
        let key = (on.map_or(0, |j| j as u64 + 1), i as u64 + 1);
        rows.push(row(key, local_base(&Vec3::z()), arm(i, x, -0.5), Some(slave)));
    };
    for (i, b) in bricks.iter().enumerate() {
        let two = [b.x - 0.5 * b.half, b.x + 0.5 * b.half];
        if b.layer == 0 {
            two.into_iter().for_each(|x| stand(i, None, x));
        }
        for x in two {
            let carries = |c: &Brick| c.layer + 1 == b.layer && (c.x - x).abs() < c.half;
            bricks.iter().position(carries).into_iter().for_each(|j| stand(i, Some(j), x));
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
    let sphere = |v: Vec3| Inertia::Rigid {
        inverse_mass: 1.0,
        inverse_inertia: Mat3::from_diagonal_element(10.0),
        free: translation(v + fall),
        previous: translation(v),
    };
    let bodies: Vec<Inertia> = (0..n * n * n).map(|_| sphere(0.05 * random.vector())).collect();
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
pub fn assembled(bodies: &[Inertia], rows: &[Row]) -> Assembled {
    let mut op = BodyOperator::new();
    op.fill(STEP.h, bodies.iter().copied(), rows);
    Assembled::new(op.assemble(), op.free().to_vec(), op.previous().to_vec()).unwrap()
}
