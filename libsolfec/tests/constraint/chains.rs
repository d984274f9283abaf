//! Chains, glue, sliders; constraints that go; threads.

use super::*;
use solfec::frame::EventKind;
use solfec::ids::BodyIndex;
use solfec::math::Mat3;
use solfec::model::{Analysis, BodyKind, Op, Rows};
use solfec::simulation::WarningKind;
use solfec_testing::affine::motion;

/// Two bars of 1 kg and 1 m, hung from a fixed point and from each other, released horizontal.
fn double_pendulum(h: f64, compat: &[&str]) -> World {
    let mut world = World::new(h).gravity([0.0, 0.0, -10.0]);
    let bars = [0.0, 1.0].map(|x| world.rigid(block([x, -0.05, -0.05], [x + 1.0, 0.05, 0.05], [1, 1, 1]), 100.0));
    hold(&mut world, fixed(), bars[0], [0.0; 3]);
    join(&mut world, link(), bars[0], Some(bars[1]), [[1.0, 0.0, 0.0]; 2]);
    world.model.settings.excluded_bodies.push([bars[0], bars[1]]);
    world.model.compat = compat.iter().map(|name| name.to_string()).collect();
    world
}

/// Largest change of energy, of distance at the joints at the ends of steps, and at mid-steps, in 2 s.
fn drift(world: &World) -> [f64; 3] {
    let mut simulation = world.simulation();
    let (mut energy, mut gap, mut middle) = (0.0_f64, 0.0_f64, 0.0_f64);
    let n = (2.0 / world.model.step).round() as usize;
    steps(&mut simulation, &gauss_seidel(1e-12), n, |s, _| {
        let height = center(s, 1).z + center(s, 2).z;
        energy = energy.max((total_energy(s)[0] + 10.0 * height).abs());
        let [a, b] = [0, 1].map(|i| motion(s.bodies(), BodyIndex(i as u32)));
        let (pin, joint) = (a.point(&Vec3::zeros()), a.point(&Vec3::x()) - b.point(&Vec3::x()));
        gap = gap.max(pin.norm()).max(joint.norm());
        middle = s.constraints().iter().map(|constraint| constraint.moved.norm()).fold(middle, f64::max);
    });
    [energy, gap, middle]
}

/// Joints hold at mid-steps, and energy and joints are off by O(h²) at the ends of steps. Without memory of positions
/// the constraints do no work at all, but errors of the joints add up.
#[test]
fn a_double_pendulum_keeps_energy_and_joints() {
    let runs = [1e-3, 5e-4].map(|h| drift(&double_pendulum(h, &[])));
    assert!(runs[0][0] < 1e-3 && runs[0][1] < 1.2e-5 && runs[0][2] < 1e-9, "{runs:?}");
    assert!(runs[0][0] / runs[1][0] > 3.9, "energy is of second order: {runs:?}");
    assert!(runs[0][1] / runs[1][1] > 3.9, "so are the joints: {runs:?}");
    let [energy, gap, middle] = drift(&double_pendulum(1e-3, &["constraint_drift"]));
    assert!(gap > 1e-5 && middle > 1e-5, "drift {gap}, {middle}");
    assert!(energy < 1e-3, "only the rotation scheme loses energy: {energy}");
}

