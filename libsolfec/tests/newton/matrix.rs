//! The problems of the solver matrix against Gauss–Seidel: isostatic ones compared in reactions, hyperstatic ones in
//! velocities.

use super::*;
use solfec::ids::BodyIndex;
use solfec::material::SurfaceMaterial;
use solfec::model::{Analysis, Auto, BlockSolver, Delta, GaussSeidel, SolverSettings};
use solfec::simulation::{Simulation, State};
use solfec::solver::{Compliance, Elastic, Status};
use solfec_testing::problems::{column, example, settings, single_with, solve as sweep};
use solfec_testing::run::{ball, center};
use solfec_testing::world::{block, World};

/// PQN1 with and without W, PQN2; none may fall back.
fn solvers(meritval: f64) -> [Newton; 3] {
    let on = Newton { meritval, gsflag: false, ..Newton::default() };
    let off = Newton { locdyn: false, ..on.clone() };
    [on, off, Newton { maxiter: 100_000, maxmatvec: 1_000_000, ..diagonal(meritval, 0.25) }]
}

/// All solvers find the reactions of Gauss–Seidel to 1e-6 of the largest.
fn isostatic<D: Delassus>(op: &mut D, laws: &[Law]) {
    let reference = sweep(op, laws, &settings(1e-13, 1_000_000, BlockSolver::Enumerative));
    assert_eq!(reference.report.status, Status::Converged);
    let size = reference.r.iter().map(Vec3::norm).fold(0.0, f64::max);
    for settings in solvers(1e-16) {
        let solution = solve(op, laws, &settings);
        assert_eq!(solution.report.status, Status::Converged, "{:?}", solution.report);
        for (r, exact) in solution.r.iter().zip(&reference.r) {
            assert!((r - exact).norm() <= 1e-6 * size, "{:?}: {r} is not {exact}", solution.report);
        }
    }
}

#[test]
fn single_contacts() {
    let rod = Mat3::new(3.4, 0.0, -1.2, 0.0, 1.0, 0.0, -1.2, 0.0, 1.6);
    let cases = [
        (example(), Vec3::new(0.1, 0.05, -2.0), 0.8),
        (example(), Vec3::new(1.0, 0.5, -2.0), 0.3),
        (example(), Vec3::new(1.0, 0.5, 0.25), 0.3),
        (rod, Vec3::new(-1.0, 0.0, -0.5), 1.0),
        (rod, Vec3::new(-10.0, 0.0, -0.5), 1.0),
        (example(), Vec3::zeros(), 0.3),
        (example(), Vec3::zeros(), 0.0),
        (example(), Vec3::new(0.3, 0.0, -2.0), 0.0),
        (example(), Vec3::new(0.3, 0.0, 2.0), 0.0),
    ];
    for (w, b, mu) in cases {
        isostatic(&mut single_with(w, b, Vec3::zeros()), &[coulomb(mu)]);
    }
    let bounce = Law::Coulomb { friction: 0.3, restitution: 0.5, cohesion: 0.0, closing: 0.0 };
    let falling = Vec3::new(0.0, 0.0, -2.0);
    isostatic(&mut single_with(Mat3::identity(), falling, falling), &[bounce]);
    for cohesion in [0.5, 5.0] {
        let law = Law::Coulomb { friction: 0.3, restitution: 0.0, cohesion, closing: 0.0 };
        isostatic(&mut single_with(example(), Vec3::new(0.4, 0.2, 1.0), Vec3::zeros()), &[law]);
    }
}

/// A rod end at μ = 2: friction and normal reaction are so strongly coupled that Newton steps alternate. That is
/// reported, and the fallback solves it.
#[test]
fn a_wedged_rod_takes_the_fall_back() {
    let rod = Mat3::new(3.4, 0.0, -1.2, 0.0, 1.0, 0.0, -1.2, 0.0, 1.6);
    for settings in solvers(1e-16) {
        let mut op = single_with(rod, Vec3::new(-10.0, 0.0, -0.5), Vec3::zeros());
        let solution = solve(&mut op, &[coulomb(2.0)], &Newton { gsflag: true, ..settings });
        assert_eq!(solution.report.status, Status::Converged);
        assert!(solution.report.fallback && solution.report.steep_friction);
        assert!((solution.r[0] - Vec3::new(4.15, 0.0, 3.425)).norm() < 1e-6, "{}", solution.r[0]);
    }
}

#[test]
fn columns_and_sliding_block() {
    let laws = [coulomb(0.5); 2];
    isostatic(&mut column(1.0, 1.0), &laws);
    isostatic(&mut column(9.0, 1.0), &laws);
    isostatic(&mut sliding_block(), &laws);
}

