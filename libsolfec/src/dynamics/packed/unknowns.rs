//! Velocities of the bodies of a step as unknowns, in blocks of three: what methods in the space of velocities
//! factorise.

use super::forms::SweepInverse;
use super::{Attach, Packed};
use crate::body::Entry;
use crate::ids::Slot;
use crate::math::{skew, Mat3, Mat9, Vec3};

/// Velocities that do not change, as their inverse inertia is zero.
const FIXED: u32 = u32::MAX;

/// Numbers of the unknowns of each body, and their mass matrix.
pub(in crate::dynamics) struct Unknowns<'a> {
    packed: &'a Packed,
    /// By slot. Rigid form: of translation and rotation. Affine form: of translation and of the rows of `Ḟ`. Condensed
    /// form: the first of the body.
    number: Vec<[u32; 4]>,
    /// Number of blocks.
    pub count: u32,
    /// `A/h` [kg/s] of all bodies, both triangles.
    pub mass: Vec<Entry>,
}

impl<'a> Unknowns<'a> {
    /// Numbers the velocities of the bodies for which `used` holds, for a step of length `h` [s]; `None` if the
    /// matrices of one of them are not known.
    pub fn new(packed: &'a Packed, h: f64, used: impl Fn(Slot) -> bool) -> Option<Self> {
        let mut unknowns = Unknowns { packed, number: vec![[FIXED; 4]; packed.len()], count: 0, mass: Vec::new() };
        for (state, slot) in packed.rigid.iter().zip(&packed.rigid_slot).filter(|(_, slot)| used(**slot)) {
            let translation = unknowns.add(&Mat3::from_diagonal_element(state.mass))?;
            let rotation = unknowns.add(&state.inertia)?;
            unknowns.number[slot.index()] = [translation, rotation, FIXED, FIXED];
        }
        for (state, slot) in packed.affine.iter().zip(&packed.affine_slot).filter(|(_, slot)| used(**slot)) {
            let translation = unknowns.add(&Mat3::from_diagonal_element(state.mass))?;
            let rows = match state.inverse {
                SweepInverse::Rows(inverse) => {
                    let mut add = || unknowns.add(&inverse.transpose());
                    [add()?, add()?, add()?]
                }
                SweepInverse::Full(row) => unknowns.add_full(&packed.table[row as usize])?,
            };
            unknowns.number[slot.index()] = [translation, rows[0], rows[1], rows[2]];
        }
        for (state, slot) in packed.condensed.iter().zip(&packed.condensed_slot).filter(|(_, slot)| used(**slot)) {
            let (sparse, first) = (state.sparse()?, unknowns.count);
            unknowns.number[slot.index()][0] = first;
            unknowns.mass.extend(sparse.mass.iter().map(|&(i, j, block)| (first + i, first + j, block / h)));
            unknowns.count += sparse.velocities;
        }
        Some(unknowns)
    }

    /// A new unknown of this inverse inertia; `None` if that is singular but not zero.
    fn add(&mut self, inverse: &Mat3) -> Option<u32> {
        if *inverse == Mat3::zeros() {
            return Some(FIXED);
        }
        let block = inverse.try_inverse().filter(|block| block.iter().all(|x| x.is_finite()))?;
        self.mass.push((self.count, self.count, block));
        self.count += 1;
        Some(self.count - 1)
    }

    /// The rows of `Ḟ` of a body with this inverse inertia.
    fn add_full(&mut self, inverse: &[f64; 81]) -> Option<[u32; 3]> {
        let full = Mat9::from_row_slice(inverse).try_inverse()?;
        let first = self.count;
        for i in 0..3 {
            for j in 0..3 {
                let block = full.fixed_view::<3, 3>(3 * i, 3 * j).into_owned();
                self.mass.push((first + i as u32, first + j as u32, block));
            }
        }
        self.count += 3;
        Some([first, first + 1, first + 2])
    }

    /// Hands over unknowns of an end at this arm, and the blocks by which they move it.
    pub fn gather(&self, attach: Attach, arm: &Vec3, mut put: impl FnMut(u32, Mat3)) {
        let slot = self.packed.slot(attach);
        if slot == Slot::NONE {
            return;
        }
        let number = &self.number[slot.index()];
        let mut free = |k: u32, block: Mat3| {
            if k != FIXED {
                put(k, block);
            }
        };
        match attach {
            Attach::None => {}
            Attach::Rigid(_) => {
                free(number[0], Mat3::identity());
                free(number[1], -skew(arm));
            }
            Attach::Affine(_) => {
                free(number[0], Mat3::identity());
                (0..3).for_each(|i| free(number[1 + i], Vec3::ith(i, 1.0) * arm.transpose()));
            }
            Attach::Condensed(k) => {
                let (body, point) = self.packed.end(k);
                let entries = body.sparse().map_or(&[][..], |sparse| &sparse.gather);
                let first = entries.partition_point(|(row, _, _)| (*row as usize) < point);
                let own = entries[first..].iter().take_while(|(row, _, _)| *row as usize == point);
                own.for_each(|(_, column, block)| free(number[0] + column, *block));
            }
        }
    }
}
