//! Long runs of joints: chains that turn and spin in three dimensions, whose motion is chaotic. Nothing may blow up or
//! ring, energy may not drift. SF_LARGE=1: the full length.

use super::*;
use solfec::ids::BodyId;
use solfec::model::{
    Admm, Auto, BodyKind, InteriorPoint, Newton, Penalty, PenaltyVariant, ProximalNewton, Scheme, SpringAxis, SpringLaw,
};
use solfec::simulation::{Warning, WarningKind};
use solfec_testing::size::large;

/// Bars of 10 kg and 1 m, hung from the origin and from each other along −x. They turn about the vertical with 1 rad/s,
/// and the outermost spins about its axis with 1 rad/s.
fn chain(bars: usize, h: f64) -> World {
    let mut world = World::new(h).gravity([0.0, 0.0, -10.0]);
    for k in 0..bars {
        let inner = -(k as f64);
        let bar = world.rigid(block([inner - 1.0, -0.05, -0.05], [inner, 0.05, 0.05], [1, 1, 1]), 1000.0);
        // A free spin loses energy with the default scheme.
        world.model.bodies[k].scheme = Scheme::RigImp;
        match bar {
            1 => hold(&mut world, fixed(), bar, [0.0; 3]),
            _ => join(&mut world, link(), bar, Some(bar - 1), [[inner, 0.0, 0.0]; 2]),
        };
        world.model.settings.excluded_bodies.extend((1..bar).map(|other| [other, bar]));
    }
    world
}

fn turning(world: &World, rate: f64, spin: f64) -> Simulation {
    let mut simulation = world.simulation();
    let bars = world.model.bodies.iter().filter(|body| body.kind != BodyKind::Obstacle).map(|body| body.id);
    let last = bars.clone().max();
    for bar in bars {
        let v = rate * Vec3::z().cross(&place(&simulation, bar));
        let axis = if Some(bar) == last { spin } else { 0.0 };
        launch(&mut simulation, bar, v.into(), [axis, 0.0, rate]);
    }
    simulation
}

/// Present mass centre.
fn place(simulation: &Simulation, id: u64) -> Vec3 {
    let bodies = simulation.bodies();
    let index = bodies.index(BodyId(id)).expect("the body exists");
    bodies.point(&bodies.locate(index, &bodies.center(index)))
}

/// Kinetic, elastic and potential energy [J].
fn energy(simulation: &Simulation) -> f64 {
    let bodies = simulation.bodies();
    let all = bodies.by_id().iter().filter(|(_, i)| !bodies.is_obstacle(*i));
    let potential: f64 = all.map(|(id, i)| bodies.mass(*i) * 10.0 * place(simulation, id.0).z).sum();
    let [kinetic, internal, ..] = total_energy(simulation);
    kinetic + internal + potential
}

/// Angular momentum of rigid bodies about the vertical through the origin.
fn momentum(simulation: &Simulation, world: &World) -> f64 {
    let bodies = simulation.bodies();
    let of = |(id, i): &(BodyId, solfec::ids::BodyIndex)| {
        let (conf, velo) = (bodies.configuration(*i), bodies.velocity(*i));
        let rotation = solfec::math::Mat3::from_column_slice(&conf[..9]);
        let [x, omega, v] = [&conf[9..], &velo[..3], &velo[3..]].map(Vec3::from_column_slice);
        let tensor = world.model.bodies[id.0 as usize - 1].chars.tensor;
        (x.cross(&v) * bodies.mass(*i) + rotation * (tensor * omega)).z
    };
    bodies.by_id().iter().filter(|(_, i)| !bodies.is_obstacle(*i)).map(of).sum()
}

/// What a long run shows.
#[derive(Debug, Default)]
struct Found {
    /// Mean energy error of each tenth of the run, and its largest error, relative to the scale given.
    means: [f64; 10],
    energy: f64,
    /// Largest distance of points that a joint holds together [m], and their largest velocity [m/s], at the ends of
    /// steps.
    apart: f64,
    velocity: f64,
    /// Correlation of velocity errors of successive steps: −1 is ringing.
    correlation: f64,
}

