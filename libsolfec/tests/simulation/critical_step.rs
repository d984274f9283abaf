//! Bodies that come, change and leave between steps.

use super::*;
use solfec::ids::{BodyId, BodyIndex, CatalogueRow};
use solfec::query::{NodalMasses, Point, ShownBodies};

/// The step follows the stiffest body: lowered by one that comes, not raised when it leaves, unless it may recover.
#[test]
fn the_step_follows_the_stiffest_body() {
    for recovery in [false, true] {
        let mut world = World::new(1.0);
        world.model.settings.step_recovery = recovery;
        (world.model.bulk[0].young, world.model.bulk[0].poisson) = (1e6, 0.0);
        soft_cube(&mut world, [0.0; 3], 1.0);
        let mut simulation = world.simulation();
        let solver = gauss_seidel(1e-6);
        let slow = 1.0 / 12000.0_f64.sqrt();
        assert_near(simulation.step(&solver).expect("a step").h, slow, 1e-12, "bound of the first cube");
        soft_cube(&mut world, [10.0, 0.0, 0.0], 0.1);
        insert(&mut simulation, &world, 1..2);
        assert_near(simulation.step(&solver).expect("a step").h, 0.1 * slow, 1e-12, "bound of the stiffer cube");
        extents(&mut simulation, [-5.0, -5.0, -5.0, 5.0, 5.0, 5.0]);
        steps(&mut simulation, &solver, 1, |_, _| {});
        let mut last = 0.0;
        steps(&mut simulation, &solver, 10, |_, report| last = report.h);
        assert_near(last, if recovery { slow } else { 0.1 * slow }, 1e-12, "step without it");
    }
}

/// One body leaves, another comes: rows, keys and ids of the others stay what they were, ids are never used again.
#[test]
fn bodies_leave_and_come() {
    let mut world = World::new(1e-3).gravity([0.0, 0.0, -10.0]).surface(|s| s.friction = 0.5);
    let floor = world.obstacle(block([-5.0, -5.0, -1.0], [5.0, 5.0, 0.0], [1, 1, 1]));
    let cube = |x: f64, z: f64| block([x - 0.5, -0.5, z], [x + 0.5, 0.5, z + 1.0], [2, 2, 1]);
    let leaver = world.rigid(cube(3.0, 0.0), 1.0);
    let stayer = world.rigid(cube(0.0, 0.0), 1.0);
    let mut simulation = world.simulation();
    let solver = gauss_seidel(1e-10);
    steps(&mut simulation, &solver, 3, |_, _| {});
    let of = |s: &Simulation, pair: [u64; 2]| -> Vec<_> {
        let own = s.contacts().iter().filter(|c| c.key.bodies == pair.map(BodyId));
        own.map(|c| (c.id, c.key)).collect()
    };
    let kept = of(&simulation, [floor, stayer]);
    assert_eq!((kept.len(), of(&simulation, [floor, leaver]).len()), (4, 4));
    let largest = simulation.contacts().iter().map(|c| c.id).max().expect("contacts");
    assert!(events(&mut simulation).is_empty());

    extents(&mut simulation, [-9.0, -9.0, -9.0, 2.0, 9.0, 9.0]);
    steps(&mut simulation, &solver, 1, |_, _| {});
    let (bodies, frame) = (simulation.bodies(), simulation.contacts());
    assert_eq!(
        (bodies.len(), bodies.index(BodyId(leaver)), bodies.index(BodyId(stayer))),
        (2, None, Some(BodyIndex(1)))
    );
    assert!(frame.iter().all(|c| c.master.body.0 < 2 && c.slave.body.0 < 2));
    assert_eq!(of(&simulation, [floor, stayer]), kept);
    let frame = simulation.take_frame();
    let left =
        Event { time: frame.time, kind: EventKind::LeftExtents, body: CatalogueRow(1), parent: CatalogueRow::NONE };
    assert_eq!(frame.events, [left]);
    assert_eq!((frame.rigid.body, frame.constraints.master), (vec![0, 2], vec![2; 4]));
    let gone = Op::InitialVelocity { body: leaver, linear: [0.0; 3], angular: [0.0; 3] };
    assert!(simulation.apply(&gone).is_err());
    steps(&mut simulation, &solver, 2, |_, _| {});
    assert_eq!(of(&simulation, [floor, stayer]), kept);

    let rider = world.rigid(cube(0.0, 1.0), 1.0);
    insert(&mut simulation, &world, 3..4);
    steps(&mut simulation, &solver, 3, |_, report| assert_eq!(report.contacts, 8));
    assert_eq!(simulation.bodies().index(BodyId(rider)), Some(BodyIndex(2)));
    assert_eq!(of(&simulation, [floor, stayer]), kept);
    let new = of(&simulation, [stayer, rider]);
    assert!(new.len() == 4 && new.iter().all(|(id, _)| *id > largest), "{new:?} after {largest}");
    let came = events(&mut simulation);
    assert_eq!(came.iter().map(|e| (e.kind, e.body.0)).collect::<Vec<_>>(), [(EventKind::Born, 3)]);
    assert!((center(&simulation, rider) - Vec3::new(0.0, 0.0, 1.5)).norm() < 1e-9);
}

