//! Counts the steps that allocate memory after warm-up: only steps in which a buffer grows may do so. Fails otherwise.
//!
//!     cargo bench -p solfec --bench allocations

use std::alloc::{GlobalAlloc, Layout, System};
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

use solfec::load::Series;
use solfec::math::Vec3;
use solfec::model::{
    BodyKind, ConstraintRow, Formulation, GaussSeidel, Joint, LoadKind, LoadRow, Penalty, PenaltyVariant, Scheme,
    SolverSettings, SpringAxis, SpringLaw,
};
use solfec::shape::{Geometry, Shape, Sphere};
use solfec_testing::world::{block, World};

/// Steps before counting, and counted ones.
const WARM_UP: usize = 300;
const COUNTED: usize = 100;
/// Steps in which a buffer may grow, because something happens for the first time (a pair comes near, a contact moves
/// to another element). Code that allocates regularly does so in every step.
const GROWTH: usize = 10;

static COUNT: AtomicU64 = AtomicU64::new(0);

struct Counting;

// SAFETY: every call goes to `System` unchanged; the counter is a static and allocates nothing.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        COUNT.fetch_add(1, Relaxed);
        System.alloc(layout)
    }
    unsafe fn dealloc(&self, at: *mut u8, layout: Layout) {
        System.dealloc(at, layout)
    }
    unsafe fn realloc(&self, at: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        COUNT.fetch_add(1, Relaxed);
        System.realloc(at, layout, size)
    }
}

#[global_allocator]
static ALLOCATOR: Counting = Counting;

/// Blocks of both pseudo-rigid schemes, rigid blocks and balls in layers on a floor.
fn layers() -> World {
    let mut world = World::new(1e-4).gravity([0.0, 0.0, -9.81]).surface(|s| {
        s.friction = 0.4;
        s.spring = 1e8;
        s.dashpot = 1e5;
    });
    // Larger than the vibrations: a set of near pairs that changes may well need memory.
    world.model.settings.epsilon = 1e-3;
    let n = 6;
    world.obstacle(block([-2.0, -2.0, -1.0], [n as f64 + 2.0, n as f64 + 2.0, 0.0], [1, 1, 1]));
    for i in 0..4 * n * n {
        // Askew, so that no two centres are level and the tree of the broad phase keeps its order.
        let [a, b, z] = [i % n, i / n % n, i / n / n].map(|k| k as f64);
        let (x, y) = (1.02 * a + 0.003 * b, 1.02 * b + 0.002 * a + 0.0005 * z);
        let cube = || block([x, y, z], [x + 1.0, y + 1.0, z + 1.0], [2, 2, 1]);
        match i / n / n {
            0 => world.rigid(cube(), 1000.0),
            1 | 2 => {
                let id = world.body(BodyKind::PseudoRigid, &[cube()], 1000.0);
                let row = world.model.bodies.len() - 1;
                world.model.bodies[row].scheme = [Scheme::DefExp, Scheme::DefLim][i % 2];
                id
            }
            _ => {
                let sphere = Sphere::new([x + 0.5, y + 0.5, z + 0.5].into(), 0.5, 1, 1).expect("a ball");
                world.rigid(Shape::new(Geometry::Sphere(sphere)), 1000.0)
            }
        };
    }
    push(&mut world);
    constrain(&mut world);
    world
}

/// A weak spring and a fixed direction on the same body.
fn constrain(world: &mut World) {
    let law = SpringLaw::Linear { stiffness: 1e-3, damping: 0.0 };
    let spring = Joint::Spring { law, axis: SpringAxis::Follow, limits: [f64::NEG_INFINITY, f64::INFINITY] };
    let direction = Joint::FixDirection { direction: Vec3::y() };
    let points = [Vec3::new(0.5, 0.5, 0.5), Vec3::new(-1.0, -1.0, -0.5)];
    for (joint, slave) in [(spring, Some(1)), (direction, None)] {
        world.model.constraints.push(ConstraintRow { joint, master: 2, slave, points, line: 0 });
    }
}

/// A force and a pressure on two bodies, too small to move the layers.
fn push(world: &mut World) {
    let value = world.model.series.len() as u32;
    world.model.series.push(Series::new("push", vec![0.0, 1.0], vec![0.0, 1e-3]).expect("a series"));
    let (point, direction) = (Vec3::zeros(), Vec3::x());
    let force = LoadKind::Force { convected: true, point, direction, value };
    let pressure = LoadKind::Pressure { surface: 1, value, follower: false };
    world.model.loads.extend([force, pressure].map(|kind| LoadRow { kind, body: 2, line: 0 }));
}

/// Co-rotational blocks of finite elements, one on another on a floor.
fn elastic() -> World {
    let mut world = World::new(1e-4).gravity([0.0, 0.0, -9.81]).surface(|s| {
        s.friction = 0.4;
        s.spring = 1e8;
        s.dashpot = 1e5;
    });
    world.model.settings.epsilon = 1e-3;
    (world.model.bulk[0].young, world.model.bulk[0].poisson) = (1e9, 0.3);
    world.obstacle(block([-2.0, -2.0, -1.0], [3.0, 3.0, 0.0], [1; 3]));
    for (low, size, counts) in [([0.0; 3], [1.0, 1.0, 0.5], [4, 4, 2]), ([0.2, 0.2, 0.5], [0.5; 3], [3; 3])] {
        let high = [0, 1, 2].map(|k| low[k] + size[k]);
        let body = world.body(BodyKind::FiniteElement, &[block(low, high, counts)], 2e3);
        let row = &mut world.model.bodies[body as usize - 1];
        (row.form, row.scheme, row.damping) = (Formulation::Corotational, Scheme::DefLim, 1e-4);
    }
    world
}

/// Counted steps that allocated.
fn count(name: &str, world: &World, solver: &SolverSettings, threads: usize) -> usize {
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().expect("a thread pool");
    pool.install(|| {
        let mut simulation = world.simulation();
        for _ in 0..WARM_UP {
            simulation.step(solver).expect("a step");
        }
        let mut contacts = 0;
        let mut allocates = |_: &usize| {
            let before = COUNT.load(Relaxed);
            contacts = simulation.step(solver).expect("a step").contacts;
            COUNT.load(Relaxed) > before
        };
        let steps = (0..COUNTED).filter(&mut allocates).count();
        println!("{name}, {threads} threads: {contacts} contacts, {steps} of {COUNTED} steps allocated");
        steps
    })
}

fn main() {
    let gauss_seidel = SolverSettings::GaussSeidel(GaussSeidel { meritval: 1e-6, ..GaussSeidel::new(1e-3, 50) });
    let penalty = SolverSettings::Penalty(Penalty { variant: PenaltyVariant::Implicit });
    let cases = [
        ("Gauss-Seidel", layers(), &gauss_seidel),
        ("penalty", layers(), &penalty),
        ("finite elements", elastic(), &gauss_seidel),
    ];
    for (name, world, solver) in cases {
        for threads in [1, 2] {
            let steps = count(name, &world, solver, threads);
            assert!(steps <= GROWTH, "{name}: {steps} of {COUNTED} steps allocate memory after warm-up");
        }
    }
}
