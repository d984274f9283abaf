//! Velocities of single bodies, and sums of the forces on them, as plain numbers: what processes that share a body
//! exchange. Bodies in condensed form have none; their points receive forces.

use super::{Attach, Packed};
use crate::ids::Slot;
use crate::math::{Mat3, Vec3};

impl Packed {
    /// How many numbers the velocity of a body has, and the sum of the forces on it.
    pub fn width(&self, slot: Slot) -> usize {
        match self.attach(slot) {
            Attach::Rigid(_) => 6,
            Attach::Affine(_) => 12,
            Attach::Condensed(_) | Attach::None => 0,
        }
    }

    /// Appends the velocity of a body.
    pub fn put_velocity(&self, slot: Slot, out: &mut Vec<f64>) {
        match self.attach(slot) {
            Attach::Rigid(b) => {
                let state = &self.rigid[b as usize];
                out.extend(state.linear.iter().chain(&state.angular));
            }
            Attach::Affine(b) => {
                let state = &self.affine[b as usize];
                out.extend(state.linear.iter().chain(&state.gradient));
            }
            Attach::Condensed(_) | Attach::None => {}
        }
    }

    /// Gives a body the velocity that [`Packed::put_velocity`] appended.
    pub fn take_velocity(&mut self, slot: Slot, numbers: &[f64]) {
        match self.attach(slot) {
            Attach::Rigid(b) => {
                let state = &mut self.rigid[b as usize];
                (state.linear, state.angular) = (vector(&numbers[..3]), vector(&numbers[3..]));
            }
            Attach::Affine(b) => {
                let state = &mut self.affine[b as usize];
                (state.linear, state.gradient) = (vector(&numbers[..3]), Mat3::from_column_slice(&numbers[3..]));
            }
            Attach::Condensed(_) | Attach::None => {}
        }
    }

    /// Appends the sum of forces at arms of a body, and of their moments.
    pub fn put_sum<'a>(&self, slot: Slot, forces: impl Iterator<Item = (&'a Vec3, Vec3)>, out: &mut Vec<f64>) {
        match self.attach(slot) {
            Attach::Rigid(_) => {
                let [mut total, mut torque] = [Vec3::zeros(); 2];
                for (arm, force) in forces {
                    total += force;
                    torque += arm.cross(&force);
                }
                out.extend(total.iter().chain(&torque));
            }
            Attach::Affine(_) => {
                let (mut total, mut moment) = (Vec3::zeros(), Mat3::zeros());
                for (arm, force) in forces {
                    total += force;
                    moment += force * arm.transpose();
                }
                out.extend(total.iter().chain(&moment));
            }
            Attach::Condensed(_) | Attach::None => {}
        }
    }

    /// Gives a body the velocity that such a sum makes of its free velocity, or of rest.
    pub fn respond(&mut self, slot: Slot, free: bool, sum: &[f64]) {
        match self.attach(slot) {
            Attach::Rigid(b) => {
                let (state, start) = (&mut self.rigid[b as usize], &self.rigid_free[b as usize]);
                let scale = f64::from(free);
                (state.linear, state.angular) = (scale * start.linear, scale * start.angular);
                state.impulse(&vector(&sum[..3]), &vector(&sum[3..]));
            }
            Attach::Affine(b) => {
                let (state, start) = (&mut self.affine[b as usize], &self.affine_free[b as usize]);
                let scale = f64::from(free);
                (state.linear, state.gradient) = (scale * start.v, scale * start.fdot);
                state.impulse(&vector(&sum[..3]), &Mat3::from_column_slice(&sum[3..]), &self.table);
            }
            Attach::Condensed(_) | Attach::None => {}
        }
    }
}

impl Packed {
    /// Whether the body of a slot is in condensed form.
    pub fn is_condensed(&self, slot: Slot) -> bool {
        self.condensed_slot.binary_search(&slot).is_ok()
    }

    /// Adds forces [N] at points of a body in condensed form.
    pub fn push_points(&mut self, slot: Slot, forces: impl Iterator<Item = (Attach, Vec3)>) {
        let Ok(body) = self.condensed_slot.binary_search(&slot) else { return };
        for (attach, force) in forces {
            if let Attach::Condensed(k) = attach {
                self.condensed[body].push(self.ends[k as usize].point as usize, &force);
            }
        }
        self.condensed[body].flush(true);
    }
}

fn vector(numbers: &[f64]) -> Vec3 {
    Vec3::from_column_slice(numbers)
}