/// Glued bodies move as one: two cubes thrown and spinning, their common angular momentum stays.
#[test]
fn glue_keeps_angular_momentum() {
    let mut world = World::new(1e-3);
    let cubes = [0.0, 1.0].map(|x| cube(&mut world, [x, 0.0, 0.0], 0.5, 1.0));
    for (y, z) in [(-0.5, -0.5), (0.5, -0.5), (0.0, 0.5)] {
        join(&mut world, link(), cubes[0], Some(cubes[1]), [[0.5, y, z]; 2]);
    }
    world.model.settings.excluded_bodies.push([1, 2]);
    let mut simulation = world.simulation();
    let spin = Vec3::new(0.3, 1.0, 2.0);
    for (body, x) in cubes.into_iter().zip([-0.5, 0.5]) {
        let v = spin.cross(&Vec3::new(x, 0.0, 0.0));
        launch(&mut simulation, body, v.into(), spin.into());
    }
    let momentum = |s: &Simulation| -> Vec3 {
        (0..2)
            .map(|i| {
                let (motion, velo) =
                    (motion(s.bodies(), BodyIndex(i as u32)), s.bodies().velocity(BodyIndex(i as u32)));
                let (omega, v) = (Vec3::from_column_slice(&velo[..3]), Vec3::from_column_slice(&velo[3..]));
                motion.f * omega / 6.0 + motion.x.cross(&v)
            })
            .sum()
    };
    let before = momentum(&simulation);
    // Nine equations for six freedoms: rounded demands disagree by 1e-10, and sweeps have nothing better to find.
    steps(&mut simulation, &gauss_seidel(1e-8), 1000, |s, report| {
        assert!(report.warnings.is_empty(), "{:?}", report.warnings);
        assert!((momentum(s) - before).norm() < 1e-9, "angular momentum");
        let apart = (center(s, 2) - center(s, 1)).norm();
        assert_near(apart, 1.0, 1e-6, "distance");
    });
}

/// A slider: body 2 moves along the convected directions of body 1 only; rigid and pseudo-rigid.
#[test]
fn a_slider_slides() {
    for kind in [BodyKind::Rigid, BodyKind::PseudoRigid] {
        let mut world = World::new(1e-4);
        let [rail, slider] = [[-5.0, 5.0], [2.5, 3.5]]
            .map(|[a, b]| world.body(kind, &[block([a, -0.5, -0.5], [b, 0.5, 0.5], [1, 1, 1])], 1000.0));
        world.model.settings.excluded_bodies.push([rail, slider]);
        let along = Joint::FixDirection { direction: Vec3::new(0.0, 3.0, 0.0) };
        join(&mut world, along, rail, Some(slider), [[0.0; 3], [3.0, 0.0, 0.0]]);
        let along = Joint::FixDirection { direction: Vec3::new(0.0, 0.0, -1.0) };
        join(&mut world, along, rail, Some(slider), [[0.0; 3], [3.0, 0.0, 0.0]]);
        let mut simulation = world.simulation();
        launch(&mut simulation, rail, [0.0; 3], [0.0, 0.0, 1.0]);
        launch(&mut simulation, slider, [1.0, 3.0, 0.0], [0.0; 3]);
        let (mut across, mut middle, mut straining) = (0.0_f64, 0.0_f64, 0.0_f64);
        steps(&mut simulation, &gauss_seidel(1e-8), 2000, |s, report| {
            assert!(report.warnings.is_empty(), "{:?}", report.warnings);
            let motion = motion(s.bodies(), BodyIndex(0));
            let place = motion.f.transpose() * (center(s, slider) - motion.x);
            across = across.max(place.y.abs());
            middle = s.constraints().iter().map(|constraint| constraint.moved.z.abs()).fold(middle, f64::max);
            if kind == BodyKind::PseudoRigid {
                let gradient = Mat3::from_row_slice(&s.bodies().velocity(BodyIndex(0))[..9]) * motion.f.transpose();
                straining = straining.max((gradient + gradient.transpose()).norm() * 0.5);
            }
            assert_near(place.z, 0.0, 1e-15, "across");
        });
        // At mid-steps only the sagitta of the first half step is left, at the ends that of their turning: h²/8 · (2ωv
        // + ω²r).
        assert!(middle < 1e-8 && across < 1e-8, "across {across:e} {middle:e}, strain rate {straining:e}");
        assert!((center(&simulation, slider) - center(&simulation, rail)).norm() > 3.15, "it has slid outwards");
        assert!(velocity(&simulation, rail).y < -0.003, "the rail feels it");
    }
}

