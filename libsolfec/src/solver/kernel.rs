//! The block solves of a Gauss–Seidel sweep.

use std::sync::atomic::{AtomicU32, Ordering};

use super::block::Block;
use super::block_solvers::Solved;
use super::compliant::BlockState;
use super::cone;
use super::contact::{BlockError, Contact, Method};
use super::law::ResidualForm;
use super::Conditions;
use crate::dynamics::{BlockKernel, Delassus};
use crate::math::{Mat3, Vec3, Wide, WideMat, WideVec};
use crate::model::PenaltyVariant;

/// What the kernel needs of one constraint.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Item {
    pub form: ResidualForm,
    pub block: Block,
    /// Normal velocity at the start of the step.
    pub v: f64,
}

/// Solves every block by its law; items in the order of the sweep.
pub(super) struct Kernel<'a> {
    pub items: &'a [Item],
    pub method: Method,
    pub conditions: Conditions,
    /// Block solves that another solver than the named one did, since they were last taken.
    retries: AtomicU32,
    /// Block solves that failed other than by too many iterations, since they were last taken.
    broken: AtomicU32,
}

impl<'a> Kernel<'a> {
    pub fn new(items: &'a [Item], method: Method, conditions: Conditions) -> Self {
        Kernel { items, method, conditions, retries: AtomicU32::new(0), broken: AtomicU32::new(0) }
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
                    block: &item.block,
                    b: b + Vec3::new(0.0, 0.0, bounce) - w.column(2) * cohesion,
                    friction,
                };
                Ok(self.count(contact.solve(&(r + shift), &self.method)?) - shift)
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
    fn takes_four(&self, place: usize) -> bool {
        self.items[place..place + 4].iter().all(|item| matches!(item.form, ResidualForm::Cone { .. }))
    }

    /// Contacts that are open or stick side by side, those that slide one after another.
    #[inline(always)]
    fn solve_four(&self, place: usize, w: &WideMat, b: &WideVec, r: &WideVec) -> [(Vec3, bool); 4] {
        let items = [0, 1, 2, 3].map(|k| &self.items[place + k]);
        let [i, j, k, l] = items;
        let cone = |item: &Item| {
            let ResidualForm::Cone { friction, bounce, cohesion } = item.form else { return [0.0; 3] };
            [friction, bounce, cohesion]
        };
        let cones = [cone(i), cone(j), cone(k), cone(l)];
        let of_all = |n: usize| [cones[0][n], cones[1][n], cones[2][n], cones[3][n]];
        let (friction, bounce, cohesion) = (of_all(0), of_all(1), of_all(2));
        let still = Wide([0.0; 4]);
        let shifted = *b + WideVec { x: still, y: still, z: Wide(bounce) } - w.0[2] * Wide(cohesion);
        let inverse = WideMat::gather([&i.block.inverse, &j.block.inverse, &k.block.inverse, &l.block.inverse]);
        let stick = -(&inverse * shifted);
        let singular = [i.block.singular, j.block.singular, k.block.singular, l.block.singular];
        std::array::from_fn(|k| {
            let (stick, shift) = (stick.item(k), Vec3::new(0.0, 0.0, cohesion[k]));
            if shifted.z.0[k] >= 0.0 {
                return (Vec3::zeros() - shift, true);
            }
            if friction[k] == 0.0 || singular[k] || !finite(stick).is_ok() {
                return self.solve(place + k, &w.item(k), &b.item(k), &r.item(k));
            }
            if cone::tangential(&stick) <= friction[k] * stick.z {
                return (stick - shift, true);
            }
            let (w, b, block, r) = (&w.item(k), shifted.item(k), &items[k].block, &r.item(k));
            let found = Contact { w, block, b, friction: friction[k] }.slide(&(r + shift), &self.method);
            self.or_keep(found.map(|solved| self.count(solved) - shift), r)
        })
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
            let kernel = Kernel::new(&items, method, conditions);
            assert!(kernel.takes_four(0));
            let wide = (WideMat::gather(w.each_ref()), WideVec::gather(b.each_ref()), WideVec::gather(r.each_ref()));
            let together = kernel.solve_four(0, &wide.0, &wide.1, &wide.2);
            for k in 0..4 {
                let alone = kernel.solve(k, &w[k], &b[k], &r[k]);
                let bits = |(r, solved): (Vec3, bool)| (r.map(f64::to_bits), solved);
                assert_eq!(bits(together[k]), bits(alone), "round {round}, {:?}", items[k].form);
                let size = alone.0.xy().norm();
                kinds[if size == 0.0 { 0 } else { 1 + usize::from(size > 0.5 * alone.0.z) }] += 1;
            }
        }
        assert!(kinds.iter().all(|count| *count > 500), "{kinds:?}");
    }
}
