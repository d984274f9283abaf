//! Life of contacts in running simulations (docs/conventions.md 7): materials, bonding, removal, exclusion.

use solfec::contact::Contact;
use solfec::ids::BodyId;
use solfec::load::Series;
use solfec::material::SurfaceModel;
use solfec::math::{Mat3, Vec3};
use solfec::model::{ConstraintRow, GaussSeidel, Joint, Op, Penalty, PenaltyVariant, Prescribed, SolverSettings};
use solfec::shape::{Geometry, Shape, Sphere};
use solfec::simulation::Simulation;
use solfec::Error;
use solfec_testing::near::near as assert_near;
use solfec_testing::run::ball;
use solfec_testing::world::{block, World};

fn gauss_seidel() -> SolverSettings {
    SolverSettings::GaussSeidel(GaussSeidel::new(1e-12, 10_000))
}

/// Unit cubes, the upper one at this height over a fixed one with its top at z = 1.
fn cube_over_cube(world: &mut World, z: f64) -> u64 {
    world.obstacle(block([0.0; 3], [1.0; 3], [1, 1, 1]));
    world.rigid(block([0.0, 0.0, z], [1.0, 1.0, z + 1.0], [1, 1, 1]), 1.0)
}

fn step(simulation: &mut Simulation) {
    simulation.step(&gauss_seidel()).expect("a step");
}

/// Lifted by a force below and above the strength; and a cube that arrives later does not stick.
#[test]
fn cohesive_contacts_hold_up_to_their_strength() {
    for (lift, reaction) in [(4e5, -4e5), (6e5, -5e5)] {
        let mut world = World::new(1e-3).gravity([0.0, 0.0, lift]).surface(|s| s.cohesion = 5e5);
        cube_over_cube(&mut world, 1.0);
        let mut simulation = world.simulation();
        step(&mut simulation);
        assert_near(simulation.contacts()[0].r.z, reaction, 1e-3);
    }
    let mut world = World::new(1e-3).gravity([0.0, 0.0, -10.0]).surface(|s| s.cohesion = 5e5);
    cube_over_cube(&mut world, 1.001);
    let mut simulation = world.simulation();
    while simulation.contacts().is_empty() && simulation.steps() < 100 {
        step(&mut simulation);
    }
    assert_eq!(simulation.contacts()[0].cohesion, 0.0);
}

/// A block slides on another one. Which of them was made first decides who is slave, and changes no force.
#[test]
fn the_order_of_creation_changes_no_force() {
    let run = |floor_first: bool| {
        let mut world = World::new(1e-3).gravity([6.0, 1.0, -10.0]).surface(|s| s.friction = 0.3);
        let mut made = [0; 2];
        for floor in [floor_first, !floor_first] {
            made[usize::from(!floor)] = match floor {
                true => world.obstacle(block([0.0; 3], [3.0, 1.0, 1.0], [3, 1, 1])),
                false => world.rigid(block([0.3, 0.2, 1.0], [1.3, 1.2, 2.0], [2, 2, 1]), 1.0),
            };
        }
        let mut simulation = world.simulation();
        let mut forces = Vec::new();
        for _ in 0..20 {
            step(&mut simulation);
            let rider = simulation.bodies().index(BodyId(made[1])).expect("the block");
            let on_rider = |c: &Contact| c.base * c.r * if c.master.body == rider { 1.0 } else { -1.0 };
            forces.push(simulation.contacts().iter().map(on_rider).sum::<Vec3>());
            let first = simulation.bodies().index(BodyId(1)).expect("the first body");
            assert!(simulation.contacts().iter().all(|c| c.slave.body == first));
        }
        forces
    };
    for (one, two) in run(true).iter().zip(run(false)) {
        assert!((one - two).norm() < 1e-9, "{one} {two}");
        assert!(one.z > 1.0);
    }
}

