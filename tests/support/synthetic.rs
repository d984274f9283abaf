//! Results made without a simulation: every kind of shape, known motions, a body born late, contacts that come and go.

use std::path::Path;
use std::sync::{Arc, PoisonError};
use std::time::Instant;

use solfec::frame::{ConstraintRows, Frame, PseudoRows, RigidRows, SolverStatistics, StepRow, NO_ROW};
use solfec::math::{Mat3, Vec3};
use solfec::model::{
    Analysis, BodyKind, BodyRow, Characteristics, Formulation, GaussSeidel, Model, Op, Rows, Scheme, ShapeRow,
    SolverSettings,
};
use solfec::shape::{BoundaryFace, Convex, Element, ElementKind, Face, Geometry, Mesh, Sphere};
use solfec_formats::model::ModelFile;
use solfec_formats::results::{Options, Writer};

use crate::process::WRITING;

pub const STEP: f64 = 0.01;
pub const INTERVAL: f64 = 0.1;
pub const FRAMES: usize = 5;
/// Frame in which the last body appears.
pub const BIRTH: usize = 2;
/// Rows of the model.
pub const FLOOR: u32 = 0;
pub const BOX: u32 = 1;
pub const BALL: u32 = 2;
pub const SOFT: u32 = 3;
pub const WEDGE: u32 = 4;
pub const LATE: u32 = 5;
/// Height from which the ball falls, and its acceleration.
pub const HEIGHT: f64 = 2.0;
pub const GRAVITY: f64 = 9.81;

fn element(kind: ElementKind, faces: u8, nodes: &[[f64; 3]]) -> Geometry {
    let mut numbers = [0; 8];
    for (i, n) in numbers.iter_mut().enumerate().take(nodes.len()) {
        *n = i as u32;
    }
    Geometry::Mesh(Mesh {
        nodes: nodes.iter().map(|&x| x.into()).collect(),
        elements: vec![Element { kind, nodes: numbers, volid: 7 }],
        boundary: (0..faces).map(|local| BoundaryFace { element: 0, local, surfid: 3 }).collect(),
    })
}

fn brick(low: [f64; 3], high: [f64; 3]) -> [[f64; 3]; 8] {
    let ([a, b, c], [d, e, f]) = (low, high);
    [[a, b, c], [d, b, c], [d, e, c], [a, e, c], [a, b, f], [d, b, f], [d, e, f], [a, e, f]]
}

fn cube() -> Geometry {
    let faces = [[0, 3, 2, 1], [0, 1, 5, 4], [1, 2, 6, 5], [2, 3, 7, 6], [0, 4, 7, 3], [4, 5, 6, 7]];
    Geometry::Convex(Convex {
        vertices: brick([0.0; 3], [1.0; 3]).iter().map(|&x| x.into()).collect(),
        faces: faces
            .iter()
            .enumerate()
            .map(|(i, f)| Face { nodes: f.as_slice().into(), surfid: i as i32 + 1 })
            .collect(),
        volid: 2,
    })
}

