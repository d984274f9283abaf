//! The contact layer (docs/theory.md 4 and 5): pairs, life of contacts, sparsification, and independence of threads,
//! order of bodies and shortcuts.

mod cases;
mod curved;
mod deforming;
mod faces;

use solfec::body::Motion;
use solfec::contact::{BodyPairs, Contact, Detection, Detector, Exclusions, Objects, PartKind, Rules};
use solfec::ids::{BodyId, BodyIndex, ObjectIndex};
use solfec::material::{SurfaceMaterial, ANY};
use solfec::math::{Mat3, Vec3};
use solfec::model::Settings;
use solfec::shape::{ConvexPart, Geometry, Mesh};
use solfec_testing::motions::Motions;
use solfec_testing::near::near as assert_near;

/// The default geometric epsilon.
const EPS: f64 = 1e-6;

/// No motion.
const AT_REST: Motion = Motion {
    f: Mat3::new(1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0),
    x: Vec3::new(0.0, 0.0, 0.0),
    x0: Vec3::new(0.0, 0.0, 0.0),
};

/// The corners of a box in the order of HEX.
fn corners(l: [f64; 3], h: [f64; 3]) -> [Vec3; 8] {
    [
        [l[0], l[1], l[2]],
        [h[0], l[1], l[2]],
        [h[0], h[1], l[2]],
        [l[0], h[1], l[2]],
        [l[0], l[1], h[2]],
        [h[0], l[1], h[2]],
        [h[0], h[1], h[2]],
        [l[0], h[1], h[2]],
    ]
    .map(Vec3::from)
}

/// A box of hexahedra with these surface ids in the order of HEX.
fn brick(low: [f64; 3], high: [f64; 3], counts: [usize; 3], surfids: [i32; 6]) -> Vec<ConvexPart> {
    hex(&corners(low, high), counts, surfids, [None; 3])
}

fn hex(corners: &[Vec3; 8], counts: [usize; 3], surfids: [i32; 6], spacing: [Option<&[f64]>; 3]) -> Vec<ConvexPart> {
    let mesh = Mesh::hex(corners, counts, 0, &surfids, spacing).expect("a good hexahedron");
    Geometry::Mesh(mesh).parts()
}

fn cube(low: [f64; 3]) -> Vec<ConvexPart> {
    brick(low, low.map(|x| x + 1.0), [1, 1, 1], [1, 2, 3, 4, 5, 6])
}

fn ball(center: [f64; 3], radius: f64) -> Vec<ConvexPart> {
    vec![ConvexPart::Ball { center: center.into(), radius, surfid: 0 }]
}

/// Bodies with ids from 1, where they were described.
struct Scene {
    objects: Objects,
    motions: Motions,
}

impl Scene {
    fn new(bodies: impl IntoIterator<Item = Vec<ConvexPart>>) -> Scene {
        let mut scene = Scene::empty();
        for parts in bodies {
            scene.add(false, false, &[parts]);
        }
        scene.placed()
    }

    fn empty() -> Scene {
        Scene { objects: Objects::new(), motions: Motions::default() }
    }

    fn add(&mut self, obstacle: bool, selfcontact: bool, shapes: &[Vec<ConvexPart>]) {
        let id = BodyId(self.motions.len() as u64 + 1);
        self.objects.insert(id, obstacle, selfcontact, shapes, EPS).expect("ids differ");
        self.motions.push(AT_REST);
    }

    fn placed(mut self) -> Scene {
        self.place();
        self
    }

    fn place(&mut self) {
        self.objects.place(&self.motions, EPS).expect("finite motions");
    }
}

/// What the user said; rules are made of it.
#[derive(Default)]
struct Said {
    settings: Settings,
    excluded: Exclusions,
    materials: Vec<SurfaceMaterial>,
    bonding: bool,
    compat: bool,
}

impl Said {
    fn rules(&self) -> Rules<'_> {
        Rules {
            bonding: self.bonding,
            compat_sparsify: self.compat,
            ..Rules::new(&self.settings, &self.excluded, &self.materials)
        }
    }

    fn threshold(threshold: f64) -> Said {
        let mut said = Said::default();
        said.settings.sparsify.threshold = threshold;
        said
    }

    fn detect(&self, scene: &Scene, previous: &[Contact]) -> Detection {
        Detector::default().detect(&scene.objects, &scene.motions, previous, &self.rules())
    }
}

fn detect(scene: &Scene) -> Detection {
    Said::default().detect(scene, &[])
}

