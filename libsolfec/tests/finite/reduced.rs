//! Reduced bodies: complete bases, spin, contact, forces on reduced coordinates, checks of bases.

use std::sync::Arc;

use solfec::body::{Pencil, INTERNAL, KINETIC};
use solfec::math::{exp_map, Mat3};
use solfec::modal::{modes, Wanted};
use solfec::model::{Base, Op};

use super::*;

const REDUCED: [Formulation; 2] = [Formulation::Modal, Formulation::Reduced];

/// The first modes of a body that is alone in a model.
fn lowest(world: &World, id: u64, count: usize) -> Base {
    let pencil = Pencil::of(&world.model, id, &[]).expect("a body");
    let found = modes(&pencil, &Wanted { count, tolerance: 1e-12, restarts: 100 }).expect("modes");
    Base::new("", found.values, found.vectors.iter().flat_map(|x| flat(x)).collect()).expect("a base")
}

/// All unit displacements: orthonormal, and complete.
fn units(nodes: usize) -> Base {
    let n = 3 * nodes;
    let vectors = (0..n * n).map(|k| f64::from(u8::from(k / n == k % n))).collect();
    Base::new("", vec![0.0; n], vectors).expect("a base")
}

fn reduced(world: &mut World, shape: Shape, form: Formulation, count: usize) -> u64 {
    let id = finite(world, shape, Formulation::Corotational, Scheme::DefLim);
    let base = match form {
        Formulation::Reduced if count == 0 => units(mesh_of(&world.model.shape(id as u32 - 1)).nodes.len()),
        _ => lowest(world, id, count),
    };
    let row = &mut world.model.bodies[id as usize - 1];
    (row.form, row.base) = (form, Some(Arc::new(base)));
    id
}

fn index(simulation: &Simulation, id: u64) -> solfec::ids::BodyIndex {
    simulation.bodies().index(BodyId(id)).expect("the body")
}

/// Places and velocities of the nodes.
fn state(simulation: &Simulation, id: u64) -> (Vec<Vec3>, Vec<Vec3>) {
    let columns = simulation.bodies().columns();
    let body = columns.general.iter().find(|body| body.id == id).expect("the body");
    (vectors(body.unknowns), vectors(body.velocities))
}

fn furthest(a: &[Vec3], b: &[Vec3]) -> f64 {
    a.iter().zip(b).map(|(a, b)| (a - b).norm()).fold(0.0, f64::max)
}

/// A body that falls on an obstacle, spins, trembles and is damped: with a complete base it moves as a body without
/// one, whose inverse is sparse. 100 steps.
#[test]
fn a_complete_base_changes_nothing() {
    let run = |form: Formulation, analysis: Analysis| {
        let mut world = world(1e-3, YOUNG, 0.3).gravity([0.0, 0.0, -10.0]).surface(|of| of.friction = 0.3);
        world.model.analysis = analysis;
        let gap = if analysis == Analysis::Dynamic { 0.02 } else { 1e-4 };
        let shape = block([0.0, 0.0, gap], [1.0, 1.0, 1.0 + gap], [1, 2, 1]);
        let body = match form {
            Formulation::Corotational | Formulation::TotalLagrangian => finite(&mut world, shape, form, Scheme::DefLim),
            Formulation::Modal => reduced(&mut world, shape, form, 36),
            Formulation::Reduced => reduced(&mut world, shape, form, 0),
        };
        world.model.bodies[0].damping = 1e-4;
        world.obstacle(block([-1.0, -1.0, -1.0], [2.0, 2.0, 0.0], [1; 3]));
        let mut simulation = world.simulation();
        launch(&mut simulation, body, [0.5, 0.0, -1.0], [0.0, 0.3, 2.0]);
        let mut contacts = 0;
        steps(&mut simulation, &gauss_seidel(1e-12), 100, |simulation, _| contacts += simulation.contacts().len());
        assert!(contacts > 0, "{form:?} never touches");
        (state(&simulation, body), simulation.bodies().energies(index(&simulation, body)))
    };
    for analysis in [Analysis::Dynamic, Analysis::QuasiStatic] {
        let ((x, v), energies) = run(Formulation::Corotational, analysis);
        for form in REDUCED {
            let ((found_x, found_v), found) = run(form, analysis);
            let (dx, dv) = (furthest(&found_x, &x), furthest(&found_v, &v));
            assert!(dx < 1e-8, "{form:?} {analysis:?}: places differ by {dx:e}");
            assert!(dv < 1e-6, "{form:?} {analysis:?}: velocities differ by {dv:e}");
            for (found, expected) in found.iter().zip(&energies) {
                assert_near(*found, *expected, 1e-5 * DENSITY, "energy");
            }
        }
    }
}

