//! Rigid bodies and points of contact or joints between them, as an assembled problem.

use solfec::dynamics::{Assembled, BlockSparse};
use solfec::math::{local_base, skew, Mat3, Vec3};

use crate::problems::STEP;

pub const GRAVITY: f64 = 10.0;

/// A body with a spherical inertia.
pub struct Body {
    pub inv_mass: f64,
    pub inv_inertia: f64,
    pub centre: Vec3,
    pub velocity: Vec3,
}

/// A constraint at `point` with normal towards body `master`; `None` is the ground.
pub struct Point {
    pub master: usize,
    pub slave: Option<usize>,
    pub point: Vec3,
    pub normal: Vec3,
}

#[derive(Default)]
pub struct Scene {
    pub bodies: Vec<Body>,
    pub points: Vec<Point>,
}

impl Scene {
    /// A body at rest, of inertia `m a²/6`; `a = 0` is a particle.
    pub fn body(&mut self, mass: f64, size: f64, centre: Vec3) -> usize {
        let inv_inertia = if size > 0.0 { 6.0 / (mass * size * size) } else { 0.0 };
        self.bodies.push(Body { inv_mass: 1.0 / mass, inv_inertia, centre, velocity: Vec3::zeros() });
        self.bodies.len() - 1
    }

    pub fn point(&mut self, master: usize, slave: Option<usize>, point: Vec3, normal: Vec3) {
        self.points.push(Point { master, slave, point, normal });
    }

    /// The problem of one step of [`STEP`] under gravity along −z.
    pub fn problem(&self) -> Assembled {
        let bases: Vec<Mat3> = self.points.iter().map(|p| local_base(&p.normal)).collect();
        let ends = |p: &Point| [(Some(p.master), 1.0), (p.slave, -1.0)];
        let mut rows = Vec::new();
        let mut free = Vec::new();
        for (i, a) in self.points.iter().enumerate() {
            let mut row = Vec::new();
            for (j, b) in self.points.iter().enumerate().skip(i) {
                let mut block = Mat3::zeros();
                for (body, one) in ends(a) {
                    for (other, two) in ends(b) {
                        let (Some(k), true) = (body, body == other) else { continue };
                        let body = &self.bodies[k];
                        let lever = |p: &Point| skew(&(p.point - body.centre));
                        let inverse =
                            Mat3::identity() * body.inv_mass + lever(a) * lever(b).transpose() * body.inv_inertia;
                        block += bases[i].transpose() * inverse * bases[j] * (STEP.h * one * two);
                    }
                }
                if i == j || block != Mat3::zeros() {
                    row.push((j as u32, block));
                }
            }
            rows.push(row);
            let fall = Vec3::new(0.0, 0.0, -STEP.h * GRAVITY);
            let velocity = |k: usize| self.bodies[k].velocity + fall;
            let relative = velocity(a.master) - a.slave.map_or(Vec3::zeros(), velocity);
            free.push(bases[i].transpose() * relative);
        }
        let n = free.len();
        Assembled::new(BlockSparse::from_upper(&rows), free, vec![Vec3::zeros(); n]).unwrap()
    }

    /// Force on each body from reactions `r`, in global axes.
    pub fn forces(&self, r: &[Vec3]) -> Vec<Vec3> {
        let mut forces = vec![Vec3::zeros(); self.bodies.len()];
        for (p, r) in self.points.iter().zip(r) {
            let force = local_base(&p.normal) * r;
            forces[p.master] += force;
            if let Some(slave) = p.slave {
                forces[slave] -= force;
            }
        }
        forces
    }

    pub fn weight(&self, body: usize) -> Vec3 {
        Vec3::new(0.0, 0.0, -GRAVITY / self.bodies[body].inv_mass)
    }
}

/// Four contacts at the corners of a rectangle `[x] × [y]` at height `z`, pushing `upper` up.
pub fn interface(scene: &mut Scene, upper: usize, lower: Option<usize>, x: [f64; 2], y: [f64; 2], z: f64) {
    for x in x {
        for y in y {
            scene.point(upper, lower, Vec3::new(x, y, z), Vec3::z());
        }
    }
}

/// Blocks on one another, nine times as heavy at every second place.
pub fn stack(n: usize) -> Scene {
    let mut scene = Scene::default();
    for i in 0..n {
        let mass = if i % 2 == 0 { 1.0 } else { 9.0 };
        let body = scene.body(mass, 1.0, Vec3::new(0.0, 0.0, i as f64));
        interface(&mut scene, body, body.checked_sub(1), [-0.5, 0.5], [-0.5, 0.5], i as f64 - 0.5);
    }
    scene
}

/// A wall in running bond: `rows` courses of `length` blocks 2 × 1 × 1, half a block set off every second course.
pub fn wall(length: usize, rows: usize) -> Scene {
    let mut scene = Scene::default();
    let start = |row: usize| if row.is_multiple_of(2) { 0.0 } else { 1.0 };
    let mut below: Vec<usize> = Vec::new();
    for row in 0..rows {
        let z = row as f64;
        let course: Vec<usize> =
            (0..length).map(|i| scene.body(2.0, 1.5, Vec3::new(start(row) + 2.0 * i as f64, 0.0, z))).collect();
        for (i, &body) in course.iter().enumerate() {
            let left = start(row) + 2.0 * i as f64 - 1.0;
            if row == 0 {
                interface(&mut scene, body, None, [left, left + 2.0], [-0.5, 0.5], z - 0.5);
            }
            for (j, &lower) in below.iter().enumerate() {
                let edge = start(row - 1) + 2.0 * j as f64 - 1.0;
                let (from, to) = (left.max(edge), (left + 2.0).min(edge + 2.0));
                if from < to {
                    interface(&mut scene, body, Some(lower), [from, to], [-0.5, 0.5], z - 0.5);
                }
            }
        }
        for pair in course.windows(2) {
            let x = scene.bodies[pair[1]].centre.x - 1.0;
            for y in [-0.5, 0.5] {
                for side in [-0.5, 0.5] {
                    scene.point(pair[1], Some(pair[0]), Vec3::new(x, y, z + side), Vec3::x());
                }
            }
        }
        below = course;
    }
    scene
}
