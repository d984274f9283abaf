//! Time of one narrow-phase call on one core. Prints one line per kernel.

#[path = "../tests/narrow/solids.rs"]
mod make;

use std::hint::black_box;
use std::time::Instant;

use make::{cuboid, rotate, translate};
use solfec::contact::narrow::{area_bound, balls, distance, solid_ball, solids, Ball, Workspace};
use solfec::math::Vec3;
use solfec::shape::Solid;

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

fn report(name: &str, goal: f64, ns: f64) {
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
        report(name, *goal, time(|| solids(black_box(&va), black_box(&vb), EPS, &mut ws)));
    }
    for (name, _, b) in &pairs[1..4] {
        let (va, vb) = (a.view(), b.view());
        let name = format!("bound: {name}");
        report(&name, 300.0, time(|| area_bound(black_box(&va), black_box(&vb), EPS)));
    }
    let (va, far) = (a.view(), at(2.0, 0.7, 0.4));
    report("distance of hexes", 1500.0, time(|| distance(black_box(&va), &far.view())));
    let cube = cuboid([0.0; 3], [1.0; 3]);
    for (name, x) in [("face", [0.5, 0.5, 1.49]), ("edge", [1.3, 0.5, 1.3]), ("vertex", [1.2, 1.2, 1.2])] {
        let (view, center) = (cube.view(), Vec3::from(x));
        let call = || solid_ball(black_box(&view), black_box(center), 0.5, 1, EPS);
        report(&format!("hex and ball at a {name}"), 300.0, time(call));
    }
    let ball = |x: f64| Ball { center: Vec3::new(x, 0.1, 0.2), radius: 1.0, surfid: 1 };
    let (p, q) = (ball(0.0), ball(1.9));
    report("balls", 20.0, time(|| balls(black_box(&p), black_box(&q), EPS)));
}
