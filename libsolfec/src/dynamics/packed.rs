//! Dynamic bodies of a step packed for the sweep: `H` gathers from their velocities, `h M⁻¹ Hᵀ` scatters into them.

use rayon::prelude::*;

use crate::body::{AffineInverse, AffineRate, Inertia, Twist};
use crate::ids::Slot;
use crate::math::{skew, Mat3, Vec3};

/// The body of one end of a constraint: a row of the columns of [`Packed`].
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Attach {
    None,
    Rigid(u32),
    Affine(u32),
}

/// A rigid body in the sweep: two cache lines, with the step folded into the inverses.
#[derive(Debug, Clone, Copy)]
#[repr(align(64))]
pub(super) struct RigidSweep {
    linear: Vec3,
    angular: Vec3,
    /// `h/m` and `h J⁻¹`.
    mass: f64,
    inertia: Mat3,
}

impl RigidSweep {
    #[inline(always)]
    fn point(&self, arm: &Vec3) -> Vec3 {
        self.linear + self.angular.cross(arm)
    }

    #[inline(always)]
    fn push(&mut self, arm: &Vec3, force: &Vec3) {
        self.impulse(force, &arm.cross(force));
    }

    #[inline(always)]
    fn impulse(&mut self, force: &Vec3, torque: &Vec3) {
        self.linear += force * self.mass;
        self.angular += self.inertia * torque;
    }

    /// Velocity at arm `a` for a unit force at arm `b`.
    fn coupling(&self, a: &Vec3, b: &Vec3) -> Mat3 {
        Mat3::from_diagonal_element(self.mass) - skew(a) * self.inertia * skew(b)
    }
}

/// `h` times the inverse that acts on `Ḟ`; full ones are rows of a table.
#[derive(Debug, Clone, Copy)]
enum SweepInverse {
    Rows(Mat3),
    Full(u32),
}

/// A body in affine form in the sweep.
#[derive(Debug, Clone, Copy)]
pub(super) struct AffineSweep {
    linear: Vec3,
    gradient: Mat3,
    /// `h/m`.
    mass: f64,
    inverse: SweepInverse,
}

impl AffineSweep {
    fn point(&self, arm: &Vec3) -> Vec3 {
        self.linear + self.gradient * arm
    }

    #[inline(never)]
    fn push(&mut self, arm: &Vec3, force: &Vec3, table: &[[f64; 81]]) {
        self.impulse(force, &(force * arm.transpose()), table);
    }

    fn impulse(&mut self, force: &Vec3, moment: &Mat3, table: &[[f64; 81]]) {
        self.linear += force * self.mass;
        self.gradient += match self.inverse {
            SweepInverse::Rows(inverse) => moment * inverse,
            SweepInverse::Full(row) => full_product(&table[row as usize], moment),
        };
    }

    fn coupling(&self, a: &Vec3, b: &Vec3, table: &[[f64; 81]]) -> Mat3 {
        let translation = Mat3::from_diagonal_element(self.mass);
        translation
            + match self.inverse {
                SweepInverse::Rows(inverse) => Mat3::from_diagonal_element((inverse * a).dot(b)),
                SweepInverse::Full(row) => {
                    let inverse = &table[row as usize];
                    let sandwich = |i: usize, k: usize| -> f64 {
                        let row = |j: usize| (0..3).map(|l| inverse[9 * (3 * i + j) + 3 * k + l] * b[l]).sum::<f64>();
                        (0..3).map(|j| a[j] * row(j)).sum()
                    };
                    Mat3::from_fn(sandwich)
                }
            }
    }
}