/// A material that changed between runs is the changed one for a body that comes later.
#[test]
fn changed_materials_stay_changed() {
    let mut world = World::new(1.0);
    (world.model.bulk[0].young, world.model.bulk[0].poisson) = (1e6, 0.0);
    world.rigid(ball([0.0; 3], 1.0), 1.0);
    let mut simulation = world.simulation();
    simulation.apply(&Op::BulkMaterial { row: 0, young: 4e6, poisson: 0.0 }).expect("a material");
    let cube = soft_cube(&mut world, [10.0, 0.0, 0.0], 1.0);
    insert(&mut simulation, &world, 1..2);
    let (h, index) = simulation.bodies().critical_step().expect("an explicit body");
    assert_eq!(simulation.bodies().id(index), BodyId(cube));
    assert_near(h, 0.5 / 12000.0_f64.sqrt(), 1e-12, "critical step");
}

/// BODY_CHARS moves the mass centre within the body: its points stay where they are and keep their velocities, as they
/// are shown, and its momentum is that of the new mass.
#[test]
fn points_do_not_move_when_the_mass_centre_does() {
    for kind in [BodyKind::Rigid, BodyKind::PseudoRigid, BodyKind::Obstacle] {
        let mut world = World::new(1e-3);
        let id = world.body(kind, &[block([2.0; 3], [3.0; 3], [1, 1, 1])], 1000.0);
        let other = world.body(kind, &[block([7.0; 3], [8.0; 3], [1, 1, 1])], 1000.0);
        for body in [id, other] {
            let velocity = Op::InitialVelocity { body, linear: [1.0, 2.0, -1.0], angular: [3.0, -2.0, 1.0] };
            world.model.apply(velocity).expect("the body exists");
        }
        let mut simulation = world.simulation();
        steps(&mut simulation, &gauss_seidel(1e-6), 50, |_, _| {});
        let shown = |simulation: &Simulation| {
            let frame = simulation.view();
            let of = |row: u32| {
                let bodies = ShownBodies::of(&world.model, &frame);
                let view = bodies.find(CatalogueRow(row)).expect("the body is shown");
                let point = Point::new(Vec3::new(2.1, 2.4, 2.9));
                assert!(
                    (view.point_at(&view.place(&point)).expect("a point").reference - point.reference).norm() < 1e-14
                );
                let momentum = view.momentum(&mut NodalMasses::default()).expect("a momentum").linear;
                [view.place(&point), view.velocity(&point), momentum]
            };
            [of(0), of(1)]
        };
        let before = shown(&simulation);
        let (center, tensor) = ([2.6, 2.7, 2.4], [60.0, 0.0, 0.0, 0.0, 70.0, 0.0, 0.0, 0.0, 80.0]);
        simulation
            .apply(&Op::BodyChars { body: id, mass: 500.0, volume: 1.0, center, tensor })
            .expect("characteristics");
        let after = shown(&simulation);
        assert_eq!(before[1], after[1], "{kind:?}: the other body");
        for k in 0..2 {
            let difference = (after[0][k] - before[0][k]).norm();
            assert!(difference < 1e-12, "{kind:?}: {difference:e}");
        }
        let speed = simulation.bodies().velocity(simulation.bodies().index(BodyId(id)).expect("the body"));
        let mass = if kind == BodyKind::Obstacle { 0.0 } else { 500.0 };
        let momentum = Vec3::from_column_slice(&speed[speed.len() - 3..]) * mass;
        assert!((after[0][2] - momentum).norm() < 1e-9, "{kind:?}: {} and {momentum}", after[0][2]);
    }
}