/// A bar with its rigid modes and six others turns with the angular velocity that it was given, keeps its momentum to
/// round-off and its energy within a small part; ten turns do not make it longer.
#[test]
fn a_reduced_body_that_spins_keeps_energy_and_size() {
    for form in REDUCED {
        let mut world = world(1e-2, 1e8, 0.2);
        let shape = block([0.0; 3], [1.0, 0.2, 0.2], [8, 1, 1]);
        let body = reduced(&mut world, shape, form, 12);
        let mut simulation = world.simulation();
        launch(&mut simulation, body, [1.0, -2.0, 0.5], [0.0, 0.0, 6.0]);
        let start = simulation.bodies().energies(index(&simulation, body))[KINETIC];
        steps(&mut simulation, &gauss_seidel(1e-6), 1000, |_, _| {});
        let energies = simulation.bodies().energies(index(&simulation, body));
        assert!(((energies[KINETIC] + energies[INTERNAL]) / start - 1.0).abs() < 1e-3, "{energies:?} from {start}");
        let (x, v) = state(&simulation, body);
        let length = (x[8] - x[0]).norm();
        assert!((length - 1.0).abs() < 1e-3, "{length}");
        let twist = simulation.bodies().mean_twist(index(&simulation, body));
        assert_near((twist.linear - Vec3::new(1.0, -2.0, 0.5)).norm(), 0.0, 1e-9, "velocity of the centre");
        assert_near((twist.angular - Vec3::new(0.0, 0.0, 6.0)).norm(), 0.0, 1e-2, "spin");
        assert_eq!(v.len(), 36);
    }
}

/// A box with twelve modes falls on a plane and comes to rest on it: the reaction is its weight.
#[test]
fn a_reduced_body_rests_on_an_obstacle() {
    for form in REDUCED {
        let mut world = world(1e-3, 1e7, 0.2).gravity([0.0, 0.0, -10.0]).surface(|of| of.friction = 0.5);
        let shape = block([0.0, 0.0, 1e-4], [1.0, 1.0, 0.5001], [2, 2, 1]);
        let body = reduced(&mut world, shape, form, 12);
        world.model.bodies[0].damping = 1e-2;
        world.obstacle(block([-1.0, -1.0, -1.0], [2.0, 2.0, 0.0], [1; 3]));
        let mut simulation = world.simulation();
        steps(&mut simulation, &gauss_seidel(1e-10), 400, |_, _| {});
        let force: f64 = simulation.contacts().iter().map(|contact| contact.r.z).sum();
        assert_near(force.abs(), 500.0 * 10.0, 5.0, "reaction");
        let (x, v) = state(&simulation, body);
        assert!(v.iter().all(|v| v.norm() < 1e-3), "it still moves");
        assert!(x.iter().all(|x| x.z > -2e-3), "it sinks in");
    }
}

/// Reduced coordinates are those of the configuration that was given, also of a turned body.
#[test]
fn configurations_and_velocities_are_reduced_coordinates() {
    for form in REDUCED {
        let mut world = world(1e-3, YOUNG, 0.3);
        let body = reduced(&mut world, block([1.0, 2.0, 3.0], [2.0, 3.0, 4.0], [2, 1, 1]), form, 10);
        let mut simulation = world.simulation();
        let rotation = exp_map(&Vec3::new(0.3, -1.0, 2.0));
        // Modes beyond the rigid ones turn the mean rotation a little: only stretching of the body does not.
        let mut conf = vec![0.0; 10];
        (conf[0], conf[1], conf[2]) = (3.0, -4.0, 5.0);
        conf.extend(rotation.iter());
        simulation.apply(&Op::SetConfiguration { body, conf: conf.clone() }).expect("a configuration");
        let velo: Vec<f64> = (0..10).map(|k| noise(k, 3)).collect();
        simulation.apply(&Op::SetVelocity { body, velo: velo.clone() }).expect("velocities");
        let at = index(&simulation, body);
        for (found, expected) in simulation.bodies().configuration(at).iter().zip(&conf) {
            assert_near(*found, *expected, 1e-9, "configuration");
        }
        for (found, expected) in simulation.bodies().velocity(at).iter().zip(&velo) {
            assert_near(*found, *expected, 1e-11, "velocity");
        }
        for (what, op) in [
            ("conf", Op::SetConfiguration { body, conf: vec![0.0; 36] }),
            ("velo", Op::SetVelocity { body, velo: vec![0.0; 36] }),
        ] {
            let text = simulation.apply(&op).expect_err("a wrong length").to_string();
            assert!(text.contains(what) && text.contains("36 numbers"), "{text}");
        }
    }
}