/// Springs act per contact point: four elements push four times as much as one.
#[test]
fn springs_act_for_each_contact_point() {
    for (n, force) in [(1, 1e3), (2, 4e3)] {
        let mut world = World::new(1e-6).surface(|s| {
            s.model = SurfaceModel::SpringDashpot;
            s.spring = 1e6;
        });
        world.obstacle(block([0.0; 3], [1.0; 3], [n, n, 1]));
        world.rigid(block([0.0, 0.0, 0.999], [1.0, 1.0, 1.999], [n, n, 1]), 1e6);
        let mut simulation = world.simulation();
        let solver = SolverSettings::Penalty(Penalty { variant: PenaltyVariant::Explicit });
        simulation.step(&solver).expect("a step");
        assert_eq!(simulation.contacts().len(), n * n);
        let sum: f64 = simulation.contacts().iter().map(|c| c.r.z).sum();
        assert_near(sum, force, 1e-6 * force);
    }
}

/// A block rests on a slope of 0.4 with friction 0.5 and slides with 0.1, on the contact it had: when the material
/// changes, and when one of its surfaces comes.
#[test]
fn changed_friction_acts_on_standing_contacts() {
    for (row, of_surfaces) in [(0, false), (1, true)] {
        slides_with_another_material(row, of_surfaces);
    }
}

fn slides_with_another_material(row: u32, of_surfaces: bool) {
    let mut world = World::new(1e-3).gravity([4.0, 0.0, -10.0]).surface(|s| s.friction = 0.5);
    cube_over_cube(&mut world, 1.0);
    // one contact point would let it tip over
    world.model.bodies[1].disable_rotation = true;
    let mut simulation = world.simulation();
    let slope = |s: &Simulation| s.contacts()[0].r.xy().norm() / s.contacts()[0].r.z;
    step(&mut simulation);
    assert_near(slope(&simulation), 0.4, 1e-9);
    let id = simulation.contacts()[0].id;
    let mut material = world.model.surface[0].clone();
    material.friction = 0.1;
    if of_surfaces {
        let contact = &simulation.contacts()[0];
        material.surf = [contact.master.surf, contact.slave.surf];
    }
    simulation.apply(&Op::SurfaceMaterial { row, material }).expect("a material");
    step(&mut simulation);
    assert_eq!(simulation.contacts()[0].id, id);
    assert_near(slope(&simulation), 0.1, 1e-9);
}

/// A falling ball goes in the first step in which its box, 11 epsilon larger, is below at mid-step; a block that
/// reaches in stays, and so does what rests on it.
#[test]
fn bodies_outside_the_extents_are_removed() {
    let h = 1e-2;
    let mut world = World::new(h).gravity([0.0, 0.0, -10.0]);
    world.model.settings.extents = Some([-20.0, -20.0, -10.0, 20.0, 20.0, 20.0]);
    let sphere = Sphere::new(Vec3::new(5.0, 0.0, -8.0), 1.0, 1, 1).expect("a ball");
    let ball = world.rigid(Shape::new(Geometry::Sphere(sphere)), 1.0);
    let floor = world.obstacle(block([0.0, 0.0, -10.5], [1.0, 1.0, -9.5], [1, 1, 1]));
    let rider = world.rigid(block([0.0, 0.0, -9.5], [1.0, 1.0, -8.5], [1, 1, 1]), 1.0);
    let mut simulation = world.simulation();
    let mut goes = false;
    while !goes {
        let index = simulation.bodies().index(BodyId(ball)).expect("the ball is still there");
        let (z, v) = (simulation.bodies().configuration(index)[11], simulation.bodies().velocity(index)[5]);
        let middle = z + 0.5 * h * v;
        goes = middle + 1.0 + 11.0 * world.model.settings.epsilon < -10.0;
        step(&mut simulation);
        assert_eq!(simulation.bodies().index(BodyId(ball)).is_none(), goes, "middle at {middle}");
    }
    step(&mut simulation);
    assert!(simulation.bodies().index(BodyId(floor)).is_some() && simulation.bodies().index(BodyId(rider)).is_some());
    assert_eq!(simulation.contacts().len(), 1);
    assert_eq!(simulation.contacts()[0].key.bodies, [floor, rider].map(BodyId));
}

