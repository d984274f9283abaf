//! Numbers of four elements side by side. Every lane does the sequence of operations of the single number, so results do
//! not depend on the registers that the machine has.

use std::ops::{Add, AddAssign, Mul, Sub};

/// Elements in a batch.
pub const LANES: usize = 4;

#[derive(Debug, Clone, Copy, PartialEq)]
#[repr(align(32))]
pub struct Lanes(pub [f64; LANES]);

impl Lanes {
    pub const ZERO: Lanes = Lanes([0.0; LANES]);

    #[inline(always)]
    pub fn splat(x: f64) -> Lanes {
        Lanes([x; LANES])
    }

    #[inline(always)]
    pub fn max(self, other: Lanes) -> Lanes {
        Lanes(std::array::from_fn(|k| if other.0[k] > self.0[k] { other.0[k] } else { self.0[k] }))
    }

    /// The largest of all; a lane that is not a number is passed over.
    pub fn largest(self) -> f64 {
        self.0.into_iter().fold(0.0, f64::max)
    }
}

impl Add for Lanes {
    type Output = Lanes;
    #[inline(always)]
    fn add(self, other: Lanes) -> Lanes {
        Lanes(std::array::from_fn(|k| self.0[k] + other.0[k]))
    }
}

impl AddAssign for Lanes {
    #[inline(always)]
    fn add_assign(&mut self, other: Lanes) {
        *self = *self + other;
    }
}

impl Sub for Lanes {
    type Output = Lanes;
    #[inline(always)]
    fn sub(self, other: Lanes) -> Lanes {
        Lanes(std::array::from_fn(|k| self.0[k] - other.0[k]))
    }
}

impl Mul for Lanes {
    type Output = Lanes;
    #[inline(always)]
    fn mul(self, other: Lanes) -> Lanes {
        Lanes(std::array::from_fn(|k| self.0[k] * other.0[k]))
    }
}
