//! Mean place and mean rigid velocity of nodes with masses.

use crate::body::Twist;
use crate::math::{Mat3, Vec3};

/// Mean of a field of the nodes with their masses.
pub fn mean(mass: &[f64], field: &[Vec3]) -> Vec3 {
    let total: f64 = mass.iter().sum();
    mass.iter().zip(field).map(|(mass, x)| x * *mass).sum::<Vec3>() / total
}

/// Velocity of the mass centre, and the mean rate of turning `J⁻¹ L` about it.
pub fn mean_twist(mass: &[f64], x: &[Vec3], v: &[Vec3]) -> Twist {
    let (center, linear) = (mean(mass, x), mean(mass, v));
    let (mut momentum, mut inertia) = (Vec3::zeros(), Mat3::zeros());
    for ((mass, x), v) in mass.iter().zip(x).zip(v) {
        let arm = x - center;
        momentum += arm.cross(&(v - linear)) * *mass;
        inertia += (Mat3::from_diagonal_element(arm.norm_squared()) - arm * arm.transpose()) * *mass;
    }
    let angular = inertia.try_inverse().map_or(Vec3::zeros(), |inverse| inverse * momentum);
    Twist { linear, angular }
}
