//! Laws of constraints: what they admit, and the distance from it.

use serde::{Deserialize, Serialize};

use super::bilateral::{Elastic, Link};
use super::block::Block;
use super::compliant::{defect_energy, BlockState, Compliance, Site};
use super::cone;
use crate::math::{Mat3, Vec3};
use crate::model::PenaltyVariant;

/// The law of one constraint, with everything it needs beside `U` and `R`; user constraints add variants.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub enum Law {
    /// Signorini–Coulomb with Newton restitution and cohesion strength `c` [N] (docs/theory.md, (7.1) to (7.3)).
    /// `closing` is the velocity `max(g, 0)/h` [m/s] that closes the gap of a quasi-static contact, 0 in dynamics.
    Coulomb { friction: f64, restitution: f64, cohesion: f64, closing: f64 },
    /// Spring and dashpot (docs/theory.md, (7.9) and (7.10)).
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
#[derive(Debug, Clone, Copy, Default)]
pub(super) enum ResidualForm {
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
    #[default]
    Null,
}

/// Friction above which the velocity map alone does not tell how far a contact is from its law.
const STEEP: f64 = 10.0;

impl ResidualForm {
    /// Friction, bounce and cohesion of a contact.
    pub fn cone(&self) -> Option<[f64; 3]> {
        match *self {
            ResidualForm::Cone { friction, bounce, cohesion } => Some([friction, bounce, cohesion]),
            ResidualForm::Compliant(_)
            | ResidualForm::Velocity3(_)
            | ResidualForm::Velocity(_)
            | ResidualForm::Link(_)
            | ResidualForm::Spring(_)
            | ResidualForm::Null => None,
        }
    }

    /// The reaction near `r` that the law admits.
    #[inline]
    pub fn project(&self, r: &Vec3) -> Vec3 {
        match self {
            ResidualForm::Cone { friction, cohesion, .. } => {
                let shift = Vec3::new(0.0, 0.0, *cohesion);
                cone::project(&(r + shift), *friction) - shift
            }
            ResidualForm::Compliant(law) => law.project(r),
            ResidualForm::Velocity3(_) => *r,
            ResidualForm::Velocity(_) | ResidualForm::Link(_) | ResidualForm::Spring(_) => Vec3::new(0.0, 0.0, r.z),
            ResidualForm::Null => Vec3::zeros(),
        }
    }
}

impl Law {
    /// The form at diagonal block `w`; `v` is the normal velocity at the start of the step.
    #[inline]
    pub(super) fn form_at(&self, w: &Mat3, block: &Block, v: f64) -> ResidualForm {
        if !matches!(self, Law::Velocity3 { .. }) && block.normal_is_free(w) {
            return ResidualForm::Null;
        }
        self.form(v)
    }

    /// Whether the law cannot reach all its directions at diagonal block `w`.
    pub(super) fn singular(&self, w: &Mat3, block: &Block) -> bool {
        match self {
            Law::Velocity { .. } | Law::Link(_) | Law::Spring(_) => block.normal_is_free(w),
            Law::Coulomb { .. } | Law::SpringDashpot(_) | Law::Velocity3 { .. } => block.singular,
        }
    }

    /// `v` is the normal velocity at the start of the step.
    #[inline]
    pub(super) fn form(&self, v: f64) -> ResidualForm {
        match *self {
            Law::Coulomb { friction, restitution, cohesion, closing } => {
                ResidualForm::Cone { friction, bounce: restitution * v.min(0.0) + closing, cohesion }
            }
            Law::SpringDashpot(law) => ResidualForm::Compliant(law),
            Law::Velocity3 { target } => ResidualForm::Velocity3(target),
            Law::Velocity { target } => ResidualForm::Velocity(target),
            Law::Link(link) => ResidualForm::Link(link),
            Law::Spring(spring) => ResidualForm::Spring(spring),
        }
    }

    /// Whether it is a law of contact.
    pub fn contact(&self) -> bool {
        match self {
            Law::Coulomb { .. } | Law::SpringDashpot(_) => true,
            Law::Velocity3 { .. } | Law::Velocity { .. } | Law::Link(_) | Law::Spring(_) => false,
        }
    }

    /// By how much a joint misses the velocity that it demands [m/s]; 0 of other laws.
    pub fn missed(&self, u: &Vec3) -> f64 {
        match *self {
            Law::Velocity3 { target } => (target - u).norm(),
            Law::Velocity { target } => (target - u.z).abs(),
            Law::Link(link) => link.defect(u).abs(),
            Law::Coulomb { .. } | Law::SpringDashpot(_) | Law::Spring(_) => 0.0,
        }
    }

