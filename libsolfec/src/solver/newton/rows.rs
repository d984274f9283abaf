//! Residual and derivative of the law of one constraint (docs/theory.md 7, 8).

use crate::math::{Mat3, Vec3};
use crate::model::PenaltyVariant;
use crate::solver::block::Block;
use crate::solver::compliant::BlockState;
use crate::solver::law::ResidualForm;
use crate::solver::{map, Law};

/// The linearised law `C(U, R) = 0` of one constraint, its equations scaled to forces: velocities are divided by
/// `W_NN`.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Row {
    /// `C` [N].
    pub residual: Vec3,
    /// `∂C/∂U` [N s/m] and `∂C/∂R`.
    by_velocity: Mat3,
    by_reaction: Mat3,
    /// `1/W_NN` [N s/m], the unit of the shift δ.
    scale: f64,
    /// Inverse of the diagonal block of the shifted derivative with respect to `R`.
    inverse: Mat3,
}

impl Row {
    /// At `at.b = U − W_αα R`; `omega` is the smoothing velocity [m/s], `delta` the shift δ [m/s/N].
    pub fn new(law: &Law, at: &BlockState, block: &Block, r: &Vec3, omega: f64, delta: f64) -> Self {
        let unit = unit(at.w, block);
        let (residual, by_velocity, by_reaction) = linearise(law.form(at.v), at, unit, r, omega);
        let shift = Mat3::from_diagonal_element(delta / unit);
        let inverse = regular_inverse(&(by_velocity * at.w + by_reaction + shift));
        Row { residual, by_velocity, by_reaction, scale: 1.0 / unit, inverse }
    }

    /// The row of `∇C + δI` times `x`, where `w = W x`.
    pub fn apply(&self, w: &Vec3, x: &Vec3, delta: f64) -> Vec3 {
        self.by_velocity * w + self.by_reaction * x + x * (delta * self.scale)
    }

    /// Velocity over force [m/s/N]: what the equations have been divided by.
    pub fn unit(&self) -> f64 {
        1.0 / self.scale
    }

    /// `(T + δI)⁻¹ f` with the diagonal block `T`.
    pub fn solve_block(&self, f: &Vec3) -> Vec3 {
        self.inverse * f
    }
}

/// Velocity over force: `W_NN`, or for a block without it the largest eigenvalue.
fn unit(w: &Mat3, block: &Block) -> f64 {
    [w.m33, 1.0 / block.rho].into_iter().find(|unit| unit.is_normal() && *unit > 0.0).unwrap_or(1.0)
}

/// `(C, ∂C/∂U, ∂C/∂R)`, velocities divided by `unit`.
pub(in crate::solver) fn linearise(
    form: ResidualForm,
    at: &BlockState,
    unit: f64,
    r: &Vec3,
    omega: f64,
) -> (Vec3, Mat3, Mat3) {
    let w = at.w;
    let u = at.b + w * r;
    let normal = Mat3::from_diagonal(&Vec3::z());
    let tangent = Mat3::identity() - normal;
    match form {
        ResidualForm::Cone { friction, bounce, cohesion } => {
            let (u, r) = (u + Vec3::z() * bounce, r + Vec3::z() * cohesion);
            let c = map::residual(&u, &r, friction, unit, omega);
            let (x, y) = map::jacobian(&u, &r, friction, unit, omega);
            (c / unit, x / unit, y)
        }
        ResidualForm::Compliant(law) => {
            let rate = law.rate(at, r);
            let normal_part = Mat3::new(w.m11, w.m12, w.m13, w.m21, w.m22, w.m23, 0.0, 0.0, w.m33);
            (-law.defect(at, r, PenaltyVariant::Implicit), -rate, Mat3::identity() + rate * normal_part)
        }
        ResidualForm::Velocity3(target) => ((u - target) / unit, Mat3::identity() / unit, Mat3::zeros()),
        ResidualForm::Velocity(target) => (Vec3::new(r.x, r.y, (u.z - target) / unit), normal / unit, tangent),
        ResidualForm::Link(link) => {
            let c = Vec3::new(r.x, r.y, link.defect(&u) / unit);
            (c, Vec3::z() * link.slope(&u).transpose() / unit, tangent)
        }
        ResidualForm::Spring(spring) => {
            let b = u.z - w.m33 * r.z;
            let rate = spring.rate(w.m33, b);
            let c = Vec3::new(r.x, r.y, r.z - spring.reaction(w.m33, b));
            (c, -rate * normal, tangent + (1.0 + rate * w.m33) * normal)
        }
        ResidualForm::Null => (*r, Mat3::zeros(), Mat3::identity()),
    }
}

