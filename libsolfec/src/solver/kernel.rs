//! The block solves of a Gauss–Seidel sweep.

use std::sync::atomic::{AtomicU32, Ordering};

use super::block::Block;
use super::compliant::BlockState;
use super::contact::{BlockError, Contact, Method};
use super::law::ResidualForm;
use super::Conditions;
use crate::dynamics::{BlockKernel, Delassus};
use crate::math::{Mat3, Vec3};
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
                let solved = contact.solve(&(r + shift), &self.method)?;
                if solved.retried {
                    self.retries.fetch_add(1, Ordering::Relaxed);
                }
                Ok(solved.reaction - shift)
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
    fn solve(&self, place: usize, w: &Mat3, b: &Vec3, r: &Vec3) -> (Vec3, bool) {
        match self.reaction(&self.items[place], w, b, r) {
            Ok(reaction) => (reaction, true),
            Err(error) => {
                self.record(error);
                (*r, false)
            }
        }
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
