//! A model that grows body by body costs time in proportion to its bodies, in the deck's tables, in the simulation and
//! in the results. What is counted is memory taken: a copy of everything for each body would show as four times as much
//! for twice the bodies.

use std::alloc::{GlobalAlloc, Layout, System};
use std::sync::atomic::{AtomicU64, Ordering};

use solfec::load::Series;
use solfec::material::BulkMaterial;
use solfec::math::Vec3;
use solfec::model::{
    characteristics, Analysis, BodyKind, BodyRow, Definition, Formulation, GaussSeidel, LoadKind, LoadRow, Model, Op,
    Scheme, SolverSettings,
};
use solfec::shape::{Shape, Sphere};
use solfec::simulation::Simulation;
use solfec_formats::model::{ModelFile, Provenance};
use solfec_formats::results::{Options, Writer};
use tools_testing::scratch::Scratch;

/// Counts the bytes that are ever taken.
struct Counting;

static TAKEN: AtomicU64 = AtomicU64::new(0);

// SAFETY: every call is passed on to the system's allocator as it is.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        TAKEN.fetch_add(layout.size() as u64, Ordering::Relaxed);
        System.alloc(layout)
    }

    unsafe fn dealloc(&self, at: *mut u8, layout: Layout) {
        System.dealloc(at, layout)
    }

    unsafe fn realloc(&self, at: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        TAKEN.fetch_add(size as u64, Ordering::Relaxed);
        System.realloc(at, layout, size)
    }
}

#[global_allocator]
static ALLOCATOR: Counting = Counting;

/// A ball with a label of its own.
fn ball(k: usize, shape: &Shape) -> BodyRow {
    let kind = BodyKind::Rigid;
    BodyRow {
        id: 0,
        label: format!("ball {k}"),
        kind,
        form: Formulation::TotalLagrangian,
        base: None,
        enhanced: false,
        quadratic: false,
        samples: None,
        scheme: Scheme::Default,
        material: 0,
        volumes: Vec::new(),
        shapes: 0..0,
        chars: characteristics(std::slice::from_ref(shape), 1.0, kind).expect("a solid body"),
        damping: 0.0,
        selfcontact: false,
        disable_rotation: false,
        conf: Vec::new(),
        velo: Vec::new(),
        line: 0,
    }
}

/// A model that has run.
fn started() -> Model {
    let mut model = Model::new(Analysis::Dynamic, 1e-3, "out/growth");
    let (tensile, fracene) = (f64::INFINITY, f64::INFINITY);
    let material = BulkMaterial {
        label: "m".into(),
        young: 1e9,
        poisson: 0.25,
        density: 1.0,
        tensile,
        fracene,
        varying: Default::default(),
    };
    let solver = SolverSettings::GaussSeidel(GaussSeidel::new(1e-3, 10)).into();
    for op in [Op::Define(Definition::Bulk { row: 0, material }), Op::Run { duration: 1.0, solver }] {
        model.apply(op).expect("an operation");
    }
    model
}

/// The operations of a deck that makes `n` balls, each pushed by a force that follows a series of its own.
fn growth(n: usize) -> Vec<Op> {
    let mut model = started();
    let shape = Shape::new(Sphere::new(Vec3::zeros(), 0.5, 1, 1).expect("a ball"));
    let mut ops = Vec::new();
    for k in 0..n {
        let series = Series::constant(k as f64);
        let kind = LoadKind::Force { convected: false, point: Vec3::zeros(), direction: Vec3::z(), value: k as u32 };
        ops.push(model.new_body(ball(k, &shape), vec![shape.clone()]));
        ops.push(Op::Define(Definition::Series { row: k as u32, series }));
        ops.push(model.new_load(LoadRow { kind, body: k as u64 + 1, line: 0 }));
        for op in &ops[3 * k..] {
            model.apply(op.clone()).expect("an operation");
        }
    }
    ops
}

/// Bytes taken by `work`.
fn taken(work: impl FnOnce()) -> f64 {
    let before = TAKEN.load(Ordering::Relaxed);
    work();
    (TAKEN.load(Ordering::Relaxed) - before) as f64
}

fn check(what: &str, of: impl Fn(&[Op])) {
    let [half, whole] = [1000, 2000].map(|n| {
        let ops = growth(n);
        taken(|| of(&ops))
    });
    assert!(whole < 2.8 * half, "{what}: {half} bytes for 1000 bodies, {whole} for 2000");
}

#[test]
fn bodies_one_at_a_time_cost_linear_time() {
    check("model", |ops| {
        let mut model = started();
        ops.iter().for_each(|op| model.apply(op.clone()).expect("an operation"));
        // They are one operation of the program, beside the loads between them.
        assert_eq!(model.bodies.len(), ops.len() / 3);
    });
    check("simulation", |ops| {
        let mut simulation = Simulation::new(&started()).expect("a model");
        ops.iter().for_each(|op| simulation.apply(op).expect("an operation"));
        assert_eq!(simulation.bodies().len(), ops.len() / 3);
    });
    let folder = Scratch::new();
    check("results", |ops| {
        let file = ModelFile { domains: vec![started()], provenance: Provenance::default() };
        let options = Options { overwrite: true, compress: 0, phases: Vec::new(), ..Options::default() };
        let mut writer = Writer::create(&folder, &file, options).expect("a directory");
        writer.keep_model(file);
        for op in ops {
            if let Some(stored) = op.stored() {
                writer.record(0, &stored, 0).expect("memory");
            }
            writer.grow(0, op.clone()).expect("an operation");
        }
    });
}
