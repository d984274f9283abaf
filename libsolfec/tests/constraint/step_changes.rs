//! Joints of turning bodies when a step has another length than the one before.

use std::f64::consts::PI;

use super::{drive, fixed, hold, join, link, series, tie, total_energy, World};
use solfec::math::{Mat3, Vec3};
use solfec::model::{Joint, Op, Prescribed};
use solfec::simulation::Simulation;
use solfec_testing::run::{ball, gauss_seidel, steps};
use solfec_testing::world::block;

/// Angular velocity of what turns about the origin [rad/s].
const OMEGA: f64 = 5.0;
/// Its mass [kg].
const MASS: f64 = 2.0;

/// A bar of 1 m that turns about an end held by a joint, on a plane.
fn bar(h: f64, held: impl Fn(&mut World, u64)) -> Simulation {
    let mut world = World::new(h);
    let bar = world.rigid(block([0.0, -0.05, -0.05], [1.0, 0.05, 0.05], [1, 1, 1]), MASS / 0.01);
    held(&mut world, bar);
    world.model.bodies[0].velo = vec![0.0, 0.0, OMEGA, 0.0, 0.5 * OMEGA, 0.0];
    world.simulation()
}

/// A ball that turns about the origin on a link of 0.5 m.
fn bob(h: f64) -> Simulation {
    let mut world = World::new(h);
    let bob = world.rigid(ball([0.5, 0.0, 0.0], 0.1), MASS / (4.0 / 3.0 * PI * 1e-3));
    join(&mut world, link(), bob, None, [[0.5, 0.0, 0.0], [0.0; 3]]);
    world.model.bodies[0].velo = vec![0.0, 0.0, 0.0, 0.0, 0.5 * OMEGA, 0.0];
    world.simulation()
}

fn with_joints(h: f64) -> Vec<(&'static str, Simulation)> {
    let driven = |world: &mut World, bar: u64| {
        let zero = series(world, &[[0.0, 0.0]]);
        let joint = Joint::Drive3 { what: Prescribed::Displacement, base: Mat3::identity(), series: [zero; 3] };
        hold(world, joint, bar, [0.0; 3]);
    };
    let directions = |world: &mut World, bar: u64| {
        let zero = series(world, &[[0.0, 0.0]]);
        hold(world, drive(Prescribed::Displacement, [1.0, 0.0, 0.0], zero), bar, [0.0; 3]);
        hold(world, Joint::FixDirection { direction: Vec3::y() }, bar, [0.0; 3]);
    };
    vec![
        (
            "fixed",
            bar(h, |world, bar| {
                hold(world, fixed(), bar, [0.0; 3]);
            }),
        ),
        ("driven", bar(h, driven)),
        ("directions", bar(h, directions)),
        ("link", bob(h)),
    ]
}

/// The force of a joint [N]: that of all constraints together.
fn force(simulation: &Simulation) -> f64 {
    let of = |row: usize| tie(simulation, row as u32).base * tie(simulation, row as u32).r;
    (0..simulation.constraints().len()).map(of).sum::<Vec3>().norm()
}

fn change_step(simulation: &mut Simulation, value: f64) {
    simulation.apply(&Op::Step { value }).expect("a step");
}

/// The force is the centripetal one, `m ω² r`, whatever the step was before: off by an eighth of it for some steps, as
/// after the first step of a joint, and the place of the joint by `h²/8 ω² r` of the longest step. Energy stays.
#[test]
fn joints_take_a_change_of_the_step_calmly() {
    let centripetal = MASS * OMEGA * OMEGA * 0.5;
    for after in [2e-2, 5e-3, 2e-3, 1e-3, 1e-4, 1e-5] {
        for (name, mut simulation) in with_joints(1e-2) {
            let (mut least, mut most) = (f64::INFINITY, 0.0_f64);
            steps(&mut simulation, &gauss_seidel(1e-14), 50, |_, _| {});
            let before = total_energy(&simulation)[0];
            change_step(&mut simulation, after);
            steps(&mut simulation, &gauss_seidel(1e-14), 200, |s, _| {
                least = least.min(force(s));
                most = most.max(force(s));
                let energy = total_energy(s)[0];
                assert!((energy / before - 1.0).abs() < 2e-3, "{name} {after:e}: {energy} J after {before}");
            });
            let margin = 0.15 * centripetal;
            let what = format!("{name} {after:e}: {least} to {most} N of {centripetal}");
            assert!(least > centripetal - margin && most < centripetal + margin, "{what}");
        }
    }
}

/// Steps that change to and fro do not move a joint: it is off by no more than the longest step puts it.
#[test]
fn steps_that_change_for_ever_do_not_move_a_joint() {
    for (name, mut simulation) in with_joints(1e-2) {
        let mut farthest = 0.0_f64;
        for k in 0..400 {
            change_step(&mut simulation, [1e-2, 3e-3, 7e-3, 1e-3, 5e-3][k % 5]);
            steps(&mut simulation, &gauss_seidel(1e-14), 1 + k % 3, |s, _| {
                for c in s.constraints() {
                    farthest = farthest.max(c.moved.norm());
                }
            });
        }
        let sagitta = 1e-4 / 8.0 * OMEGA * OMEGA * 0.5;
        assert!(farthest < 1.5 * sagitta, "{name}: {farthest:e} m of {sagitta:e}");
    }
}