impl Found {
    /// Slope of the means, over the run.
    fn drift(&self) -> f64 {
        let weights = (0..10).map(|k| f64::from(k) - 4.5);
        10.0 * weights.zip(&self.means).map(|(w, e)| w * e).sum::<f64>() / 82.5
    }
}

/// Runs, and measures at the ends of all steps.
fn survive(simulation: &mut Simulation, solver: &SolverSettings, count: usize, scale: f64) -> Found {
    let before = energy(simulation);
    let mut found = Found::default();
    let mut last: Vec<Vec3> = Vec::new();
    let (mut product, mut square) = (0.0, 0.0);
    for k in 0..count {
        let report = simulation.step(solver).expect("a step");
        // Long steps may leave a joint uncorrected once in minutes, which is told; what follows of it is judged below.
        let unexpected = |warning: &Warning| warning.kind != WarningKind::Joints || report.h < 1e-2;
        assert!(!report.warnings.iter().any(unexpected), "step {k}: {:?}", report.warnings);
        let error = (energy(simulation) - before) / scale;
        found.means[10 * k / count] += error / (count as f64 / 10.0);
        found.energy = found.energy.max(error.abs());
        let bodies = simulation.bodies();
        let glued = simulation.constraints().iter().filter(|c| matches!(c.joint, Joint::FixPoint { .. }));
        let errors: Vec<[Vec3; 2]> = glued
            .map(|c| {
                let at = |end: &solfec::constraint::End| [bodies.point(&end.given), bodies.velocity_at(&end.given)];
                let [master, slave] = [at(&c.master), c.slave.as_ref().map_or([Vec3::zeros(); 2], at)];
                [master[0] - slave[0] - c.origin, master[1] - slave[1]]
            })
            .collect();
        for (i, [x, v]) in errors.iter().enumerate() {
            found.apart = found.apart.max(x.norm());
            found.velocity = found.velocity.max(v.norm());
            product += last.get(i).map_or(0.0, |last| last.dot(v));
            square += v.norm_squared();
        }
        last = errors.into_iter().map(|[_, v]| v).collect();
        assert!(error.abs() < 1.0, "step {k}: {found:?}");
    }
    found.correlation = product / square;
    found
}

/// Energy to which errors are compared: that of the bars at their levers from the origin [J].
fn scale(bars: usize) -> f64 {
    50.0 * (bars * bars) as f64
}

/// Drift of energy, in the whole run and relative to its scale, that rounding and a tolerance of 1e-10 are allowed.
const DRIFT: f64 = 1e-5;

fn precise() -> SolverSettings {
    SolverSettings::Auto(Auto { meritval: 1e-20 })
}

/// Errors at the ends of steps are `h²/8` and `h/2` of accelerations, here of as many m/s².
fn check(found: &Found, what: &str, h: f64, acceleration: f64) {
    assert!(found.apart < acceleration * h * h / 8.0, "{what}: {found:?}");
    assert!(found.velocity < acceleration * h, "{what}: {found:?}");
    assert!(found.correlation > -0.5, "{what} rings: {found:?}");
}

#[test]
fn turning_chains_neither_blow_up_nor_ring() {
    let fine = [2, 3, 5, 20];
    for bars in if large() { &fine[..] } else { &fine[..3] } {
        let (h, seconds) = (5e-4, if large() { 300.0 } else { 2.0 });
        let world = chain(*bars, h);
        let mut simulation = turning(&world, 1.0, 1.0);
        let before = momentum(&simulation, &world);
        let found = survive(&mut simulation, &precise(), (seconds / h) as usize, scale(*bars));
        check(&found, &format!("{bars} bars"), h, 1000.0);
        assert!(found.energy < 3e-4 && found.drift().abs() < DRIFT, "{bars} bars: {found:?}");
        assert_near(momentum(&simulation, &world) / before, 1.0, 1e-10, "angular momentum");
    }
}

