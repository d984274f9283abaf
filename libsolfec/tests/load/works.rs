//! Works of loads: what they do to bodies is what the energies say. And the same for any number of threads.

use super::*;
use solfec::ids::BodyIndex;
use solfec::model::Scheme;

/// K + I − E_ext + D.
fn balance(simulation: &Simulation) -> f64 {
    let e = simulation.bodies().energy_total();
    e[0] + e[1] - e[2] + e[5]
}

/// A constant torque about a principal axis, convected or spatial: Ω = T t / J in every scheme, and its work is the
/// kinetic energy.
#[test]
fn a_torque_spins_up_a_body() {
    for scheme in [Scheme::RigPos, Scheme::RigNeg, Scheme::RigImp] {
        for convected in [false, true] {
            let mut world = World::new(0.01);
            let id = world.rigid(block([-0.5, -1.0, -1.5], [0.5, 1.0, 1.5], [1; 3]), 1.0);
            world.model.bodies[0].scheme = scheme;
            world.torque(id, convected, [0.0, 0.0, 2.0], 6.0);
            let mut simulation = world.simulation();
            go(&mut simulation, 100);
            let inertia = world.model.bodies[0].chars.tensor[(2, 2)];
            assert_near(spin(&simulation, id).z, 6.0 / inertia, 1e-12, "spin");
            let energies = simulation.bodies().energies(BodyIndex(0));
            assert_near(energies[0], 18.0 / inertia, 1e-11, "kinetic energy");
            assert_near(energies[2], energies[0], 1e-11, "work");
        }
    }
}

/// All loads at once on a tumbling rigid body: the balance closes to second order in the step.
#[test]
fn rigid_balance_is_of_second_order() {
    let residual = |h: f64| {
        let mut world = World::new(h).gravity([0.5, -1.0, 2.0]);
        let id = world.rigid(block([-0.5, -1.0, -1.5], [0.5, 1.0, 1.5], [1, 1, 1]), 1.0);
        world.force(id, false, [0.3, 0.8, -0.2], [1.0, 1.0, 0.0], 3.0);
        world.force(id, true, [-0.4, 0.1, 1.2], [0.0, 1.0, -1.0], 2.0);
        world.torque(id, false, [1.0, 0.0, 1.0], 1.5);
        world.torque(id, true, [0.0, 1.0, 0.0], -2.5);
        world.pressure(id, 3, 0.7);
        world.force_function(id, 0);
        world.model.bodies[0].scheme = Scheme::RigImp;
        let mut simulation = world.simulation();
        solfec_testing::run::launch(&mut simulation, id, [1.0, 0.0, 0.0], [0.5, -1.0, 0.3]);
        let mut push = deck(|call| {
            let Call::Force { time, .. } = call else { panic!("{call:?}") };
            vec![time.sin(), 0.0, 1.0, 0.0, time.cos(), 0.0, 1.0, 0.0, 0.3]
        });
        let before = balance(&simulation);
        for _ in 0..(2.0 / h).round() as usize {
            simulation.step_with(&gauss_seidel(1e-10).into(), &mut push).expect("a step");
        }
        (balance(&simulation) - before, simulation.bodies().energies(BodyIndex(0))[2].abs())
    };
    let (coarse, work) = residual(0.01);
    let (fine, _) = residual(0.005);
    assert!(work > 10.0 && coarse.abs() < 1e-3 * work, "residual {coarse:e} of the work {work:e}");
    assert_near(coarse / fine, 4.0, 0.3, "ratio of the residuals");
}

