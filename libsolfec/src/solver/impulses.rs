//! Impulses that make velocities satisfy equality constraints, by conjugate gradients on the operator.

use crate::dynamics::Delassus;
use crate::math::Vec3;

/// Part of the first residual at which conjugate gradients end.
const TOLERANCE: f64 = 1e-15;
/// Directions on which `W` acts by less than this part of its largest diagonal block are those of constraints that
/// disagree.
const NULL: f64 = 1e-13;

/// Impulses `P` of `W P = residual` in the components that constraints have: all three, or the normal one of those that
/// are `scalar`. `W` may be singular; constraints that agree have a
/// solution all the same, others a compromise.
pub fn impulses<D: Delassus>(operator: &mut D, scalar: &[bool], mut residual: Vec<Vec3>) -> Vec<Vec3> {
    let n = residual.len();
    let free = operator.free().to_vec();
    let mut impulses = vec![Vec3::zeros(); n];
    let mut product = vec![Vec3::zeros(); n];
    let mut direction = residual.clone();
    let mut size = dot(operator, &residual, &residual);
    let enough = size * TOLERANCE * TOLERANCE;
    let largest = operator.greatest(operator.diagonal().iter().map(|w| w.trace()).fold(0.0, f64::max));
    for _ in 0..3 * operator.rows() + 10 {
        if size <= enough {
            break;
        }
        operator.apply(&direction, &mut product);
        for (i, p) in product.iter_mut().enumerate() {
            *p -= free[i];
            if scalar[i] {
                (p.x, p.y) = (0.0, 0.0);
            }
        }
        let curvature = dot(operator, &direction, &product);
        if curvature <= NULL * largest * dot(operator, &direction, &direction) {
            break;
        }
        let length = size / curvature;
        for i in 0..n {
            impulses[i] += direction[i] * length;
            residual[i] -= product[i] * length;
        }
        let next = dot(operator, &residual, &residual);
        for i in 0..n {
            direction[i] = residual[i] + direction[i] * (next / size);
        }
        size = next;
    }
    impulses
}

/// Over the constraints of all processes.
fn dot<D: Delassus>(operator: &D, a: &[Vec3], b: &[Vec3]) -> f64 {
    let [sum] = operator.total([a.iter().zip(b).map(|(a, b)| a.dot(b)).sum()]);
    sum
}