#[test]
fn chains_survive_large_steps() {
    for (bars, seconds) in [(2, 300.0), (3, 300.0), (5, 300.0), (20, 300.0)] {
        let (h, seconds) = (1e-2, if large() { seconds } else { 30.0 / bars as f64 });
        let world = chain(bars, h);
        let mut simulation = turning(&world, 1.0, 1.0);
        let before = momentum(&simulation, &world);
        let found = survive(&mut simulation, &precise(), (seconds / h) as usize, scale(bars));
        check(&found, &format!("{bars} bars"), h, 2000.0);
        assert!(found.energy < 0.1 && found.drift().abs() < 0.02, "{bars} bars: {found:?}");
        assert_near(momentum(&simulation, &world) / before, 1.0, 1e-6, "angular momentum");
    }
}

/// Two bars that turn by a quarter of a radian in a step.
#[test]
fn fast_machinery_keeps_its_energy() {
    let h = 5e-4;
    for (turn, allowed) in [(0.05, 2e-3), (0.25, 5e-2)] {
        let world = chain(2, h);
        let rate = turn / h;
        let mut simulation = turning(&world, rate, 0.0);
        let kinetic = total_energy(&simulation)[0];
        let count = if large() { 600_000 } else { 2000 };
        let found = survive(&mut simulation, &precise(), count, kinetic);
        check(&found, "fast", h, 2.0 * rate * rate);
        assert!(found.energy < allowed && found.drift().abs() < allowed, "{turn}: {found:?}");
    }
}

/// Bars that turn by a radian and more in a step: it is told once, counted every time, and says by how much.
#[test]
fn corrections_that_do_not_converge_are_told() {
    let h = 5e-4;
    for (turn, fails) in [(0.25, false), (1.5, true)] {
        let world = chain(2, h);
        let mut simulation = turning(&world, turn / h, 0.0);
        let mut told = Vec::new();
        for _ in 0..3 {
            let report = simulation.step(&precise()).expect("a step");
            told.extend(report.warnings.into_iter().filter(|warning| warning.kind == WarningKind::Joints));
        }
        let rows = simulation.warnings();
        let row = rows.kind.iter().position(|kind| kind == "joints");
        assert_eq!((told.len(), row.is_some()), (usize::from(fails), fails), "{turn}: {told:?} {rows:?}");
        if let Some(row) = row {
            assert!(rows.count[row] > 1 && rows.worst[row] > 1e-6, "{rows:?}");
            let words = ["corrections did not converge", "body 1", "try a smaller step"];
            assert!(words.iter().all(|word| told[0].text.contains(word)), "{told:?}");
        }
    }
}

/// Places of the tip after a time, by the step.
fn tip(bars: usize, h: f64, seconds: f64) -> Vec3 {
    let world = chain(bars, h);
    let mut simulation = turning(&world, 1.0, 1.0);
    steps(&mut simulation, &precise(), (seconds / h).round() as usize, |_, _| {});
    place(&simulation, bars as u64)
}

#[test]
fn motions_and_joints_are_of_second_order() {
    let exact = tip(3, 1.25e-4, 1.5);
    let [coarse, fine] = [4e-3, 2e-3].map(|h| (tip(3, h, 1.5) - exact).norm());
    assert!((3.7..4.3).contains(&(coarse / fine)), "{coarse:e} {fine:e}");
}

/// Every solver with every tolerance: no blow-up, no ringing, and errors that shrink with the tolerance.
#[test]
fn every_solver_holds_joints_at_every_tolerance() {
    let h = 1e-3;
    let seconds = if large() { 60.0 } else { 1.0 };
    for tolerance in [1e-3, 1e-6, 1e-10] {
        // Merits are squares of errors.
        let meritval = tolerance * tolerance;
        let solvers = [
            gauss_seidel(tolerance),
            SolverSettings::Penalty(Penalty { variant: PenaltyVariant::Implicit }),
            SolverSettings::Newton(Newton { meritval, ..Newton::default() }),
            SolverSettings::InteriorPoint(InteriorPoint { meritval, ..InteriorPoint::default() }),
            SolverSettings::ProximalNewton(ProximalNewton { meritval, ..ProximalNewton::default() }),
            SolverSettings::Admm(Admm { meritval, ..Admm::default() }),
            SolverSettings::Auto(Auto { meritval }),
        ];
        for solver in solvers {
            let world = chain(5, h);
            let mut simulation = turning(&world, 1.0, 1.0);
            let found = survive(&mut simulation, &solver, (seconds / h) as usize, scale(5));
            let what = format!("{} at {tolerance:e}", solver.name());
            check(&found, &what, h, 1000.0 + 3e3 * tolerance / h);
            // In a minute the chain comes to places where the energy swings twice as far as in the first second.
            let swing = if large() { 1e-3 } else { 5e-4 };
            assert!(found.energy < swing + 3.0 * tolerance, "{what}: {found:?}");
            assert!(found.drift().abs() < 1e-4 + 3.0 * tolerance, "{what}: {found:?}");
        }
    }
}

