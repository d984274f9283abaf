//! Small models with everything in them that a restart must carry over.

use solfec::load::Series;
use solfec::material::SurfaceMaterial;
use solfec::math::{Mat3, Vec3};
use solfec::model::*;
use solfec_testing::run::ball;
use solfec_testing::world::{block, World};

/// A model and the operations that act when so many steps have been made.
pub struct Scene {
    pub model: Model,
    pub ops: Vec<(u64, StoredOp)>,
}

fn cube(low: [f64; 3], side: f64, cells: usize) -> solfec::shape::Shape {
    block(low, low.map(|x| x + side), [cells; 3])
}

fn floor(world: &mut World) -> u64 {
    world.obstacle(block([-2.0, -2.0, -0.5], [2.0, 2.0, 0.0], [4, 4, 1]))
}

fn spin(world: &mut World, body: u64, linear: [f64; 3], angular: [f64; 3]) {
    world.model.apply(Op::InitialVelocity { body, linear, angular }).expect("the body exists");
}

/// A series through these points; returns its row.
fn series(world: &mut World, points: &[[f64; 2]]) -> u32 {
    let (times, values) = points.iter().map(|p| (p[0], p[1])).unzip();
    world.model.series.push(Series::new("", times, values).expect("a series"));
    world.model.series.len() as u32 - 1
}

fn join(world: &mut World, joint: Joint, master: u64, slave: Option<u64>, points: [[f64; 3]; 2]) -> u32 {
    let points = points.map(Vec3::from);
    world.model.constraints.push(ConstraintRow { joint, master, slave, points, line: 0 });
    world.model.constraints.len() as u32 - 1
}

/// Balls and cubes of the three schemes that fall on a floor; sparsification drops contacts of the cubes.
pub fn heap(analysis: Analysis) -> Scene {
    let mut world = World::new(2e-3).gravity([0.0, 0.1, -9.81]).surface(|s| (s.friction, s.restitution) = (0.4, 0.3));
    world.model.analysis = analysis;
    floor(&mut world);
    for i in 0..12 {
        let (x, y, z) = (f64::from(i % 3), f64::from(i / 3 % 2), f64::from(i / 6));
        let center = [0.19 * x + 0.02 * z, 0.19 * y + 0.01 * x, 0.1 + 0.185 * z];
        let body = world.rigid(ball(center, 0.1), 100.0);
        spin(&mut world, body, [0.1 * x, -0.2 * y, -0.5], [x, 2.0 * y, 3.0 * z]);
    }
    for (k, scheme) in [Scheme::RigPos, Scheme::RigNeg, Scheme::RigImp].into_iter().enumerate() {
        let body = world.rigid(cube([-1.0 + 0.3 * k as f64, -0.6, -1e-4 + 0.02 * k as f64], 0.25, 2), 200.0);
        world.model.bodies[body as usize - 1].scheme = scheme;
        spin(&mut world, body, [0.3, 0.2, -0.4], [1.0, -2.0, 0.5]);
    }
    Scene { model: world.model, ops: Vec::new() }
}

/// Pseudo-rigid cubes in both schemes: their step is lowered, and grows back when the material becomes softer.
pub fn soft(analysis: Analysis) -> Scene {
    let mut world = World::new(2e-3).gravity([0.0, 0.0, -9.81]).surface(|s| s.friction = 0.3);
    world.model.analysis = analysis;
    world.model.bulk[0].young = 2e7;
    world.model.settings.step_recovery = true;
    floor(&mut world);
    for (k, scheme) in [Scheme::DefExp, Scheme::DefLim].into_iter().enumerate() {
        let shape = cube([-0.2, -0.2 + 0.35 * k as f64, 0.0], 0.3, 1);
        let body = world.body(BodyKind::PseudoRigid, &[shape], 1000.0);
        let row = &mut world.model.bodies[body as usize - 1];
        (row.scheme, row.damping) = (scheme, 1e-4);
        spin(&mut world, body, [0.1, 0.0, -1.0], [0.0, 0.3, 1.0]);
    }
    let top = world.rigid(ball([0.0, 0.1, 0.42], 0.1), 500.0);
    spin(&mut world, top, [0.0, 0.0, -0.5], [0.0; 3]);
    let ops = vec![(9, Op::BulkMaterial { row: 0, young: 2e5, poisson: 0.2 }), (20, Op::StepRecovery { on: false })];
    Scene { model: world.model, ops }
}

