//! 3-vectors, rotations, small dense blocks, local bases, block-sparse matrices and reductions in a fixed tree.
//! Pure functions of numbers: no bodies, no contacts.

mod base;
mod reduce;
mod rotation;

pub use base::local_base;
pub use reduce::tree_sum;
pub use rotation::{exp_map, orthogonality_defect, polar_rotation, right_jacobian};

/// A vector of ordinary space.
pub type Vec3 = nalgebra::Vector3<f64>;
/// A 3×3 matrix, stored by columns as all our nine-number tuples are.
pub type Mat3 = nalgebra::Matrix3<f64>;
/// A 3×3 tensor as nine numbers row by row: the order of the deformation gradient in `conf` and `velo`.
pub type Vec9 = nalgebra::SVector<f64, 9>;
/// A linear map between such tensors.
pub type Mat9 = nalgebra::SMatrix<f64, 9, 9>;

/// The cross-product matrix: `skew(a) * b == a.cross(&b)`.
pub fn skew(a: &Vec3) -> Mat3 {
    Mat3::new(0.0, -a.z, a.y, a.z, 0.0, -a.x, -a.y, a.x, 0.0)
}

/// Nine numbers of `m`, row by row.
pub fn by_rows(m: &Mat3) -> Vec9 {
    Vec9::from_fn(|k, _| m[(k / 3, k % 3)])
}

/// The matrix whose rows are the nine numbers.
pub fn from_rows(v: &Vec9) -> Mat3 {
    Mat3::from_fn(|i, j| v[3 * i + j])
}

/// Nine numbers of `m`, column by column.
pub fn columns(m: &Mat3) -> [f64; 9] {
    std::array::from_fn(|k| m.as_slice()[k])
}
