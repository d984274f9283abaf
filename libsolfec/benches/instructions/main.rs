//! Eight short single-thread cases whose instructions are counted by valgrind; docs/benchmarks.md says how they are
//! used.
//!
//!     cargo bench -p solfec --bench instructions -- arch     # one case, without counting
//!     make instructions                                      # counts all cases and compares them with the record
//!
//! Only what happens within `measured` counts, so that building the model does not.

use std::f64::consts::PI;

use solfec::load::Series;
use solfec::math::Vec3;
use solfec::model::{
    ConstraintRow, GaussSeidel, Joint, Penalty, PenaltyVariant, Prescribed, SolverSettings, Sparsify, SpringAxis,
    SpringLaw,
};
use solfec::shape::{Convex, Geometry, Mesh, Shape, Sphere};
use solfec::solver::{auto, gauss_seidel, Goal, Law, Unknowns, Workspace};
use solfec_testing::problems::STEP;
use solfec_testing::scene;
use solfec_testing::world::{block, World};

const CASES: [(&str, fn()); 8] = [
    ("arch", arch),
    ("spheres", spheres),
    ("grid", grid),
    ("hulls", hulls),
    ("block", cubes),
    ("fclib", problems),
    ("springs", springs),
    ("cradle", cradle),
];

fn main() {
    let wanted: Vec<String> = std::env::args().skip(1).filter(|a| !a.starts_with('-')).collect();
    let pool = rayon::ThreadPoolBuilder::new().num_threads(1).use_current_thread().build().expect("a thread pool");
    for (_, case) in CASES.iter().filter(|(name, _)| wanted.is_empty() || wanted.iter().any(|w| w == name)) {
        pool.install(case);
    }
}

/// The part of a case that counts. Its name is what the counting looks for.
#[inline(never)]
fn measured<T>(work: impl FnOnce() -> T) -> T {
    work()
}

/// A few steps until contacts stand and buffers have their size, then `steps` that count.
fn run(name: &str, world: &World, solver: &SolverSettings, warm_up: usize, steps: usize) {
    let mut simulation = world.simulation();
    let mut advance = |steps: usize| {
        let mut totals = (0, 0);
        for _ in 0..steps {
            let report = simulation.step(solver).expect("a step");
            totals = (report.contacts, totals.1 + report.solver.iterations);
        }
        totals
    };
    advance(warm_up);
    let (contacts, iterations) = measured(|| advance(steps));
    println!("{name}: {contacts} contacts, {iterations} iterations in {steps} steps");
}

/// Numbers in [-1, 1), the same on every machine.
fn random(seed: &mut u64) -> f64 {
    *seed = seed.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
    (*seed >> 11) as f64 / (1_u64 << 52) as f64 - 1.0
}

fn voussoir(first: f64, last: f64, counts: [usize; 3], dx: Option<&[f64]>) -> Shape {
    let ring = |a: f64| {
        [(9.4525, -2.5), (10.5475, -2.5), (10.5475, 2.5), (9.4525, 2.5)]
            .map(|(r, y)| Vec3::new(r * a.cos(), y, r * a.sin()))
    };
    let (bottom, top) = (ring(first), ring(last));
    let corners = std::array::from_fn(|i| if i < 4 { bottom[i] } else { top[i - 4] });
    let mesh = Mesh::hex(&corners, counts, 1, &[1, 2, 3, 4, 5, 6], [dx, None, None]).expect("a voussoir");
    Shape::new(Geometry::Mesh(mesh))
}

/// A masonry arch of 27 voussoirs of six elements.
fn arch() {
    let mut world = World::new(1e-3).gravity([0.0, 0.0, -9.81]).surface(|s| s.friction = 0.5);
    world.model.settings.epsilon = 1e-4;
    world.model.settings.sparsify = Sparsify { threshold: 0.005, minarea: 0.0, mindist: 1e-4, projected: false };
    let angle = PI / 27.0;
    world.obstacle(voussoir(PI, PI + angle, [1, 1, 1], None));
    world.obstacle(voussoir(-angle, 0.0, [1, 1, 1], None));
    for n in (0..27).rev() {
        let shape = voussoir(n as f64 * angle, (n + 1) as f64 * angle, [3, 2, 1], Some(&[0.05, 1.9, 0.05]));
        world.rigid(shape, 1.0);
    }
    run("arch", &world, &SolverSettings::GaussSeidel(GaussSeidel::new(1e-4, 1000)), 3, 8);
}