/// Least ratio of a matrix to its inverse that counts as regular, and the relative shift where it is not.
const REGULAR: f64 = 1e-12;
const LEVENBERG: f64 = 1e-6;

/// `T⁻¹`; of a singular matrix `(TᵀT + τ²I)⁻¹Tᵀ` with a small `τ`; zero of one that is not finite.
fn regular_inverse(t: &Mat3) -> Mat3 {
    let size = t.norm();
    if let Some(inverse) = t.try_inverse().filter(|inverse| inverse.norm() * size * REGULAR < 1.0) {
        return inverse;
    }
    let shift = Mat3::from_diagonal_element((LEVENBERG * size).powi(2));
    let damped = (t.tr_mul(t) + shift).try_inverse().map(|inverse| inverse * t.transpose());
    damped.filter(|inverse| inverse.iter().all(|x| x.is_finite())).unwrap_or_else(Mat3::zeros)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::Analysis;
    use crate::solver::{Compliance, Conditions, Elastic, Link};

    const W: Mat3 = Mat3::new(2.0, 0.2, 0.5, 0.2, 1.5, 0.1, 0.5, 0.1, 1.0);

    fn laws() -> Vec<Law> {
        let compliance = Compliance { gap: -0.01, spring: 50.0, dashpot: 3.0, hpow: 1.0, friction: 0.4, cohesion: 0.0 };
        let elastic = Elastic { force: 0.5, slope: -2.0, at: 0.3, lower: f64::NEG_INFINITY, upper: 1.0 };
        vec![
            Law::Coulomb { friction: 0.4, restitution: 0.5, cohesion: 0.2, closing: 0.1 },
            Law::SpringDashpot(compliance),
            Law::SpringDashpot(Compliance { friction: 10.0, cohesion: 0.3, ..compliance }),
            Law::Velocity3 { target: Vec3::new(0.1, 0.2, 0.3) },
            Law::Velocity { target: 0.3 },
            Law::Link(Link { length: 1.0, distance: 0.9, reach: 0.1 }),
            Law::Spring(elastic),
            Law::Spring(Elastic { upper: -5.0, ..elastic }),
        ]
    }

    /// Derivatives are those of the residual, at points in all branches.
    #[test]
    fn derivatives_match_differences() {
        let conditions = Conditions { h: 0.01, analysis: Analysis::Dynamic, energy: 0.0 };
        let at = |u: &Vec3, r: &Vec3| (u - W * r, *r);
        let points = [
            (Vec3::new(0.3, -0.2, 0.4), Vec3::new(0.1, 0.2, 0.5)),
            (Vec3::new(-0.03, 0.02, -0.6), Vec3::new(0.3, -0.1, 2.0)),
            (Vec3::new(0.5, 0.7, 0.9), Vec3::new(-0.6, 0.1, -0.5)),
        ];
        for law in laws() {
            for (u, r) in &points {
                let evaluate = |u: &Vec3, r: &Vec3| {
                    let (b, r) = at(u, r);
                    linearise(law.form(-0.2), &BlockState { conditions, w: &W, b, v: -0.2 }, 1.0, &r, 1e-2)
                };
                let (_, x, y) = evaluate(u, r);
                let e = 1e-6;
                for k in 0..3 {
                    let step = Vec3::ith(k, e);
                    let by_u = (evaluate(&(u + step), r).0 - evaluate(&(u - step), r).0) / (2.0 * e);
                    let by_r = (evaluate(u, &(r + step)).0 - evaluate(u, &(r - step)).0) / (2.0 * e);
                    assert!((by_u - x.column(k)).amax() < 1e-5, "{law:?} by U at {u:?}: {by_u} {x}");
                    assert!((by_r - y.column(k)).amax() < 1e-5, "{law:?} by R at {u:?}: {by_r} {y}");
                }
            }
        }
    }

    /// A singular block has a bounded inverse, exact off its null space.
    #[test]
    fn singular_blocks_are_shifted() {
        let t = Mat3::from_diagonal(&Vec3::new(2.0, 1.0, 0.0));
        let x = regular_inverse(&t) * Vec3::new(2.0, 3.0, 5.0);
        assert!((x - Vec3::new(1.0, 3.0, 0.0)).amax() < 1e-10, "{x}");
        assert_eq!(regular_inverse(&Mat3::repeat(f64::NAN)), Mat3::zeros());
    }
}
