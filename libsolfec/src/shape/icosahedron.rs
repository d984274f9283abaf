//! The sphere as triangles: an icosahedron whose edges are halved.

use crate::math::Vec3;

/// Points of the unit sphere, and triangles that look outwards.
pub struct Triangulation {
    pub points: Vec<Vec3>,
    pub triangles: Vec<[u32; 3]>,
}

/// Poles on the z axis, and two rings of five points between them.
pub fn icosahedron() -> Triangulation {
    let (height, radius) = (1.0 / 5f64.sqrt(), 2.0 / 5f64.sqrt());
    let ring = |sign: f64, shift: f64| {
        (0..5).map(move |k| {
            let (sine, cosine) = (std::f64::consts::TAU * (k as f64 + shift) / 5.0).sin_cos();
            Vec3::new(radius * cosine, radius * sine, sign * height)
        })
    };
    let points = std::iter::once(-Vec3::z()).chain(ring(-1.0, 0.0)).chain(ring(1.0, 0.5)).chain([Vec3::z()]).collect();
    let mut triangles = Vec::new();
    for k in 0..5 {
        let next = (k + 1) % 5;
        let [a, b, c, d] = [1 + k, 1 + next, 6 + k, 6 + next];
        triangles.extend([[0, b, a], [a, b, c], [c, b, d], [11, c, d]]);
    }
    Triangulation { points, triangles }
}

impl Triangulation {
    /// Each triangle becomes four; new points are on the sphere.
    pub fn halved(mut self) -> Triangulation {
        let mut middles = std::collections::BTreeMap::new();
        let points = &mut self.points;
        let mut middle = |a: u32, b: u32| {
            *middles.entry((a.min(b), a.max(b))).or_insert_with(|| {
                points.push((points[a as usize] + points[b as usize]).normalize());
                points.len() as u32 - 1
            })
        };
        let mut triangles = Vec::with_capacity(4 * self.triangles.len());
        for [a, b, c] in self.triangles {
            let [ab, bc, ca] = [middle(a, b), middle(b, c), middle(c, a)];
            triangles.extend([[a, ab, ca], [ab, b, bc], [ca, bc, c], [ab, bc, ca]]);
        }
        Triangulation { points: self.points, triangles }
    }
}
