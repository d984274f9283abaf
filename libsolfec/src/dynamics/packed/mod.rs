//! Dynamic bodies of a step packed for the sweep: `H` gathers from their velocities, `h M⁻¹ Hᵀ` scatters into them.

mod forms;
mod numbers;
mod pointers;
mod split;
mod tile;
mod unknowns;

pub(super) use forms::RigidSweep;
pub(crate) use pointers::fetch_item;
pub(super) use pointers::{fetch, Pointers};
pub(super) use split::Share;
pub(super) use unknowns::Unknowns;

use rayon::prelude::*;

use super::condensed::CondensedBody;
use crate::body::{AffineInverse, AffineRate, Attachment, Axes, Condensed, Inertia, MaterialPoint, Twist};
use crate::ids::Slot;
use crate::math::{each, Mat3, Vec3};
use forms::{AffineSweep, SweepInverse};
use tile::CondensedEnd;

/// The body of one end of a constraint: a row of the columns of [`Packed`].
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub(super) enum Attach {
    Rigid(u32),
    Affine(u32),
    /// At a point of a body in condensed form: a row of the table of such ends.
    Condensed(u32),
    #[default]
    None,
}

/// The dynamic bodies of a step by form. The only place that tells forms apart.
#[derive(Debug, Default)]
pub(super) struct Packed {
    /// By slot.
    attach: Vec<Attach>,
    rigid: Vec<RigidSweep>,
    affine: Vec<AffineSweep>,
    /// Full inverses of affine bodies.
    table: Vec<[f64; 81]>,
    rigid_slot: Vec<Slot>,
    affine_slot: Vec<Slot>,
    rigid_free: Vec<Twist>,
    rigid_previous: Vec<Twist>,
    affine_free: Vec<AffineRate>,
    affine_previous: Vec<AffineRate>,
    /// Bodies in condensed form, with memory of earlier steps after those in use.
    condensed: Vec<CondensedBody>,
    condensed_slot: Vec<Slot>,
    ends: Vec<CondensedEnd>,
}

impl Packed {
    pub fn len(&self) -> usize {
        self.attach.len()
    }

    pub fn clear(&mut self) {
        self.attach.clear();
        self.rigid.clear();
        self.affine.clear();
        self.table.clear();
        self.rigid_slot.clear();
        self.affine_slot.clear();
        self.rigid_free.clear();
        self.rigid_previous.clear();
        self.affine_free.clear();
        self.affine_previous.clear();
        self.condensed_slot.clear();
        self.ends.clear();
    }

