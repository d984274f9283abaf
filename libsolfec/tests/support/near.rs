//! Numbers and vectors that should be equal but for round-off.

use solfec::math::Vec3;

/// How far two values are apart: the largest difference of a component.
pub trait Apart<Other> {
    fn apart(&self, other: &Other) -> f64;
}

impl Apart<f64> for f64 {
    fn apart(&self, other: &f64) -> f64 {
        (self - other).abs()
    }
}

impl Apart<Vec3> for Vec3 {
    fn apart(&self, other: &Vec3) -> f64 {
        (self - other).amax()
    }
}

impl Apart<&Vec3> for &Vec3 {
    fn apart(&self, other: &&Vec3) -> f64 {
        (*self - *other).amax()
    }
}

impl Apart<[f64; 3]> for Vec3 {
    fn apart(&self, other: &[f64; 3]) -> f64 {
        (self - Vec3::from(*other)).amax()
    }
}

/// Fails where it is called if the values are further apart than `tolerance`; NaN is far from everything.
#[track_caller]
pub fn near<A: Apart<B> + std::fmt::Debug, B: std::fmt::Debug>(found: A, expected: B, tolerance: f64) {
    let apart = found.apart(&expected);
    assert!(apart <= tolerance, "{found:?} is {apart:e} from {expected:?}, more than {tolerance:e}");
}