/// A link between rotating masses; its reaction is known.
#[test]
fn a_turning_link() {
    let bodies = [1.0, -1.0].map(|v| {
        let velocity = translation(Vec3::new(0.0, v, 0.0));
        Inertia::Rigid { inverse_mass: 1.0, inverse_inertia: Mat3::zeros(), free: velocity, previous: velocity }
    });
    let reach = 0.5 * STEP.h;
    let distance = (1.0 + (reach * 2.0_f64).powi(2)).sqrt();
    // From slave to master at mid-step.
    let normal = Vec3::new(1.0, 2.0 * reach, 0.0) / distance;
    let base = solfec::math::local_base(&normal);
    let mut op = BodyOperator::new();
    op.fill(STEP.h, bodies, &[row((1, 2), base, body(0, Vec3::zeros()), Some(body(1, Vec3::zeros())))]);
    let laws = [Law::Link(Link { length: 1.0, distance, reach })];
    isostatic(&mut op, &laws);
    let solution = solve(&mut op, &laws, &solvers(1e-22)[0]);
    assert!((solution.r[0].z + 1.9999000075).abs() < 1e-9, "{}", solution.r[0].z);
}

/// Twenty links, tips of ratio 1 and 1000: exact tensions, in less than 20 iterations with the default options.
#[test]
fn hanging_chains() {
    for ratio in [1.0, 1000.0] {
        let mut masses = [1.0; 20];
        masses[19] = ratio;
        let (mut op, laws) = chain(&masses);
        for locdyn in [true, false] {
            let quick = solve(&mut op, &laws, &Newton { locdyn, gsflag: false, ..Newton::default() });
            assert_eq!(quick.report.status, Status::Converged);
            assert!(quick.report.iterations < 20, "{} iterations", quick.report.iterations);
            let fine = solve(&mut op, &laws, &Newton { locdyn, ..exact(1e-22, 0.0) });
            assert_eq!(fine.report.status, Status::Converged);
            for (i, r) in fine.r.iter().enumerate() {
                let tension: f64 = 10.0 * masses[i..].iter().sum::<f64>();
                assert!((r.z + tension).abs() <= 1e-8 * tension, "link {i}: {} is not {tension}", r.z);
            }
        }
    }
}

/// Every kind of constraint on one chain of bodies: glue, link, slider, spring with and without its stop, contact of
/// either law, cohesion.
#[test]
fn all_kinds_together() {
    let contact = Law::Coulomb { friction: 0.4, restitution: 0.3, cohesion: 2.0, closing: 0.0 };
    let soft = Compliance { gap: -1e-3, spring: 2e4, dashpot: 20.0, hpow: 1.5, friction: 0.3, cohesion: 0.0 };
    for (upper, dashpot) in [(f64::INFINITY, 20.0), (-0.05, -1.0)] {
        let spring = Elastic { force: -3.0, slope: -8.0, at: 0.0, lower: f64::NEG_INFINITY, upper };
        let laws = [
            Law::Velocity3 { target: Vec3::new(0.0, 0.1, 0.0) },
            Law::Link(Link { length: 1.0, distance: 1.001, reach: 0.5 * STEP.h }),
            Law::Velocity { target: -0.2 },
            Law::Spring(spring),
            contact,
            Law::SpringDashpot(Compliance { dashpot, ..soft }),
        ];
        let bodies: Vec<Inertia> = (0..6)
            .map(|i| Inertia::Rigid {
                inverse_mass: 1.0 / (1.0 + 0.5 * f64::from(i)),
                inverse_inertia: Mat3::from_diagonal(&Vec3::new(3.0, 2.0, 4.0)),
                free: translation(Vec3::new(0.3, -0.1 * f64::from(i), -0.4)),
                previous: translation(Vec3::new(0.3, 0.0, -0.3)),
            })
            .collect();
        let rows: Vec<_> = (0..6_u32)
            .map(|i| {
                let normal = Vec3::new(0.2, 0.1 * f64::from(i), 1.0).normalize();
                let lower = if i == 0 { End::Fixed } else { body(i - 1, Vec3::new(-0.1, 0.1, 0.4)) };
                let upper = body(i, Vec3::new(0.1, 0.05, -0.4));
                row((u64::from(i), u64::from(i) + 1), solfec::math::local_base(&normal), upper, Some(lower))
            })
            .collect();
        let mut op = BodyOperator::new();
        op.fill(STEP.h, bodies, &rows);
        isostatic(&mut op, &laws);
    }
}

