//! Laws of links and springs: one scalar unknown, the normal reaction (docs/theory.md, (8.4) and (8.5)).

use serde::{Deserialize, Serialize};

use crate::math::{Mat3, Vec3};

/// A rigid link: the vector from slave to master is `(0, 0, distance)` at mid-step and must have the length `length` at
/// the end of the step, `|z + h' U| = d`; `reach` is `h'` (half a step, in quasi-statics a step) [s].
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Link {
    pub length: f64,
    pub distance: f64,
    pub reach: f64,
}

impl Link {
    /// Normal reaction at block `w` and velocity `b` with no reaction: the root of smaller size of
    /// `|w'|² r² + 2 (y·w') r + |y|² − d² = 0`, `y = z + h' b`, `w' = h' W_{:N}`; when the length cannot be reached,
    /// the reaction that comes nearest to it.
    pub fn reaction(&self, w: &Mat3, b: &Vec3) -> f64 {
        let way: Vec3 = self.reach * b;
        let y = Vec3::new(way.x, way.y, self.distance + way.z);
        let column: Vec3 = w.column(2) * self.reach;
        let (a, half) = (column.norm_squared(), y.dot(&column));
        // |y|² − d² without the cancellation of the lengths.
        let c = (self.distance - self.length + way.z) * (y.z + self.length) + way.x * way.x + way.y * way.y;
        let discriminant = half * half - a * c;
        if discriminant <= 0.0 {
            return -half / a;
        }
        // The root of smaller size without cancellation.
        -c / (half + discriminant.sqrt().copysign(half))
    }

    /// `C_N = U_N − (√(d² − h'²|U_T|²) − |z|)/h'` [m/s], with a root of 0 where there is none: then no `U_N` reaches
    /// the length.
    pub fn defect(&self, u: &Vec3) -> f64 {
        let swing = self.reach * self.reach * (u.x * u.x + u.y * u.y);
        // √(d² − s) − d = −s / (√(d² − s) + d)
        let sag = match self.level(u) {
            level if level > 0.0 => swing / (level.sqrt() + self.length),
            _ => self.length,
        };
        u.z + (sag + (self.distance - self.length)) / self.reach
    }

    /// By how much the link is too long at the end of the step [m]: 0 unless its length was out of reach.
    pub fn excess(&self, u: &Vec3) -> f64 {
        let (y, c) = self.end(u);
        c / (y.norm() + self.length)
    }

    /// `y = z + h' u` and `|y|² − d²`, without the cancellation of the lengths.
    fn end(&self, u: &Vec3) -> (Vec3, f64) {
        let way: Vec3 = self.reach * u;
        let y = Vec3::new(way.x, way.y, self.distance + way.z);
        (y, (self.distance - self.length + way.z) * (y.z + self.length) + way.x * way.x + way.y * way.y)
    }

    /// `∂C_N/∂U`.
    pub fn slope(&self, u: &Vec3) -> Vec3 {
        let level = self.level(u).sqrt();
        let share = if level > 0.0 { self.reach / level } else { 0.0 };
        Vec3::new(share * u.x, share * u.y, 1.0)
    }

    /// `d² − h'²|U_T|²`, not below zero.
    fn level(&self, u: &Vec3) -> f64 {
        (self.length * self.length - self.reach * self.reach * (u.x * u.x + u.y * u.y)).max(0.0)
    }
}

/// A spring near its solution: `R_N = force + slope (U_N − at)`, and stops that push when `U_N` would leave
/// `[lower, upper]`; infinite bounds are none.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Elastic {
    pub force: f64,
    pub slope: f64,
    pub at: f64,
    pub lower: f64,
    pub upper: f64,
}

impl Elastic {
    /// Force of the spring alone at this velocity.
    pub fn force(&self, u: f64) -> f64 {
        self.force + self.slope * (u - self.at)
    }

    /// Normal reaction at block entry `w` and velocity `b` with no reaction.
    pub fn reaction(&self, w: f64, b: f64) -> f64 {
        let free = (self.force + self.slope * (b - self.at)) / (1.0 - self.slope * w);
        let u = b + w * free;
        if u < self.lower {
            (self.lower - b) / w
        } else if u > self.upper {
            (self.upper - b) / w
        } else {
            free
        }
    }

    /// `∂reaction/∂b`.
    pub fn rate(&self, w: f64, b: f64) -> f64 {
        let u = b + w * (self.force + self.slope * (b - self.at)) / (1.0 - self.slope * w);
        if u < self.lower || u > self.upper {
            -1.0 / w
        } else {
            self.slope / (1.0 - self.slope * w)
        }
    }

    /// `U_N` minus what the law makes of it [m/s]: `W_NN (f(U_N) − R_N)` towards it, not beyond the stops.
    pub fn defect(&self, w: f64, r: f64, u: f64) -> f64 {
        u - (u + w * (self.force(u) - r)).max(self.lower).min(self.upper)
    }
}
