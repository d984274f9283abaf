//! A model with everything in it, and frames of its bodies.

use std::path::PathBuf;
use std::sync::Arc;

use solfec::frame::*;
use solfec::ids::CatalogueRow;
use solfec::load::{Reading, Series};
use solfec::material::{BulkMaterial, SurfaceMaterial, SurfaceModel};
use solfec::math::{Mat3, Vec3};
use solfec::model::*;
use solfec::shape::*;
use solfec_formats::model::{Input, ModelFile, Provenance};

/// An empty directory of its own for a test.
pub fn folder(name: &str) -> PathBuf {
    let dir = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("formats").join(name);
    let _ = std::fs::remove_dir_all(&dir);
    std::fs::create_dir_all(&dir).unwrap();
    dir
}

/// The unit cube as eight nodes in the order of a hexahedron.
fn cube() -> Vec<Vec3> {
    [(0, 0, 0), (1, 0, 0), (1, 1, 0), (0, 1, 0), (0, 0, 1), (1, 0, 1), (1, 1, 1), (0, 1, 1)]
        .map(|(x, y, z)| Vec3::new(x as f64, y as f64, z as f64))
        .to_vec()
}

fn hexahedron() -> Geometry {
    Geometry::Mesh(Mesh {
        nodes: cube(),
        elements: vec![Element { kind: ElementKind::Hex, nodes: [0, 1, 2, 3, 4, 5, 6, 7], volid: 3 }],
        boundary: (0..6).map(|local| BoundaryFace { element: 0, local, surfid: 10 + i32::from(local) }).collect(),
    })
}

fn tetrahedron() -> Geometry {
    let faces = [[0, 2, 1], [0, 1, 3], [1, 2, 3], [2, 0, 3]];
    Geometry::Convex(Convex {
        vertices: vec![Vec3::zeros(), Vec3::x(), Vec3::y(), Vec3::z()],
        faces: faces
            .iter()
            .enumerate()
            .map(|(i, f)| Face { nodes: f.as_slice().into(), surfid: i as i32 - 2 })
            .collect(),
        volid: -7,
    })
}

fn ball(radius: f64) -> Geometry {
    Geometry::Sphere(Sphere { center: Vec3::new(0.1, 0.2, 0.3), radius, volid: 1, surfid: 2 })
}

fn ellipsoid() -> Geometry {
    let axes = Mat3::new(0.0, -2.0, 0.0, 0.5, 0.0, 0.0, 0.0, 0.0, 3.0);
    Geometry::Ellipsoid(Ellipsoid::with_axes(Vec3::new(0.4, 0.5, 0.6), &axes, -4, 6).expect("axes across each other"))
}

fn body(id: u64, kind: BodyKind, shapes: std::ops::Range<u32>) -> BodyRow {
    BodyRow {
        id,
        label: format!("body µ{id}"),
        kind,
        form: Formulation::TotalLagrangian,
        base: None,
        enhanced: false,
        quadratic: false,
        samples: None,
        scheme: Scheme::Default,
        material: 0,
        volumes: if id == 2 { vec![(-7, 0), (3, 0)] } else { Vec::new() },
        shapes,
        chars: Characteristics {
            mass: 1.0 / 3.0,
            volume: 0.1 + id as f64,
            center: Vec3::new(0.1, 0.2, 0.3),
            tensor: Mat3::new(1.0, 0.1, 0.2, 0.3, 2.0, 0.4, 0.5, 0.6, 3.0),
        },
        damping: 1e-3,
        selfcontact: id == 2,
        disable_rotation: id == 3,
        conf: Vec::new(),
        velo: Vec::new(),
        line: 40 + id as u32,
    }
}

