//! Vectors and matrices of one item, or of four side by side in the vector registers of the processor. Each of four items
//! sees the operations of a single one in their order, none of them fused, so that it gets the same bits.

use std::ops::{Add, BitAnd, BitOr, Div, Mul, Neg, Not, Sub};

use super::{Mat3, Vec3};

/// A number of each of four items.
pub type Wide = wide::f64x4;
pub type WideVec = VecOf<Wide>;
pub type WideMat = MatOf<Wide>;

/// A number of one item or of four.
pub trait Number:
    Copy + Add<Output = Self> + Sub<Output = Self> + Mul<Output = Self> + Div<Output = Self> + Neg<Output = Self>
{
    /// Which of the items.
    type Mask: Copy + BitAnd<Output = Self::Mask> + BitOr<Output = Self::Mask> + Not<Output = Self::Mask>;

    /// The same of each item.
    fn splat(x: f64) -> Self;
    fn sqrt(self) -> Self;
    /// Where it is less than `other`.
    fn below(self, other: Self) -> Self::Mask;
    /// Where it is not greater than `other`.
    fn at_most(self, other: Self) -> Self::Mask;
    fn is_zero(self) -> Self::Mask;
    fn is_finite(self) -> Self::Mask;
    /// The numbers of `yes` where the mask holds, those of `no` elsewhere.
    fn select(mask: Self::Mask, yes: Self, no: Self) -> Self;
    fn any(mask: Self::Mask) -> bool;

    #[inline(always)]
    fn larger(self, other: Self) -> Self {
        Self::select(self.below(other), other, self)
    }
}

impl Number for f64 {
    type Mask = bool;

    #[inline(always)]
    fn splat(x: f64) -> f64 {
        x
    }
    #[inline(always)]
    fn sqrt(self) -> f64 {
        f64::sqrt(self)
    }
    #[inline(always)]
    fn below(self, other: f64) -> bool {
        self < other
    }
    #[inline(always)]
    fn at_most(self, other: f64) -> bool {
        self <= other
    }
    #[inline(always)]
    fn is_zero(self) -> bool {
        self == 0.0
    }
    #[inline(always)]
    fn is_finite(self) -> bool {
        f64::is_finite(self)
    }
    #[inline(always)]
    fn select(mask: bool, yes: f64, no: f64) -> f64 {
        if mask {
            yes
        } else {
            no
        }
    }
    #[inline(always)]
    fn any(mask: bool) -> bool {
        mask
    }
}

impl Number for Wide {
    type Mask = Wide;

    #[inline(always)]
    fn splat(x: f64) -> Wide {
        Wide::splat(x)
    }
    #[inline(always)]
    fn sqrt(self) -> Wide {
        Wide::sqrt(self)
    }
    #[inline(always)]
    fn below(self, other: Wide) -> Wide {
        self.simd_lt(other)
    }
    #[inline(always)]
    fn at_most(self, other: Wide) -> Wide {
        self.simd_le(other)
    }
    #[inline(always)]
    fn is_zero(self) -> Wide {
        self.simd_eq(Wide::ZERO)
    }
    #[inline(always)]
    fn is_finite(self) -> Wide {
        Wide::is_finite(self)
    }
    #[inline(always)]
    fn select(mask: Wide, yes: Wide, no: Wide) -> Wide {
        mask.select(yes, no)
    }
    #[inline(always)]
    fn any(mask: Wide) -> bool {
        mask.to_bitmask() != 0
    }
}

/// A vector of each item.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct VecOf<T> {
    pub x: T,
    pub y: T,
    pub z: T,
}

impl<T: Number> VecOf<T> {
    #[inline(always)]
    pub fn new(x: T, y: T, z: T) -> Self {
        VecOf { x, y, z }
    }

    #[inline(always)]
    pub fn dot(&self, b: &Self) -> T {
        self.x * b.x + self.y * b.y + self.z * b.z
    }

    #[inline(always)]
    pub fn norm_squared(&self) -> T {
        self.dot(self)
    }

    #[inline(always)]
    pub fn cross(&self, b: &Self) -> Self {
        VecOf::new(self.y * b.z - self.z * b.y, self.z * b.x - self.x * b.z, self.x * b.y - self.y * b.x)
    }

    /// Where all components are zero.
    #[inline(always)]
    pub fn is_zero(&self) -> T::Mask {
        self.x.is_zero() & self.y.is_zero() & self.z.is_zero()
    }

    /// Where all components are finite.
    #[inline(always)]
    pub fn is_finite(&self) -> T::Mask {
        self.x.is_finite() & self.y.is_finite() & self.z.is_finite()
    }

    #[inline(always)]
    pub fn select(mask: T::Mask, yes: &Self, no: &Self) -> Self {
        VecOf::new(T::select(mask, yes.x, no.x), T::select(mask, yes.y, no.y), T::select(mask, yes.z, no.z))
    }
}

impl<T: Number> Add for VecOf<T> {
    type Output = Self;
    #[inline(always)]
    fn add(self, b: Self) -> Self {
        VecOf::new(self.x + b.x, self.y + b.y, self.z + b.z)
    }
}

impl<T: Number> Sub for VecOf<T> {
    type Output = Self;
    #[inline(always)]
    fn sub(self, b: Self) -> Self {
        VecOf::new(self.x - b.x, self.y - b.y, self.z - b.z)
    }
}

