//! Axis-aligned boxes.

use crate::math::Vec3;

/// A closed axis-aligned box; the default is empty.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Bounds {
    pub low: Vec3,
    pub high: Vec3,
}

impl Default for Bounds {
    fn default() -> Self {
        Bounds { low: Vec3::repeat(f64::INFINITY), high: Vec3::repeat(f64::NEG_INFINITY) }
    }
}

impl Bounds {
    /// The least box around `points`, enlarged by `margin` [m] on each side.
    pub fn around(points: &[Vec3], margin: f64) -> Self {
        let mut b = Bounds::default();
        for p in points {
            b.low = b.low.inf(p);
            b.high = b.high.sup(p);
        }
        b.enlarged(margin)
    }

    /// The box of a ball.
    pub fn ball(center: &Vec3, radius: f64) -> Self {
        Bounds { low: center.add_scalar(-radius), high: center.add_scalar(radius) }
    }

    pub fn enlarged(&self, margin: f64) -> Self {
        Bounds { low: self.low.add_scalar(-margin), high: self.high.add_scalar(margin) }
    }

    pub fn union(&self, other: &Bounds) -> Self {
        Bounds { low: self.low.inf(&other.low), high: self.high.sup(&other.high) }
    }

    /// Whether the boxes share a point.
    #[inline]
    pub fn meets(&self, other: &Bounds) -> bool {
        self.low.x <= other.high.x
            && other.low.x <= self.high.x
            && self.low.y <= other.high.y
            && other.low.y <= self.high.y
            && self.low.z <= other.high.z
            && other.low.z <= self.high.z
    }

    pub fn center(&self) -> Vec3 {
        0.5 * (self.low + self.high)
    }

    /// Length of the diagonal [m].
    pub fn diagonal(&self) -> f64 {
        (self.high - self.low).norm()
    }
}