/// A pseudo-rigid cube hung by a corner, and a rigid one glued to it: the joints hold while the soft one stretches, and
/// the pin carries, on average, the weight of both.
#[test]
fn soft_bodies_are_held_and_glued() {
    let h = 1e-4;
    let mut world = World::new(h).gravity([0.0, 0.0, -10.0]);
    (world.model.bulk[0].young, world.model.bulk[0].poisson) = (1e6, 0.0);
    let shape = block([-0.5, -0.5, -1.0], [0.5, 0.5, 0.0], [1, 1, 1]);
    let soft = world.body(BodyKind::PseudoRigid, &[shape], 1000.0);
    world.model.bodies[0].damping = 1e-2;
    let hard = world.rigid(block([-0.5, -0.5, -2.0], [0.5, 0.5, -1.0], [1, 1, 1]), 1000.0);
    world.model.settings.excluded_bodies.push([soft, hard]);
    let pin = hold(&mut world, fixed(), soft, [0.0; 3]);
    join(&mut world, link(), hard, Some(soft), [[0.0, 0.0, -1.0]; 2]);
    let mut simulation = world.simulation();
    let (mut force, mut stretched) = (0.0, 0.0_f64);
    steps(&mut simulation, &gauss_seidel(1e-10), 20_000, |s, report| {
        assert!(report.warnings.is_empty(), "{:?}", report.warnings);
        let [a, b] = [0, 1].map(|i| motion(s.bodies(), BodyIndex(i as u32)));
        assert!(a.point(&Vec3::zeros()).norm() < 1e-8, "the pin holds");
        let low = -Vec3::z();
        assert!((a.point(&low) - b.point(&low)).norm() < 1e-8, "the glue holds");
        force += tie(s, pin).r.z * h / 2.0;
        stretched = stretched.max(a.f[(2, 2)]);
    });
    assert!(stretched > 1.01, "it stretches: {stretched}");
    assert_near(force, 2e4, 100.0, "mean force");
}

/// One fixed direction of a body: it falls along an incline without friction.
#[test]
fn a_fixed_direction_is_a_plane() {
    let mut world = World::new(1e-2).gravity([0.0, 0.0, -10.0]);
    let body = cube(&mut world, [0.0; 3], 0.5, 1.0);
    let joint = Joint::FixDirection { direction: Vec3::new(1.0, 0.0, 1.0) };
    let row = hold(&mut world, joint, body, [0.0; 3]);
    let mut simulation = world.simulation();
    steps(&mut simulation, &gauss_seidel(1e-14), 100, |s, _| {
        // A place that is rounded by 4e-16 takes a force of 4e-16 · 2 m/h² to put right.
        assert_near(tie(s, row).r.z, 50f64.sqrt(), 1e-10, "reaction");
    });
    let x = center(&simulation, body);
    assert!((x - Vec3::new(2.5, 0.0, -2.5)).norm() < 1e-12, "{x}");
}

/// A velocity that is given to a held body is made to suit what holds it; without that it would turn round at every
/// step.
#[test]
fn a_velocity_given_later_is_made_to_suit() {
    let mut world = World::new(1e-2);
    let body = cube(&mut world, [0.0; 3], 0.5, 1.0);
    hold(&mut world, fixed(), body, [0.0; 3]);
    let mut simulation = world.simulation();
    steps(&mut simulation, &gauss_seidel(1e-12), 3, |_, _| {});
    launch(&mut simulation, body, [1.0, 0.0, 0.0], [0.0, 0.0, 2.0]);
    steps(&mut simulation, &gauss_seidel(1e-12), 10, |s, report| {
        assert_eq!(report.warnings.len(), usize::from(report.step == 4), "{:?}", report.warnings);
        assert!(velocity(s, body).norm() < 1e-14 && center(s, body).norm() < 1e-15);
        assert_near(s.bodies().velocity(BodyIndex(0))[2], 2.0, 1e-14, "spin");
    });
}

