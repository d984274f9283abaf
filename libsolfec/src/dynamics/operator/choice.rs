//! What a step factors: the matrix `W`, or the system in the space of velocities.

use super::super::factors::Factors;
use super::super::packed::Unknowns;
use super::super::velocity_space::{outnumber, VelocitySpace};
use super::super::Delassus;
use super::BodyOperator;
use crate::math::Mat3;

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
        let (mut kept, mut space) = (std::mem::take(&mut self.kept_factors), std::mem::take(&mut self.kept_space));
        if outnumber(self.len(), 2 * self.bodies.len())
            && self
                .unknowns()
                .is_some_and(|few| outnumber(self.len(), few.count as usize) && self.fill_space(&mut space, few))
        {
            (self.velocity_space, self.kept_factors) = (Some(space), kept);
            return;
        }
        if !self.can_sweep() {
            // W cannot be made.
            self.factors = Factors::TooLarge;
            if self.unknowns().is_some_and(|unknowns| self.fill_space(&mut space, unknowns)) {
                self.velocity_space = Some(space);
            } else {
                self.kept_space = space;
            }
            self.kept_factors = kept;
            return;
        }
        let factors = self.pattern().map_or(Factors::TooLarge, |pattern| Factors::of(&pattern, &mut kept));
        let most = factors.cost().map_or(f64::INFINITY, |cost| cost.products);
        let filled = most > SMALL && self.unknowns().is_some_and(|unknowns| self.fill_space(&mut space, unknowns));
        if filled && WEIGHT * space.cost().products < most {
            self.velocity_space = Some(space);
        } else {
            self.kept_space = space;
        }
        (self.factors, self.kept_factors) = (factors, kept);
    }

    /// The velocities of the bodies that have constraints; `None` if the matrices of one of them are not known.
    fn unknowns(&self) -> Option<Unknowns<'_>> {
        Unknowns::new(&self.bodies, self.h, |slot| !self.incidences(slot).is_empty())
    }

    /// Fills the system of the masses and the interpolation of the bodies; false where its factors do not fit in memory.
    fn fill_space(&self, space: &mut VelocitySpace, unknowns: Unknowns) -> bool {
        let mut gather = space.take_gather();
        for link in &self.links {
            for (k, sign) in [1.0, -1.0].into_iter().enumerate() {
                let put = |column, block: Mat3| gather.put(column, link.base.tr_mul(&block) * sign);
                unknowns.gather(link.ends[k], &link.arms[k], put);
            }
            gather.end_row();
        }
        space.fill(unknowns.count as usize, unknowns.mass, gather)
    }
}
