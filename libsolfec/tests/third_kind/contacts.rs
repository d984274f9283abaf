//! Contact of a deforming body with obstacles, rigid bodies and its own kind, and the agreement of all solvers.

use super::*;
use solfec::material::SurfaceModel;
use solfec::model::{
    Admm, Auto, CorrectedSweeps, GaussSeidel, InteriorPoint, Newton, Penalty, PenaltyVariant, ProximalNewton,
};

fn floor(world: &mut World) -> u64 {
    world.obstacle(block([-1.0, -1.0, -0.5], [2.0, 2.0, 0.0], [1, 1, 1]))
}

/// Weight of a block [N].
fn weight(volume: f64) -> f64 {
    DENSITY * volume * GRAVITY
}

/// It falls, touches, and comes to rest on its lower face: the floor carries the weight and nothing is lost in the
/// account.
#[test]
fn it_falls_on_an_obstacle_and_rests() {
    let mut world = world(1e-3, GRAVITY).surface(|s| s.friction = 0.3);
    floor(&mut world);
    let id = chain(&mut world, block([0.0, 0.0, 0.01], [0.5, 0.5, 0.51], [1, 1, 1]), DAMPED);
    let mut simulation = simulate(&world);
    let mut touched = false;
    steps(&mut simulation, &gauss_seidel(1e-8), 1000, |s, report| {
        touched |= report.contacts > 0;
        let lowest = nodes(s, id).iter().map(|x| x.z).fold(f64::INFINITY, f64::min);
        assert!(lowest > -1e-3, "a node is {lowest} m below the floor");
    });
    assert!(touched);
    let e = energies(&simulation);
    let fall = weight(0.125) * 0.01;
    // All pairs of nodes are joined by springs, and these are at rest.
    let (x, v) = (nodes(&simulation, id), rates(&simulation, id));
    let stretch = |a: usize, b: usize| (v[b] - v[a]).dot(&(x[b] - x[a]).normalize()).abs();
    let fastest = (0..8).flat_map(|a| (0..a).map(move |b| (a, b))).map(|(a, b)| stretch(a, b)).fold(0.0, f64::max);
    assert!(fastest < 1e-6, "a spring changes its length by {fastest} m/s");
    // What is left is a slow rocking as a rigid body about the diagonal through the two points of contact. No damper
    // sees it, and it comes from the landing, where the two points do not take the same force.
    assert!(e[KINETIC] < 1e-5 * fall, "at rest: {} J", e[KINETIC]);
    assert_near(force_on(&simulation, id).z, weight(0.125), 1e-3 * weight(0.125), "force of the floor");
    assert_near(ledger(&e), 0.0, 1e-9 * e[EXTERNAL].abs().max(1.0), "energy");
}

/// Two of them stacked, and one between an obstacle and a rigid body: each carries what is above it.
#[test]
fn stacks_carry_their_weight() {
    for rigid_top in [false, true] {
        let mut world = world(1e-3, GRAVITY).surface(|s| s.friction = 0.5);
        floor(&mut world);
        let lower = chain(&mut world, block([0.0, 0.0, 0.0], [0.5, 0.5, 0.5], [1, 1, 1]), DAMPED);
        let shape = block([0.0, 0.0, 0.5], [0.5, 0.5, 1.0], [2, 2, 1]);
        let upper = if rigid_top { world.rigid(shape, DENSITY) } else { chain(&mut world, shape, DAMPED) };
        let mut simulation = simulate(&world);
        steps(&mut simulation, &gauss_seidel(1e-8), 800, |_, _| {});
        let part = weight(0.125);
        assert_near(force_on(&simulation, upper).z, part, 1e-2 * part, "carried by the lower one");
        assert_near(force_on(&simulation, lower).z, part, 1e-2 * part, "resultant on the lower one");
        let e = energies(&simulation);
        assert!(e[KINETIC] < 1e-3, "at rest: {} J", e[KINETIC]);
    }
}

/// A ball hits a free block over its centre, a rigid one or this one: momentum is kept, and the ball does not come
/// through. A rigid block moves on with the ball.
#[test]
fn a_ball_hits_it_and_momentum_is_kept() {
    for soft in [false, true] {
        let mut world = world(1e-3, 0.0);
        let shape = block([0.0; 3], [0.5; 3], [1, 1, 1]);
        let target = if soft { chain(&mut world, shape, DAMPED) } else { world.rigid(shape, DENSITY) };
        let striker = world.rigid(ball([0.25, 0.25, 0.605], 0.1), DENSITY);
        let mut simulation = if soft { simulate(&world) } else { world.simulation() };
        launch(&mut simulation, striker, [0.0, 0.0, -1.0], [0.0; 3]);
        steps(&mut simulation, &gauss_seidel(1e-10), 50, |_, _| {});
        let mass = |id: u64| world.model.bodies[id as usize - 1].chars.mass;
        let block = if soft { middle(&rates(&simulation, target)) } else { velocity(&simulation, target) };
        let momentum = velocity(&simulation, striker) * mass(striker) + block * mass(target);
        let exact = Vec3::new(0.0, 0.0, -mass(striker));
        assert!((momentum - exact).norm() < 1e-9 * exact.norm(), "{momentum} instead of {exact}");
        let common = exact.z / (mass(striker) + mass(target));
        assert!(soft || (velocity(&simulation, striker).z - common).abs() < 1e-6, "they part");
        assert!(
            center(&simulation, striker).z > 0.59 + if soft { -0.1 } else { 50.0 * 1e-3 * common },
            "it comes through"
        );
    }
}

