//! Long runs of joints: chains that turn and spin in three dimensions, whose motion is chaotic. Nothing may blow up or ring, energy
//! may not drift. SF_LARGE=1: the full length.

use super::*;
use solfec::ids::BodyId;
use solfec::model::{Auto, BodyKind, Scheme};
use solfec::simulation::StepReport;

/// Bars of 10 kg and 1 m, hung from the origin and from each other along −x. They turn about the vertical with 1 rad/s, and the
/// outermost spins about its axis with 1 rad/s.
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
    /// Largest distance of points that a joint holds together [m], and their largest velocity [m/s], at the ends of steps.
    apart: f64,
    velocity: f64,
    /// Correlation of velocity errors of successive steps: −1 is ringing.
    correlation: f64,
    /// Solves and iterations of a step.
    iterations: f64,
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
        let report: StepReport = simulation.step(solver).expect("a step");
        assert!(report.warnings.is_empty(), "step {k}: {:?}", report.warnings);
        let error = (energy(simulation) - before) / scale;
        found.means[10 * k / count] += error / (count as f64 / 10.0);
        found.energy = found.energy.max(error.abs());
        found.iterations += f64::from(report.solver.iterations) / count as f64;
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

fn large() -> bool {
    std::env::var_os("SF_LARGE").is_some()
}

/// Energy to which errors are compared: that of the bars at their levers from the origin [J].
fn scale(bars: usize) -> f64 {
    50.0 * (bars * bars) as f64
}

#[test]
fn turning_chains_neither_blow_up_nor_ring() {
    let short = [(2, 5e-4, 10.0), (5, 1e-2, 10.0), (20, 1e-2, 1.0)];
    let long = [2, 3, 5, 20].map(|bars| [(bars, 5e-4, 300.0), (bars, 1e-2, 300.0)]);
    let cases = if large() { long.as_flattened() } else { &short };
    for &(bars, h, seconds) in cases {
        let world = chain(bars, h);
        let mut simulation = turning(&world, 1.0, 1.0);
        let before = momentum(&simulation, &world);
        let clock = std::time::Instant::now();
        let solver = if bars < 10 { gauss_seidel(1e-10) } else { SolverSettings::Auto(Auto { meritval: 1e-14 }) };
        let found = survive(&mut simulation, &solver, (seconds / h) as usize, scale(bars));
        let turned = (momentum(&simulation, &world) - before) / before;
        let Found { energy, apart, velocity, correlation, iterations, .. } = found;
        let drift = found.drift();
        eprintln!("{bars} bars, h {h}: drift {drift:.1e} energy {energy:.1e} Lz {turned:.1e} apart {apart:.1e} w {velocity:.1e} corr {correlation:.2} iterations {iterations:.0} {:.1} s {:?}", clock.elapsed().as_secs_f64(), found.means.map(|m| format!("{m:.0e}")));
    }
}