/// One operation of every kind; infinite numbers where they make sense.
pub fn operations() -> Vec<StoredOp> {
    let gauss = GaussSeidel {
        reverse: true,
        relaxation: 1.0 / 3.0,
        variant: Variant::MiddleJacobi,
        innerloops: 2,
        ..GaussSeidel::new(1e-3, 1000)
    };
    let newton = Newton { omega: None, linver: LinearVariant::Diag, reldelta: Delta::Least, ..Newton::default() };
    let dashpot = SurfaceMaterial {
        surf: [1, 2],
        label: "soft".into(),
        model: SurfaceModel::SpringDashpot,
        dashpot: -1.0,
        spring: 0.1 + 0.2,
        ..SurfaceMaterial::default()
    };
    vec![
        Op::Output { interval: 0.01, compress: 1, single: false },
        Op::Run {
            duration: 0.1 + 0.2,
            solver: Solver {
                failure: Failure::Callback,
                callback: Some(9),
                ..SolverSettings::GaussSeidel(gauss).into()
            },
        },
        Op::InsertBodies(Rows { rows: [3, 4] }),
        Op::InsertConstraints(Rows { rows: [4, 5] }),
        Op::InsertLoads(Rows { rows: [2, 4] }),
        Op::DeleteConstraint { row: 1 },
        Op::Callback { interval: 0.05, function: Some(4) },
        Op::Callback { interval: 0.05, function: None },
        Op::InitialVelocity { body: 4, linear: [0.0, -0.0, 1.0 / 3.0], angular: [1e-300, 5e-324, 1e300] },
        Op::SetVelocity { body: 2, velo: vec![0.1; 6] },
        Op::SetConfiguration { body: 2, conf: vec![0.7; 12] },
        Op::SetScheme { body: 2, scheme: Scheme::RigImp },
        Op::SetDamping { body: 3, damping: 0.5 },
        Op::DisableRotation { body: 3, on: true },
        Op::Gravity { series: [0, 1, 0] },
        Op::GeometricEpsilon { value: 1e-7 },
        Op::ContactSparsify { threshold: 0.1, minarea: 1e-9, mindist: 1e-3, projected: true },
        Op::ContactExcludeBodies { bodies: [1, 2] },
        Op::ContactExcludeSurfaces { surfaces: [-5, 5] },
        Op::ContactExcludeObjects { bodies: [1, 3], objects: [0, 2] },
        Op::Extents { bounds: [-1.0, -2.0, -3.0, f64::INFINITY, 2.0, 3.0] },
        Op::UnphysicalPenetration { depth: f64::INFINITY },
        Op::ContactPoints { number: 3 },
        Op::ImbalanceTolerance { tolerance: 1.3, weightfactor: 0.5, updatefreq: 7 },
        Op::SurfaceMaterial { row: 1, material: dashpot },
        Op::BulkMaterial { row: 0, young: 1e9, poisson: 0.3 },
        Op::Step { value: 1e-3 },
        Op::Run { duration: 1.0, solver: SolverSettings::Newton(newton).into() },
        Op::Run { duration: 1.0, solver: SolverSettings::Siconos(Siconos::default()).into() },
        Op::Run {
            duration: 1.0,
            solver: Solver { failure: Failure::Exit, ..SolverSettings::Auto(Auto::default()).into() },
        },
        Op::DeleteBody { body: 2 },
        Op::Run {
            duration: 1.0,
            solver: SolverSettings::Penalty(Penalty { variant: PenaltyVariant::Implicit }).into(),
        },
    ]
}

/// A unit vector without round numbers.
fn slant() -> Vec3 {
    Vec3::new(1.0, 2.0, -3.0).normalize()
}

/// One constraint of every kind and every option.
fn constraints() -> Vec<ConstraintRow> {
    let turn = Mat3::new(0.0, -1.0, 0.0, 1.0, 0.0, 0.0, 0.0, 0.0, 1.0);
    let d = slant();
    let drive = |what| Joint::Drive { what, direction: d, series: 1 };
    let spring = |law, axis| Joint::Spring { law, axis, limits: [-0.1, f64::INFINITY] };
    let linear = SpringLaw::Linear { stiffness: 100.0, damping: 1.0 / 3.0 };
    let joints = [
        (Joint::FixPoint { strength: f64::INFINITY }, None),
        (Joint::FixPoint { strength: 12.5 }, Some(3)),
        (Joint::FixDirection { direction: d }, None),
        (Joint::FixDirection { direction: d }, Some(1)),
        (drive(Prescribed::Displacement), None),
        (drive(Prescribed::Velocity), None),
        (drive(Prescribed::Acceleration), None),
        (Joint::Drive3 { what: Prescribed::Acceleration, base: turn, series: [1, 0, 1] }, None),
        (Joint::RigidLink { strength: 1e3 }, None),
        (Joint::RigidLink { strength: f64::INFINITY }, Some(3)),
        (spring(linear, SpringAxis::Follow), Some(1)),
        (spring(linear, SpringAxis::Fixed(d)), Some(1)),
        (spring(SpringLaw::Table { series: 1 }, SpringAxis::Master(d)), Some(1)),
        (spring(SpringLaw::Function { function: 7 }, SpringAxis::Slave(d)), Some(1)),
    ];
    let row = |(i, (joint, slave)): (usize, (Joint, Option<u64>))| ConstraintRow {
        joint,
        master: 2,
        slave,
        points: [Vec3::new(0.1, 0.2, 1.0 / 3.0), Vec3::new(-0.1, i as f64, 0.0)],
        line: 60 + i as u32,
    };
    joints.into_iter().enumerate().map(row).collect()
}