/// Six bodies: FLOOR (hexahedron), BOX (polyhedron), BALL (sphere), SOFT (pseudo-rigid tetrahedron and pyramid), WEDGE,
/// and LATE (a copy of the BOX), which an INSERT_BODIES brings.
pub fn model() -> Model {
    let mut model = Model::new(Analysis::Dynamic, STEP, "out/synthetic");
    model.bulk = vec![solfec::material::BulkMaterial {
        label: "stone".into(),
        young: 1e9,
        poisson: 0.25,
        density: 1000.0,
        tensile: f64::INFINITY,
        fracene: f64::INFINITY,
        varying: Default::default(),
    }];
    let tetrahedron = [[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]];
    let pyramid = [[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [1.0, 1.0, 0.0], [0.0, 1.0, 0.0], [0.5, 0.5, 1.0]];
    let wedge = [[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0], [1.0, 0.0, 1.0], [0.0, 1.0, 1.0]];
    let geometries = [
        element(ElementKind::Hex, 6, &brick([-9.0, -9.0, -1.0], [9.0, 9.0, 0.0])),
        cube(),
        Geometry::Sphere(Sphere { center: Vec3::zeros(), radius: 0.5, volid: 4, surfid: 5 }),
        element(ElementKind::Tet, 4, &tetrahedron),
        element(ElementKind::Pyramid, 5, &pyramid),
        element(ElementKind::Wedge, 5, &wedge),
    ];
    model.library = geometries.into_iter().map(Arc::new).collect();
    let placed =
        |geometry: u32, x: f64, z: f64| ShapeRow { geometry, rotation: Mat3::identity(), shift: Vec3::new(x, 0.0, z) };
    model.shapes = vec![
        placed(0, 0.0, 0.0),
        placed(1, 0.0, 0.0),
        placed(2, 3.0, HEIGHT),
        placed(3, 5.0, 0.0),
        placed(4, 7.0, 0.0),
        placed(5, -3.0, 0.0),
        placed(1, -6.0, 0.0),
    ];
    let mut body = |label: &str, kind, shapes, center: [f64; 3]| {
        let id = model.bodies.len() as u64 + 1;
        model.bodies.push(BodyRow {
            id,
            label: label.into(),
            kind,
            form: Formulation::TotalLagrangian,
            base: None,
            enhanced: false,
            quadratic: false,
            samples: None,
            scheme: Scheme::Default,
            material: 0,
            volumes: Vec::new(),
            shapes,
            chars: Characteristics { mass: 1.0, volume: 1.0, center: center.into(), tensor: Mat3::identity() },
            damping: 0.0,
            selfcontact: false,
            disable_rotation: false,
            conf: Vec::new(),
            velo: Vec::new(),
            line: 0,
        });
    };
    body("FLOOR", BodyKind::Obstacle, 0..1, [0.0, 0.0, -0.5]);
    body("BOX", BodyKind::Rigid, 1..2, [0.5, 0.5, 0.5]);
    body("BALL", BodyKind::Rigid, 2..3, [3.0, 0.0, HEIGHT]);
    body("SOFT", BodyKind::PseudoRigid, 3..5, [6.0, 0.5, 0.25]);
    body("WEDGE", BodyKind::Rigid, 5..6, [-2.7, 0.3, 0.5]);
    body("LATE", BodyKind::Rigid, 6..7, [-5.5, 0.5, 0.5]);
    let run = |duration| Op::Run { duration, solver: SolverSettings::GaussSeidel(GaussSeidel::new(1e-4, 100)).into() };
    model.program =
        vec![run(INTERVAL), Op::InsertBodies(Rows { rows: [LATE, LATE + 1] }), run(INTERVAL * (FRAMES - 2) as f64)];
    model
}

/// Frame `k`: the ball falls, the box turns about z with 1 rad/s, the soft body stretches along x with 1/s.
pub fn frame(model: &Model, k: usize) -> Frame {
    let t = k as f64 * INTERVAL;
    let mut rigid = RigidRows::default();
    for row in [FLOOR, BOX, BALL, WEDGE, LATE] {
        if row == LATE && k < BIRTH {
            continue;
        }
        let mut x: [f64; 3] = model.bodies[row as usize].chars.center.into();
        let (mut rot, mut omega, mut v) = ([1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0], [0.0; 3], [0.0; 3]);
        if row == BALL {
            x[2] -= 0.5 * GRAVITY * t * t;
            v[2] = -GRAVITY * t;
        }
        if row == BOX {
            let (s, c) = t.sin_cos();
            rot = [c, s, 0.0, -s, c, 0.0, 0.0, 0.0, 1.0];
            omega[2] = 1.0;
        }
        rigid.body.push(row);
        rigid.x.push(x);
        rigid.rot.push(rot);
        rigid.v.push(v);
        rigid.omega.push(omega);
        let e = f64::from(row);
        rigid.energy.push([e * t, 0.0, 10.0 * e, -e, 0.5 * e, 0.0]);
    }
    let pseudo = PseudoRows {
        body: vec![SOFT],
        x: vec![model.bodies[SOFT as usize].chars.center.into()],
        f: vec![[1.0 + t, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0]],
        v: vec![[0.0; 3]],
        fdot: vec![[1.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0]],
        energy: vec![[0.0, 7.0, 0.0, 0.0, 0.0, 0.25]],
    };
    let nan = if k == 0 { f64::NAN } else { 1.0 };
    Frame {
        index: k as u64,
        time: t,
        step_count: (k * 10) as u64,
        h: STEP,
        statistics: SolverStatistics { iterations: nan * (10 + k) as f64, merit: nan * 1e-6, error: nan * 1e-5 },
        run: u32::from(k > 1),
        rigid,
        pseudo,
        nodal: Default::default(),
        nodes: Default::default(),
        laws: Default::default(),
        chars: Default::default(),
        constraints: contacts(k),
        events: Vec::new(),
    }
}

/// Contacts of the box (master) with the floor: `k` of them in frame `k`, but none in frame 3.
pub fn contact_count(k: usize) -> usize {
    if k == 3 {
        0
    } else {
        k
    }
}

fn contacts(k: usize) -> ConstraintRows {
    let mut c = ConstraintRows::default();
    for i in 0..contact_count(k) {
        let x = i as f64;
        c.id.push((10 * k + i) as u64);
        c.kind.push(0);
        c.row.push(NO_ROW);
        c.master.push(BOX);
        c.slave.push(FLOOR);
        c.point.push([x, 0.5, 0.0]);
        c.normal.push([0.0, 0.0, 1.0]);
        c.user_tangents.push([0.0; 6]);
        c.r.push([1.0, 2.0, 3.0 + x]);
        c.u.push([0.1, 0.2, 0.0]);
        c.v.push([0.0; 3]);
        c.force.push([-2.0, -1.0, 3.0 + x]);
        c.gap.push(-1e-5 * (1.0 + x));
        c.area.push(0.25);
        c.merit.push(0.0);
        c.material.push(0);
        c.surf.push([1, 3]);
        c.state.push(0);
        c.aux.push([0.0; 4]);
    }
    c
}

/// Writes the results into `dir`.
pub fn write_results(dir: &Path) -> Model {
    let _nobody_starts = WRITING.lock().unwrap_or_else(PoisonError::into_inner);
    let model = model();
    let file = ModelFile { domains: vec![model.clone()], ..ModelFile::default() };
    let options =
        Options { overwrite: false, compress: 1, phases: vec!["TIMINT".into(), "CONDET".into()], ..Options::default() };
    let mut writer = Writer::create(dir, &file, options).unwrap();
    for (op, step) in model.program.iter().zip([0, 10, 10]) {
        writer.record(0, op, step).unwrap();
    }
    for k in 0..FRAMES {
        if k > 0 {
            for s in 1..=10 {
                let row = StepRow {
                    colours: f64::NAN,
                    bottom: f64::NAN,
                    middle: f64::NAN,
                    top: f64::NAN,
                    inner: f64::NAN,
                    time: ((k - 1) * 10 + s) as f64 * STEP,
                    h: STEP,
                    constraints: contact_count(k) as u64,
                    bodies: 5,
                    iterations: s as u32,
                    merit: 1e-6,
                    error: 1e-5,
                };
                writer.step(0, row, &[0.001, 0.002], Instant::now()).unwrap();
            }
        }
        writer.append(0, frame(&model, k)).unwrap();
        // Several segments, as in a long run.
        if k == 1 {
            writer.flush().unwrap();
        }
    }
    writer.end_run(0, "done").unwrap();
    model
}
