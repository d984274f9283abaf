//! The block solves of a Gauss–Seidel sweep.

use std::sync::atomic::{AtomicU32, Ordering};

use super::block::Block;
use super::block_solvers::Solved;
use super::compliant::BlockState;
use super::contact::{BlockError, Contact, Method};
use super::law::ResidualForm;
use super::semismooth::{self, Problem};
use super::{Conditions, GRAIN};
use crate::dynamics::{fetch_item, BlockKernel, Delassus};
use crate::math::{each, Mat3, Number, Vec3, VecOf, Wide, WideMat, WideVec};
use crate::model::{BlockSolver, PenaltyVariant};

/// What the kernel needs of one constraint.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Item {
    pub form: ResidualForm,
    pub block: Block,
    /// Normal velocity at the start of the step.
    pub v: f64,
}

/// What the kernel needs of four contacts side by side.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct FourItems {
    inverse: WideMat,
    rho: Wide,
    friction: Wide,
    bounce: Wide,
    cohesion: Wide,
    /// Not zero for what is left to the single solve: other laws, and blocks where rounding decides.
    special: Wide,
}

impl FourItems {
    fn gather(items: [&Item; 4]) -> FourItems {
        let cones = items.map(|item| item.form.cone());
        let of_each = |k: usize| Wide::new(cones.map(|cone| cone.map_or(0.0, |cone| cone[k])));
        let special = |item: &Item| f64::from(item.block.singular || item.form.cone().is_none());
        FourItems {
            inverse: WideMat::gather(items.map(|item| &item.block.inverse)),
            rho: Wide::new(items.map(|item| item.block.rho)),
            friction: of_each(0),
            bounce: of_each(1),
            cohesion: of_each(2),
            special: Wide::new(items.map(special)),
        }
    }
}

/// What the kernel needs of all constraints, in the order of the sweep; of those that are swept by four side by side once
/// more together.
#[derive(Debug, Default)]
pub(super) struct Items {
    pub single: Vec<Item>,
    fours: Vec<FourItems>,
}

impl Items {
    /// Those of an operator, of which `item` makes that of a row.
    pub fn arrange<D: Delassus>(&mut self, op: &D, item: impl Fn(usize) -> Item + Sync) {
        let (order, fours) = (op.order(), op.fours());
        self.single.resize(order.len(), Item::default());
        each(&mut self.single, GRAIN, |place, single| *single = item(order[place] as usize));
        let single = &self.single;
        self.fours.resize(fours.len(), FourItems::default());
        each(&mut self.fours, GRAIN, |number, four| {
            *four = FourItems::gather([0, 1, 2, 3].map(|k| &single[fours[number] as usize + k]));
        });
    }
}

impl From<Vec<Item>> for Items {
    /// None of them side by side.
    fn from(single: Vec<Item>) -> Items {
        Items { single, fours: Vec::new() }
    }
}

/// Solves every block by its law.
pub(super) struct Kernel<'a> {
    pub items: &'a [Item],
    fours: &'a [FourItems],
    pub method: Method,
    pub conditions: Conditions,
    /// Block solves that another solver than the named one did, since they were last taken.
    retries: AtomicU32,
    /// Block solves that failed other than by too many iterations, since they were last taken.
    broken: AtomicU32,
}

impl<'a> Kernel<'a> {
    pub fn new(Items { single, fours }: &'a Items, method: Method, conditions: Conditions) -> Self {
        Kernel { items: single, fours, method, conditions, retries: AtomicU32::new(0), broken: AtomicU32::new(0) }
    }

    #[inline(always)]
    fn reaction(&self, item: &Item, w: &Mat3, b: &Vec3, r: &Vec3) -> Result<Vec3, BlockError> {
        match item.form {
            ResidualForm::Cone { .. } | ResidualForm::Compliant(_) => self.contact_reaction(item, w, b, r),
            ResidualForm::Velocity3(target) => finite(item.block.inverse * (target - b)),
            ResidualForm::Velocity(target) => normal((target - b.z) / w.m33),
            ResidualForm::Link(link) => normal(link.reaction(w, b)),
            ResidualForm::Spring(spring) => normal(spring.reaction(w.m33, b.z)),
            ResidualForm::Null => Ok(Vec3::zeros()),
        }
    }