/// Quasi-static contacts close their gap; compliant ones push by their spring at the end of the step.
#[test]
fn quasi_static_contacts() {
    let conditions = Conditions { analysis: Analysis::QuasiStatic, ..STEP };
    let law = Law::Coulomb { friction: 0.3, restitution: 0.0, cohesion: 0.0, closing: 0.5 };
    let soft = Compliance { gap: -1e-3, spring: 1e4, dashpot: 0.0, hpow: 1.0, friction: 0.0, cohesion: 0.0 };
    for settings in solvers(1e-20) {
        let mut op = single_with(Mat3::identity(), Vec3::new(0.1, 0.0, -2.0), Vec3::zeros());
        let solution = solve_from(&mut op, &[law], &settings, conditions, &[Vec3::zeros()]);
        assert!((solution.r[0] - Vec3::new(-0.1, 0.0, 1.5)).norm() < 1e-8, "{}", solution.r[0]);
        let solution = solve_from(&mut op, &[Law::SpringDashpot(soft)], &settings, conditions, &[Vec3::zeros()]);
        // R = −k (g + h (b + R)).
        let r = -1e4 * (-1e-3 - STEP.h * 2.0) / (1.0 + 1e4 * STEP.h);
        assert!((solution.r[0].z - r).abs() < 1e-6 * r, "{}", solution.r[0]);
    }
}

/// Ten courses of five blocks, pushed sideways.
fn wall() -> World {
    let mut world = World::new(1e-3).gravity([4.0, 0.0, -10.0]).surface(friction(0.6));
    world.obstacle(block([-2.0, -2.0, -1.0], [8.0, 2.0, 0.0], [1, 1, 1]));
    for course in 0..10 {
        for i in 0..5 {
            let (x, z) = (f64::from(i) + 0.5 * f64::from(course % 2), 0.4 * f64::from(course));
            world.rigid(block([x, 0.0, z], [x + 1.0, 0.5, z + 0.4], [1, 1, 1]), 2000.0);
        }
    }
    world
}

/// Two hundred balls in a box, nearly touching.
fn balls() -> World {
    let mut world = World::new(1e-3).gravity([1.0, 0.5, -10.0]).surface(friction(0.3));
    let sides = [
        ([-1.0, -1.0, -1.0], [6.0, 6.0, 0.0]),
        ([-1.0, -1.0, 0.0], [0.0, 6.0, 10.0]),
        ([5.0, -1.0, 0.0], [6.0, 6.0, 10.0]),
        ([0.0, -1.0, 0.0], [5.0, 0.0, 10.0]),
        ([0.0, 5.0, 0.0], [5.0, 6.0, 10.0]),
    ];
    for (low, high) in sides {
        world.obstacle(block(low, high, [1, 1, 1]));
    }
    for n in 0..200 {
        let (i, j, k) = (n % 5, n / 5 % 5, n / 25);
        let shift = 0.02 * f64::from((i * 7 + j * 3 + k * 5) % 5);
        let [x, y, z] = [i, j, k].map(f64::from);
        let at = [0.5 + 0.99 * x + 0.5 * shift, 0.52 + 0.99 * y - 0.3 * shift, 0.5 + 1.01 * z];
        world.rigid(ball(at, 0.49), 1000.0);
    }
    world
}

fn friction(mu: f64) -> impl FnOnce(&mut SurfaceMaterial) {
    move |surface| surface.friction = mu
}

/// Of velocities, relative to the largest.
const TOLERANCE: f64 = 1e-8;

/// Sweeps to this merit, however many it takes; relaxed so little that they are merely not accelerated.
fn sweeps(meritval: f64) -> SolverSettings {
    let relaxation = 1.0 + 1e-15;
    SolverSettings::GaussSeidel(GaussSeidel {
        meritval,
        diagepsilon: 1e-14,
        relaxation,
        ..GaussSeidel::new(1.0, 50_000)
    })
}

const MERIT: f64 = (0.1 * TOLERANCE) * (0.1 * TOLERANCE);

/// A world after some rough steps, from where solvers make the next one.
struct Start<'a> {
    world: &'a World,
    state: State,
    /// Velocities of all bodies after the step by another solver, and whether it converged.
    reference: (Report, Vec<f64>),
}

