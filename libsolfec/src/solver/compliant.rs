//! The law of spring-dashpot contacts (docs/theory.md, (7.9) and (7.10)).

use nalgebra::{Matrix2, Vector2};
use serde::{Deserialize, Serialize};

use super::cone::tangential;
use super::Conditions;
use crate::math::{Mat3, Vec3};
use crate::model::{Analysis, PenaltyVariant};
use crate::stepping::Stepping;

/// A compliant contact: gap [m] at mid-step (quasi-static: at the start of the step), spring [N/m^hpow], dashpot [N
/// s/m] (negative: critical), Hertz power ≥ 1, friction, cohesion strength [N].
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Compliance {
    pub gap: f64,
    pub spring: f64,
    pub dashpot: f64,
    pub hpow: f64,
    pub friction: f64,
    pub cohesion: f64,
}

/// Where a compliant contact stands in its step: local velocity `b` with no reaction of its own, normal velocity `v` at
/// the start of the step (0 in quasi-statics).
#[derive(Debug, Clone, Copy)]
pub struct BlockState<'a> {
    pub conditions: Conditions,
    pub w: &'a Mat3,
    pub b: Vec3,
    pub v: f64,
}

/// Where a constraint stands in its step, whatever its velocity: as [`BlockState`].
#[derive(Debug, Clone, Copy)]
pub struct Site<'a> {
    pub conditions: &'a Conditions,
    pub w: &'a Mat3,
    pub v: f64,
}

impl<'a> Site<'a> {
    /// The state in which the reaction `r` makes the local velocity `u`.
    pub fn state(&self, r: &Vec3, u: &Vec3) -> BlockState<'a> {
        let Site { conditions, w, v } = *self;
        BlockState { conditions: *conditions, w, b: u - w * r, v }
    }
}

impl Compliance {
    /// Tangent stiffness `k p (−g)^(p−1)` of the gap `g ≤ 0`.
    fn stiffness(&self, gap: f64) -> f64 {
        self.spring * self.hpow * power(-gap, self.hpow - 1.0)
    }

    fn force(&self, gap: f64) -> f64 {
        self.spring * power(-gap, self.hpow)
    }

    /// The dashpot, with the critical one for the effective mass `h/W_NN` resolved.
    fn damping(&self, stiffness: f64, mass: f64) -> f64 {
        if self.dashpot < 0.0 {
            2.0 * (mass * stiffness).sqrt()
        } else {
            self.dashpot
        }
    }

    /// In dynamics spring and dashpot act at the mean of gaps and velocities over the step, with `g = g^n + (h/2)V` the
    /// gap of mid-step; in quasi-statics, without `V`, at the end of the step (docs/theory.md, (1.7)).
    fn normal(&self, at: &BlockState, r: &Vec3, variant: PenaltyVariant) -> f64 {
        let (Conditions { h, analysis, .. }, w, v) = (at.conditions, at.w, at.v);
        match variant {
            PenaltyVariant::Implicit => {
                let (way, share) = mean(h, analysis);
                let b = at.b.z + w.m31 * r.x + w.m32 * r.y;
                let gap = (self.gap + way * (b - v)).min(0.0);
                let k = self.stiffness(gap);
                let d = self.damping(k, h / w.m33);
                (self.force(gap) - share * d * (b + v)) / (1.0 + (way * k + share * d) * w.m33)
            }
            PenaltyVariant::Explicit => {
                let gap = self.gap.min(0.0);
                let d = self.damping(self.stiffness(gap), h / w.m33);
                self.force(gap) - d * v
            }
        }
    }

    /// The reaction; `r` is the present one (its tangential part enters the normal velocity). `None` if `W_TT` is
    /// singular.
    pub fn reaction(&self, at: &BlockState, r: &Vec3, variant: PenaltyVariant) -> Option<Vec3> {
        let w = at.w;
        let normal = self.normal(at, r, variant);
        if self.cohesion == 0.0 && normal < 0.0 {
            return Some(Vec3::zeros());
        }
        let normal = normal.max(-self.cohesion);
        let pull = Vector2::new(at.b.x, at.b.y) + Vector2::new(w.m13, w.m23) * normal;
        let Friction { force, .. } = Friction::against(&tangential_block(w), &pull, self.friction * normal.abs())?;
        let reaction = Vec3::new(force.x, force.y, normal);
        reaction.iter().all(|x| x.is_finite()).then_some(reaction)
    }

    /// The normal reaction without friction.
    pub fn push(&self, at: &BlockState, variant: PenaltyVariant) -> f64 {
        let normal = self.normal(at, &Vec3::zeros(), variant);
        normal.max(-self.cohesion)
    }

    /// Derivative of the implicit [`Compliance::reaction`] with respect to `b`, at frozen stiffness; columns T1, T2 of
    /// the normal row are zero (the tangential reaction enters the normal velocity, not the tangential velocity).
    pub fn rate(&self, at: &BlockState, r: &Vec3) -> Mat3 {
        let (w, h) = (at.w, at.conditions.h);
        let normal = self.normal(at, r, PenaltyVariant::Implicit);
        if self.cohesion == 0.0 && normal < 0.0 {
            return Mat3::zeros();
        }
        let (way, share) = mean(h, at.conditions.analysis);
        let gap = self.gap + way * (at.b.z + w.m31 * r.x + w.m32 * r.y - at.v);
        let k = self.stiffness(gap.min(0.0));
        let damping = share * self.damping(k, h / w.m33);
        let pushing = if gap < 0.0 { way * k } else { 0.0 };
        let mut by_normal = -(pushing + damping) / (1.0 + (way * k + damping) * w.m33);
        if normal < -self.cohesion {
            by_normal = 0.0;
        }
        let normal = normal.max(-self.cohesion);
        let column = Vector2::new(w.m13, w.m23);
        let pull = Vector2::new(at.b.x, at.b.y) + column * normal;
        let Some(friction) = Friction::against(&tangential_block(w), &pull, self.friction * normal.abs()) else {
            return Mat3::zeros();
        };
        let (t, by_bound) = friction.rate(&pull);
        let n = t * column * by_normal + by_bound * (self.friction * by_normal * normal.signum());
        Mat3::new(t.m11, t.m12, n.x, t.m21, t.m22, n.y, 0.0, 0.0, by_normal)
    }