/// Six numbers are the reduced velocities of a base of six vectors; of a base with more they are a rigid motion,
/// angular and linear.
#[test]
fn six_numbers_are_reduced_velocities_of_six_vectors() {
    for (form, count) in [(Formulation::Modal, 6), (Formulation::Reduced, 6), (Formulation::Modal, 8)] {
        let mut world = world(1e-3, YOUNG, 0.3);
        let body = reduced(&mut world, block([0.0; 3], [1.0, 2.0, 1.0], [1, 2, 1]), form, count);
        let mut simulation = world.simulation();
        launch(&mut simulation, body, [1.0, 2.0, 3.0], [0.1, 0.2, 0.3]);
        let (index, (_, v)) = (index(&simulation, body), state(&simulation, body));
        let velo = simulation.bodies().velocity(index);
        assert_eq!(velo.len(), count);
        simulation.apply(&Op::SetVelocity { body, velo }).expect("its own velocity");
        assert!(furthest(&v, &state(&simulation, body).1) < 1e-12 * 4.0, "{form:?} {count}");
        if count > 6 {
            simulation.apply(&Op::SetVelocity { body, velo: vec![0.1, 0.2, 0.3, 1.0, 2.0, 3.0] }).expect("a motion");
            assert!(furthest(&v, &state(&simulation, body).1) < 1e-12 * 4.0, "{form:?} {count}");
        }
    }
}

/// With the same reduced coordinates, a turned body has the turned stress, which is that of its stretch where the base
/// holds it.
#[test]
fn stress_turns_with_a_reduced_body() {
    let stretch = Mat3::from_diagonal(&Vec3::new(1.01, 1.0, 1.0));
    let stress = |form: Formulation, rotation: Mat3| {
        let mut world = world(1e-6, YOUNG, 0.0);
        let shape = block([0.0; 3], [1.0; 3], [2, 1, 1]);
        let stretched: Vec<Vec3> = nodes_of(&shape).iter().map(|x| stretch * x - x).collect();
        let (count, mut conf) = match form {
            Formulation::Reduced => (0, flat(&stretched)),
            _ => (12, (0..12).map(|k| if k < 6 { 0.0 } else { 1e-2 * noise(k, 1) }).collect()),
        };
        let body = reduced(&mut world, shape, form, count);
        conf.extend(rotation.iter());
        world.model.bodies[0].conf = conf;
        let simulation = world.simulation();
        let at = simulation.bodies().locate(index(&simulation, body), &Vec3::new(0.3, 0.4, 0.6));
        let [xx, yy, zz, xy, xz, yz] = simulation.bodies().stress(&at);
        Mat3::new(xx, xy, xz, xy, yy, yz, xz, yz, zz)
    };
    for form in REDUCED {
        let unturned = stress(form, Mat3::identity());
        let size = unturned.norm();
        for turn in [Vec3::new(0.0, 0.0, std::f64::consts::FRAC_PI_2), Vec3::new(1.0, 2.0, -0.5)] {
            let rotation = exp_map(&turn);
            let wanted = rotation * unturned * rotation.transpose();
            let found = stress(form, rotation);
            assert!((found - wanted).norm() < 1e-9 * size, "{form:?}: {found} is not {wanted}");
        }
        if form == Formulation::Reduced {
            let wanted = Mat3::from_diagonal(&Vec3::new(10150.5, 0.0, 0.0));
            assert!((unturned - wanted).norm() < 1e-6, "{unturned}");
        }
    }
}

