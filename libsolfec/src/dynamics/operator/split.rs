//! Sweeps in which some bodies have a share of their mass only.

use super::BodyOperator;
use crate::dynamics::packed::Share;
use crate::dynamics::sweep::Schedule;
use crate::dynamics::GRAIN;
use crate::ids::Slot;
use crate::math::{each, Mat3};

/// The shares, and the diagonal blocks that follow from them; nothing where bodies are whole.
#[derive(Debug, Default)]
pub(super) struct Split {
    shares: Vec<(Slot, Share)>,
    diagonal: Vec<Mat3>,
}

impl Split {
    pub fn clear(&mut self) {
        self.shares.clear();
        self.diagonal.clear();
    }

    /// Diagonal blocks that sweeps see; `whole` are those of whole bodies.
    pub fn swept<'a>(&'a self, whole: &'a [Mat3]) -> &'a [Mat3] {
        match self.shares.is_empty() {
            true => whole,
            false => &self.diagonal,
        }
    }
}

impl BodyOperator {
    /// In the sweeps that follow each of these bodies has one of that many shares of its mass, while shares are
    /// exchanged ([`BodyOperator::exchange_shares`]). All bodies must be whole. Bodies in condensed form have no shares.
    pub(in crate::dynamics) fn split(&mut self, bodies: impl Iterator<Item = (Slot, f64)>) {
        let share = |(slot, shares): (Slot, f64)| Some((slot, self.bodies.share(slot, shares)?));
        let shares: Vec<(Slot, Share)> = bodies.filter_map(share).collect();
        if shares.is_empty() {
            return;
        }
        self.schedules.iter_mut().for_each(Schedule::permit);
        self.split.shares = shares;
        self.exchange_shares();
        let mut diagonal = std::mem::take(&mut self.split.diagonal);
        diagonal.resize(self.links.len(), Mat3::zeros());
        each(&mut diagonal, GRAIN, |i, block| self.own_block(i, block));
        self.split.diagonal = diagonal;
        self.exchange_shares();
    }

    /// No body has shares any more.
    pub(in crate::dynamics) fn make_whole(&mut self) {
        if !self.split.shares.is_empty() {
            self.split.clear();
            self.schedules.iter_mut().for_each(Schedule::permit);
        }
    }

    /// Bodies with shares have them from now on, or are whole again.
    pub(in crate::dynamics) fn exchange_shares(&mut self) {
        for (slot, share) in &mut self.split.shares {
            self.bodies.exchange_share(*slot, share);
        }
    }

    /// Diagonal blocks that sweeps see.
    pub(in crate::dynamics) fn swept_diagonal(&self) -> &[Mat3] {
        self.split.swept(&self.diagonal)
    }
}