/// Every kind of constraint: hinges, links of which one breaks and one glues, springs with all axes, drives of bodies
/// and of an obstacle, directions; some come and go while it runs.
pub fn joints(analysis: Analysis, compat: &[&str]) -> Scene {
    let mut world = World::new(2e-3).gravity([0.1, 0.0, -9.81]).surface(|s| s.friction = 0.2);
    world.model.analysis = analysis;
    world.model.compat = compat.iter().map(|name| name.to_string()).collect();
    let wave = series(&mut world, &[[0.0, 0.0], [0.02, 0.01], [0.05, -0.01], [0.2, 0.05]]);
    let law = series(&mut world, &[[-0.1, 300.0], [0.0, 0.0], [0.01, -10.0], [0.1, -400.0]]);
    let platform = world.obstacle(block([-3.0, -0.3, -0.2], [3.0, 0.3, 0.0], [6, 1, 1]));
    let at = |k: usize| [-2.0 + 0.5 * k as f64, 0.0, 0.5];
    let bodies: Vec<u64> = (0..8).map(|k| world.rigid(cube(at(k).map(|x| x - 0.1), 0.2, 1), 300.0)).collect();
    let slider = world.rigid(cube([2.5, -0.1, 0.0], 0.2, 1), 300.0);
    let soft = world.body(BodyKind::PseudoRigid, &[cube([2.0, -0.1, 0.8], 0.2, 1)], 300.0);
    let firm = f64::INFINITY;
    let between = |k: usize| [at(k)[0] + 0.25, 0.0, 0.5];
    join(&mut world, Joint::FixPoint { strength: firm }, bodies[0], None, [at(0).map(|x| x + 0.1); 2]);
    join(&mut world, Joint::FixPoint { strength: firm }, bodies[0], Some(bodies[1]), [between(0); 2]);
    join(&mut world, Joint::RigidLink { strength: 0.5 }, bodies[1], Some(bodies[2]), [at(1), at(2)]);
    join(&mut world, Joint::RigidLink { strength: firm }, bodies[2], Some(bodies[3]), [between(2); 2]);
    join(&mut world, Joint::RigidLink { strength: 20.0 }, bodies[3], None, [at(3), [-0.5, 0.0, 1.0]]);
    let spring = |law, axis| Joint::Spring { law, axis, limits: [-0.2, 0.05] };
    let linear = SpringLaw::Linear { stiffness: 2e3, damping: 10.0 };
    let axis = Vec3::new(1.0, 0.0, 0.1);
    join(&mut world, spring(linear, SpringAxis::Follow), bodies[3], Some(bodies[4]), [at(3), at(4)]);
    join(
        &mut world,
        spring(SpringLaw::Table { series: law }, SpringAxis::Fixed(axis)),
        bodies[4],
        Some(bodies[5]),
        [at(4), at(5)],
    );
    join(&mut world, spring(linear, SpringAxis::Master(axis)), bodies[5], Some(bodies[6]), [at(5), at(6)]);
    join(&mut world, spring(linear, SpringAxis::Slave(axis)), bodies[6], Some(bodies[7]), [at(6), at(7)]);
    join(&mut world, Joint::FixDirection { direction: Vec3::y() }, bodies[5], None, [at(5); 2]);
    join(&mut world, Joint::FixDirection { direction: Vec3::x() }, bodies[6], Some(bodies[7]), [at(6), at(6)]);
    let drive = |what, direction| Joint::Drive { what, direction, series: wave };
    join(&mut world, drive(Prescribed::Velocity, Vec3::y()), bodies[7], None, [at(7); 2]);
    join(&mut world, drive(Prescribed::Displacement, Vec3::z()), bodies[7], None, [at(7); 2]);
    let base = Mat3::identity();
    let drive3 = Joint::Drive3 { what: Prescribed::Displacement, base, series: [wave; 3] };
    join(&mut world, drive3, platform, None, [[0.0, 0.0, -0.1]; 2]);
    if analysis == Analysis::Dynamic {
        join(&mut world, drive(Prescribed::Acceleration, Vec3::x()), slider, None, [[2.6, 0.0, 0.1]; 2]);
    }
    join(&mut world, Joint::RigidLink { strength: firm }, soft, Some(slider), [[2.1, 0.0, 0.8], [2.6, 0.0, 0.2]]);
    let late = join(&mut world, Joint::FixPoint { strength: firm }, bodies[5], Some(bodies[6]), [between(5); 2]);
    for (k, &body) in bodies.iter().enumerate() {
        let k = k as f64;
        spin(&mut world, body, [0.1 * k, 0.02 * k, -0.1], [0.2, 0.1 * k, -0.1]);
    }
    world.model.loads.push(LoadRow {
        kind: LoadKind::Force { convected: true, point: Vec3::from(at(4)), direction: Vec3::z(), value: wave },
        body: bodies[4],
        line: 0,
    });
    // Makes the last constraint one that comes later.
    let solver = SolverSettings::GaussSeidel(GaussSeidel::new(1e-6, 1000)).into();
    world.model.program =
        vec![Op::Run { duration: 1.0, solver }, Op::InsertConstraints(Rows { rows: [late, late + 1] })];
    let ops = vec![
        (6, Op::InsertConstraints(Rows { rows: [late, late + 1] })),
        (11, Op::DeleteConstraint { row: 5 }),
        (13, Op::SetVelocity { body: bodies[0], velo: vec![0.1, 0.2, 0.3, 0.0, 0.0, 0.1] }),
        (14, Op::Step { value: 1.2e-5 }),
    ];
    Scene { model: world.model, ops }
}

