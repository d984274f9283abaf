//! A number by which equal geometries are found quickly.

use std::hash::{DefaultHasher, Hasher};

use super::Geometry;
use crate::math::Vec3;

impl Geometry {
    /// Hash of the coordinates: equal for equal geometries, and within one process only.
    pub fn fingerprint(&self) -> u64 {
        let mut hash = DefaultHasher::new();
        let mut point = |p: &Vec3| p.iter().for_each(|x| hash.write_u64(x.to_bits()));
        match self {
            Geometry::Convex(c) => c.vertices.iter().for_each(&mut point),
            Geometry::Mesh(m) => m.nodes.iter().for_each(&mut point),
            Geometry::Sphere(s) => {
                point(&s.center);
                hash.write_u64(s.radius.to_bits());
            }
        }
        hash.finish()
    }
}
