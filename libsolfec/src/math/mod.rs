//! 3-vectors, rotations, small dense blocks, local bases, block-sparse matrices, loops over items and reductions in a
//! fixed tree, connected components. Pure functions of numbers: no bodies, no contacts.

mod awake;
mod base;
mod components;
mod loops;
mod reduce;
mod rotation;
mod wide;

pub use awake::awake;
pub use base::local_base;
pub use components::Components;
pub use loops::{each, each_of_two, fill, largest_of_each};
pub use reduce::{sum_of_each, tree_sum};
pub use rotation::{exp_map, orthogonality_defect, polar_rotation, right_jacobian};
pub use wide::{MatOf, Number, VecOf, Wide, WideMat, WideVec};

/// A vector of ordinary space.
pub type Vec3 = nalgebra::Vector3<f64>;
/// A 3×3 matrix, stored by columns as all our nine-number tuples are.
pub type Mat3 = nalgebra::Matrix3<f64>;
/// A 3×3 tensor as nine numbers row by row: the order of the deformation gradient in `conf` and `velo`.
pub type Vec9 = nalgebra::SVector<f64, 9>;
/// A linear map between such tensors.
pub type Mat9 = nalgebra::SMatrix<f64, 9, 9>;

/// A unit vector along `direction`, however long it is; `None` if it is zero or not finite.
pub fn unit_along(direction: &Vec3) -> Option<Vec3> {
    let largest = direction.amax();
    // First to size one, so that squares neither vanish nor overflow.
    (largest > 0.0 && direction.iter().all(|x| x.is_finite())).then(|| (direction / largest).normalize())
}

/// The cross-product matrix: `skew(a) * b == a.cross(&b)`.
pub fn skew(a: &Vec3) -> Mat3 {
    Mat3::new(0.0, -a.z, a.y, a.z, 0.0, -a.x, -a.y, a.x, 0.0)
}

/// `skew(a) m`.
pub fn cross_columns(a: &Vec3, m: &Mat3) -> Mat3 {
    let [x, y, z] = [0, 1, 2].map(|i| m.row(i));
    Mat3::from_rows(&[z * a.y - y * a.z, x * a.z - z * a.x, y * a.x - x * a.y])
}

/// `m skew(b)`.
pub fn cross_rows(m: &Mat3, b: &Vec3) -> Mat3 {
    let [x, y, z] = [0, 1, 2].map(|j| m.column(j));
    Mat3::from_columns(&[y * b.z - z * b.y, z * b.x - x * b.z, x * b.y - y * b.x])
}

/// Whether all numbers are finite: mostly their sum is.
pub fn all_finite(numbers: &[f64]) -> bool {
    numbers.iter().sum::<f64>().is_finite() || numbers.iter().all(|x| x.is_finite())
}

/// Whether two matrices are the same, signs of zeros included.
pub fn same_bits(a: &Mat3, b: &Mat3) -> bool {
    a.iter().zip(b.iter()).fold(0, |differ, (a, b)| differ | (a.to_bits() ^ b.to_bits())) == 0
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cross_products_of_columns_and_rows_are_products_with_a_skew_matrix() {
        let (a, b) = (Vec3::new(0.3, -1.7, 2.9), Vec3::new(-0.4, 0.6, 1.1));
        let m = Mat3::new(0.1, -2.3, 0.7, 1.9, 0.2, -0.8, 3.1, 0.5, -1.3);
        assert_eq!(cross_columns(&a, &m), skew(&a) * m);
        assert_eq!(cross_rows(&m, &b), m * skew(&b));
        assert!(same_bits(&m, &m.clone()) && !same_bits(&Mat3::zeros(), &-Mat3::zeros()));
    }

    #[test]
    fn directions_of_any_length_have_a_unit_vector() {
        for length in [1e-300, 1.0, 1e300] {
            assert_eq!(unit_along(&Vec3::new(0.0, 3.0 * length, -4.0 * length)), Some(Vec3::new(0.0, 0.6, -0.8)));
        }
        for bad in [0.0, f64::NAN, f64::INFINITY] {
            assert_eq!(unit_along(&Vec3::new(0.0, bad, 0.0)), None);
        }
    }
}
