//! Sweeps of ranks that share bodies. One after another, by colour: the sweep of one sequential order (after Adams 2001).
//! Or all at once: every rank begins with the velocities of the last sweep, and what all have added is put together;
//! with the whole mass of shared bodies this mostly diverges, with a share of it each it never raises the energy of
//! frictionless contacts. Or at once only where a rank has others before and behind it.

use std::ops::RangeInclusive;

use super::plan::{AFTER, BEFORE, BOTTOM, MIDDLE, TOP};
use super::RankOperator;
use crate::comm;
use crate::dynamics::{BlockKernel, Delassus, Sweep};
use crate::math::{tree_sum, Vec3};
use crate::model::Variant;

/// Tag of messages: what ranks have added to velocities.
const INCREMENTS: u32 = 24;

/// How sweeps bring shared bodies together, and what they need for it.
#[derive(Debug)]
pub struct Exchange {
    variant: Variant,
    innerloops: u32,
    /// Velocities of shared bodies on which ranks have agreed, and where each begins.
    agreed: Vec<f64>,
    start: Vec<usize>,
    /// What this rank has added to them, and what all have.
    own: Vec<f64>,
    sum: Vec<f64>,
    /// Reactions before the inner loops of a sweep.
    before: Vec<Vec3>,
}

impl Default for Exchange {
    fn default() -> Self {
        let (agreed, start, own, sum, before) = Default::default();
        Exchange { variant: Variant::Full, innerloops: 1, agreed, start, own, sum, before }
    }
}

impl Exchange {
    /// Ranks sweep one after another, until another way is chosen.
    pub fn reset(&mut self) {
        (self.variant, self.innerloops) = (Variant::Full, 1);
    }
}

impl RankOperator {
    /// Sweeps from now on as `variant` says, or one rank after another where a shared body has no velocity of its own to
    /// put together. Collective.
    pub(super) fn choose(&mut self, variant: Variant, innerloops: u32) {
        (self.exchange.variant, self.exchange.innerloops) = (variant, innerloops.max(1));
        self.own.make_whole();
        if variant == Variant::Full {
            return;
        }
        let unknown = self.plan.slots().any(|slot| self.own.packed().width(slot) == 0);
        if self.any(unknown) {
            self.exchange.variant = Variant::Full;
        } else if variant == Variant::MassSplitting {
            self.own.split(self.plan.shares().map(|(slot, members)| (slot, members as f64)));
        }
    }

    /// A sweep of this rank; the account is its own.
    pub(super) fn sweep_own<K: BlockKernel>(&mut self, r: &mut [Vec3], kernel: &K) -> Sweep {
        let loops = self.exchange.innerloops > 1;
        if loops {
            self.exchange.before.clear();
            self.exchange.before.extend_from_slice(r);
        }
        let mut sweep = match self.exchange.variant {
            Variant::Full => self.sweep_in_turn(r, kernel),
            Variant::MiddleJacobi => self.sweep_middle_at_once(r, kernel),
            Variant::BoundaryJacobi | Variant::MassSplitting => self.sweep_at_once(r, kernel),
        };
        if loops {
            let before = &self.exchange.before;
            [sweep.change] = tree_sum(r.len(), |i| [(r[i] - before[i]).norm_squared()]);
        }
        sweep
    }

    /// Rows on shared bodies by colour of their rank, each rank with the velocities that the one before has left.
    fn sweep_in_turn<K: BlockKernel>(&mut self, r: &mut [Vec3], kernel: &K) -> Sweep {
        if self.swept {
            self.timed(|times| &mut times.exchange, |op| op.hand_on(r, |neighbour| &neighbour.back_to));
        }
        let mut sweep = self.loop_parts(BEFORE..=BEFORE, r, kernel);
        if self.swept {
            self.timed(|times| &mut times.exchange, |op| op.take_over(|neighbour| &neighbour.back_from));
        }
        self.timed(|times| &mut times.middle, |op| op.take_over(|neighbour| &neighbour.from));
        sweep.add(&self.loop_parts(BOTTOM..=TOP, r, kernel));
        self.timed(|times| &mut times.exchange, |op| op.hand_on(r, |neighbour| &neighbour.to));
        sweep.add(&self.loop_parts(AFTER..=AFTER, r, kernel));
        self.swept = true;
        sweep
    }

    /// All ranks with the velocities of the last sweep.
    fn sweep_at_once<K: BlockKernel>(&mut self, r: &mut [Vec3], kernel: &K) -> Sweep {
        self.remember_velocities();
        self.own.exchange_shares();
        let mut active = 0;
        for _ in 1..self.exchange.innerloops {
            active += self.sweep_parts(BEFORE..=AFTER, r, kernel).active;
        }
        let mut sweep = self.sweep_parts(BOTTOM..=TOP, r, kernel);
        self.timed(|times| &mut times.exchange, Self::offer);
        for part in [BEFORE, AFTER] {
            sweep.add(&self.sweep_parts(part..=part, r, kernel));
        }
        self.own.exchange_shares();
        self.timed(|times| &mut times.exchange, Self::settle);
        sweep.active += active;
        sweep
    }