/// Function that a spring of [`sprung`] calls: of its stroke [m] and stroke rate [m/s].
pub fn force(function: u32, stroke: f64, rate: f64) -> f64 {
    match function {
        0 => -2e3 * stroke - 10.0 * rate,
        1 => -4e3 * stroke,
        // Linear up to a stroke that the spring reaches in the course of the run.
        2 => -1e3 * stroke - 1e6 * (stroke - 2e-3).max(0.0).powi(2),
        _ => -2e3 * stroke - 5e5 * stroke.powi(3) - 8.0 * rate.abs() * rate,
    }
}

/// Bodies in a row on springs with functions: linear ones, which are foretold from the third step on; one that stops
/// to be linear, and one that never is.
pub fn sprung() -> Scene {
    let mut world = World::new(2e-3).gravity([0.5, 0.0, -9.81]);
    let mut last = world.obstacle(block([-1.0, -0.3, 0.3], [-0.5, 0.3, 0.7], [1, 1, 1]));
    for function in 0..4 {
        let x = 0.5 * f64::from(function);
        let body = world.rigid(cube([x - 0.1, -0.1, 0.4], 0.2, 1), 300.0);
        spin(&mut world, body, [0.1 + 0.1 * x, 0.02, -0.1], [0.2, 0.1 * x, -0.1]);
        let law = SpringLaw::Function { function };
        let spring = Joint::Spring { law, axis: SpringAxis::Follow, limits: [-0.2, 0.2] };
        join(&mut world, spring, last, Some(body), [[x - 0.5, 0.0, 0.5], [x, 0.0, 0.5]]);
        last = body;
    }
    Scene { model: world.model, ops: Vec::new() }
}

/// A cube bonded under a ceiling and one bonded to it, pulled until both bonds break; meshes, so that bonds have areas.
pub fn bonded() -> Scene {
    let mut world = World::new(2e-3).gravity([0.0, 0.0, -9.81]).surface(|s| (s.friction, s.cohesion) = (0.4, 5e4));
    world.obstacle(block([-1.0, -1.0, 1.0], [1.0, 1.0, 1.2], [2, 2, 1]));
    let upper = world.rigid(block([0.0, 0.0, 0.6], [0.4, 0.4, 1.00001], [2, 2, 1]), 100.0);
    let lower = world.rigid(block([0.05, 0.05, 0.2], [0.35, 0.35, 0.60001], [1, 2, 1]), 100.0);
    let pull = series(&mut world, &[[0.0, 0.0], [0.06, 4e3]]);
    for body in [lower, upper] {
        world.model.loads.push(LoadRow {
            kind: LoadKind::Force {
                convected: false,
                point: Vec3::new(0.1, 0.3, 0.4),
                direction: -Vec3::z(),
                value: pull,
            },
            body,
            line: 0,
        });
    }
    Scene { model: world.model, ops: Vec::new() }
}