/// DELETE of a constraint lets its body go, DELETE of a body takes its constraints along.
#[test]
fn deleted_constraints_let_go() {
    let mut world = double_pendulum(1e-3, &[]);
    let third = cube(&mut world, [5.0, 0.0, 0.0], 0.5, 1.0);
    hold(&mut world, fixed(), third, [5.0, 0.0, 0.0]);
    let mut simulation = world.simulation();
    let solver = gauss_seidel(1e-12);
    steps(&mut simulation, &solver, 100, |s, _| assert_eq!(s.constraints().len(), 3));
    simulation.apply(&Op::DeleteConstraint { row: 1 }).expect("it goes");
    let speed = velocity(&simulation, 2);
    steps(&mut simulation, &solver, 10, |_, _| {});
    assert!((velocity(&simulation, 2) - speed - Vec3::new(0.0, 0.0, -0.1)).norm() < 1e-12, "free fall");
    simulation.apply(&Op::DeleteConstraint { row: 1 }).expect("it is gone already");
    simulation.apply(&Op::DeleteBody { body: 1 }).expect("it goes");
    assert_eq!(
        simulation.constraints().iter().map(|t| (t.row, t.master.body())).collect::<Vec<_>>(),
        [(2, BodyIndex(1))]
    );
    steps(&mut simulation, &solver, 10, |s, _| assert_near(tie(s, 2).r.z, 10.0, 1e-9, "weight"));
    // A new one takes the next id.
    world.model.constraints.push(world.model.constraints[2].clone());
    world.model.constraints[3].master = 2;
    world.model.constraints[3].points = [Vec3::new(1.5, 0.0, 0.0); 2];
    let new = world.model.constraints_at(Rows { rows: [3, 4] }).expect("the row is there");
    simulation.apply(&Op::InsertConstraints(new)).expect("a new one");
    assert_eq!(tie(&simulation, 3).id, 4);
    let place = center(&simulation, 2);
    steps(&mut simulation, &solver, 100, |s, report| {
        // The velocity that the bar had when it was caught is reported once.
        assert_eq!(report.warnings.len(), usize::from(report.step == 121), "{:?}", report.warnings);
        assert!((center(s, 2) - place).norm() < 1e-6, "caught at its mass centre");
    });
}

/// A chain that is loaded more and more breaks at its weakest link; the event says where.
#[test]
fn the_weakest_link_breaks() {
    let mut world = World::new(1e-3);
    let g = series(&mut world, &[[0.0, 0.0], [1.0, 10.0]]);
    let zero = series(&mut world, &[[0.0, 0.0], [1.0, 0.0]]);
    world.model.settings.gravity = Some([zero, zero, g]);
    let balls = [1.0, 2.0, 3.0].map(|z| world.rigid(ball([0.0, 0.0, z], 0.1), 3.0 / (4e-3 * std::f64::consts::PI)));
    join(&mut world, Joint::RigidLink { strength: 27.0 }, balls[0], None, [[0.0, 0.0, 1.0], [0.0; 3]]);
    for (pair, strength) in balls.windows(2).zip([15.0, 12.0]) {
        let z = pair[0] as f64;
        let joint = Joint::RigidLink { strength };
        join(&mut world, joint, pair[0], Some(pair[1]), [[0.0, 0.0, z], [0.0, 0.0, z + 1.0]]);
    }
    let mut simulation = world.simulation();
    let mut broken = Vec::new();
    steps(&mut simulation, &gauss_seidel(1e-13), 1000, |s, report| {
        if s.constraints().len() + broken.len() < 3 {
            broken.push(report.time);
        }
    });
    // 3, 2 and 1 kg hang below: 20 m g would be needed; the second gives way when 2 kg · 10 t > 15.
    assert_eq!(broken.len(), 1, "{broken:?}");
    assert_near(broken[0], 0.75, 1.5e-3, "time of breaking");
    let events = simulation.take_frame().events;
    assert_eq!(events.len(), 1);
    assert_eq!((events[0].kind, events[0].body.0, events[0].parent.0), (EventKind::LinkBroken, 0, 1));
    assert_near(events[0].time, broken[0], 1e-15, "time of the event");
}

