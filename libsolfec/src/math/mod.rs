//! 3-vectors, rotations, small dense blocks, local bases, block-sparse matrices and reductions in a fixed tree.
//! Pure functions of numbers: no bodies, no contacts.

mod base;
mod reduce;

pub use base::local_base;
pub use reduce::tree_sum;

/// A vector of ordinary space.
pub type Vec3 = nalgebra::Vector3<f64>;
/// A 3×3 matrix, stored by columns as all our nine-number tuples are.
pub type Mat3 = nalgebra::Matrix3<f64>;

/// The cross-product matrix: `skew(a) * b == a.cross(&b)`.
pub fn skew(a: &Vec3) -> Mat3 {
    Mat3::new(0.0, -a.z, a.y, a.z, 0.0, -a.x, -a.y, a.x, 0.0)
}