    /// The reaction near `r` within the strength and the friction of the contact.
    pub fn project(&self, r: &Vec3) -> Vec3 {
        let normal = r.z.max(-self.cohesion);
        let (bound, size) = (self.friction * normal.abs(), tangential(r));
        let scale = if size > bound { bound / size } else { 1.0 };
        Vec3::new(scale * r.x, scale * r.y, normal)
    }

    /// How far `r` is from the law at velocity `u`: the reaction the law asks for, minus `r`.
    pub fn defect(&self, at: &BlockState, r: &Vec3, variant: PenaltyVariant) -> Vec3 {
        self.reaction(at, r, variant).map_or(*r, |law| law - r)
    }

    /// Step at which the explicit variant becomes unstable [s].
    pub fn critical_step(&self, conditions: Conditions, w: &Mat3) -> f64 {
        let mass = conditions.h / w.m33;
        let k = self.stiffness(self.gap.min(0.0));
        if k <= 0.0 {
            return f64::INFINITY;
        }
        if Stepping::of(conditions.analysis).inertial {
            let zeta = self.damping(k, mass) / (2.0 * (k * mass).sqrt());
            2.0 * (mass / k).sqrt() * ((1.0 + zeta * zeta).sqrt() - zeta)
        } else {
            // g + hU = g (1 − h²k/m) with no dashpot.
            (2.0 * mass / k).sqrt()
        }
    }

    /// Largest tangential reaction at this normal one.
    pub fn friction_bound(&self, r: &Vec3) -> f64 {
        self.friction * r.z.abs()
    }
}

fn tangential_block(w: &Mat3) -> Matrix2<f64> {
    Matrix2::new(w.m11, w.m12, w.m21, w.m22)
}

/// Newton steps for the multiplier of sliding friction; two or three are usual.
const FRICTION_STEPS: usize = 20;
/// Error of the size of sliding friction, relative to its bound.
const FRICTION_ERROR: f64 = 1e-14;

/// Friction against a pull: `R_T = −(W_TT + λ)⁻¹ pull` with the least `λ ≥ 0` for which it is within its bound. With
/// `U_T = pull + W_TT R_T = −λ R_T` it sticks, or acts against the slip.
struct Friction {
    force: Vector2<f64>,
    /// `(W_TT + λ)⁻¹`, zero where the bound is or nearly is.
    inverse: Matrix2<f64>,
    slides: bool,
}

impl Friction {
    /// `None` if the block is singular.
    fn against(block: &Matrix2<f64>, pull: &Vector2<f64>, bound: f64) -> Option<Friction> {
        let mut inverse = block.try_inverse()?;
        let mut force = -inverse * pull;
        if force.norm() <= bound {
            return Some(Friction { force, inverse, slides: false });
        }
        // The multiplier of less is not finite.
        if bound <= f64::MIN_POSITIVE.sqrt() {
            return Some(Friction { force: Vector2::zeros(), inverse: Matrix2::zeros(), slides: true });
        }
        // Moré and Sorensen (1983): 1/|R_T| is nearly linear in λ, and the steps come from below.
        let mut lambda = 0.0;
        for _ in 0..FRICTION_STEPS {
            let size = force.norm();
            if (size - bound).abs() <= FRICTION_ERROR * bound {
                break;
            }
            lambda += size * size / force.dot(&(inverse * force)) * (size - bound) / bound;
            inverse = (block + Matrix2::from_diagonal_element(lambda)).try_inverse()?;
            force = -inverse * pull;
        }
        force *= bound / force.norm();
        Some(Friction { force, inverse, slides: true })
    }

    /// Derivatives with respect to the pull and to the bound.
    fn rate(&self, pull: &Vector2<f64>) -> (Matrix2<f64>, Vector2<f64>) {
        let Friction { force, inverse, slides } = self;
        if !slides {
            return (-inverse, Vector2::zeros());
        }
        if *inverse == Matrix2::zeros() {
            return (Matrix2::zeros(), -pull.try_normalize(0.0).unwrap_or_else(Vector2::zeros));
        }
        let turned = inverse * force;
        let across = force.dot(&turned);
        (turned * turned.transpose() / across - inverse, turned * (force.norm() / across))
    }
}

/// `x^p`, in no time for springs that are linear.
fn power(x: f64, p: f64) -> f64 {
    if p == 0.0 {
        1.0
    } else if p == 1.0 {
        x
    } else {
        x.powf(p)
    }
}

/// Displacement per normal velocity `U_N` at which the spring acts [s], and the share of `U_N` that the dashpot feels.
fn mean(h: f64, analysis: Analysis) -> (f64, f64) {
    let stepping = Stepping::of(analysis);
    (stepping.mean_displacement * h, stepping.mean_velocity)
}

/// `⟨W, Δ⊗Δ⟩` without the coupling of normal and tangent [J/s]: the merit of a defect.
pub fn defect_energy(w: &Mat3, defect: &Vec3) -> f64 {
    let d = defect;
    w.m33 * d.z * d.z + w.m11 * d.x * d.x + 2.0 * w.m12 * d.x * d.y + w.m22 * d.y * d.y
}