    fn contact_reaction(&self, item: &Item, w: &Mat3, b: &Vec3, r: &Vec3) -> Result<Vec3, BlockError> {
        match item.form {
            ResidualForm::Cone { friction, bounce, cohesion } => {
                let shift = Vec3::new(0.0, 0.0, cohesion);
                let contact = Contact {
                    w,
                    b: b + Vec3::new(0.0, 0.0, bounce) - w.column(2) * cohesion,
                    friction,
                    rho: item.block.rho,
                };
                Ok(self.count(contact.solve(&item.block, &(r + shift), &self.method)?) - shift)
            }
            ResidualForm::Compliant(law) => {
                let at = BlockState { conditions: self.conditions, w, b: *b, v: item.v };
                law.reaction(&at, r, PenaltyVariant::Implicit).ok_or(BlockError::Failed)
            }
            ResidualForm::Velocity3(_)
            | ResidualForm::Velocity(_)
            | ResidualForm::Link(_)
            | ResidualForm::Spring(_)
            | ResidualForm::Null => Err(BlockError::Failed),
        }
    }

    #[inline(always)]
    fn count(&self, solved: Solved) -> Vec3 {
        if solved.retried {
            self.retries.fetch_add(1, Ordering::Relaxed);
        }
        solved.reaction
    }

    #[inline(always)]
    fn or_keep(&self, found: Result<Vec3, BlockError>, r: &Vec3) -> (Vec3, bool) {
        match found {
            Ok(reaction) => (reaction, true),
            Err(error) => {
                self.record(error);
                (*r, false)
            }
        }
    }

    /// Retries and broken blocks of all processes since the last call. Collective.
    pub fn take_counts<D: Delassus>(&self, op: &D) -> (u32, u32) {
        let own = [&self.retries, &self.broken].map(|count| f64::from(count.swap(0, Ordering::Relaxed)));
        let [retries, broken] = op.total(own);
        (retries as u32, broken as u32)
    }

    /// Solves one of four contacts that slides.
    fn slide_alone(&self, k: usize, four: &FourItems, w: &WideMat, b_bar: &WideVec, r: &WideVec) -> (Vec3, bool) {
        let of = |numbers: &Wide| numbers.as_array()[k];
        let shift = Vec3::new(0.0, 0.0, of(&four.cohesion));
        let contact = Contact { w: &w.item(k), b: b_bar.item(k), friction: of(&four.friction), rho: of(&four.rho) };
        let r = &r.item(k);
        let found = contact.slide(&(r + shift), &self.method);
        self.or_keep(found.map(|solved| self.count(solved) - shift), r)
    }

    #[cold]
    fn record(&self, error: BlockError) {
        if error == BlockError::Failed {
            self.broken.fetch_add(1, Ordering::Relaxed);
        }
    }
}

fn normal(r: f64) -> Result<Vec3, BlockError> {
    finite(Vec3::new(0.0, 0.0, r))
}

#[inline(always)]
fn finite(r: Vec3) -> Result<Vec3, BlockError> {
    if r.iter().all(|x| x.is_finite()) {
        Ok(r)
    } else {
        Err(BlockError::Failed)
    }
}

impl BlockKernel for Kernel<'_> {
    #[inline(always)]
    fn is_scalar(&self, place: usize) -> bool {
        matches!(self.items[place].form, ResidualForm::Velocity(_) | ResidualForm::Spring(_))
    }

    #[inline(always)]
    fn fetch_four(&self, number: usize) {
        fetch_item(self.fours.as_ptr().wrapping_add(number));
    }

    #[inline(always)]
    fn solve_four(&self, number: usize, place: usize, w: &WideMat, b: &WideVec, r: &WideVec) -> (WideVec, [bool; 4]) {
        let four = &self.fours[number];
        let (friction, smooth) = (four.friction, four.friction.is_zero());
        let b_bar = VecOf::new(b.x, b.y, b.z + four.bounce) - w.0[2] * four.cohesion;
        let usual = four.special.is_zero();
        let open = usual & Wide::ZERO.at_most(b_bar.z);
        let normal = VecOf::new(Wide::ZERO, Wide::ZERO, -b_bar.z / w.0[2].z);
        let stick = VecOf::select(smooth, &normal, &-(&four.inverse * b_bar));
        let size = (stick.x * stick.x + stick.y * stick.y).sqrt();
        let mut sticks = usual & !open & stick.is_finite() & (smooth | size.at_most(friction * stick.z));
        let mut slides = usual & stick.is_finite() & !(open | sticks | smooth);
        let mut reaction = VecOf::select(sticks, &stick, &VecOf::default());
        if self.method.solver == BlockSolver::SemismoothNewton && slides.to_bitmask().count_ones() > 1 {
            let problem = Problem { w, b: b_bar, friction, rho: four.rho };
            let start = VecOf::new(r.x, r.y, r.z + four.cohesion);
            let (found, by) = semismooth::solve_four(&problem, start, slides, &self.method);
            reaction = VecOf::select(by, &found, &reaction);
            slides &= !by;
            sticks |= by;
        }
        reaction.z -= four.cohesion;
        let (done, slides) = ((open | sticks).to_bitmask(), slides.to_bitmask());
        let mut solved = [true; 4];
        if done != 0b1111 {
            let mut each = reaction.items();
            for k in (0..4).filter(|k| done >> k & 1 == 0) {
                (each[k], solved[k]) = if slides >> k & 1 == 1 {
                    self.slide_alone(k, four, w, &b_bar, r)
                } else {
                    self.solve(place + k, &w.item(k), &b.item(k), &r.item(k))
                };
            }
            reaction = WideVec::gather(each.each_ref());
        }
        (reaction, solved)
    }

    #[inline(always)]
    fn solve(&self, place: usize, w: &Mat3, b: &Vec3, r: &Vec3) -> (Vec3, bool) {
        self.or_keep(self.reaction(&self.items[place], w, b, r), r)
    }
}