/// Two ball joints make a hinge: one row in six says what the others say.
#[test]
fn redundant_hinges_hold() {
    let (fine, coarse) = (5e-4, 1e-2);
    // Sweeps reach a relative change of 1e-8 in all steps of the first ten seconds, not in all of minutes.
    for (solver, h, most) in [(gauss_seidel(1e-8), fine, 10.0), (precise(), fine, 300.0), (precise(), coarse, 300.0)] {
        let (energy, drift) = if h == fine { (3e-4, DRIFT) } else { (0.1, 0.02) };
        let mut simulation = turning(&hinges(h), 0.0, 0.0);
        let seconds: f64 = if large() { most } else { 1.0 };
        let found = survive(&mut simulation, &solver, (seconds / h) as usize, scale(3));
        check(&found, solver.name(), h, 1000.0);
        assert!(found.energy < energy && found.drift().abs() < drift, "{found:?}");
    }
}

fn hinges(h: f64) -> World {
    let mut world = World::new(h).gravity([0.0, 0.0, -10.0]);
    for k in 0..3 {
        let inner = -f64::from(k);
        let bar = world.rigid(block([inner - 1.0, -0.05, -0.05], [inner, 0.05, 0.05], [1, 1, 1]), 1000.0);
        world.model.bodies[bar as usize - 1].scheme = Scheme::RigImp;
        for y in [-0.05, 0.05] {
            let at = [inner, y, 0.0];
            match bar {
                1 => hold(&mut world, fixed(), bar, at),
                _ => join(&mut world, link(), bar, Some(bar - 1), [at; 2]),
            };
        }
        world.model.settings.excluded_bodies.extend((1..bar).map(|other| [other, bar]));
    }
    world
}

#[test]
fn light_and_heavy_bars_hold() {
    let h = 5e-4;
    for ratio in [0.01, 100.0] {
        let mut world = chain(3, h);
        let chars = &mut world.model.bodies[0].chars;
        (chars.mass, chars.tensor) = (chars.mass * ratio, chars.tensor * ratio);
        let mut simulation = turning(&world, 1.0, 1.0);
        let count = if large() { 600_000 } else { 2000 };
        let found = survive(&mut simulation, &precise(), count, scale(3) * ratio.max(1.0));
        check(&found, "masses", h, 3000.0);
        assert!(found.energy < 1e-3 && found.drift().abs() < DRIFT, "{ratio}: {found:?}");
    }
}

/// Bars that stretch and shear, with damping that takes the vibrations of the start.
#[test]
fn soft_chains_hold() {
    let h = 2e-4;
    let mut world = chain(3, h);
    for body in &mut world.model.bodies {
        (body.kind, body.scheme) = (BodyKind::PseudoRigid, Scheme::DefLim);
    }
    (world.model.bulk[0].young, world.model.bulk[0].density) = (1e7, 1000.0);
    world.model.bodies.iter_mut().for_each(|body| {
        let chars = &mut body.chars;
        chars.tensor = solfec::math::Mat3::from_diagonal_element(0.5 * chars.tensor.trace()) - chars.tensor;
    });
    let mut simulation = turning(&world, 1.0, 1.0);
    let count = if large() { 600_000 } else { 2000 };
    let found = survive(&mut simulation, &precise(), count, scale(3));
    check(&found, "soft", h, 3000.0);
    assert!(found.energy < 0.02, "{found:?}");
}

