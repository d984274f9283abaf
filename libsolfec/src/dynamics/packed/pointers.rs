//! Bodies of a step as tasks see them that share none.

use super::forms::{AffineSweep, FourRigid, RigidSweep};
use super::tile::{CondensedEnd, Tile};
use super::{Attach, CondensedBody};
use crate::math::Vec3;

/// Bodies as tasks of one level see them; see the proof of the sweep.
pub struct Pointers<'a> {
    pub(super) table: &'a [[f64; 81]],
    pub(super) ends: &'a [CondensedEnd],
    pub(super) rigid: *mut RigidSweep,
    pub(super) affine: *mut AffineSweep,
    pub(super) condensed: *mut CondensedBody,
}

/// Asks for a line of memory; an address that is none does no harm.
#[inline(always)]
pub fn fetch<T>(at: *const T) {
    #[cfg(target_arch = "x86_64")]
    // SAFETY: a hint that changes nothing and never fails, whatever the address.
    unsafe {
        use core::arch::x86_64::{_mm_prefetch, _MM_HINT_T0};
        _mm_prefetch::<_MM_HINT_T0>(at.cast());
    }
    #[cfg(not(target_arch = "x86_64"))]
    let _ = at;
}

/// Asks for all lines of memory of an item.
#[inline(always)]
pub fn fetch_item<T>(item: *const T) {
    (0..size_of::<T>()).step_by(64).for_each(|byte| fetch(item.cast::<u8>().wrapping_add(byte)));
}

impl Pointers<'_> {
    /// Asks for the memory of a body that will be needed soon.
    #[inline(always)]
    pub fn fetch(&self, attach: Attach) {
        if let Attach::Rigid(b) = attach {
            let body = self.rigid.wrapping_add(b as usize).cast::<u8>();
            fetch(body);
            fetch(body.wrapping_add(64));
        }
    }

    /// # Safety
    /// The body must be one of the [`Packed`] that made the pointers, and no other thread may touch it during the call.
    #[inline(always)]
    pub unsafe fn point<const TILED: bool>(&self, attach: Attach, arm: &Vec3) -> Vec3 {
        match attach {
            Attach::Rigid(b) => unsafe { (*self.rigid.add(b as usize)).point(arm) },
            Attach::Affine(b) => unsafe { (*self.affine.add(b as usize)).point(arm) },
            Attach::Condensed(k) if TILED => unsafe { self.end_velocity(k) },
            Attach::None | Attach::Condensed(_) => Vec3::zeros(),
        }
    }

    /// # Safety
    /// As `point`.
    #[inline(always)]
    pub unsafe fn push<const TILED: bool>(&self, attach: Attach, arm: &Vec3, force: &Vec3) {
        match attach {
            Attach::Rigid(b) => unsafe { (*self.rigid.add(b as usize)).push(arm, force) },
            Attach::Affine(b) => unsafe { (*self.affine.add(b as usize)).push(arm, force, self.table) },
            Attach::Condensed(k) if TILED => unsafe { self.push_end(k, force) },
            Attach::None | Attach::Condensed(_) => {}
        }
    }

    /// The bodies of four ends, which must be in rigid form, or `none`.
    #[inline(always)]
    pub fn four(&self, ends: &[Attach; 4], none: *mut RigidSweep) -> FourRigid {
        FourRigid::new(ends.map(|end| match end {
            Attach::Rigid(b) => self.rigid.wrapping_add(b as usize),
            Attach::None | Attach::Affine(_) | Attach::Condensed(_) => none,
        }))
    }

    /// # Safety
    /// As `point`.
    #[inline(never)]
    unsafe fn end_velocity(&self, k: u32) -> Vec3 {
        let end = &self.ends[k as usize];
        unsafe { (*self.condensed.add(end.body as usize)).velocity(end.point as usize) }
    }

    /// # Safety
    /// As `point`.
    #[inline(never)]
    unsafe fn push_end(&self, k: u32, force: &Vec3) {
        let end = &self.ends[k as usize];
        let body = unsafe { &mut *self.condensed.add(end.body as usize) };
        body.push(end.point as usize, force);
    }

    /// The points of these ends, of at most two bodies in condensed form.
    pub fn tile(&self, ends: impl Iterator<Item = Attach>) -> Tile {
        let mut tile = Tile::NONE;
        for attach in ends {
            if let Attach::Condensed(k) = attach {
                tile.include(&self.ends[k as usize]);
            }
        }
        tile
    }

    /// The body in condensed form of an end.
    pub fn condensed_body(&self, attach: Attach) -> Option<u32> {
        match attach {
            Attach::Condensed(k) => Some(self.ends[k as usize].body),
            Attach::None | Attach::Rigid(_) | Attach::Affine(_) => None,
        }
    }

    /// Begins a tile.
    ///
    /// # Safety
    /// As `point`, for the bodies of the tile.
    pub unsafe fn open(&self, tile: &Tile) {
        for (body, points) in tile.parts.iter().flatten() {
            unsafe { (*self.condensed.add(*body as usize)).open(points.clone()) };
        }
    }

    /// Brings the nodes outside of the tile up to date, with the help of other threads if `split`.
    ///
    /// # Safety
    /// As `point`, for the bodies of the tile.
    pub unsafe fn flush(&self, tile: &Tile, split: bool) {
        for (body, _) in tile.parts.iter().flatten() {
            unsafe { (*self.condensed.add(*body as usize)).flush(split) };
        }
    }
}