/// All solvers of Signorini and Coulomb find the same motion of a block that is pushed along the floor.
#[test]
fn solvers_agree() {
    let newton = Newton { meritval: 1e-14, ..Newton::default() };
    let solvers = [
        SolverSettings::GaussSeidel(GaussSeidel { meritval: 1e-14, ..GaussSeidel::new(1e-12, 100_000) }),
        SolverSettings::Newton(newton),
        SolverSettings::InteriorPoint(InteriorPoint::default()),
        SolverSettings::ProximalNewton(ProximalNewton::default()),
        SolverSettings::CorrectedSweeps(CorrectedSweeps { meritval: 1e-14, ..CorrectedSweeps::default() }),
        SolverSettings::Admm(Admm { meritval: 1e-12, maxiter: 50_000, ..Admm::default() }),
        SolverSettings::Auto(Auto { meritval: 1e-12 }),
    ];
    let mut first: Option<(Vec<Vec3>, Vec3)> = None;
    for solver in &solvers {
        let mut world = world(1e-3, GRAVITY).surface(|s| s.friction = 0.4);
        floor(&mut world);
        let id = chain(&mut world, block([0.0, 0.0, 0.0], [0.5, 0.5, 0.5], [1, 1, 1]), DAMPED);
        world.model.bodies[1].velo = [1.0, 0.2, -0.1].repeat(8);
        let mut simulation = simulate(&world);
        steps(&mut simulation, solver, 20, |_, _| {});
        let (v, force) = (rates(&simulation, id), force_on(&simulation, id));
        assert!(force.z > 0.0 && force.x < 0.0, "{}: it slides on the floor: {force}", solver.name());
        let (exact, sum) = first.get_or_insert_with(|| (v.clone(), force));
        let off = v.iter().zip(exact).map(|(a, b)| (a - *b).norm()).fold(0.0, f64::max);
        assert!(off < 1e-5, "{}: velocities off by {off}", solver.name());
        assert!((force - *sum).norm() < 1e-4 * sum.norm(), "{}: {force} instead of {sum}", solver.name());
    }
}

/// A long beam on a floor has many contacts: methods that factorise do it with its sparse matrices, and find what they
/// find with an assembled W.
#[test]
fn methods_that_factorise_do_without_w_where_it_shows_its_matrices() {
    let merit = 1e-24;
    let solvers = [
        SolverSettings::InteriorPoint(InteriorPoint { meritval: merit, ..InteriorPoint::default() }),
        SolverSettings::ProximalNewton(ProximalNewton { meritval: merit, ..ProximalNewton::default() }),
        SolverSettings::CorrectedSweeps(CorrectedSweeps { meritval: merit, ..CorrectedSweeps::default() }),
        SolverSettings::Admm(Admm { meritval: merit, ..Admm::default() }),
        SolverSettings::Auto(Auto { meritval: merit }),
    ];
    for solver in &solvers {
        let [found, exact] = [true, false].map(|shown| {
            let mut world = world(1e-3, GRAVITY).surface(|s| s.friction = 0.4);
            world.obstacle(block([-1.0, -1.0, -0.5], [11.0, 2.0, 0.0], [1, 1, 1]));
            let shape = block([0.0; 3], [9.0, 0.1, 0.1], [90, 1, 1]);
            let nodes = shape.vertices();
            let id = chain(&mut world, shape, DAMPED);
            world.model.bodies[1].velo = nodes.iter().flat_map(|x| [0.1, 0.1 * x.x.sin(), -0.1]).collect();
            let mut kinds = solfec::body::kinds();
            kinds.insert(0, Box::new(chain::Chains { shows_matrices: shown }));
            let mut simulation = Simulation::with_kinds(&world.model, kinds).expect("the model can be simulated");
            let mut assemblies = 0;
            steps(&mut simulation, solver, 2, |_, report| {
                assert!(report.contacts >= 80, "{} contacts", report.contacts);
                assemblies += report.assemblies;
            });
            assert!(!shown || assemblies == 0, "{}: W was assembled", solver.name());
            rates(&simulation, id)
        });
        let off = found.iter().zip(&exact).map(|(a, b)| (a - b).norm()).fold(0.0, f64::max);
        assert!(off < 1e-10 * exact.iter().map(Vec3::norm).fold(0.0, f64::max), "{}: off by {off}", solver.name());
    }
}

/// Springs and dashpots at the contacts hold it too.
#[test]
fn the_penalty_solver_holds_it() {
    let mut world = world(1e-4, GRAVITY).surface(|s| {
        s.model = SurfaceModel::SpringDashpot;
        (s.friction, s.spring, s.dashpot) = (0.3, 1e6, 1e4);
    });
    floor(&mut world);
    let id = chain(&mut world, block([0.0; 3], [0.5; 3], [1, 1, 1]), DAMPED);
    let mut simulation = simulate(&world);
    let solver = SolverSettings::Penalty(Penalty { variant: PenaltyVariant::Implicit });
    steps(&mut simulation, &solver, 8000, |_, _| {});
    assert_near(force_on(&simulation, id).z, weight(0.125), 1e-3 * weight(0.125), "force of the floor");
}