    /// Adds the body of the next slot for a step of length `h` [s]; returns a body in condensed form, which has to be
    /// asked for its points by [`Packed::condense`].
    pub fn push<'a>(&mut self, h: f64, body: &Inertia<'a>) -> Option<&'a dyn Condensed> {
        let slot = Slot(self.attach.len() as u32);
        match *body {
            Inertia::Rigid { inverse_mass, inverse_inertia, free, previous } => {
                self.attach.push(Attach::Rigid(self.rigid.len() as u32));
                self.rigid_slot.push(slot);
                self.rigid_free.push(free);
                self.rigid_previous.push(previous);
                self.rigid.push(RigidSweep {
                    linear: free.linear,
                    angular: free.angular,
                    mass: h * inverse_mass,
                    inertia: h * inverse_inertia,
                });
            }
            Inertia::Affine { inverse_mass, inverse, free, previous } => {
                self.attach.push(Attach::Affine(self.affine.len() as u32));
                self.affine_slot.push(slot);
                self.affine_free.push(free);
                self.affine_previous.push(previous);
                let inverse = match inverse {
                    AffineInverse::Rows(inverse) => SweepInverse::Rows(h * inverse),
                    AffineInverse::Full(inverse) => {
                        // Symmetric, so its columns are its rows.
                        let mut entries = [0.0; 81];
                        entries.iter_mut().zip(inverse.as_slice()).for_each(|(entry, x)| *entry = h * x);
                        self.table.push(entries);
                        SweepInverse::Full(self.table.len() as u32 - 1)
                    }
                };
                self.affine.push(AffineSweep { linear: free.v, gradient: free.fdot, mass: h * inverse_mass, inverse });
            }
            Inertia::Condensed(body) => {
                self.attach.push(Attach::None);
                self.condensed_slot.push(slot);
                return Some(body);
            }
        }
        None
    }

    /// Whether there are bodies in condensed form.
    pub fn has_condensed(&self) -> bool {
        !self.condensed_slot.is_empty()
    }

    /// Whether some of them have no matrix.
    pub fn lacks_matrix(&self) -> bool {
        self.condensed.iter().take(self.condensed_slot.len()).any(|body| !body.has_matrix())
    }

    /// Whether the body of an end in condensed form has one.
    pub fn has_matrix(&self, end: u32) -> bool {
        self.end(end).0.has_matrix()
    }

    /// Whether the body of an end leaves out its response along some axes.
    pub fn answers_in_part(&self, attach: Attach) -> bool {
        let Attach::Condensed(k) = attach else { return false };
        let (body, point) = self.end(k);
        body.answers_in_part(point)
    }

    /// Numbers of nodes of the bodies in condensed form.
    pub fn nodes(&self) -> impl Iterator<Item = usize> + '_ {
        self.condensed.iter().take(self.condensed_slot.len()).map(CondensedBody::nodes)
    }

    /// Finds the couplings between all points of each body in condensed form, for [`Packed::coupling`].
    pub fn couple_all(&mut self) {
        self.condensed[..self.condensed_slot.len()].par_iter_mut().for_each(CondensedBody::couple_all);
    }

    /// Lets go of what is shared with bodies.
    pub fn release(&mut self) {
        self.condensed.iter_mut().for_each(CondensedBody::release);
    }

    /// Adds an end at a point of a body in condensed form, where these axes matter.
    pub fn add_end(&mut self, slot: Slot, at: MaterialPoint, axes: Axes) -> Attach {
        let Ok(body) = self.condensed_slot.binary_search(&slot) else {
            return Attach::None;
        };
        self.ends.push(CondensedEnd { body: body as u32, point: 0, at, axes });
        Attach::Condensed(self.ends.len() as u32 - 1)
    }

    /// Numbers the points of bodies in condensed form in the order of a sweep, which is that of `ends`, and asks the
    /// `bodies` that [`Packed::push`] returned about them.
    /// About their sparse matrices if `factors`.
    pub fn condense(&mut self, h: f64, bodies: &[&dyn Condensed], ends: impl Iterator<Item = Attach>, factors: bool) {
        self.condensed.resize_with(bodies.len().max(self.condensed.len()), CondensedBody::default);
        self.condensed.iter_mut().for_each(CondensedBody::clear);
        for attach in ends {
            if let Attach::Condensed(k) = attach {
                let end = &mut self.ends[k as usize];
                end.point = self.condensed[end.body as usize].add_point(end.at, end.axes);
            }
        }
        self.condensed.par_iter_mut().zip(bodies).for_each(|(state, body)| state.fill(h, *body, factors));
    }

    /// How a constraint holds on to its body.
    pub fn attachment(&self, attach: Attach, arm: &Vec3) -> Attachment {
        match attach {
            Attach::Condensed(k) => Attachment::Point(self.ends[k as usize].at),
            Attach::None | Attach::Rigid(_) | Attach::Affine(_) => Attachment::Arm(*arm),
        }
    }

    /// The forms of all bodies, by slot.
    pub fn attachments(&self) -> &[Attach] {
        &self.attach
    }

    pub fn attach(&self, slot: Slot) -> Attach {
        self.attach[slot.index()]
    }

    /// The slot of a body, [`Slot::NONE`] for none.
    pub fn slot(&self, attach: Attach) -> Slot {
        match attach {
            Attach::None => Slot::NONE,
            Attach::Rigid(b) => self.rigid_slot[b as usize],
            Attach::Affine(b) => self.affine_slot[b as usize],
            Attach::Condensed(k) => self.condensed_slot[self.ends[k as usize].body as usize],
        }
    }

    /// The body and the point of an end.
    fn end(&self, k: u32) -> (&CondensedBody, usize) {
        let end = &self.ends[k as usize];
        (&self.condensed[end.body as usize], end.point as usize)
    }

    /// Velocity at an arm.
    #[inline(always)]
    pub fn point(&self, attach: Attach, arm: &Vec3) -> Vec3 {
        match attach {
            Attach::None => Vec3::zeros(),
            Attach::Rigid(b) => self.rigid[b as usize].point(arm),
            Attach::Affine(b) => self.affine[b as usize].point(arm),
            Attach::Condensed(k) => {
                let (body, point) = self.end(k);
                body.velocity(point)
            }
        }
    }

    /// The same at the start of the step.
    #[inline(always)]
    pub fn previous(&self, attach: Attach, arm: &Vec3) -> Vec3 {
        match attach {
            Attach::None => Vec3::zeros(),
            Attach::Rigid(b) => {
                let twist = &self.rigid_previous[b as usize];
                twist.linear + twist.angular.cross(arm)
            }
            Attach::Affine(b) => {
                let rate = &self.affine_previous[b as usize];
                rate.v + rate.fdot * arm
            }
            Attach::Condensed(k) => {
                let (body, point) = self.end(k);
                body.previous(point)
            }
        }
    }

    /// Velocity at end `a` for a unit force at end `b`, at these arms; `None` unless both are on one body that moves.
    pub fn coupling(&self, a: Attach, b: Attach, arm_a: &Vec3, arm_b: &Vec3) -> Option<Mat3> {
        match a {
            Attach::None => None,
            Attach::Rigid(k) => (a == b).then(|| self.rigid[k as usize].coupling(arm_a, arm_b)),
            Attach::Affine(k) => (a == b).then(|| self.affine[k as usize].coupling(arm_a, arm_b, &self.table)),
            Attach::Condensed(k) => {
                let Attach::Condensed(l) = b else { return None };
                let ((body, point), (_, other)) = (self.end(k), self.end(l));
                let same = self.ends[k as usize].body == self.ends[l as usize].body;
                same.then(|| body.coupling(point, other))
            }
        }
    }

    /// `W` of a row between the mass centres of rigid bodies, where nothing turns: a multiple of the unit matrix.
    pub fn central(&self, ends: &[Attach; 2], arms: &[Vec3; 2]) -> Option<f64> {
        let mut sum = 0.0;
        for (end, arm) in ends.iter().zip(arms) {
            match *end {
                Attach::None => {}
                Attach::Rigid(k) if *arm == Vec3::zeros() => sum += self.rigid[k as usize].mass,
                Attach::Rigid(_) | Attach::Affine(_) | Attach::Condensed(_) => return None,
            }
        }
        Some(sum)
    }

    /// Gives bodies the velocity that the forces on them make of their free velocity, or of rest unless `free`;
    /// `forces(slot)` are attachment, arm and force, in a fixed order. Bodies without forces are left as they are, but
    /// for those in condensed form.
    pub fn respond_all<'a, I: ExactSizeIterator<Item = (Attach, &'a Vec3, Vec3)>>(
        &mut self,
        grain: usize,
        free: bool,
        forces: impl Fn(Slot) -> I + Send + Sync,
    ) {
        let (slots, starts) = (&self.rigid_slot, &self.rigid_free);
        each(&mut self.rigid, grain, |b, state| {
            let forces = forces(slots[b]);
            if forces.len() == 0 {
                return;
            }
            let (mut total, mut torque) = (Vec3::zeros(), Vec3::zeros());
            for (_, arm, force) in forces {
                total += force;
                torque += arm.cross(&force);
            }
            let start = if free { starts[b] } else { Twist::zero() };
            (state.linear, state.angular) = (start.linear, start.angular);
            state.impulse(&total, &torque);
        });
        let (table, slots, starts) = (&self.table, &self.affine_slot, &self.affine_free);
        each(&mut self.affine, grain, |b, state| {
            let forces = forces(slots[b]);
            if forces.len() == 0 {
                return;
            }
            let (mut total, mut moment) = (Vec3::zeros(), Mat3::zeros());
            for (_, arm, force) in forces {
                total += force;
                moment += force * arm.transpose();
            }
            let start = if free { starts[b] } else { AffineRate::zero() };
            (state.linear, state.gradient) = (start.v, start.fdot);
            state.impulse(&total, &moment, table);
        });
        let ends = &self.ends;
        let slots = &self.condensed_slot;
        self.condensed[..slots.len()].par_iter_mut().zip(slots).for_each(|(state, &slot)| {
            if free {
                state.reset();
            } else {
                state.stop();
            }
            for (attach, _, force) in forces(slot) {
                if let Attach::Condensed(k) = attach {
                    state.push(ends[k as usize].point as usize, &force);
                }
            }
            state.flush(true);
        });
    }

    /// Access for tasks that share no body.
    pub fn pointers(&mut self) -> Pointers<'_> {
        Pointers {
            table: &self.table,
            ends: &self.ends,
            rigid: self.rigid.as_mut_ptr(),
            affine: self.affine.as_mut_ptr(),
            condensed: self.condensed.as_mut_ptr(),
        }
    }
}