/// A 9×9 row-major matrix times a 3×3 matrix taken row by row.
fn full_product(inverse: &[f64; 81], moment: &Mat3) -> Mat3 {
    let entry = |row: usize| {
        let terms = (0..9).map(|column| inverse[9 * row + column] * moment[(column / 3, column % 3)]);
        terms.sum::<f64>()
    };
    Mat3::from_fn(|i, j| entry(3 * i + j))
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
    }

    /// Adds the body of the next slot for a step of length `h` [s].
    pub fn push(&mut self, h: f64, body: &Inertia<'_>) {
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
            Inertia::Condensed(_) => self.attach.push(Attach::None),
        }
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
        }
    }

    /// All bodies have their free velocity.
    pub fn reset(&mut self) {
        for (state, free) in self.rigid.iter_mut().zip(&self.rigid_free) {
            state.linear = free.linear;
            state.angular = free.angular;
        }
        for (state, free) in self.affine.iter_mut().zip(&self.affine_free) {
            state.linear = free.v;
            state.gradient = free.fdot;
        }
    }

    /// Velocity at an arm.
    pub fn point(&self, attach: Attach, arm: &Vec3) -> Vec3 {
        match attach {
            Attach::None => Vec3::zeros(),
            Attach::Rigid(b) => self.rigid[b as usize].point(arm),
            Attach::Affine(b) => self.affine[b as usize].point(arm),
        }
    }

    /// The same at the start of the step.
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
        }
    }

    /// Velocity at arm `a` for a unit force at arm `b`; `None` for what does not move.
    pub fn coupling(&self, attach: Attach, a: &Vec3, b: &Vec3) -> Option<Mat3> {
        match attach {
            Attach::None => None,
            Attach::Rigid(k) => Some(self.rigid[k as usize].coupling(a, b)),
            Attach::Affine(k) => Some(self.affine[k as usize].coupling(a, b, &self.table)),
        }
    }

    /// Gives every body the impulses `forces`, pairs of arm and force in a fixed order for each slot.
    pub fn apply<I: Iterator<Item = (Vec3, Vec3)>>(&mut self, grain: usize, forces: impl Fn(Slot) -> I + Sync) {
        let rigid = self.rigid.par_iter_mut().zip(&self.rigid_slot).with_min_len(grain);
        rigid.for_each(|(state, &slot)| {
            let (mut total, mut torque) = (Vec3::zeros(), Vec3::zeros());
            for (arm, force) in forces(slot) {
                total += force;
                torque += arm.cross(&force);
            }
            state.impulse(&total, &torque);
        });
        let table = &self.table;
        let affine = self.affine.par_iter_mut().zip(&self.affine_slot).with_min_len(grain);
        affine.for_each(|(state, &slot)| {
            let (mut total, mut moment) = (Vec3::zeros(), Mat3::zeros());
            for (arm, force) in forces(slot) {
                total += force;
                moment += force * arm.transpose();
            }
            state.impulse(&total, &moment, table);
        });
    }

    /// Access for tasks that share no body.
    pub fn pointers(&mut self) -> Pointers<'_> {
        Pointers { table: &self.table, rigid: self.rigid.as_mut_ptr(), affine: self.affine.as_mut_ptr() }
    }
}

/// Bodies as tasks of one colour see them; see the proof of the sweep.
pub(super) struct Pointers<'a> {
    table: &'a [[f64; 81]],
    rigid: *mut RigidSweep,
    affine: *mut AffineSweep,
}

impl Pointers<'_> {
    /// # Safety
    /// The body must be one of the [`Packed`] that made the pointers, and no other thread may touch it during the call.
    #[inline(always)]
    pub unsafe fn point(&self, attach: Attach, arm: &Vec3) -> Vec3 {
        match attach {
            Attach::None => Vec3::zeros(),
            Attach::Rigid(b) => unsafe { (*self.rigid.add(b as usize)).point(arm) },
            Attach::Affine(b) => unsafe { (*self.affine.add(b as usize)).point(arm) },
        }
    }

    /// # Safety
    /// As `point`.
    #[inline(always)]
    pub unsafe fn push(&self, attach: Attach, arm: &Vec3, force: &Vec3) {
        match attach {
            Attach::None => {}
            Attach::Rigid(b) => unsafe { (*self.rigid.add(b as usize)).push(arm, force) },
            Attach::Affine(b) => unsafe { (*self.affine.add(b as usize)).push(arm, force, self.table) },
        }
    }
}