fn overlapping(depth: f64, change: impl FnOnce(&mut World)) -> Simulation {
    let mut world = World::new(1e-3);
    world.model.settings.penetration_depth = depth;
    cube_over_cube(&mut world, 0.9);
    world.model.bodies[0].label = "FLOOR".into();
    world.model.bodies[1].label = "BLOCK".into();
    change(&mut world);
    world.simulation()
}

#[test]
fn too_deep_penetration_is_an_error() {
    let error = overlapping(0.05, |_| {}).step(&gauss_seidel()).expect_err("too deep");
    assert!(matches!(&error, Error::Penetration(text) if text.contains("FLOOR") && text.contains("BLOCK")), "{error}");
    assert!(overlapping(0.2, |_| {}).step(&gauss_seidel()).is_ok());
}

#[test]
fn excluded_surface_pairs_do_not_touch() {
    let mut simulation = overlapping(0.05, |w| w.model.settings.excluded_surfaces.push([1, 6]));
    step(&mut simulation);
    assert!(simulation.contacts().is_empty());
}

#[test]
fn excluding_bodies_removes_their_contact() {
    for surfaces in [false, true] {
        let mut world = World::new(1e-3).gravity([0.0, 0.0, -10.0]);
        let body = cube_over_cube(&mut world, 1.0);
        let mut simulation = world.simulation();
        step(&mut simulation);
        assert_eq!(simulation.contacts().len(), 1);
        let op = match surfaces {
            true => Op::ContactExcludeSurfaces { surfaces: [6, 1] },
            false => Op::ContactExcludeBodies { bodies: [body, 1] },
        };
        simulation.apply(&op).expect("an exclusion");
        step(&mut simulation);
        assert!(simulation.contacts().is_empty());
        let index = simulation.bodies().index(BodyId(body)).expect("the block");
        assert_near(simulation.bodies().velocity(index)[5], -10.0 * 1e-3, 1e-12);
    }
}

/// A cube 0.1 m deep in another: half the surface of the overlap is 1.2 m², its projection along the normal 1 m².
#[test]
fn the_projected_area_is_the_footprint() {
    for (projected, area) in [(false, 1.2), (true, 1.0)] {
        let mut world = World::new(1e-3);
        world.model.settings.sparsify.projected = projected;
        cube_over_cube(&mut world, 0.9);
        let mut simulation = world.simulation();
        step(&mut simulation);
        assert_near(simulation.contacts()[0].area, area, 1e-12);
    }
}

/// A frame stores no tangents of contacts: its bases are those of the step all the same, to the last bit.
#[test]
fn bases_of_contacts_and_user_constraints_are_read_from_frames() {
    let mut world = World::new(1e-3).gravity([0.3, -0.2, -10.0]);
    cube_over_cube(&mut world, 1.0);
    let balls = [[2.0, 0.3, 0.1], [2.9, 0.8, 0.35], [2.2, 1.2, 0.6]].map(|x| world.rigid(ball(x, 0.55), 1.0));
    let base = Mat3::new(0.6, 0.8, 0.0, -0.8, 0.6, 0.0, 0.0, 0.0, 1.0);
    world.model.series.push(Series::constant(0.1));
    let series = [world.model.series.len() as u32 - 1; 3];
    let drive = Joint::Drive3 { what: Prescribed::Velocity, base, series };
    for (joint, master) in [(drive, balls[0]), (Joint::FixPoint { strength: f64::INFINITY }, balls[1])] {
        let points = [Vec3::new(2.0, 0.3, 0.1); 2];
        world.model.constraints.push(ConstraintRow { joint, master, slave: None, points, line: 0 });
    }
    let mut simulation = world.simulation();
    step(&mut simulation);
    let rows = simulation.view().constraints;
    assert!(simulation.contacts().len() >= 3 && simulation.constraints().len() == 2);
    let bases = simulation.contacts().iter().map(|c| (c.id, c.base));
    for (id, base) in bases.chain(simulation.constraints().iter().map(|c| (c.id, c.base))) {
        let row = rows.id.iter().position(|of| *of == id).expect("the constraint is in the frame");
        assert_eq!(rows.base(row), base);
    }
}
