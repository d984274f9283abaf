//! Laws of constraints: what they admit, and the distance from it.

use super::bilateral::{Elastic, Link};
use super::block::Block;
use super::compliant::{defect_energy, Compliance, Standing};
use super::cone;
use crate::math::{Mat3, Vec3};
use crate::model::PenaltyVariant;

/// The law of one constraint, with everything it needs beside `U` and `R`; user constraints add variants.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Law {
    /// Signorini–Coulomb with Newton restitution and cohesion strength `c` [N] (constraints-solvers-parallel.md 2.8).
    /// `closing` is the velocity `max(g, 0)/h` [m/s] that closes the gap of a quasi-static contact, 0 in dynamics.
    Coulomb { friction: f64, restitution: f64, cohesion: f64, closing: f64 },
    /// Spring and dashpot (section 7).
    SpringDashpot(Compliance),
    /// `U = target` [m/s]: FIXPNT, VELODIR3.
    Velocity3 { target: Vec3 },
    /// `U_N = target` [m/s], `R_T = 0`: FIXDIR, VELODIR.
    Velocity { target: f64 },
    /// RIGLNK, `R_T = 0`.
    Link(Link),
    /// SPRING, `R_T = 0`.
    Spring(Elastic),
}

/// A law with its shift or parameters, as the formulas want it.
#[derive(Debug, Clone, Copy)]
pub(super) enum Form {
    /// `U_N + bounce`, `R_N + cohesion` and the friction of Signorini–Coulomb contact.
    Cone {
        friction: f64,
        bounce: f64,
        cohesion: f64,
    },
    Compliant(Compliance),
    Velocity3(Vec3),
    Velocity(f64),
    Link(Link),
    Spring(Elastic),
    /// No reaction: its direction is null.
    Null,
}

/// Friction above which the velocity map alone does not tell how far a contact is from its law.
const STEEP: f64 = 10.0;

impl Form {
    /// The reaction near `r` that the law admits.
    pub fn project(&self, r: &Vec3) -> Vec3 {
        match self {
            Form::Cone { friction, cohesion, .. } => {
                let shift = Vec3::new(0.0, 0.0, *cohesion);
                cone::project(&(r + shift), *friction) - shift
            }
            Form::Compliant(law) => law.project(r),
            Form::Velocity3(_) => *r,
            Form::Velocity(_) | Form::Link(_) | Form::Spring(_) => Vec3::new(0.0, 0.0, r.z),
            Form::Null => Vec3::zeros(),
        }
    }
}

impl Law {
    /// The form at diagonal block `w`; `v` is the normal velocity at the start of the step.
    pub(super) fn form_at(&self, w: &Mat3, block: &Block, v: f64) -> Form {
        if !matches!(self, Law::Velocity3 { .. }) && block.normal_is_free(w) {
            return Form::Null;
        }
        self.form(v)
    }

    /// Whether the law cannot reach all its directions at diagonal block `w`.
    pub(super) fn singular(&self, w: &Mat3, block: &Block) -> bool {
        match self {
            Law::Velocity { .. } | Law::Link(_) | Law::Spring(_) => block.normal_is_free(w),
            _ => block.singular,
        }
    }

    /// `v` is the normal velocity at the start of the step.
    #[inline]
    pub(super) fn form(&self, v: f64) -> Form {
        match *self {
            Law::Coulomb { friction, restitution, cohesion, closing } => {
                Form::Cone { friction, bounce: restitution * v.min(0.0) + closing, cohesion }
            }
            Law::SpringDashpot(law) => Form::Compliant(law),
            Law::Velocity3 { target } => Form::Velocity3(target),
            Law::Velocity { target } => Form::Velocity(target),
            Law::Link(link) => Form::Link(link),
            Law::Spring(spring) => Form::Spring(spring),
        }
    }

    /// Whether it is a law of contact.
    pub fn contact(&self) -> bool {
        matches!(self, Law::Coulomb { .. } | Law::SpringDashpot(_))
    }

    /// Cohesion strength [N].
    pub(super) fn cohesion(&self) -> f64 {
        match *self {
            Law::Coulomb { cohesion, .. } | Law::SpringDashpot(Compliance { cohesion, .. }) => cohesion,
            _ => 0.0,
        }
    }

    /// Coefficient of friction.
    pub(super) fn friction(&self) -> f64 {
        match *self {
            Law::Coulomb { friction, .. } | Law::SpringDashpot(Compliance { friction, .. }) => friction,
            _ => 0.0,
        }
    }

    /// Largest `|R_T|` at the normal reaction of `r`.
    pub(super) fn friction_bound(&self, r: &Vec3) -> f64 {
        match self.form(0.0) {
            Form::Cone { friction, cohesion, .. } => friction * (r.z + cohesion),
            Form::Compliant(law) => law.friction_bound(r),
            _ => f64::INFINITY,
        }
    }

    /// A finite reaction near `r` that the law admits.
    pub(super) fn clip(&self, r: &Vec3) -> Vec3 {
        if !r.iter().all(|x| x.is_finite()) {
            return Vec3::zeros();
        }
        self.form(0.0).project(r)
    }

    /// Twice the energy by which `r`, `u` miss the law (`e_α` of section 6), and how far they are from it as a velocity.
    pub(super) fn miss(&self, at: &Standing, block: &Block, r: &Vec3, u: &Vec3, variant: PenaltyVariant) -> (f64, f64) {
        match self.form_at(at.w, block, at.v) {
            Form::Cone { friction, bounce, cohesion } => {
                let dashed = Vec3::new(u.x, u.y, u.z + bounce);
                let shifted = Vec3::new(r.x, r.y, r.z + cohesion);
                let c = cone::velocity_map(&dashed, &shifted, friction, 1.0 / block.rho);
                let (energy, velocity) = (c.dot(&(block.inverse * c)), c.norm());
                if friction <= STEEP {
                    return (energy, velocity);
                }
                // The dual cone is then so wide that a velocity into the obstacle is close to it: complementarity counts.
                let closing = dashed.z.min(shifted.z / block.rho);
                (energy.max(closing * closing / at.w.m33), velocity.max(closing.abs()))
            }
            Form::Compliant(law) => {
                let defect = law.defect(at, r, variant);
                (defect_energy(at.w, &defect), defect.norm() / block.rho)
            }
            Form::Velocity3(target) => {
                let p = target - u;
                (p.dot(&(block.inverse * p)), p.norm())
            }
            Form::Velocity(target) => scalar_miss(target - u.z, at.w),
            Form::Link(link) => scalar_miss(link.defect(u), at.w),
            Form::Spring(spring) => scalar_miss(spring.defect(at.w.m33, r.z, u.z), at.w),
            Form::Null => (0.0, 0.0),
        }
    }

    /// Twice the energy of the velocity that a bilateral law asks for (section 6).
    pub(super) fn prescribed(&self, w: &Mat3, block: &Block) -> f64 {
        match self {
            Law::Velocity3 { target } => target.dot(&(block.inverse * target)),
            Law::Velocity { target } if !block.normal_is_free(w) => target * target / w.m33,
            _ => 0.0,
        }
    }
}

/// The part of a constraint with one component that misses its law by the velocity `p`.
fn scalar_miss(p: f64, w: &Mat3) -> (f64, f64) {
    (p * p / w.m33, p.abs())
}