/// Deterministic numbers in [0, 1).
fn numbers(seed: u64) -> impl FnMut() -> f64 {
    let mut s = seed;
    move || {
        s = s.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (s >> 11) as f64 / (1u64 << 53) as f64
    }
}

fn with_threads<T: Send>(n: usize, work: impl FnOnce() -> T + Send) -> T {
    rayon::ThreadPoolBuilder::new().num_threads(n).build().expect("threads").install(work)
}

fn areas(d: &Detection) -> Vec<f64> {
    let mut areas: Vec<f64> = d.contacts.iter().map(|c| c.area).collect();
    areas.sort_by(|a, b| b.total_cmp(a));
    areas
}

/// Two n×n×1 plates of unit thickness and this edge length, one on the other.
fn plates(n: usize, edge: f64, shift: f64) -> Scene {
    Scene::new([
        brick([0.0; 3], [edge, edge, 1.0], [n, n, 1], [0; 6]),
        brick([shift, shift, 1.0], [edge + shift, edge + shift, 2.0], [n, n, 1], [0; 6]),
    ])
}

/// The semicircular arch of the reference data: 27 voussoirs of 3×2×1 elements between two obstacles.
fn arch() -> Scene {
    let (radius, thickness, width, count) = (10.0, 1.095, 5.0, 27);
    let step = std::f64::consts::PI / f64::from(count);
    let wedge = |k: f64, counts: [usize; 3], spacing: Option<&[f64]>| {
        let (inner, outer) = (radius - 0.5 * thickness, radius + 0.5 * thickness);
        let at = |r: f64, y: f64, angle: f64| Vec3::new(r * angle.cos(), y, r * angle.sin());
        let (p, q, w) = (k * step, (k + 1.0) * step, 0.5 * width);
        let corners = [
            at(inner, -w, p),
            at(outer, -w, p),
            at(outer, w, p),
            at(inner, w, p),
            at(inner, -w, q),
            at(outer, -w, q),
            at(outer, w, q),
            at(inner, w, q),
        ];
        hex(&corners, counts, [0; 6], [spacing, None, None])
    };
    let mut scene = Scene::empty();
    scene.add(true, false, &[wedge(-1.0, [1, 1, 1], None)]);
    scene.add(true, false, &[wedge(f64::from(count), [1, 1, 1], None)]);
    for k in 0..count {
        scene.add(false, false, &[wedge(f64::from(k), [3, 2, 1], Some(&[0.05, 1.9, 0.05]))]);
    }
    scene.objects.place(&scene.motions, 1e-4).expect("finite motions");
    scene
}

/// Rotation by `angle` about the direction of `axis`.
fn rotation(axis: [f64; 3], angle: f64) -> Mat3 {
    let axis = nalgebra::Unit::new_normalize(Vec3::from(axis));
    nalgebra::Rotation3::from_axis_angle(&axis, angle).into_inner()
}

/// A heap of turned bricks, cubes and balls on a floor, many of them overlapping: parts and motions.
fn heap_parts(seed: u64, bodies: usize) -> (Vec<Vec<ConvexPart>>, Vec<Motion>) {
    let mut x = numbers(seed);
    let mut shapes = vec![brick([-9.0, -9.0, -1.0], [9.0, 9.0, 0.0], [3, 3, 1], [9; 6])];
    let mut motions = vec![AT_REST];
    for k in 0..bodies {
        shapes.push(match k % 4 {
            0 => brick([-0.6, -0.4, -0.3], [0.6, 0.4, 0.3], [3, 2, 1], [1, 2, 3, 4, 5, 6]),
            1 => cube([-0.5; 3]),
            2 => ball([0.0; 3], 0.4),
            _ => brick([-0.5; 3], [0.5; 3], [2, 2, 2], [7; 6]),
        });
        let place = Vec3::new(4.0 * x() - 2.0, 4.0 * x() - 2.0, 3.0 * x());
        let turned = x() < 0.7;
        motions.push(Motion {
            f: if turned { rotation([x() + 0.1, x(), x()], 6.0 * x()) } else { AT_REST.f },
            x: place,
            ..AT_REST
        });
    }
    (shapes, motions)
}

fn heap(seed: u64, bodies: usize) -> Scene {
    let (shapes, motions) = heap_parts(seed, bodies);
    let mut scene = Scene::empty();
    for (k, parts) in shapes.into_iter().enumerate() {
        scene.add(k == 0, false, &[parts]);
    }
    scene.motions = Motions(motions);
    scene.placed()
}
