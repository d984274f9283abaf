//! Shares of bodies: where several processes sweep a body at the same time, each takes a part of its mass.

use super::forms::SweepInverse;
use super::{Attach, Packed};
use crate::ids::Slot;
use crate::math::Mat3;

/// The inverse inertia of a share of a body, or that of the body while its share is swept.
#[derive(Debug, Clone)]
pub(in crate::dynamics) enum Share {
    Rigid { mass: f64, inertia: Mat3 },
    Affine { mass: f64, inverse: SweepInverse },
}

impl Packed {
    /// One of `shares` equal shares of a body; `None` in condensed form.
    pub fn share(&mut self, slot: Slot, shares: f64) -> Option<Share> {
        match self.attach(slot) {
            Attach::Rigid(b) => {
                let state = &self.rigid[b as usize];
                Some(Share::Rigid { mass: shares * state.mass, inertia: shares * state.inertia })
            }
            Attach::Affine(b) => {
                let state = &self.affine[b as usize];
                let inverse = match state.inverse {
                    SweepInverse::Rows(inverse) => SweepInverse::Rows(shares * inverse),
                    SweepInverse::Full(row) => {
                        let entries = self.table[row as usize].map(|x| shares * x);
                        self.table.push(entries);
                        SweepInverse::Full(self.table.len() as u32 - 1)
                    }
                };
                Some(Share::Affine { mass: shares * state.mass, inverse })
            }
            Attach::Condensed(_) | Attach::None => None,
        }
    }

    /// Exchanges the inverse inertia of a body with that of its share.
    pub fn exchange_share(&mut self, slot: Slot, share: &mut Share) {
        match (self.attach(slot), share) {
            (Attach::Rigid(b), Share::Rigid { mass, inertia }) => {
                let state = &mut self.rigid[b as usize];
                std::mem::swap(&mut state.mass, mass);
                std::mem::swap(&mut state.inertia, inertia);
            }
            (Attach::Affine(b), Share::Affine { mass, inverse }) => {
                let state = &mut self.affine[b as usize];
                std::mem::swap(&mut state.mass, mass);
                std::mem::swap(&mut state.inverse, inverse);
            }
            (Attach::Rigid(_) | Attach::Affine(_) | Attach::Condensed(_) | Attach::None, _) => {}
        }
    }
}