/// Whatever operations can do while a heap falls: bodies come, leave, are deleted and changed; settings and materials
/// too.
pub fn changes(compat: &[&str]) -> Scene {
    let mut scene = heap(Analysis::Dynamic);
    scene.model.compat = compat.iter().map(|name| name.to_string()).collect();
    let mut world = World { model: scene.model };
    let first = world.model.bodies.len() as u32;
    let mut late = |center| world.rigid(ball(center, 0.08), 100.0);
    late([0.5, 0.5, 0.5]);
    late([-0.5, 0.5, 0.09]);
    let solver = SolverSettings::GaussSeidel(GaussSeidel::new(1e-6, 1000)).into();
    world.model.program = vec![Op::Run { duration: 1.0, solver }, Op::InsertBodies(Rows { rows: [first, first + 2] })];
    let last = u64::from(first) + 1;
    let conf = vec![0.0, 1.0, 0.0, -1.0, 0.0, 0.0, 0.0, 0.0, 1.0, 0.6, 0.5, 0.3];
    let material = SurfaceMaterial { friction: 0.9, restitution: 0.1, ..world.model.surface[0].clone() };
    let [sparse, wide] = [[0.3, 1e-5, 0.05], [0.0, 0.0, 1e-6]].map(|[threshold, minarea, mindist]| {
        Op::ContactSparsify { threshold, minarea, mindist, projected: threshold > 0.0 }
    });
    let ops = vec![
        (2, sparse),
        (3, Op::DeleteBody { body: 3 }),
        (5, Op::InsertBodies(Rows { rows: [first, first + 2] })),
        (5, Op::InitialVelocity { body: last, linear: [-1.0, 0.0, 0.0], angular: [0.0, 0.0, 4.0] }),
        (6, Op::Output { interval: 0.01, compress: 0, single: false }),
        (7, Op::SetConfiguration { body: last, conf }),
        (8, Op::SetScheme { body: last, scheme: Scheme::RigImp }),
        (
            9,
            Op::BodyChars {
                body: 15,
                mass: 4.0,
                volume: 0.02,
                center: [-0.5, -0.5, 0.15],
                tensor: [0.1, 0.0, 0.0, 0.0, 0.2, 0.0, 0.0, 0.0, 0.15],
            },
        ),
        (10, Op::SurfaceMaterial { row: 0, material }),
        (11, Op::ContactExcludeBodies { bodies: [2, 5] }),
        (12, Op::DisableRotation { body: 4, on: true }),
        (13, Op::Callback { interval: 0.003, function: Some(5) }),
        (14, Op::Extents { bounds: [-0.7, -1.0, -2.0, 2.0, 2.0, 2.0] }),
        (15, Op::Step { value: 1.5e-3 }),
        (17, wide),
        (18, Op::GeometricEpsilon { value: 1e-5 }),
    ];
    Scene { model: world.model, ops }
}

/// Cubes of elements that swell and shrink so far that their strain decides how long an explicit step may be. The step
/// follows it up and down.
pub fn swollen() -> Scene {
    let mut world = World::new(5e-3);
    (world.model.bulk[0].young, world.model.bulk[0].poisson) = (1e6, 0.3);
    world.model.settings.step_recovery = true;
    for (k, form) in [Formulation::TotalLagrangian, Formulation::Corotational].into_iter().enumerate() {
        let low = [3.0 * k as f64, 0.0, 0.0];
        let shape = cube(low, 1.0, 2);
        let rate = |x: &Vec3| (x - Vec3::from(low)) * 12.0;
        let velo = shape.vertices().iter().map(rate).flat_map(|v| [v.x, v.y, v.z]).collect();
        let body = world.body(BodyKind::FiniteElement, &[shape], 1000.0);
        let row = &mut world.model.bodies[body as usize - 1];
        (row.form, row.scheme, row.velo) = (form, Scheme::DefExp, velo);
    }
    Scene { model: world.model, ops: Vec::new() }
}