fn loads() -> Vec<LoadRow> {
    let (direction, point) = (slant(), Vec3::new(0.1, 0.2, 1.0 / 3.0));
    [
        LoadKind::Force { convected: false, point, direction, value: 1 },
        LoadKind::Force { convected: true, point, direction, value: 0 },
        LoadKind::Torque { convected: true, direction, value: 1 },
        LoadKind::Pressure { surface: -7, value: 1, follower: true },
        LoadKind::Function { function: 0 },
    ]
    .map(|kind| LoadRow { kind, body: 2, line: 80 })
    .to_vec()
}

fn functions() -> Vec<FunctionRow> {
    [(0, FunctionKind::Force), (7, FunctionKind::Spring), (4, FunctionKind::Callback), (9, FunctionKind::Failure)]
        .map(|(function, kind)| FunctionRow {
            function, name: format!("Größe.{function}"), kind, line: 90 + function
        })
        .to_vec()
}

/// All kinds of shapes, bodies, materials, settings and operations.
pub fn model() -> Model {
    let mut m = Model::new(Analysis::Dynamic, 0.001, "out/sample");
    m.series = vec![
        Series::constant(-9.81),
        Series::new("push", vec![0.0, 0.1, 2.0], vec![0.0, 1.0 / 3.0, -1e300]).expect("a series"),
        Series::new("", vec![0.0, 0.5], vec![0.1, 0.2]).and_then(|s| s.read_as(Reading::Integral)).expect("a series"),
    ];
    m.bulk.push(BulkMaterial {
        label: "stone".into(),
        young: 30e9,
        poisson: 0.2,
        density: 2600.0,
        tensile: f64::INFINITY,
        fracene: 12.5,
        varying: Default::default(),
    });
    m.surface.push(SurfaceMaterial {
        surf: [-3, i32::MAX],
        label: "rough".into(),
        friction: 0.7,
        restitution: 0.5,
        cohesion: 1e3,
        ..SurfaceMaterial::default()
    });
    m.library = [hexahedron(), ball(0.5), tetrahedron(), ball(0.25), ellipsoid()].map(Arc::new).to_vec();
    let turn = Mat3::new(0.0, -1.0, 0.0, 1.0, 0.0, 0.0, 0.0, 0.0, 1.0);
    for (geometry, rotation) in
        [(0, Mat3::identity()), (1, turn), (2, Mat3::identity()), (0, turn), (3, Mat3::identity())]
    {
        m.shapes.push(ShapeRow { geometry, rotation, shift: Vec3::new(0.1, -0.2, f64::from(geometry)) });
    }
    m.bodies = vec![
        body(1, BodyKind::Obstacle, 0..1),
        body(2, BodyKind::Rigid, 1..3),
        body(3, BodyKind::PseudoRigid, 3..4),
        body(4, BodyKind::Rigid, 4..5),
    ];
    m.bodies[1].conf = vec![1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0, 0.5, 0.25, 0.125];
    m.bodies[1].velo = vec![0.1, 0.2, 0.3, 0.4, 0.5, 0.6];
    m.bodies[2].velo = vec![0.3; 12];
    (m.constraints, m.loads, m.functions) = (constraints(), loads(), functions());
    m.settings.gravity = Some([1, 0, 0]);
    m.settings.extents = Some([-1.0, -2.0, -3.0, 1.0, 2.0, 3.0]);
    m.settings.excluded_bodies = vec![[1, 2], [2, 3]];
    m.settings.excluded_surfaces = vec![[1, i32::MAX]];
    m.settings.excluded_objects = vec![[1, 0, 2, 1]];
    m.compat = vec!["schedule".into(), "history_span".into()];
    m.program = operations();
    m
}