/// Starts after so many rough steps, ascending.
fn starts<'a>(world: &'a World, after: &[u64]) -> Vec<Start<'a>> {
    let mut simulation = world.simulation();
    let rough = |&count: &u64| {
        while simulation.steps() < count {
            simulation.step(&sweeps(1e-8)).expect("a step");
        }
        let mut start = Start { world, state: simulation.state(), reference: Default::default() };
        start.reference = start.step(&SolverSettings::Auto(Auto { meritval: 1e-20 }));
        start
    };
    after.iter().map(rough).collect()
}

impl Start<'_> {
    fn step(&self, solver: &SolverSettings) -> (Report, Vec<f64>) {
        let mut simulation = Simulation::restore(&self.world.model, &[], &self.state).expect("its state");
        let report = simulation.step(solver).expect("a step").solver;
        let bodies = simulation.bodies();
        (report, (0..bodies.len()).flat_map(|i| bodies.velocity(BodyIndex(i as u32))).collect())
    }

    /// The step by Newton: if it converges, its merit is what was asked for and velocities agree to 10 tolerances.
    fn by(&self, settings: &Newton) -> Report {
        let (report, velocities) = self.step(&SolverSettings::Newton(settings.clone()));
        let at = self.state.steps;
        assert_eq!(report.status == Status::Converged, report.merit <= MERIT, "after {at} steps: {report:?}");
        if report.status == Status::Converged {
            let (exact, reference) = &self.reference;
            assert_eq!(exact.status, Status::Converged, "after {at} steps: {exact:?}");
            let speed = reference.iter().fold(0.0, |most: f64, v| most.max(v.abs()));
            let miss = velocities.iter().zip(reference).fold(0.0, |most: f64, (a, b)| most.max((a - b).abs()));
            assert!(miss <= 10.0 * TOLERANCE * speed, "after {at} steps: {report:?}: {miss:e} of {speed:e}");
        }
        report
    }
}

/// PQN1 with default options, without its fall-back.
fn pqn1() -> Newton {
    Newton { meritval: MERIT, omega: None, gsflag: false, ..Newton::default() }
}

fn pqn2() -> Newton {
    Newton { omega: None, maxiter: 50_000, maxmatvec: 500_000, gsflag: true, ..diagonal(MERIT, 0.25) }
}

/// PQN1 by itself solves the next step of the wall from some starts only, and from most with better directions and a
/// shift; sweeps take over where it does not get there (docs/solvers.md, section 7).
#[test]
fn masonry_wall() {
    let world = wall();
    // Some later steps have several solutions, each of a residual of 1e-11; which ones is up to rounding before.
    let starts = starts(&world, &[10, 14, 16, 20, 25, 26, 35, 40]);
    let (delta, reldelta) = (1e-3, Delta::Average);
    let better = Newton { linmaxiter: 100, epsilon: 1e-2, maxmatvec: 100_000, delta, reldelta, ..pqn1() };
    for (settings, least) in [(pqn1(), 3), (better, 5)] {
        let solved = starts.iter().filter(|start| start.by(&settings).status == Status::Converged).count();
        assert!(solved >= least, "{solved} of {} starts", starts.len());
    }
    for settings in [Newton { locdyn: false, ..pqn1() }, pqn2()] {
        assert_eq!(starts[2].by(&settings).status, Status::Converged);
    }
    // Sweeps, plain or accelerated, get no further than Newton's method on some of the others, but they make nothing worse.
    let [alone, then_sweeps] = [false, true].map(|gsflag| starts[7].by(&Newton { gsflag, maxiter: 50_000, ..pqn1() }));
    assert!(then_sweeps.fallback && then_sweeps.merit <= alone.merit, "{alone:?} {then_sweeps:?}");
}

#[test]
fn box_of_balls() {
    let world = balls();
    for start in starts(&world, &[300]) {
        for settings in [pqn1(), Newton { locdyn: false, ..pqn1() }, pqn2()] {
            assert_eq!(start.by(&settings).status, Status::Converged);
        }
    }
}

/// A run by Newton: the merit is met in every step, by Newton itself in nearly all, in few iterations.
#[test]
fn balls_settle() {
    let world = balls();
    let mut simulation = world.simulation();
    let solver = SolverSettings::Newton(Newton::default());
    let (mut iterations, mut fallbacks) = (0, 0);
    for _ in 0..300 {
        let report = simulation.step(&solver).expect("a step").solver;
        assert_eq!(report.status, Status::Converged, "{report:?}");
        iterations += report.iterations;
        fallbacks += u32::from(report.fallback);
    }
    assert!(iterations < 300 * 10 && fallbacks <= 3, "{iterations} iterations, {fallbacks} fall-backs");
    assert!(center(&simulation, 6).z > 0.48);
}
