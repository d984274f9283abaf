//! Time of convex hulls of points on a sphere and in a ball, with exact signs. Prints one line per case.

use std::time::Instant;

use solfec::math::Vec3;
use solfec::shape::hull_loops;

/// Points that are spread evenly over the unit sphere; `lattice`: rounded to a lattice, so that many are coplanar.
fn on_sphere(count: usize, lattice: Option<f64>) -> Vec<Vec3> {
    let spiral = |k: usize| {
        let (z, angle) = (1.0 - (2 * k + 1) as f64 / count as f64, 2.399_963_229_728_653 * k as f64);
        Vec3::new((1.0 - z * z).sqrt() * angle.cos(), (1.0 - z * z).sqrt() * angle.sin(), z)
    };
    let rounded = |x: f64| lattice.map_or(x, |step| (x / step).round() * step);
    (0..count).map(|k| spiral(k).map(rounded)).collect()
}

/// Points in the unit ball.
fn in_ball(count: usize) -> Vec<Vec3> {
    let mut seed = 1_u64;
    let mut random = || {
        seed = seed.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (seed >> 11) as f64 / (1_u64 << 52) as f64 - 1.0
    };
    std::iter::repeat_with(|| Vec3::new(random(), random(), random())).filter(|x| x.norm() < 1.0).take(count).collect()
}

fn main() {
    let cases = [
        ("10⁴ points on a sphere", 0.2, on_sphere(10_000, None)),
        ("10⁵ points on a sphere", 2.0, on_sphere(100_000, None)),
        ("10⁵ points of a lattice by a sphere", 2.0, on_sphere(100_000, Some(1.0 / 256.0))),
        ("10⁶ points in a ball", 2.0, in_ball(1_000_000)),
    ];
    for (name, goal, points) in cases {
        let start = Instant::now();
        let faces = hull_loops(&points).expect("a hull").len();
        let time = start.elapsed().as_secs_f64();
        let verdict = if time <= goal { "" } else { "  MISSED" };
        println!("{name:36} {faces:7} faces {time:7.3} s   goal {goal}{verdict}");
    }
}
