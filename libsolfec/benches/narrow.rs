//! Time of one narrow-phase call on one core. Prints one line per kernel.

#[path = "../tests/narrow/solids.rs"]
mod make;

use std::hint::black_box;
use std::time::Instant;

use make::{cuboid, rotate, translate};
use solfec::contact::narrow::{
    area_bound, balls, convex, distance, solid_ball, solids, Ball, CurvedView, Object, Workspace,
};
use solfec::math::Vec3;
use solfec::shape::{Convex, ConvexPart, Curved, Ellipsoid, Geometry, Solid};

const EPS: f64 = 1e-6;

/// Least mean time [ns] of a call over a few rounds.
fn time<T>(mut call: impl FnMut() -> T) -> f64 {
    let calls = 200;
    let round = |_| {
        let start = Instant::now();
        for _ in 0..calls {
            black_box(call());
        }
        start.elapsed().as_nanos() as f64 / f64::from(calls)
    };
    (0..2000).map(round).fold(f64::INFINITY, f64::min)
}

/// Of the kernels whose names contain the argument, or of all.
fn report<T>(name: &str, goal: f64, call: impl FnMut() -> T) {
    let wanted = std::env::args().skip(1).find(|a| !a.starts_with('-'));
    if wanted.is_some_and(|w| !name.contains(&w)) {
        return;
    }
    let ns = time(call);
    let verdict = if ns <= goal { "" } else { "  MISSED" };
    println!("{name:34} {ns:8.1} ns   goal {goal:6.0}{verdict}");
}

fn main() {
    let tilt = |s: &Solid| rotate(s, &Vec3::new(1.0, 2.0, 3.0), 0.7);
    let a = tilt(&cuboid([0.0; 3], [1.0; 3]));
    let at = |x: f64, y: f64, z: f64| tilt(&translate(&cuboid([0.0; 3], [1.0; 3]), &Vec3::new(x, y, z)));
    let mut ws = Workspace::default();
    let pairs = [
        ("hexes touching, aligned", 1500.0, at(0.0, 0.0, 1.0)),
        ("hexes touching, shifted", 1500.0, at(0.3, 0.2, 1.0)),
        ("hexes touching at an edge", 1500.0, at(1.0, 0.0, 1.0)),
        ("hexes touching at a vertex", 1500.0, at(1.0, 1.0, 1.0)),
        ("hexes a hair apart at an edge", 1500.0, at(1.0 + 0.3 * EPS, 0.1, 1.0 + 0.3 * EPS)),
        ("hexes overlapping, aligned", 3000.0, at(0.0, 0.0, 0.99)),
        ("hexes overlapping, shifted", 3000.0, at(0.3, 0.2, 0.99)),
        ("hexes overlapping at a corner", 3000.0, at(0.9, 0.9, 0.9)),
        ("hexes apart, boxes overlap", 1500.0, at(1.01, 0.0, 0.0)),
    ];
    for (name, goal, b) in &pairs {
        let (va, vb) = (a.view(), b.view());
        report(name, *goal, || solids(black_box(&va), black_box(&vb), EPS, &mut ws));
    }
    for (name, _, b) in &pairs[1..4] {
        let (va, vb) = (a.view(), b.view());
        let name = format!("bound: {name}");
        report(&name, 300.0, || area_bound(black_box(&va), black_box(&vb), EPS));
    }
    let (va, far) = (a.view(), at(2.0, 0.7, 0.4));
    report("distance of hexes", 1500.0, || distance(black_box(&va), &far.view()));
    let cube = cuboid([0.0; 3], [1.0; 3]);
    for (name, x) in [("face", [0.5, 0.5, 1.49]), ("edge", [1.3, 0.5, 1.3]), ("vertex", [1.2, 1.2, 1.2])] {
        let (view, center) = (cube.view(), Vec3::from(x));
        let call = || solid_ball(black_box(&view), black_box(center), 0.5, 1, EPS);
        report(&format!("hex and ball at a {name}"), 300.0, call);
    }
    let ball = |x: f64| Ball { center: Vec3::new(x, 0.1, 0.2), radius: 1.0, surfid: 1 };
    let (p, q) = (ball(0.0), ball(1.9));
    report("balls", 20.0, || balls(black_box(&p), black_box(&q), EPS));
    let egg = |x: Vec3| {
        let made = Ellipsoid::new(x, Vec3::new(1.0, 0.7, 0.5), 1, 1).expect("an ellipsoid");
        Geometry::from(made).parts().remove(0)
    };
    let (first, second) = (egg(Vec3::zeros()), egg(Vec3::new(1.1, 0.9, 0.2)));
    let [ConvexPart::Curved(first), ConvexPart::Curved(second)] = [&first, &second] else { return };
    let (e, f) = (curved(first), curved(second));
    report("ellipsoids", 1500.0, || convex(black_box(&e), black_box(&f), EPS));
    let high = egg(Vec3::new(0.5, 0.5, 1.49));
    let ConvexPart::Curved(high) = &high else { return };
    let (hex, egg) = (Object::Solid(cube.view()), curved(high));
    report("hex and ellipsoid at a face", 5000.0, || convex(black_box(&hex), black_box(&egg), EPS));
    let stones_of = [(32, "60", [4000.0, 10_000.0]), (252, "500", [40_000.0, 60_000.0])];
    for (points, faces, goals) in stones_of {
        for (name, goal, depth) in [("touching", goals[0], 0.0), ("overlapping", goals[1], 0.02)] {
            let (a, b) = stones(points, depth);
            let name = format!("hulls of {faces} faces {name}");
            report(&name, goal, || solids(&a.view(), black_box(&b.view()), EPS, &mut ws));
        }
    }
}

fn curved(part: &Curved) -> Object<'_> {
    Object::Curved(CurvedView { form: &*part.form, points: &part.points })
}

/// Two hulls of points on a ball, which have twice as many faces less four; the second touches the first, or overlaps it
/// by `depth`.
fn stones(points: usize, depth: f64) -> (Solid, Solid) {
    let spiral = |k: usize| {
        let (z, angle) = (1.0 - (2 * k + 1) as f64 / points as f64, 2.399_963_23 * k as f64);
        Vec3::new((1.0 - z * z).sqrt() * angle.cos(), (1.0 - z * z).sqrt() * angle.sin(), z)
    };
    let points: Vec<Vec3> = (0..points).map(spiral).collect();
    let hull = Convex::hull(&points, 1, 1).expect("a hull");
    let ConvexPart::Solid(stone) = Geometry::Convex(hull).parts().remove(0) else { unreachable!("a polyhedron") };
    let turned = rotate(&stone, &Vec3::new(0.3, 1.0, 0.2), 1.0);
    let (gap, on_first, on_second) = distance(&stone.view(), &translate(&turned, &Vec3::new(3.0, 0.4, 0.3)).view());
    let way = (on_second - on_first) / gap;
    let moved = translate(&turned, &(Vec3::new(3.0, 0.4, 0.3) - way * (gap + depth)));
    (stone, moved)
}