    /// Cohesion strength [N].
    pub(super) fn cohesion(&self) -> f64 {
        match *self {
            Law::Coulomb { cohesion, .. } | Law::SpringDashpot(Compliance { cohesion, .. }) => cohesion,
            Law::Velocity3 { .. } | Law::Velocity { .. } | Law::Link(_) | Law::Spring(_) => 0.0,
        }
    }

    /// Coefficient of friction.
    pub(super) fn friction(&self) -> f64 {
        match *self {
            Law::Coulomb { friction, .. } | Law::SpringDashpot(Compliance { friction, .. }) => friction,
            Law::Velocity3 { .. } | Law::Velocity { .. } | Law::Link(_) | Law::Spring(_) => 0.0,
        }
    }

    /// Largest `|R_T|` at the normal reaction of `r`.
    pub(super) fn friction_bound(&self, r: &Vec3) -> f64 {
        match self.form(0.0) {
            ResidualForm::Cone { friction, cohesion, .. } => friction * (r.z + cohesion),
            ResidualForm::Compliant(law) => law.friction_bound(r),
            ResidualForm::Velocity3(_)
            | ResidualForm::Velocity(_)
            | ResidualForm::Link(_)
            | ResidualForm::Spring(_)
            | ResidualForm::Null => f64::INFINITY,
        }
    }

    /// A finite reaction near `r` that the law admits.
    #[inline]
    pub(super) fn clip(&self, r: &Vec3) -> Vec3 {
        if !r.iter().all(|x| x.is_finite()) {
            return Vec3::zeros();
        }
        self.form(0.0).project(r)
    }

    /// Twice the energy by which `r`, `u` violate the law (`e_α` of docs/theory.md 9), and the violation as a velocity.
    #[inline]
    pub(super) fn violation(
        &self,
        at: &Site,
        block: &Block,
        r: &Vec3,
        u: &Vec3,
        variant: PenaltyVariant,
    ) -> (f64, f64) {
        match self.form_at(at.w, block, at.v) {
            ResidualForm::Cone { friction, bounce, cohesion } => {
                let dashed = Vec3::new(u.x, u.y, u.z + bounce);
                let shifted = Vec3::new(r.x, r.y, r.z + cohesion);
                let c = cone::velocity_map(&dashed, &shifted, friction, 1.0 / block.rho);
                let (energy, velocity) = (c.dot(&(block.inverse * c)), c.norm());
                if friction <= STEEP {
                    return (energy, velocity);
                }
                // The dual cone is then so wide that a velocity into the obstacle is close to it: complementarity
                // counts.
                let closing = dashed.z.min(shifted.z / block.rho);
                (energy.max(closing * closing / at.w.m33), velocity.max(closing.abs()))
            }
            ResidualForm::Compliant(law) => {
                let defect = law.defect(&at.state(r, u), r, variant);
                (defect_energy(at.w, &defect), defect.norm() / block.rho)
            }
            ResidualForm::Velocity3(target) => {
                let p = target - u;
                (p.dot(&(block.inverse * p)), p.norm())
            }
            ResidualForm::Velocity(target) => scalar_violation(target - u.z, at.w),
            ResidualForm::Link(link) => scalar_violation(link.defect(u), at.w),
            ResidualForm::Spring(spring) => scalar_violation(spring.defect(at.w.m33, r.z, u.z), at.w),
            ResidualForm::Null => (0.0, 0.0),
        }
    }

    /// Twice the energy of the velocity that a bilateral law asks for (docs/theory.md, (9.1)).
    pub(super) fn prescribed(&self, w: &Mat3, block: &Block) -> f64 {
        match self {
            Law::Velocity3 { target } => target.dot(&(block.inverse * target)),
            Law::Velocity { target } if !block.normal_is_free(w) => target * target / w.m33,
            Law::Velocity { .. } | Law::Coulomb { .. } | Law::SpringDashpot(_) | Law::Link(_) | Law::Spring(_) => 0.0,
        }
    }

    /// Twice the energy that springs of the law would bring in from its free velocity: bodies at rest may be pushed by
    /// nothing else.
    pub(super) fn elastic(&self, at: &BlockState, block: &Block, variant: PenaltyVariant) -> f64 {
        match self {
            Law::Spring(spring) if !block.normal_is_free(at.w) => at.w.m33 * spring.reaction(at.w.m33, at.b.z).powi(2),
            Law::SpringDashpot(law) => at.w.m33 * law.push(at, variant).powi(2),
            Law::Spring(_) | Law::Coulomb { .. } | Law::Velocity3 { .. } | Law::Velocity { .. } | Law::Link(_) => 0.0,
        }
    }
}

/// The violation of a law of one component by the velocity `p`.
fn scalar_violation(p: f64, w: &Mat3) -> (f64, f64) {
    (p * p / w.m33, p.abs())
}