/// The material of a body changes: it swings with the frequency of the new one. A mode of the eigenvalue λ that is let
/// go has the phase t √λ.
#[test]
fn modes_swing_with_their_frequency_also_after_a_change_of_material() {
    for form in REDUCED {
        let mut world = world(1e-4, YOUNG, 0.2);
        let body = reduced(&mut world, block([0.0; 3], [1.0, 0.2, 0.2], [6, 1, 1]), form, 10);
        let value = world.model.bodies[0].base.as_ref().expect("a base").values[6];
        let mut simulation = world.simulation();
        simulation.apply(&Op::BulkMaterial { row: 0, young: 4.0 * YOUNG, poisson: 0.2 }).expect("a material");
        let mut conf = vec![0.0; 10];
        conf[6] = 1e-6;
        conf.extend(Mat3::identity().iter());
        simulation.apply(&Op::SetConfiguration { body, conf }).expect("a configuration");
        // A quarter of the period, which is half of that of the first material.
        let quarter = 0.25 * std::f64::consts::TAU / (2.0 * value.sqrt());
        let count = (quarter / 1e-4).round() as usize;
        steps(&mut simulation, &gauss_seidel(1e-6), count, |_, _| {});
        let found = simulation.bodies().configuration(index(&simulation, body))[6];
        let expected = 1e-6 * (2.0 * value.sqrt() * count as f64 * 1e-4).cos();
        assert_near(found, expected, 1e-9, "coordinate of the mode");
    }
}

/// A body whose state is put back goes on bit for bit.
#[test]
fn a_restored_reduced_body_goes_on_bit_for_bit() {
    for form in REDUCED {
        let mut world = world(1e-3, YOUNG, 0.3).gravity([0.0, 0.0, -10.0]);
        let body = reduced(&mut world, block([0.0, 0.0, 0.01], [1.0, 1.0, 1.01], [2, 1, 1]), form, 14);
        world.obstacle(block([-1.0, -1.0, -1.0], [2.0, 2.0, 0.0], [1; 3]));
        let mut simulation = world.simulation();
        launch(&mut simulation, body, [0.0; 3], [1.0, 0.0, 3.0]);
        steps(&mut simulation, &gauss_seidel(1e-8), 60, |_, _| {});
        let kept = simulation.state();
        let mut other = Simulation::restore(&world.model, &[], &kept).expect("the state fits");
        steps(&mut simulation, &gauss_seidel(1e-8), 40, |_, _| {});
        steps(&mut other, &gauss_seidel(1e-8), 40, |_, _| {});
        assert_eq!(state(&simulation, body), state(&other, body));
    }
}

/// What is wrong with a base is told before anything runs.
#[test]
fn bases_are_checked_when_bodies_are_made() {
    let refused = |form: Formulation, change: &dyn Fn(&mut Base)| {
        let mut world = world(1e-3, YOUNG, 0.3);
        let body = reduced(&mut world, block([0.0; 3], [1.0; 3], [2, 1, 1]), form, 10);
        let row = &mut world.model.bodies[body as usize - 1];
        let mut base = row.base.as_deref().expect("a base").clone();
        change(&mut base);
        row.base = Some(Arc::new(base));
        Simulation::new(&world.model).err().map_or(String::new(), |e| e.to_string())
    };
    for form in REDUCED {
        assert_eq!(refused(form, &|_| {}), "");
        let text = refused(form, &|base| base.vectors.truncate(300));
        assert!(text.contains("body 1: its base has vectors of 30 numbers"), "{text}");
        let text = refused(form, &|base| {
            let first = base.vector(7).to_vec();
            base.vectors[..36].copy_from_slice(&first);
        });
        assert!(text.contains("dependent"), "{text}");
    }
    let text = refused(Formulation::Modal, &|base| base.vectors.iter_mut().for_each(|x| *x *= 2.0));
    assert!(text.contains("not M-orthonormal"), "{text}");
    let text = refused(Formulation::Modal, &|base| base.vectors.rotate_left(36));
    assert!(text.contains("first six modes of its base are not the rigid ones"), "{text}");
    let text = refused(Formulation::Modal, &|base| base.values.iter_mut().for_each(|x| *x *= 2.0));
    assert!(text.contains("not those of its material"), "{text}");
    let text = refused(Formulation::Reduced, &|base| {
        base.values.remove(0);
        base.vectors.drain(..36);
    });
    assert!(text.contains("does not contain the rigid motions"), "{text}");
    // Scaled vectors span the same space.
    assert_eq!(refused(Formulation::Reduced, &|base| base.vectors.iter_mut().for_each(|x| *x *= 2.0)), "");
}