pub fn file() -> ModelFile {
    let mut second = Model::new(Analysis::QuasiStatic, 0.5, "out/second");
    second.verbose = "%\n".into();
    ModelFile {
        domains: vec![model(), second],
        provenance: Provenance {
            deck: "from solfec import *\n# µ\n".into(),
            inputs: vec![Input { path: "mesh.inp".into(), size: 123, sha256: "ab".repeat(32) }],
            runs: vec![r#"{"tool":"sf-build"}"#.into()],
            requires_live: true,
        },
    }
}

/// A number that depends on everything.
fn number(k: u64, row: usize, i: usize) -> f64 {
    (k as f64 + 0.1) * (row as f64 + 1.0 / 3.0) + i as f64 * 0.7
}

/// Frame `k`: bodies 2 and 4 (from frame 3 on) rigid, 3 pseudo-rigid until frame 5, `k % 4` contacts; the second body
/// has new characteristics from frame 4 on, the first from frame 6 on.
pub fn frame(k: u64) -> Frame {
    let some = |row: usize| -> [f64; 9] { std::array::from_fn(|i| number(k, row, i)) };
    let three = |row: usize| -> [f64; 3] { std::array::from_fn(|i| number(k, row, i)) };
    let six = |row: usize| -> [f64; 6] { std::array::from_fn(|i| number(k, row, i)) };
    // The order of the format: shape class, then id. Body 4 is one sphere, 1 one mesh, 2 has several shapes.
    let bodies: Vec<u32> = if k < 3 { vec![0, 1] } else { vec![3, 0, 1] };
    let n = bodies.len();
    let pseudo: Vec<u32> = if k < 5 { vec![2] } else { vec![] };
    let p = pseudo.len();
    let changed: Vec<u32> = [0, 1].into_iter().filter(|b| k >= 6 - 2 * b).map(|b| b as u32).collect();
    let c = (k % 4) as usize;
    let rows3 = |n: usize| (0..n).map(three).collect::<Vec<_>>();
    Frame {
        index: k,
        time: k as f64 * 0.1,
        step_count: 10 * k,
        h: 0.01,
        statistics: SolverStatistics { iterations: k as f64, merit: 1e-9, error: 1e-4 },
        run: (k / 4) as u32,
        rigid: RigidRows {
            x: rows3(n),
            rot: (0..n).map(some).collect(),
            v: rows3(n),
            omega: rows3(n),
            energy: bodies.iter().map(|&b| six(b as usize)).collect(),
            body: bodies,
        },
        pseudo: PseudoRows {
            x: rows3(p),
            f: (0..p).map(some).collect(),
            v: rows3(p),
            fdot: (0..p).map(some).collect(),
            energy: (0..p).map(six).collect(),
            body: pseudo,
        },
        nodal: NodalRows::default(),
        nodes: NodeRows::default(),
        laws: Default::default(),
        chars: CharsRows {
            mass: changed.iter().map(|&b| number(k, b as usize, 1)).collect(),
            volume: changed.iter().map(|&b| number(k, b as usize, 2)).collect(),
            center: changed.iter().map(|&b| three(b as usize)).collect(),
            tensor: changed.iter().map(|&b| some(b as usize)).collect(),
            body: changed,
        },
        constraints: ConstraintRows {
            id: (0..c as u64).map(|i| i + 100 * k).collect(),
            kind: vec![0; c],
            row: vec![NO_ROW; c],
            master: vec![1; c],
            slave: vec![0; c],
            point: rows3(c),
            normal: rows3(c),
            user_tangents: vec![[0.0; 6]; c],
            r: rows3(c),
            u: rows3(c),
            v: rows3(c),
            force: rows3(c),
            gap: vec![-1e-6; c],
            area: vec![0.5; c],
            merit: vec![1e-12; c],
            material: vec![1; c],
            surf: vec![[10, -2]; c],
            state: vec![1; c],
            aux: vec![[500.0, 0.0, 0.0, 0.0]; c],
        },
        events: match k {
            3 => vec![Event { time: 0.29, kind: EventKind::Born, body: CatalogueRow(3), parent: CatalogueRow::NONE }],
            5 => vec![Event {
                time: 0.49,
                kind: EventKind::LeftExtents,
                body: CatalogueRow(2),
                parent: CatalogueRow::NONE,
            }],
            _ => vec![],
        },
    }
}

/// Row `t` of the step log of several ranks.
pub fn step_of_ranks(t: u64) -> StepRow {
    StepRow { colours: 2.0, bottom: t as f64, middle: 0.0, top: 3.0, inner: 1e3 + t as f64, ..step(t) }
}

/// Row `t` of the step log.
pub fn step(t: u64) -> StepRow {
    StepRow {
        colours: f64::NAN,
        bottom: f64::NAN,
        middle: f64::NAN,
        top: f64::NAN,
        inner: f64::NAN,
        time: t as f64 * 0.01,
        h: 0.01,
        constraints: t % 4,
        bodies: 3,
        iterations: t as u32 * 2,
        merit: 1e-9 / (t + 1) as f64,
        error: 1e-4,
    }
}
