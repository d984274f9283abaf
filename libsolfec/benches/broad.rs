//! Times of contact detection: growth of the broad phase, a running-bond wall, the arch, sparsification of plates.
//! `cargo bench -p solfec --bench broad` (RAYON_NUM_THREADS=1 for one core).
//!
//! Recorded on one core of a busy two-core machine, November 2026, in ms (body pairs; first step; next steps):
//! 10^3 cubes 1.5; 20; 17, 22^3 cubes 15; 199; 146, 46^3 cubes 163; 2412; 1888 (1.6 µs a contact);
//! wall of 10^4 bricks, 97861 contacts, 16; 131; 117; arch 0.003; 0.55; 0.40; plates 100² 0; 59; 19, 300² 0; 601; 246.
//! Sparsification itself (all but kernels and bounds) was 5 per cent of the 104 ms that the first step of the 100²
//! plates took before the kernels became faster.

use std::f64::consts::PI;
use std::time::Instant;

use solfec::body::Motion;
use solfec::contact::{BodyPairs, Contact, Detector, Exclusions, Objects, Rules};
use solfec::ids::BodyId;
use solfec::material::SurfaceMaterial;
use solfec::math::{Mat3, Vec3};
use solfec::model::Settings;
use solfec::shape::{ConvexPart, Geometry, Mesh};
use solfec_testing::motions::Motions;

/// Repetitions; the least time counts.
const RUNS: usize = 5;

fn hex(corners: &[Vec3; 8], counts: [usize; 3], spacing: [Option<&[f64]>; 3]) -> Vec<ConvexPart> {
    let mesh = Mesh::hex(corners, counts, 0, &[0; 6], spacing).expect("a good hexahedron");
    Geometry::Mesh(mesh).parts()
}

fn brick(low: [f64; 3], high: [f64; 3], counts: [usize; 3]) -> Vec<ConvexPart> {
    let at = |i: usize, j: usize, k: usize| {
        let pick = |side: usize, axis: usize| if side == 0 { low[axis] } else { high[axis] };
        Vec3::new(pick(i, 0), pick(j, 1), pick(k, 2))
    };
    let corners =
        [at(0, 0, 0), at(1, 0, 0), at(1, 1, 0), at(0, 1, 0), at(0, 0, 1), at(1, 0, 1), at(1, 1, 1), at(0, 1, 1)];
    hex(&corners, counts, [None; 3])
}

fn scene(bodies: impl IntoIterator<Item = Vec<ConvexPart>>, obstacles: usize, epsilon: f64) -> (Objects, Motions) {
    let mut objects = Objects::new();
    let mut motions = Motions::default();
    for (k, atoms) in bodies.into_iter().enumerate() {
        objects.insert(BodyId(k as u64 + 1), k < obstacles, false, &[atoms], epsilon).expect("ids differ");
        motions.push(Motion { f: Mat3::identity(), x: Vec3::zeros(), x0: Vec3::zeros() });
    }
    objects.place(&motions, epsilon).expect("finite motions");
    (objects, motions)
}

/// `n`³ unit cubes on a floor.
fn cubes(n: usize) -> Vec<Vec<ConvexPart>> {
    let size = n as f64;
    let mut bodies = vec![brick([0.0, 0.0, -1.0], [size, size, 0.0], [1, 1, 1])];
    for k in 0..n * n * n {
        let low = [k % n, k / n % n, k / n / n].map(|i| i as f64);
        bodies.push(brick(low, low.map(|x| x + 1.0), [1, 1, 1]));
    }
    bodies
}