/// A chain that swings against a wall and falls on a floor: contacts keep `U_N ≥ 0` and the cone, and no energy
/// appears.
#[test]
fn a_chain_that_hits_a_wall_gains_nothing() {
    let h = 1e-3;
    for (friction, restitution, tolerance) in
        [(0.0, 0.0, 1e-10), (0.0, 0.5, 1e-10), (0.5, 0.0, 1e-10), (0.5, 0.5, 1e-10), (0.5, 0.0, 1e-3), (0.5, 0.5, 1e-3)]
    {
        let mut world = chain(3, h).surface(|s| (s.friction, s.restitution) = (friction, restitution));
        world.obstacle(block([0.3, -5.0, -5.0], [0.8, 5.0, 5.0], [1, 1, 1]));
        world.obstacle(block([-5.0, -5.0, -3.0], [5.0, 5.0, -2.4], [1, 1, 1]));
        let mut simulation = turning(&world, 1.0, 1.0);
        let mut least = f64::INFINITY;
        let (mut contacts, mut gain) = (0, 0.0_f64);
        let count = if large() { 60_000 } else { 4000 };
        steps(&mut simulation, &gauss_seidel(tolerance), count, |s, _| {
            let energy = energy(s) / scale(3);
            least = least.min(energy);
            gain = gain.max(energy - least);
            contacts += s.contacts().len();
            let size = s.contacts().iter().map(|c| c.r.norm()).fold(1.0, f64::max);
            for c in s.contacts() {
                let closing = c.u.z + restitution * c.v.z.min(0.0);
                assert!(closing > -1e-7 - 20.0 * tolerance, "U_N {closing} at {tolerance:e}");
                assert!(c.r.z >= 0.0 && c.r.xy().norm() <= friction * c.r.z + 1e-9 * size, "R {}", c.r);
            }
        });
        assert!(contacts > 100, "friction {friction}, restitution {restitution}: {contacts} contacts");
        assert!(gain < 1e-3 + tolerance, "friction {friction}, restitution {restitution}: gain {gain}");
    }
}

/// Stiffness of the two springs of the mechanism [N/m].
const STIFFNESS: [f64; 2] = [2e3, 1e3];

/// Glue, a link of some length, two fixed directions between bodies and springs in one mechanism; springs by numbers or
/// by tables that say the same.
fn mechanism(h: f64, tables: bool) -> World {
    let mut world = chain(2, h);
    let mut body = |low: [f64; 3], high: [f64; 3]| {
        let id = world.rigid(block(low, high, [1, 1, 1]), 1000.0);
        world.model.bodies[id as usize - 1].scheme = Scheme::RigImp;
        id
    };
    let sleeve = body([-1.6, -0.1, -0.1], [-1.4, 0.1, 0.1]);
    let weight = body([-1.6, -0.1, -1.1], [-1.4, 0.1, -0.9]);
    // The sleeve slides along the second bar, held by a spring; the weight hangs from it by a link.
    for direction in [Vec3::y(), Vec3::z()] {
        for x in [-1.6, -1.4] {
            join(&mut world, Joint::FixDirection { direction }, 2, Some(sleeve), [[x, 0.0, 0.0]; 2]);
        }
    }
    let ends = [[[-2.0, 0.0, 0.0], [-1.5, 0.0, 0.0]], [[-0.5, 0.0, 0.0], [-1.5, 0.0, -1.0]]];
    for (([master, slave], stiffness), ends) in [[2, sleeve], [1, weight]].into_iter().zip(STIFFNESS).zip(ends) {
        let law = match tables {
            true => {
                SpringLaw::Table { series: series(&mut world, &[[-3.0, 3.0 * stiffness], [3.0, -3.0 * stiffness]]) }
            }
            false => SpringLaw::Linear { stiffness, damping: 0.0 },
        };
        let limits = [f64::NEG_INFINITY, f64::INFINITY];
        join(&mut world, Joint::Spring { law, axis: SpringAxis::Follow, limits }, master, Some(slave), ends);
    }
    join(&mut world, link(), weight, Some(sleeve), [[-1.5, 0.0, -0.9], [-1.5, 0.0, -0.1]]);
    let all = world.model.bodies.len() as u64;
    world.model.settings.excluded_bodies.extend((1..=all).flat_map(|a| (1..a).map(move |b| [b, a])));
    world
}

