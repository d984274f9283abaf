//! What a step factors: the matrix `W`, or the system in the space of velocities.

use super::super::factors::Factors;
use super::super::packed::Unknowns;
use super::super::sweep::PackedRow;
use super::super::velocity_space::VelocitySpace;
use super::super::Delassus;
use super::BodyOperator;
use crate::math::Mat3;

/// Rows for each two blocks of unknown velocities from which on `W` is not looked at: elimination of its rows, those of
/// a body all coupled, takes more products than that of fewer unknowns.
const MANY: usize = 3;

/// Products of blocks in the factorisation of `W` under which nothing else is tried.
const SMALL: f64 = 1e5;

/// What a product of blocks in the space of velocities counts for, in those of the factorisation of `W`: both factorise
/// by the same code, but solutions in the space of velocities are refined.
const WEIGHT: f64 = 2.0;

impl BodyOperator {
    /// Decides what is factored in this step: the matrix `W`, or the system in the space of velocities if that is less
    /// work. Where rows outnumber unknowns enough, nothing of `W` is looked at: its order and pattern would take longer
    /// than a factorisation in the space of velocities.
    pub(super) fn choose(&mut self) {
        let unknowns = || Unknowns::new(&self.bodies, self.h, |slot| !self.incidences(slot).is_empty());
        let outnumbered = |unknowns: usize| 2 * self.len() >= MANY * unknowns;
        if outnumbered(2 * self.bodies.len()) {
            let few = unknowns().filter(|unknowns| outnumbered(unknowns.count as usize));
            if let Some(space) = few.and_then(|unknowns| self.in_velocity_space(unknowns)) {
                self.velocity_space = Some(Box::new(space));
                return;
            }
        }
        let factors = self.pattern().map_or(Factors::TooLarge, |w| Factors::of(&w.row_offset, &w.column));
        let most = factors.cost().map_or(f64::INFINITY, |cost| cost.products);
        if most > SMALL {
            let other = unknowns().and_then(|unknowns| self.in_velocity_space(unknowns));
            self.velocity_space = other.filter(|other| WEIGHT * other.cost().products < most).map(Box::new);
        }
        self.factors = factors;
    }

    /// The system of the masses and the interpolation of the bodies; `None` where its factors do not fit in memory.
    fn in_velocity_space(&self, unknowns: Unknowns) -> Option<VelocitySpace> {
        let row = |link: &PackedRow| {
            let mut entries = Vec::new();
            for (k, sign) in [1.0, -1.0].into_iter().enumerate() {
                let put = |column, block: Mat3| entries.push((column, link.base.tr_mul(&block) * sign));
                unknowns.gather(link.ends[k], &link.arms[k], put);
            }
            entries
        };
        let rows: Vec<_> = self.links.iter().map(row).collect();
        VelocitySpace::new(unknowns.count as usize, unknowns.mass, &rows)
    }
}