impl<T: Number> Mul<T> for VecOf<T> {
    type Output = Self;
    #[inline(always)]
    fn mul(self, factor: T) -> Self {
        VecOf::new(self.x * factor, self.y * factor, self.z * factor)
    }
}

impl<T: Number> Div<T> for VecOf<T> {
    type Output = Self;
    #[inline(always)]
    fn div(self, divisor: T) -> Self {
        VecOf::new(self.x / divisor, self.y / divisor, self.z / divisor)
    }
}

impl<T: Number> Neg for VecOf<T> {
    type Output = Self;
    #[inline(always)]
    fn neg(self) -> Self {
        VecOf::new(-self.x, -self.y, -self.z)
    }
}

/// A matrix of each item, by columns.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct MatOf<T>(pub [VecOf<T>; 3]);

impl<T: Number> MatOf<T> {
    /// Row `k` of 0, 1, 2.
    #[inline(always)]
    pub fn row(&self, k: usize) -> VecOf<T> {
        let [a, b, c] = self.0.map(|column| [column.x, column.y, column.z][k]);
        VecOf::new(a, b, c)
    }

    /// The product of the transposed matrix and a vector.
    #[inline(always)]
    pub fn tr_mul(&self, v: &VecOf<T>) -> VecOf<T> {
        let [a, b, c] = &self.0;
        VecOf::new(a.dot(v), b.dot(v), c.dot(v))
    }
}

impl<T: Number> Mul<VecOf<T>> for &MatOf<T> {
    type Output = VecOf<T>;
    #[inline(always)]
    fn mul(self, v: VecOf<T>) -> VecOf<T> {
        self.0[0] * v.x + self.0[1] * v.y + self.0[2] * v.z
    }
}

impl From<&Vec3> for VecOf<f64> {
    #[inline(always)]
    fn from(v: &Vec3) -> Self {
        VecOf::new(v.x, v.y, v.z)
    }
}

impl From<VecOf<f64>> for Vec3 {
    #[inline(always)]
    fn from(v: VecOf<f64>) -> Self {
        Vec3::new(v.x, v.y, v.z)
    }
}

impl From<&Mat3> for MatOf<f64> {
    #[inline(always)]
    fn from(m: &Mat3) -> Self {
        MatOf([VecOf::new(m.m11, m.m21, m.m31), VecOf::new(m.m12, m.m22, m.m32), VecOf::new(m.m13, m.m23, m.m33)])
    }
}

impl WideVec {
    #[inline(always)]
    pub fn gather([a, b, c, d]: [&Vec3; 4]) -> WideVec {
        let [x, y, z] = [[a.x, b.x, c.x, d.x], [a.y, b.y, c.y, d.y], [a.z, b.z, c.z, d.z]].map(Wide::new);
        VecOf { x, y, z }
    }

    /// The vector of an item.
    #[inline(always)]
    pub fn item(&self, k: usize) -> Vec3 {
        Vec3::new(self.x.as_array()[k], self.y.as_array()[k], self.z.as_array()[k])
    }

    /// The vectors of all items.
    #[inline(always)]
    pub fn items(&self) -> [Vec3; 4] {
        let rows = Wide::transpose([self.x, self.y, self.z, self.z]);
        rows.map(|row| {
            let [x, y, z, _] = row.to_array();
            Vec3::new(x, y, z)
        })
    }
}

impl WideMat {
    #[inline(always)]
    pub fn gather([a, b, c, d]: [&Mat3; 4]) -> WideMat {
        let number = |k: usize| Wide::new([a[k], b[k], c[k], d[k]]);
        let column = |first: usize| VecOf::new(number(first), number(first + 1), number(first + 2));
        MatOf([column(0), column(3), column(6)])
    }

    /// The matrix of an item.
    #[inline(always)]
    pub fn item(&self, k: usize) -> Mat3 {
        Mat3::from_columns(&self.0.map(|column| column.item(k)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn items_have_the_bits_of_single_ones() {
        let mut seed = 7_u64;
        let mut number = || {
            seed = seed.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
            (seed >> 11) as f64 / (1_u64 << 52) as f64 - 1.0
        };
        for _ in 0..1000 {
            let m: [Mat3; 4] = std::array::from_fn(|_| Mat3::from_fn(|_, _| number()));
            let [a, b]: [[Vec3; 4]; 2] =
                std::array::from_fn(|_| std::array::from_fn(|_| Vec3::from_fn(|_, _| number())));
            let (wide, x, y) =
                (WideMat::gather(m.each_ref()), WideVec::gather(a.each_ref()), WideVec::gather(b.each_ref()));
            let upper = WideVec::select(x.z.below(y.z), &y, &x).items();
            for k in 0..4 {
                assert_eq!((wide.item(k), x.item(k), y.items()[k]), (m[k], a[k], b[k]));
                assert_eq!((&wide * x).item(k), m[k] * a[k]);
                assert_eq!(Vec3::from(&MatOf::from(&m[k]) * VecOf::from(&a[k])), m[k] * a[k]);
                assert_eq!(wide.tr_mul(&x).item(k), m[k].tr_mul(&a[k]));
                assert_eq!(x.cross(&y).item(k), a[k].cross(&b[k]));
                assert_eq!((x * y.z - -y + x / y.x).item(k), a[k] * b[k].z - -b[k] + a[k] / b[k].x);
                assert_eq!(x.dot(&y).as_array()[k], a[k].dot(&b[k]));
                assert_eq!(upper[k], if a[k].z < b[k].z { b[k] } else { a[k] });
            }
        }
    }
}