/// A running-bond wall of `across` × `deep` × `high` bricks 2 × 1 × 0.5 on a floor.
fn wall(across: usize, deep: usize, high: usize) -> Vec<Vec<ConvexPart>> {
    let mut bodies = vec![brick([-1.0, -1.0, -1.0], [2.0 * across as f64 + 2.0, deep as f64 + 1.0, 0.0], [1, 1, 1])];
    for k in 0..high {
        for j in 0..deep {
            for i in 0..across {
                let shift = ((j + k) % 2) as f64;
                let low = [2.0 * i as f64 + shift, j as f64, 0.5 * k as f64];
                bodies.push(brick(low, [low[0] + 2.0, low[1] + 1.0, low[2] + 0.5], [1, 1, 1]));
            }
        }
    }
    bodies
}

/// Two obstacles, then 27 voussoirs of 3×2×1 elements.
fn arch() -> Vec<Vec<ConvexPart>> {
    let wedge = |k: f64, counts: [usize; 3], spacing: Option<&[f64]>| {
        let at = |r: f64, y: f64, k: f64| {
            let angle = k * PI / 27.0;
            Vec3::new(r * angle.cos(), y, r * angle.sin())
        };
        let ring = |k: f64| [at(9.4525, -2.5, k), at(10.5475, -2.5, k), at(10.5475, 2.5, k), at(9.4525, 2.5, k)];
        let ([a, b, c, d], [e, f, g, h]) = (ring(k), ring(k + 1.0));
        hex(&[a, b, c, d, e, f, g, h], counts, [spacing, None, None])
    };
    let mut bodies = vec![wedge(-1.0, [1, 1, 1], None), wedge(27.0, [1, 1, 1], None)];
    bodies.extend((0..27).map(|k| wedge(f64::from(k), [3, 2, 1], Some(&[0.05, 1.9, 0.05]))));
    bodies
}

fn plates(n: usize) -> Vec<Vec<ConvexPart>> {
    let size = n as f64;
    vec![brick([0.0; 3], [size, size, 1.0], [n, n, 1]), brick([0.0, 0.0, 1.0], [size, size, 2.0], [n, n, 1])]
}

/// Least time [ms] of several runs.
fn least(mut work: impl FnMut()) -> f64 {
    (0..RUNS)
        .map(|_| {
            let start = Instant::now();
            work();
            1e3 * start.elapsed().as_secs_f64()
        })
        .fold(f64::INFINITY, f64::min)
}

fn report(name: &str, bodies: Vec<Vec<ConvexPart>>, obstacles: usize, epsilon: f64, threshold: f64) {
    let count = bodies.len();
    let (mut objects, motions) = scene(bodies, obstacles, epsilon);
    let excluded = Exclusions::default();
    let materials = [SurfaceMaterial::default()];
    let mut settings = Settings { epsilon, ..Settings::default() };
    settings.sparsify.threshold = threshold;
    let rules = Rules::new(&settings, &excluded, &materials);
    let place = least(|| objects.place(&motions, epsilon).expect("finite motions"));
    let mut pairs = BodyPairs::default();
    let broad = least(|| {
        pairs.find(&objects, &excluded);
    });
    let mut detector = Detector::default();
    let mut first = Vec::<Contact>::new();
    let create = least(|| first = detector.detect(&objects, &motions, &[], &rules).contacts);
    let mut statistics = Default::default();
    let renew = least(|| {
        let next = detector.detect(&objects, &motions, &first, &rules);
        statistics = next.statistics;
        detector.recycle(next.contacts);
    });
    println!(
        "{name:<24}{count:>8} bodies {:>8} contacts | place {place:8.3}  body pairs {broad:8.3}  first step {create:9.3}  \
         next steps {renew:9.3} ms | {statistics:?}",
        first.len()
    );
}

fn main() {
    for n in [10, 22, 46] {
        report(&format!("cubes {n}^3"), cubes(n), 1, 1e-6, 0.01);
    }
    report("wall 40x10x25", wall(40, 10, 25), 1, 1e-6, 0.01);
    report("arch", arch(), 2, 1e-4, 0.005);
    for n in [100, 200, 300] {
        report(&format!("plates {n}x{n}"), plates(n), 0, 1e-6, 0.01);
    }
}