/// A loose packing of spheres that falls together on a floor.
fn spheres() {
    let mut world = World::new(1e-3).gravity([0.0, 0.0, -9.81]).surface(|s| s.friction = 0.4);
    world.obstacle(block([-1.0, -1.0, -0.2], [1.8, 1.8, 0.0], [1, 1, 1]));
    let mut seed = 1;
    for place in 0..512 {
        let at = [place % 8, place / 8 % 8, place / 64].map(|k| 0.1 * k as f64);
        let centre = Vec3::from(at.map(|x| x + 0.002 * random(&mut seed))) + Vec3::new(0.0, 0.0, 0.05);
        let sphere = Sphere::new(centre, 0.0505, 1, 1).expect("a ball");
        world.rigid(Shape::new(Geometry::Sphere(sphere)), 1000.0);
    }
    run("spheres", &world, &SolverSettings::GaussSeidel(GaussSeidel::new(1e-3, 50)), 5, 10);
}

/// A grid of spheres that touch, on springs: what a step of many small bodies costs besides its solution.
fn grid() {
    let mut world = World::new(1e-4).gravity([0.0, 0.0, -9.81]).surface(|s| (s.spring, s.dashpot) = (1e5, 10.0));
    world.obstacle(block([-1.0, -1.0, -0.2], [2.0, 2.0, 0.0], [1, 1, 1]));
    for place in 0..1000 {
        let centre = Vec3::from([place % 10, place / 10 % 10, place / 100].map(|k| 0.1 * k as f64 + 0.05));
        let sphere = Sphere::new(centre, 0.05, 1, 1).expect("a ball");
        world.rigid(Shape::new(Geometry::Sphere(sphere)), 1000.0);
    }
    run("grid", &world, &SolverSettings::Penalty(Penalty { variant: PenaltyVariant::Explicit }), 3, 10);
}

/// A heap of convex hulls of random points.
fn hulls() {
    let mut world = World::new(1e-3).gravity([0.0, 0.0, -9.81]).surface(|s| s.friction = 0.5);
    world.obstacle(block([-1.0, -1.0, -0.2], [1.6, 1.6, 0.0], [1, 1, 1]));
    let mut seed = 2;
    for place in 0..108 {
        let centre = Vec3::from([place % 6, place / 6 % 6, place / 36].map(|k| 0.1 * k as f64));
        let mut point = || Vec3::new(random(&mut seed), random(&mut seed), random(&mut seed));
        let points: Vec<Vec3> =
            (0..14).map(|_| centre + point().normalize() * 0.064 + Vec3::new(0.0, 0.0, 0.05)).collect();
        let hull = Convex::hull(&points, 1, 1).expect("a hull");
        world.rigid(Shape::new(Geometry::Convex(hull)), 1000.0);
    }
    run("hulls", &world, &SolverSettings::GaussSeidel(GaussSeidel::new(1e-3, 50)), 5, 10);
}

/// A block of 64 cubes on a floor.
fn cubes() {
    let mut world = World::new(1e-3).gravity([0.0, 0.0, -10.0]).surface(|s| s.friction = 0.3);
    world.model.settings.sparsify = Sparsify { threshold: 0.005, minarea: 0.05, mindist: 1e-6, projected: false };
    world.obstacle(block([0.0, 0.0, -1.0], [4.0, 4.0, 0.0], [1, 1, 1]));
    for i in 0..64 {
        let low = [(i % 4) as f64, (i / 4 % 4) as f64, (i / 16) as f64];
        world.rigid(block(low, low.map(|x| x + 1.0), [1, 1, 1]), 2000.0);
    }
    run(
        "block",
        &world,
        &SolverSettings::GaussSeidel(GaussSeidel { meritval: 1e-8, ..GaussSeidel::new(1e-2, 1000) }),
        3,
        20,
    );
}