/// All loads that a pseudo-rigid body takes, in the implicit scheme at small strain: the balance of every step to 1e-12
/// of the energy (through the loads).
#[test]
fn pseudo_rigid_balance_of_every_step() {
    let (h, strain) = (1e-6, 1e-3);
    let mut world = World::new(h).gravity([0.0, 30.0, -10.0]);
    (world.model.bulk[0].young, world.model.bulk[0].poisson) = (1e6, 0.3);
    let id = world.body(BodyKind::PseudoRigid, &[block([0.0; 3], [1.0, 2.0, 1.5], [1; 3])], 1e3);
    world.place(id, &(Mat3::identity() + Mat3::from_diagonal(&Vec3::new(1.0, -1.0, 0.5)) * strain));
    world.model.bodies[0].scheme = Scheme::DefLim;
    world.force(id, false, [0.3, 1.8, 0.2], [1.0, 1.0, 0.0], 1e3);
    world.force(id, true, [0.9, 0.1, 1.2], [0.0, 1.0, -1.0], 2e3);
    world.pressure(id, 3, 500.0);
    world.force_function(id, 0);
    let mut simulation = world.simulation();
    solfec_testing::run::launch(&mut simulation, id, [0.1, 0.0, 0.0], [0.1, -0.1, 0.0]);
    let mut push = deck(|call| {
        let Call::Force { time, .. } = call else { panic!("{call:?}") };
        (0..12).map(|k| 500.0 * (1e5 * time + f64::from(k)).sin()).collect()
    });
    for _ in 0..50 {
        let before = balance(&simulation);
        simulation.step_with(&gauss_seidel(1e-10).into(), &mut push).expect("a step");
        let energies = simulation.bodies().energies(BodyIndex(0));
        assert_near((balance(&simulation) - before) / (energies[0] + energies[1]), 0.0, 1e-12, "balance of a step");
    }
    assert!(simulation.bodies().energies(BodyIndex(0))[2].abs() > 1e-3);
}

/// A convected force on a pseudo-rigid body grows with its stretch: F d, not the unit vector along it.
#[test]
fn a_convected_force_stretches_with_the_body() {
    let mut world = World::new(1e-6);
    let id = world.body(BodyKind::PseudoRigid, &[cube()], 1.0);
    world.place(id, &(quarter_turn() * 1.25));
    world.force(id, true, [0.0; 3], [1.0, 0.0, 0.0], 2.0);
    let mut simulation = world.simulation();
    go(&mut simulation, 1);
    assert_close(linear(&simulation, id) / simulation.time(), Vec3::y() * 2.5, 1e-12, "acceleration");
}

/// Bodies under loads of every kind, functions included: the same bits with one thread and with four.
#[test]
fn threads_do_not_matter() {
    let states = |threads: usize| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().expect("threads");
        pool.install(|| {
            let mut world = World::new(1e-3).gravity([0.0, 0.0, -9.81]);
            (world.model.bulk[0].young, world.model.bulk[0].density) = (1e5, 1e3);
            for k in 0..300 {
                let x = 3.0 * f64::from(k);
                let shape = block([x, 0.0, 0.0], [x + 1.0, 1.0, 1.0], [2, 1, 1]);
                let kind = if k % 3 == 0 { BodyKind::PseudoRigid } else { BodyKind::Rigid };
                let id = world.body(kind, &[shape], 1e3);
                for n in 0..4 {
                    let direction = [1.0, f64::from(n), 0.3 * f64::from(k)];
                    world.force(id, n % 2 == 0, [x + 0.2, 0.1 * f64::from(n), 0.7], direction, 100.0 / 3.0);
                }
                world.pressure(id, 1 + k % 6, 77.7);
                if k % 5 == 0 {
                    world.force_function(id, 0);
                }
            }
            let mut simulation = world.simulation();
            let mut push = deck(|call| {
                let Call::Force { u, time, .. } = call else { panic!("{call:?}") };
                vec![(17.0 * time).sin() / 3.0; if u.len() == 6 { 9 } else { 12 }]
            });
            for _ in 0..20 {
                simulation.step_with(&gauss_seidel(1e-8).into(), &mut push).expect("a step");
            }
            let bodies = simulation.bodies();
            let numbers = |i: usize| {
                [
                    bodies.configuration(BodyIndex(i as u32)),
                    bodies.velocity(BodyIndex(i as u32)),
                    bodies.energies(BodyIndex(i as u32)).to_vec(),
                ]
                .concat()
            };
            (0..bodies.len()).flat_map(numbers).map(f64::to_bits).collect::<Vec<u64>>()
        })
    };
    assert_eq!(states(1), states(4));
}