/// Energy of the mechanism with its springs [J].
fn energy_with_springs(s: &Simulation) -> f64 {
    let stored = |(row, stiffness): (u32, f64)| {
        let c = tie(s, row);
        let slave = c.slave.as_ref().expect("two bodies");
        let [a, b] = [&c.master, slave].map(|end| s.bodies().point(&end.given));
        0.5 * stiffness * ((a - b).norm() - c.origin.z).powi(2)
    };
    energy(s) + [6, 7].into_iter().zip(STIFFNESS).map(stored).sum::<f64>()
}

/// Runs the mechanism, and measures its energy; joints hold at mid-steps.
fn run_mechanism(h: f64, tables: bool, count: usize) -> Found {
    let world = mechanism(h, tables);
    let mut simulation = turning(&world, 0.5, 0.0);
    let before = energy_with_springs(&simulation);
    let (mut found, mut held) = (Found::default(), 0.0_f64);
    steps(&mut simulation, &precise(), count, |s, report| {
        assert!(report.warnings.is_empty(), "{:?}", report.warnings);
        let error = (energy_with_springs(s) - before) / scale(3);
        found.energy = found.energy.max(error.abs());
        found.means[10 * (report.step as usize - 1) / count] += 10.0 * error / count as f64;
        let joints = s.constraints().iter().filter(|c| c.holds() && report.step > 1);
        held = joints.map(|c| if c.scalar() { c.moved.z.abs() } else { c.moved.norm() }).fold(held, f64::max);
    });
    assert!(held < 1e-9, "held at mid-steps to {held}");
    found
}

#[test]
fn joints_links_sliders_and_springs_together() {
    // The law of a spring whose axis turns is not symplectic (docs/theory.md 8): energy walks.
    let counts = if large() { [120_000, 60_000] } else { [6000, 6000] };
    for (tables, count) in [false, true].into_iter().zip(counts) {
        let found = run_mechanism(5e-4, tables, count);
        assert!(found.energy < 1e-3 && found.drift().abs() < DRIFT, "tables {tables}: {found:?}");
    }
}

/// What the energy of springs on turning axes is off by is of second order in h at every time, and the same for numbers
/// and tables: nothing else is left in it.
#[test]
fn energy_of_turning_springs_is_of_second_order() {
    let [coarse, fine, table] =
        [(1e-3, false), (5e-4, false), (5e-4, true)].map(|(h, tables)| run_mechanism(h, tables, (3.0 / h) as usize));
    let order = |coarse: f64, fine: f64| assert!((3.9..4.1).contains(&(coarse / fine)), "{coarse:e} {fine:e}");
    order(coarse.energy, fine.energy);
    for k in 0..10 {
        order(coarse.means[k], fine.means[k]);
        assert_near(table.means[k] / fine.means[k], 1.0, 1e-4, "tables");
    }
}

/// The curvature is exact: the next step finds the measure where this one expects it.
#[test]
fn a_step_knows_where_the_next_one_measures() {
    for scheme in [Scheme::RigPos, Scheme::RigNeg, Scheme::RigImp] {
        let h = 1e-2;
        let mut world = chain(3, h);
        world.model.bodies.iter_mut().for_each(|body| body.scheme = scheme);
        let mut simulation = turning(&world, 3.0, 3.0);
        let mut expected: Vec<Vec3> = Vec::new();
        steps(&mut simulation, &gauss_seidel(1e-3), 200, |s, _| {
            for (c, expected) in s.constraints().iter().zip(&expected) {
                assert!((c.moved - expected).norm() < 1e-14, "{} not {expected}", c.moved);
            }
            expected = s.constraints().iter().map(|c| c.moved + h * (c.u + c.correction)).collect();
        });
    }
}