/// Assembled problems, as FCLIB stores them: Gauss-Seidel, then the method for high accuracy, which must balance the
/// weight.
fn problems() {
    for scene in [scene::wall(5, 6), scene::stack(6)] {
        let (n, mut op, mut work) = (scene.points.len(), scene.problem(), Workspace::new());
        let laws = vec![Law::Coulomb { friction: 0.7, restitution: 0.0, cohesion: 0.0, closing: 0.0 }; n];
        let settings = GaussSeidel { diagepsilon: 1e-12, ..GaussSeidel::new(1e-15, 100) };
        let (mut r, mut u, mut parts) = (vec![Vec3::zeros(); n], vec![Vec3::zeros(); n], vec![0.0; n]);
        let (coarse, fine) = measured(|| {
            let unknowns = Unknowns { r: &mut r, u: &mut u, merit: &mut parts };
            let coarse = gauss_seidel(&mut work, &mut op, &laws, &settings, STEP, unknowns);
            r.fill(Vec3::zeros());
            let unknowns = Unknowns { r: &mut r, u: &mut u, merit: &mut parts };
            (coarse, auto(&mut op, &laws, Goal::Merit(1e-14), STEP, unknowns))
        });
        let left = |(body, force): (usize, &Vec3)| (force + scene.weight(body)).norm();
        let unbalanced = scene.forces(&r).iter().enumerate().map(left).fold(0.0, f64::max);
        assert!(unbalanced < 1e-3, "a force of {unbalanced} is left");
        let (sweeps, iterations) = (coarse.iterations, fine.iterations);
        println!("fclib: {n} contacts, {sweeps} sweeps, then {iterations} iterations of {}", fine.method);
    }
}

/// A ball of radius `radius` and 10 kg.
fn ball(world: &mut World, centre: Vec3, radius: f64) -> u64 {
    let sphere = Sphere::new(centre, radius, 1, 1).expect("a ball");
    world.rigid(Shape::new(Geometry::Sphere(sphere)), 10.0 / (4.0 / 3.0 * PI * radius.powi(3)))
}

fn join(world: &mut World, joint: Joint, master: u64, slave: Option<u64>, points: [Vec3; 2]) {
    world.model.constraints.push(ConstraintRow { joint, master, slave, points, line: 0 });
}

/// The cost of a small step: a row of eight balls on springs, guided along the row, the first of which is shaken.
fn springs() {
    let mut world = World::new(1e-5);
    let series = world.model.series.len() as u32;
    world.model.series.push(Series::new("shaking", vec![0.0, 0.01, 0.02], vec![0.0, 1.0, 0.0]).expect("a series"));
    let place = |k: usize| Vec3::new(0.5 * k as f64, 0.0, 0.0);
    let balls: Vec<u64> = (0..8).map(|k| ball(&mut world, place(k), 0.1)).collect();
    for k in 1..balls.len() {
        let law = SpringLaw::Linear { stiffness: 1e3, damping: 0.0 };
        let spring = Joint::Spring { law, axis: SpringAxis::Follow, limits: [-2.0, 2.0] };
        join(&mut world, spring, balls[k - 1], Some(balls[k]), [place(k - 1), place(k)]);
    }
    let shaker = Joint::Drive { what: Prescribed::Acceleration, direction: Vec3::x(), series };
    join(&mut world, shaker, balls[0], None, [place(0); 2]);
    for (k, &ball) in balls.iter().enumerate() {
        for direction in [Vec3::y(), Vec3::z()] {
            join(&mut world, Joint::FixDirection { direction }, ball, None, [place(k); 2]);
        }
    }
    let solver = GaussSeidel { meritval: 1e-6, ..GaussSeidel::new(1e-3, 200) };
    run("springs", &world, &SolverSettings::GaussSeidel(solver), 10, 200);
}

/// A small step with contacts: five balls that hang side by side, the first of which swings against the others.
fn cradle() {
    let mut world = World::new(1e-3).gravity([0.0, 0.0, -9.81]).surface(|s| s.restitution = 1.0);
    world.model.settings.epsilon = 1e-15;
    for k in 0..5 {
        let top = Vec3::new(k as f64 * (0.1 + 1e-10), 0.0, 0.5);
        let angle = if k == 0 { 0.02_f64 } else { 0.0 };
        let centre = top - 0.5 * Vec3::new(angle.sin(), 0.0, angle.cos());
        let ball = ball(&mut world, centre, 0.05);
        join(&mut world, Joint::RigidLink { strength: f64::INFINITY }, ball, None, [centre, top]);
    }
    run("cradle", &world, &SolverSettings::GaussSeidel(GaussSeidel::new(1e-10, 100)), 200, 300);
}
