//! Vectors and matrices of four items side by side, for the vector registers of the processor. Each item sees the
//! operations of [`Vec3`] and [`Mat3`] in their order, none of them fused, so that it gets the same bits.

use std::ops::{Add, Mul, Neg, Sub};

use super::{Mat3, Vec3};

/// A number of each of four items.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
#[repr(align(32))]
pub struct Wide(pub [f64; 4]);

impl Add for Wide {
    type Output = Wide;
    #[inline(always)]
    fn add(self, other: Wide) -> Wide {
        let ([a, b, c, d], [e, f, g, h]) = (self.0, other.0);
        Wide([a + e, b + f, c + g, d + h])
    }
}

impl Sub for Wide {
    type Output = Wide;
    #[inline(always)]
    fn sub(self, other: Wide) -> Wide {
        let ([a, b, c, d], [e, f, g, h]) = (self.0, other.0);
        Wide([a - e, b - f, c - g, d - h])
    }
}

impl Mul for Wide {
    type Output = Wide;
    #[inline(always)]
    fn mul(self, other: Wide) -> Wide {
        let ([a, b, c, d], [e, f, g, h]) = (self.0, other.0);
        Wide([a * e, b * f, c * g, d * h])
    }
}

impl Neg for Wide {
    type Output = Wide;
    #[inline(always)]
    fn neg(self) -> Wide {
        let [a, b, c, d] = self.0;
        Wide([-a, -b, -c, -d])
    }
}

/// A vector of each of four items.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct WideVec {
    pub x: Wide,
    pub y: Wide,
    pub z: Wide,
}

impl WideVec {
    #[inline(always)]
    pub fn gather([a, b, c, d]: [&Vec3; 4]) -> WideVec {
        WideVec { x: Wide([a.x, b.x, c.x, d.x]), y: Wide([a.y, b.y, c.y, d.y]), z: Wide([a.z, b.z, c.z, d.z]) }
    }

    /// The vector of an item.
    #[inline(always)]
    pub fn item(&self, k: usize) -> Vec3 {
        Vec3::new(self.x.0[k], self.y.0[k], self.z.0[k])
    }

    #[inline(always)]
    pub fn cross(self, b: WideVec) -> WideVec {
        WideVec { x: self.y * b.z - self.z * b.y, y: self.z * b.x - self.x * b.z, z: self.x * b.y - self.y * b.x }
    }
}

impl Add for WideVec {
    type Output = WideVec;
    #[inline(always)]
    fn add(self, other: WideVec) -> WideVec {
        WideVec { x: self.x + other.x, y: self.y + other.y, z: self.z + other.z }
    }
}

impl Sub for WideVec {
    type Output = WideVec;
    #[inline(always)]
    fn sub(self, other: WideVec) -> WideVec {
        WideVec { x: self.x - other.x, y: self.y - other.y, z: self.z - other.z }
    }
}

impl Mul<Wide> for WideVec {
    type Output = WideVec;
    #[inline(always)]
    fn mul(self, factor: Wide) -> WideVec {
        WideVec { x: self.x * factor, y: self.y * factor, z: self.z * factor }
    }
}

impl Neg for WideVec {
    type Output = WideVec;
    #[inline(always)]
    fn neg(self) -> WideVec {
        WideVec { x: -self.x, y: -self.y, z: -self.z }
    }
}

/// A matrix of each of four items, by columns.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct WideMat(pub [WideVec; 3]);

impl WideMat {
    #[inline(always)]
    pub fn gather([a, b, c, d]: [&Mat3; 4]) -> WideMat {
        let number = |k: usize| Wide([a[k], b[k], c[k], d[k]]);
        let column = |first: usize| WideVec { x: number(first), y: number(first + 1), z: number(first + 2) };
        WideMat([column(0), column(3), column(6)])
    }

    /// The matrix of an item.
    #[inline(always)]
    pub fn item(&self, k: usize) -> Mat3 {
        Mat3::from_columns(&self.0.map(|column| column.item(k)))
    }

    /// The product of the transposed matrix and a vector.
    #[inline(always)]
    pub fn tr_mul(&self, v: WideVec) -> WideVec {
        let [a, b, c] = &self.0;
        WideVec {
            x: a.x * v.x + a.y * v.y + a.z * v.z,
            y: b.x * v.x + b.y * v.y + b.z * v.z,
            z: c.x * v.x + c.y * v.y + c.z * v.z,
        }
    }
}

impl Mul<WideVec> for &WideMat {
    type Output = WideVec;
    #[inline(always)]
    fn mul(self, v: WideVec) -> WideVec {
        self.0[0] * v.x + self.0[1] * v.y + self.0[2] * v.z
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
            for k in 0..4 {
                assert_eq!((wide.item(k), x.item(k)), (m[k], a[k]));
                assert_eq!((&wide * x).item(k), m[k] * a[k]);
                assert_eq!(wide.tr_mul(x).item(k), m[k].tr_mul(&a[k]));
                assert_eq!(x.cross(y).item(k), a[k].cross(&b[k]));
                assert_eq!((x * y.z - -y + x).item(k), a[k] * b[k].z - -b[k] + a[k]);
            }
        }
    }
}