/// Blocks on a floor, linked in a row, some on springs, one driven: contacts and constraints of the same bodies, enough
/// pairs to be swept in parallel, bits equal for any number of threads.
#[test]
fn threads_do_not_change_bits() {
    let run = |threads: usize| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().expect("threads");
        pool.install(|| {
            let mut world = World::new(1e-3).gravity([0.0, 0.0, -10.0]).surface(|s| s.friction = 0.3);
            let floor = world.obstacle(block([-200.0, -5.0, -1.0], [200.0, 5.0, 0.0], [1, 1, 1]));
            let mut last = None;
            for k in 0..300 {
                let x = f64::from(k) * 1.2 - 180.0;
                let low = [x, -0.5, 0.0];
                let body = world.rigid(block(low, [x + 1.0, 0.5, 1.0], [1, 1, 1]), 1.0);
                if let Some(last) = last {
                    join(&mut world, link(), last, Some(body), [[x - 0.2, 0.0, 0.9], [x, 0.0, 0.9]]);
                }
                if k % 5 == 0 {
                    let spring = Joint::Spring {
                        law: solfec::model::SpringLaw::Linear { stiffness: 50.0, damping: 1.0 },
                        axis: solfec::model::SpringAxis::Follow,
                        limits: [-0.1, 0.1],
                    };
                    join(&mut world, spring, body, Some(floor), [[x, 0.0, 0.5], [x + 3.0, 0.0, -0.5]]);
                }
                last = Some(body);
            }
            let ramp = series(&mut world, &[[0.0, 0.0], [0.05, 1.0], [0.1, -1.0]]);
            hold(&mut world, drive(Prescribed::Velocity, [1.0, 0.0, 0.2], ramp), 2, [-179.5, 0.0, 0.5]);
            let mut simulation = world.simulation();
            steps(&mut simulation, &gauss_seidel(1e-4), 5, |_, _| {});
            simulation.take_frame()
        })
    };
    let [one, two, four] = [1, 2, 4].map(run);
    assert!(one.constraints.id.len() > 100);
    assert!(one.constraints.kind.windows(2).all(|k| k[0] <= k[1]), "rows in order of kind");
    assert_eq!(one, two);
    assert_eq!(one, four);
}

/// A light ball between two taut links, the lower one to a heavy ball that is pulled down: ω² = 2T/(mL). Up to hω = 2
/// it swings on as it began; beyond it swings ever further, and that is told before.
#[test]
fn what_swings_too_fast_between_taut_links_is_told() {
    let (omega, m, aside) = (1000.0, 0.5, 1e-3);
    for (turn, stable) in [(1.0, true), (1.9, true), (2.1, false), (3.0, false)] {
        let mut world = World::new(turn / omega);
        let light = cube(&mut world, [0.0, aside, 1.0], 0.05, m);
        let heavy = cube(&mut world, [0.0; 3], 0.3, 1e3 * m);
        join(&mut world, link(), light, None, [[0.0, aside, 1.0], [0.0, 0.0, 2.0]]);
        join(&mut world, link(), light, Some(heavy), [[0.0, aside, 1.0], [0.0; 3]]);
        world.force(heavy, false, [0.0; 3], [0.0, 0.0, -1.0], omega * omega * m / 2.0);
        let mut simulation = world.simulation();
        let (mut told, mut farthest) = (None, 0.0_f64);
        for step in 0..60 {
            let report = simulation.step(&gauss_seidel(1e-12)).expect("a step");
            let found = report.warnings.into_iter().find(|warning| warning.kind == WarningKind::Taut);
            told = told.or(found.map(|warning| (step, warning.text)));
            farthest = farthest.max(center(&simulation, light).y.abs());
            if farthest > 0.5 {
                break;
            }
        }
        assert_eq!(farthest < 1.1 * aside, stable, "hω = {turn}: {farthest}");
        match told {
            None => assert!(stable, "hω = {turn} is not told"),
            Some((step, text)) => {
                let limit = text.split("below ").nth(1).and_then(|rest| rest.split(' ').next()).expect("a step");
                let limit: f64 = limit.parse().expect("a number");
                assert!(!stable && step < 2 && (limit * omega - 2.0).abs() < 0.1, "hω = {turn}: step {step}, {text}");
            }
        }
    }
}

/// Nothing swings in quasi-statics.
#[test]
fn a_taut_link_of_quasi_statics_is_not_told() {
    let mut world = World::new(0.1);
    world.model.analysis = Analysis::QuasiStatic;
    let body = cube(&mut world, [0.0; 3], 0.1, 1.0);
    join(&mut world, link(), body, None, [[0.0; 3], [0.0, 0.0, 1.0]]);
    world.force(body, false, [0.0; 3], [0.0, 0.0, -1.0], 1e4);
    let mut simulation = world.simulation();
    for _ in 0..3 {
        let report = simulation.step(&gauss_seidel(1e-12)).expect("a step");
        assert_eq!(report.warnings, []);
    }
    assert_near(tie(&simulation, 0).r.z, -1e4, 1e-6, "tension");
}
