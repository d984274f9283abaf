//! The merit function: spurious energy relative to the free energy at constraints (docs/theory.md 9).

use super::compliant::{BlockState, Site};
use super::{Block, Conditions, Law, SWEEP_GRAIN};
use crate::dynamics::Delassus;
use crate::math::{each, largest_of_each, Vec3};
use crate::model::{Analysis, PenaltyVariant};

/// Least free energy relative to the kinetic energy of the bodies.
const FREE_ENERGY_FLOOR: f64 = 1e-14;
/// Least scale of quasi-static merits relative to the free energy, which keeps rounding errors of a solution below it.
const STORED_ENERGY_FLOOR: f64 = 1e-6;

/// The merit of a state.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Merit {
    /// `g`, dimensionless.
    pub value: f64,
    /// Largest natural-map residual [m/s].
    pub residual: f64,
    /// Whether the energies it is made of are finite.
    pub finite: bool,
}

/// What the merit of the states of one problem is measured by.
#[derive(Debug, Clone, Copy)]
pub(super) struct Measure<'a> {
    pub laws: &'a [Law],
    pub blocks: &'a [Block],
    pub conditions: Conditions,
    pub variant: PenaltyVariant,
    /// What the merit is relative to [J/s].
    scale: f64,
}

impl<'a> Measure<'a> {
    /// Of the problem with this operator. Collective.
    pub fn new<D: Delassus>(
        op: &D,
        laws: &'a [Law],
        blocks: &'a [Block],
        conditions: Conditions,
        variant: PenaltyVariant,
    ) -> Self {
        let (diagonal, free) = (op.diagonal(), op.free());
        let previous = op.previous();
        let given = |i: usize| {
            let (block, w) = (&blocks[i], &diagonal[i]);
            let at = BlockState { conditions, w, b: free[i], v: previous[i].z };
            let motion = free[i].dot(&(block.inverse * free[i])) + laws[i].prescribed(w, block);
            [0.5 * motion, 0.5 * laws[i].elastic(&at, block, variant)]
        };
        let [motion, elastic] = op.sum(given);
        Measure { laws, blocks, conditions, variant, scale: scale(motion.max(elastic), &conditions) }
    }

    /// The merit of `r` with `u = B + W R`; `parts` get the contributions of constraints, which sum to `g`.
    pub fn merit<D: Delassus>(&self, op: &D, r: &[Vec3], u: &[Vec3], parts: &mut [f64]) -> Merit {
        let (diagonal, previous) = (op.diagonal(), op.previous());
        let violation = |i: usize, part: &mut f64| {
            let at = Site { conditions: &self.conditions, w: &diagonal[i], v: previous[i].z };
            let (energy, velocity) = self.laws[i].violation(&at, &self.blocks[i], &r[i], &u[i], self.variant);
            *part = 0.5 * energy;
            velocity
        };
        let residual = op.greatest(largest_of_each(parts, SWEEP_GRAIN, violation));
        let [energy] = op.sum(|i| [parts[i]]);
        each(parts, SWEEP_GRAIN, |_, part| *part /= self.scale);
        Merit { value: energy / self.scale, residual, finite: energy.is_finite() && self.scale.is_finite() }
    }
}

/// What the merit is relative to [J/s], by the free energy at constraints. In quasi-statics free bodies go far in a long
/// step, and the energy that they store is less.
fn scale(free: f64, Conditions { h, analysis, energy }: &Conditions) -> f64 {
    if !free.is_finite() {
        return free;
    }
    let scale = match analysis {
        Analysis::Dynamic => free.max(FREE_ENERGY_FLOOR * energy),
        Analysis::QuasiStatic if *energy > 0.0 => (energy / h).min(free).max(STORED_ENERGY_FLOOR * free),
        Analysis::QuasiStatic => free,
    };
    scale.max(f64::MIN_POSITIVE)
}

/// The merit of reactions `r` with velocities `u = B + W R` for any state, as after a Gauss–Seidel solve.
pub fn merit<D: Delassus>(
    op: &D,
    laws: &[Law],
    conditions: Conditions,
    r: &[Vec3],
    u: &[Vec3],
    parts: &mut [f64],
) -> Merit {
    let blocks: Vec<Block> = op.diagonal().iter().map(Block::new).collect();
    let measure = Measure::new(op, laws, &blocks, conditions, PenaltyVariant::Implicit);
    measure.merit(op, r, u, parts)
}

/// The constraint with the largest part; `None` where another process has a larger one. Collective.
pub(super) fn worst<D: Delassus>(op: &D, parts: &[f64]) -> Option<u32> {
    let (mut own, mut largest) = (None, f64::NEG_INFINITY);
    for (i, &part) in (0..).zip(parts) {
        let keeps = own.is_some() && largest >= part;
        if !keeps {
            (own, largest) = (Some(i), part);
        }
    }
    let of_all = op.greatest(largest);
    own.filter(|_| largest.is_nan() || largest >= of_all)
}

/// Constraints whose part of the merit exceeds `tolerance` or is no number, the largest first: after a failed solve
/// those that contradict one another or could not be reached. A part of `ε²/n` corresponds to velocities wrong by the
/// fraction `ε` of the free ones at one of `n` constraints.
pub fn unsatisfied(parts: &[f64], tolerance: f64) -> Vec<u32> {
    let size = |part: f64| if part.is_nan() { f64::INFINITY } else { part };
    let mut rows: Vec<u32> = (0..).zip(parts).filter(|(_, &part)| size(part) > tolerance).map(|(i, _)| i).collect();
    rows.sort_by(|&a, &b| size(parts[b as usize]).total_cmp(&size(parts[a as usize])));
    rows
}
