//! A number by which equal geometries are found quickly.

use std::hash::{DefaultHasher, Hasher};

use super::{Geometry, Size};

impl Geometry {
    /// Hash of coordinates and sizes: equal for equal geometries, and within one process only.
    pub fn fingerprint(&self) -> u64 {
        let mut hash = DefaultHasher::new();
        self.points().iter().flatten().for_each(|x| hash.write_u64(x.to_bits()));
        for (_, size) in self.sizes() {
            match size {
                Size::Count(count) => hash.write_usize(count),
                Size::Length(length) => hash.write_u64(length.to_bits()),
            }
        }
        hash.finish()
    }
}