/// Over-relaxed: `R ← R + weight (R_new − R)`, then projected on what the law admits.
pub(super) struct Relaxed<'a> {
    pub kernel: &'a Kernel<'a>,
    pub weight: f64,
}

impl BlockKernel for Relaxed<'_> {
    fn solve(&self, place: usize, w: &Mat3, b: &Vec3, r: &Vec3) -> (Vec3, bool) {
        let (new, solved) = self.kernel.solve(place, w, b, r);
        (self.kernel.items[place].form.project(&(r + self.weight * (new - r))), solved)
    }
}

/// Bilateral constraints and springs alone; the reactions of contacts stay.
pub(super) struct Bilateral<'a>(pub &'a Kernel<'a>);

impl BlockKernel for Bilateral<'_> {
    fn skips(&self, place: usize) -> bool {
        match self.0.items[place].form {
            ResidualForm::Cone { .. } | ResidualForm::Compliant(_) => true,
            ResidualForm::Velocity3(_)
            | ResidualForm::Velocity(_)
            | ResidualForm::Link(_)
            | ResidualForm::Spring(_)
            | ResidualForm::Null => false,
        }
    }

    fn solve(&self, place: usize, w: &Mat3, b: &Vec3, r: &Vec3) -> (Vec3, bool) {
        self.0.solve(place, w, b, r)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::{Analysis, BlockSolver};

    /// Numbers in (-1, 1) (a linear congruence).
    fn numbers(seed: u64) -> impl FnMut() -> f64 {
        let mut state = seed;
        move || {
            state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
            (state >> 11) as f64 / (1_u64 << 52) as f64 - 1.0
        }
    }

    /// Open, sticking and sliding contacts, some of them without friction, singular, cohesive or rebounding.
    #[test]
    fn four_contacts_side_by_side_have_the_bits_of_single_ones() {
        let mut number = numbers(3);
        let mut kinds = [0; 3];
        for round in 0..2000 {
            let rank = if round % 7 == 0 { 2 } else { 3 };
            let w: [Mat3; 4] = std::array::from_fn(|_| {
                let columns: [Vec3; 3] =
                    std::array::from_fn(|k| if k < rank { Vec3::from_fn(|_, _| number()) } else { Vec3::zeros() });
                columns.iter().map(|c| c * c.transpose()).sum()
            });
            let items: [Item; 4] = std::array::from_fn(|k| {
                let friction = if number() > 0.8 { 0.0 } else { number().abs() };
                let [bounce, cohesion] = [number(), number()].map(|x| (x - 0.7).max(0.0));
                Item { form: ResidualForm::Cone { friction, bounce, cohesion }, block: Block::new(&w[k]), v: 0.0 }
            });
            let [b, r]: [[Vec3; 4]; 2] =
                std::array::from_fn(|_| std::array::from_fn(|_| Vec3::from_fn(|_, _| number())));
            let method = Method { solver: BlockSolver::SemismoothNewton, epsilon: 1e-6, limit: 100 };
            let conditions = Conditions { h: 1e-3, analysis: Analysis::Dynamic, energy: 0.0 };
            let items = Items { fours: vec![FourItems::gather(items.each_ref())], single: items.to_vec() };
            let kernel = Kernel::new(&items, method, conditions);
            let wide = (WideMat::gather(w.each_ref()), WideVec::gather(b.each_ref()), WideVec::gather(r.each_ref()));
            let together = kernel.solve_four(0, 0, &wide.0, &wide.1, &wide.2);
            for k in 0..4 {
                let alone = kernel.solve(k, &w[k], &b[k], &r[k]);
                let bits = |(r, solved): (Vec3, bool)| (r.map(f64::to_bits), solved);
                assert_eq!(
                    bits((together.0.item(k), together.1[k])),
                    bits(alone),
                    "round {round}, {:?}",
                    items.single[k].form
                );
                let size = alone.0.xy().norm();
                kinds[if size == 0.0 { 0 } else { 1 + usize::from(size > 0.5 * alone.0.z) }] += 1;
            }
        }
        assert!(kinds.iter().all(|count| *count > 500), "{kinds:?}");
    }
}