    /// Rows between ranks before and behind at once, then those of the first ranks of bodies and those of the last, of
    /// which each body has one.
    fn sweep_middle_at_once<K: BlockKernel>(&mut self, r: &mut [Vec3], kernel: &K) -> Sweep {
        let mut sweep = Sweep::default();
        self.remember_velocities();
        for (shared, inside) in [(MIDDLE, Some(BEFORE)), (BOTTOM, None), (TOP, Some(AFTER))] {
            sweep.add(&self.loop_parts(shared..=shared, r, kernel));
            self.timed(|times| &mut times.exchange, Self::offer);
            if let Some(part) = inside {
                sweep.add(&self.loop_parts(part..=part, r, kernel));
            }
            let middle = shared == MIDDLE;
            self.timed(if middle { |times| &mut times.middle } else { |times| &mut times.exchange }, Self::settle);
        }
        sweep
    }

    /// The inner loops of some parts: the account of the last one, with the active blocks of all.
    fn loop_parts<K: BlockKernel>(&mut self, parts: RangeInclusive<u32>, r: &mut [Vec3], kernel: &K) -> Sweep {
        let mut sweep = Sweep::default();
        for _ in 0..self.exchange.innerloops {
            let active = sweep.active;
            sweep = self.sweep_parts(parts.clone(), r, kernel);
            sweep.active += active;
        }
        sweep
    }

    fn sweep_parts<K: BlockKernel>(&mut self, parts: RangeInclusive<u32>, r: &mut [Vec3], kernel: &K) -> Sweep {
        let mut sweep = Sweep::default();
        parts.for_each(|part| sweep.add(&self.own.sweep_part(part as usize, r, kernel)));
        sweep
    }

    /// Keeps the velocities of shared bodies, on which all ranks agree.
    fn remember_velocities(&mut self) {
        let Exchange { agreed, start, .. } = &mut self.exchange;
        agreed.clear();
        start.clear();
        for slot in self.plan.slots() {
            start.push(agreed.len());
            self.own.packed().put_velocity(slot, agreed);
        }
        start.push(agreed.len());
    }

    /// Sends what this rank has added to velocities.
    fn offer(&mut self) {
        let Exchange { agreed, start, own, .. } = &mut self.exchange;
        own.clear();
        self.plan.slots().for_each(|slot| self.own.packed().put_velocity(slot, own));
        own.iter_mut().zip(&*agreed).for_each(|(own, agreed)| *own -= agreed);
        for neighbour in self.plan.neighbours() {
            self.message.clear();
            for place in neighbour.places.iter().map(|place| *place as usize) {
                self.message.extend_from_slice(&own[start[place]..start[place + 1]]);
            }
            comm::send_numbers(&*self.comm, neighbour.rank, INCREMENTS, &self.message);
        }
    }

    /// Puts together what all ranks have added, in their order, so that all find the same; shares count by their mass.
    fn settle(&mut self) {
        let Exchange { variant, agreed, start, own, sum, .. } = &mut self.exchange;
        sum.clear();
        sum.resize(own.len(), 0.0);
        let add = |sum: &mut [f64], part: &[f64]| sum.iter_mut().zip(part).for_each(|(sum, part)| *sum += part);
        let neighbours = self.plan.neighbours();
        let after = neighbours.partition_point(|neighbour| neighbour.rank < self.comm.rank());
        for turn in 0..=neighbours.len() {
            if turn == after {
                add(sum, own);
                continue;
            }
            let neighbour = &neighbours[if turn < after { turn } else { turn - 1 }];
            self.message.clear();
            comm::receive_numbers(&*self.comm, neighbour.rank, INCREMENTS, &mut self.message);
            let mut rest = &self.message[..];
            for place in neighbour.places.iter().map(|place| *place as usize) {
                let (part, later) = rest.split_at((start[place + 1] - start[place]).min(rest.len()));
                add(&mut sum[start[place]..start[place + 1]], part);
                rest = later;
            }
        }
        for (place, (slot, members)) in self.plan.shares().enumerate() {
            let share = if *variant == Variant::MassSplitting { 1.0 / members as f64 } else { 1.0 };
            let range = start[place]..start[place + 1];
            let agreed = &mut agreed[range.clone()];
            agreed.iter_mut().zip(&sum[range]).for_each(|(agreed, sum)| *agreed += share * sum);
            self.own.packed_mut().take_velocity(slot, agreed);
        }
    }
}
